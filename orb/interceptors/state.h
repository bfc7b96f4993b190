// What the ORB's initializers have registered: interceptors, slots, policy factories, initial references.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <corbel/idl/PortableInterceptor.stub.h>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/hooks.h"
#include "orb/core/orb.h"
#include "orb/messaging/overrides.h"

namespace corbel::interceptors {

using PortableInterceptor::ClientRequestInterceptor_var;
using PortableInterceptor::IORInterceptor_var;
using PortableInterceptor::ServerRequestInterceptor_var;

// An interceptor and the calls that it is for.
template <typename Var>
struct Registered {
  Var interceptor;
  PortableInterceptor::ProcessingMode mode = PortableInterceptor::LOCAL_AND_REMOTE;
  bool wants(bool local) const {
    return mode == PortableInterceptor::LOCAL_AND_REMOTE ||
           (mode == PortableInterceptor::LOCAL_ONLY) == local;
  }
};
// In the order in which they were registered. Immutable: a call goes on with those that it began with.
struct Interceptors {
  std::vector<Registered<ClientRequestInterceptor_var>> client;
  std::vector<Registered<ServerRequestInterceptor_var>> server;
  std::vector<Registered<IORInterceptor_var>> ior;
};

// One of each ORB: its addition. Thread-safe. It lives as long as the ORB, which it does not count.
class State final : public messaging::OrbPolicyKinds {
 public:
  explicit State(core::Orb& orb);
  // Null if there is none.
  static State* find(core::Orb& orb);
  // Made if there is none.
  static State& of(core::Orb& orb);

  core::Orb& orb() const { return orb_; }
  std::uint64_t incarnation() const { return incarnation_; }

  // ---- initializers
  bool initializing() const { return initializing_.load(std::memory_order_acquire); }
  void initializing(bool now) { initializing_.store(now, std::memory_order_release); }
  // From now on the interceptors are called.
  void publish();
  // So are the interceptors then, once the calls and requests that they see have ended.
  void orb_destroyed() override;
  // Whoever is InUse and finds false may call them.
  bool destroyed() const { return destroyed_.load(); }

  // ---- interceptors
  std::shared_ptr<const Interceptors> interceptors();
  // `place` is the member that `interceptor` is put in. DuplicateName if one of the name is there.
  template <typename Var>
  void add(std::vector<Registered<Var>> Interceptors::*place, Registered<Var> interceptor);

  // Stands while interceptors are called for an attempt at a call, or for a request.
  class InUse {
   public:
    explicit InUse(State& state) : state_(state), outer_(current_) {
      state_.in_use_.fetch_add(1);
      current_ = this;
    }
    ~InUse() {
      current_ = outer_;
      if (state_.in_use_.fetch_sub(1) == 1) state_.unused_.notify_all();
    }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

   private:
    friend class State;
    static constinit inline thread_local InUse* current_ = nullptr;
    State& state_;
    InUse* const outer_;
  };
  bool in_use_here() const override;

  // ---- slots; their number does not change once the ORB is initialized
  PortableInterceptor::SlotId allocate_slot() { return slot_count_.fetch_add(1, std::memory_order_relaxed); }
  PortableInterceptor::SlotId slot_count() const { return slot_count_.load(std::memory_order_relaxed); }

  // ---- policies
  // BAD_INV_ORDER if there is one.
  void register_factory(CORBA::PolicyType type, PortableInterceptor::PolicyFactory_ptr factory);
  bool has_factory(CORBA::PolicyType type);
  CORBA::Policy_ptr make(CORBA::PolicyType type, const CORBA::Any& value) override;

  std::uint32_t next_request_id() { return next_request_id_.fetch_add(1, std::memory_order_relaxed); }

 private:
  core::Orb& orb_;
  const std::uint64_t incarnation_;
  const core::ClientHooks client_hooks_;
  const core::ServerHooks server_hooks_;
  std::atomic<bool> initializing_{false};
  std::atomic<PortableInterceptor::SlotId> slot_count_{0};
  std::atomic<std::uint32_t> next_request_id_{1};
  const pid_t process_;
  std::atomic<bool> destroyed_{false};
  std::atomic<std::uint32_t> in_use_{0};  // in that process
  base::Condition unused_;
  base::Mutex mutex_;  // guards what follows
  std::shared_ptr<const Interceptors> interceptors_ = std::make_shared<const Interceptors>();
  std::map<CORBA::PolicyType, PortableInterceptor::PolicyFactory_var> factories_;
};

// The flows: client.cc and server.cc.
SystemError attempt_call(void* state, core::ClientInvocation& invocation, bool& again, core::ReplyKind& kind);
void* begin_call(void* state, core::ClientInvocation& invocation, SystemError& error, bool& again,
                 core::ReplyKind& kind);
SystemError end_call(void* state, void* begun, core::ClientInvocation& invocation, const SystemError* error,
                     bool& again, core::ReplyKind& kind);
void dispatch_request(void* state, core::ServerRequest& request);
bool request_at_target(void* state, core::ServerRequest& request);
void run_elsewhere(core::ServerRequest& request, void (*run)(const void* what), const void* what);

}  // namespace corbel::interceptors
