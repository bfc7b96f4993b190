#include "orb/poa/manager.h"

#include "orb/core/orb.h"
#include "orb/ior/assigned.h"
#include "orb/poa/adapter_table.h"

namespace corbel::poa {
namespace {

constexpr SystemError kDiscarding{SystemErrorId::TRANSIENT, Completion::No, assigned::kOmgMinor | 1,
                                  "the POAManager discards requests"};
constexpr SystemError kInactive{SystemErrorId::OBJ_ADAPTER, Completion::No, assigned::kOmgMinor | 1,
                                "the POAManager is inactive"};

bool refuse(core::ServerRequest& request, const SystemError& error) {
  request.system_exception(error);
  return false;
}

}  // namespace

Outcome Manager::set(State state, bool wait) {
  if (wait && table_.orb().in_upcall()) return Outcome::WouldWaitForItself;
  State seen = state_.load();
  do {
    if (seen == State::Inactive) return state == State::Inactive ? Outcome::Ok : Outcome::AdapterInactive;
  } while (!state_.compare_exchange_weak(seen, state));
  core::collocation_changed();
  if (state == State::Active) table_.started();
  wake();
  return Outcome::Ok;
}

Outcome Manager::change(State state, bool wait) {
  const Outcome outcome = set(state, wait);
  if (outcome == Outcome::Ok && wait) table_.wait_until_idle(*this, state);
  return outcome;
}

Outcome Manager::deactivate(bool etherealize, bool wait) {
  if (wait && table_.orb().in_upcall()) return Outcome::WouldWaitForItself;
  Told told = Told::Nothing;  // what the first one was told counts
  if (told_.compare_exchange_strong(told, etherealize ? Told::Etherealize : Told::Keep))
    told = etherealize ? Told::Etherealize : Told::Keep;
  const Outcome outcome = change(State::Inactive, wait);
  if (outcome == Outcome::Ok && told == Told::Etherealize) table_.etherealize_all(*this, wait);
  return outcome;
}

void Manager::wake() { table_.notify(changed_); }

bool Manager::would_refuse(SystemError& error) const {
  const State now = state();
  if (now != State::Discarding && now != State::Inactive) return false;
  error = now == State::Discarding ? kDiscarding : kInactive;
  return true;
}

bool Manager::admit(core::ServerRequest& request, const std::atomic<bool>& gone) {
  // One wait: whatever ends it, the caller looks again.
  const std::uint32_t epoch = changed_.epoch();
  switch (state()) {
    case State::Active:
      return true;
    case State::Discarding:
      return refuse(request, kDiscarding);
    case State::Inactive:
      return refuse(request, kInactive);
    case State::Holding:
      break;
  }
  return gone.load() || table_.hold(request, changed_, epoch);
}

}  // namespace corbel::poa
