#include "orb/core/idle_connections.h"

#include "orb/base/no_signals.h"

namespace corbel::core {

IdleThread::IdleThread(std::int64_t period, std::function<void()> look) {
  const base::NoSignals no_signals;
  try {
    thread_ = std::thread([this, period, look = std::move(look)] {
      for (;;) {
        const std::uint32_t epoch = ending_.epoch();
        if (end_.load()) return;
        if (!ending_.wait(epoch, base::now() + period)) look();
      }
    });
  } catch (const std::exception&) {
    // Without the thread connections stay open until their servers close them.
  }
}

IdleThread::~IdleThread() {
  end_.store(true);
  ending_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace corbel::core
