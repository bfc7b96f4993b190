// The addresses of a host, which may be far away: whoever knows them may be slow, or silent.
#pragma once

#include <sys/socket.h>

#include <atomic>
#include <cstdint>
#include <string>

#include <corbel/base/deadline.h>

#include "orb/base/ref.h"

struct addrinfo;

namespace corbel::transport {

using base::Deadline;

class HostAddresses : public base::RefCounted {
 public:
  explicit HostAddresses(const char* host);
  ~HostAddresses() override;

  // Those of `host`, null if it has none. Where a name has to be asked for until a deadline a thread of its
  // own asks, of which there is one for each name, and goes on after that; who comes meanwhile waits for the
  // same answer, or, where many are being asked for, until one of them is known. Thread-safe.
  static base::Ref<HostAddresses> of(const char* host, Deadline deadline, bool& timed_out);

  // As getaddrinfo(), as long as that takes: of this host if there is no name. False if there is none.
  bool find(int flags);
  // Without a port.
  const addrinfo* first() const { return first_; }

 private:
  static bool begin_asking(base::Ref<HostAddresses>& wanted);
  static void* ask(void* wanted);

  const bool named_;
  const std::string host_;
  const int process_;  // a child of it has not the thread
  addrinfo* first_ = nullptr;
  std::atomic<bool> answered_{false};
  HostAddresses* next_ = nullptr;
};

// An address of TCP, with that port.
sockaddr_storage with_port(const addrinfo& address, std::uint16_t port);

}  // namespace corbel::transport
