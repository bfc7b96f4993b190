// Upcalls that one thread of the application makes (CORBA 3.4 part 1, "Thread Policy", MAIN_THREAD_MODEL).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"

namespace corbel::core {

class Orb;

// An ORB's main thread is the one that is inside of run() or perform_work(), or was so last; before that the
// process's first thread. Others leave what it is to do in a queue. Thread-safe.
class MainThread {
 public:
  explicit MainThread(Orb& orb) : orb_(orb) {}
  MainThread(const MainThread&) = delete;
  MainThread& operator=(const MainThread&) = delete;

  // Who may do what is in the queue, while nobody else does: the main thread; who becomes it; at the ORB's
  // end, when it may have left run(), whoever waits for that, who makes no requests' upcalls.
  enum class As { Main, Entering, Ending };

  // Has the place of the main thread, if it could be had.
  class Here {
   public:
    Here(MainThread& main, As as) : main_(main), there_(main.take(as, former_)) {}
    ~Here() {
      if (there_) main_.give(former_);
    }
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;
    explicit operator bool() const { return there_; }
    // Another thread is the main one otherwise.
    bool stands_in() const { return there_ && former_ != base::thread_id(); }

   private:
    MainThread& main_;
    std::uint32_t former_;  // who it was before and is behind this
    const bool there_;
  };

  // Calls it in the main thread, and returns when that is done. False: the ORB is shut down, and it has not
  // been called.
  bool call(void (*function)(void* data), void* data);
  // The same later, at the ORB's end by whoever waits for that.
  void post(std::function<void()> function);

  // Does the first thing in the queue; false if there is none for this thread.
  bool serve(As as);
  bool pending(As as);
  // Until the condition has left the epoch, or this has done something that is in the queue.
  void wait(base::Condition& condition, std::uint32_t epoch, As as);

  // ---- the ORB's end
  // An adapter needs the main thread: it stays in run() while another thread shuts down and waits.
  void need() { needed_.store(true, std::memory_order_relaxed); }
  bool stays() const { return needed_.load(std::memory_order_relaxed) && ending_.load() != 0; }
  void begin_end() { ending_.fetch_add(1); }
  void end_end() { ending_.fetch_sub(1); }
  // Nothing is called any more, but what has been posted.
  void refuse();

  // ---- fork
  void before_fork() { mutex_.lock(); }
  void after_fork_in_parent() { mutex_.unlock(); }
  void after_fork_in_child();

 private:
  struct Task {
    void (*function)(void* data);
    void* data;
    bool posted;
    Task* next = nullptr;
    std::atomic<std::uint32_t> state{kQueued};
  };
  static constexpr std::uint32_t kQueued = 0, kDone = 1, kRefused = 2;

  bool is_main_locked() const;
  bool may_take_locked(As as) const;
  bool take(As as, std::uint32_t& former);
  void give(std::uint32_t former);
  void add_locked(Task& task);
  void wake_all_locked();
  void wake_server();
  void end(Task& task, std::uint32_t state);

  Orb& orb_;
  std::atomic<std::uint32_t> queued_{0};
  std::atomic<std::uint32_t> ending_{0};
  std::atomic<bool> needed_{false};
  base::Mutex mutex_;         // guards what follows
  std::uint32_t thread_ = 0;  // 0: the process's first
  std::uint32_t depth_ = 0;   // how often it has the place
  bool refuses_ = false;
  Task* first_ = nullptr;
  Task* last_ = nullptr;
  std::vector<base::Condition*> waiting_;  // where those sleep that may do what is in the queue
};

}  // namespace corbel::core
