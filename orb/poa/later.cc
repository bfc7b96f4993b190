#include "orb/poa/later.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <exception>
#include <mutex>
#include <utility>

#include "orb/base/futex.h"

namespace corbel::poa {

struct Later::Queue {
  void run() {
    for (;;) {
      const std::uint32_t epoch = changed.epoch();
      std::function<void()> task;
      {
        std::lock_guard lock(mutex);
        if (!tasks.empty()) {
          task = std::move(tasks.front());
          tasks.pop_front();
        } else if (end) {
          return;
        }
      }
      if (task) task();
      else changed.wait(epoch);
    }
  }

  base::Condition changed;
  base::Mutex mutex;  // guards what follows, and the thread
  std::deque<std::function<void()>> tasks;
  bool end = false;
};

Later::Later() : queue_(std::make_shared<Queue>()) {}

Later::~Later() {
  {
    std::lock_guard lock(queue_->mutex);
    queue_->end = true;
  }
  queue_->changed.notify_all();
  if (!thread_.joinable()) return;
  if (process_ != ::getpid()) leave_to_parent();
  else if (thread_.get_id() == std::this_thread::get_id()) thread_.detach();
  else thread_.join();
}

// A child of fork() has none of the parent's threads; who owned one has nothing to join.
void Later::leave_to_parent() { (void)new std::thread(std::move(thread_)); }

bool Later::start_locked() {
  if (thread_.joinable() && process_ != ::getpid()) leave_to_parent();
  if (thread_.joinable()) return true;
  process_ = ::getpid();
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);  // the new thread inherits it: signals stay the application's
  try {
    thread_ = std::thread([queue = queue_] { queue->run(); });
  } catch (const std::exception&) {
    // The caller does it.
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  return thread_.joinable();
}

void Later::add(std::function<void()> task) {
  {
    std::lock_guard lock(queue_->mutex);
    if (start_locked()) queue_->tasks.push_back(std::exchange(task, nullptr));
  }
  if (task) return task();
  queue_->changed.notify_all();
}

}  // namespace corbel::poa
