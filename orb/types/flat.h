// Numbers that follow each other, as a program's Flat steps tell of them: checked, stepped over, or copied
// into another byte order and alignment.
#pragma once

#include "orb/types/program.h"

namespace corbel::types {

// One value of the step. `out` may be null: then it is only checked. False, and the decoder has failed, if
// malformed.
bool flat_value(cdr::Decoder& in, cdr::Encoder* out, const Program::Flat& flat);

// `count` values of it.
bool flat_values(cdr::Decoder& in, cdr::Encoder* out, const Program::Flat& flat, std::uint32_t count);

}  // namespace corbel::types
