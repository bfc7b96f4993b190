// Random types and values of them, and how each is said in CDR: slow, obvious, by the book, and sharing
// nothing with the run time but the struct that describes a type.
#pragma once

#include <corbel/any.h>

#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "wire.h"

namespace oracle {

using corbel::types::Kind;
using corbel::types::Member;
using corbel::types::TypeCode;

// What depends on the version of GIOP and on the code set of the connection.
struct Form {
  bool old = false;   // 1.1, where wide characters are numbers of two octets
  bool utf8 = false;  // strings of the program are ISO 8859-1
};

inline const TypeCode& without_aliases(const TypeCode& t) {
  return t.kind == Kind::Alias ? without_aliases(*t.content) : t;
}

// ---- how a TypeCode is said
class TypeWriter {
 public:
  explicit TypeWriter(Wire& wire, Form form = {}) : wire_(wire), form_(form) {}

  void type(const TypeCode& t) {
    if (const auto said = said_.find(&t); said != said_.end()) return wire_.indirection(said->second);
    const auto kind = static_cast<std::uint32_t>(t.kind);
    switch (t.kind) {
      case Kind::String:
      case Kind::WString:
        wire_.put(kind);
        wire_.put(t.length);
        return;
      case Kind::Fixed:
        wire_.put(kind);
        wire_.put(static_cast<std::uint16_t>(t.length));
        wire_.put(static_cast<std::int16_t>(t.special));
        return;
      case Kind::ObjRef:
      case Kind::Struct:
      case Kind::Except:
      case Kind::Union:
      case Kind::Enum:
      case Kind::Sequence:
      case Kind::Array:
      case Kind::Alias:
        break;
      default:
        return wire_.put(kind);
    }
    const auto open = wire_.open(kind);
    said_[&t] = open.kind;
    if (t.kind == Kind::Sequence || t.kind == Kind::Array) {
      type(*t.content);
      wire_.put(t.length);
      return wire_.close(open);
    }
    wire_.text(t.id);
    wire_.text(t.name);
    if (t.kind == Kind::Alias) type(*t.content);
    if (t.kind == Kind::Union) {
      type(*t.content);
      wire_.put(t.special);
    }
    if (t.kind != Kind::Alias && t.kind != Kind::ObjRef) wire_.put(t.member_count);
    for (std::uint32_t i = 0; i < t.member_count; ++i) {
      if (t.kind == Kind::Union) {
        const std::int64_t label = static_cast<int>(i) == t.special ? 0 : t.members[i].label;
        switch (without_aliases(*t.content).kind) {
          case Kind::Boolean:
          case Kind::Char:
          case Kind::Octet:
            wire_.put(static_cast<std::int8_t>(label));
            break;
          case Kind::Short:
          case Kind::UShort:
            wire_.put(static_cast<std::int16_t>(label));
            break;
          case Kind::LongLong:
          case Kind::ULongLong:
            wire_.put(label);
            break;
          case Kind::WChar:
            wire_.wide(static_cast<std::uint16_t>(label), form_.old);
            break;
          default:
            wire_.put(static_cast<std::int32_t>(label));
        }
      }
      wire_.text(t.members[i].name);
      if (t.kind != Kind::Enum) type(*t.members[i].type);
    }
    wire_.close(open);
  }

 private:
  Wire& wire_;
  const Form form_;
  std::map<const TypeCode*, std::size_t> said_;
};

// ---- random types; they live as long as the maker
class Types {
 public:
  explicit Types(std::mt19937& random) : random_(random) {}

  // What stands in no other type is there, too.
  const TypeCode& root(int depth) {
    if (below(10) != 0) return any_type(depth);
    std::vector<Member> members;
    for (std::uint32_t i = 0, n = below(4); i < n; ++i)
      members.push_back({name(), &any_type(depth - 1), 0, 0});
    return make(Kind::Except, nullptr, members);
  }
  const TypeCode& any_type(int depth) {
    static const TypeCode* const basic[] = {
        &corbel::tc::_tc_short,      &corbel::tc::_tc_long,      &corbel::tc::_tc_ushort,
        &corbel::tc::_tc_ulong,      &corbel::tc::_tc_float,     &corbel::tc::_tc_double,
        &corbel::tc::_tc_boolean,    &corbel::tc::_tc_char,      &corbel::tc::_tc_octet,
        &corbel::tc::_tc_longlong,   &corbel::tc::_tc_ulonglong, &corbel::tc::_tc_string,
        &corbel::tc::_tc_longdouble, &corbel::tc::_tc_wstring,   &corbel::tc::_tc_wchar,
        &corbel::tc::_tc_any,        &corbel::tc::_tc_TypeCode,  &corbel::tc::_tc_Object};
    if (depth == 0 || below(3) == 0) return *basic[below(std::size(basic))];
    switch (below(9)) {
      case 0:
        return make(Kind::String, nullptr, {}, 1 + below(20));
      case 1:
        return make(Kind::Fixed, nullptr, {}, 1 + below(31), 1);
      case 2:
        return make(Kind::Sequence, &any_type(depth - 1), {}, below(2) * 5);
      case 3:
        return make(Kind::Array, &any_type(depth - 1), {}, 1 + below(4));
      case 4:
        return make(Kind::Alias, &any_type(depth - 1), {});
      case 5:
        return enumeration();
      case 6:
        return choice(depth);
      case 7:
        return recursive(depth);
      default: {
        std::vector<Member> members;
        for (std::uint32_t i = 0, n = 1 + below(5); i < n; ++i)
          members.push_back({name(), &any_type(depth - 1), 0, 0});
        if (below(2) == 0) members.push_back({name(), members.front().type, 0, 0});
        return make(Kind::Struct, nullptr, members);
      }
    }
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  const char* name() {
    names_.push_back("n" + std::string(below(9), 'x') + std::to_string(names_.size()));
    return names_.back().c_str();
  }
  const char* id() {
    names_.push_back(std::string("IDL:") + name() + ":1.0");
    return names_.back().c_str();
  }
  TypeCode& make(Kind kind, const TypeCode* content, const std::vector<Member>& members,
                 std::uint32_t length = 0, std::int32_t special = 0) {
    const bool named = kind == Kind::Alias || kind == Kind::Struct || kind == Kind::Union ||
                       kind == Kind::Enum || kind == Kind::Except;
    members_.push_back(members);
    types_.emplace_back(kind, named ? id() : "", named ? name() : "", content, members_.back().data(),
                        static_cast<std::uint32_t>(members.size()), length, special);
    return types_.back();
  }
  const TypeCode& enumeration() {
    std::vector<Member> members(1 + below(4));
    for (Member& m : members) m = {name(), nullptr, 0, 0};
    return make(Kind::Enum, nullptr, members);
  }
  const TypeCode& choice(int depth) {
    static const TypeCode* const discriminators[] = {
        &corbel::tc::_tc_short, &corbel::tc::_tc_ulong,    &corbel::tc::_tc_boolean, &corbel::tc::_tc_char,
        &corbel::tc::_tc_octet, &corbel::tc::_tc_longlong, &corbel::tc::_tc_wchar};
    const std::uint32_t which = below(8);
    const TypeCode* discriminator = which < 7 ? discriminators[which] : &enumeration();
    if (below(4) == 0) discriminator = &make(Kind::Alias, discriminator, {});
    std::vector<Member> members;
    for (std::int64_t i = 0; i < 2; ++i) members.push_back({name(), &any_type(depth - 1), i, 0});
    const bool with_default = below(2) == 0;
    if (with_default) members.insert(members.begin(), {name(), &any_type(depth - 1), 0, 0});
    return make(Kind::Union, discriminator, members, 0, with_default ? 0 : -1);
  }
  // struct X { T first; sequence<X> more; };
  const TypeCode& recursive(int depth) {
    TypeCode& sequence = make(Kind::Sequence, nullptr, {});
    TypeCode& whole =
        make(Kind::Struct, nullptr, {{name(), &any_type(depth - 1), 0, 0}, {name(), &sequence, 0, 0}});
    sequence.content = &whole;
    return whole;
  }

  std::mt19937& random_;
  std::deque<std::string> names_;
  std::deque<std::vector<Member>> members_;
  std::deque<TypeCode> types_;
};

// ---- a random value; the same for the same seed, whatever the byte order and place
class ValueWriter {
 public:
  ValueWriter(Wire& wire, std::uint32_t seed, Form form = {}) : wire_(wire), form_(form), random_(seed) {}

  void value(const TypeCode& t, int depth = 0) {
    switch (t.kind) {
      case Kind::Boolean:
        return wire_.put(static_cast<std::uint8_t>(below(2)));
      case Kind::Char:  // UTF-8 has no single octet for others
        return wire_.put(static_cast<std::uint8_t>(random_() & 0x7f));
      case Kind::Octet:
        return wire_.put(static_cast<std::uint8_t>(random_()));
      case Kind::Short:
      case Kind::UShort:
        return wire_.put(static_cast<std::uint16_t>(random_()));
      case Kind::Long:
      case Kind::ULong:
      case Kind::Float:
        return wire_.put(static_cast<std::uint32_t>(random_()));
      case Kind::LongLong:
      case Kind::ULongLong:
      case Kind::Double:
        return wire_.put(wide());
      case Kind::LongDouble: {
        const std::uint64_t high = wide(), low = wide();
        wire_.put(wire_.little() ? low : high);
        return wire_.put(wire_.little() ? high : low);
      }
      case Kind::String:
        return text(below(t.length ? t.length : 30));
      case Kind::WChar:
        return wire_.wide(unit(), form_.old);
      case Kind::WString: {
        const std::uint32_t n = below(6);
        wire_.put(form_.old ? n + 1 : n * 2);
        for (std::uint32_t i = 0; i < n; ++i) wire_.unit(unit(), form_.old);
        if (form_.old) wire_.unit(0, true);
        return;
      }
      case Kind::Fixed:
        for (std::uint32_t i = 0; i < t.length / 2; ++i)
          wire_.put(static_cast<std::uint8_t>(below(10) << 4 | below(10)));
        return wire_.put(static_cast<std::uint8_t>(below(10) << 4 | (0xc + below(2))));
      case Kind::Enum:
        return wire_.put(below(t.member_count));
      case Kind::Alias:
        return value(*t.content, depth);
      case Kind::Array:
        for (std::uint32_t i = 0; i < t.length; ++i) value(*t.content, depth + 1);
        return;
      case Kind::Sequence: {
        const std::uint32_t n = depth > 6 ? 0 : below(4);
        wire_.put(n);
        for (std::uint32_t i = 0; i < n; ++i) value(*t.content, depth + 1);
        return;
      }
      case Kind::Except:
        wire_.text(t.id);
        [[fallthrough]];
      case Kind::Struct:
        for (std::uint32_t i = 0; i < t.member_count; ++i) value(*t.members[i].type, depth + 1);
        return;
      case Kind::Union:
        return choice(t, depth);
      case Kind::ObjRef: {
        wire_.text(below(2) ? "IDL:omg.org/CORBA/Object:1.0" : "");
        const std::uint32_t profiles = below(3);
        wire_.put(profiles);
        for (std::uint32_t i = 0; i < profiles; ++i) {
          wire_.put(below(100));
          const std::uint32_t size = below(10);
          wire_.put(size);
          for (std::uint32_t k = 0; k < size; ++k) wire_.put(static_cast<std::uint8_t>(random_()));
        }
        return;
      }
      case Kind::TypeCode: {
        std::mt19937 inner(static_cast<std::uint32_t>(random_()));
        Types types(inner);
        return TypeWriter(wire_, form_).type(types.any_type(2));
      }
      case Kind::Any: {
        std::mt19937 inner(static_cast<std::uint32_t>(random_()));
        Types types(inner);
        const TypeCode& type = types.any_type(depth > 4 ? 0 : 1);
        TypeWriter(wire_, form_).type(type);
        return value(type, depth + 1);
      }
      default:
        return;
    }
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  std::uint64_t wide() {
    const std::uint64_t high = random_();
    return high << 32 | random_();
  }
  // No surrogates, no byte order mark.
  std::uint16_t unit() { return static_cast<std::uint16_t>(random_() % 0xd000); }
  void text(std::uint32_t length) {
    std::string octets;
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::uint32_t c = 1 + below(255);
      if (form_.utf8 && c > 127) {
        octets += static_cast<char>(0xc0 | c >> 6);
        octets += static_cast<char>(0x80 | (c & 0x3f));
      } else {
        octets += static_cast<char>(c);
      }
    }
    wire_.text(octets);
  }
  void choice(const TypeCode& t, int depth) {
    const TypeCode& d = without_aliases(*t.content);
    const std::uint32_t label = below(d.kind == Kind::Boolean ? 2
                                      : d.kind == Kind::Enum  ? d.member_count
                                                              : 3);
    switch (d.kind) {
      case Kind::Boolean:
      case Kind::Char:
      case Kind::Octet:
        wire_.put(static_cast<std::uint8_t>(label));
        break;
      case Kind::Short:
        wire_.put(static_cast<std::int16_t>(label));
        break;
      case Kind::LongLong:
        wire_.put(static_cast<std::int64_t>(label));
        break;
      case Kind::WChar:
        wire_.wide(static_cast<std::uint16_t>(label), form_.old);
        break;
      default:
        wire_.put(label);
    }
    for (std::uint32_t i = 0; i < t.member_count; ++i)
      if (static_cast<int>(i) != t.special && t.members[i].label == label)
        return value(*t.members[i].type, depth + 1);
    if (t.special >= 0) value(*t.members[t.special].type, depth + 1);
  }

  Wire& wire_;
  const Form form_;
  std::mt19937 random_;
};

}  // namespace oracle
