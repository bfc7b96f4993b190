// What hot paths share: pools of invocations and requests. One per ORB until there are priorities.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "orb/base/mutex.h"

namespace corbel::core {

class ClientInvocation;
class Orb;
class ServerRequest;

// A bounded stack of idle objects, its top taken without a lock. Thread-safe.
template <typename T>
class Pool {
 public:
  // Null when it is empty.
  std::unique_ptr<T> take() {
    if (T* const top = top_.exchange(nullptr, std::memory_order_acquire)) [[likely]]
      return std::unique_ptr<T>(top);
    mutex_.lock();
    T* item = count_ != 0 ? items_[--count_] : nullptr;
    mutex_.unlock();
    return std::unique_ptr<T>(item);
  }
  void give(std::unique_ptr<T> item) {
    item.reset(top_.exchange(item.release(), std::memory_order_acq_rel));
    if (!item) [[likely]]
      return;
    mutex_.lock();
    if (count_ < kMost) items_[count_++] = item.release();
    mutex_.unlock();
  }
  void clear() {
    while (take()) {
    }
  }
  ~Pool() { clear(); }

 private:
  static constexpr std::size_t kMost = 64;
  std::atomic<T*> top_{nullptr};
  base::Mutex mutex_;
  std::size_t count_ = 0;
  T* items_[kMost];
};

struct Lane {
  Pool<ClientInvocation> invocations;
  Pool<ServerRequest> requests;
};

}  // namespace corbel::core
