// The repository id that stands before an exception's members in an Any, and that omniORB leaves out.
#pragma once

#include <cstdint>
#include <cstring>

#include <corbel/cdr/decoder.h>

namespace corbel::types {

// One for all exceptions of a value.
class ExceptionIds {
 public:
  // Whether `id` stands next, as it was sent. False, and so is the decoder, where octets that nothing reads
  // were looked at again and again: only types that nobody writes down have exceptions side by side.
  bool look(cdr::Decoder& in, const char* id, bool& stands_next) {
    stands_next = false;
    cdr::Decoder ahead = in;
    std::uint32_t length;
    if (!ahead.get(length) || length == 0) return true;
    looked_at_ += length;
    if (looked_at_ > in.offset() + length + kMostInVain) return in.fail();
    const char* const p = ahead.chunk<1>(length);
    stands_next = p && p[length - 1] == '\0' && strnlen(id, length) == length - 1 &&
                  std::memcmp(p, id, length - 1) == 0;
    return true;
  }
  bool step_over(cdr::Decoder& in, const char* id) {
    bool stands_next;
    std::uint32_t length;
    if (!look(in, id, stands_next)) return false;
    return !stands_next || (in.get(length) && in.chunk<1>(length)) || in.fail();
  }

 private:
  static constexpr std::size_t kMostInVain = 1 << 20;
  std::size_t looked_at_ = 0;
};

}  // namespace corbel::types
