// Values as text, and the types that every program has.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tests/random/marshaling.h"

// ---- tokens

std::string_view Tokens::next() {
  const std::size_t end = std::min(rest_.find(' '), rest_.size());
  const std::string_view token = rest_.substr(0, end);
  rest_.remove_prefix(end == rest_.size() ? end : end + 1);
  return token;
}

long long Tokens::integer() { return std::stoll(std::string(next())); }
unsigned long long Tokens::natural() { return std::stoull(std::string(next())); }

void Tokens::number(CORBA::LongDouble& value) {
  const bool negative = integer() != 0;
  const auto mantissa = static_cast<CORBA::LongDouble>(natural());
  value = std::ldexp(negative ? -mantissa : mantissa, static_cast<int>(integer()));
}

CORBA::Fixed Tokens::fixed(int scale) {
  std::string text(next());
  const bool negative = text[0] == '-';
  if (negative) text.erase(0, 1);
  while (text.size() <= static_cast<std::size_t>(scale)) text.insert(0, "0");
  text.insert(text.size() - static_cast<std::size_t>(scale), ".");
  return CORBA::Fixed(((negative ? "-" : "") + text).c_str());
}

const char* Tokens::text() {
  const std::string_view hex = next().substr(1);
  text_.clear();
  for (std::size_t i = 0; i < hex.size(); i += 2)
    text_ += static_cast<char>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16));
  return text_.c_str();
}

const CORBA::WChar* Tokens::wide_text() {
  const std::string_view hex = next().substr(1);
  wide_.clear();
  for (std::size_t i = 0; i < hex.size(); i += 8)
    wide_.push_back(static_cast<CORBA::WChar>(std::stoul(std::string(hex.substr(i, 8)), nullptr, 16)));
  wide_.push_back(L'\0');
  return wide_.data();
}

CORBA::TypeCode_ptr Tokens::type() { return CORBA::TypeCode::_duplicate(entries().at(length()).type); }

void Tokens::any(CORBA::Any& any) {
  const Entry& entry = entries().at(length());
  void* const value = entry.make();
  entry.fill(*this, value);
  entry.insert(any, value);
  any.type(entry.type);
  entry.destroy(value);
}

CORBA::Object_ptr Tokens::object() {
  const std::string text(next());
  return text == "nil" ? CORBA::Object::_nil() : orb()->string_to_object(text.c_str());
}

CORBA::ValueBase* Tokens::value(long long number) {
  CORBA::ValueBase* const value = number == 0 ? nullptr : values_.at(static_cast<std::size_t>(-number - 1));
  CORBA::add_ref(value);
  return value;
}

void Text::hexadecimal(std::uint64_t number, std::size_t digits) {
  std::string text(digits, '0');
  for (; number != 0; number >>= 4) text[--digits] = "0123456789abcdef"[number & 15];
  token("=" + text);
}

void Text::number(CORBA::LongDouble value) {
  if (!std::isfinite(value)) return token(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
  int exponent = 0;
  const CORBA::LongDouble mantissa = std::ldexp(std::frexp(std::fabs(value), &exponent), 64);
  integer(std::signbit(value));
  number(static_cast<unsigned long long>(mantissa));
  integer(value == 0 ? 0 : exponent - 64);
}

void Text::fixed(const CORBA::Fixed& value, int scale) {
  char memory[CORBA::Fixed::kTextSize];
  std::string text = value.to_string(memory);
  const bool negative = text[0] == '-';
  if (negative) text.erase(0, 1);
  std::size_t behind = 0;
  if (const auto point = text.find('.'); point != std::string::npos) {
    behind = text.size() - point - 1;
    text.erase(point, 1);
  }
  text.append(static_cast<std::size_t>(scale) - behind, '0');
  text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
  token((negative ? "-" : "") + text);
}

void Text::text(const char* text) {
  std::string hex = "=";
  for (; *text; ++text) {
    const auto octet = static_cast<unsigned char>(*text);
    hex += "0123456789abcdef"[octet >> 4];
    hex += "0123456789abcdef"[octet & 15];
  }
  token(hex);
}

void Text::wide_text(const CORBA::WChar* text) {
  std::string hex = "=";
  for (; *text; ++text)
    for (int shift = 28; shift >= 0; shift -= 4)
      hex += "0123456789abcdef"[static_cast<std::uint32_t>(*text) >> shift & 15];
  token(hex);
}

bool Text::begin_value(CORBA::ValueBase* value) {
  if (!value) return integer(0), false;
  const auto same = [&](const CORBA::ValueBase_var& other) { return other.in() == value; };
  const auto known = std::find_if(values_.begin(), values_.end(), same);
  if (known != values_.end()) {
    circles_ = circles_ || open_.count(value) != 0;
    return integer(values_.begin() - known - 1), false;
  }
  value->_add_ref();
  values_.emplace_back(value);
  open_.insert(value);
  return true;
}

void Text::end_circles() {
  if (!circles_) return;
  for (const CORBA::ValueBase_var& value : values_) value->_corbel_clear();
}

void show_abstract(Text& out, CORBA::AbstractBase_ptr object) {
  const CORBA::ValueBase_var value = object ? object->_to_value() : nullptr;
  const CORBA::Object_var target = object ? object->_to_object() : nullptr;
  out.integer(value.in() ? 2 : !CORBA::is_nil(target));
  if (value.in()) show_value(out, value.in());
  else if (!CORBA::is_nil(target)) out.object(target);
}

namespace {
const Entry* entry_of(CORBA::TypeCode_ptr type) {
  for (const Entry& entry : entries())
    if (type->equal(entry.type)) return &entry;
  return nullptr;
}
}  // namespace

void Text::type(CORBA::TypeCode_ptr type) {
  const Entry* const entry = entry_of(type);
  if (entry) return integer(entry - entries().data());
  token("type-of-kind");  // only what was changed on the way
  integer(type->kind());
}

void Text::any(const CORBA::Any& any) {
  const CORBA::TypeCode_var of = any.type();
  type(of);
  const Entry* const entry = entry_of(of);
  try {
    if (entry && entry->extract && !entry->extract(any, *this)) token("not-extracted");
  } catch (const CORBA::MARSHAL&) {
    token("not-known");
  }
}

void Text::object(CORBA::Object_ptr object) {
  if (CORBA::is_nil(object)) return token("nil");
  const CORBA::String_var text = orb()->object_to_string(object);
  token(text.in());
}

// ---- types that need no contract

namespace {

template <typename T>
void fill_number(Tokens& in, T& value) {
  in.number(value);
}
template <typename T>
void show_number(Text& out, const T& value) {
  out.number(value);
}
template <typename T>
Entry number(const char* name, CORBA::TypeCode_ptr type) {
  Entry entry = small<T, fill_number<T>, show_number<T>>(name, type);
  return entry;
}

// What C++ cannot tell apart.
template <typename T, typename From, typename To>
Entry wrapped(const char* name, CORBA::TypeCode_ptr type) {
  return {name,
          type,
          make<T>,
          destroy<T>,
          [](Tokens& in, void* value) { in.number(*static_cast<T*>(value)); },
          [](Text& out, const void* value) { out.number(*static_cast<const T*>(value)); },
          nullptr,
          nullptr,
          copy<T>,
          [](CORBA::Any& any, const void* value) { any <<= From(*static_cast<const T*>(value)); },
          [](const CORBA::Any& any, Text& out) {
            T value;
            if (!(any >>= To(value))) return false;
            out.number(value);
            return true;
          }};
}

void fill_any(Tokens& in, CORBA::Any& any) { in.any(any); }
void show_any(Text& out, const CORBA::Any& any) { out.any(any); }

Entry text_entry() {
  Entry entry = reference<CORBA::Object>("string", CORBA::_tc_string);
  entry.make = make<CORBA::String_var>;
  entry.destroy = destroy<CORBA::String_var>;
  entry.fill = [](Tokens& in, void* value) { *static_cast<CORBA::String_var*>(value) = in.text(); };
  entry.copy = copy<CORBA::String_var>;
  entry.show = [](Text& out, const void* value) {
    out.text(static_cast<const CORBA::String_var*>(value)->in());
  };
  entry.insert = [](CORBA::Any& any, const void* value) {
    any <<= static_cast<const CORBA::String_var*>(value)->in();
  };
  entry.extract = [](const CORBA::Any& any, Text& out) {
    const char* value;
    if (!(any >>= value)) return false;
    out.text(value);
    return true;
  };
  return entry;
}

Entry wide_text_entry() {
  Entry entry = text_entry();
  entry.name = "wstring";
  entry.type = CORBA::_tc_wstring;
  entry.make = make<CORBA::WString_var>;
  entry.destroy = destroy<CORBA::WString_var>;
  entry.copy = copy<CORBA::WString_var>;
  entry.fill = [](Tokens& in, void* value) { *static_cast<CORBA::WString_var*>(value) = in.wide_text(); };
  entry.show = [](Text& out, const void* value) {
    out.wide_text(static_cast<const CORBA::WString_var*>(value)->in());
  };
  entry.insert = [](CORBA::Any& any, const void* value) {
    any <<= static_cast<const CORBA::WString_var*>(value)->in();
  };
  entry.extract = [](const CORBA::Any& any, Text& out) {
    const CORBA::WChar* value;
    if (!(any >>= value)) return false;
    out.wide_text(value);
    return true;
  };
  return entry;
}

Entry type_entry() {
  Entry entry = reference<CORBA::Object>("TypeCode", CORBA::_tc_TypeCode);
  entry.make = make<CORBA::TypeCode_var>;
  entry.destroy = destroy<CORBA::TypeCode_var>;
  entry.copy = copy<CORBA::TypeCode_var>;
  entry.fill = [](Tokens& in, void* value) { *static_cast<CORBA::TypeCode_var*>(value) = in.type(); };
  entry.show = [](Text& out, const void* value) {
    out.type(static_cast<const CORBA::TypeCode_var*>(value)->in());
  };
  entry.insert = [](CORBA::Any& any, const void* value) {
    any <<= static_cast<const CORBA::TypeCode_var*>(value)->in();
  };
  entry.extract = [](const CORBA::Any& any, Text& out) {
    CORBA::TypeCode_ptr value;
    if (!(any >>= value)) return false;
    out.type(value);
    return true;
  };
  return entry;
}

}  // namespace

Entry name_only(const char* name, CORBA::TypeCode_ptr type) {
  Entry entry{};
  entry.name = name;
  entry.type = type;
  return entry;
}

std::vector<Entry> with_basics(const std::vector<Entry>& more) {
  using CORBA::Any;
  std::vector<Entry> all = {
      number<CORBA::Short>("short", CORBA::_tc_short),
      number<CORBA::UShort>("unsigned short", CORBA::_tc_ushort),
      number<CORBA::Long>("long", CORBA::_tc_long),
      number<CORBA::ULong>("unsigned long", CORBA::_tc_ulong),
      number<CORBA::LongLong>("long long", CORBA::_tc_longlong),
      number<CORBA::ULongLong>("unsigned long long", CORBA::_tc_ulonglong),
      number<CORBA::Float>("float", CORBA::_tc_float),
      number<CORBA::Double>("double", CORBA::_tc_double),
      number<CORBA::LongDouble>("long double", CORBA::_tc_longdouble),
      wrapped<CORBA::Boolean, Any::from_boolean, Any::to_boolean>("boolean", CORBA::_tc_boolean),
      wrapped<CORBA::Char, Any::from_char, Any::to_char>("char", CORBA::_tc_char),
      wrapped<CORBA::WChar, Any::from_wchar, Any::to_wchar>("wchar", CORBA::_tc_wchar),
      wrapped<CORBA::Octet, Any::from_octet, Any::to_octet>("octet", CORBA::_tc_octet),
      text_entry(),
      wide_text_entry(),
      large<CORBA::Any, fill_any, show_any>("any", CORBA::_tc_any),
      type_entry(),
      reference<CORBA::Object>("Object", CORBA::_tc_Object),
  };
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

CORBA::ORB_ptr orb() {
  static const CORBA::ORB_var one = [] {
    int argc = 0;
    CORBA::ORB_ptr const made = CORBA::ORB_init(argc, nullptr);
    add_factories(made);
    return made;
  }();
  return one.in();
}
