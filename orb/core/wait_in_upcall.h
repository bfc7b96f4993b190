// A wait of a thread that may be in an upcall.
#pragma once

#include "orb/core/abstract_server.h"
#include "orb/core/orb.h"
#include "orb/core/server_request.h"

namespace corbel::core {

// While one stands, others may take what an upcall of this thread keeps. A wait for a peer,
// for its reply or until it is connected, may not be granted.
class WaitInUpcall {
 public:
  explicit WaitInUpcall(bool for_peer = false) {
    ServerRequest* const upcall = ServerRequest::current();
    server_ = upcall ? upcall->orb().server() : nullptr;
    if (!server_) return;
    if (for_peer) granted_ = server_->begin_call(*upcall);
    else server_->begin_wait(*upcall);
  }
  ~WaitInUpcall() {
    if (server_ && granted_) server_->end_wait();
  }
  bool granted() const { return granted_; }
  WaitInUpcall(const WaitInUpcall&) = delete;
  WaitInUpcall& operator=(const WaitInUpcall&) = delete;

 private:
  AbstractServer* server_;
  bool granted_ = true;
};

}  // namespace corbel::core
