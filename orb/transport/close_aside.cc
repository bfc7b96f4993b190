#include "orb/transport/close_aside.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "orb/base/mutex.h"
#include "orb/base/thread.h"

namespace corbel::transport {
namespace {

constexpr int kMostThreads = 8;
constexpr std::size_t kMostWaiting = 256;

// Changed by one write at a time, so that a forked child finds it whole.
struct Waiting {
  base::Mutex mutex;
  std::array<Descriptor, kMostWaiting> all;
  std::size_t count = 0;
  int threads = 0;
  pid_t process = 0;  // a forked child has not its parent's threads
  static Waiting& instance() {
    static Waiting* const waiting = new Waiting;  // the process's end closes them without waiting
    return *waiting;
  }
};

void* close_waiting(void*) {
  Waiting& waiting = Waiting::instance();
  for (;;) {
    Descriptor next;
    std::lock_guard lock(waiting.mutex);
    if (waiting.count == 0) {
      --waiting.threads;
      return nullptr;
    }
    next = std::move(waiting.all[waiting.count - 1]);
    --waiting.count;
  }
}

void* replace(void* numbers) {
  const std::unique_ptr<std::pair<int, int>> both(static_cast<std::pair<int, int>*>(numbers));
  ::dup3(both->second, both->first, O_CLOEXEC);
  return nullptr;
}

}  // namespace

bool close_aside(Descriptor& socket) {
  Waiting& waiting = Waiting::instance();
  std::lock_guard lock(waiting.mutex);
  if (waiting.count == kMostWaiting) return false;
  if (std::exchange(waiting.process, getpid()) != getpid()) waiting.threads = 0;
  waiting.all[waiting.count] = std::move(socket);
  ++waiting.count;
  pthread_t thread;
  if (waiting.threads < kMostThreads && base::start_thread(thread, close_waiting, nullptr)) {
    pthread_detach(thread);
    ++waiting.threads;
  }  // otherwise one of the others closes it, or the next one
  return true;
}

bool replace_aside(int number, int by) {
  auto* const numbers = new (std::nothrow) std::pair<int, int>(number, by);
  pthread_t thread;
  if (!numbers || !base::start_thread(thread, replace, numbers)) return delete numbers, false;
  pthread_detach(thread);
  return true;
}

}  // namespace corbel::transport
