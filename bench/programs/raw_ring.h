// An io_uring by its system calls alone, of one thread.
#pragma once

#include <linux/io_uring.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

// Every function throws std::system_error where the kernel refuses.
class Ring {
 public:
  // Single issuer, deferred task run. `registered`: the kernel keeps the descriptors, that of the ring too.
  Ring(const std::vector<int>& descriptors, bool registered);
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring();

  // To be submitted with the next wait(); completions have `data`. Descriptors by their place in the list.
  // What is sent whole completes without a word.
  void receive(std::size_t descriptor, void* to, std::size_t size, std::uint64_t data);
  void send(std::size_t descriptor, const void* from, std::size_t size, std::uint64_t data);
  // Submits, and waits until something has completed.
  void wait() { enter(1); }
  // What has: `take(data, result)`.
  template <typename Take>
  void completed(Take take) {
    std::uint32_t head = *completion_head_;
    const std::uint32_t tail = __atomic_load_n(completion_tail_, __ATOMIC_ACQUIRE);
    for (; head != tail; ++head) {
      const io_uring_cqe entry = completions_[head & completion_mask_];
      __atomic_store_n(completion_head_, head + 1, __ATOMIC_RELEASE);
      take(entry.user_data, entry.res);
    }
  }

 private:
  void enter(unsigned least);
  io_uring_sqe& next(std::size_t descriptor, std::uint8_t operation, std::uint64_t data);
  void register_all(const std::vector<int>& descriptors);

  int descriptor_;
  const std::vector<int> descriptors_;
  bool registered_ = false;
  unsigned entered_;  // the ring's descriptor, or its registered number
  unsigned flags_ = IORING_ENTER_GETEVENTS;
  char* memory_ = nullptr;
  std::size_t memory_size_ = 0;
  io_uring_sqe* submissions_ = nullptr;
  std::uint32_t submission_size_ = 0, submission_mask_ = 0, completion_mask_ = 0;
  std::uint32_t *submission_head_ = nullptr, *submission_tail_ = nullptr, *submission_array_ = nullptr;
  std::uint32_t *completion_head_ = nullptr, *completion_tail_ = nullptr;
  io_uring_cqe* completions_ = nullptr;
};

}  // namespace bench
