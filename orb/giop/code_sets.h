// Code set negotiation (CORBA 3.4 part 2, "Code Set Conversion"). The native char set is ISO 8859-1, and
// strings are converted to and from UTF-8. A single char is an octet in both: UTF-8 has no single octet for
// those above 127.
#pragma once

#include <cstdint>

#include "orb/giop/service_context.h"
#include "orb/ior/ior.h"

namespace corbel::giop {

enum class CodeSet : std::uint8_t {
  Default,      // nothing is said: ISO 8859-1
  Latin1,       // octets are copied
  Utf8,         // strings are converted
  Incompatible  // no set in common
};

// One service context, id and data, that tells the peer: char is Latin1 or Utf8, wchar UTF-16.
inline constexpr std::uint32_t kCodeSetContextSize = 20;
const char* code_set_context(CodeSet char_set);

// What to send to a server that has this profile.
CodeSet choose_code_set(const ior::IiopProfile& profile);

// What a request announces, for itself and those that follow it on its connection.
CodeSet announced_code_set(const ServiceContexts& contexts);

}  // namespace corbel::giop
