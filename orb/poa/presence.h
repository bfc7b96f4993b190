// Which adapters and objects the threads are inside of.
//
// Requests enter and leave all the time, and must not write to memory that they share; whoever ends an object
// or an adapter may be slow. So each thread notes where it is in memory of its own, with plain stores, and
// whoever wants to know has the kernel bring the stores and loads of all threads in order first, then looks
// through what all have noted.
#pragma once

#include <atomic>
#include <cstdint>

namespace corbel::poa::presence {

// Where a thread is: the slots of an adapter and of one object, null for none. A thread's frames are in the
// order in which it has entered them; it leaves the last one first.
struct Frame {
  std::atomic<const void*> adapter;
  std::atomic<const void*> object;
};

inline constexpr std::size_t kBlock = 128;  // that frames stand in

// Behind the thread's last frame; where that is the end of a block, or null, the next frame is in another
// one.
extern constinit thread_local Frame* top [[gnu::tls_model("initial-exec")]];

// Once before anything is entered.
void prepare();

Frame* next_block();

// What the thread has entered, until it leaves it.
struct Visit {
  Frame* frame;
  Frame* before;  // of `top`
};

// What the thread reads from here on it reads while it is seen inside.
inline Visit enter(const void* adapter) {
  Frame* before = top;
  Frame* frame = before;
  if (reinterpret_cast<std::uintptr_t>(frame) % kBlock == 0) [[unlikely]] {
    frame = next_block();
    if (!before) before = frame;
  }
  frame->adapter.store(adapter, std::memory_order_release);
  top = frame + 1;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return {frame, before};
}
// What the thread reads from here on it reads when it is no longer seen inside.
inline void leave(const Visit& visit) {
  visit.frame->adapter.store(nullptr, std::memory_order_release);
  top = visit.before;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}
// The same in the thread's last frame, whose object is null.
inline void enter_object(const void* object) {
  top[-1].object.store(object, std::memory_order_release);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}
inline void leave_object() { enter_object(nullptr); }

// For who looks at objects without being inside of their adapter.
class Alone {
 public:
  Alone() : visit_(enter(nullptr)) {}
  ~Alone() { leave(visit_); }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  const Visit visit_;
};

// After this call anyone_inside() sees every thread that has entered without having seen what the caller has
// written so far; and each thread that anyone_inside() sees then will see that when it leaves.
void order_all();
// Those who leave and then ask see each other.
bool anyone_inside(const void* slot);

}  // namespace corbel::poa::presence
