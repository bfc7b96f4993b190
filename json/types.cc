// What both directions know of types.
#include <cstring>
#include <string_view>

#include "json/convert.h"
#include "json/type_codes.h"
#include "orb/cdr/char_sets.h"
#include "orb/core/orb.h"
#include "orb/types/block.h"
#include "orb/types/label.h"

namespace corbel::json {

using types::Kind;

namespace {

struct Name {
  const char* name;
  CORBA::TypeCode_ptr type;
};
constexpr Name kNames[] = {{"null", CORBA::_tc_null},
                           {"void", CORBA::_tc_void},
                           {"boolean", CORBA::_tc_boolean},
                           {"octet", CORBA::_tc_octet},
                           {"uint8", CORBA::_tc_octet},
                           {"int8", &int8_type},
                           {"char", CORBA::_tc_char},
                           {"wchar", CORBA::_tc_wchar},
                           {"short", CORBA::_tc_short},
                           {"unsigned short", CORBA::_tc_ushort},
                           {"long", CORBA::_tc_long},
                           {"unsigned long", CORBA::_tc_ulong},
                           {"long long", CORBA::_tc_longlong},
                           {"unsigned long long", CORBA::_tc_ulonglong},
                           {"float", CORBA::_tc_float},
                           {"double", CORBA::_tc_double},
                           {"long double", CORBA::_tc_longdouble},
                           {"string", CORBA::_tc_string},
                           {"wstring", CORBA::_tc_wstring},
                           {"any", CORBA::_tc_any},
                           {"TypeCode", CORBA::_tc_TypeCode},
                           {"Object", CORBA::_tc_Object},
                           {"ValueBase", CORBA::_tc_ValueBase}};

// A type without a name, of a content that it is given.
CORBA::TypeCode_ptr made(Kind kind, CORBA::TypeCode_ptr content, std::uint32_t length,
                         std::int32_t special = 0) {
  const types::TypeCode outer(kind, "", "", content, nullptr, 0, length, special);
  types::TypeCode* const copied = types::copy(outer);
  if (!copied) throw CORBA::NO_MEMORY();
  return static_cast<CORBA::TypeCode_ptr>(copied);
}

std::uint32_t number_of(const Json& json, const char* name, std::uint32_t otherwise, const Path& path) {
  const auto found = json.find(name);
  if (found == json.end()) return otherwise;
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() > UINT32_MAX)
    Path(path, name).fail("expected a number of elements");
  return found->get<std::uint32_t>();
}

}  // namespace

std::uint32_t selected(const types::TypeCode& type, std::int64_t label) {
  const Kind kind = types::resolve(type.content)->kind;
  for (std::uint32_t i = 0; i < type.member_count; ++i)
    if (static_cast<std::int64_t>(i) != type.special &&
        types::normalized(type.members[i].label, kind) == types::normalized(label, kind))
      return i;
  return type.special >= 0 ? static_cast<std::uint32_t>(type.special) : type.member_count;
}

std::string member_name(const types::TypeCode& type, std::uint32_t index) {
  const char* const name = type.members[index].name;
  return *name != '\0' ? name : "_" + std::to_string(index);
}

std::vector<const types::TypeCode*> chain_of(const types::TypeCode& type) {
  constexpr std::size_t kLongest = 256;  // some may derive from each other in circles
  std::vector<const types::TypeCode*> chain;
  for (const types::TypeCode* t = &type; t && t->kind != Kind::Null && chain.size() < kLongest;
       t = types::resolve(t->content))
    chain.push_back(t);
  return chain;
}

CORBA::TypeCode_ptr type_of(const Json& json, const Contract::Parts& contract, const Path& path) {
  if (json.is_string()) {
    const std::string name = json.get<std::string>();
    for (const Name& n : kNames)
      if (name == n.name) return CORBA::TypeCode::_duplicate(n.type);
    const auto found = contract.types.find(name.compare(0, 2, "::") == 0 ? name.substr(2) : name);
    if (found == contract.types.end()) path.fail("the contract has no type '" + name + "'");
    return CORBA::TypeCode::_duplicate(found->second.in());
  }
  if (!json.is_object() || json.empty()) path.fail("expected a type: a name or an object");
  const std::string kind = json.begin().key();
  const Json& of = *json.begin();
  const Path inner(path, kind.c_str());
  if (kind == "sequence" || kind == "array") {
    CORBA::TypeCode_var content = type_of(of, contract, inner);
    if (kind == "sequence") return made(Kind::Sequence, content.in(), number_of(json, "bound", 0, path));
    return made(Kind::Array, content.in(), number_of(json, "length", 0, path));
  }
  if (kind == "string" || kind == "wstring")
    return made(kind == "string" ? Kind::String : Kind::WString, nullptr,
                number_of(json, kind.c_str(), 0, path));
  if (kind == "fixed") {
    if (!of.is_array() || of.size() != 2 || !of[0].is_number_unsigned() || !of[1].is_number_unsigned() ||
        of[0].get<std::uint64_t>() > 31 || of[0] == 0 ||
        of[1].get<std::uint64_t>() > of[0].get<std::uint64_t>())
      inner.fail("expected [digits, scale], of at most 31 digits");
    return made(Kind::Fixed, nullptr, of[0].get<std::uint32_t>(), of[1].get<std::int32_t>());
  }
  path.fail("there is no type '" + kind + "'; there are sequence, array, string, wstring and fixed");
}

Json json_of(const types::TypeCode& type, int depth) {
  if (depth > kDeepest) return nullptr;  // a peer's may be a sequence of itself
  for (const Name& n : kNames)
    if (types::equal(type, *n.type)) return n.name;
  if (*type.id != '\0') return type.id;
  switch (type.kind) {
    case Kind::Sequence: {
      Json j{{"sequence", json_of(*type.content, depth + 1)}};
      if (type.length != 0) j["bound"] = type.length;
      return j;
    }
    case Kind::Array:
      return {{"array", json_of(*type.content, depth + 1)}, {"length", type.length}};
    case Kind::String:
      return {{"string", type.length}};
    case Kind::WString:
      return {{"wstring", type.length}};
    case Kind::Fixed:
      return {{"fixed", {type.length, type.special}}};
    default:
      return nullptr;
  }
}

std::uint32_t utf8_in(std::uint32_t form, CORBA::ORB_ptr orb) {
  const bool converts = (form & cdr::form::kConverts) != 0;
  return cdr::form::of_sets(
      converts ? form >> cdr::form::kWireShift & 0xff : orb->_corbel_core().options().code_sets.native,
      cdr::kUtf8);
}

std::string base64(const std::string& octets) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((octets.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < octets.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < octets.size() ? static_cast<unsigned char>(octets[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > octets.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63];
  }
  return text;
}

bool from_base64(const std::string& text, std::string& octets) {
  std::size_t end = text.size();
  if (end % 4 != 0) return false;
  for (int padding = 0; padding < 2 && end != 0 && text[end - 1] == '='; ++padding) --end;
  std::uint32_t group = 0;
  int bits = 0;
  for (std::size_t i = 0; i < end; ++i) {
    const char c = text[i];
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) return false;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    octets += static_cast<char>(group >> bits & 0xff);
  }
  return true;
}

std::u32string code_points(const std::string& utf8) {
  std::u32string points;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto first = static_cast<unsigned char>(utf8[i]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    char32_t point = length == 1 ? first : first & (0x7fu >> length);
    for (std::size_t k = 1; k < length && i + k < utf8.size(); ++k)
      point = point << 6 | (static_cast<unsigned char>(utf8[i + k]) & 0x3fu);
    points += point;
    i += length;
  }
  return points;
}

void append_utf8(std::string& to, char32_t point) {
  const auto put = [&to](char32_t octet) { to += static_cast<char>(octet); };
  if (point >= 0x110000 || (point >= 0xd800 && point < 0xe000)) point = 0xfffd;
  if (point < 0x80) return put(point);
  if (point < 0x800) put(0xc0 | point >> 6);
  else {
    if (point < 0x10000) put(0xe0 | point >> 12);
    else {
      put(0xf0 | point >> 18);
      put(0x80 | (point >> 12 & 0x3f));
    }
    put(0x80 | (point >> 6 & 0x3f));
  }
  put(0x80 | (point & 0x3f));
}

}  // namespace corbel::json
