#include <omnithread.h>

#include <errno.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

namespace {

std::atomic<int> g_threads{0};
std::atomic<unsigned int> g_keys{0};
std::atomic<unsigned long> g_stack{0};

// The thread that began the process is number 0.
int next_id() { return getpid() == gettid() ? 0 : ++g_threads; }

}  // namespace

int omni_condition::timedwait(unsigned long s, unsigned long ns) {
  const timespec until{static_cast<time_t>(s), static_cast<long>(ns)};
  for (;;) {
    const int error = pthread_cond_timedwait(&condition_, &mutex_->mutex_, &until);
    if (error == 0) return 1;
    if (error == ETIMEDOUT) return 0;
    if (error != EINTR) throw omni_thread_fatal(error);
  }
}

void omni_semaphore::wait() {
  omni_mutex_lock lock(mutex_);
  while (value_ == 0) condition_.wait();
  --value_;
}

int omni_semaphore::trywait() {
  omni_mutex_lock lock(mutex_);
  if (value_ == 0) return 0;
  --value_;
  return 1;
}

void omni_semaphore::post() {
  omni_mutex_lock lock(mutex_);
  if (value_ >= maximum_) return;
  ++value_;
  condition_.signal();
}

// What a thread knows of itself.
struct omni_thread::Attached {
  omni_thread* thread = nullptr;
  bool dummy = false;
  ~Attached() {
    if (dummy) delete thread;
  }
};

omni_thread::Attached& omni_thread::attached() {
  thread_local Attached attached;
  return attached;
}

omni_thread::omni_thread(void (*function)(void*), void* argument, priority_t priority)
    : detached_function_(function), argument_(argument), priority_(priority), id_(++g_threads) {}

omni_thread::omni_thread(void* (*function)(void*), void* argument, priority_t priority)
    : function_(function), argument_(argument), priority_(priority), detached_(false), id_(++g_threads) {}

omni_thread::omni_thread(void* argument, priority_t priority)
    : argument_(argument), priority_(priority), id_(++g_threads) {}

omni_thread::omni_thread(Dummy) : state_(STATE_RUNNING), handle_(pthread_self()), id_(next_id()) {}

omni_thread::~omni_thread() {
  for (key_t k = 0; k < value_count_; ++k) delete values_[k];
  delete[] values_;
}

void omni_thread::start() { launch(detached_); }

void omni_thread::start_undetached() {
  if (detached_function_) throw omni_thread_invalid();
  launch(false);
}

void omni_thread::launch(bool detached) {
  // A detached thread may be gone when this returns: nothing is touched after the lock.
  omni_mutex_lock lock(mutex_);
  if (state_ != STATE_NEW) throw omni_thread_invalid();
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  if (const unsigned long bytes = g_stack) pthread_attr_setstacksize(&attributes, bytes);
  detached_ = detached;
  state_ = STATE_RUNNING;
  const int error = pthread_create(&handle_, &attributes, body, this);
  pthread_attr_destroy(&attributes);
  if (error == 0) return;
  state_ = STATE_NEW;
  throw omni_thread_fatal(error);
}

void* omni_thread::body(void* thread) {
  auto* const self = static_cast<omni_thread*>(thread);
  { omni_mutex_lock started(self->mutex_); }
  attached().thread = self;
  // exit() ends the thread from within.
  pthread_cleanup_push(ended, self);
  if (self->detached_function_) self->detached_function_(self->argument_);
  else if (self->function_) self->result_ = self->function_(self->argument_);
  else if (self->detached_) self->run(self->argument_);
  else self->result_ = self->run_undetached(self->argument_);
  pthread_cleanup_pop(1);
  return nullptr;
}

void omni_thread::ended(void* thread) {
  auto* const self = static_cast<omni_thread*>(thread);
  attached().thread = nullptr;
  bool detached;
  {
    omni_mutex_lock lock(self->mutex_);
    self->state_ = STATE_TERMINATED;
    detached = self->detached_;
  }
  if (detached) delete self;
}

void omni_thread::join(void** result) {
  {
    omni_mutex_lock lock(mutex_);
    if (state_ == STATE_NEW || detached_ || pthread_equal(handle_, pthread_self()))
      throw omni_thread_invalid();
  }
  if (const int error = pthread_join(handle_, nullptr)) throw omni_thread_fatal(error);
  if (result) *result = result_;
  delete this;
}

void omni_thread::set_priority(priority_t priority) {
  omni_mutex_lock lock(mutex_);
  if (state_ != STATE_RUNNING) throw omni_thread_invalid();
  priority_ = priority;
}

omni_thread* omni_thread::create(void (*function)(void*), void* argument, priority_t priority) {
  auto* const thread = new omni_thread(function, argument, priority);
  thread->start();
  return thread;
}

omni_thread* omni_thread::create(void* (*function)(void*), void* argument, priority_t priority) {
  auto* const thread = new omni_thread(function, argument, priority);
  thread->start();
  return thread;
}

void omni_thread::exit(void* result) {
  if (omni_thread* const thread = attached().thread) thread->result_ = result;
  pthread_exit(nullptr);
}

omni_thread* omni_thread::self() {
  Attached& here = attached();
  if (!here.thread) {
    here.thread = new omni_thread(Dummy());
    here.dummy = true;
  }
  return here.thread;
}

omni_thread* omni_thread::create_dummy() {
  if (attached().thread && !attached().dummy) throw omni_thread_invalid();
  return self();
}

void omni_thread::release_dummy() {
  Attached& here = attached();
  if (!here.dummy) throw omni_thread_invalid();
  delete here.thread;
  here = {};
}

void omni_thread::yield() { sched_yield(); }

void omni_thread::sleep(unsigned long s, unsigned long ns) {
  timespec left{static_cast<time_t>(s), static_cast<long>(ns)};
  while (nanosleep(&left, &left) != 0)
    if (errno != EINTR) throw omni_thread_fatal(errno);
}

void omni_thread::get_time(unsigned long* s, unsigned long* ns, unsigned long later_s,
                           unsigned long later_ns) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const unsigned long sum = static_cast<unsigned long>(now.tv_nsec) + later_ns;
  *s = static_cast<unsigned long>(now.tv_sec) + later_s + sum / 1000000000;
  *ns = sum % 1000000000;
}

void omni_thread::stacksize(unsigned long bytes) { g_stack = bytes; }
unsigned long omni_thread::stacksize() { return g_stack; }

omni_thread::key_t omni_thread::allocate_key() { return g_keys++; }

omni_thread::value_t* omni_thread::set_value(key_t key, value_t* adopted) {
  if (key >= g_keys) return nullptr;
  if (key >= value_count_) {
    const key_t count = g_keys;
    auto** const grown = new value_t*[count]();
    std::copy(values_, values_ + value_count_, grown);
    delete[] values_;
    values_ = grown;
    value_count_ = count;
  }
  if (values_[key] != adopted) delete values_[key];
  return values_[key] = adopted;
}

omni_thread::value_t* omni_thread::get_value(key_t key) {
  return key < value_count_ ? values_[key] : nullptr;
}

omni_thread::value_t* omni_thread::remove_value(key_t key) {
  if (key >= value_count_) return nullptr;
  value_t* const value = values_[key];
  values_[key] = nullptr;
  return value;
}

omni_thread::priority_t omni_thread::priority() {
  omni_mutex_lock lock(mutex_);
  return priority_;
}

omni_thread::state_t omni_thread::state() {
  omni_mutex_lock lock(mutex_);
  return state_;
}

void omni_thread::run(void*) {}
void* omni_thread::run_undetached(void*) { return nullptr; }
