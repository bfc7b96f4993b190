// Is this a build for AddressSanitizer?
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define CORBEL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CORBEL_ASAN 1
#endif
#endif
