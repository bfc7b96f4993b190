// The echo server inside of a loop of its own, on plain epoll: one thread that serves calls, counts seconds
// and ends in order at SIGTERM. docs/event-loops.md explains it.
#include <corbel/event_source.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <iostream>

#include "echo_servant.h"

namespace {

// What an application's loop is: descriptors, and what to do when one of them is readable.
class Loop {
 public:
  Loop() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {}
  ~Loop() { close(epoll_); }
  void watch(int descriptor, std::function<void()>& action) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &action;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  }
  void forget(int descriptor) { epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr); }
  void run() {
    while (!stopped_) {
      epoll_event event{};
      if (epoll_wait(epoll_, &event, 1, -1) == 1) (*static_cast<std::function<void()>*>(event.data.ptr))();
    }
  }
  void stop() { stopped_ = true; }

 private:
  int epoll_;
  bool stopped_ = false;
};

}  // namespace

int main(int argc, char** argv) try {
  // The reactive model by default: an argument says otherwise, and is refused below.
  setenv("CORBEL_SERVER_MODEL", "reactive", 0);
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  CORBA::String_var reference = reference_of(orb, servant);

  Loop loop;

  // The ORB is one of the loop's sources.
  corbel::EventSource source(orb);
  std::function<void()> serve = [&] { source.perform(); };
  loop.watch(source.descriptor(), serve);

  // A timer is another.
  int seconds = 0;
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  const itimerspec every_second{{1, 0}, {1, 0}};
  timerfd_settime(timer, 0, &every_second, nullptr);
  std::function<void()> count = [&] {
    std::uint64_t times;
    if (read(timer, &times, sizeof times) == sizeof times) seconds += static_cast<int>(times);
  };
  loop.watch(timer, count);

  // SIGTERM is a third.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  const int ends = signalfd(-1, &signals, SFD_CLOEXEC);
  std::function<void()> end = [&] { loop.stop(); };
  loop.watch(ends, end);

  std::cout << reference.in() << std::endl;
  loop.run();
  loop.forget(source.descriptor());
  std::cout << servant->calls << " calls, " << seconds << " seconds" << std::endl;
  orb->destroy();
  return 0;
} catch (const CORBA::Exception& e) {
  std::cerr << e.what() << std::endl;
  return 1;
}
