// Labels of unions, which TypeCodes hold as 64 bits.
#pragma once

#include <cstdint>

#include <corbel/types/type_code.h>

namespace corbel::types {

// As discriminators of this kind are compared: without what sign extension may have put in front.
inline std::int64_t normalized(std::int64_t label, Kind discriminator) {
  switch (discriminator) {
    case Kind::Boolean:
    case Kind::Char:
    case Kind::Octet:
      return static_cast<std::uint8_t>(label);
    case Kind::Short:
    case Kind::UShort:
      return static_cast<std::uint16_t>(label);
    case Kind::LongLong:
    case Kind::ULongLong:
      return label;
    default:
      return static_cast<std::uint32_t>(label);
  }
}

}  // namespace corbel::types
