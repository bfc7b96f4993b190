// Requests of one connection that run while it is read on: what a CancelRequest may name.
#pragma once

#include <cstdint>

#include "orb/base/mutex.h"
#include "orb/core/server_request.h"

namespace corbel::core {

// As many as there are upcalls, however many are cancelled. Thread-safe.
class RunningRequests {
 public:
  // Before the request's `taken` is set; it stays until remove().
  void add(ServerRequest& request);
  void remove(ServerRequest& request);
  // Waits until there are none; false at the deadline.
  bool wait_until_empty(base::Deadline deadline);
  // The reply to a request with this id is not written. One that has not been dispatched yet is woken.
  // An id that is not there is ignored.
  void cancel(std::uint32_t request_id);
  // Brackets a wait of `request` before it is dispatched, whether it is in here or not.
  void set_waiting(ServerRequest& request, base::Condition* condition);

 private:
  base::Mutex mutex_;
  ServerRequest* first_ = nullptr;
};

}  // namespace corbel::core
