#include "original_engine.h"

#include <corbel/cdr/encoder.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "original_values.h"

namespace original {
namespace {

namespace cdr = corbel::cdr;

// Against bytes that say little and mean much. What the run time accepts stays far below, but for the values
// without octets: those are as many.
constexpr std::size_t kMostForNothing = 10'000;
constexpr std::uint64_t kMostPerOctet = 64;
constexpr int kDeepest = 256;
constexpr std::uint32_t kLongestOther = 1024;  // of the ids that an exception's is told from

// What the steps after None inline.
template <typename T>
[[gnu::noinline]] bool get_by_call(Input& in, char* to) {
  return in.get<T>(to);
}
template <typename T>
[[gnu::noinline]] void put_by_call(Output& out, const char* from) {
  out.put<T>(from);
}
[[gnu::noinline]] const char* take_by_call(Input& in, std::size_t size) { return in.take(size, 1); }
[[gnu::noinline]] void put_octets_by_call(Output& out, const char* from, std::size_t size) {
  if (size != 0) std::memcpy(out.room(size, 1), from, size);
}

char* memory(std::size_t size) {
  void* const p = std::calloc(1, std::max<std::size_t>(size, 1));
  if (!p) throw std::bad_alloc();
  return static_cast<char*>(p);
}
// Its contents are about to be written.
char* raw_memory(std::size_t size) {
  void* const p = std::malloc(std::max<std::size_t>(size, 1));
  if (!p) throw std::bad_alloc();
  return static_cast<char*>(p);
}

// Text may have any octet inside, so its length stands before it.
struct Text {
  static constexpr std::size_t kBefore = sizeof(std::uint32_t);
  static std::uint32_t length(const char* text) { return cdr::load<std::uint32_t>(text - kBefore, false); }
  static char* make(const char* octets, std::uint32_t length) {
    char* const text = raw_memory(kBefore + length + 1) + kBefore;
    cdr::store(text - kBefore, length);
    std::memcpy(text, octets, length);
    text[length] = '\0';
    return text;
  }
  static void free(char* text) {
    if (text) std::free(text - kBefore);
  }
};

template <typename T>
T& as(char* data) {
  return *reinterpret_cast<T*>(data);
}

std::uint16_t unit_at(const char* p, bool little) {
  const auto a = static_cast<unsigned char>(p[0]), b = static_cast<unsigned char>(p[1]);
  return static_cast<std::uint16_t>(little ? b << 8 | a : a << 8 | b);
}
bool is_mark(std::uint16_t unit) { return unit == 0xfeff || unit == 0xfffe; }

bool is_decimal(const char* packed, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const int high = static_cast<unsigned char>(packed[i]) >> 4, low = packed[i] & 15;
    const bool last = i + 1 == size;
    if (high > 9 || (last ? low != 0xc && low != 0xd : low > 9)) return false;
  }
  return true;
}

// The label that a wide discriminator stands for; false if it is no character.
bool label_of(const WideCharacter& wide, std::int64_t& label) {
  const char* p = wide.octets;
  unsigned size = wide.size;
  const bool little = size > 2 && unit_at(p, false) == 0xfffe;
  if (size > 2 && is_mark(unit_at(p, false))) p += 2, size -= 2;
  const std::uint32_t first = unit_at(p, little);
  label = first;
  if (size == 2) return true;
  const std::uint32_t second = size == 4 ? unit_at(p + 2, little) : 0;
  label = 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
  return (first & 0xfc00) == 0xd800 && (second & 0xfc00) == 0xdc00;
}

bool label_of(const Type& discriminator, const char* data, std::int64_t& label) {
  switch (discriminator.kind) {
    case Kind::Boolean:
    case Kind::Char:
    case Kind::Octet:
      label = static_cast<unsigned char>(*data);
      return true;
    case Kind::Short:
    case Kind::UShort:
      label = cdr::load<std::uint16_t>(data, false);
      return true;
    case Kind::Long:
    case Kind::ULong:
    case Kind::Enum:
      label = cdr::load<std::uint32_t>(data, false);
      return true;
    case Kind::LongLong:
    case Kind::ULongLong:
      label = cdr::load<std::int64_t>(data, false);
      return true;
    case Kind::WChar:
      return label_of(*reinterpret_cast<const WideCharacter*>(data), label);
    default:
      return false;
  }
}

// Null: none. `good` tells whether there is such a discriminator at all.
const Type* branch_of(const Type& type, const Choice& choice, bool& good) {
  std::int64_t label;
  good = label_of(*type.content, choice.discriminator, label);
  if (!good) return nullptr;
  for (const Type::Member& m : type.members)
    if (m.label == label) return m.type;
  return type.fallback;
}

template <Step kStep>
class Interpreter final : public Engine {
 public:
  void* decode(const Type& type, Input& in) override {
    in_ = &in;
    depth_ = 0;
    for_nothing_ = 0;
    char* value = nullptr;
    if (affordable(type, 1)) {
      value = memory(size_of(type));
      if (!decoder(type, value)) {
        free(type, value);
        value = nullptr;
      }
    }
    in_ = nullptr;
    return value;
  }
  void encode(const Type& type, const void* value, Output& out) override {
    out_ = &out;
    depth_ = 0;
    encoder(type, const_cast<char*>(static_cast<const char*>(value)));
  }
  void* copy(const Type& type, const void* value) override {
    depth_ = 0;
    char* const made = memory(size_of(type));
    deep_copy(type, const_cast<char*>(static_cast<const char*>(value)), made);
    return made;
  }
  void free(const Type& type, void* value) override {
    if (!value) return;
    in_ = nullptr;
    depth_ = 0;
    deep_free(type, static_cast<char*>(value));
    std::free(value);
  }

 private:
  // One part of a value at `data`; `other` is where its copy is to be.
  using Visit = bool (*)(Interpreter& self, const Type& type, char* data, char* other);

  static bool visit_encoder(Interpreter& self, const Type& type, char* data, char*) {
    return self.encoder(type, data);
  }
  static bool visit_decoder(Interpreter& self, const Type& type, char* data, char*) {
    return self.decoder(type, data);
  }
  static bool visit_deep_copy(Interpreter& self, const Type& type, char* data, char* other) {
    return self.deep_copy(type, data, other);
  }
  static bool visit_deep_free(Interpreter& self, const Type& type, char* data, char*) {
    return self.deep_free(type, data);
  }

  // ---- sizes
  struct Extent {
    std::size_t size, alignment;
  };
  // Member by member where it is a struct: for those steps that keep nothing.
  [[gnu::always_inline]] static Extent calc_nested_size_and_alignment(const Type& type) {
    switch (type.kind) {
      case Kind::Array:
        return calc_array(type);
      case Kind::Struct:
      case Kind::Except:
        return calc_struct(type);
      default:
        return {type.size, type.alignment};
    }
  }
  [[gnu::noinline]] static Extent calc_array(const Type& type) {
    const Extent element = calc_nested_size_and_alignment(*type.content);
    return {element.size * type.length, element.alignment};
  }
  [[gnu::noinline]] static Extent calc_struct(const Type& type) {
    Extent all{type.kind == Kind::Except ? 1u : 0u, 1};
    for (const Type::Member& m : type.members) {
      const Extent member = calc_nested_size_and_alignment(*m.type);
      all.size = aligned(all.size, member.alignment) + member.size;
      all.alignment = std::max(all.alignment, member.alignment);
    }
    return {aligned(all.size, all.alignment), all.alignment};
  }
  static std::size_t size_of(const Type& type) {
    if constexpr (kStep >= Step::Precomputed) return type.size;
    else return calc_nested_size_and_alignment(type).size;
  }

  // ---- the walk
  template <Visit kVisit>
  bool traverse(const Type& type, char* data, char* other) {
    switch (type.kind) {
      case Kind::Struct:
      case Kind::Except:
        return struct_traverse<kVisit>(type, data, other);
      case Kind::Array:
        return elements<kVisit>(*type.content, data, other, type.length);
      case Kind::Sequence:
        return elements<kVisit>(*type.content, as<Sequence>(data).buffer,
                                other ? as<Sequence>(other).buffer : nullptr, as<Sequence>(data).length);
      default:
        return kVisit(*this, type, data, other);
    }
  }
  template <Visit kVisit>
  bool struct_traverse(const Type& type, char* data, char* other) {
    if constexpr (kStep >= Step::Precomputed) {
      for (const Type::Member& m : type.members)
        if (!kVisit(*this, *m.type, data + m.offset, other ? other + m.offset : nullptr)) return false;
      return true;
    }
    std::size_t at = type.kind == Kind::Except ? 1 : 0;
    for (const Type::Member& m : type.members) {
      const Extent member = calc_nested_size_and_alignment(*m.type);
      at = aligned(at, member.alignment);
      if (!kVisit(*this, *m.type, data + at, other ? other + at : nullptr)) return false;
      at += member.size;
    }
    return true;
  }
  template <Visit kVisit>
  bool elements(const Type& type, char* data, char* other, std::uint32_t count) {
    if (type.empty) return !in_ || (for_nothing_ += count) <= kMostForNothing;
    const std::size_t size = size_of(type);
    if (++depth_ > kDeepest) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
      const char* const before = in_ ? in_->position() : nullptr;
      if (!kVisit(*this, type, data + i * size, other ? other + i * size : nullptr)) return false;
      if (in_ && in_->position() == before && ++for_nothing_ > kMostForNothing) return false;
    }
    --depth_;
    return true;
  }

  // ---- encoder
  bool encoder(const Type& type, char* data) {
    switch (type.kind) {
      case Kind::Boolean:
      case Kind::Char:
      case Kind::Octet:
        return put<std::uint8_t>(data);
      case Kind::Short:
      case Kind::UShort:
        return put<std::uint16_t>(data);
      case Kind::Long:
      case Kind::ULong:
      case Kind::Float:
      case Kind::Enum:
        return put<std::uint32_t>(data);
      case Kind::LongLong:
      case Kind::ULongLong:
      case Kind::Double:
        return put<std::uint64_t>(data);
      case Kind::String:
        return encode_text(as<char*>(data));
      case Kind::Sequence:
        if constexpr (kStep >= Step::Sender) return encode_sequence(type, data);
        put_number(as<Sequence>(data).length);
        return traverse<visit_encoder>(type, data, nullptr);
      case Kind::Struct:
        if constexpr (kStep >= Step::Sender) return encode_struct(type, data);
        return traverse<visit_encoder>(type, data, nullptr);
      case Kind::Except:
        if (*data) put_text(type.code->id, static_cast<std::uint32_t>(std::strlen(type.code->id)));
        return traverse<visit_encoder>(type, data, nullptr);
      case Kind::Array:
        if constexpr (kStep >= Step::Sender) return encode_elements(*type.content, data, type.length);
        return traverse<visit_encoder>(type, data, nullptr);
      default:
        return encode_rare(type, data);
    }
  }
  bool encode_rare(const Type& type, char* data) {
    switch (type.kind) {
      case Kind::LongDouble:
        std::memcpy(out_->room(16, 8), data, 16);
        return true;
      case Kind::Fixed:
        put_octets(data, type.size);
        return true;
      case Kind::WChar:
        put_octets(data, std::size_t{1} + as<WideCharacter>(data).size);
        return true;
      case Kind::WString:
        return encode_wide(as<Sequence>(data));
      case Kind::Union:
        return encode_union(type, as<Choice>(data));
      case Kind::AbstractInterface:
        put_octets("\1", 1);
        return encoder(*type.content, data);
      case Kind::TypeCode:
        return encode_code(*as<const TypeCode*>(data));
      case Kind::Any: {
        const AnyValue& any = *as<AnyValue*>(data);
        return encode_code(*any.code) && encoder(*any.type, any.value);
      }
      default:
        return true;
    }
  }
  bool encode_text(const char* text) {
    put_text(text, Text::length(text));
    return true;
  }
  void put_text(const char* text, std::uint32_t length) {
    put_number(length + 1);
    put_octets(text, length + 1);
  }
  // Big endian; text that begins with what looks like a byte order mark has a real one before it.
  bool encode_wide(const Sequence& wide) {
    const auto* const units = reinterpret_cast<const std::uint16_t*>(wide.buffer);
    const bool marked = wide.length != 0 && is_mark(units[0]);
    put_number((wide.length + marked) * 2);
    if (marked) put_octets("\xfe\xff", 2);
    for (std::uint32_t i = 0; i < wide.length; ++i) {
      const char octets[] = {static_cast<char>(units[i] >> 8), static_cast<char>(units[i] & 0xff)};
      put_octets(octets, 2);
    }
    return true;
  }
  bool encode_union(const Type& type, Choice& choice) {
    bool good;
    const Type* const branch = branch_of(type, choice, good);
    encoder(*type.content, choice.discriminator);
    return !branch || branch->empty || encoder(*branch, choice.branch);
  }
  bool encode_code(const TypeCode& code) {
    cdr::Encoder said;
    const std::size_t before = out_->offset() % 8;
    said.reset(before);
    corbel::types::marshal(said, code);
    std::memcpy(out_->room(said.size() - before, 1), said.data() + before, said.size() - before);
    return true;
  }
  // With step Sender.
  bool encode_struct(const Type& type, char* data) {
    for (const Type::Member& m : type.members) encoder(*m.type, data + m.offset);
    return true;
  }
  bool encode_sequence(const Type& type, char* data) {
    put_number(as<Sequence>(data).length);
    return encode_elements(*type.content, as<Sequence>(data).buffer, as<Sequence>(data).length);
  }
  bool encode_elements(const Type& type, char* data, std::uint32_t count) {
    if (type.width != 0 && type.width <= 8) {
      if (count != 0)
        std::memcpy(out_->room(std::size_t{type.width} * count, type.width), data,
                    std::size_t{type.width} * count);
      return true;
    }
    if (type.empty) return true;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (type.kind == Kind::Struct) encode_struct(type, data + i * type.size);
      else encoder(type, data + i * type.size);
    }
    return true;
  }

  // ---- decoder. What it fails in the middle of can be freed: memory was cleared before.
  bool decoder(const Type& type, char* data) {
    switch (type.kind) {
      case Kind::Boolean:
        return get<std::uint8_t>(data) && static_cast<unsigned char>(*data) <= 1;
      case Kind::Char:
      case Kind::Octet:
        return get<std::uint8_t>(data);
      case Kind::Short:
      case Kind::UShort:
        return get<std::uint16_t>(data);
      case Kind::Enum:
        return get<std::uint32_t>(data) && as<std::uint32_t>(data) < type.code->member_count;
      case Kind::Long:
      case Kind::ULong:
      case Kind::Float:
        return get<std::uint32_t>(data);
      case Kind::LongLong:
      case Kind::ULongLong:
      case Kind::Double:
        return get<std::uint64_t>(data);
      case Kind::String:
        return decode_text(as<char*>(data), type.length);
      case Kind::Sequence:
        if (!begin_sequence(type, as<Sequence>(data))) return false;
        if constexpr (kStep >= Step::Receiver)
          return decode_elements(*type.content, as<Sequence>(data).buffer, as<Sequence>(data).length);
        return traverse<visit_decoder>(type, data, nullptr);
      case Kind::Struct:
        if constexpr (kStep >= Step::Receiver) return decode_struct(type, data);
        return traverse<visit_decoder>(type, data, nullptr);
      case Kind::Except:
        return decode_id(type, data) && traverse<visit_decoder>(type, data, nullptr);
      case Kind::Array:
        if constexpr (kStep >= Step::Receiver) return decode_elements(*type.content, data, type.length);
        return traverse<visit_decoder>(type, data, nullptr);
      default:
        return decode_rare(type, data);
    }
  }
  bool decode_rare(const Type& type, char* data) {
    switch (type.kind) {
      case Kind::Null:
      case Kind::Void:
        return true;
      case Kind::LongDouble: {
        const char* const p = in_->take(16, 8);
        if (!p) return false;
        std::memcpy(data, p, 16);
        if (in_->swap()) std::reverse(data, data + 16);
        return true;
      }
      case Kind::Fixed: {
        const char* const p = octets(type.size);
        if (!p || !is_decimal(p, type.size)) return false;
        std::memcpy(data, p, type.size);
        return true;
      }
      case Kind::WChar: {
        auto& wide = as<WideCharacter>(data);
        if (!get<std::uint8_t>(data) || wide.size == 0 || wide.size > 6 || wide.size % 2 != 0) return false;
        const char* const p = octets(wide.size);
        if (p) std::memcpy(wide.octets, p, wide.size);
        return p;
      }
      case Kind::WString:
        return decode_wide(as<Sequence>(data), type.length);
      case Kind::Union:
        return decode_union(type, as<Choice>(data));
      case Kind::AbstractInterface: {
        const char* const is_object = octets(1);
        return is_object && *is_object == 1 && decoder(*type.content, data);
      }
      case Kind::TypeCode:
        return decode_code(as<const TypeCode*>(data));
      case Kind::Any:
        return decode_any(as<AnyValue*>(data));
      default:
        return false;
    }
  }
  bool decode_text(char*& text, std::uint32_t bound) {
    std::uint32_t size;
    if (!number(size)) return false;
    // Not legal, but some say so of the empty one.
    const char* const p = size == 0 ? "" : octets(size);
    if (size == 0) size = 1;
    if (!p || p[size - 1] != '\0' || (bound != 0 && size - 1 > bound)) return false;
    text = Text::make(p, size - 1);
    return true;
  }
  bool decode_wide(Sequence& wide, std::uint32_t bound) {
    std::uint32_t size;
    if (!number(size) || size % 2 != 0) return false;
    const char* p = octets(size);
    if (!p) return false;
    const bool little = size >= 2 && unit_at(p, false) == 0xfffe;
    if (size >= 2 && is_mark(unit_at(p, false))) p += 2, size -= 2;
    if (bound != 0 && size / 2 > bound * std::uint64_t{2}) return false;
    wide.buffer = raw_memory(size);
    wide.maximum = wide.length = size / 2;
    for (std::uint32_t i = 0; i < wide.length; ++i)
      cdr::store(wide.buffer + i * 2, unit_at(p + i * 2, little));
    return true;
  }
  bool decode_id(const Type& type, char* data) {
    const Input here = *in_;
    char* id = nullptr;
    std::uint32_t size;
    // A size of 0 is a member's, not an id's, though text may say so of itself.
    bool text = number(size) && size != 0;
    *in_ = here;
    text = text && decode_text(id, 0) && Text::length(id) == std::strlen(id);
    *data = text && std::strcmp(id, type.code->id) == 0;
    const bool others = text && !*data && Text::length(id) < kLongestOther && begins_with_number(type) &&
                        (std::strncmp(id, "IDL:", 4) == 0 || std::strncmp(id, "RMI:", 4) == 0);
    Text::free(id);
    if (*data) return true;
    *in_ = here;
    return !others && ++for_nothing_ <= kMostForNothing;
  }
  static bool begins_with_number(const Type& exception) {
    return !exception.members.empty() && exception.members[0].type->width != 0 &&
           exception.members[0].type->code == resolve(exception.code->members[0].type);
  }
  bool begin_sequence(const Type& type, Sequence& sequence) {
    std::uint32_t count;
    if (!number(count) || (type.length != 0 && count > type.length) || !affordable(*type.content, count))
      return false;
    const std::size_t size = size_of(*type.content) * count;
    const bool clear = kStep < Step::Precomputed || !type.content->nothing_to_free;
    sequence.buffer = clear ? memory(size) : raw_memory(size);
    sequence.maximum = sequence.length = count;
    return true;
  }
  bool decode_union(const Type& type, Choice& choice) {
    if (!decoder(*type.content, choice.discriminator)) return false;
    bool good;
    const Type* const branch = branch_of(type, choice, good);
    if (!branch || branch->empty) return good;
    if (++depth_ > kDeepest || !affordable(*branch, 1)) return false;
    choice.branch = memory(size_of(*branch));
    if (!decoder(*branch, choice.branch)) return false;
    --depth_;
    return true;
  }
  bool decode_code(const TypeCode*& code) {
    cdr::Decoder said = in_->decoder();
    code = corbel::types::unmarshal(said);
    if (code) in_->go_to(said.position());
    return code;
  }
  bool decode_any(AnyValue*& any) {
    if (++depth_ > kDeepest) return false;
    any = new AnyValue;
    if (!decode_code(any->code)) return false;
    const Type& type = any->types.of(*any->code);
    if (!affordable(type, 1)) return false;
    any->type = &type;
    any->value = memory(size_of(type));
    if (!decoder(type, any->value)) return false;
    --depth_;
    return true;
  }
  // With step Receiver.
  bool decode_struct(const Type& type, char* data) {
    for (const Type::Member& m : type.members)
      if (!decoder(*m.type, data + m.offset)) return false;
    return true;
  }
  bool decode_elements(const Type& type, char* data, std::uint32_t count) {
    if (type.width != 0 && type.width <= 8) return count == 0 || decode_numbers(type, data, count);
    if (type.kind != Kind::Struct || type.empty) return elements<visit_decoder>(type, data, nullptr, count);
    if (++depth_ > kDeepest) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
      const char* const before = in_->position();
      if (!decode_struct(type, data + i * type.size)) return false;
      if (in_->position() == before && ++for_nothing_ > kMostForNothing) return false;
    }
    --depth_;
    return true;
  }
  bool decode_numbers(const Type& type, char* data, std::uint32_t count) {
    const char* const p = in_->take(std::size_t{type.width} * count, type.width);
    if (!p) return false;
    switch (in_->swap() ? type.width : 1) {
      case 2:
        swap_run<std::uint16_t>(data, p, count);
        break;
      case 4:
        swap_run<std::uint32_t>(data, p, count);
        break;
      case 8:
        swap_run<std::uint64_t>(data, p, count);
        break;
      default:
        std::memcpy(data, p, std::size_t{type.width} * count);
    }
    if (type.kind == Kind::Boolean)
      return std::none_of(data, data + count, [](char c) { return static_cast<unsigned char>(c) > 1; });
    if (type.kind == Kind::Enum)
      for (std::uint32_t i = 0; i < count; ++i)
        if (as<std::uint32_t>(data + i * sizeof(std::uint32_t)) >= type.code->member_count) return false;
    return true;
  }
  template <typename T>
  static void swap_run(char* to, const char* from, std::uint32_t count) {
    for (std::size_t i = 0; i < count * sizeof(T); i += sizeof(T))
      cdr::store(to + i, cdr::load<T>(from + i, true));
  }
  // Whether as much memory, and as many visits, may be spent on what is left.
  bool affordable(const Type& type, std::uint64_t count) const {
    return count == 0 || type.cost <= kMostPerOctet * (in_->remaining() + kMostForNothing) / count;
  }

  // ---- deep_copy, into memory that was cleared
  bool deep_copy(const Type& type, char* data, char* other) {
    switch (type.kind) {
      case Kind::Except:
        *other = *data;
        [[fallthrough]];
      case Kind::Struct:
      case Kind::Array:
        return traverse<visit_deep_copy>(type, data, other);
      case Kind::AbstractInterface:
        return deep_copy(*type.content, data, other);
      case Kind::String:
        as<char*>(other) = Text::make(as<char*>(data), Text::length(as<char*>(data)));
        return true;
      case Kind::Sequence:
        as<Sequence>(other) = as<Sequence>(data);
        as<Sequence>(other).buffer = memory(size_of(*type.content) * as<Sequence>(data).length);
        return traverse<visit_deep_copy>(type, data, other);
      case Kind::WString:
        as<Sequence>(other) = as<Sequence>(data);
        as<Sequence>(other).buffer = raw_memory(as<Sequence>(data).length * 2);
        std::memcpy(as<Sequence>(other).buffer, as<Sequence>(data).buffer, as<Sequence>(data).length * 2);
        return true;
      case Kind::Union: {
        std::memcpy(as<Choice>(other).discriminator, as<Choice>(data).discriminator, 8);
        bool good;
        const Type* const branch = branch_of(type, as<Choice>(data), good);
        if (!branch || branch->empty) return true;
        as<Choice>(other).branch = memory(size_of(*branch));
        return deep_copy(*branch, as<Choice>(data).branch, as<Choice>(other).branch);
      }
      case Kind::TypeCode:
        as<const TypeCode*>(other) = as<const TypeCode*>(data);
        corbel::types::retain(as<const TypeCode*>(data));
        return true;
      case Kind::Any: {
        const AnyValue& from = *as<AnyValue*>(data);
        AnyValue& made = *(as<AnyValue*>(other) = new AnyValue);
        corbel::types::retain(made.code = from.code);
        made.type = &made.types.of(*made.code);
        made.value = memory(size_of(*made.type));
        return deep_copy(*made.type, from.value, made.value);
      }
      default:  // numbers, and octets of a fixed number
        std::memcpy(other, data, type.size);
        return true;
    }
  }

  // ---- deep_free: not of the memory of the value itself
  bool deep_free(const Type& type, char* data) {
    if constexpr (kStep >= Step::Precomputed)
      if (type.nothing_to_free) return true;
    switch (type.kind) {
      case Kind::Struct:
      case Kind::Except:
      case Kind::Array:
        return traverse<visit_deep_free>(type, data, nullptr);
      case Kind::AbstractInterface:
        return deep_free(*type.content, data);
      case Kind::String:
        Text::free(as<char*>(data));
        return true;
      case Kind::Sequence:
        if (kStep < Step::Precomputed || !type.content->nothing_to_free)
          traverse<visit_deep_free>(type, data, nullptr);
        [[fallthrough]];
      case Kind::WString:
        std::free(as<Sequence>(data).buffer);
        return true;
      case Kind::Union:
        if (Choice& choice = as<Choice>(data); choice.branch) {
          bool good;
          deep_free(*branch_of(type, choice, good), choice.branch);
          std::free(choice.branch);
        }
        return true;
      case Kind::TypeCode:
        if (as<const TypeCode*>(data)) corbel::types::release(as<const TypeCode*>(data));
        return true;
      case Kind::Any:
        return free_any(as<AnyValue*>(data));
      default:
        return true;
    }
  }
  bool free_any(AnyValue* any) {
    if (!any) return true;
    if (any->value) deep_free(*any->type, any->value);
    std::free(any->value);
    if (any->code) corbel::types::release(any->code);
    delete any;
    return true;
  }

  // ---- the streams, by calls or inline
  template <typename T>
  bool get(char* to) {
    if constexpr (kStep >= Step::Inlined) return in_->get<T>(to);
    else return get_by_call<T>(*in_, to);
  }
  bool number(std::uint32_t& to) { return get<std::uint32_t>(reinterpret_cast<char*>(&to)); }
  const char* octets(std::size_t size) {
    if constexpr (kStep >= Step::Inlined) return in_->take(size, 1);
    else return take_by_call(*in_, size);
  }
  template <typename T>
  bool put(const char* from) {
    if constexpr (kStep >= Step::Inlined) out_->put<T>(from);
    else put_by_call<T>(*out_, from);
    return true;
  }
  void put_number(std::uint32_t value) { put<std::uint32_t>(reinterpret_cast<const char*>(&value)); }
  void put_octets(const char* from, std::size_t size) {
    if constexpr (kStep < Step::Inlined) put_octets_by_call(*out_, from, size);
    else if (size != 0) std::memcpy(out_->room(size, 1), from, size);
  }

  Input* in_ = nullptr;  // while decoding
  Output* out_ = nullptr;
  int depth_ = 0;
  std::size_t for_nothing_ = 0;
};

}  // namespace

std::unique_ptr<Engine> Engine::make(Step step) {
  switch (step) {
    case Step::None:
      return std::make_unique<Interpreter<Step::None>>();
    case Step::Inlined:
      return std::make_unique<Interpreter<Step::Inlined>>();
    case Step::Precomputed:
      return std::make_unique<Interpreter<Step::Precomputed>>();
    case Step::Receiver:
      return std::make_unique<Interpreter<Step::Receiver>>();
    default:
      return std::make_unique<Interpreter<Step::Sender>>();
  }
}

}  // namespace original
