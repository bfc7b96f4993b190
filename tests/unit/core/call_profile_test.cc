#include "orb/core/call_profile.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "orb/core/orb.h"

namespace corbel::core {
namespace {

std::atomic<int> opened{0};
bool changed = false;  // while the process was about to be copied
bool in_child = false;

// Runs behind the ORBs' own, which are registered later.
void look_for_changes() {
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  pause();  // one may have been on its way
  const int then = opened;
  pause();
  changed = opened != then;
}

TEST(CallProfile, NoneBeginsOrEndsWhileTheProcessForks) {
  // After the profiles', which are registered later; before the look for leaks, to which what the other
  // thread was just making is one.
  ASSERT_EQ(std::atexit([] {
              if (in_child) _exit(0);
            }),
            0);
  ASSERT_EQ(pthread_atfork(look_for_changes, nullptr, nullptr), 0);
  const base::Ref<Orb> orb = base::make_ref<Orb>(Options{});
  std::atomic<bool> stop{false};
  std::thread other([&] {
    SystemError error;
    for (; !stop; ++opened)
      if (!CallProfile::open("/dev/null", error)) break;
  });
  while (opened < 10) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    in_child = true;
    alarm(20);
    std::exit(0);  // writes all profiles
  }
  const int then = opened;
  while (opened == then) std::this_thread::yield();
  stop = true;
  other.join();
  EXPECT_FALSE(changed);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace corbel::core
