#include <corbel/base/copy.h>
#include <corbel/cdr/encoder.h>

#include <algorithm>
#include <cstdlib>

#include "orb/cdr/char_sets.h"

namespace corbel::cdr {
namespace {

constexpr std::size_t kFirst = 1024;
constexpr SystemError kTooLarge{SystemErrorId::IMP_LIMIT, Completion::No, 0, "a message would exceed 2 GiB"};
constexpr std::size_t kLargest = 0x7fffffff;  // a GIOP message has a 32-bit size; half of it is our limit

}  // namespace

Encoder::~Encoder() { std::free(memory_); }

void Encoder::reset_memory(std::size_t begin, std::size_t keep) {
  if (memory_ && static_cast<std::size_t>(end_ - memory_) > keep) {
    std::free(memory_);
    memory_ = pos_ = end_ = nullptr;
  }
  pos_ = memory_;
  origin_ = reinterpret_cast<std::uintptr_t>(memory_);
  if (static_cast<std::size_t>(end_ - memory_) < begin + kScratch && !grow(begin)) begin = 0;
  origin_ = reinterpret_cast<std::uintptr_t>(memory_);
  pos_ = memory_ + begin;
}

// Makes room for `more` bytes beyond pos_ and the scratch space that chunk() promises after an error.
bool Encoder::grow(std::size_t more) {
  if (more > kLargest || offset() + more > kLargest) {
    fail(kTooLarge);
    return false;
  }
  if (sink_ && size() + more > sink_->limit() && sink_->take(*this)) {
    if (error_) return false;
    if (static_cast<std::size_t>(end_ - pos_) >= more) return true;
  }
  const std::size_t used = static_cast<std::size_t>(pos_ - memory_);
  const std::size_t capacity = static_cast<std::size_t>(end_ - memory_);
  std::size_t wanted = std::max({used + more + kScratch + 8, capacity + capacity / 2, kFirst});
  // Not more than leaves at once.
  if (sink_ && wanted > sink_->limit() && used + more <= sink_->limit()) wanted = sink_->limit() + 8;
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

bool Encoder::copy_externals() noexcept {
  if (external_count_ == 0) return true;
  const std::size_t here = offset(), whole = wire_size();
  char* const larger = static_cast<char*>(std::malloc(whole + kScratch + 8));
  if (!larger) return false;
  char* to = larger;
  std::size_t from = 0;
  for (std::uint32_t i = 0; i < external_count_; ++i) {
    const External& e = externals_[i];
    std::memcpy(to, memory_ + from, e.at - from);
    to += e.at - from;
    from = e.at;
    base::copy(to, e.data, e.size);
    to += e.size;
  }
  std::memcpy(to, memory_ + from, size() - from);
  std::free(memory_);
  ++generation_;
  memory_ = larger;
  pos_ = larger + whole;
  end_ = pos_ + kScratch + 8;
  origin_ = reinterpret_cast<std::uintptr_t>(pos_) - here;
  external_count_ = 0;
  external_bytes_ = 0;
  return true;
}

void Encoder::sent(std::size_t settled, const char* tail, std::size_t rest) {
  char copy[8];
  std::memcpy(copy, tail, rest);
  const std::size_t here = offset(), kept = size() - settled, begin = kSentBegin + rest;
  std::memmove(memory_ + begin, memory_ + settled, kept);
  std::memcpy(memory_ + kSentBegin, copy, rest);
  pos_ = memory_ + begin + kept;
  origin_ = reinterpret_cast<std::uintptr_t>(pos_) - here;
  moved_ += settled - begin;
  std::uint32_t left = 0;
  external_bytes_ = 0;
  for (std::uint32_t i = 0; i < external_count_; ++i) {
    External e = externals_[i];
    if (e.at <= settled) continue;
    e.at -= settled - begin;
    external_bytes_ += e.size;
    externals_[left++] = e;
  }
  external_count_ = left;
  ++generation_;
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
  if (count != 0) run_bytes(size, data, count * size, externals_allowed_);
}

void Encoder::run_bytes(std::size_t align, const void* data, std::size_t size, bool may_stay) noexcept {
  const std::size_t pad = (0 - (reinterpret_cast<std::uintptr_t>(pos_) - origin_)) & (align - 1);
  bool external = may_stay && size >= kExternalThreshold;
  if (external && external_count_ == kMaxExternals) [[unlikely]]
    external = sink_ && !error_ && sink_->take(*this) && external_count_ < kMaxExternals;
  const std::size_t room = pad + (external ? 0 : size);
  if (static_cast<std::size_t>(end_ - pos_) < room + 8) [[unlikely]] {
    if (!external && sink_) {
      std::memset(chunk<1>(pad), 0, pad);
      return copy_by_pieces(static_cast<const char*>(data), size);
    }
    if (error_ || !grow(room + 8)) return;
  }
  std::memset(pos_, 0, pad);
  pos_ += pad;
  if (!external) {
    base::copy(pos_, data, size);
    pos_ += size;
    return;
  }
  if (offset() + size > kLargest) return fail(kTooLarge);
  externals_[external_count_++] = {static_cast<std::size_t>(pos_ - memory_), static_cast<const char*>(data),
                                   size};
  external_bytes_ += size;
  origin_ -= size;
}

// What does not fit: so that it can leave bit by bit.
void Encoder::copy_by_pieces(const char* data, std::size_t size) {
  if (offset() + size > kLargest) return fail(kTooLarge);
  while (!error_) {
    const std::size_t room = static_cast<std::size_t>(end_ - pos_);
    if (room > 8) {
      const std::size_t now = std::min(size, room - 8);
      base::copy(pos_, data, now);
      pos_ += now;
      data += now;
      size -= now;
      if (size == 0) return;
    }
    const std::size_t used = this->size();
    if (used + 64 < sink_->limit()) grow(std::min(size, sink_->limit() - used - 8) + 8);
    else if (!sink_->take(*this)) grow(size + 8);
  }
}

void Encoder::put_string(const char* s) noexcept {
  if (!s || converts() || !put_plain_string(s, std::strlen(s))) [[unlikely]]
    put_any_string(s);
}

void Encoder::put_string(const char* s, std::uint32_t bound) noexcept {
  if (s && bound != 0 && std::strlen(s) > bound)
    return fail({SystemErrorId::BAD_PARAM, Completion::No, 0, "a string is longer than its bound"});
  put_string(s);
}

// One that is refused, converted, or needs more memory.
void Encoder::put_any_string(const char* s) noexcept {
  if (!s)
    return fail(
        {SystemErrorId::BAD_PARAM, Completion::No, 0, "a null pointer was given where a string must be"});
  const std::size_t length = std::strlen(s);
  if (converts() && !is_ascii(s, length)) return put_converted(s, length);
  if (length >= kLargest)
    return fail({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a string is longer than a message can be"});
  if (length + 5 > kScratch) {
    put(static_cast<std::uint32_t>(length + 1));
    return run_bytes(1, s, length + 1, false);
  }
  char* const p = chunk<4>(4 + length + 1);
  store(p, static_cast<std::uint32_t>(length + 1));
  std::memcpy(p + 4, s, length + 1);
}

}  // namespace corbel::cdr
