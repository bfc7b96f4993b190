#include "orb/transport/host_addresses.h"

#include <netdb.h>
#include <unistd.h>

#include <climits>
#include <mutex>

#include "orb/base/mutex.h"
#include "orb/base/thread.h"

namespace corbel::transport {
namespace {

// Changed by one write at a time, so that a forked child finds it whole.
base::Mutex asking_mutex;
HostAddresses* asking = nullptr;

}  // namespace

HostAddresses::HostAddresses(const char* host, std::uint16_t port)
    : named_(host != nullptr), host_(host ? host : ""), port_(port), process_(static_cast<int>(getpid())) {}

HostAddresses::~HostAddresses() {
  if (first_) freeaddrinfo(first_);
}

bool HostAddresses::find(int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  return getaddrinfo(named_ ? host_.c_str() : nullptr, std::to_string(port_).c_str(), &hints, &first_) == 0;
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
  addresses->answered_.store(1, std::memory_order_release);
  base::futex_wake(addresses->answered_, INT_MAX);
  return nullptr;
}

// Null where no thread is to be had.
base::Ref<HostAddresses> HostAddresses::being_asked_for(const base::Ref<HostAddresses>& wanted) {
  std::lock_guard lock(asking_mutex);
  for (HostAddresses* a = asking; a; a = a->next_)
    if (a->process_ == wanted->process_ && a->host_ == wanted->host_ && a->port_ == wanted->port_)
      return base::Ref<HostAddresses>::share(a);
  pthread_t thread;
  wanted->add_ref();  // the thread's
  if (!base::start_thread(thread, ask, wanted.get())) {
    wanted->remove_ref();
    return nullptr;
  }
  pthread_detach(thread);
  wanted->next_ = asking;
  asking = wanted.get();
  return wanted;
}

base::Ref<HostAddresses> HostAddresses::of(const char* host, std::uint16_t port, Deadline deadline,
                                           bool& timed_out) {
  timed_out = false;
  base::Ref<HostAddresses> addresses = base::make_ref<HostAddresses>(host, port);
  if (addresses->find(AI_NUMERICHOST)) return addresses;
  if (deadline == base::kNoDeadline) {
    if (!addresses->find(0)) return nullptr;
    return addresses;
  }
  addresses = being_asked_for(addresses);
  if (!addresses) return nullptr;
  while (addresses->answered_.load(std::memory_order_acquire) == 0) {
    if (base::futex_wait(addresses->answered_, 0, deadline)) continue;
    timed_out = true;
    return nullptr;
  }
  if (!addresses->first_) return nullptr;
  return addresses;
}

}  // namespace corbel::transport
