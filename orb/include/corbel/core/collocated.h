// Calls to objects of the same ORB that need no message: what generated code does for each of them.
//
// A proxy that has found its object here keeps a Collocated, by which it calls the servant as the adapter
// would: noted as being inside (Frame), so that deactivation waits for it. Whatever could end that or
// have a say in calls (a deactivation, a manager's state, settings of calls) moves one number of the process
// on; a call that finds another number than it knows looks at everything anew, which is rare.
#pragma once

#include <cstddef>
#include <cstdint>

#include <corbel/core/fwd.h>

namespace corbel::core {

// Where a thread is: the slots of an adapter and of one object in it, null for none. Other threads look at
// both.
struct Frame {
  std::uintptr_t adapter;  // with kDirect where the thread has come by a direct call
  const void* object;
  const void* request;  // of a direct call: the thread's innermost request
  std::uint64_t seen;   // of a direct call: the number of changes that it knows
  static constexpr std::uintptr_t kDirect = 1;
};
struct CallingThread {
  Frame* top;             // behind its last frame; at the end of a block, or null, the next is in another one
  const void* request;    // its innermost, null outside of upcalls
  std::uint32_t limited;  // something is set for its calls, or kByMessage
};
// The thread's next call takes a message.
inline constexpr std::uint32_t kByMessage = 0x80000000u;
extern __thread CallingThread calling_thread
    __attribute__((tls_model("initial-exec"), visibility("default")));

// Moves on with everything that direct calls have to know; from 1.
[[gnu::visibility("default")]] extern std::uint64_t collocation_changes;
inline void collocation_changed() { __atomic_fetch_add(&collocation_changes, 1, __ATOMIC_SEQ_CST); }

// Frames stand in aligned blocks of so many octets, which begin with this. A thread's first block has one
// frame less than those that it takes while all below are full, so that an address says which one it is of.
// Who leaves a frame finds here what it would otherwise have to keep in registers during the call.
struct FrameBlock {
  CallingThread* thread;  // that has it
  const std::uint64_t* changes;
};
inline constexpr std::size_t kFrameBlock = 256;
inline constexpr std::size_t kFirstFrame = 96;
inline constexpr std::size_t kFirstFrameAbove = 64;
inline const FrameBlock& block_of(const Frame* frame) {
  return *reinterpret_cast<const FrameBlock*>(reinterpret_cast<std::uintptr_t>(frame) & (0 - kFrameBlock));
}

// The calling thread's innermost call is a direct one: its last frame.
[[gnu::visibility("default")]] bool in_direct_call();

// Functions of a skeleton, one for each operation of its interface, which their caller casts back.
typedef void (*CollocatedFunction)();

// What leads to a servant as one interface. Immutable once published, but for `seen`; it belongs to a proxy.
struct Collocated {
  void* servant = nullptr;  // as the interface's skeleton
  const CollocatedFunction* functions = nullptr;
  std::uintptr_t adapter = 0;  // as in a Frame
  const void* object = nullptr;
  std::uint64_t seen = 0;  // the number of changes up to which all this holds; 0: not for direct calls
  void (*destroy)(Collocated*) = nullptr;
  Collocated* next = nullptr;  // of the same proxy
};

// What a servant gives, asked for an interface; without functions it cannot be called so.
struct CollocatedServant {
  void* servant;
  const CollocatedFunction* functions;
};

// What a proxy of one interface knows of its object. Thread-safe; belongs to the proxy.
class [[gnu::visibility("default")]] CollocatedSlot {
 public:
  CollocatedSlot() = default;
  ~CollocatedSlot() {
    if (records) free_records();
  }
  CollocatedSlot(const CollocatedSlot&) = delete;
  CollocatedSlot& operator=(const CollocatedSlot&) = delete;

  static constexpr std::uintptr_t kNone = 0, kUndecided = 1;
  // kNone: each call takes a message; kUndecided; or a record's address.
  std::uintptr_t value() const { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
  // The same; the compiler is told that it is kNone.
  std::uintptr_t may_be() const {
    const std::uintptr_t found = value();
    return __builtin_expect(found != kNone, 0) ? found : kNone;
  }
  void decide(std::uintptr_t value) { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }

  Collocated* records = nullptr;  // all that there were; the adapters guard them

 private:
  [[gnu::cold]] void free_records();
  std::uintptr_t value_ = kUndecided;
};

// ---- in the adapters' library

// The thread's next frame, for which there is no room behind `top`.
[[gnu::visibility("default")]] Frame* next_frames();
// That of the thread's innermost call, which is one without a message.
[[gnu::visibility("default")]] Orb& orb_of_call();
// What `top` is when the thread has left this frame, the first of a block that is not its first.
[[gnu::visibility("default"), gnu::cold]] Frame* below_block(Frame* frame);
inline bool is_first_above(const Frame* frame) {
  return __builtin_expect(reinterpret_cast<std::uintptr_t>(frame) % kFrameBlock == kFirstFrameAbove, 0);
}
inline Frame* below(Frame* frame) { return is_first_above(frame) ? below_block(frame) : frame; }

// Direct calls: the thread is noted as inside of an object. Null where it is not, since `top` has no room.
// `holds`: nothing that led there has changed.
[[gnu::always_inline]] inline Frame* note_direct_call(const Collocated& target, bool& holds) {
  Frame* const frame = calling_thread.top;
  holds = false;
  if (__builtin_expect(reinterpret_cast<std::uintptr_t>(frame) % kFrameBlock == 0, 0)) return nullptr;
  const std::uint64_t seen = __atomic_load_n(&target.seen, __ATOMIC_RELAXED);
  frame->request = calling_thread.request;
  frame->seen = seen;
  __atomic_store_n(&frame->adapter, target.adapter, __ATOMIC_RELEASE);
  __atomic_store_n(&frame->object, target.object, __ATOMIC_RELEASE);
  calling_thread.top = frame + 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  holds = __atomic_load_n(&collocation_changes, __ATOMIC_ACQUIRE) == seen;
  return frame;
}
// What led there may have changed since.
[[gnu::always_inline]] inline bool changed(const Frame* frame) {
  return __builtin_expect(__atomic_load_n(block_of(frame).changes, __ATOMIC_ACQUIRE) != frame->seen, 0);
}
// For who has noted where it is and must not go in.
[[gnu::visibility("default"), gnu::cold]] void turn_away(const Collocated& target, Frame* frame) noexcept;
// Notes it, wherever there is room; null: it has been turned away.
[[gnu::visibility("default"), gnu::cold]] Frame* enter_directly(const Collocated& target);

// For who leaves, when something has changed, so that perhaps nobody else does what there is to be done, or
// leaves a block.
[[gnu::visibility("default"), gnu::cold]] void left_object(Frame* frame, const void* object) noexcept;
[[gnu::visibility("default"), gnu::cold]] void left_adapter(std::uintptr_t adapter) noexcept;
[[gnu::always_inline]] inline void leave_adapter(Frame* frame, Frame* top) noexcept {
  const std::uintptr_t adapter = frame->adapter;
  __atomic_store_n(&frame->adapter, 0, __ATOMIC_RELEASE);
  block_of(frame).thread->top = top;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (changed(frame)) left_adapter(adapter);
}
// What led to the object may be gone. What the compiler knows of the frame's address it is to work out anew,
// not to keep in registers during the call.
[[gnu::always_inline]] inline void leave_directly(Frame* frame) noexcept {
  __asm__("" : "+r"(frame));
  const void* const object = frame->object;
  __atomic_store_n(&frame->object, nullptr, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (changed(frame) || is_first_above(frame)) return left_object(frame, object);
  leave_adapter(frame, frame);
}
// The same, for who has been thrown out.
[[gnu::visibility("default"), gnu::cold]] void leave_thrown(Frame* frame) noexcept;

}  // namespace corbel::core
