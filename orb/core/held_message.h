// The memory of a request's message, for who wants to have values where they stand in it.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "orb/base/memory.h"

namespace corbel::core {

// Counted; the count starts at 1, which is the request's. Until the request is over the memory is its
// connection's, which then takes it back if nobody else holds it.
class HeldMessage {
 public:
  HeldMessage() = default;
  HeldMessage(const HeldMessage&) = delete;
  HeldMessage& operator=(const HeldMessage&) = delete;

  void add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
  void remove_ref() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  // Besides the request; once false it stays so.
  bool by_others() const { return count_.load(std::memory_order_acquire) != 1; }
  // The request is over; the memory goes with who is left.
  void end(base::Memory memory) {
    memory_ = std::move(memory);
    remove_ref();
  }

 private:
  ~HeldMessage() = default;

  std::atomic<std::uint32_t> count_{1};
  base::Memory memory_;
};

}  // namespace corbel::core
