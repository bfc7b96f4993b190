#include "orb/core/idle_connections.h"

#include <new>
#include <utility>

#include "orb/base/thread.h"

namespace corbel::core {

IdleThread::IdleThread(std::int64_t period, std::function<void()> look)
    : period_(period), look_(std::move(look)), started_(base::start_thread(thread_, run, this)) {}

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
      look_();
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
