// POAManager: decides what happens to the requests of its adapters (CORBA 3.4 part 1, "POAManager Interface").
#pragma once

#include <atomic>
#include <cstdint>

#include "orb/base/futex.h"
#include "orb/base/ref.h"
#include "orb/core/server_request.h"

namespace corbel::poa {

// Thread-safe.
class Manager final : public base::RefCounted {
 public:
  enum class State : std::uint32_t { Holding, Active, Discarding, Inactive };

  State state() const { return state_.load(std::memory_order_acquire); }
  // False when it is inactive, which is for ever.
  bool change(State state);
  // Counts a request that is about to run; false with the reply made if it may not. Held requests wait here.
  bool admit(core::ServerRequest& request) {
    if (state() == State::Active) [[likely]] return true;
    return admit_slow(request);
  }
  // Brackets a request that was admitted.
  void enter() { running_.fetch_add(1, std::memory_order_relaxed); }
  void leave() { running_.fetch_sub(1, std::memory_order_release); }
  void wait_until_idle();
  void stop_waiting() { changed_.notify_all(); }

 private:
  // Requests that may wait while the manager holds: stops peers from filling the server with threads.
  static constexpr std::uint32_t kMostHeld = 1024;
  bool admit_slow(core::ServerRequest& request);
  std::atomic<State> state_{State::Holding};
  std::atomic<std::uint32_t> held_{0};
  std::atomic<std::uint32_t> running_{0};
  base::Condition changed_;
};

}  // namespace corbel::poa
