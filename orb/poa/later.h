// A thread for calls to the application that must not keep whoever causes them.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <thread>

#include "orb/base/mutex.h"

namespace corbel::poa {

// Thread-safe. The thread is started by the first task. Tasks run one after the other and do not throw.
class Later {
 public:
  Later();
  // Runs what is left, unless it is destroyed by a task.
  ~Later();
  Later(const Later&) = delete;
  Later& operator=(const Later&) = delete;

  // Runs in the calling thread if there can be no other.
  void add(std::function<void()> task);

 private:
  struct Queue;
  bool start_locked();
  void leave_to_parent();

  const std::shared_ptr<Queue> queue_;
  std::thread thread_;
  int process_ = 0;  // that has it
};

}  // namespace corbel::poa
