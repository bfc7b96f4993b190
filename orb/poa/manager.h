// POAManager: decides what happens to the requests of its adapters (CORBA 3.4 part 1, "POAManager
// Interface").
#pragma once

#include <atomic>
#include <cstdint>

#include "orb/base/futex.h"
#include "orb/base/ref.h"
#include "orb/core/server_request.h"
#include "orb/poa/outcome.h"

namespace corbel::poa {

class AdapterTable;

// Thread-safe. Lives no longer than its ORB.
class Manager final : public base::RefCounted {
 public:
  enum class State : std::uint32_t { Holding, Active, Discarding, Inactive };

  explicit Manager(AdapterTable& table) : table_(table) {}

  State state() const { return state_.load(); }
  // To Holding, Active or Discarding: AdapterInactive when it is inactive, which is for ever. With `wait`
  // until no request runs in its adapters, unless the state has changed again: WouldWaitForItself in an
  // upcall of the ORB.
  Outcome change(State state, bool wait);
  // To Inactive.
  Outcome deactivate(bool wait);

  // For a request that found the manager not active, and which is in no adapter now: true if it is worth
  // looking again, false if it has been refused. Held requests wait here until the state changes, or `gone`
  // and wake().
  bool admit(core::ServerRequest& request, const std::atomic<bool>& gone);
  // Lets every held request look again.
  void wake();

 private:
  bool hold(core::ServerRequest& request, const std::atomic<bool>& gone);
  Outcome set(State state, bool wait);

  AdapterTable& table_;
  std::atomic<State> state_{State::Holding};
  std::atomic<std::uint32_t> held_{0};
  base::Condition changed_;
};

}  // namespace corbel::poa
