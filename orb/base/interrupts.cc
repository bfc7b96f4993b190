#include "orb/base/interrupts.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <mutex>

#include "orb/base/mutex.h"

namespace corbel::base {
namespace {

constexpr int kSignal = SIGURG;

Mutex guard;
int users = 0;

void do_nothing(int) {}

bool handled_by(void (*handler)(int)) {
  struct sigaction now;
  return sigaction(kSignal, nullptr, &now) == 0 && now.sa_handler == handler;
}

bool handle_by(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return sigaction(kSignal, &action, nullptr) == 0;
}

bool blocked() {
  sigset_t now;
  return pthread_sigmask(SIG_BLOCK, nullptr, &now) == 0 && sigismember(&now, kSignal) == 1;
}

}  // namespace

// The handler may be there without a user, where a program has put it back that had taken it away.
Interrupts::Interrupts(bool wanted) {
  if (!wanted || blocked()) return;
  const std::lock_guard lock(guard);
  handles_ = handled_by(do_nothing) || (users == 0 && handled_by(SIG_DFL) && handle_by(do_nothing));
  users += handles_;
}

Interrupts::~Interrupts() {
  if (!handles_) return;
  const std::lock_guard lock(guard);
  if (--users == 0 && handled_by(do_nothing)) handle_by(SIG_DFL);
}

bool Interrupts::possible() const { return handles_ && handled_by(do_nothing); }

void Interrupts::admit() const {
  if (!handles_) return;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, kSignal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void Interrupts::interrupt(pid_t thread) const { syscall(SYS_tgkill, getpid(), thread, kSignal); }

}  // namespace corbel::base
