// Two values of one type compared where they stand, by the program of their TypeCode.
#pragma once

#include <cstdint>

#include <corbel/types/type_code.h>

namespace corbel::types {

// Unknown: only who decodes both can tell. Zeroes of either sign, references to one object that are spelled
// in several ways, valuetypes, wide characters that are not written alike, values of different forms.
enum class Comparison : std::uint8_t { Equal, Different, Unknown };

// Each may begin at any alignment and be in any byte order; both have been checked (see skip()), or what is
// malformed is Unknown. A NaN equals one of the same bits. Where the decoders stand afterwards counts only if
// the values are Equal: behind them.
Comparison compare(cdr::Decoder& a, cdr::Decoder& b, const TypeCode& type);

}  // namespace corbel::types
