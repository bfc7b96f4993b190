// Which adapters and objects the threads are inside of.
//
// Requests enter and leave all the time, and must not write to memory that they share; whoever ends an object
// or an adapter may be slow. So each thread notes where it is in memory of its own, with plain stores, and
// whoever wants to know has the kernel bring the stores and loads of all threads in order first, then looks
// through what all have noted.
#pragma once

#include <cstdint>

#include <corbel/core/collocated.h>

namespace corbel::poa::presence {

// A thread's frames are in the order in which it has entered them; it leaves the last one first.
using core::Frame;

// Once before anything is entered.
void prepare();

inline void note(std::uintptr_t& adapter, const void* slot) {
  __atomic_store_n(&adapter, reinterpret_cast<std::uintptr_t>(slot), __ATOMIC_RELEASE);
}

// What the thread reads from here on it reads while it is seen inside, until it leaves this frame.
inline Frame* enter(const void* adapter) {
  Frame* frame = core::calling_thread.top;
  if (reinterpret_cast<std::uintptr_t>(frame) % core::kFrameBlock == 0) [[unlikely]]
    frame = core::next_frames();
  note(frame->adapter, adapter);
  core::calling_thread.top = frame + 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return frame;
}
// What the thread reads from here on it reads when it is no longer seen inside.
inline void leave(Frame* frame) {
  note(frame->adapter, nullptr);
  core::calling_thread.top = core::below(frame);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
// The same in the thread's last frame, whose object is null.
inline void enter_object(const void* object) {
  __atomic_store_n(&core::calling_thread.top[-1].object, object, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
inline void leave_object() { enter_object(nullptr); }

// The frame of the calling thread's innermost direct call, null where a request is further inside or there is
// none.
const Frame* direct_call();
// Those of all its direct calls: true if `is` says so of one.
bool any_direct_call(bool (*is)(const Frame& frame, const void* context), const void* context);

// For who is not the last one to leave the adapter: somebody else is inside of it meanwhile.
class Inside {
 public:
  explicit Inside(const void* adapter) : visit_(enter(adapter)) {}
  ~Inside() { leave(visit_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Frame* const visit_;
};
// For who looks at objects without being inside of their adapter.
class Alone : public Inside {
 public:
  Alone() : Inside(nullptr) {}
};

// After this call anyone_inside() sees every thread that has entered without having seen what the caller has
// written so far; and each thread that anyone_inside() sees then will see that when it leaves.
void order_all();
// Those who leave and then ask see each other.
bool anyone_inside(const void* slot);

}  // namespace corbel::poa::presence
