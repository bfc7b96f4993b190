#include <corbel/cpp/any.h>
#include <corbel/cpp/value.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "orb/core/orb.h"
#include "orb/cpp/default_orb.h"
#include "orb/cpp/string_memory.h"
#include "orb/cpp/value_streams.h"
#include "orb/types/program.h"
#include "orb/types/walk.h"

namespace CORBA {

namespace memory = corbel::cpp::string_memory;
using corbel::cpp::AnyOperations;

// Octets of a value as they were on the wire, at the same distance from a multiple of 8. Counted, immutable.
struct Any::Bytes {
  std::atomic<std::uint32_t> count{1};
  std::uint32_t form;  // see Decoder::form()
  std::uint8_t phase;  // offset of the first octet mod 8
  bool swap;
  bool text;  // a string in the program's chars
  // Values inside: none, some, some that no TypeCode describes.
  enum class Values : std::uint8_t { None, Described, Opaque } values;
  std::size_t size;
  std::size_t capacity;            // with what stands before the first octet
  corbel::core::Orb* orb;          // where references in it belong; counted, may be null
  corbel::cpp::ValueLinks* links;  // what is one with values elsewhere; counted, may be null

  const char* data() const { return reinterpret_cast<const char*>(this + 1) + phase; }
  bool holds(const char* place) const {
    const auto at = reinterpret_cast<std::uintptr_t>(place), begin = reinterpret_cast<std::uintptr_t>(this);
    return at >= begin && at < begin + sizeof *this + capacity;
  }
  char* data() { return reinterpret_cast<char*>(this + 1) + phase; }

  // Throws NO_MEMORY.
  static Bytes* make(std::size_t size, std::uint8_t phase) {
    static_assert(sizeof(Bytes) % 8 == 0);  // octets behind it begin at a multiple of 8
    void* const p = memory::allocate(sizeof(Bytes) + phase + size);
    if (!p) throw NO_MEMORY();
    Bytes* const b = new (p) Bytes;
    b->capacity = phase + size;
    b->begin(size, phase);
    return b;
  }
  // The memory of `old`, which is given away, where nobody else has it and it is large enough; or new memory.
  static Bytes* make(std::size_t size, std::uint8_t phase, Bytes* old) {
    if (!old) return make(size, phase);
    if (old->count.load(std::memory_order_acquire) == 1 && old->capacity >= phase + size &&
        (old->capacity <= kKept || old->capacity / 2 <= size)) {
      if (old->orb || old->links) old->let_go();
      old->begin(size, phase);
      return old;
    }
    old->release();
    return make(size, phase);
  }
  // The memory is for another string now, if it holds one and would be kept.
  bool take_text(std::size_t octets) {
    if (!text || octets > capacity || capacity > kKept || count.load(std::memory_order_acquire) != 1)
      return false;
    size = octets;
    return true;
  }
  void release() {
    if (count.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (orb || links) let_go();
    const std::size_t octets = sizeof(Bytes) + capacity;
    this->~Bytes();
    memory::release(this, octets);
  }

 private:
  static constexpr std::size_t kKept = 64 * 1024;  // more is not kept for values that are smaller
  void begin(std::size_t octets, std::uint8_t at) {
    phase = at;
    form = 0;
    swap = false;
    text = false;
    values = Values::None;
    size = octets;
    orb = nullptr;
    links = nullptr;
  }
  [[gnu::cold, gnu::noinline]] void let_go() {
    if (orb) orb->remove_ref();
    if (links) links->remove_ref();
  }
};
// What it was made of is destroyed with it, unless it stands behind it.
struct Any::Native {
  const AnyOperations* operations;
  void* value;
  Native* next;

  // Null when memory is exhausted.
  static Native* make(const AnyOperations& operations, void* value) noexcept {
    void* const p = memory::allocate(sizeof(Native));
    return p ? new (p) Native{&operations, value, nullptr} : nullptr;
  }
  void end() {
    operations->destroy(value);
    memory::release(this, sizeof(Native));
  }
};

namespace {

// Octets of the numbers that an Any keeps in itself, by kind.
constexpr std::uint8_t kNumberSizes[] = {0, 0, 2, 4, 2, 4, 4, 8, 1, 1, 1, 0, 0,
                                         0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 8};

std::uint8_t number_size(corbel::types::Kind kind) {
  const auto i = static_cast<std::size_t>(kind);
  return i < std::size(kNumberSizes) ? kNumberSizes[i] : 0;
}

const corbel::types::TypeCode& resolved(const corbel::types::TypeCode& type) {
  return type.kind == corbel::types::Kind::Alias ? *corbel::types::resolve(&type) : type;
}

constexpr AnyOperations kStringOperations = {
    [](const void* value) -> void* { return string_dup(static_cast<const char*>(value)); },
    [](void* value) { string_free(static_cast<char*>(value)); },
    [](corbel::cdr::Encoder& out, const void* value) { out.put_string(static_cast<const char*>(value)); },
    [](corbel::cdr::Decoder& in) -> void* {
      char* text = nullptr;
      return corbel::cpp::get_string(in, text) ? text : nullptr;
    }};

// TypeCodes of bounded strings are made as they are needed. Counted for the caller.
TypeCode_ptr string_type(ULong bound) {
  if (bound == 0) return _tc_string;
  const corbel::types::TypeCode bounded(corbel::types::Kind::String, "", "", nullptr, nullptr, 0, bound);
  auto* const type = corbel::types::copy(bounded);
  if (!type) throw NO_MEMORY();
  return static_cast<TypeCode_ptr>(type);
}

}  // namespace

Any::Any(const Any& other) : type_(TypeCode::_duplicate(other.type_)), number_size_(other.number_size_) {
  std::memcpy(number_, other.number_, sizeof number_);
  if (other.bytes_) {
    bytes_ = other.bytes_;
    bytes_->count.fetch_add(1, std::memory_order_relaxed);
  } else if (const Native* const n = other.inserted()) {
    natives_ = made(*n->operations, n->operations->copy(n->value));
  }
}

Any& Any::operator=(const Any& other) {
  if (this != &other) {
    Any copy(other);
    swap(copy);
  }
  return *this;
}

void Any::swap(Any& other) noexcept {
  std::swap(type_, other.type_);
  std::swap(number_size_, other.number_size_);
  std::swap(number_, other.number_);
  std::swap(bytes_, other.bytes_);
  std::swap(natives_, other.natives_);
}

void Any::clear() {
  if (natives_) end_natives();
  if (type_->block) corbel::types::release(type_);
  type_ = _tc_null;
  number_size_ = 0;
  if (Bytes* const bytes = std::exchange(bytes_, nullptr)) bytes->release();
}

void Any::end_natives() {
  while (Native* const n = natives_) {
    natives_ = n->next;
    n->end();
  }
}

// Of the type, and without a value.
void Any::become(TypeCode& type) {
  TypeCode_ptr const counted = TypeCode::_duplicate(&type);
  if (bytes_ || natives_ || type_->block) clear();
  type_ = counted;
  number_size_ = 0;
}

// The same; memory for octets stays.
void Any::begin(TypeCode& type) {
  number_size_ = 0;
  if (type_ == &type && !natives_) return;
  Bytes* const kept = std::exchange(bytes_, nullptr);
  become(type);
  bytes_ = kept;
}

void Any::type(TypeCode_ptr type) {
  if (!type || !type_->equivalent(type)) throw BAD_TYPECODE();
  TypeCode_ptr const old = type_;
  type_ = TypeCode::_duplicate(type);
  corbel::types::release(old);
}

void Any::_corbel_adopt(TypeCode& type, void* value, const AnyOperations& operations) {
  if (!value) throw BAD_PARAM();
  if (type_ == &type && overwritable(operations)) {
    operations.destroy(std::exchange(natives_->value, value));
    return;
  }
  Native* const native = made(operations, value);
  become(type);
  natives_ = native;
}

// Of a value, which is destroyed if there is no memory.
Any::Native* Any::made(const AnyOperations& operations, void* value) {
  if (Native* const native = Native::make(operations, value)) return native;
  operations.destroy(value);
  throw NO_MEMORY();
}

// A reader's result becomes the Any's; readers of the same moment may have the same.
Any::Native* Any::publish(Native* fresh) const {
  fresh->next = __atomic_load_n(&natives_, __ATOMIC_ACQUIRE);
  do {
    for (Native* n = fresh->next; n; n = n->next) {
      if (n->operations != fresh->operations) continue;
      fresh->end();
      return n;
    }
  } while (!__atomic_compare_exchange_n(&natives_, &fresh->next, fresh, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
  return fresh;
}

void* Any::overwritable(const AnyOperations& operations) const {
  return natives_ && !natives_->next && !bytes_ && natives_->operations == &operations ? natives_->value
                                                                                       : nullptr;
}

// What was put in: the oldest. Others are what readers made of it.
const Any::Native* Any::inserted() const {
  const Native* n = __atomic_load_n(&natives_, __ATOMIC_ACQUIRE);
  while (n && n->next) n = n->next;
  return n;
}

corbel::cdr::Decoder Any::decoder() const {
  if (number_size_ != 0) return {number_, number_, number_ + number_size_, false};
  const char* const at = bytes_->data();
  corbel::cdr::Decoder in(at - bytes_->phase, at, at + bytes_->size, bytes_->swap);
  in.set_form(bytes_->form);
  in.set_context(nullptr, false, bytes_->orb);
  return in;
}

void Any::use_links(corbel::cdr::Decoder& in) const {
  if (bytes_ && bytes_->links && !bytes_->links->empty())
    corbel::cpp::reader_of(in).use(in.position(), *bytes_->links);
}

const void* Any::_corbel_extract(TypeCode& type, const AnyOperations& operations) const {
  if (operations.lend && type_ == &type && bytes_ && !bytes_->swap &&
      (bytes_->form & corbel::cdr::form::kConvertsChars) == 0)
    if (const void* const lent = operations.lend(bytes_->data(), bytes_->size)) return lent;
  return extract_made(type, operations);
}

// What has been made of it, or is made now.
const void* Any::extract_made(TypeCode& type, const AnyOperations& operations) const {
  for (const Native* n = __atomic_load_n(&natives_, __ATOMIC_ACQUIRE); n; n = n->next)
    if (n->operations == &operations && (type_ == &type || type_->equivalent(&type))) return n->value;
  if (type_ != &type && !type_->equivalent(&type)) return nullptr;
  void* value = nullptr;
  if (bytes_ || number_size_ != 0) {
    corbel::cdr::Decoder in = decoder();
    const corbel::cpp::ReadValues scope(in);
    use_links(in);
    value = operations.unmarshal(in);
    // The peer's idea of a type of this id may be another.
    if (value && in.remaining() != 0) {
      operations.destroy(value);
      value = nullptr;
    }
  } else if (const Native* const n = inserted()) {
    // Another class of the same IDL type: over the wire's form.
    corbel::cdr::Encoder out;
    out.reset();
    n->operations->marshal(out, n->value);
    if (out.error()) return nullptr;
    corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
    ORB_var orb = corbel::cpp::default_orb();
    in.set_context(nullptr, false, orb.in() ? &orb->_corbel_core() : nullptr);
    value = operations.unmarshal(in);
  }
  return value ? publish(made(operations, value))->value : nullptr;
}

bool Any::_corbel_value(TypeCode& type, const AnyOperations& operations, ValueBase*& value) const {
  if (type_ != &type && !type_->equivalent(&type)) return false;
  for (const Native* n = __atomic_load_n(&natives_, __ATOMIC_ACQUIRE); n; n = n->next) {
    if (!n->operations->value) continue;
    value = n->operations->value(n->value);
    return true;
  }
  if (!bytes_) return false;
  ValueBase_var decoded;
  if (operations.unmarshal) {
    const void* const found = _corbel_extract(type, operations);
    if (found) value = operations.value(found);
    return found != nullptr;
  }
  // Of any class: without an id its type is that of the TypeCode.
  const corbel::cpp::ValueType expected{corbel::types::resolve(type_)->id, nullptr, false};
  corbel::cdr::Decoder in = decoder();
  const corbel::cpp::ReadValues scope(in);
  use_links(in);
  if (!corbel::cpp::get_value_base(in, decoded.out(), &expected, nullptr) || in.remaining() != 0)
    return false;
  const Native* const n = publish(made(operations, new ValueBase_var(decoded)));
  value = n->operations->value(n->value);
  return true;
}

void Any::_corbel_put(TypeCode& type, const void* number, ULong size) {
  if (type_ == &type && number_size_ == size && !natives_) {
    std::memcpy(number_, number, size);
    return;
  }
  if (number_size(resolved(type).kind) != size) {
    std::memcpy(octets(type, size, 0).data(), number, size);
    return;
  }
  if (takes_at_once(type)) type_ = &type;
  else become(type);
  number_size_ = static_cast<Octet>(size);
  std::memcpy(number_, number, size);
}

// For `size` octets that are to be written.
inline Any::Bytes& Any::octets(TypeCode& type, std::size_t size, std::uint8_t phase) {
  if (!takes_at_once(type)) return octets_again(type, size, phase);
  Bytes* const bytes = Bytes::make(size, phase);
  type_ = &type;
  number_size_ = 0;
  return *(bytes_ = bytes);
}

// The same where there may be some already.
Any::Bytes& Any::octets_again(TypeCode& type, std::size_t size, std::uint8_t phase) {
  begin(type);
  bytes_ = Bytes::make(size, phase, std::exchange(bytes_, nullptr));
  return *bytes_;
}

bool Any::_corbel_get(TypeCode& type, void* number, ULong size) const {
  if (number_size_ != size || (type_ != &type && !type_->equivalent(&type))) return false;
  std::memcpy(number, number_, size);
  return true;
}

// A string in octets that are the program's chars; null if there is none.
const char* Any::text(std::size_t& length) const {
  if (!bytes_ || !bytes_->text) return nullptr;
  length = bytes_->size - 5;
  return bytes_->data() + 4;
}

const void* Any::value() const {
  const corbel::types::Kind kind = resolved(*type_).kind;
  const bool text = kind == corbel::types::Kind::String || kind == corbel::types::Kind::WString;
  const Native* n = __atomic_load_n(&natives_, __ATOMIC_ACQUIRE);
  if (!n && kind == corbel::types::Kind::String && _corbel_extract(*type_, kStringOperations)) n = inserted();
  if (n) return text ? static_cast<const void*>(&n->value) : n->value;
  return number_size_ != 0 ? number_ : nullptr;
}

void Any::_corbel_label(TypeCode& type, LongLong label) {
  corbel::cdr::Encoder out;
  out.reset();
  switch (corbel::types::resolve(&type)->kind) {
    case corbel::types::Kind::Boolean:
    case corbel::types::Kind::Char:
    case corbel::types::Kind::Octet:
      out.put(static_cast<std::uint8_t>(label));
      break;
    case corbel::types::Kind::Short:
    case corbel::types::Kind::UShort:
      out.put(static_cast<std::uint16_t>(label));
      break;
    case corbel::types::Kind::WChar: {
      char* const to = out.chunk<1>(3);
      to[0] = 2, to[1] = static_cast<char>(label >> 8), to[2] = static_cast<char>(label & 0xff);
      break;
    }
    case corbel::types::Kind::LongLong:
    case corbel::types::Kind::ULongLong:
      out.put(label);
      break;
    default:
      out.put(static_cast<std::uint32_t>(label));
      break;
  }
  _corbel_put(type, out.data(), static_cast<ULong>(out.size()));
}

void Any::_corbel_marshal(corbel::cdr::Encoder& out) const {
  const corbel::cpp::WrittenValues scope(out);
  if (bytes_ && bytes_->values == Bytes::Values::Opaque && has_form_of(out))
    corbel::types::marshal_before(out, *type_, bytes_->phase);
  else corbel::types::marshal(out, *type_);
  _corbel_marshal_value(out);
}

void Any::_corbel_marshal_value(corbel::cdr::Encoder& out) const {
  if (number_size_ != 0) return marshal_number(out);
  if (!bytes_) return marshal_native(out);
  if (bytes_->text && !out.converts() && bytes_->size < corbel::cdr::Encoder::kExternalThreshold &&
      out.put_plain_string(bytes_->data() + 4, bytes_->size - 5))
    return;
  marshal_bytes(out);
}

void Any::marshal_native(corbel::cdr::Encoder& out) const {
  const corbel::cpp::WrittenValues scope(out);
  const corbel::types::Kind kind = corbel::types::resolve(type_)->kind;
  if (const Native* const n = inserted()) n->operations->marshal(out, n->value);
  else if (kind != corbel::types::Kind::Null && kind != corbel::types::Kind::Void)
    out.fail({corbel::SystemErrorId::BAD_PARAM, corbel::Completion::No, 0,
              "an Any that has a type and no value cannot be sent"});
}

bool Any::has_form_of(const corbel::cdr::Encoder& out) const {
  return !bytes_->swap && bytes_->form == out.form() && bytes_->size != 0;
}

void Any::marshal_number(corbel::cdr::Encoder& out) const {
  if (number_size_ == 1) {
    if (out.converts_chars() && resolved(*type_).kind == corbel::types::Kind::Char) out.put_char(number_[0]);
    else out.put(number_[0]);
    return;
  }
  if (number_size_ == 4) std::memcpy(out.chunk<4>(4), number_, 4);
  else if (number_size_ == 8) std::memcpy(out.chunk<8>(8), number_, 8);
  else std::memcpy(out.chunk<2>(2), number_, 2);
}

void Any::marshal_bytes(corbel::cdr::Encoder& out) const {
  std::size_t length;
  if (const char* const plain = out.converts() ? nullptr : text(length)) {
    out.put(static_cast<std::uint32_t>(length + 1));
    return out.run<1>(plain, length + 1);
  }
  const corbel::cpp::WrittenValues scope(out);
  const bool values = bytes_->values != Bytes::Values::None;
  const bool opaque = bytes_->values == Bytes::Values::Opaque;
  const bool linked = bytes_->links && !bytes_->links->empty();
  // What has been written before is only referred to, and inside of values in chunks those in an Any look
  // another way.
  const bool alike = has_form_of(out) && out.offset() % 8 == bytes_->phase &&
                     !(values && corbel::cdr::values_of(out).in_chunks()) &&
                     (!linked || (opaque && !corbel::cpp::writer_of(out).has_written_any_of(*bytes_->links)));
  if (linked) corbel::cpp::writer_of(out).keep(*bytes_->links);
  if (alike) {
    if (linked) corbel::cpp::writer_of(out).remember_all(*bytes_->links, out.offset());
    return out.run<1>(bytes_->data(), bytes_->size);
  }
  corbel::cdr::Decoder in = decoder();
  const corbel::cpp::ReadValues read(in);
  use_links(in);
  if (!corbel::types::transcode(in, out, *type_))
    out.fail({corbel::SystemErrorId::MARSHAL, corbel::Completion::No, 0,
              "what an Any holds has no form in this version of GIOP, or at this place"});
}

bool Any::_corbel_unmarshal(corbel::cdr::Decoder& in) {
  // A value's class may throw.
  struct Unless {
    Any* read;
    ~Unless() {
      if (read) read->clear();
    }
  } unless{this};
  const corbel::cpp::ReadValues scope(in);
  TypeCode_var type;
  if (!corbel::cdr::unmarshal(in, type) || !_corbel_unmarshal_value(in, *type.in())) return false;
  unless.read = nullptr;
  return true;
}

bool Any::unmarshal_number(corbel::cdr::Decoder& in, TypeCode& type, const corbel::types::TypeCode& resolved,
                           Octet size) {
  if (takes_at_once(type)) type_ = &type;
  else if (type_ != &type || natives_ || bytes_) become(type);
  number_size_ = 0;
  if (size == 4 && resolved.kind != corbel::types::Kind::Enum) {
    const char* const from = in.chunk<4>(4);
    if (!from) return false;
    const auto number = corbel::cdr::load<std::uint32_t>(from, in.swap());
    std::memcpy(number_, &number, sizeof number);
    number_size_ = 4;
    return true;
  }
  const auto get = [&](auto number) {
    const bool good = in.get(number);
    std::memcpy(number_, &number, sizeof number);
    return good;
  };
  bool good;
  switch (size) {
    case 1:
      if (resolved.kind == corbel::types::Kind::Boolean)
        good = in.get_boolean(*reinterpret_cast<bool*>(number_));
      else if (resolved.kind == corbel::types::Kind::Char) good = in.get_char(number_[0]);
      else good = get(std::uint8_t{});
      break;
    case 2:
      good = get(std::uint16_t{});
      break;
    case 4: {
      std::uint32_t number = 0;
      good = in.get(number) && (number < resolved.member_count || in.fail());
      std::memcpy(number_, &number, sizeof number);
      break;
    }
    default:
      good = get(std::uint64_t{});
      break;
  }
  if (good) number_size_ = size;
  return good;
}

// One that is not converted.
bool Any::unmarshal_text(corbel::cdr::Decoder& in, TypeCode& type, std::uint32_t bound) {
  const corbel::cdr::Decoder::Text text = in.get_text(bound);
  if (text.data) put_text(type, text.data, text.length);
  else become(type);
  return text.data != nullptr;
}

void Any::put_text(TypeCode& type, const char* text, std::size_t length) {
  const auto count = static_cast<std::uint32_t>(length + 1);
  const std::size_t size = sizeof count + count;
  char* to;
  if (type_ == &type && !natives_ && bytes_ && bytes_->take_text(size)) {
    to = bytes_->data();
  } else {
    Bytes& bytes = octets(type, size, 0);
    bytes.text = true;
    to = bytes.data();
  }
  std::memcpy(to, &count, sizeof count);
  std::memcpy(to + sizeof count, text, count);
}

// Numbers that stand together.
inline bool Any::unmarshal_flat(corbel::cdr::Decoder& in, TypeCode& type,
                                const corbel::types::Program& program) {
  const std::size_t phase = in.offset() % 8, size = program.plain()->sizes[phase];
  const char* const from = in.chunk<1>(size);
  if (!from) return become(type), false;
  Bytes& bytes = octets(type, size, static_cast<std::uint8_t>(phase));
  bytes.swap = in.swap();
  bytes.form = in.form();
  std::memcpy(bytes.data(), from, size);
  return true;
}

bool Any::_corbel_unmarshal_value(corbel::cdr::Decoder& in, TypeCode& type) {
  if (const corbel::types::Program* const known = __atomic_load_n(&type.program, __ATOMIC_ACQUIRE))
    if (known->plain() && !in.fragmented() && !in.converts_chars()) return unmarshal_flat(in, type, *known);
  const corbel::types::TypeCode& plain = resolved(type);
  if (const Octet size = number_size(plain.kind)) return unmarshal_number(in, type, plain, size);
  if (plain.kind == corbel::types::Kind::String && !in.converts())
    return unmarshal_text(in, type, plain.length);
  if (plain.kind > corbel::types::Kind::Void && !in.fragmented()) {
    const corbel::types::Program& program = corbel::types::Program::of(type);
    if (!program.refers() && !(program.has_chars() && in.converts_chars()))
      return unmarshal_plain(in, type, program);
  }
  return unmarshal_octets(in, type);
}

// What refers to nothing is copied as it stands.
bool Any::unmarshal_plain(corbel::cdr::Decoder& in, TypeCode& type, const corbel::types::Program& program) {
  const char* const start = in.position();
  const std::size_t phase = in.offset() % 8;
  if (!corbel::types::skip(in, program)) return become(type), false;
  const auto size = static_cast<std::size_t>(in.position() - start);
  Bytes& bytes = octets(type, size, static_cast<std::uint8_t>(phase));
  bytes.swap = in.swap();
  bytes.form = in.form();
  if (size != 0) std::memcpy(bytes.data(), start, size);
  return true;
}

bool Any::unmarshal_octets(corbel::cdr::Decoder& in, TypeCode& type) {
  struct Memory {
    Bytes* bytes;
    ~Memory() {
      if (bytes) bytes->release();
    }
  } kept{std::exchange(bytes_, nullptr)};
  begin(type);
  const corbel::cpp::ReadValues scope(in);
  const char* const start = in.position();
  std::size_t phase = in.offset() % 8;
  corbel::types::MetValues met;
  // Borders of fragments and chunks are not kept: the octets would mean something else without them.
  bool moves = in.fragmented();
  std::uint32_t form = in.form();
  // Chars are looked at where they stand.
  if (in.converts_chars() && corbel::types::has_chars(type)) {
    moves = true;
    form = in.older();
  }
  if (!moves && !corbel::types::skip(in, type, met)) return false;
  if (met.outside) {
    in.skip_to(start);
    phase = met.phase;
    met = {};
    moves = true;
  }
  corbel::cdr::Encoder copy;
  const char* octets = start;
  auto size = static_cast<std::size_t>(in.position() - start);
  if (moves) {
    copy.reset(phase);  // the same for what is copied as it stands
    copy.set_form(form);
    const corbel::cpp::WrittenValues written(copy);
    if (!corbel::types::transcode(in, copy, type, met) || copy.error()) return in.fail();
    if (met.outside && !corbel::cpp::reader_of(in).may_copy(copy.size())) return in.fail();
    octets = copy.data() + phase;
    size = copy.size() - phase;
    for (auto& [tag, offset] : met.tags) offset -= phase;
  }
  if (const TCKind kind = type.kind(); kind == tk_null || kind == tk_void) return true;
  Bytes* const bytes =
      Bytes::make(size, static_cast<std::uint8_t>(phase), std::exchange(kept.bytes, nullptr));
  if (size != 0) std::memcpy(bytes->data(), octets, size);
  bytes->swap = !moves && in.swap();
  bytes->values = met.opaque         ? Bytes::Values::Opaque
                  : met.tags.empty() ? Bytes::Values::None
                                     : Bytes::Values::Described;
  bytes->form = form;
  bytes->orb = static_cast<corbel::core::Orb*>(in.context());
  if (bytes->orb) bytes->orb->add_ref();
  bytes_ = bytes;
  if (!met.tags.empty()) {
    bytes->links = new corbel::cpp::ValueLinks;
    corbel::cpp::reader_of(in).any_read(*bytes->links, met.tags);
  }
  return true;
}

// ---- types that C++ cannot tell apart

void Any::operator<<=(from_boolean from) { _corbel_put(*_tc_boolean, &from.val, 1); }
void Any::operator<<=(from_octet from) { _corbel_put(*_tc_octet, &from.val, 1); }
void Any::operator<<=(from_char from) { _corbel_put(*_tc_char, &from.val, 1); }

void Any::operator<<=(from_string from) {
  if (from.val && from.bound == 0 && !from.take && !natives_ && !(bytes_ && bytes_->holds(from.val)))
    return put_text(*_tc_string, from.val, std::strlen(from.val));
  put_other_text(from);
}

void Any::put_other_text(const from_string& from) {
  if (!from.val) throw BAD_PARAM();
  String_var own;
  // What is copied may be the Any's.
  if (from.take) own = from.val;
  else if (natives_ || (bytes_ && bytes_->holds(from.val))) own = string_dup(from.val);
  const char* const text = own.in() ? own.in() : from.val;
  const std::size_t length = std::strlen(text);
  if (from.bound != 0 && length > from.bound) throw BAD_PARAM();
  TypeCode_var type = string_type(from.bound);
  if (from.take) return _corbel_adopt(*type.in(), own._retn(), kStringOperations);
  put_text(*type.in(), text, length);
}

Boolean Any::operator>>=(to_boolean to) const { return _corbel_get(*_tc_boolean, &to.ref, 1); }
Boolean Any::operator>>=(to_octet to) const { return _corbel_get(*_tc_octet, &to.ref, 1); }
Boolean Any::operator>>=(to_char to) const { return _corbel_get(*_tc_char, &to.ref, 1); }

Boolean Any::operator>>=(to_string to) const {
  std::size_t length;
  if (const char* const plain = text(length)) {
    if (resolved(*type_).length != to.bound) return false;
    to.val = plain;
    return true;
  }
  TypeCode type(corbel::types::Kind::String, "", "", nullptr, nullptr, 0, to.bound);
  const void* const found = _corbel_extract(type, kStringOperations);
  if (found) to.val = static_cast<const char*>(found);
  return found != nullptr;
}

Boolean Any::operator>>=(to_object to) const {
  const auto kind = corbel::types::resolve(type_)->kind;
  if (kind != corbel::types::Kind::ObjRef && kind != corbel::types::Kind::Component &&
      kind != corbel::types::Kind::Home)
    return false;
  for (const Native* n = __atomic_load_n(&natives_, __ATOMIC_ACQUIRE); n; n = n->next) {
    if (!n->operations->object) continue;
    to.ref = Object::_duplicate(n->operations->object(n->value));
    return true;
  }
  const void* const found = _corbel_extract(*type_, corbel::cpp::kReferenceOperations<Object>);
  if (!found) return false;
  to.ref = Object::_duplicate(static_cast<const Object_var*>(found)->in());
  return true;
}

namespace {

constexpr AnyOperations kTypeCodeOperations = {
    [](const void* value) -> void* { return new TypeCode_var(*static_cast<const TypeCode_var*>(value)); },
    [](void* value) { delete static_cast<TypeCode_var*>(value); },
    [](corbel::cdr::Encoder& out, const void* value) {
      corbel::cdr::marshal(out, static_cast<const TypeCode_var*>(value)->in());
    },
    [](corbel::cdr::Decoder& in) -> void* {
      auto* const value = new TypeCode_var;
      if (corbel::cdr::unmarshal(in, *value)) return value;
      delete value;
      return nullptr;
    }};

}  // namespace

void operator<<=(Any& any, TypeCode_ptr type) {
  any._corbel_adopt(*_tc_TypeCode, new TypeCode_var(TypeCode::_duplicate(type)), kTypeCodeOperations);
}
void operator<<=(Any& any, TypeCode_ptr* type) {
  any._corbel_adopt(*_tc_TypeCode, new TypeCode_var(*type), kTypeCodeOperations);
}
Boolean operator>>=(const Any& any, TypeCode_ptr& type) {
  const void* const found = any._corbel_extract(*_tc_TypeCode, kTypeCodeOperations);
  if (found) type = static_cast<const TypeCode_var*>(found)->in();
  return found != nullptr;
}

}  // namespace CORBA
