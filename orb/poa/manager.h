// POAManager: decides what happens to the requests of its adapters (CORBA 3.4 part 1, "POAManager
// Interface").
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

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

  Manager(AdapterTable& table, std::string id) : table_(table), id_(std::move(id)) {}

  const std::string& id() const { return id_; }

  State state() const { return state_.load(); }
  // To Holding, Active or Discarding: AdapterInactive when it is inactive, which is for ever. With `wait`
  // until no request runs in its adapters, unless the state has changed again: WouldWaitForItself in an
  // upcall of the ORB.
  Outcome change(State state, bool wait);
  // To Inactive. `etherealize`: ends the objects of adapters with servant activators, each when nothing runs
  // in it; of several calls the first says whether, and each may wait for that.
  Outcome deactivate(bool etherealize, bool wait);

  // For a request that found the manager not active, and which is in no adapter now: true if it is worth
  // looking again, false if it has been refused. Held requests wait here until the state changes, or `gone`
  // and wake().
  bool admit(core::ServerRequest& request, const std::atomic<bool>& gone);
  // True with what a request would be answered, if its state refuses requests.
  bool would_refuse(SystemError& error) const;
  // Lets every held request look again.
  void wake();

 private:
  enum class Told : std::uint32_t { Nothing, Keep, Etherealize };
  Outcome set(State state, bool wait);

  friend class AdapterTable;
  AdapterTable& table_;
  const std::string id_;
  std::uint32_t adapters_ = 0;  // that have it; guarded by the table's lock
  std::atomic<State> state_{State::Holding};
  std::atomic<Told> told_{Told::Nothing};  // what becomes of objects when it is inactive
  base::Condition changed_;
};

}  // namespace corbel::poa
