// Waits for descriptors: epoll, with a way to wake the waiter.
#pragma once

#include <cstdint>

#include "orb/transport/descriptor.h"

namespace corbel::transport {

// Registrations are one-shot: an event disarms its descriptor until arm(). Any thread may register, arm and
// wake; one thread at a time waits.
class EventLoop {
 public:
  EventLoop();
  // False: the process has no descriptors left, and nothing below works.
  bool usable() const { return epoll_.get() >= 0 && wake_.get() >= 0; }
  // The token comes back from wait(); it must not be null. False if the system has no room for another one.
  // With `at_once` there is an event whether there is something to read or not.
  bool add(int descriptor, void* token, bool at_once = false);
  void arm(int descriptor, void* token);
  void remove(int descriptor);
  // Token of one ready descriptor; null after wake(), the timeout (milliseconds, -1 = none) or a signal.
  void* wait(int timeout);
  void wake();
  // For a loop in which nobody waits: its descriptor is readable while that of `other` is, and from wake() to
  // hush().
  bool follow(const EventLoop& other);
  void hush();
  int descriptor() const { return epoll_.get(); }

 private:
  Descriptor epoll_;
  Descriptor wake_;
};

}  // namespace corbel::transport
