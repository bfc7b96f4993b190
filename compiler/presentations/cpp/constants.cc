#include "compiler/presentations/cpp/constants.h"

#include <fmt/format.h>

#include "compiler/presentations/cpp/names.h"
#include "compiler/source/writer.h"

namespace corbel::idl::cpp {
namespace {

// The parts of a number of up to 31 digits, so that it needs no initialisation at run time.
std::string fixed_literal(std::string_view text) {
  const bool negative = text.starts_with('-');
  __extension__ unsigned __int128 value = 0;
  std::size_t scale = 0;
  for (std::size_t i = negative; i < text.size(); ++i) {
    if (text[i] == '.') scale = text.size() - i - 1;
    else value = value * 10 + static_cast<unsigned>(text[i] - '0');
  }
  return fmt::format("CORBA::Fixed({}u, {}u, {}, {})", static_cast<std::uint64_t>(value),
                     static_cast<std::uint64_t>(value >> 64), scale, negative);
}

}  // namespace

std::string literal(const aoi::Constant& c) {
  const aoi::Type* const t = aoi::resolve(c.type);
  if (const auto* s = std::get_if<std::string>(&c.value)) return quoted(*s);
  if (const auto* b = std::get_if<bool>(&c.value)) return *b ? "true" : "false";
  if (const auto* d = std::get_if<double>(&c.value)) {
    std::string text = fmt::format("{:.17g}", *d);
    if (text.find_first_of(".en") == text.npos) text += ".0";
    return t->basic == aoi::Basic::Float ? text + "f" : text;
  }
  if (const auto* l = std::get_if<long double>(&c.value)) {
    std::string text = fmt::format("{}", *l);
    if (text.find_first_of(".en") == text.npos) text += ".0";
    return text + "L";
  }
  if (const auto* w = std::get_if<std::u32string>(&c.value)) return wide_text(*w);
  if (const auto* f = std::get_if<aoi::FixedValue>(&c.value)) return fixed_literal(f->text);
  if (const auto* u = std::get_if<std::uint64_t>(&c.value)) return fmt::format("{}u", *u);
  const std::int64_t i = std::get<std::int64_t>(c.value);
  if (c.enum_type)
    return qualified(*c.enum_type).substr(0, qualified(*c.enum_type).rfind("::")) +
           "::" + identifier(c.enum_type->enumerators[static_cast<std::size_t>(i)].name);
  if (t->basic == aoi::Basic::Char) return character(i);
  if (t->basic == aoi::Basic::WChar) return wide_character(i);
  if (i == INT64_MIN) return "-9223372036854775807 - 1";
  if (i == INT32_MIN && t->basic == aoi::Basic::Long) return "-2147483647 - 1";
  return fmt::format("{}{}", i,
                     t->basic == aoi::Basic::ULong || t->basic == aoi::Basic::ULongLong ? "u" : "");
}

}  // namespace corbel::idl::cpp
