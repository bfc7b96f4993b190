#include "orb/poa/manager.h"

#include "orb/core/orb.h"
#include "orb/core/server.h"
#include "orb/ior/assigned.h"
#include "orb/poa/adapter_table.h"

namespace corbel::poa {
namespace {

bool refuse(core::ServerRequest& request, SystemErrorId id, const char* detail) {
  request.system_exception({id, Completion::No, assigned::kOmgMinor | 1, detail});
  return false;
}

}  // namespace

Outcome Manager::set(State state, bool wait) {
  if (wait && table_.orb().in_upcall()) return Outcome::WouldWaitForItself;
  State seen = state_.load();
  do {
    if (seen == State::Inactive) return state == State::Inactive ? Outcome::Ok : Outcome::AdapterInactive;
  } while (!state_.compare_exchange_weak(seen, state));
  if (state == State::Active) table_.started();
  wake();
  return Outcome::Ok;
}

Outcome Manager::change(State state, bool wait) {
  const Outcome outcome = set(state, wait);
  if (outcome == Outcome::Ok && wait) table_.wait_until_idle(*this, state);
  return outcome;
}

Outcome Manager::deactivate(bool wait) { return change(State::Inactive, wait); }

void Manager::wake() {
  changed_.notify_all();
  if (held_.load() == 0) return;  // the ORB may be at its end, without a server
  core::Server* const server = table_.orb().server();
  if (server && server->reactive()) server->wake_all();
}

bool Manager::admit(core::ServerRequest& request, const std::atomic<bool>& gone) {
  switch (state()) {
    case State::Active:
      return true;
    case State::Discarding:
      return refuse(request, SystemErrorId::TRANSIENT, "the POAManager discards requests");
    case State::Inactive:
      return refuse(request, SystemErrorId::OBJ_ADAPTER, "the POAManager is inactive");
    case State::Holding:
      break;
  }
  if (!table_.begin_hold())
    return refuse(request, SystemErrorId::TRANSIENT,
                  "the POAManager holds requests, and no more of them can wait");
  const bool again = hold(request, gone);
  table_.end_hold();
  return again;
}

// One wait: whatever ends it, the caller looks again. A thread of the reactive model serves other requests
// meanwhile, for one of them may be what ends the holding.
bool Manager::hold(core::ServerRequest& request, const std::atomic<bool>& gone) {
  core::Orb& orb = request.orb();
  held_.fetch_add(1);
  const std::uint32_t epoch = changed_.epoch();
  const bool shut_down = orb.is_shut_down();
  if (!shut_down && !gone.load() && state() == State::Holding) {
    core::Server* const server = orb.server();
    orb.begin_wait();
    if (server && server->reactive()) server->run_while(changed_.word(), epoch, base::kNoDeadline);
    else changed_.wait(epoch);
    orb.end_wait();
  }
  held_.fetch_sub(1);
  return shut_down ? refuse(request, SystemErrorId::TRANSIENT, "the ORB has been shut down") : true;
}

}  // namespace corbel::poa
