// omnithread's names over POSIX threads: mutexes, conditions, semaphores, threads.
//
// Priorities are remembered and have no effect, as with the ordinary scheduler of Linux everywhere. Threads
// that were not made here, those of the ORB among them, get an omni_thread when they ask for self().
#pragma once

#include <pthread.h>

// An error of the operating system, as errno has it.
class omni_thread_fatal {
 public:
  explicit omni_thread_fatal(int e = 0) : error(e) {}
  int error;
};

// Wrong use: a thread that was started twice, or cannot be joined.
class omni_thread_invalid {};

// A moment or a duration.
struct omni_time_t {
  unsigned long s;
  unsigned long ns;

  omni_time_t(unsigned long seconds = 0, unsigned long nanoseconds = 0) : s(seconds), ns(nanoseconds) {}
  void assign(unsigned long seconds, unsigned long nanoseconds) {
    s = seconds;
    ns = nanoseconds;
  }
  explicit operator bool() const { return s || ns; }

  omni_time_t& operator+=(const omni_time_t& other) {
    s += other.s;
    ns += other.ns;
    if (ns >= 1000000000) {
      ++s;
      ns -= 1000000000;
    }
    return *this;
  }
  omni_time_t& operator-=(const omni_time_t& other) {
    s -= other.s;
    if (ns < other.ns) {
      --s;
      ns += 1000000000;
    }
    ns -= other.ns;
    return *this;
  }
  friend omni_time_t operator+(omni_time_t a, const omni_time_t& b) { return a += b; }
  friend omni_time_t operator-(omni_time_t a, const omni_time_t& b) { return a -= b; }
  friend bool operator==(const omni_time_t& a, const omni_time_t& b) { return a.s == b.s && a.ns == b.ns; }
  friend bool operator!=(const omni_time_t& a, const omni_time_t& b) { return !(a == b); }
  friend bool operator<(const omni_time_t& a, const omni_time_t& b) {
    return a.s < b.s || (a.s == b.s && a.ns < b.ns);
  }
  friend bool operator>(const omni_time_t& a, const omni_time_t& b) { return b < a; }
  friend bool operator<=(const omni_time_t& a, const omni_time_t& b) { return !(b < a); }
  friend bool operator>=(const omni_time_t& a, const omni_time_t& b) { return !(a < b); }
};

// Not recursive.
class omni_mutex {
 public:
  omni_mutex() = default;
  ~omni_mutex() { pthread_mutex_destroy(&mutex_); }
  omni_mutex(const omni_mutex&) = delete;
  omni_mutex& operator=(const omni_mutex&) = delete;

  void lock() { pthread_mutex_lock(&mutex_); }
  // Not zero if it is locked now.
  int trylock() { return pthread_mutex_trylock(&mutex_) == 0; }
  void unlock() { pthread_mutex_unlock(&mutex_); }
  void acquire() { lock(); }
  void release() { unlock(); }

 private:
  friend class omni_condition;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

class omni_mutex_lock {
 public:
  omni_mutex_lock(omni_mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  ~omni_mutex_lock() { mutex_.unlock(); }
  omni_mutex_lock(const omni_mutex_lock&) = delete;
  omni_mutex_lock& operator=(const omni_mutex_lock&) = delete;

 private:
  omni_mutex& mutex_;
};

class omni_mutex_trylock {
 public:
  omni_mutex_trylock(omni_mutex& mutex) : mutex_(mutex), locked_(mutex.trylock()) {}
  ~omni_mutex_trylock() {
    if (locked_) mutex_.unlock();
  }
  omni_mutex_trylock(const omni_mutex_trylock&) = delete;
  omni_mutex_trylock& operator=(const omni_mutex_trylock&) = delete;
  int locked() const { return locked_; }

 private:
  omni_mutex& mutex_;
  int locked_;
};

// Whoever waits holds the mutex.
class omni_condition {
 public:
  explicit omni_condition(omni_mutex* mutex) : mutex_(mutex) {}
  ~omni_condition() { pthread_cond_destroy(&condition_); }
  omni_condition(const omni_condition&) = delete;
  omni_condition& operator=(const omni_condition&) = delete;

  void wait() { pthread_cond_wait(&condition_, &mutex_->mutex_); }
  // Until a moment that get_time() gave. Zero if it passed.
  int timedwait(unsigned long s, unsigned long ns = 0);
  int timedwait(const omni_time_t& t) { return timedwait(t.s, t.ns); }
  void signal() { pthread_cond_signal(&condition_); }
  void broadcast() { pthread_cond_broadcast(&condition_); }

 private:
  omni_mutex* mutex_;
  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
};

class omni_semaphore {
 public:
  omni_semaphore(unsigned int initial = 1, unsigned int maximum = 0x7fffffff)
      : condition_(&mutex_), value_(initial), maximum_(maximum) {}
  omni_semaphore(const omni_semaphore&) = delete;
  omni_semaphore& operator=(const omni_semaphore&) = delete;

  void wait();
  // Not zero if it did not have to wait.
  int trywait();
  // Above the maximum nothing happens.
  void post();

 private:
  omni_mutex mutex_;
  omni_condition condition_;
  unsigned int value_;
  const unsigned int maximum_;
};

class omni_semaphore_lock {
 public:
  omni_semaphore_lock(omni_semaphore& semaphore) : semaphore_(semaphore) { semaphore_.wait(); }
  ~omni_semaphore_lock() { semaphore_.post(); }
  omni_semaphore_lock(const omni_semaphore_lock&) = delete;
  omni_semaphore_lock& operator=(const omni_semaphore_lock&) = delete;

 private:
  omni_semaphore& semaphore_;
};

// Lives on the heap. A detached thread frees itself when it ends, another one when it is joined.
class omni_thread {
 public:
  enum priority_t { PRIORITY_LOW, PRIORITY_NORMAL, PRIORITY_HIGH };
  enum state_t { STATE_NEW, STATE_RUNNING, STATE_TERMINATED };

  // Threads that run a function. They begin with start(); what returns a value is joined for it.
  omni_thread(void (*function)(void*), void* argument = nullptr, priority_t priority = PRIORITY_NORMAL);
  omni_thread(void* (*function)(void*), void* argument = nullptr, priority_t priority = PRIORITY_NORMAL);
  omni_thread(const omni_thread&) = delete;
  omni_thread& operator=(const omni_thread&) = delete;

  void start();
  // Once, by another thread, of a thread that is not detached; the object is gone then.
  void join(void** result);
  void set_priority(priority_t priority);

  // Makes and starts one.
  static omni_thread* create(void (*function)(void*), void* argument = nullptr,
                             priority_t priority = PRIORITY_NORMAL);
  static omni_thread* create(void* (*function)(void*), void* argument = nullptr,
                             priority_t priority = PRIORITY_NORMAL);
  [[noreturn]] static void exit(void* result = nullptr);
  static omni_thread* self();
  static void yield();
  static void sleep(unsigned long s, unsigned long ns = 0);
  static void sleep(const omni_time_t& t) { sleep(t.s, t.ns); }
  // Now, and so much later.
  static void get_time(unsigned long* s, unsigned long* ns, unsigned long later_s = 0,
                       unsigned long later_ns = 0);
  static void get_time(omni_time_t& t, unsigned long later_s = 0) { get_time(&t.s, &t.ns, later_s); }
  static void get_time(omni_time_t& t, const omni_time_t& later) { get_time(&t.s, &t.ns, later.s, later.ns); }
  // Of threads that are started from now on; 0 is the system's default.
  static void stacksize(unsigned long bytes);
  static unsigned long stacksize();

  // Data of threads. A key is for all threads, its value for one; it is deleted with the thread.
  typedef unsigned int key_t;
  class value_t {
   public:
    virtual ~value_t() = default;
  };
  static key_t allocate_key();
  // In place of an older one, which is deleted.
  value_t* set_value(key_t key, value_t* adopted);
  value_t* get_value(key_t key);
  // Gives it up without deleting it.
  value_t* remove_value(key_t key);

  // For a thread that was not made here; self() does the same when it must.
  static omni_thread* create_dummy();
  static void release_dummy();
  class ensure_self {
   public:
    ensure_self() : self_(omni_thread::self()) {}
    ensure_self(const ensure_self&) = delete;
    ensure_self& operator=(const ensure_self&) = delete;
    omni_thread* self() { return self_; }

   private:
    omni_thread* const self_;
  };

  priority_t priority();
  state_t state();
  int id() const { return id_; }

 protected:
  // For derived classes, which override run() or run_undetached() and start themselves: with start() or
  // start_undetached().
  omni_thread(void* argument = nullptr, priority_t priority = PRIORITY_NORMAL);
  virtual ~omni_thread();
  void start_undetached();
  virtual void run(void* argument);
  virtual void* run_undetached(void* argument);

 private:
  struct Dummy {};
  struct Attached;
  explicit omni_thread(Dummy);
  static Attached& attached();
  static void* body(void* thread);
  static void ended(void* thread);
  void launch(bool detached);

  void (*detached_function_)(void*) = nullptr;
  void* (*function_)(void*) = nullptr;
  void* argument_ = nullptr;
  void* result_ = nullptr;
  omni_mutex mutex_;  // of what follows
  priority_t priority_ = PRIORITY_NORMAL;
  state_t state_ = STATE_NEW;
  bool detached_ = true;
  pthread_t handle_{};
  const int id_;
  value_t** values_ = nullptr;
  key_t value_count_ = 0;
};

// A count of references.
class omni_refcount {
 public:
  explicit omni_refcount(int start) : count_(start) {}
  omni_refcount(const omni_refcount&) = delete;
  omni_refcount& operator=(const omni_refcount&) = delete;

  int inc() { return __atomic_add_fetch(&count_, 1, __ATOMIC_ACQ_REL); }
  int dec() { return __atomic_sub_fetch(&count_, 1, __ATOMIC_ACQ_REL); }
  int value() { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE); }

 private:
  int count_;
};
