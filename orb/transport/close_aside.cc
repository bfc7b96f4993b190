#include "orb/transport/close_aside.h"

#include <unistd.h>

#include <atomic>
#include <memory>
#include <new>
#include <utility>

#include "orb/base/thread.h"

namespace corbel::transport {
namespace {

constexpr int kMostClosing = 8;

std::atomic<int> closing{0};
std::atomic<pid_t> closing_in{0};  // a forked child has not its parent's threads

void* close_it(void* socket) {
  delete static_cast<Descriptor*>(socket);
  closing.fetch_sub(1, std::memory_order_relaxed);
  return nullptr;
}

}  // namespace

bool may_close_aside() {
  if (closing_in.exchange(getpid(), std::memory_order_relaxed) != getpid()) closing.store(0);
  return closing.load(std::memory_order_relaxed) < kMostClosing;
}

void close_aside(Descriptor socket) {
  std::unique_ptr<Descriptor> aside(new (std::nothrow) Descriptor);
  if (!aside) return;
  *aside = std::move(socket);
  closing.fetch_add(1, std::memory_order_relaxed);
  pthread_t thread;
  if (base::start_thread(thread, close_it, aside.get())) {
    pthread_detach(thread);
    aside.release();
  } else {
    closing.fetch_sub(1, std::memory_order_relaxed);
  }
}

}  // namespace corbel::transport
