#include "orb/poa/later.h"

#include <unistd.h>

#include <deque>
#include <exception>
#include <mutex>
#include <utility>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"
#include "orb/base/thread.h"

namespace corbel::poa {
namespace {
constexpr std::size_t kMost = 8;  // tasks at a time, beside those that wait
}  // namespace

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
        } else {
          ++idle;
        }
      }
      if (task) {
        task();
        continue;
      }
      changed.wait(epoch);
      std::lock_guard lock(mutex);
      --idle;
    }
  }

  base::Condition changed;
  base::Mutex mutex;  // guards what follows, and the threads
  std::deque<std::function<void()>> tasks;
  std::size_t idle = 0;
  std::size_t waiting = 0;
  bool end = false;
};

Later::Later(std::size_t most_waiting) : most_waiting_(most_waiting), queue_(std::make_shared<Queue>()) {}

Later::~Later() {
  {
    std::lock_guard lock(queue_->mutex);
    queue_->end = true;  // no thread is started any more
  }
  queue_->changed.notify_all();
  if (process_ != ::getpid()) leave_to_parent();
  for (std::thread& thread : threads_)
    if (thread.get_id() == std::this_thread::get_id()) thread.detach();
    else thread.join();
}

// A child of fork() has none of the parent's threads; who owned some has nothing to join.
void Later::leave_to_parent() {
  if (!threads_.empty()) (void)new std::vector<std::thread>(std::exchange(threads_, {}));
}

bool Later::start_locked() {
  if (queue_->end) return false;
  const base::NoSignals no_signals;
  try {
    threads_.emplace_back([queue = queue_] { queue->run(); });
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// As many as there are tasks that nobody is about to begin. Where there can be none, those that are there do
// it.
void Later::start_some_locked() {
  if (process_ != ::getpid()) {
    leave_to_parent();
    queue_->idle = queue_->waiting = 0;
    process_ = ::getpid();
  }
  const bool enough = queue_->tasks.size() <= queue_->idle || threads_.size() >= kMost + queue_->waiting;
  if (!enough) (void)start_locked();
}

void Later::add(std::function<void()> task) {
  {
    std::lock_guard lock(queue_->mutex);
    queue_->tasks.push_back(std::move(task));
    start_some_locked();
    task = nullptr;
    if (threads_.empty()) {
      task = std::move(queue_->tasks.back());
      queue_->tasks.pop_back();
    }
  }
  if (task) return task();
  queue_->changed.notify_all();
}

bool Later::begin_wait() {
  std::lock_guard lock(queue_->mutex);
  if (queue_->waiting == most_waiting_) return false;
  ++queue_->waiting;
  start_some_locked();
  if (threads_.size() > queue_->waiting || start_locked()) return true;
  --queue_->waiting;
  return false;
}

void Later::end_wait() {
  std::lock_guard lock(queue_->mutex);
  --queue_->waiting;
}

}  // namespace corbel::poa
