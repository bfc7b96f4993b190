// What keeps others out while an upcall runs.
#pragma once

namespace corbel::core {

// Held by the upcalls of a thread, and not while the innermost of them waits for something: a reply, or its
// turn elsewhere. So nobody who waits holds one, and nested calls come back in.
class UpcallLock {
 public:
  // For the time of a wait, which may be inside of another one: what comes in the middle of that one takes
  // nothing back.
  void begin_wait() {
    ++waits_;
    let_go();
  }
  void end_wait() {
    if (waits_ == 0 || --waits_ == 0) take_again();
  }
  bool waits() const { return waits_ != 0; }
  // The calling thread waits from here on. May be called again.
  virtual void let_go() = 0;
  // It goes on; blocks until nobody else holds the lock.
  virtual void take_again() = 0;
  virtual bool held() const = 0;
  // It is one of those that keep others out of `what`.
  virtual bool of(const void* what) const = 0;

  // Of the calling thread's innermost upcall that has one, or null.
  static UpcallLock* current() { return current_; }
  static void set_current(UpcallLock* lock) { current_ = lock; }
  // The calling thread keeps others out.
  static bool held_here() { return current_ && current_->held(); }

  UpcallLock* outer() const { return outer_; }

 protected:
  ~UpcallLock() = default;
  UpcallLock* outer_ = nullptr;  // the one of the same thread that this one is inside of

 private:
  static constinit inline thread_local UpcallLock* current_ = nullptr;
  unsigned waits_ = 0;
};

// For the time of a wait.
class LetGo {
 public:
  LetGo() : lock_(UpcallLock::current()) {
    if (lock_) lock_->begin_wait();
  }
  ~LetGo() {
    if (lock_) lock_->end_wait();
  }
  LetGo(const LetGo&) = delete;
  LetGo& operator=(const LetGo&) = delete;

 private:
  UpcallLock* const lock_;
};

}  // namespace corbel::core
