// How the object keys of persistent adapters are written.
#pragma once

#include <cstdint>

namespace corbel {

enum class KeyFormat : std::uint8_t {
  Corbel,
  OmniOrb,
  Tao,         // as TAO writes them unless it was told otherwise: with hints for its look-up
  TaoNoHints,  // of a TAO server that ran with -ORBActiveHintInIds 0 and -ORBAllowReactivationOfSystemids 1
};

}  // namespace corbel
