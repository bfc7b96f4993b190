// Is this a build for ThreadSanitizer? What it is told by hand stands where it is needed.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define CORBEL_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CORBEL_TSAN 1
#endif
#endif
