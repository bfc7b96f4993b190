// What hot paths share: pools of invocations and requests. One per ORB until there are priorities.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
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
    return take_below();
  }
  void give(std::unique_ptr<T> item) {
    if (T* const below = top_.exchange(item.release(), std::memory_order_acq_rel)) [[unlikely]]
      give_below(below);
  }
  // All that are idle now.
  template <typename Function>
  void for_each(Function function) {
    std::unique_ptr<T> all[kMost + 1];
    std::size_t count = 0;
    while (count <= kMost && (all[count] = take())) ++count;
    while (count != 0) {
      function(*all[--count]);
      give(std::move(all[count]));
    }
  }
  // Around a fork: nobody changes it meanwhile.
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  void reset_in_child() { mutex_.reset_in_child(); }
  void clear() {
    while (take()) {
    }
  }
  ~Pool() { clear(); }

 private:
  static constexpr std::size_t kMost = 64;
  [[gnu::noinline]] std::unique_ptr<T> take_below() {
    std::lock_guard lock(mutex_);
    return std::unique_ptr<T>(count_ != 0 ? items_[--count_] : nullptr);
  }
  [[gnu::noinline]] void give_below(T* below) {
    std::unique_ptr<T> item(below);
    std::lock_guard lock(mutex_);
    if (count_ < kMost) items_[count_++] = item.release();
  }

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
