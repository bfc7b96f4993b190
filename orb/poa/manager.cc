#include "orb/poa/manager.h"

#include "orb/core/orb.h"
#include "orb/ior/assigned.h"

namespace corbel::poa {

bool Manager::change(State state) {
  State seen = state_.load(std::memory_order_relaxed);
  do {
    if (seen == State::Inactive) return state == State::Inactive;
  } while (!state_.compare_exchange_weak(seen, state, std::memory_order_acq_rel));
  changed_.notify_all();
  return true;
}

// Rare and short: looked at every millisecond, so that no request pays for waking this up.
void Manager::wait_until_idle() {
  while (running_.load(std::memory_order_acquire) != 0) changed_.wait(changed_.epoch(), base::now() + 1'000'000);
}

bool Manager::admit_slow(core::ServerRequest& request) {
  const auto refuse = [&](SystemErrorId id, std::uint32_t minor, const char* detail) {
    request.system_exception({id, Completion::No, assigned::kOmgMinor | minor, detail});
    return false;
  };
  bool waiting = false, admitted = false;
  for (bool decided = false; !decided;) {
    const std::uint32_t epoch = changed_.epoch();
    switch (state()) {
      case State::Active: decided = admitted = true; break;
      case State::Discarding:
        refuse(SystemErrorId::TRANSIENT, 1, "the POAManager discards requests");
        decided = true;
        break;
      case State::Inactive:
        refuse(SystemErrorId::OBJ_ADAPTER, 1, "the POAManager is inactive");
        decided = true;
        break;
      case State::Holding:
        if (request.orb().is_shut_down() || (!waiting && held_.load(std::memory_order_relaxed) >= kMostHeld)) {
          refuse(SystemErrorId::TRANSIENT, 1, "the POAManager holds requests, and no more may wait");
          decided = true;
        } else {
          if (!waiting) {
            held_.fetch_add(1, std::memory_order_relaxed);
            request.orb().begin_wait();
            waiting = true;
          }
          changed_.wait(epoch);
        }
    }
  }
  if (waiting) {
    request.orb().end_wait();
    held_.fetch_sub(1, std::memory_order_relaxed);
  }
  return admitted;
}

}  // namespace corbel::poa
