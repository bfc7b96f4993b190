// Copies of what may be large, at the speed of the processor wherever they go.
//
// Some processors copy slowly to a place that is a few octets farther into its page than what they copy is
// into its own: Zen 3 and 4, where these are 1 to 15 on one machine and 1 to 31 on another. memcpy takes 8 to
// 16 times as long there, in programs as in the kernel. What follows a message's header and comes from
// malloc, or goes there, is such a case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace corbel::base {

inline constexpr std::size_t kCopyStep = 32;  // farther than this it is no longer slow

// Says so of a copy between places that are `farther` octets apart, destination less source.
constexpr bool copied_slowly(std::size_t farther) { return farther % 4096 - 1 < kCopyStep - 1; }

// From the end to the beginning, which is as fast there as memcpy is elsewhere.
[[gnu::visibility("default")]] void copy_backwards(void* to, const void* from, std::size_t size) noexcept;

// As memcpy.
inline void copy(void* to, const void* from, std::size_t size) noexcept {
  constexpr std::size_t kLarge = 2048;
  if (size >= kLarge &&
      copied_slowly(reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)))
    return copy_backwards(to, from, size);
  std::memcpy(to, from, size);
}

// As memmove. Out of line: for templates, where the code of each instance counts for more than the call.
[[gnu::visibility("default")]] void move_octets(void* to, const void* from, std::size_t size) noexcept;

}  // namespace corbel::base
