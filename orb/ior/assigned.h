// Every assigned number: OMG's (CORBA 3.4 part 2, and the OMG's registries of tags) and ours.
#pragma once

#include <cstdint>

namespace corbel::assigned {

// ---- OMG
inline constexpr std::uint32_t kTagInternetIop = 0;
inline constexpr std::uint32_t kTagMultipleComponents = 1;
inline constexpr std::uint32_t kComponentOrbType = 0;
inline constexpr std::uint32_t kComponentCodeSets = 1;
inline constexpr std::uint32_t kComponentAlternateIiopAddress = 3;
inline constexpr std::uint32_t kContextCodeSets = 1;
inline constexpr std::uint32_t kCodeSetLatin1 = 0x00010001;  // ISO 8859-1:1987
inline constexpr std::uint32_t kCodeSetAscii = 0x00010020;   // ISO 646:1991 IRV
inline constexpr std::uint32_t kCodeSetUtf8 = 0x05010001;
inline constexpr std::uint32_t kCodeSetUtf16 = 0x00010109;
inline constexpr std::uint32_t kOmgMinor = 0x4f4d0000;  // OMG standard minor codes are or-ed with it
inline constexpr std::uint16_t kIiopPort = 2809;        // default of corbaloc

// ---- ours. None of them is assigned by the OMG; change them here.
inline constexpr std::uint32_t kVendorMinor = 0x43420000;  // "CB"; standard minor codes of our own
inline constexpr std::uint32_t kMinorCallTimedOut = kVendorMinor | 1;  // TIMEOUT, TRANSIENT: a call's deadline
inline constexpr std::uint32_t kMinorReplyLost = kVendorMinor | 2;     // COMM_FAILURE: sent, no reply came
inline constexpr std::uint32_t kOrbType = 0x43425231;      // "CBR1"

}  // namespace corbel::assigned
