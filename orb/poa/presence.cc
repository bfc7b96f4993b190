#include "orb/poa/presence.h"

#include <cstddef>

#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "orb/base/mutex.h"

namespace corbel::poa::presence {

namespace {

constexpr std::size_t kBlock = core::kFrameBlock;
constexpr int kFrames = 6;

// A thread has one or, where its upcalls nest, several; of the first one it leaves the first frame unused.
// Blocks are never freed, but used again by other threads.
struct alignas(kBlock) Block {
  core::FrameBlock known = {nullptr, &core::collocation_changes};
  Block* next = nullptr;          // of all
  std::atomic<bool> taken{true};  // by a thread
  Block* above = nullptr;         // of the same thread
  Block* below = nullptr;
  alignas(core::kFirstFrameAbove) Frame frames[kFrames] = {};
};
static_assert(sizeof(Block) == kBlock && offsetof(Block, frames) == core::kFirstFrameAbove &&
              offsetof(Block, frames) + sizeof(Frame) == core::kFirstFrame &&
              offsetof(Block, frames) + sizeof(Block::frames) == kBlock);

constinit std::atomic<Block*> all{nullptr};

Block* take_block() {
  for (Block* block = all.load(std::memory_order_acquire); block; block = block->next)
    if (!block->taken.load(std::memory_order_relaxed) && !block->taken.exchange(true)) return block;
  auto* const fresh = new Block;
  fresh->next = all.load(std::memory_order_relaxed);
  while (!all.compare_exchange_weak(fresh->next, fresh)) {
  }
  return fresh;
}

// Gives the thread's blocks back at its end.
struct Owner {
  Block* first = nullptr;
  ~Owner() {
    for (Block* block = first; block;) {
      Block* const above = block->above;
      block->above = nullptr;
      block->taken.store(false, std::memory_order_release);
      block = above;
    }
    first = nullptr;
    core::calling_thread.top = nullptr;
  }
};
thread_local Owner owner;

// In a forked child: nobody but the calling thread is inside of anything.
void forget_other_threads() {
  for (Block* block = all.load(std::memory_order_relaxed); block; block = block->next) {
    const Block* mine = owner.first;
    while (mine && mine != block) mine = mine->above;
    if (mine) continue;
    for (Frame& frame : block->frames) frame = {};
    block->above = nullptr;
    block->taken.store(false, std::memory_order_relaxed);
  }
}

bool has_membarrier() {
  static const bool has = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  return has;
}

// Where the kernel has no membarrier: a page that processors may know is taken away from all of them, which
// interrupts each that runs a thread of this process.
void interrupt_all() {
  static base::Mutex mutex;
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  static void* const page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const std::lock_guard lock(mutex);
  (void)mprotect(page, size, PROT_READ | PROT_WRITE);
  __atomic_fetch_add(static_cast<int*>(page), 1, __ATOMIC_SEQ_CST);
  (void)mprotect(page, size, PROT_NONE);
}

}  // namespace

void prepare() {
  (void)has_membarrier();
  static const int registered = pthread_atfork(nullptr, nullptr, forget_other_threads);
  (void)registered;
}

const Frame* direct_call() { return core::in_direct_call() ? core::calling_thread.top - 1 : nullptr; }

bool any_direct_call(bool (*is)(const Frame&, const void*), const void* context) {
  for (const Block* block = owner.first; block; block = block->above)
    for (const Frame& frame : block->frames)
      if ((frame.adapter & Frame::kDirect) != 0 && is(frame, context)) return true;
  return false;
}

// A thread that takes its first block while this looks for others does so by an exchange, and sees afterwards
// what the caller has written.
void order_all() {
  core::collocation_changed();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const Block* const mine = owner.first;
  bool others = false;
  for (const Block* block = all.load(); block && !others; block = block->next)
    others = block != mine && block->taken.load();
  if (!others) return;
  if (!has_membarrier() || syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
    interrupt_all();
}

bool anyone_inside(const void* slot) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (const Block* block = all.load(); block; block = block->next)
    for (const Frame& frame : block->frames)
      if ((__atomic_load_n(&frame.adapter, __ATOMIC_ACQUIRE) & ~Frame::kDirect) ==
              reinterpret_cast<std::uintptr_t>(slot) ||
          __atomic_load_n(&frame.object, __ATOMIC_ACQUIRE) == slot)
        return true;
  return false;
}

}  // namespace corbel::poa::presence

// `top` is null or the end of a block.
corbel::core::Frame* corbel::core::next_frames() {
  using namespace poa::presence;
  Frame* const top = calling_thread.top;
  Block* const below = top ? reinterpret_cast<Block*>(top) - 1 : nullptr;
  Block*& place = below ? below->above : owner.first;
  if (!place) {
    place = take_block();
    place->known.thread = &calling_thread;
    place->below = below;
  }
  return below ? place->frames : place->frames + 1;
}

corbel::core::Frame* corbel::core::below_block(Frame* frame) {
  using namespace poa::presence;
  const auto at = reinterpret_cast<std::uintptr_t>(frame) - kFirstFrameAbove;
  return reinterpret_cast<Frame*>(reinterpret_cast<Block*>(at)->below + 1);
}
