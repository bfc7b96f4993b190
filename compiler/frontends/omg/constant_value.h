// Values of constant expressions while they are computed.
#pragma once

#include <limits>
#include <string>

#include "compiler/aoi/aoi.h"
#include "compiler/frontends/omg/decimal.h"

namespace corbel::idl::omg {

__extension__ typedef __int128 Integer;  // holds every value of long long and unsigned long long
constexpr Integer kLeastInteger = std::numeric_limits<std::int64_t>::min();
constexpr Integer kMostInteger = std::numeric_limits<std::uint64_t>::max();

struct ConstantValue {
  enum class Kind { Error, Integer, Float, Boolean, Char, String, Enumerator, WideChar, WideString, Fixed };
  Kind kind = Kind::Error;
  Integer integer = 0;  // Integer, Boolean, Char (0 to 255), WideChar (code point), Enumerator (ordinal)
  long double real = 0;
  std::string text;     // String; Enumerator: its name
  std::u32string wide;  // WideString
  Decimal fixed;
  const aoi::Enum* enumeration = nullptr;
  Span span;
};

}  // namespace corbel::idl::omg
