#include "orb/transport/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace corbel::transport {

EventLoop::EventLoop() : epoll_(epoll_create1(EPOLL_CLOEXEC)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!usable()) return;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;
  epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event);
}

bool EventLoop::add(int descriptor, void* token, bool at_once) {
  epoll_event event{};
  event.events = at_once ? EPOLLIN | EPOLLOUT | EPOLLONESHOT : EPOLLIN | EPOLLONESHOT;
  event.data.ptr = token;
  return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void EventLoop::arm(int descriptor, void* token) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLONESHOT;
  event.data.ptr = token;
  epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, descriptor, &event);
}

void EventLoop::remove(int descriptor) { epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr); }

void* EventLoop::wait(int timeout) {
  epoll_event event{};
  if (epoll_wait(epoll_.get(), &event, 1, timeout) != 1) return nullptr;
  if (event.data.ptr) return event.data.ptr;
  // What is behind the wake-up is not to be taken for nothing.
  hush();
  return epoll_wait(epoll_.get(), &event, 1, 0) == 1 ? event.data.ptr : nullptr;
}

bool EventLoop::follow(const EventLoop& other) {
  epoll_event event{};
  event.events = EPOLLIN;
  return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, other.descriptor(), &event) == 0;
}

void EventLoop::hush() {
  std::uint64_t count;
  [[maybe_unused]] const auto n = ::read(wake_.get(), &count, sizeof count);
}

void EventLoop::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto n = ::write(wake_.get(), &one, sizeof one);
}

}  // namespace corbel::transport
