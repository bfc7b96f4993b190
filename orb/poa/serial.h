// SINGLE_THREAD_MODEL: one thread at a time in the application's code of an adapter (CORBA 3.4 part 1,
// "Thread Policy").
#pragma once

#include "orb/base/futex.h"
#include "orb/base/mutex.h"
#include "orb/core/upcall_lock.h"

namespace corbel::poa {

// Thread-safe.
class Serial {
 public:
  Serial() = default;
  class Turn;

 private:
  bool try_take();
  void give();

  base::Mutex mutex_;
  bool taken_ = false;
  base::Condition given_;
};

// One thread's turn. A thread that has one gets another inside of it at once, also when it has let go of the
// first for a while.
class Serial::Turn final : private core::UpcallLock {
 public:
  // Waits for it; null: none is needed.
  explicit Turn(Serial* serial) : serial_(serial) {
    if (serial_) begin();
  }
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  void begin();
  void take();
  void let_go() override;
  void take_again() override;
  bool held() const override { return holder_->held_; }
  bool of(const void* what) const override { return what == serial_; }

  Serial* const serial_;
  bool held_ = false;
  Turn* holder_ = nullptr;  // the turn of this thread that holds the lock for this one
};

}  // namespace corbel::poa
