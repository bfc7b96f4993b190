#include "orb/poa/serial.h"

#include <mutex>

namespace corbel::poa {

bool Serial::try_take() {
  std::lock_guard lock(mutex_);
  if (taken_) return false;
  return taken_ = true;
}

void Serial::give() {
  {
    std::lock_guard lock(mutex_);
    taken_ = false;
  }
  given_.notify_all();
}

// The thread's place in the pool is kept meanwhile: whoever holds the lock runs, or lets go of it.
void Serial::Turn::take() {
  while (!held_) {
    const std::uint32_t epoch = serial_->given_.epoch();
    held_ = serial_->try_take();
    if (!held_) serial_->given_.wait(epoch);
  }
}

// Two that waited for each other's lock would wait for ever, so a thread that waits lets go of what it holds,
// but not of what nobody could use without this lock.
void Serial::Turn::begin() {
  outer_ = core::UpcallLock::current();
  holder_ = this;
  for (core::UpcallLock* l = outer_; l; l = l->outer())
    if (l->of(serial_) && l->held()) holder_ = static_cast<Turn*>(l)->holder_;
  if (holder_ == this) {
    held_ = serial_->try_take();
    if (!held_ && outer_ && !outer_->of(serial_)) outer_->let_go();
    take();
  }
  core::UpcallLock::set_current(this);
}

Serial::Turn::~Turn() {
  if (!serial_) return;
  core::UpcallLock::set_current(outer_);
  if (held_) serial_->give();
  if (outer_ && !outer_->waits()) outer_->take_again();  // else it does so itself, when its wait is over
}

void Serial::Turn::let_go() {
  if (held_) {
    held_ = false;
    serial_->give();
  }
  if (outer_) outer_->let_go();
}

void Serial::Turn::take_again() { holder_->take(); }

}  // namespace corbel::poa
