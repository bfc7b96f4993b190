// Code set negotiation (CORBA 3.4 part 2, "Code Set Conversion"). The native char set is ISO 8859-1.
#pragma once

#include <cstdint>

#include "orb/giop/service_context.h"
#include "orb/ior/ior.h"

namespace corbel::giop {

// One service context, id and data, that tells the peer: char is ISO 8859-1, wchar UTF-16.
inline constexpr std::uint32_t kCodeSetContextSize = 20;
const char* code_set_context();

enum class CodeSetChoice {
  Default,      // the profile says nothing: ISO 8859-1 without a context
  Same,         // the peer takes ISO 8859-1: octets are copied; the context is sent
  Incompatible  // no set in common
};
CodeSetChoice choose_code_set(const ior::IiopProfile& profile);

// Whether the char set that a request announces, if it does, can be read as ISO 8859-1.
bool accepts_code_sets(const ServiceContexts& contexts);

}  // namespace corbel::giop
