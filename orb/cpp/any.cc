#include <corbel/base/copy.h>
#include <corbel/cpp/any.h>
#include <corbel/cpp/value.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "orb/core/held_message.h"
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
  std::uint8_t start;  // from a multiple of 8 to the first octet
  bool swap;
  bool text;   // a string in the program's chars
  bool lends;  // may be used as they stand where they lie as in memory
  bool run;    // a sequence whose elements lie as in memory; before it stands a View
  // Values inside: none, some, some that no TypeCode describes.
  enum class Values : std::uint8_t { None, Described, Opaque } values;
  bool others;          // there is an `orb`, or `links`, or a `message`
  std::uint8_t unused;  // so that all of these begin in one store
  std::size_t size;
  std::size_t capacity;                // with what stands before the first octet
  char* octets;                        // behind this, or in `message`
  corbel::core::Orb* orb;              // where references in it belong; counted, may be null
  corbel::cpp::ValueLinks* links;      // what is one with values elsewhere; counted, may be null
  corbel::core::HeldMessage* message;  // counted, may be null

  // A sequence of the program's, with the elements that stand here. The first class that is asked for gets
  // it.
  struct View {
    std::atomic<const AnyOperations*> operations{nullptr};  // once it is made
    std::atomic<bool> taken{false};
    alignas(8) char sequence[corbel::cpp::kSequenceSize];
  };

  const char* data() const { return octets; }
  bool holds(const char* place) const {
    const auto at = reinterpret_cast<std::uintptr_t>(place), begin = reinterpret_cast<std::uintptr_t>(octets);
    return at >= begin && at < begin + size;
  }
  char* data() { return octets; }
  char* data(std::uint8_t known_start) { return reinterpret_cast<char*>(this + 1) + known_start; }
  std::size_t phase() const { return start % 8; }
  View& view() { return *reinterpret_cast<View*>(this + 1); }

  // Throws NO_MEMORY.
  static Bytes* make(std::size_t size, std::uint8_t start) {
    static_assert(sizeof(Bytes) % 8 == 0);  // octets behind it begin at a multiple of 8
    void* const p = memory::allocate(sizeof(Bytes) + start + size);
    if (!p) throw NO_MEMORY();
    return make_of(p, size, start);
  }
  // A run in a message, at `octets`, which is so far from a multiple of 8.
  static Bytes* make_held(corbel::core::HeldMessage& message, char* octets, std::size_t size,
                          std::uint8_t start) {
    Bytes* const b = make(sizeof(View), 0);
    new (&b->view()) View;
    b->start = start;
    b->size = size;
    b->octets = octets;
    b->message = &message;
    b->others = true;
    message.add_ref();
    return b;
  }
  // The same where the thread has kept memory for it; else null.
  static Bytes* make_kept(std::size_t size, std::uint8_t start, bool text) {
    void* const p = memory::allocate_kept(sizeof(Bytes) + start + size);
    return p ? make_of(p, size, start, text) : nullptr;
  }
  // The memory of `old`, which is given away, where nobody else has it and it is large enough; or new memory.
  static Bytes* make(std::size_t size, std::uint8_t start, Bytes* old) {
    if (!old) return make(size, start);
    if (old->count.load(std::memory_order_acquire) == 1 && old->capacity >= start + size &&
        (old->capacity <= kKept || old->capacity / 2 <= size)) {
      if (old->others) old->let_go();
      old->begin(size, start);
      return old;
    }
    old->release();
    return make(size, start);
  }
  // The memory is for another string now, if it holds one and would be kept.
  bool take_text(std::size_t wanted) {
    if (!text || wanted > capacity || capacity > kKept || count.load(std::memory_order_acquire) != 1)
      return false;
    size = wanted;
    return true;
  }
  void release() {
    if (count.load(std::memory_order_acquire) != 1 && count.fetch_sub(1, std::memory_order_acq_rel) != 1)
      return;
    if (others) return end_with_others();
    end();
  }

 private:
  static constexpr std::size_t kKept = 64 * 1024;  // more is not kept for values that are smaller
  void end() {
    const std::size_t all = sizeof(Bytes) + capacity;
    this->~Bytes();
    memory::release(this, all);
  }
  [[gnu::cold, gnu::noinline]] void end_with_others() {
    let_go();
    end();
  }
  static Bytes* make_of(void* memory, std::size_t size, std::uint8_t start, bool is_text = false) {
    Bytes* const b = new (memory) Bytes;
    b->capacity = start + size;
    b->begin(size, start, is_text);
    return b;
  }
  void begin(std::size_t count_of_octets, std::uint8_t at, bool is_text = false) {
    form = 0;
    start = at;
    swap = false;
    text = is_text;
    lends = false;
    run = false;
    values = Values::None;
    others = false;
    unused = 0;
    size = count_of_octets;
    octets = data(at);
    orb = nullptr;
    links = nullptr;
    message = nullptr;
  }
  [[gnu::cold, gnu::noinline]] void let_go() {
    if (orb) orb->remove_ref();
    if (links) links->remove_ref();
    if (message) message->remove_ref();
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

// An Any that is read once more counts for so many values more than it has.
constexpr std::size_t kWork = 8;

// TypeCodes of bounded strings are made as they are needed. Counted for the caller.
TypeCode_ptr string_type(ULong bound) {
  if (bound == 0) return _tc_string;
  const corbel::types::TypeCode bounded(corbel::types::Kind::String, "", "", nullptr, nullptr, 0, bound);
  auto* const type = corbel::types::copy(bounded);
  if (!type) throw NO_MEMORY();
  return static_cast<TypeCode_ptr>(type);
}

}  // namespace

Any::Any(const Any& other) : Any() {
  std::memcpy(number_, other.number_, sizeof number_);
  if (other.bytes_) {
    bytes_ = other.bytes_;
    bytes_->count.fetch_add(1, std::memory_order_relaxed);
  } else if (const Native* const n = other.inserted()) {
    natives_ = made(*n->operations, n->operations->copy(n->value));
  }
  number_size_ = other.number_size_;
  type_ = TypeCode::_duplicate(other.type_);
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
  if (natives_ || type_->block) return clear_all();
  type_ = _tc_null;
  number_size_ = 0;
  if (Bytes* const bytes = std::exchange(bytes_, nullptr)) bytes->release();
}

// The same for the last time.
void Any::end() {
  if (natives_ || type_->block) return clear_all();
  bytes_->release();
}

void Any::clear_all() {
  if (natives_) end_natives();
  corbel::types::release(type_);
  type_ = _tc_null;
  clear();
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
  // The peer's idea of a type of this id may be another, and what is here was checked to be a value of that.
  if (!type || !type_->equivalent(type) || !corbel::types::same_layout(*type_, *type)) throw BAD_TYPECODE();
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
  corbel::cdr::Decoder in(at - bytes_->start, at, at + bytes_->size, bytes_->swap);
  in.set_form(bytes_->form);
  in.set_context(nullptr, false, bytes_->orb);
  return in;
}

bool Any::_corbel_octets(corbel::cdr::Decoder& in) const {
  if (!bytes_ && number_size_ == 0) return false;
  in = decoder();
  return true;
}

bool Any::_corbel_opaque() const { return bytes_ && bytes_->values == Bytes::Values::Opaque; }

void Any::use_links(corbel::cdr::Decoder& in) const {
  if (bytes_ && bytes_->links && !bytes_->links->empty())
    corbel::cpp::reader_of(in).use(in.position(), *bytes_->links);
}

const void* Any::_corbel_extract(TypeCode& type, const AnyOperations& operations) const {
  if (type_ == &type && bytes_ && bytes_->lends) {
    if (bytes_->run) return sequence_lent(operations);
    if (bytes_->size == operations.lent_size && (bytes_->start & (operations.lent_alignment - 1)) == 0)
      return bytes_->data();
  }
  return extract_made(type, operations);
}

// The sequence that the octets are.
inline const void* Any::sequence_lent(const AnyOperations& operations) const {
  Bytes::View& view = bytes_->view();
  if (view.operations.load(std::memory_order_acquire) == &operations) return view.sequence;
  return make_sequence(operations);
}

const void* Any::make_sequence(const AnyOperations& operations) const {
  Bytes::View& view = bytes_->view();
  // There is that of another class, or another thread is making it now.
  if (!operations.view || view.taken.exchange(true, std::memory_order_acq_rel))
    return extract_made(*type_, operations);
  std::uint32_t count;
  std::memcpy(&count, bytes_->data(), sizeof count);
  operations.view(view.sequence, bytes_->data() + sizeof count, count);
  view.operations.store(&operations, std::memory_order_release);
  return view.sequence;
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
  } else if (inserted()) {
    // Another class of the same IDL type: over the wire's form.
    corbel::cdr::Encoder out;
    out.reset();
    marshal_native(out);
    if (out.error()) return nullptr;
    corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
    ORB_var orb = corbel::cpp::default_orb();
    in.set_context(nullptr, false, orb.in() ? &orb->_corbel_core() : nullptr);
    const corbel::cpp::ReadValues read(in);
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

// For `size` octets that are to be written, where it has nothing to give up and the thread has memory; else
// null.
inline Any::Bytes* Any::octets_at_once(TypeCode& type, std::size_t size, std::uint8_t start, bool text) {
  Bytes* const bytes = takes_at_once(type) ? Bytes::make_kept(size, start, text) : nullptr;
  if (!bytes) return nullptr;
  type_ = &type;
  number_size_ = 0;
  return bytes_ = bytes;
}

inline Any::Bytes& Any::octets(TypeCode& type, std::size_t size, std::uint8_t start) {
  Bytes* const bytes = octets_at_once(type, size, start);
  return bytes ? *bytes : octets_again(type, size, start);
}

// The same where there may be some already.
Any::Bytes& Any::octets_again(TypeCode& type, std::size_t size, std::uint8_t start) {
  begin(type);
  bytes_ = Bytes::make(size, start, std::exchange(bytes_, nullptr));
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
    case corbel::types::Kind::WChar:
      corbel::cpp::put_wchar(out, static_cast<WChar>(label));
      break;
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
    corbel::types::marshal_before(out, *type_, bytes_->phase());
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
  if (linked) corbel::cpp::writer_of(out).look_up(*bytes_->links);
  // What has been written before is only referred to, and inside of values in chunks those in an Any look
  // another way.
  const bool alike = has_form_of(out) && out.offset() % 8 == bytes_->phase() &&
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
  // What values are read into for this goes before the message does.
  const bool externals = out.externals_allowed();
  if (values) out.allow_externals(false);
  bool done = true;
  if (values) {
    corbel::cpp::ValueReader& reader = corbel::cpp::reader_of(in);
    done = reader.read_for(corbel::cpp::writer_of(out)) &&
           reader.may_read_again(bytes_->size, kWork + (linked ? bytes_->links->all().size() : 0));
  }
  done = done && corbel::types::transcode(in, out, *type_);
  if (values) corbel::cpp::reader_of(in).leave_to(corbel::cpp::writer_of(out));
  out.allow_externals(externals);
  if (!done)
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
  if (size < 4 || resolved.kind == corbel::types::Kind::Enum || !takes_at_once(type))
    return unmarshal_any_number(in, type, resolved, size);
  const std::size_t pad = -in.offset() & (size - std::size_t{1});
  const char* const from = in.chunk_here(pad + size);
  if (!from) return unmarshal_any_number(in, type, resolved, size);
  type_ = &type;
  number_size_ = size;
  if (size == 4) corbel::cdr::store(number_, corbel::cdr::load<std::uint32_t>(from + pad, in.swap()));
  else corbel::cdr::store(number_, corbel::cdr::load<std::uint64_t>(from + pad, in.swap()));
  return true;
}

bool Any::unmarshal_any_number(corbel::cdr::Decoder& in, TypeCode& type,
                               const corbel::types::TypeCode& resolved, Octet size) {
  if (takes_at_once(type)) type_ = &type;
  else if (type_ != &type || natives_ || bytes_) become(type);
  number_size_ = 0;
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
      good = in.get(number) &&
             (resolved.kind != corbel::types::Kind::Enum || number < resolved.member_count || in.fail());
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

// What is no value of the type.
bool Any::refuse(corbel::cdr::Decoder& in, TypeCode& type) {
  become(type);
  return in.fail();
}

bool Any::unmarshal_text(corbel::cdr::Decoder& in, TypeCode& type) {
  corbel::cdr::Decoder::Text text;
  if (!in.get_plain_text(text)) return unmarshal_any_text(in, type, 0);
  return put_text(type, text.data, text.length);
}

// One that is not converted.
bool Any::unmarshal_any_text(corbel::cdr::Decoder& in, TypeCode& type, std::uint32_t bound) {
  const corbel::cdr::Decoder::Text text = in.get_text(bound);
  return text.data ? put_text(type, text.data, text.length) : refuse(in, type);
}

inline bool Any::put_text(TypeCode& type, const char* text, std::size_t length) {
  const auto count = static_cast<std::uint32_t>(length + 1);
  Bytes* const bytes = octets_at_once(type, sizeof count + count, 0, true);
  if (!bytes) return put_text_again(type, text, length);
  char* const to = bytes->data(0);
  std::memcpy(to, &count, sizeof count);
  std::memcpy(to + sizeof count, text, count);
  return true;
}

// Where there may be octets already.
bool Any::put_text_again(TypeCode& type, const char* text, std::size_t length) {
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
  return true;
}

// Numbers that stand together.
bool Any::unmarshal_flat(corbel::cdr::Decoder& in, TypeCode& type, std::size_t size) {
  const auto phase = static_cast<std::uint8_t>(in.offset() % 8);
  const char* const from = in.chunk_here(size);
  if (!from) return refuse(in, type);
  Bytes* const bytes = octets_at_once(type, size, phase);
  if (!bytes) return put_flat_again(in, type, from, size);
  bytes->swap = in.swap();
  bytes->lends = !in.swap();
  bytes->form = in.form();
  std::memcpy(bytes->data(phase), from, size);
  return true;
}

// Where there may be octets already.
bool Any::put_flat_again(const corbel::cdr::Decoder& in, TypeCode& type, const char* from, std::size_t size) {
  Bytes& bytes = octets_again(type, size, static_cast<std::uint8_t>((in.offset() - size) % 8));
  bytes.swap = in.swap();
  bytes.lends = !in.swap();
  bytes.form = in.form();
  std::memcpy(bytes.data(), from, size);
  return true;
}

// A sequence of them, whose elements are put as they lie in memory.
bool Any::unmarshal_run(corbel::cdr::Decoder& in, TypeCode& type, const corbel::types::Run& run) {
  std::uint32_t count;
  if (!in.get(count) || (run.bound != 0 && count > run.bound)) return refuse(in, type);
  const std::size_t size = std::size_t{count} * run.size;
  const auto phase = static_cast<std::uint8_t>(in.offset() % 8);
  const bool moves = (phase & run.moves) != 0 && count != 0;
  const char* const from = in.chunk_here(moves ? size - run.size + run.between : size);
  if (!from) return refuse(in, type);
  constexpr std::uint8_t kBefore = sizeof(Bytes::View) + 8 - sizeof count;
  Bytes& bytes = octets(type, sizeof count + size, static_cast<std::uint8_t>(kBefore + (phase & run.stays)));
  new (&bytes.view()) Bytes::View;
  bytes.lends = bytes.run = true;
  bytes.form = in.form();
  char* to = bytes.data();
  std::memcpy(to, &count, sizeof count);
  to += sizeof count;
  if (!moves) return corbel::base::copy(to, from, size), true;
  const std::size_t before = run.size - run.tail;
  if (before != 0) {
    std::memset(to + before - 8, 0, 8);  // there may be padding
    std::memcpy(to, from, run.head);
  }
  corbel::base::copy(to + before, from + (run.between - run.tail), size - before);
  return true;
}

// As unmarshal_run(), with the elements left where they are. The count goes in front of them, and so does the
// first element where that is laid out as no other: over octets of this value or of those `spare` before it.
bool Any::_corbel_hold_run(corbel::cdr::Decoder& in, std::size_t least, std::size_t spare,
                           corbel::core::HeldMessage*& held) {
  const corbel::types::Program* const known = __atomic_load_n(&type_->program, __ATOMIC_ACQUIRE);
  const auto* const run = known ? known->run() : nullptr;
  if (!run || in.swap() || in.fragmented() || in.converts_chars() || !in.writable()) return false;
  corbel::cdr::Decoder ahead = in;
  std::uint32_t count;
  if (!ahead.get(count) || count == 0 || (run->bound != 0 && count > run->bound)) return false;
  const std::size_t phase = ahead.offset() % 8, size = std::size_t{count} * run->size;
  const bool moves = (phase & run->moves) != 0;
  if (size < least) return false;
  const char* const from = ahead.chunk_here(moves ? size - run->size + run->between : size);
  if (!from) return false;
  char* const elements = const_cast<char*>(from) + (moves ? run->between : 0) - (moves ? run->size : 0);
  char* const octets = elements - sizeof count;
  if (octets < in.position() - spare || reinterpret_cast<std::uintptr_t>(elements) % 8 != (moves ? 0 : phase))
    return false;
  if (!held) held = new corbel::core::HeldMessage;
  TypeCode_var type = TypeCode::_duplicate(type_);
  Bytes* const bytes = Bytes::make_held(*held, octets, sizeof count + size,
                                        static_cast<std::uint8_t>(((moves ? 0 : phase) + 4) % 8));
  become(*type);
  if (moves && run->size != run->tail) {
    std::memmove(elements, from, run->head);
    std::memset(elements + run->head, 0, run->size - run->tail - run->head);  // padding
  }
  std::memcpy(octets, &count, sizeof count);
  bytes->lends = bytes->run = true;
  bytes->form = in.form();
  bytes_ = bytes;
  in = ahead;
  return true;
}

bool Any::_corbel_unmarshal_value(corbel::cdr::Decoder& in, TypeCode& type) {
  if (const corbel::types::Program* const known = __atomic_load_n(&type.program, __ATOMIC_ACQUIRE))
    if (!in.fragmented() && !in.converts_chars()) {
      if (const auto* const flat = known->plain())
        return unmarshal_flat(in, type, flat->sizes[in.offset() % 8]);
      if (const auto* const run = known->run(); run && !in.swap()) return unmarshal_run(in, type, *run);
    }
  const corbel::types::TypeCode& plain = type;
  if (const Octet size = number_size(plain.kind)) return unmarshal_number(in, type, plain, size);
  if (plain.kind == corbel::types::Kind::String && plain.length == 0 && !in.converts())
    return unmarshal_text(in, type);
  return unmarshal_other(in, type);
}

bool Any::unmarshal_other(corbel::cdr::Decoder& in, TypeCode& type) {
  const corbel::types::TypeCode& plain = resolved(type);
  if (const Octet size = number_size(plain.kind)) return unmarshal_number(in, type, plain, size);
  if (plain.kind == corbel::types::Kind::String && !in.converts())
    return unmarshal_any_text(in, type, plain.length);
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
  bytes.lends = !in.swap() && size != 0;
  bytes.form = in.form();
  if (size != 0) corbel::base::copy(bytes.data(), start, size);
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
    if (met.outside && !corbel::cpp::reader_of(in).may_copy(
                           copy.size() - phase - std::min(met.counted, copy.size() - phase), met.tags.size()))
      return in.fail();
    octets = copy.data() + phase;
    size = copy.size() - phase;
    for (auto& [tag, offset] : met.tags) offset -= phase;
  }
  if (const TCKind kind = type.kind(); kind == tk_null || kind == tk_void) return true;
  Bytes* const bytes =
      Bytes::make(size, static_cast<std::uint8_t>(phase), std::exchange(kept.bytes, nullptr));
  if (size != 0) corbel::base::copy(bytes->data(), octets, size);
  bytes->swap = !moves && in.swap();
  bytes->lends = !bytes->swap && size != 0 && (form & corbel::cdr::form::kConvertsChars) == 0;
  bytes->values = met.opaque         ? Bytes::Values::Opaque
                  : met.tags.empty() ? Bytes::Values::None
                                     : Bytes::Values::Described;
  bytes->form = form;
  bytes->orb = static_cast<corbel::core::Orb*>(in.context());
  if (bytes->orb) bytes->orb->add_ref();
  bytes->others = bytes->orb != nullptr;
  bytes_ = bytes;
  if (!met.tags.empty()) {
    corbel::cpp::ValueReader& reader = corbel::cpp::reader_of(in);
    if (!reader.may_read_again(size, kWork + met.tags.size())) return in.fail();
    bytes->links = new corbel::cpp::ValueLinks;
    bytes->others = true;
    return reader.any_read(*bytes->links, met.tags);
  }
  return true;
}

// ---- types that C++ cannot tell apart

void Any::operator<<=(from_boolean from) { _corbel_put(*_tc_boolean, &from.val, 1); }
void Any::operator<<=(from_octet from) { _corbel_put(*_tc_octet, &from.val, 1); }
void Any::operator<<=(from_char from) { _corbel_put(*_tc_char, &from.val, 1); }

void Any::_corbel_put_text(const char* text) {
  if (!text || natives_ || (bytes_ && bytes_->holds(text))) return put_own_text(text);
  put_text(*_tc_string, text, std::strlen(text));
}

void Any::put_own_text(const char* text) { put_other_text(from_string(text, 0)); }

void Any::operator<<=(from_string from) {
  if (from.bound == 0 && !from.take) return _corbel_put_text(from.val);
  put_other_text(from);
}

void Any::put_other_text(const from_string& from) {
  if (!from.val) throw BAD_PARAM();
  String_var own;
  // What is copied may be the Any's.
  if (from.take) own = from.val;
  else if (natives_ || (bytes_ && bytes_->holds(from.val))) {
    own = string_dup(from.val);
    if (!own.in()) throw NO_MEMORY();
  }
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

bool Any::_corbel_get_text(const char*& text) const {
  const corbel::types::TypeCode& type = *type_;
  if (!bytes_ || !bytes_->text || type.kind != corbel::types::Kind::String || type.length != 0)
    return text_made(0, text);
  text = bytes_->data() + 4;
  return true;
}

Boolean Any::operator>>=(to_string to) const { return text_made(to.bound, to.val); }

// One of this bound, by which name of its type ever, or one that is made now.
bool Any::text_made(ULong bound, const char*& to) const {
  std::size_t length;
  if (const char* const plain = text(length)) {
    if (resolved(*type_).length != bound) return false;
    to = plain;
    return true;
  }
  TypeCode type(corbel::types::Kind::String, "", "", nullptr, nullptr, 0, bound);
  const void* const found = _corbel_extract(type, kStringOperations);
  if (found) to = static_cast<const char*>(found);
  return found != nullptr;
}

bool Any::_corbel_abstract(AbstractBase*& value) const {
  for (const Native* n = __atomic_load_n(&natives_, __ATOMIC_ACQUIRE); n; n = n->next) {
    if (!n->operations->abstract) continue;
    value = n->operations->abstract(n->value);
    return true;
  }
  return false;
}

Boolean Any::operator>>=(to_object to) const {
  const auto kind = corbel::types::resolve(type_)->kind;
  if (kind != corbel::types::Kind::ObjRef && kind != corbel::types::Kind::Component &&
      kind != corbel::types::Kind::Home && kind != corbel::types::Kind::LocalInterface)
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
