#include "orb/core/idle_connections.h"

#include <new>

#include "orb/base/thread.h"
#include "orb/core/orb.h"

namespace corbel::core {

IdleThread::IdleThread(Orb& orb, std::int64_t period)
    : orb_(orb), period_(period), started_(base::start_thread(thread_, run, this)) {}

void* IdleThread::run(void* idle_thread) {
  static_cast<IdleThread*>(idle_thread)->run();
  return nullptr;
}

void IdleThread::run() {
  for (;;) {
    const std::uint32_t epoch = ending_.epoch();
    if (end_.load()) return;
    if (ending_.wait(epoch, base::now() + period_)) continue;
    try {
      orb_.close_idle_connections();
    } catch (const std::bad_alloc&) {  // until the next time
    }
  }
}

IdleThread::~IdleThread() {
  end_.store(true);
  ending_.notify_all();
  if (started_) pthread_join(thread_, nullptr);
}

}  // namespace corbel::core
