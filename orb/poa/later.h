// Threads for calls to the application that must not keep whoever causes them.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace corbel::poa {

// Thread-safe. Tasks are begun in order, some at a time; threads are started as tasks need them. Tasks do not
// throw.
class Later {
 public:
  // So many tasks may wait at a time.
  explicit Later(std::size_t most_waiting);
  // Runs what is left, unless it is destroyed by a task.
  ~Later();
  Later(const Later&) = delete;
  Later& operator=(const Later&) = delete;

  // Runs in the calling thread if there can be no other.
  void add(std::function<void()> task);
  // The calling task waits, perhaps for another one: meanwhile it does not count among those that run, and
  // there is a thread for those. False, and no end_wait(), where that cannot be: too many wait already, or no
  // thread can be made.
  bool begin_wait();
  void end_wait();

 private:
  struct Queue;
  bool start_locked();
  void start_some_locked();
  void leave_to_parent();

  const std::size_t most_waiting_;
  const std::shared_ptr<Queue> queue_;
  std::vector<std::thread> threads_;
  int process_ = 0;  // that has them
};

}  // namespace corbel::poa
