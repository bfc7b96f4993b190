// Threads of a test that wait for what others have to do.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace corbel::testing_support {

// Each says that it is there; who needs them all to be waiting asks for that. A thread that only meets a lock
// on its way does not sleep for so long.
class Sleepers {
 public:
  void join() {
    std::lock_guard lock(mutex_);
    all_.push_back(gettid());
  }
  // So many have come, and all of them sleep, but for the caller.
  bool wait_for(std::size_t count) {
    int looks = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (looks < 5) {
      looks = asleep(count) ? looks + 1 : 0;
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
  }

 private:
  bool asleep(std::size_t count) {
    std::lock_guard lock(mutex_);
    return all_.size() >= count && std::all_of(all_.begin(), all_.end(), [](pid_t thread) {
             return thread == gettid() || state(thread) == 'S';
           });
  }
  static char state(pid_t thread) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name = line.rfind(") ");
    return name == std::string::npos ? '?' : line[name + 2];
  }

  std::mutex mutex_;
  std::vector<pid_t> all_;
};

}  // namespace corbel::testing_support
