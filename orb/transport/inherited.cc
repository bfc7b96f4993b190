#include "orb/transport/inherited.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <vector>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"
#include "orb/transport/descriptor.h"

namespace corbel::transport {
namespace {

// A bit for each number, in parts that are made when they are needed and stay. Numbers beyond the last part,
// a million, are not noted: Linux gives them out only where an administrator has raised fs.nr_open.
constexpr int kWords = 64, kBits = 64 * kWords, kParts = 256;
struct Part {
  std::atomic<std::uint64_t> words[kWords]{};
};
std::atomic<Part*> parts[kParts];

std::atomic<std::uint64_t>* word_of(int fd, bool make) {
  if (fd < 0 || fd >= kBits * kParts) return nullptr;
  std::atomic<Part*>& place = parts[fd / kBits];
  Part* part = place.load(std::memory_order_acquire);
  if (!part) {
    if (!make) return nullptr;
    Part* const fresh = new (std::nothrow) Part;
    if (!fresh) return nullptr;
    if (place.compare_exchange_strong(part, fresh, std::memory_order_acq_rel)) part = fresh;
    else delete fresh;
  }
  return &part->words[fd % kBits / 64];
}

constexpr std::uint64_t bit(int fd) { return std::uint64_t{1} << fd % 64; }

struct Mapping {
  char* at;
  std::size_t size;
};
struct Mappings {
  base::Mutex mutex;
  std::vector<Mapping> all;
  static Mappings& instance() {
    static Mappings* const mappings = new Mappings;  // static destructors may still end connections
    return *mappings;
  }
};

// Those that hold up a fork.
constinit base::Mutex entering;
constinit std::atomic<std::uint32_t> inside{0};
constinit base::Condition left;

}  // namespace

void note_descriptor(int fd) {
  if (auto* const word = word_of(fd, true)) word->fetch_or(bit(fd), std::memory_order_relaxed);
}

void forget_descriptor(int fd) {
  if (auto* const word = word_of(fd, false)) word->fetch_and(~bit(fd), std::memory_order_relaxed);
}

void let_go_of_inherited_descriptors() {
  int nowhere = -1;
  for (int i = 0; i < kParts; ++i) {
    Part* const part = parts[i].load(std::memory_order_relaxed);
    for (int w = 0; part && w < kWords; ++w) {
      for (std::uint64_t left = part->words[w].load(std::memory_order_relaxed); left != 0; left &= left - 1) {
        const int fd = i * kBits + w * 64 + __builtin_ctzll(left);
        // Writing to a socket without a peer fails and raises no signal.
        if (nowhere < 0) {
          ::close(fd);  // there may be no number left but this one
          nowhere = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        }
        if (nowhere >= 0 && nowhere != fd) ::dup3(nowhere, fd, O_CLOEXEC);
        else if (nowhere < 0) ::close(fd);
      }
    }
  }
}

bool note_shared_memory(char* at, std::size_t size) try {
  Mappings& mappings = Mappings::instance();
  std::lock_guard lock(mappings.mutex);
  mappings.all.push_back({at, size});
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void forget_shared_memory(const char* at) {
  Mappings& mappings = Mappings::instance();
  std::lock_guard lock(mappings.mutex);
  std::erase_if(mappings.all, [&](const Mapping& m) { return m.at == at; });
}

HoldsUpFork::HoldsUpFork() {
  std::lock_guard lock(entering);
  inside.fetch_add(1);
}

HoldsUpFork::~HoldsUpFork() {
  if (inside.fetch_sub(1) == 1) left.notify_all();
}

void before_fork() {
  Mappings::instance().mutex.lock();
  entering.lock();
  for (std::uint32_t epoch = left.epoch(); inside.load() != 0; epoch = left.epoch()) left.wait(epoch);
}

void after_fork_in_parent() {
  entering.unlock();
  Mappings::instance().mutex.unlock();
}

void let_go_of_inherited_memory() {
  Mappings& mappings = Mappings::instance();
  mappings.mutex.reset_in_child();
  entering.reset_in_child();
  for (const Mapping& m : mappings.all)
    ::mmap(m.at, m.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
           0);
}

Descriptor::Descriptor(int fd) : fd_(fd) { note_descriptor(fd); }

int Descriptor::release() {
  const int fd = fd_;
  fd_ = -1;
  forget_descriptor(fd);
  return fd;
}

Descriptor::~Descriptor() {
  if (fd_ < 0) return;
  forget_descriptor(fd_);
  ::close(fd_);
}

}  // namespace corbel::transport
