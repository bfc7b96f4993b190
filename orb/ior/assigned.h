// Every assigned number: OMG's (CORBA 3.4 part 2, and the OMG's registries of tags) and ours.
#pragma once

#include <cstdint>

namespace corbel::assigned {

// ---- OMG
inline constexpr std::uint32_t kTagInternetIop = 0;
inline constexpr std::uint32_t kTagMultipleComponents = 1;
inline constexpr std::uint32_t kComponentOrbType = 0;
inline constexpr std::uint32_t kComponentCodeSets = 1;
inline constexpr std::uint32_t kComponentPolicies = 2;
inline constexpr std::uint32_t kComponentAlternateIiopAddress = 3;
inline constexpr std::uint32_t kComponentSslSecTrans = 20;
inline constexpr std::uint32_t kComponentFtGroup = 27;
inline constexpr std::uint32_t kComponentFtPrimary = 28;
inline constexpr std::uint32_t kContextCodeSets = 1;
inline constexpr std::uint32_t kContextBiDirIiop = 5;
inline constexpr std::uint32_t kContextInvocationPolicies = 7;
inline constexpr std::uint32_t kCodeSetLatin1 = 0x00010001;  // ISO 8859-1:1987
inline constexpr std::uint32_t kCodeSetAscii = 0x00010020;   // ISO 646:1991 IRV
inline constexpr std::uint32_t kCodeSetUtf8 = 0x05010001;
inline constexpr std::uint32_t kCodeSetUcs2 = 0x00010100;  // the first of three levels
inline constexpr std::uint32_t kCodeSetUcs4 = 0x00010104;  // the same
inline constexpr std::uint32_t kCodeSetUtf16 = 0x00010109;
inline constexpr std::uint32_t kCodeSetIbm = 0x10020000;  // or-ed with the number of a code page
inline constexpr std::uint32_t kOmgMinor = 0x4f4d0000;    // OMG standard minor codes are or-ed with it
inline constexpr std::uint16_t kIiopPort = 2809;          // default of corbaloc
inline constexpr std::uint16_t kCompressorGzip = 1;
inline constexpr std::uint16_t kCompressorZlib = 4;
inline constexpr std::uint32_t kPolicyCompressionEnabling = 64;
inline constexpr std::uint32_t kPolicyCompressors = 65;

// ---- ours. None of them is assigned by the OMG; change them here.
inline constexpr std::uint32_t kVendorMinor = 0x43420000;  // "CB"; standard minor codes of our own
inline constexpr std::uint32_t kMinorCallTimedOut =
    kVendorMinor | 1;                                               // TIMEOUT, TRANSIENT: a call's deadline
inline constexpr std::uint32_t kMinorReplyLost = kVendorMinor | 2;  // COMM_FAILURE: sent, no reply came
inline constexpr std::uint32_t kMinorQueueFull = kVendorMinor | 3;  // TRANSIENT: one-ways wait to be sent
inline constexpr std::uint16_t kCompressorZstd = 0x4342;
inline constexpr std::uint32_t kPolicyObjectDemultiplexing = kVendorMinor | 0x101;
inline constexpr std::uint32_t kPolicyKeyFormat = kVendorMinor | 0x102;
inline constexpr std::uint32_t kOrbType = 0x43425231;         // "CBR1"
inline constexpr std::uint32_t kOrbTypeOmniOrb = 0x41545400;  // "ATT"
inline constexpr std::uint32_t kComponentEndpoint =
    0x43425201;  // an endpoint of any transport: its name, an address
inline constexpr std::uint32_t kContextPadding = 0x43425202;  // says nothing: GIOP 1.0 and 1.1 need its size

}  // namespace corbel::assigned
