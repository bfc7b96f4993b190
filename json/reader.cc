// CDR to JSON, by a TypeCode.
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/wide.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "json/convert.h"
#include "json/type_codes.h"
#include "orb/cdr/values.h"
#include "orb/core/orb.h"
#include "orb/types/label.h"

namespace corbel::json {
namespace {

using types::Kind;
using types::TypeCode;

constexpr std::uint32_t kMostForNothing = 10'000;  // parts without octets, which cost memory alone
// Octets of names, ids and paths: in a message they stand once, in JSON wherever they are met.
constexpr std::size_t kMostNames = 64 << 20, kMostNamesEach = 256;  // and for each octet of the value
// What an array, an object or a member of one takes besides: types may be of many levels in an octet.
constexpr std::size_t kStructure = 64;

class Reader {
 public:
  Reader(cdr::Decoder& in, const Contract::Parts& contract, CORBA::ORB_ptr orb)
      : in_(in), contract_(contract), orb_(orb), names_left_(kMostNames + kMostNamesEach * in.remaining()) {}

  Json value(const TypeCode& declared, const Path& path) {
    if (++depth_ > kDeepest) path.fail("values nest too deep");
    const char* const begin = in_.position();
    Json made = plain_value(*types::resolve(&declared), path);
    if (in_.position() == begin && ++for_nothing_ > kMostForNothing)
      path.fail("the value has too many parts without octets");
    --depth_;
    return made;
  }

 private:
  Json plain_value(const TypeCode& t, const Path& path) {
    switch (t.kind) {
      case Kind::Null:
      case Kind::Void:
        return nullptr;
      case Kind::Boolean: {
        bool v = false;
        check(in_.get_boolean(v), path);
        return v;
      }
      case Kind::Char:
        return character(static_cast<unsigned char>(octet_character(in_, path)));
      case Kind::WChar: {
        CORBA::WChar v = 0;
        check(cpp::get_wchar(in_, v), path);
        return character(static_cast<char32_t>(v));
      }
      case Kind::Octet:
        return is_int8(t) ? Json(get<std::int8_t>(path)) : Json(get<std::uint8_t>(path));
      case Kind::Short:
        return get<std::int16_t>(path);
      case Kind::UShort:
        return get<std::uint16_t>(path);
      case Kind::Long:
        return get<std::int32_t>(path);
      case Kind::ULong:
        return get<std::uint32_t>(path);
      // Beyond what readers of JSON that have doubles only can tell apart.
      case Kind::LongLong:
        return std::to_string(get<std::int64_t>(path));
      case Kind::ULongLong:
        return std::to_string(get<std::uint64_t>(path));
      case Kind::Float:
        return real(get<float>(path));
      case Kind::Double:
        return real(get<double>(path));
      case Kind::LongDouble: {
        CORBA::LongDouble v = 0;
        check(cpp::get_long_double(in_, v), path);
        if (!std::isfinite(v)) return real(static_cast<double>(v));
        char text[64];
        constexpr int kDigits = std::numeric_limits<CORBA::LongDouble>::max_digits10;
        return std::string(
            text, std::to_chars(text, text + sizeof text, v, std::chars_format::general, kDigits).ptr);
      }
      case Kind::Enum: {
        const auto ordinal = get<std::uint32_t>(path);
        check(ordinal < t.member_count, path);
        return counted(member_name(t, ordinal), path);
      }
      case Kind::String: {
        const char* text = nullptr;
        check(as_utf8(in_, [&] { return in_.get_string_view(text); }), path);
        return text;
      }
      case Kind::WString: {
        CORBA::WString_var wide;
        check(cpp::get_wstring(in_, wide), path);
        std::string text;
        for (const CORBA::WChar* c = wide.in(); *c != 0; ++c) append_utf8(text, static_cast<char32_t>(*c));
        return text;
      }
      case Kind::Fixed:
        return fixed(t, path);
      case Kind::Any: {
        CORBA::TypeCode_var type;
        check(cdr::unmarshal(in_, type), path);
        Json j{{"type", type_code(*type.in(), path)}};
        const std::size_t known = labels_.size() + places_.size();
        j["value"] = value(*type.in(), Path(path, "value"));
        if (labels_.size() + places_.size() != known) kept_.push_back(type);
        return j;
      }
      case Kind::TypeCode: {
        CORBA::TypeCode_var type;
        check(cdr::unmarshal(in_, type), path);
        return type_code(*type.in(), path);
      }
      case Kind::ObjRef:
      case Kind::Component:
      case Kind::Home:
        return reference(path);
      case Kind::Except: {
        cdr::Decoder ahead = in_;  // its id may be missing
        const char* id = nullptr;
        if (ahead.get_string_view(id) && std::strcmp(id, t.id) == 0) in_ = ahead;
        return members({&t}, Json::object(), path);
      }
      case Kind::Struct:
        return members({&t}, Json::object(), path);
      case Kind::Union:
        return union_value(t, path);
      case Kind::Sequence: {
        std::uint32_t count = 0;
        check(in_.get_length(count, 0, t.length), path);
        return elements(t, count, path);
      }
      case Kind::Array:
        return elements(t, t.length, path);
      case Kind::Value:
      case Kind::Event:
      case Kind::ValueBox:
        return value_type(t, path);
      case Kind::AbstractInterface: {
        bool object = false;
        check(in_.get_boolean(object), path);
        return object ? reference(path) : value_type(t, path);
      }
      default:
        path.fail("values of this type never travel");
    }
  }

  // What an Any holds was checked when it came; so this is for values whose state ended early.
  static void check(bool good, const Path& path) {
    if (!good) path.fail("the value is malformed");
  }
  template <typename T>
  T get(const Path& path) {
    T v{};
    check(in_.get(v), path);
    return v;
  }
  template <typename Get>
  bool as_utf8(cdr::Decoder& in, Get get) {
    const std::uint32_t form = in.form();
    in.set_text(utf8_in(form, orb_));
    const bool good = get();
    in.set_form(form);
    return good;
  }
  char octet_character(cdr::Decoder& in, const Path& path) {
    char c = 0;
    check(as_utf8(in, [&] { return in.get_char(c); }), path);
    return c;
  }
  static Json character(char32_t point) {
    std::string text;
    append_utf8(text, point);
    return text;
  }
  template <typename T>
  static Json real(T v) {
    if (!std::isfinite(v)) return std::isnan(v) ? "NaN" : v < 0 ? "-Infinity" : "Infinity";
    // A float is as short as it can be, which its value as a double is not.
    char text[64];
    double shortest = 0;
    (void)std::from_chars(text, std::to_chars(text, text + sizeof text, v).ptr, shortest);
    return shortest;
  }
  Json fixed(const TypeCode& t, const Path& path) {
    const char* const packed = in_.chunk<1>(t.length / 2 + 1);
    CORBA::Fixed v;
    check(packed && t.special >= 0 &&
              v._corbel_unpack(reinterpret_cast<const unsigned char*>(packed), static_cast<int>(t.length),
                               t.special),
          path);
    char text[CORBA::Fixed::kTextSize];
    return v.to_string(text);
  }
  Json reference(const Path& path) {
    core::Reference* found = nullptr;
    check(cpp::get_reference(in_, found), path);
    if (!found) return nullptr;
    CORBA::Object_var object = cpp::make_object(found);
    CORBA::String_var text = orb_->object_to_string(object.in());
    return text.in();
  }
  void spend(std::size_t octets, const Path& path) {
    if (octets > names_left_) path.fail("the value is too large as JSON");
    names_left_ -= octets;
  }
  std::string counted(std::string text, const Path& path) {
    spend(text.size(), path);
    return text;
  }
  // A peer's may be of many levels in few octets.
  Json type_code(const TypeCode& t, const Path& path) {
    constexpr std::size_t kLevel = 256;  // of memory
    Json made = json_of(t);
    std::size_t size = 0;
    const Json* at = &made;
    for (; at->is_structured() && !at->empty(); at = &at->front()) size += kLevel;
    if (at->is_string()) size += at->get_ref<const std::string&>().size();
    spend(size, path);
    return made;
  }
  // Most derived first, as chain_of() has them.
  Json members(const std::vector<const TypeCode*>& types, Json made, const Path& path) {
    auto& all = made.get_ref<Json::object_t&>();
    spend(kStructure, path);
    const std::vector<std::uint32_t>* const places = places_of(types, all);
    std::size_t at = 0;
    for (auto t = types.rbegin(); t != types.rend(); ++t)
      for (std::uint32_t i = 0; i < (*t)->member_count; ++i) {
        const std::string name = counted(member_name(**t, i), path);
        spend(kStructure, path);
        if (all.size() == kMostMembers) path.fail("the value has too many members");
        Json member = value(*(*t)->members[i].type, Path(path, name.c_str()));
        if (!places) all[name] = std::move(member);
        else if (const std::uint32_t place = (*places)[at++]; place == all.size())
          all.emplace_back(name, std::move(member));
        else (all.begin() + place)->second = std::move(member);
      }
    return made;
  }
  // Where each of many members stands among all, which would be looked for one after the other: a peer's may
  // share a name. Null where they are few.
  const std::vector<std::uint32_t>* places_of(const std::vector<const TypeCode*>& types,
                                              Json::object_t& all) {
    std::size_t count = 0;
    for (const TypeCode* const t : types) count += t->member_count;
    if (count <= kFew) return nullptr;
    all.reserve(std::min(all.size() + count, kMostMembers));
    const auto [known, fresh] = places_.try_emplace(types.front());
    if (!fresh) return &known->second;
    std::unordered_map<std::string, std::uint32_t> named;
    for (const auto& [name, ignored] : all) named.emplace(name, static_cast<std::uint32_t>(named.size()));
    for (auto t = types.rbegin(); t != types.rend(); ++t)
      for (std::uint32_t i = 0; i < (*t)->member_count && named.size() <= kMostMembers; ++i) {
        const auto next = static_cast<std::uint32_t>(named.size());
        known->second.push_back(named.emplace(member_name(**t, i), next).first->second);
      }
    return &known->second;
  }
  // As selected(): a peer may send many unions with many labels.
  std::uint32_t branch(const TypeCode& t, std::int64_t label) {
    if (t.member_count <= kFew) return selected(t, label);
    const auto [at, fresh] = labels_.try_emplace(&t);
    const Kind kind = types::resolve(t.content)->kind;
    for (std::uint32_t i = 0; fresh && i < t.member_count; ++i)
      if (static_cast<std::int64_t>(i) != t.special)
        at->second.emplace(types::normalized(t.members[i].label, kind), i);
    const auto found = at->second.find(types::normalized(label, kind));
    if (found != at->second.end()) return found->second;
    return t.special >= 0 ? static_cast<std::uint32_t>(t.special) : t.member_count;
  }
  Json union_value(const TypeCode& t, const Path& path) {
    const cdr::Decoder start = in_;
    Json made{{"_d", value(*t.content, Path(path, "_d"))}};
    const std::uint32_t chosen = branch(t, label(start, *types::resolve(t.content), path));
    if (chosen == t.member_count) return made;
    const std::string name = counted(member_name(t, chosen), path);
    made[name] = value(*t.members[chosen].type, Path(path, name.c_str()));
    return made;
  }
  template <typename T>
  static std::int64_t number(cdr::Decoder& in, const Path& path) {
    T v{};
    check(in.get(v), path);
    return static_cast<std::int64_t>(v);
  }
  std::int64_t label(cdr::Decoder in, const TypeCode& t, const Path& path) {
    switch (t.kind) {
      case Kind::Char:
        return static_cast<unsigned char>(octet_character(in, path));
      case Kind::Boolean:
      case Kind::Octet:
        return number<std::uint8_t>(in, path);
      case Kind::Short:
      case Kind::UShort:
        return number<std::uint16_t>(in, path);
      case Kind::LongLong:
      case Kind::ULongLong:
        return number<std::int64_t>(in, path);
      case Kind::WChar: {
        CORBA::WChar v = 0;
        check(cpp::get_wchar(in, v), path);
        return static_cast<std::int64_t>(v);
      }
      default:
        return number<std::int32_t>(in, path);
    }
  }
  Json elements(const TypeCode& t, std::uint32_t count, const Path& path) {
    const TypeCode& element = *types::resolve(t.content);
    if (element.kind == Kind::Octet && !is_int8(element)) {
      const char* const octets = in_.chunk<1>(count);
      check(octets || count == 0, path);
      return base64(std::string(octets ? octets : "", count));
    }
    spend(kStructure, path);
    Json made = Json::array();
    for (std::uint32_t i = 0; i < count; ++i) made.push_back(value(*t.content, Path(path, i)));
    return made;
  }

  Json value_type(const TypeCode& declared, const Path& path) {
    cdr::ValueInput& values = cdr::values_of(in_);
    cdr::ValueHeader h;
    check(values.next(h), path);
    if (h.null()) return nullptr;
    if (h.reference()) {
      const char* tag = nullptr;
      check(values.target(tag) && paths_.count(tag) != 0, path);
      return {{"_ref", counted(paths_[tag], path)}};
    }
    check(values.read_header(h), path);
    const std::string_view declared_id(declared.id);
    if (h.ids.empty()) h.ids = {&declared_id, 1};
    std::size_t first = 0;
    const TypeCode* t = nullptr;
    for (; first < h.ids.size() && !(t = known(std::string(h.ids[first]), declared)); ++first) continue;
    if (!t || t->special == kCustom || (first != 0 && !h.chunked()))
      path.fail("the contract has no form for values of '" + std::string(h.ids[0]) + "'");
    paths_.emplace(h.at, counted(path.text(), path));
    check(values.begin_state(h), path);
    Json made = t->kind == Kind::ValueBox
                    ? value(*t->content, path)
                    : members(chain_of(*t), Json{{"_type", counted(t->id, path)}}, path);
    check(values.end_state(h), path);
    return made;
  }
  const TypeCode* known(const std::string& id, const TypeCode& declared) const {
    if (id == declared.id && declared.kind != Kind::AbstractInterface) return &declared;
    const auto found = contract_.types.find(id);
    if (found == contract_.types.end()) return nullptr;
    const TypeCode* const t = types::resolve(found->second.in());
    return t->kind == Kind::Value || t->kind == Kind::Event || t->kind == Kind::ValueBox ? t : nullptr;
  }

  cdr::Decoder& in_;
  const Contract::Parts& contract_;
  CORBA::ORB_ptr const orb_;
  std::map<const char*, std::string> paths_;  // of values, by where their tag stands
  std::unordered_map<const TypeCode*, std::unordered_map<std::int64_t, std::uint32_t>> labels_;
  std::unordered_map<const TypeCode*, std::vector<std::uint32_t>> places_;
  std::vector<CORBA::TypeCode_var> kept_;    // which those are of
  static constexpr std::uint32_t kFew = 64;  // members that are looked for one after the other
  std::size_t names_left_;
  int depth_ = 0;
  std::uint32_t for_nothing_ = 0;
};

}  // namespace

Json json_of(const CORBA::Any& any, const Contract::Parts& contract, CORBA::ORB_ptr orb, const Path& path) {
  cdr::Encoder out;
  cdr::Decoder in;
  // What a peer has sent is read as it stands: transcoded it could have lost what only the contract knows.
  if (!any._corbel_octets(in)) {
    out.reset();
    {
      const cpp::WrittenValues scope(out);
      any._corbel_marshal_value(out);
    }
    if (out.error()) path.fail(std::string("the value cannot be read: ") + out.error().detail);
    in = cdr::Decoder(out.data(), out.data(), out.data() + out.size(), false);
  }
  in.set_context(nullptr, false, &orb->_corbel_core());
  const cpp::ReadValues scope(in);
  return Reader(in, contract, orb).value(any._corbel_type(), path);
}

}  // namespace corbel::json
