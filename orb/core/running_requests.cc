#include "orb/core/running_requests.h"

#include <mutex>

namespace corbel::core {

void RunningRequests::add(ServerRequest& request) {
  std::lock_guard lock(mutex_);
  request.cancelled_.store(false, std::memory_order_relaxed);
  request.next_running_ = first_;
  first_ = &request;
}

void RunningRequests::remove(ServerRequest& request) {
  std::lock_guard lock(mutex_);
  for (ServerRequest** r = &first_; *r; r = &(*r)->next_running_) {
    if (*r != &request) continue;
    *r = request.next_running_;
    return;
  }
}

// Rare: looked at every millisecond, so that no request pays for waking this up.
bool RunningRequests::wait_until_empty(base::Deadline deadline) {
  for (base::Condition never;;) {
    {
      std::lock_guard lock(mutex_);
      if (!first_) return true;
    }
    if (base::now() >= deadline) return false;
    never.wait(never.epoch(), base::now() + 1'000'000);
  }
}

void RunningRequests::cancel(std::uint32_t request_id) {
  std::lock_guard lock(mutex_);
  for (ServerRequest* r = first_; r; r = r->next_running_) {
    if (r->header().request_id != request_id) continue;
    r->cancelled_.store(true, std::memory_order_release);
    if (r->waits_for) r->waits_for->notify_all();
  }
}

void RunningRequests::set_waiting(ServerRequest& request, base::Condition* condition) {
  std::lock_guard lock(mutex_);
  request.waits_for = condition;
}

}  // namespace corbel::core
