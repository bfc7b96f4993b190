#include "orb/core/main_thread.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "orb/core/application_call.h"
#include "orb/core/orb.h"
#include "orb/core/upcall_lock.h"

namespace corbel::core {

// ---- whose place it is

bool MainThread::is_main_locked() const {
  return base::thread_id() == (thread_ != 0 ? thread_ : static_cast<std::uint32_t>(getpid()));
}

bool MainThread::may_take_locked(As as) const { return is_main_locked() || (depth_ == 0 && as != As::Main); }

bool MainThread::take(As as, std::uint32_t& former) {
  std::lock_guard lock(mutex_);
  if (!may_take_locked(as)) return false;
  former = is_main_locked() || as != As::Ending ? base::thread_id() : thread_;
  thread_ = base::thread_id();
  ++depth_;
  return true;
}

void MainThread::give(std::uint32_t former) {
  std::lock_guard lock(mutex_);
  if (depth_ == 0 || !is_main_locked()) return;  // a child of fork()
  thread_ = former;
  if (--depth_ == 0 && first_) wake_all_locked();
}

// ---- the queue

void MainThread::wake_all_locked() {
  for (base::Condition* const condition : waiting_) condition->notify_all();
}

void MainThread::wake_server() {
  if (AbstractServer* const server = orb_.server(); server && server->reactive()) server->wake_all();
}

void MainThread::add_locked(Task& task) {
  (first_ ? last_->next : first_) = &task;
  last_ = &task;
  queued_.fetch_add(1);
  wake_all_locked();
}

// The task is gone as soon as its caller sees the state; only its address is used behind that.
void MainThread::end(Task& task, std::uint32_t state) {
  if (task.posted) {
    delete &task;
    return;
  }
  task.state.store(state, std::memory_order_release);
  base::futex_wake(task.state);
  wake_server();
}

// The thread's turn goes to others meanwhile, on whom what runs in the main thread may wait, unless nearly
// all threads wait. In the reactive model it may be the one that waits for events, which must go on.
bool MainThread::call(void (*function)(void*), void* data) {
  if (const Here here(*this, As::Main); here) {
    function(data);
    return true;
  }
  Task task{function, data, false};
  AbstractServer* const server = orb_.server();
  const bool reactive = server && server->reactive();
  const bool waits = server && (reactive || server->begin_dependent(2));
  const LetGo let_go;
  ServerRequest* const request = waits ? ServerRequest::current() : nullptr;
  AbstractServer* const its = request ? request->orb().server() : nullptr;
  if (its) its->count_wait(*request);  // before the main thread has the request
  {
    std::lock_guard lock(mutex_);
    if (refuses_) task.state.store(kRefused, std::memory_order_relaxed);
    else add_locked(task);
  }
  if (its) its->let_go_for_wait(*request);  // behind it: the next one of the connection must not come first
  wake_server();
  if (reactive) {
    (void)server->run_while(task.state, kQueued, base::kNoDeadline);
  } else {
    while (task.state.load(std::memory_order_acquire) == kQueued) base::futex_wait(task.state, kQueued);
  }
  if (waits) {
    orb_.end_wait();
    if (!reactive) server->end_dependent();
  }
  return task.state.load(std::memory_order_acquire) == kDone;
}

void MainThread::post(std::function<void()> function) {
  auto kept = std::make_unique<std::function<void()>>(std::move(function));
  auto task = std::make_unique<Task>(
      [](void* data) {
        (*std::unique_ptr<std::function<void()>>(static_cast<std::function<void()>*>(data)))();
      },
      kept.get(), true);
  {
    std::lock_guard lock(mutex_);
    add_locked(*task);
  }
  (void)kept.release();
  (void)task.release();
  wake_server();
}

bool MainThread::serve(As as) {
  if (queued_.load() == 0) return false;
  const Here here(*this, as);
  if (!here) return false;
  Task* task;
  {
    std::lock_guard lock(mutex_);
    task = first_;
    if (!task) return false;
    first_ = task->next;
    queued_.fetch_sub(1);
  }
  if (!task->posted && here.stands_in()) {
    end(*task, kRefused);
    return true;
  }
  {
    const ApplicationCall call(orb_);
    task->function(task->data);
  }
  end(*task, kDone);
  return true;
}

bool MainThread::pending(As as) {
  if (queued_.load() == 0) return false;
  std::lock_guard lock(mutex_);
  return first_ && may_take_locked(as);
}

void MainThread::wait(base::Condition& condition, std::uint32_t epoch, As as) {
  if (serve(as)) return;
  bool may_serve;
  {
    std::lock_guard lock(mutex_);
    may_serve = as != As::Main || is_main_locked();
    if (may_serve) {
      if (first_ && may_take_locked(as)) return;
      waiting_.push_back(&condition);
    }
  }
  condition.wait(epoch);
  if (!may_serve) return;
  std::lock_guard lock(mutex_);
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), &condition));
}

// ---- the ORB's end

void MainThread::refuse() {
  Task* refused = nullptr;
  {
    std::lock_guard lock(mutex_);
    refuses_ = true;
    Task* all = std::exchange(first_, nullptr);
    queued_.store(0);
    while (Task* const task = all) {
      all = std::exchange(task->next, nullptr);
      if (task->posted) {
        (first_ ? last_->next : first_) = task;
        last_ = task;
        queued_.fetch_add(1);
      } else {
        task->next = std::exchange(refused, task);
      }
    }
  }
  while (Task* const task = refused) {
    refused = task->next;
    end(*task, kRefused);
  }
}

// What was in the queue belonged to threads that are not here.
void MainThread::after_fork_in_child() {
  mutex_.reset_in_child();
  thread_ = depth_ = 0;
  first_ = nullptr;
  queued_.store(0);
  ending_.store(0);
  waiting_.clear();
}

}  // namespace corbel::core
