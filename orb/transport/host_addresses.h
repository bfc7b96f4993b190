// The addresses of a host, which may be far away: whoever knows them may be slow, or silent.
#pragma once

#include <cstdint>
#include <string>

#include <corbel/base/deadline.h>

#include "orb/base/futex.h"
#include "orb/base/ref.h"

struct addrinfo;

namespace corbel::transport {

using base::Deadline;

class HostAddresses : public base::RefCounted {
 public:
  HostAddresses(const char* host, std::uint16_t port);
  ~HostAddresses() override;

  // Those of `host`, null if it has none. Where a name has to be asked for until a deadline a thread of its
  // own asks, of which there is one for each host and port, and goes on after that; who comes meanwhile waits
  // for the same answer. Thread-safe.
  static base::Ref<HostAddresses> of(const char* host, std::uint16_t port, Deadline deadline,
                                     bool& timed_out);

  // As getaddrinfo(), as long as that takes: of this host if there is no name. False if there is none.
  bool find(int flags);
  const addrinfo* first() const { return first_; }

 private:
  static base::Ref<HostAddresses> being_asked_for(const base::Ref<HostAddresses>& wanted);
  static void* ask(void* wanted);

  const bool named_;
  const std::string host_;
  const std::uint16_t port_;
  const int process_;  // a child of it has not the thread
  addrinfo* first_ = nullptr;
  std::atomic<std::uint32_t> answered_{0};
  HostAddresses* next_ = nullptr;
};

}  // namespace corbel::transport
