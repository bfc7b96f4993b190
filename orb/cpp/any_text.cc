// An Any as text: a walk through its octets by its TypeCode, which knows the names.
#include <corbel/any_text.h>
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/value_scope.h>
#include <corbel/cpp/wide.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>
#include <vector>

#include "orb/cdr/values.h"
#include "orb/types/exception_id.h"
#include "orb/types/walk.h"

namespace corbel {
namespace {

using types::Kind;
using types::TypeCode;

constexpr int kDeepest = 64;  // what is deeper is stepped over
constexpr std::size_t kLongestChain = 256;

class Text {
 public:
  explicit Text(std::size_t most) : most_(most) {}
  // All of it or, if it has no room, the end. False then.
  bool put(std::string_view piece) {
    if (full_) return false;
    if (piece.size() > most_ - text_.size()) {
      text_.resize(whole_);
      text_.append("...", std::min<std::size_t>(3, most_ - whole_));
      full_ = true;
      return false;
    }
    text_ += piece;
    if (text_.size() + 3 <= most_) whole_ = text_.size();
    return true;
  }
  template <typename Number>
  bool number(Number value) {
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    return put({digits, static_cast<std::size_t>(end.ptr - digits)});
  }
  // A code point, as in a literal between such quotes; `octets`, of what is no wide character.
  bool character(std::uint32_t c, char quote, bool wide) {
    static constexpr std::string_view kNamed = "\a\b\t\n\v\f\r", kNames = "abtnvfr";
    static constexpr char kDigits[] = "0123456789abcdef";
    if (c == static_cast<unsigned char>(quote) || c == '\\')
      return put(std::string{'\\', static_cast<char>(c)});
    if (c >= 0x20 && c < 0x7f) return put(std::string(1, static_cast<char>(c)));
    if (const std::size_t named = c < 0x20 ? kNamed.find(static_cast<char>(c)) : kNamed.npos;
        named != kNamed.npos)
      return put(std::string{'\\', kNames[named]});
    const int digits = !wide ? 2 : c > 0xffff ? 8 : 4;
    std::string escaped = !wide ? "\\x" : digits == 8 ? "\\U" : "\\u";
    for (int i = digits - 1; i >= 0; --i) escaped += kDigits[c >> 4 * i & 15];
    return put(escaped);
  }
  bool quoted(std::string_view octets) {
    if (!put("\"")) return false;
    for (const char c : octets)
      if (!character(static_cast<unsigned char>(c), '"', false)) return false;
    return put("\"");
  }
  // Of a TypeCode, which may say anything.
  bool name(const char* name) {
    for (; *name != '\0'; ++name)
      if (!character(static_cast<unsigned char>(*name), '"', false)) return false;
    return true;
  }
  bool full() const { return full_; }
  std::string take() { return std::move(text_); }

 private:
  const std::size_t most_;
  std::size_t whole_ = 0;  // where "..." may stand
  bool full_ = false;
  std::string text_;
};

// All functions give false where the text is full or the value malformed.
class Printer {
 public:
  Printer(cdr::Decoder& in, Text& text) : in_(in), text_(text) {}

  bool value(const TypeCode& type) {
    const TypeCode& t = *types::resolve(&type);
    if (depth_ == kDeepest && nests(t.kind)) return text_.put("...") && types::skip(in_, t);
    ++depth_;
    const bool good = print(t);
    --depth_;
    return good;
  }

 private:
  static bool nests(Kind kind) {
    switch (kind) {
      case Kind::Struct:
      case Kind::Except:
      case Kind::Union:
      case Kind::Sequence:
      case Kind::Array:
      case Kind::Any:
      case Kind::AbstractInterface:
      case Kind::Value:
      case Kind::ValueBox:
      case Kind::Event:
        return true;
      default:
        return false;
    }
  }

  bool print(const TypeCode& t) {
    switch (t.kind) {
      case Kind::Null:
      case Kind::Void:
        return text_.put("()");
      case Kind::Struct:
        return named(t) && members(t);
      case Kind::Except:
        return ids_.step_over(in_, t) && named(t) && members(t);
      case Kind::Union:
        return choice(t);
      case Kind::Sequence: {
        std::uint32_t count;
        return in_.get_count(count, 0, t.length) && elements(*t.content, count);
      }
      case Kind::Array:
        return elements(*t.content, t.length);
      case Kind::String: {
        const char* view;
        std::uint32_t length;
        return in_.get_string_view(view, length) && text_.quoted({view, length});
      }
      case Kind::WString:
        return wide_string();
      case Kind::Fixed: {
        CORBA::Fixed number;
        char digits[64];
        const char* const packed = in_.chunk<1>(t.length / 2 + 1);
        return packed &&
               number._corbel_unpack(reinterpret_cast<const unsigned char*>(packed),
                                     static_cast<int>(t.length), t.special) &&
               text_.put(number.to_string(digits));
      }
      case Kind::Any:
        return any();
      case Kind::TypeCode: {
        const Owned inner(types::unmarshal(in_), types::release);
        return inner && type_code(*inner);
      }
      case Kind::ObjRef:
      case Kind::Component:
      case Kind::Home:
        return reference();
      case Kind::AbstractInterface: {
        bool object;
        return in_.get_boolean(object) && (object ? reference() : value_type(nullptr));
      }
      case Kind::Value:
      case Kind::ValueBox:
      case Kind::Event:
        return value_type(&t);
      default: {
        std::int64_t label;
        return scalar(t, label);
      }
    }
  }

  // ---- what unions may be switched by, and other numbers
  template <typename T>
  bool number(std::int64_t& label) {
    T value;
    if (!in_.get(value)) return false;
    label = static_cast<std::int64_t>(value);
    return text_.number(value);
  }
  template <typename T>
  bool integer(std::int64_t& label) {
    std::make_unsigned_t<T> bits;
    if (!in_.get(bits)) return false;
    label = static_cast<std::int64_t>(static_cast<T>(bits));
    return text_.number(static_cast<T>(bits));
  }
  template <typename T>
  bool floating() {
    T value;
    return in_.get(value) && text_.number(value);
  }
  bool scalar(const TypeCode& t, std::int64_t& label) {
    switch (t.kind) {
      case Kind::Boolean: {
        bool value;
        if (!in_.get_boolean(value)) return false;
        return text_.put((label = value) ? "TRUE" : "FALSE");
      }
      case Kind::Octet:
        return number<std::uint8_t>(label);
      case Kind::Short:
        return integer<std::int16_t>(label);
      case Kind::UShort:
        return number<std::uint16_t>(label);
      case Kind::Long:
        return integer<std::int32_t>(label);
      case Kind::ULong:
        return number<std::uint32_t>(label);
      case Kind::LongLong:
        return integer<std::int64_t>(label);
      case Kind::ULongLong:
        return number<std::uint64_t>(label);
      case Kind::Float:
        return floating<CORBA::Float>();
      case Kind::Double:
        return floating<CORBA::Double>();
      case Kind::LongDouble: {
        CORBA::LongDouble value;
        return cpp::get_long_double(in_, value) && text_.number(static_cast<long double>(value));
      }
      case Kind::Char: {
        char value;
        if (!in_.get_char(value)) return false;
        label = static_cast<unsigned char>(value);
        return text_.put("'") && text_.character(static_cast<unsigned char>(value), '\'', false) &&
               text_.put("'");
      }
      case Kind::WChar: {
        CORBA::WChar value;
        if (!cpp::get_wchar(in_, value)) return false;
        label = static_cast<std::int64_t>(value);
        return text_.put("'") && text_.character(static_cast<std::uint32_t>(value), '\'', true) &&
               text_.put("'");
      }
      case Kind::Enum: {
        std::uint32_t value;
        if (!in_.get(value) || value >= t.member_count) return false;
        label = value;
        return *t.members[value].name != '\0' ? text_.name(t.members[value].name) : text_.number(value);
      }
      default:
        return false;
    }
  }
  bool wide_string() {
    CORBA::WString_var points;
    if (!cpp::get_wstring(in_, points) || !text_.put("\"")) return false;
    for (const CORBA::WChar* c = points.in(); *c != 0; ++c)
      if (!text_.character(static_cast<std::uint32_t>(*c), '"', true)) return false;
    return text_.put("\"");
  }

  // ---- constructed types
  bool named(const TypeCode& t) { return text_.name(t.name); }
  bool member(const types::Member& m, bool first) {
    return (first || text_.put(", ")) && text_.name(m.name) && (*m.name == '\0' || text_.put(" = ")) &&
           value(*m.type);
  }
  bool members(const TypeCode& t) {
    if (!text_.put("{")) return false;
    for (std::uint32_t i = 0; i < t.member_count; ++i)
      if (!member(t.members[i], i == 0)) return false;
    return text_.put("}");
  }
  bool elements(const TypeCode& t, std::uint32_t count) {
    if (!text_.put("[")) return false;
    for (std::uint32_t i = 0; i < count; ++i)
      if ((i != 0 && !text_.put(", ")) || !value(t)) return false;
    return text_.put("]");
  }
  bool choice(const TypeCode& t) {
    const TypeCode& by = *types::resolve(t.content);
    std::int64_t label;
    if (!named(t) || !text_.put("(") || !scalar(by, label) || !text_.put("){")) return false;
    const types::Member* chosen = nullptr;
    for (std::uint32_t i = 0; i < t.member_count && !chosen; ++i)
      if (static_cast<std::int32_t>(i) != t.special && same(by.kind, t.members[i].label, label))
        chosen = &t.members[i];
    if (!chosen && t.special >= 0 && static_cast<std::uint32_t>(t.special) < t.member_count)
      chosen = &t.members[t.special];
    return (!chosen || member(*chosen, true)) && text_.put("}");
  }
  // Labels may have been extended with their sign or not.
  static bool same(Kind kind, std::int64_t a, std::int64_t b) {
    const auto bits = static_cast<std::uint64_t>(a ^ b);
    switch (kind) {
      case Kind::Boolean:
      case Kind::Char:
      case Kind::Octet:
        return (bits & 0xff) == 0;
      case Kind::Short:
      case Kind::UShort:
        return (bits & 0xffff) == 0;
      case Kind::Long:
      case Kind::ULong:
        return (bits & 0xffffffff) == 0;
      default:
        return bits == 0;
    }
  }

  // ---- what is of a type of its own
  using Owned = std::unique_ptr<TypeCode, void (*)(const TypeCode*)>;
  bool any() {
    const Owned inner(types::unmarshal(in_), types::release);
    return inner && text_.put("any(") && value(*inner) && text_.put(")");
  }
  bool type_code(const TypeCode& t) {
    if (!text_.put("TypeCode(")) return false;
    if (*t.id != '\0' || *t.name != '\0') return text_.name(*t.id != '\0' ? t.id : t.name) && text_.put(")");
    return text_.put("kind ") && text_.number(static_cast<std::uint32_t>(t.kind)) && text_.put(")");
  }
  bool reference() {
    const char* id;
    std::uint32_t length, profiles;
    if (!in_.get_string_view(id, length) || !in_.get_count(profiles, 8)) return false;
    const std::string type(id, length);
    for (std::uint32_t i = 0; i < profiles; ++i) {
      std::uint32_t tag, size;
      if (!in_.get(tag) || !in_.get(size) || !in_.chunk<1>(size)) return false;
    }
    if (profiles == 0) return text_.put("nil");
    return text_.put("Object(") && text_.name(type.c_str()) && text_.put(")");
  }

  // ---- valuetypes
  bool value_type(const TypeCode* t) {
    if (!in_.values()) return false;
    cdr::ValueInput& values = cdr::values_of(in_);
    cdr::ValueHeader h;
    if (!values.next(h)) return false;
    if (h.null()) return text_.put("null");
    if (const char* tag; h.reference()) return values.target(tag) && text_.put("(again)");
    if (!values.read_header(h)) return false;
    values.met(h);
    // The members that the TypeCode tells of, which may be those of a base.
    const char* const id = h.ids.empty() ? (t ? t->id : "") : h.ids.front().data();
    const bool own = t && std::string_view(id) == t->id;
    const bool known = t && (own || std::find(h.ids.begin(), h.ids.end(), t->id) != h.ids.end()) &&
                       t->special != 1;  // VM_CUSTOM
    if (!known && !h.chunked()) return false;
    bool cut = false;
    return text_.name(own && *t->name != '\0' ? t->name : id) && text_.put("{") && values.begin_state(h) &&
           (!known || state(*t)) && values.end_state(h, &cut) &&
           (!cut || text_.put(known ? ", ..." : "...")) && text_.put("}");
  }
  bool state(const TypeCode& t) {
    if (t.kind == Kind::ValueBox) return value(*t.content);
    std::vector<const TypeCode*> chain;
    for (const TypeCode* c = &t; c; c = types::resolve(c->content)) {
      if ((c->kind != Kind::Value && c->kind != Kind::Event) || chain.size() > kLongestChain) return false;
      chain.push_back(c);
    }
    bool first = true;
    for (auto c = chain.rbegin(); c != chain.rend(); ++c)
      for (std::uint32_t i = 0; i < (*c)->member_count; ++i, first = false)
        if (!member((*c)->members[i], first)) return false;
    return true;
  }

  cdr::Decoder& in_;
  types::ExceptionIds ids_;
  Text& text_;
  int depth_ = 0;
};

}  // namespace

std::string text_of(const CORBA::Any& any, std::size_t most) {
  Text text(most);
  bool good = false;
  // Its value alone, in one form. What no TypeCode describes may stand at 0 or at 4 mod 8 only.
  for (const std::size_t begin : {0, 4}) try {
      cdr::Encoder out;
      out.reset(begin);
      {
        const cpp::WrittenValues scope(out);
        any._corbel_marshal_value(out);
      }
      if (out.error()) continue;
      cdr::Decoder in(out.data(), out.data() + begin, out.data() + out.size(), false);
      const cpp::ReadValues scope(in);
      good = Printer(in, text).value(any._corbel_type());
      break;
    } catch (const CORBA::SystemException&) {  // of a value's class
      break;
    }
  if (!good && !text.full()) text.put("?");
  return text.take();
}

}  // namespace corbel
