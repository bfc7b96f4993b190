// What the core asks of an object adapter.
#pragma once

#include <corbel/core/upcall.h>

#include "orb/core/server_request.h"

namespace corbel::core {

// Implemented by the adapter's library and given to the ORB once. Functions may be called from any thread.
class Dispatcher {
 public:
  virtual ~Dispatcher() = default;

  // Finds the target of the request's key and runs it; afterwards the reply has been started, with an
  // exception where need be (OBJECT_NOT_EXIST for a key of ours that names nothing, TRANSIENT for a
  // discarding adapter). Must not throw.
  virtual void dispatch(ServerRequest& request) = 0;

  enum class Location { Here, Unknown };
  // Answers a LocateRequest without running anything.
  virtual Location locate(const char* key, std::uint32_t key_size) = 0;

  // Ends every adapter: no request starts afterwards; waits for running ones if `wait`.
  virtual void shutdown(bool wait) = 0;
};

}  // namespace corbel::core
