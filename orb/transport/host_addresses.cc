#include "orb/transport/host_addresses.h"

#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <mutex>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"
#include "orb/base/thread.h"

namespace corbel::transport {
namespace {

// Each has a thread, a socket of the resolver's, and that for seconds where nobody answers; a reference may
// name a thousand.
constexpr int kMostAsked = 64;

// Changed by one write at a time, so that a forked child finds it whole.
base::Mutex asking_mutex;
HostAddresses* asking = nullptr;
base::Condition answers;

}  // namespace

HostAddresses::HostAddresses(const char* host)
    : named_(host != nullptr), host_(host ? host : ""), process_(static_cast<int>(getpid())) {}

HostAddresses::~HostAddresses() {
  if (first_) freeaddrinfo(first_);
}

bool HostAddresses::find(int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  return getaddrinfo(named_ ? host_.c_str() : nullptr, "0", &hints, &first_) == 0;
}

void* HostAddresses::ask(void* wanted) {
  const auto addresses = base::Ref<HostAddresses>::adopt(static_cast<HostAddresses*>(wanted));
  (void)addresses->find(0);
  {
    std::lock_guard lock(asking_mutex);
    HostAddresses** link = &asking;
    while (*link != addresses.get()) link = &(*link)->next_;
    *link = addresses->next_;
  }
  addresses->answered_.store(true, std::memory_order_release);
  answers.notify_all();
  return nullptr;
}

// False where too many are asked for.
bool HostAddresses::begin_asking(base::Ref<HostAddresses>& wanted) {
  {
    std::lock_guard lock(asking_mutex);
    int asked = 0;
    for (HostAddresses* a = asking; a; a = a->next_) {
      if (a->process_ != wanted->process_) continue;
      if (a->host_ == wanted->host_) {
        wanted = base::Ref<HostAddresses>::share(a);
        return true;
      }
      if (++asked == kMostAsked) return false;
    }
    pthread_t thread;
    wanted->add_ref();  // the thread's
    if (base::start_thread(thread, ask, wanted.get())) {
      pthread_detach(thread);
      wanted->next_ = asking;
      asking = wanted.get();
      return true;
    }
    wanted->remove_ref();
  }
  // No thread is to be had. A late answer is better than none.
  (void)wanted->find(0);
  wanted->answered_.store(true, std::memory_order_relaxed);
  return true;
}

base::Ref<HostAddresses> HostAddresses::of(const char* host, Deadline deadline, bool& timed_out) {
  timed_out = false;
  base::Ref<HostAddresses> addresses = base::make_ref<HostAddresses>(host);
  if (addresses->find(AI_NUMERICHOST)) return addresses;
  if (deadline == base::kNoDeadline) {
    if (!addresses->find(0)) return nullptr;
    return addresses;
  }
  timed_out = base::now() >= deadline;
  bool asked = false;
  while (!timed_out) {
    const std::uint32_t epoch = answers.epoch();
    if (!asked) asked = begin_asking(addresses);
    if (asked && addresses->answered_.load(std::memory_order_acquire)) break;
    timed_out = !answers.wait(epoch, deadline);
  }
  if (timed_out || !addresses->first_) return nullptr;
  return addresses;
}

sockaddr_storage with_port(const addrinfo& address, std::uint16_t port) {
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  sockaddr_storage with;
  std::memcpy(&with, address.ai_addr, address.ai_addrlen);
  reinterpret_cast<sockaddr_in&>(with).sin_port = htons(port);
  return with;
}

}  // namespace corbel::transport
