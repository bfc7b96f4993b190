// What the tests of policies share: policies from values, where they are set, sockets that nobody serves.
#pragma once

#include <arpa/inet.h>
#include <corbel/messaging.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "orb/ior/ior.h"
#include "tests/lifecycle/support.h"

namespace policies {

using lifecycle::Gate;
using lifecycle::Pair;
using lifecycle::raised;
using lifecycle::raised_name;

constexpr TimeBase::TimeT kMillisecond = 10'000;  // in units of 100 ns
constexpr TimeBase::TimeT kLong = 60'000 * kMillisecond;

template <typename Value>
CORBA::Policy_var policy(CORBA::ORB_ptr orb, CORBA::PolicyType type, const Value& value) {
  CORBA::Any any;
  any <<= value;
  return orb->create_policy(type, any);
}
inline CORBA::Policy_var roundtrip(CORBA::ORB_ptr orb, TimeBase::TimeT time) {
  return policy(orb, Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, time);
}
inline CORBA::Policy_var scope(CORBA::ORB_ptr orb, Messaging::SyncScope scope) {
  return policy(orb, Messaging::SYNC_SCOPE_POLICY_TYPE, scope);
}
inline CORBA::Policy_var rebind(CORBA::ORB_ptr orb, Messaging::RebindMode mode) {
  return policy(orb, Messaging::REBIND_POLICY_TYPE, mode);
}

inline CORBA::PolicyList list(const std::vector<CORBA::Policy_var>& policies) {
  CORBA::PolicyList result;
  result.length(static_cast<CORBA::ULong>(policies.size()));
  for (CORBA::ULong i = 0; i < policies.size(); ++i) result[i] = policies[i];
  return result;
}

inline CORBA::PolicyManager_var manager(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("ORBPolicyManager");
  return CORBA::PolicyManager::_narrow(object);
}
inline CORBA::PolicyCurrent_var current(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("PolicyCurrent");
  return CORBA::PolicyCurrent::_narrow(object);
}

// The reference with these policies alone.
template <typename Interface>
corbel::cpp::ObjectVar<Interface> with(Interface* reference, const std::vector<CORBA::Policy_var>& policies) {
  CORBA::Object_var object = reference->_set_policy_overrides(list(policies), CORBA::SET_OVERRIDE);
  return Interface::_unchecked_narrow(object);
}

// Clears what a test sets for its thread.
class ThreadPolicies {
 public:
  explicit ThreadPolicies(CORBA::ORB_ptr orb, const std::vector<CORBA::Policy_var>& policies)
      : current_(current(orb)) {
    current_->set_policy_overrides(list(policies), CORBA::SET_OVERRIDE);
  }
  ~ThreadPolicies() { current_->set_policy_overrides(CORBA::PolicyList(), CORBA::SET_OVERRIDE); }

 private:
  CORBA::PolicyCurrent_var current_;
};

// Listens; what connects is never accepted, or accepted and never read.
class Silent {
 public:
  explicit Silent(int backlog = 8) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int small = 4096;  // what connects inherits it
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    socklen_t size = sizeof address_;
    if (::bind(socket_, reinterpret_cast<sockaddr*>(&address_), size) != 0 || ::listen(socket_, backlog) != 0)
      throw std::runtime_error("cannot listen");
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address_), &size);
  }
  ~Silent() {
    for (const int s : waiting_) ::close(s);
    ::close(socket_);
  }
  // Fills the queue, so that a connection is never set up.
  void fill() {
    for (int i = 0; i < 4; ++i) {
      waiting_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      (void)::connect(waiting_.back(), reinterpret_cast<sockaddr*>(&address_), sizeof address_);
    }
  }
  Contract::Everything_var object(CORBA::ORB_ptr orb) const {
    const std::string url = "corbaloc::127.0.0.1:" + std::to_string(ntohs(address_.sin_port)) + "/nobody";
    CORBA::Object_var object = orb->string_to_object(url.c_str());
    return Contract::Everything::_unchecked_narrow(object);
  }

 private:
  int socket_;
  sockaddr_in address_{};
  std::vector<int> waiting_;
};

}  // namespace policies
