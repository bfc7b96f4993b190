#include <corbel/cdr/encoder.h>

#include <algorithm>
#include <cstdlib>

namespace corbel::cdr {
namespace {

constexpr std::size_t kFirst = 1024;
constexpr std::size_t kLargest = 0x7fffffff;  // a GIOP message has a 32-bit size; half of it is our limit

}  // namespace

Encoder::~Encoder() { std::free(memory_); }

void Encoder::reset_memory(std::size_t begin, std::size_t keep) {
  if (memory_ && static_cast<std::size_t>(end_ - memory_) > keep) {
    std::free(memory_);
    memory_ = pos_ = end_ = nullptr;
  }
  pos_ = memory_;
  if (static_cast<std::size_t>(end_ - memory_) < begin + kScratch && !grow(begin)) begin = 0;
  origin_ = reinterpret_cast<std::uintptr_t>(memory_);
  pos_ = memory_ + begin;
}

// Makes room for `more` bytes beyond pos_ and the scratch space that chunk() promises after an error.
bool Encoder::grow(std::size_t more) {
  const std::size_t used = static_cast<std::size_t>(pos_ - memory_);
  const std::size_t capacity = static_cast<std::size_t>(end_ - memory_);
  if (more > kLargest || wire_size() + more > kLargest) {
    fail({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a message would exceed 2 GiB"});
    return false;
  }
  const std::size_t wanted = std::max({used + more + kScratch + 8, capacity + capacity / 2, kFirst});
  const std::uintptr_t wire_offset = reinterpret_cast<std::uintptr_t>(memory_) - origin_;
  char* const larger = static_cast<char*>(std::malloc(wanted));
  if (!larger) {
    fail({SystemErrorId::NO_MEMORY, Completion::No, 0, "no memory for a message"});
    return false;
  }
  if (used != 0) std::memcpy(larger, memory_, used);
  std::free(memory_);
  ++generation_;
  memory_ = larger;
  pos_ = larger + used;
  end_ = larger + wanted;
  origin_ = reinterpret_cast<std::uintptr_t>(larger) - wire_offset;
  return true;
}

char* Encoder::chunk_slow(std::size_t align, std::size_t size) noexcept {
  if (error_ || !grow(size + 8)) {
    // Writing goes on into the same scratch space; the message is never sent.
    static_assert(kScratch <= 4096);
    if (static_cast<std::size_t>(end_ - memory_) < kScratch + 16) {
      fail({SystemErrorId::NO_MEMORY, Completion::No, 0, "no memory for a message"});
      // Of all threads: nobody reads it. A thread's own would leave no room for plug-ins that hold an ORB.
      alignas(16) static char last_resort[kScratch + 16];
      return last_resort;
    }
    pos_ = memory_;
    return memory_;
  }
  const std::size_t pad = (0 - (reinterpret_cast<std::uintptr_t>(pos_) - origin_)) & (align - 1);
  std::memset(pos_, 0, pad);
  char* p = pos_ + pad;
  pos_ = p + size;
  return p;
}

void Encoder::put_run(const void* data, std::uint32_t count, std::size_t size) noexcept {
  put<std::uint32_t>(count);
  if (count != 0) run_bytes(size, data, count * size);
}

void Encoder::run_bytes(std::size_t align, const void* data, std::size_t size) noexcept {
  const std::size_t pad = (0 - (reinterpret_cast<std::uintptr_t>(pos_) - origin_)) & (align - 1);
  const bool external = externals_allowed_ && size >= kExternalThreshold && external_count_ < kMaxExternals;
  const std::size_t room = pad + (external ? 0 : size);
  if (static_cast<std::size_t>(end_ - pos_) < room + 8 && (error_ || !grow(room + 8))) return;
  std::memset(pos_, 0, pad);
  pos_ += pad;
  if (!external) {
    std::memcpy(pos_, data, size);
    pos_ += size;
    return;
  }
  if (wire_size() + size > kLargest)
    return fail({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a message would exceed 2 GiB"});
  externals_[external_count_++] = {static_cast<std::size_t>(pos_ - memory_), static_cast<const char*>(data),
                                   size};
  external_bytes_ += size;
  origin_ -= size;
}

void Encoder::put_string(const char* s, std::uint32_t bound) noexcept {
  if (!s)
    return fail(
        {SystemErrorId::BAD_PARAM, Completion::No, 0, "a null pointer was given where a string must be"});
  const std::size_t length = std::strlen(s);
  if (bound != 0 && length > bound)
    return fail({SystemErrorId::BAD_PARAM, Completion::No, 0, "a string is longer than its bound"});
  if (utf8()) [[unlikely]]
    return put_utf8(s, length);
  if (length >= kLargest)
    return fail({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a string is longer than a message can be"});
  if (length + 5 > kScratch &&
      (error_ || (static_cast<std::size_t>(end_ - pos_) < length + 16 && !grow(length + 16))))
    return;
  char* p = chunk<4>(4 + length + 1);
  if (error_) [[unlikely]]
    return;
  store(p, static_cast<std::uint32_t>(length + 1));
  std::memcpy(p + 4, s, length + 1);
}

}  // namespace corbel::cdr
