// JSON to CDR, by a TypeCode.
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/wide.h>

#include <locale.h>
#include <stdlib.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

#include "json/convert.h"
#include "json/type_codes.h"
#include "orb/cdr/values.h"
#include "orb/core/orb.h"

namespace corbel::json {
namespace {

using types::Kind;
using types::TypeCode;

class Writer {
 public:
  Writer(cdr::Encoder& out, const Contract::Parts& contract, CORBA::ORB_ptr orb)
      : out_(out), contract_(contract), orb_(orb) {}

  void value(const Json& j, const TypeCode& declared, const Path& path) {
    const TypeCode& t = *types::resolve(&declared);
    switch (t.kind) {
      case Kind::Null:
      case Kind::Void:
        if (!j.is_null()) path.fail("expected null");
        return;
      case Kind::Boolean:
        return out_.put_boolean(boolean(j, path));
      case Kind::Char:
        return as_utf8([&, c = character(j, 0xff, path)] { out_.put_char(static_cast<char>(c)); });
      case Kind::WChar:
        return cpp::put_wchar(out_, static_cast<CORBA::WChar>(character(j, 0x10ffff, path)));
      case Kind::Octet:
        return is_int8(t) ? integer<std::int8_t>(j, path) : integer<std::uint8_t>(j, path);
      case Kind::Short:
        return integer<std::int16_t>(j, path);
      case Kind::UShort:
        return integer<std::uint16_t>(j, path);
      case Kind::Long:
        return integer<std::int32_t>(j, path);
      case Kind::ULong:
        return integer<std::uint32_t>(j, path);
      case Kind::LongLong:
        return integer<std::int64_t>(j, path);
      case Kind::ULongLong:
        return integer<std::uint64_t>(j, path);
      case Kind::Float:
        return out_.put(real<float>(j, path));
      case Kind::Double:
        return out_.put(real<double>(j, path));
      case Kind::LongDouble:
        return cpp::put_long_double(out_, long_double(j, path));
      case Kind::Enum:
        return out_.put(enumerator(j, t, path));
      case Kind::String:
        return string(j, t, path);
      case Kind::WString:
        return wide_string(j, t, path);
      case Kind::Fixed:
        return fixed(j, t, path);
      case Kind::Any:
        return any(j, path);
      case Kind::TypeCode: {
        CORBA::TypeCode_var type = type_of(j, contract_, path);
        return cdr::marshal(out_, type);
      }
      case Kind::ObjRef:
      case Kind::Component:
      case Kind::Home:
        return reference(j, path);
      case Kind::Except:
        out_.put_string(t.id);
        return members(j, {&t}, path);
      case Kind::Struct:
        return members(j, {&t}, path);
      case Kind::Union:
        return union_value(j, t, path);
      case Kind::Sequence:
      case Kind::Array:
        return elements(j, t, path);
      case Kind::Value:
      case Kind::Event:
      case Kind::ValueBox:
        return value_type(j, t, path);
      case Kind::AbstractInterface:
        out_.put_boolean(j.is_string());
        return j.is_string() ? reference(j, path) : value_type(j, t, path);
      default:
        path.fail("values of this type never travel");
    }
  }

 private:
  static bool boolean(const Json& j, const Path& path) {
    if (!j.is_boolean()) path.fail("expected true or false");
    return j.get<bool>();
  }

  template <typename T>
  static T number(const Json& j, const Path& path) {
    using Limits = std::numeric_limits<T>;
    if (j.is_number_unsigned()) {
      const auto n = j.get<std::uint64_t>();
      if (n <= static_cast<std::uint64_t>(Limits::max())) return static_cast<T>(n);
    } else if (j.is_number_integer()) {
      const auto n = j.get<std::int64_t>();
      if (n == 0 || (n < 0 && Limits::is_signed && n >= static_cast<std::int64_t>(Limits::min())))  // -0
        return static_cast<T>(n);
    } else if (sizeof(T) == 8 && j.is_string()) {
      const std::string text = j.get<std::string>();
      const std::size_t sign = Limits::is_signed && text[0] == '-' ? 1 : 0;
      char* end = nullptr;
      errno = 0;
      const T n = sign != 0 || Limits::is_signed ? static_cast<T>(std::strtoll(text.c_str(), &end, 10))
                                                 : static_cast<T>(std::strtoull(text.c_str(), &end, 10));
      if (text[sign] >= '0' && text[sign] <= '9' && *end == '\0' && end == text.c_str() + text.size() &&
          errno == 0)
        return n;
    }
    path.fail("expected an integer from " + std::to_string(Limits::min()) + " to " +
              std::to_string(Limits::max()) + (sizeof(T) == 8 ? ", or a string of its digits" : ""));
  }
  template <typename T>
  void integer(const Json& j, const Path& path) {
    out_.put(number<T>(j, path));
  }

  // NaN and the infinities are strings.
  static bool special(const Json& j, double& number) {
    if (!j.is_string()) return false;
    const std::string text = j.get<std::string>();
    number = text == "NaN" ? std::nan("") : text == "-Infinity" ? -INFINITY : INFINITY;
    return text == "NaN" || text == "Infinity" || text == "-Infinity";
  }
  template <typename T>
  static T real(const Json& j, const Path& path) {
    double n;
    if (special(j, n)) return static_cast<T>(n);
    if (!j.is_number()) path.fail("expected a number, \"NaN\", \"Infinity\" or \"-Infinity\"");
    n = j.get<double>();
    // From halfway to the first number beyond the largest float on it is none: shortest texts may say a
    // little more.
    constexpr double kBeyondFloat = 0x1.ffffffp127;
    if (sizeof(T) == sizeof(float) && std::abs(n) >= kBeyondFloat) path.fail("the number is too large");
    return static_cast<T>(n);
  }
  // What from_chars() calls out of range may be a number too small for all digits. A point is a point here,
  // whatever the program's locale says.
  static long double in_c_locale(const char* digits) {
    static const locale_t c = newlocale(LC_ALL_MASK, "C", nullptr);
    return c ? strtold_l(digits, nullptr, c) : HUGE_VALL;
  }
  static long double long_double(const Json& j, const Path& path) {
    double n;
    if (special(j, n)) return n;
    if (j.is_number_unsigned()) return static_cast<long double>(j.get<std::uint64_t>());
    if (j.is_number_integer()) return static_cast<long double>(j.get<std::int64_t>());
    if (j.is_number()) return j.get<double>();
    if (j.is_string()) {
      const auto& text = j.get_ref<const std::string&>();
      const char *from = text.data(), *const to = from + text.size();
      if (text.size() > 1 && from[0] == '+' && from[1] != '-') ++from;
      long double parsed = 0;
      const auto [end, error] = std::from_chars(from, to, parsed);
      if (error == std::errc::result_out_of_range) parsed = in_c_locale(from);
      if (error != std::errc::invalid_argument && end == to && std::isfinite(parsed)) return parsed;
    }
    path.fail("expected a number or a string of its digits");
  }

  static char32_t character(const Json& j, char32_t largest, const Path& path) {
    const std::u32string points = j.is_string() ? code_points(j.get<std::string>()) : std::u32string();
    if (points.size() != 1 || points[0] > largest)
      path.fail(largest == 0xff ? "expected a string of one character of ISO 8859-1"
                                : "expected a string of one character");
    return points[0];
  }
  static std::uint32_t enumerator(const Json& j, const TypeCode& t, const Path& path) {
    if (!j.is_string()) path.fail("expected the name of an enumerator");
    const std::string name = j.get<std::string>();
    for (std::uint32_t i = 0; i < t.member_count; ++i)
      if (member_name(t, i) == name) return i;
    path.fail("enum '" + std::string(t.name) + "' has no '" + name + "'");
  }

  template <typename Put>
  void as_utf8(Put put) {
    const std::uint32_t form = out_.form();
    out_.set_text(utf8_in(form, orb_));
    put();
    out_.set_form(form);
  }
  static const std::string& text(const Json& j, std::size_t bound, const Path& path) {
    if (!j.is_string()) path.fail("expected a string");
    const auto& text = j.get_ref<const std::string&>();
    if (text.find('\0') != text.npos) path.fail("a string of IDL cannot hold the character of code 0");
    if (bound != 0 && text.size() > bound && code_points(text).size() > bound)
      path.fail("the string is longer than its bound of " + std::to_string(bound));
    return text;
  }
  void string(const Json& j, const TypeCode& t, const Path& path) {
    as_utf8([&, s = text(j, t.length, path).c_str()] { out_.put_string(s); });
  }
  void wide_string(const Json& j, const TypeCode& t, const Path& path) {
    std::wstring wide;
    for (const char32_t point : code_points(text(j, t.length, path))) wide += static_cast<wchar_t>(point);
    cpp::put_wstring(out_, wide.c_str());
  }
  void fixed(const Json& j, const TypeCode& t, const Path& path) {
    std::string text = j.is_string() ? j.get<std::string>() : j.is_number_integer() ? j.dump() : "";
    const std::string what = "expected a string of a decimal number of at most " + std::to_string(t.length) +
                             " digits, " + std::to_string(t.special) + " of them behind the point";
    const std::size_t sign = text.find_first_not_of("+-");
    if (sign > 1 || text.find_first_not_of("0123456789.", sign) != text.npos ||
        text.find_first_of("0123456789") == text.npos)
      path.fail(what);
    // What does not fit is refused, and digits behind the point are not cut off, which Fixed would do.
    std::size_t point = text.find('.');
    if (point == text.npos) point = text.size();
    else if (const std::size_t last = text.find_last_not_of('0'); last + 1 < text.size())
      text.erase(last + 1);
    text.erase(sign, std::min(text.find_first_not_of('0', sign), point) - sign);
    point = std::min(text.find('.'), text.size());
    const std::size_t before = point - sign, behind = text.size() - std::min(point + 1, text.size());
    if (t.special < 0 || behind > static_cast<std::size_t>(t.special) ||
        before + static_cast<std::size_t>(t.special) > t.length)
      path.fail(what);
    try {
      const CORBA::Fixed value(before + behind == 0 ? "0" : text.c_str());
      cpp::put_fixed(out_, value, static_cast<int>(t.length), t.special);
    } catch (const CORBA::SystemException&) {
      path.fail(what);
    }
  }

  void any(const Json& j, const Path& path) {
    if (!j.is_object() || j.size() != 2 || !j.contains("type") || !j.contains("value"))
      path.fail("expected an object of \"type\" and \"value\"");
    CORBA::TypeCode_var type = type_of(j["type"], contract_, Path(path, "type"));
    cdr::marshal(out_, type);
    value(j["value"], *type.in(), Path(path, "value"));
  }

  void reference(const Json& j, const Path& path) {
    if (j.is_null()) return cpp::put_object(out_, static_cast<CORBA::Object_ptr>(nullptr));
    const std::string url = j.is_string() ? j.get<std::string>() : "";
    // Other URLs would make the caller read files and call servers.
    const bool initial = url.compare(0, 13, "corbaloc:rir:") == 0;  // may be what any other URL says
    if (initial || (url.compare(0, 4, "IOR:") != 0 && url.compare(0, 9, "corbaloc:") != 0))
      path.fail("expected a reference: null, or a string that begins with IOR: or corbaloc:");
    CORBA::Object_var object;
    try {
      object = orb_->string_to_object(url.c_str());
    } catch (const CORBA::Exception& e) {
      path.fail(std::string("the reference is malformed (") + e._name() + ")");
    }
    cpp::put_object(out_, object.in());
  }

  // Of one struct, or of a valuetype and those that it derives from, most derived first.
  void members(const Json& j, const std::vector<const TypeCode*>& types, const Path& path) {
    if (!j.is_object()) path.fail("expected an object");
    std::size_t found = 0;
    for (auto t = types.rbegin(); t != types.rend(); ++t)
      for (std::uint32_t i = 0; i < (*t)->member_count; ++i) {
        const std::string name = member_name(**t, i);
        const auto member = j.find(name);
        if (member == j.end()) path.fail("member '" + name + "' is missing");
        value(*member, *(*t)->members[i].type, Path(path, name.c_str()));
        ++found;
      }
    const bool may_say_type = types[0]->kind == Kind::Value || types[0]->kind == Kind::Event;
    if (j.size() == found + (may_say_type && j.contains("_type") ? 1 : 0)) return;
    for (const auto& [key, ignored] : j.items()) {
      bool known = key == "_type" && may_say_type;
      for (const TypeCode* const t : types)
        for (std::uint32_t i = 0; i < t->member_count && !known; ++i) known = member_name(*t, i) == key;
      if (!known) Path(path, key.c_str()).fail("'" + std::string(types[0]->name) + "' has no such member");
    }
  }

  std::int64_t label(const Json& j, const TypeCode& discriminator, const Path& path) {
    switch (discriminator.kind) {
      case Kind::Boolean:
        return boolean(j, path);
      case Kind::Char:
        return static_cast<std::int64_t>(character(j, 0xff, path));
      case Kind::WChar:
        return static_cast<std::int64_t>(character(j, 0x10ffff, path));
      case Kind::Enum:
        return enumerator(j, discriminator, path);
      case Kind::ULongLong:
        return static_cast<std::int64_t>(number<std::uint64_t>(j, path));
      default:
        return number<std::int64_t>(j, path);
    }
  }
  void union_value(const Json& j, const TypeCode& t, const Path& path) {
    if (!j.is_object() || !j.contains("_d")) path.fail("expected an object with the discriminator, \"_d\"");
    const Path at(path, "_d");
    const TypeCode& discriminator = *types::resolve(t.content);
    value(j["_d"], discriminator, at);
    const std::uint32_t chosen = selected(t, label(j["_d"], discriminator, at));
    const std::string name = chosen == t.member_count ? "" : member_name(t, chosen);
    for (const auto& [key, ignored] : j.items())
      if (key != "_d" && (chosen == t.member_count || key != name))
        Path(path, key.c_str()).fail("the discriminator does not select this");
    if (chosen == t.member_count) return;
    if (!j.contains(name)) path.fail("member '" + name + "', which the discriminator selects, is missing");
    value(j[name], *t.members[chosen].type, Path(path, name.c_str()));
  }

  void elements(const Json& j, const TypeCode& t, const Path& path) {
    const types::TypeCode& element = *types::resolve(t.content);
    const bool octets = element.kind == Kind::Octet && !is_int8(element);
    std::string decoded;
    if (octets && j.is_string()) {
      if (!from_base64(j.get_ref<const std::string&>(), decoded)) path.fail("the string is not base64");
    } else if (!j.is_array()) {
      path.fail(octets ? "expected a string of base64, or an array" : "expected an array");
    }
    const std::size_t count = j.is_string() ? decoded.size() : j.size();
    if (t.kind == Kind::Array && count != t.length)
      path.fail("expected " + std::to_string(t.length) + " elements, not " + std::to_string(count));
    if (t.kind == Kind::Sequence && t.length != 0 && count > t.length)
      path.fail("the sequence is longer than its bound of " + std::to_string(t.length));
    if (t.kind == Kind::Sequence) out_.put(static_cast<std::uint32_t>(count));
    if (j.is_string()) return out_.run<1>(decoded.data(), decoded.size());
    for (std::size_t i = 0; i < count; ++i) value(j[i], *t.content, Path(path, i));
  }

  void value_type(const Json& j, const TypeCode& declared, const Path& path) {
    cdr::ValueOutput& to = cdr::values_of(out_);
    if (j.is_null()) return to.null();
    if (j.is_object() && j.size() == 1 && j.contains("_ref")) {
      const auto known = j["_ref"].is_string() ? tags_.find(j["_ref"].get<std::string>()) : tags_.end();
      if (known == tags_.end()) Path(path, "_ref").fail("expected the path of a value that stands before");
      return to.refer(known->second);
    }
    CORBA::TypeCode_var named;
    const TypeCode* t = &declared;
    if (declared.kind != Kind::ValueBox && j.is_object() && j.contains("_type")) {
      const Path at(path, "_type");
      named = type_of(j["_type"], contract_, at);
      t = types::resolve(named.in());
      if (!derives(*t, declared))
        at.fail("the type is not, and does not derive from, the one that is expected here");
    }
    if (t->kind == Kind::AbstractInterface || t->special == kAbstract ||
        std::string_view(t->id) == kValueBase)
      path.fail("expected an object with the repository id of a concrete valuetype, \"_type\"");
    if (t->special == kCustom && t->kind != Kind::ValueBox)
      path.fail("values of custom valuetypes have no form in JSON");
    std::vector<const char*> ids;
    const std::vector<const TypeCode*> chain = chain_of(*t);
    for (const TypeCode* const c : chain) {
      ids.push_back(c->id);
      if (c->kind == Kind::ValueBox || c->special != kTruncatable) break;
    }
    // In chunks, as the classes write it: else only those who know the type could step over it.
    if (!to.begin(ids, ids.size() > 1 || std::string_view(t->id) != declared.id))
      path.fail("values nest too deep");
    tags_[path.text()] = to.tag();
    if (t->kind == Kind::ValueBox) value(j, *t->content, path);
    else members(j, chain, path);
    to.end();
  }
  static bool derives(const TypeCode& t, const TypeCode& declared) {
    if (t.kind != Kind::Value && t.kind != Kind::Event && t.kind != Kind::ValueBox) return false;
    // What implements an abstract one the TypeCode does not tell.
    if (declared.kind == Kind::AbstractInterface || declared.special == kAbstract ||
        std::string_view(declared.id) == kValueBase)
      return true;
    if (t.kind == Kind::ValueBox) return std::string_view(t.id) == declared.id;
    for (const TypeCode* const c : chain_of(t))
      if (std::string_view(c->id) == declared.id) return true;
    return false;
  }

  static constexpr std::string_view kValueBase = "IDL:omg.org/CORBA/ValueBase:1.0";

  cdr::Encoder& out_;
  const Contract::Parts& contract_;
  CORBA::ORB_ptr const orb_;
  std::map<std::string, std::size_t> tags_;  // of values, by path
};

}  // namespace

CORBA::Any any_of(const Json& json, CORBA::TypeCode& type, const Contract::Parts& contract,
                  CORBA::ORB_ptr orb, const Path& path) {
  cdr::Encoder out;
  out.reset();
  {
    const cpp::WrittenValues scope(out);
    Writer(out, contract, orb).value(json, type, path);
  }
  if (out.error())
    path.fail(out.error().id == SystemErrorId::DATA_CONVERSION
                  ? "the text has characters that the program's char set (-ORBnativeCharCodeSet) lacks"
                  : std::string("the value cannot be encoded: ") + out.error().detail);
  cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  in.set_context(nullptr, false, &orb->_corbel_core());
  CORBA::Any any;
  if (!any._corbel_unmarshal_value(in, type) || in.remaining() != 0)
    path.fail("the value is not one of its type");
  return any;
}

namespace {

// A value that is written anew for each message, in its form.
struct Argument {
  Json json;
  std::string path;
  CORBA::TypeCode_var type;
  std::shared_ptr<const Contract::Parts> contract;
  CORBA::ORB_var orb;
};
constexpr cpp::AnyOperations kArgument = {
    [](const void* value) -> void* { return new Argument(*static_cast<const Argument*>(value)); },
    [](void* value) { delete static_cast<Argument*>(value); },
    [](cdr::Encoder& out, const void* value) {
      const auto& a = *static_cast<const Argument*>(value);
      // What is made for this goes before the message does.
      const bool externals = out.externals_allowed();
      out.allow_externals(false);
      const cpp::WrittenValues scope(out);
      Writer(out, *a.contract, a.orb.in()).value(a.json, *a.type.in(), Path(a.path.c_str()));
      out.allow_externals(externals);
    },
    [](cdr::Decoder&) -> void* { return nullptr; }};

}  // namespace

CORBA::Any argument_of(const Json& json, CORBA::TypeCode& type, const Contract::Parts& contract,
                       CORBA::ORB_ptr orb, const Path& path) {
  CORBA::Any any = any_of(json, type, contract, orb, path);
  if (any._corbel_opaque())
    any._corbel_adopt(type,
                      new Argument{json, path.text(), CORBA::TypeCode::_duplicate(&type),
                                   contract.shared_from_this(), CORBA::ORB::_duplicate(orb)},
                      kArgument);
  return any;
}

}  // namespace corbel::json
