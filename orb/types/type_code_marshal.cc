// TypeCodes in CDR. What has been said already, around or before, is referred to by an indirection:
// 0xffffffff and the distance from there back to its kind. Encapsulations inside each other are one stream of
// octets, in which that distance is counted.
#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <utility>

#include <corbel/types/type_code.h>

#include "orb/types/block.h"
#include "orb/types/known.h"
#include "orb/types/walk.h"

namespace corbel::types {
namespace {

constexpr std::uint32_t kIndirection = 0xffffffff;
constexpr std::uint32_t kIncomplete = 0x4f4d0001;  // OMG's minor code 1
// Types in each other, those counted that indirections repeat: whoever reads or walks them needs stack for
// each.
constexpr int kTallest = 128;
constexpr std::size_t kAnyPhase = 8;
constexpr std::size_t kLongestId = 16 * 1024;  // as of values, each of which is compared with its type's
constexpr std::uint32_t kMostTypes = 100'000;  // of one TypeCode: stops small ones that mean large ones

bool is_basic(Kind kind) {
  switch (kind) {
    case Kind::Null:
    case Kind::Void:
    case Kind::Short:
    case Kind::Long:
    case Kind::UShort:
    case Kind::ULong:
    case Kind::Float:
    case Kind::Double:
    case Kind::Boolean:
    case Kind::Char:
    case Kind::Octet:
    case Kind::Any:
    case Kind::TypeCode:
    case Kind::Principal:
    case Kind::LongLong:
    case Kind::ULongLong:
    case Kind::LongDouble:
    case Kind::WChar:
      return true;
    default:
      return false;
  }
}

// Octets of a union's label on the wire, 0 if that is no discriminator. Wide characters: see put_wide and
// get_wide.
std::size_t label_size(const TypeCode* discriminator) {
  switch (resolve(discriminator)->kind) {
    case Kind::Boolean:
    case Kind::Char:
    case Kind::Octet:
      return 1;
    case Kind::Short:
    case Kind::UShort:
    case Kind::WChar:
      return 2;
    case Kind::Long:
    case Kind::ULong:
    case Kind::Enum:
      return 4;
    case Kind::LongLong:
    case Kind::ULongLong:
      return 8;
    default:
      return 0;
  }
}

class Writer {
 public:
  explicit Writer(std::uint32_t older) : older_(older) {}
  // What nests too deep is left out, and `too_deep`.
  void type(const TypeCode& t) {
    if (const auto known = said_.find(&t); known != said_.end()) {
      put<std::uint32_t>(kIndirection);
      put<std::int32_t>(static_cast<std::int32_t>(static_cast<std::ptrdiff_t>(known->second) -
                                                  static_cast<std::ptrdiff_t>(out.size())));
      return;
    }
    align(4);
    const std::size_t at = out.size();
    put(static_cast<std::uint32_t>(t.kind));
    switch (t.kind) {
      case Kind::String:
      case Kind::WString:
        return put(t.length);
      case Kind::Fixed:
        put(static_cast<std::uint16_t>(t.length));
        return put(static_cast<std::int16_t>(t.special));
      default:
        break;
    }
    if (is_basic(t.kind)) return;
    put<std::uint32_t>(0);
    too_deep |= depth_ == kDeepestWritten;
    if (too_deep) return;
    ++depth_;
    const std::size_t begin = out.size(), outer = origin_;
    origin_ = begin;
    said_.emplace(&t, at);
    out += cdr::kHostIsLittleEndian ? '\1' : '\0';
    parameters(t);
    const auto size = static_cast<std::uint32_t>(out.size() - begin);
    std::memcpy(&out[begin - 4], &size, 4);
    origin_ = outer;
    --depth_;
  }

  std::string out;
  bool too_deep = false;

 private:
  void parameters(const TypeCode& t) {
    switch (t.kind) {
      case Kind::Sequence:
      case Kind::Array:
        type(*t.content);
        return put(t.length);
      default:
        break;
    }
    text(t.id);
    text(t.name);
    switch (t.kind) {
      case Kind::Alias:
      case Kind::ValueBox:
        return type(*t.content);
      case Kind::Struct:
      case Kind::Except:
        put(t.member_count);
        for (std::uint32_t i = 0; i < t.member_count; ++i) text(t.members[i].name), type(*t.members[i].type);
        return;
      case Kind::Enum:
        put(t.member_count);
        for (std::uint32_t i = 0; i < t.member_count; ++i) text(t.members[i].name);
        return;
      case Kind::Union:
        type(*t.content);
        put(t.special);
        put(t.member_count);
        for (std::uint32_t i = 0; i < t.member_count; ++i) {
          label(t, i);
          text(t.members[i].name);
          type(*t.members[i].type);
        }
        return;
      case Kind::Value:
      case Kind::Event:
        put(static_cast<std::int16_t>(t.special));
        if (t.content) type(*t.content);
        else put(static_cast<std::uint32_t>(Kind::Null));
        put(t.member_count);
        for (std::uint32_t i = 0; i < t.member_count; ++i) {
          text(t.members[i].name);
          type(*t.members[i].type);
          put(t.members[i].visibility);
        }
        return;
      default:  // interfaces, native: id and name
        return;
    }
  }

  // The default has no label; its place is filled with one of the right size.
  void label(const TypeCode& t, std::uint32_t i) {
    const std::int64_t v = static_cast<std::int32_t>(i) == t.special ? 0 : t.members[i].label;
    if (older_ == 0 && resolve(t.content)->kind == Kind::WChar)
      return put_wide(static_cast<std::uint32_t>(v));
    switch (label_size(t.content)) {
      case 1:
        return put(static_cast<std::uint8_t>(v));
      case 2:
        return put(static_cast<std::uint16_t>(v));
      case 4:
        return put(static_cast<std::uint32_t>(v));
      default:
        return put(v);
    }
  }

  // As in GIOP 1.2: UTF-16, big endian, behind the count of its octets.
  void put_wide(std::uint32_t c) {
    const bool pair = c > 0xffff;
    out += pair ? '\4' : '\2';
    for (const std::uint32_t unit : {pair ? 0xd800 + ((c - 0x10000) >> 10) : c, 0xdc00 + (c & 0x3ff)}) {
      out += static_cast<char>(unit >> 8 & 0xff);
      out += static_cast<char>(unit & 0xff);
      if (!pair) break;
    }
  }
  void align(std::size_t to) {
    while ((out.size() - origin_) % to != 0) out += '\0';
  }
  template <typename T>
  void put(T value) {
    align(sizeof value);
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const char* s) {
    const std::size_t size = std::strlen(s) + 1;
    put(static_cast<std::uint32_t>(size));
    out.append(s, size);
  }

  // Parts of a type that came may nest deeper by themselves than in it.
  static constexpr int kDeepestWritten = 1000;
  const std::uint32_t older_;
  int depth_ = 0;
  std::size_t origin_ = 0;
  std::map<const TypeCode*, std::size_t> said_;  // where its kind stands
};

class Reader {
 public:
  explicit Reader(Block& block) : block_(block) {}

  // Null if malformed.
  TypeCode* type(cdr::Decoder& in, int depth) {
    if (depth > kTallest || ++types_ > kMostTypes) return nullptr;
    std::uint32_t kind;
    if (!in.get(kind)) return nullptr;
    if (kind == kIndirection) return indirection(in);
    height_ = std::max(height_, 1);
    if (is_basic(static_cast<Kind>(kind))) return &constant(static_cast<Kind>(kind));
    TypeCode* const t = block_.type();
    t->kind = static_cast<Kind>(kind);
    switch (t->kind) {
      case Kind::String:
      case Kind::WString:
        if (!in.get(t->length)) return nullptr;
        return t->length == 0 ? &constant(t->kind) : t;
      case Kind::Fixed: {
        std::uint16_t digits;
        std::int16_t scale;
        if (!in.get(digits) || !in.get(scale) || digits > 31 || digits == 0 || scale < 0 || scale > digits)
          return nullptr;
        t->length = digits;
        t->special = scale;
        return t;
      }
      default:
        break;
    }
    if (kind > static_cast<std::uint32_t>(Kind::Event)) return nullptr;
    const char* data;
    std::uint32_t size;
    if (!in.get_octets_view(data, size) || size == 0 || static_cast<unsigned char>(*data) > 1) return nullptr;
    cdr::Decoder inside(data, data + 1, data + size, (*data == 1) != cdr::kHostIsLittleEndian);
    inside.set_older(in.older());
    // Its kind and length stand before its octets, though these may be a copy: what they refer to lies there,
    // too.
    Known& known = known_.emplace(data - 8, Known{t, 0}).first->second;
    const int beside = std::exchange(height_, 0);
    if (!parameters(inside, *t, depth + 1) || height_ >= kTallest) return nullptr;
    known.height = height_ + 1;
    height_ = std::max(beside, known.height);
    return t;
  }

 private:
  TypeCode* indirection(cdr::Decoder& in) {
    std::int32_t distance;
    if (!in.get(distance) || distance >= -4) return nullptr;
    const auto known = known_.find(in.position() - 4 + distance);
    if (known == known_.end()) return nullptr;
    height_ = std::max(height_, known->second.height);
    return known->second.type;
  }

  bool parameters(cdr::Decoder& in, TypeCode& t, int depth) {
    if (t.kind == Kind::Sequence || t.kind == Kind::Array)
      return (t.content = type(in, depth)) && in.get(t.length) && (t.kind == Kind::Sequence || t.length != 0);
    if (!text(in, t.id) || !text(in, t.name)) return false;
    if (std::strlen(t.id) > kLongestId) return false;
    if (*t.id && !std::strchr(t.id, ':'))
      return false;  // FORMAT:TEXT, as create_struct_tc and its like demand
    switch (t.kind) {
      case Kind::Alias: {
        // An alias that is still being read would be another name of itself, and resolve() without end.
        const TypeCode* const original = type(in, depth);
        if (!original || (original->kind == Kind::Alias && !original->content)) return false;
        t.content = original;
        return true;
      }
      case Kind::ValueBox:
        return (t.content = type(in, depth)) != nullptr;
      case Kind::Union:
        if (!(t.content = type(in, depth)) || !resolve(t.content) || label_size(t.content) == 0) return false;
        if (!in.get(t.special)) return false;
        if (t.special < -1) t.special = -1;  // omniORB says -2 where labels leave values over
        return members(in, t, depth) && t.special < static_cast<std::int32_t>(t.member_count);
      case Kind::Value:
      case Kind::Event: {
        std::int16_t modifier;
        if (!in.get(modifier) || modifier < 0 || modifier > 3 || !(t.content = type(in, depth))) return false;
        if (t.content->kind == Kind::Null) t.content = nullptr;
        t.special = modifier;
        return members(in, t, depth);
      }
      case Kind::Struct:
      case Kind::Except:
      case Kind::Enum:
        return members(in, t, depth);
      default:
        return true;
    }
  }

  bool members(cdr::Decoder& in, TypeCode& t, int depth) {
    std::uint32_t count;
    if (!in.get_length(count, t.kind == Kind::Enum ? 5 : 8)) return false;
    // Those around say that they have the same octets for theirs.
    if (t.kind != Kind::Enum && (members_ += count) > kMostTypes) return false;
    Member* const all = block_.members(count);
    t.members = all;
    t.member_count = count;
    for (std::uint32_t i = 0; i < count; ++i) {
      Member& m = all[i];
      if (t.kind == Kind::Union && !label(in, t, m)) return false;
      if (!text(in, m.name)) return false;
      if (t.kind != Kind::Enum && !(m.type = type(in, depth))) return false;
      if ((t.kind == Kind::Value || t.kind == Kind::Event) && !in.get(m.visibility)) return false;
    }
    return true;
  }

  template <typename T>
  static bool get_label(cdr::Decoder& in, Member& m) {
    T value;
    if (!in.get(value)) return false;
    m.label = static_cast<std::int64_t>(value);
    return true;
  }
  static bool label(cdr::Decoder& in, const TypeCode& t, Member& m) {
    switch (resolve(t.content)->kind) {
      case Kind::Boolean:
      case Kind::Char:
      case Kind::Octet:
        return get_label<std::uint8_t>(in, m);
      case Kind::Short:
        return get_label<std::int16_t>(in, m);
      case Kind::WChar:
        return in.older() == 0 ? get_wide(in, m.label) : get_label<std::uint16_t>(in, m);
      case Kind::UShort:
        return get_label<std::uint16_t>(in, m);
      case Kind::Long:
        return get_label<std::int32_t>(in, m);
      case Kind::ULong:
      case Kind::Enum:
        return get_label<std::uint32_t>(in, m);
      default:
        return get_label<std::int64_t>(in, m);
    }
  }

  static bool get_wide(cdr::Decoder& in, std::int64_t& label) {
    std::uint8_t size;
    const char* at;
    if (!in.get(size) || (size != 2 && size != 4) || !(at = in.chunk<1>(size))) return false;
    const auto unit = [&](int i) {
      return std::uint32_t{static_cast<unsigned char>(at[i])} << 8 | static_cast<unsigned char>(at[i + 1]);
    };
    label = unit(0);
    if (size == 2) return true;
    if ((unit(0) & 0xfc00) != 0xd800 || (unit(2) & 0xfc00) != 0xdc00) return false;
    label = 0x10000 + ((unit(0) & 0x3ff) << 10) + (unit(2) & 0x3ff);
    return true;
  }

  bool text(cdr::Decoder& in, const char*& to) {
    const char* view;
    std::uint32_t length;
    if (!in.get_string_view(view, length) || std::memchr(view, '\0', length)) return false;
    to = block_.text({view, length});
    return true;
  }

  Block& block_;
  std::uint32_t types_ = 0;
  std::uint64_t members_ = 0;
  int height_ = 0;  // of the tallest so far that the type being read refers to
  struct Known {
    TypeCode* type;
    int height;  // 0 while it is being read
  };
  std::map<const char*, Known> known_;  // by where their kind stands
};

}  // namespace

void marshal(cdr::Encoder& out, const TypeCode& type) { marshal_before(out, type, kAnyPhase); }

void marshal_before(cdr::Encoder& out, const TypeCode& type, std::size_t phase) {
  if (is_basic(type.kind)) return out.put(static_cast<std::uint32_t>(type.kind));
  if (!is_complete(type))
    return out.fail({SystemErrorId::BAD_TYPECODE, Completion::No, kIncomplete,
                     "a recursive TypeCode is only of use inside the type of its id"});
  Writer writer(out.older());
  writer.type(type);
  if (writer.too_deep)
    return out.fail({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a TypeCode nests too deep to be sent"});
  std::string& octets = writer.out;
  const bool simple = type.kind == Kind::String || type.kind == Kind::WString || type.kind == Kind::Fixed;
  if (phase != kAnyPhase && !simple) {
    out.chunk<4>(0);
    octets.append((phase - out.offset() - octets.size()) % 8, '\0');
    const auto size = static_cast<std::uint32_t>(octets.size() - 8);  // kind and size stand before
    std::memcpy(&octets[4], &size, 4);
  }
  out.copied_run<4>(octets.data(), octets.size());
}

namespace {

// Null if malformed.
TypeCode* read(cdr::Decoder& in) {
  Block* const block = new (std::nothrow) Block;
  if (!block) return nullptr;
  TypeCode* type = nullptr;
  try {
    type = Reader(*block).type(in, 0);
    if (type && is_endless(*type)) type = nullptr;
  } catch (const std::bad_alloc&) {
    type = nullptr;
  }
  if (!type || !type->block) block->remove_ref();
  return type;
}

}  // namespace

TypeCode* unmarshal(cdr::Decoder& in) {
  // Most are numbers and strings, or have come before.
  cdr::Decoder ahead = in;
  std::uint32_t kind;
  if (!ahead.get(kind)) return in.fail(), nullptr;
  const auto wanted = static_cast<Kind>(kind);
  if (is_basic(wanted)) {
    in = ahead;
    return &constant(wanted);
  }
  const bool simple = wanted == Kind::String || wanted == Kind::WString || wanted == Kind::Fixed;
  const char* octets = nullptr;
  std::uint32_t size = 0;
  if (!simple && !ahead.get_octets_view(octets, size)) return in.fail(), nullptr;
  // Labels of wide characters are written in several ways.
  const std::uint32_t form = in.older();
  if (octets) {
    if (TypeCode* const type = known(wanted, form, {octets, size})) {
      in = ahead;
      return type;
    }
  }
  TypeCode* const type = read(in);
  if (!type) return in.fail(), nullptr;
  if (octets) know(*type, form, {octets, size});
  return type;
}

}  // namespace corbel::types
