// A server of its own process, started and ended by a test.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <sys/types.h>

namespace lifecycle {

// Runs the program of this test's build until the object goes. Dies with the test, whatever happens.
class Child {
 public:
  explicit Child(const char* program, const std::vector<std::string>& arguments);
  ~Child() { kill(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // The next line it prints; empty at its end.
  std::string line();
  // At once, as by SIGKILL. Waits until it is gone.
  void kill() { (void)end(9); }
  // Sends SIGTERM and gives the exit status, -1 for a death by signal or after twenty seconds.
  int stop() { return end(15); }

 private:
  int end(int signal);
  pid_t pid_ = -1;
  FILE* output_ = nullptr;
};

}  // namespace lifecycle
