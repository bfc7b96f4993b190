// Code of the application that an ORB runs although no request has brought the thread there.
#pragma once

namespace corbel::core {

class Orb;

// Stands for the time of such a call: the thread counts as being in an upcall (Orb::in_upcall), for whatever
// waits for the ORB's calls to end would wait for this one too.
class ApplicationCall {
 public:
  explicit ApplicationCall(const Orb& orb) : orb_(orb), outer_(current_) { current_ = this; }
  ~ApplicationCall() { current_ = outer_; }
  ApplicationCall(const ApplicationCall&) = delete;
  ApplicationCall& operator=(const ApplicationCall&) = delete;

  static bool runs(const Orb& orb) {
    for (const ApplicationCall* c = current_; c; c = c->outer_)
      if (&c->orb_ == &orb) return true;
    return false;
  }

 private:
  static constinit inline thread_local ApplicationCall* current_ = nullptr;
  const Orb& orb_;
  ApplicationCall* const outer_;
};

}  // namespace corbel::core
