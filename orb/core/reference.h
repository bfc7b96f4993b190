// An object reference and where its requests go.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <corbel/base/error.h>
#include <corbel/core/collocated.h>
#include <corbel/core/fwd.h>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/call_settings.h"
#include "orb/giop/code_sets.h"
#include "orb/giop/request.h"
#include "orb/ior/ior.h"

namespace corbel::core {

class ClientConnection;
struct Route;

// Where a reference was forwarded to; null where it was not.
using Forward = std::shared_ptr<const ior::Ior>;

// A reference bound to a connection, with the request header prepared for the pair. Immutable but for
// `located`; counted.
class Binding : public base::RefCounted {
 public:
  Binding();
  const std::uint64_t serial;              // no other binding of the process has it, now or later
  base::Ref<ClientConnection> connection;  // null: the object lives in this process
  giop::Version version{1, 2};
  std::string key;
  std::string prefix;  // giop::make_prefix
  giop::CodeSets code_sets;
  bool announces = false;            // the first requests over the connection carry contexts of its own
  bool omniorb = false;              // the server says that it is one
  bool corbel = false;               // the same: it looks at operations' numbers
  std::atomic<bool> located{false};  // a LocateReply has said that the object is here
  Forward forward;
  std::uint32_t place = 0;     // how often the reference had been forwarded, or gone back
  std::uint64_t profile = 0;   // a bit for the profile that it was made of, of the first 63
  std::uint64_t profiles = 0;  // bits of all that could have been, where there are several
  bool protects = false;       // the route to the server does
  std::string policies;  // of the profile (TAG_POLICIES), where they matter: messages could be compressed
};

// Beside the bits of the profiles that a call has tried in vain: one of them over a route that protects.
constexpr std::uint64_t kProtectedOneFailed = std::uint64_t{1} << 63;

// Profiles that a call has tried in vain, of the reference as it was at the time.
struct FailedProfiles {
  std::uint64_t bits = 0;
  std::uint32_t place = 0;  // Binding::place
  // Another thread's forward names others; only what must not be used without protection stays so.
  std::uint64_t at(std::uint32_t now) const { return place == now ? bits : bits & kProtectedOneFailed; }
};

// Thread-safe. Counted; a mapping's object owns a count.
class Reference final : public base::RefCounted {
 public:
  // `made_here` tells that its key belongs to an adapter of `orb`.
  Reference(Orb& orb, ior::Ior ior, bool made_here = false);
  ~Reference() override;

  Orb& orb() const { return *orb_; }
  // What it was made from, or what a server has said it is for good. Valid as long as this.
  const ior::Ior& ior() const {
    const ior::Ior* const later = identity_.load(std::memory_order_acquire);
    return later ? *later : ior_;
  }
  const char* type_id() const { return ior().type_id.c_str(); }
  // Object key of the first IIOP profile; empty if there is none.
  const std::string& key() const { return key_; }
  // Its key belongs to an adapter of its ORB, as far as addresses tell: those of a server that starts later,
  // too.
  bool local() const;

  // Same object as far as both can tell without asking: equal profiles (endpoint and key), or one group.
  bool equivalent(const Reference& other) const;
  std::uint32_t hash(std::uint32_t maximum) const;

  // Interfaces that the object has once said it supports.
  bool known_to_be(const char* repository_id);
  void remember(const char* repository_id);

  // ---- what was set for calls through it
  // Nanoseconds, 0 if not set; goes before what the overrides say.
  void set_call_timeout(std::int64_t timeout) {
    call_timeout_.store(timeout, std::memory_order_relaxed);
    has_call_settings_.store(timeout != 0 || (overrides_ && overrides_->settings().set_of_calls() != 0),
                             std::memory_order_release);
    collocation_changed();
  }
  std::uint32_t has_call_settings() const { return has_call_settings_.load(std::memory_order_relaxed); }
  CallSettings call_settings() const;
  // Whether its first IIOP profile has policies of the server.
  bool exposes_policies();
  // Another reference to the same object, with these for its calls.
  base::Ref<Reference> with(base::Ref<CallOverrides> overrides);
  // Null if it has none.
  const CallOverrides* overrides() const { return overrides_.get(); }
  // Null if there is none of its own.
  base::Ref<RetryHandler> retry_handler();
  // Unless there is one; gives what is there then.
  base::Ref<RetryHandler> set_retry_handler(base::Ref<RetryHandler> handler);

  // The present binding, made if there is none. Follows a forward received earlier; where that fails, `tried`
  // is it.
  // A connection may take `connect_timeout` nanoseconds to set up, 0 for no limit but the deadline. Profiles
  // that have `failed` are left out.
  SystemError bind(base::Ref<Binding>& binding, base::Deadline deadline, Forward& tried,
                   std::int64_t connect_timeout = kConnectTimeoutOfOrb, const FailedProfiles& failed = {});
  // It has been bound, at least once since forget_bound().
  bool was_bound();
  void forget_bound();
  // The same if there is one that can be used, else null.
  base::Ref<Binding> bound();
  // Serial of the present binding, kUnbound if there is none. Whoever holds a binding knows by it that it is
  // the present one.
  static constexpr std::uint64_t kUnbound = ~std::uint64_t{0};
  std::uint64_t bound_serial() const { return bound_serial_.load(std::memory_order_acquire); }
  // Drops `binding` so that the next call binds anew.
  void unbind(const Binding& binding);
  // From now on requests go to `target`; where that is permanent it takes the place of what this was.
  void forward(ior::Ior target, bool permanent);
  // The present one, null if requests go to what ior() says.
  Forward forwarded() {
    std::lock_guard lock(mutex_);
    return forwarded_;
  }
  // Back to the original address unless there is another forward by now; false if `tried` is none.
  bool forget_forward(const Forward& tried);
  // From now on requests name their target so: the server has asked for it.
  void use_addressing(giop::Addressing addressing);

 private:
  base::Ref<ClientConnection> called_back(const ior::IiopProfile& profile, const std::vector<Route>& routes,
                                          std::uint32_t text);
  giop::Addressing default_addressing() const;
  SystemError bind_profiles(const ior::Ior& ior, giop::Addressing addressing, base::Ref<Binding>& binding,
                            base::Deadline deadline, std::int64_t connect_timeout, std::uint64_t failed);
  // With the mutex: every change of the binding. Gives the one before.
  base::Ref<Binding> replace_binding(base::Ref<Binding> binding);

  base::Ref<Orb> orb_;
  const ior::Ior ior_;
  std::string key_;
  const bool made_here_;
  std::atomic<std::uint32_t> has_call_settings_{0};  // call_timeout_ or overrides_ say something
  std::atomic<std::int64_t> call_timeout_{0};
  enum class Exposes : std::uint8_t { NotLookedFor, Nothing, Policies };
  std::atomic<Exposes> exposes_{Exposes::NotLookedFor};
  base::Ref<CallOverrides> overrides_;
  base::Mutex mutex_;
  base::Ref<Binding> binding_;
  std::atomic<std::uint64_t> bound_serial_{kUnbound};
  bool was_bound_ = false;
  std::vector<std::string> types_;
  base::Ref<RetryHandler> retry_handler_;
  Forward forwarded_;
  std::uint32_t place_ = 0;  // changes with it, and with identity_
  giop::Addressing addressing_;
  std::atomic<const ior::Ior*> identity_{nullptr};  // the last of identities_
  std::vector<std::unique_ptr<const ior::Ior>> identities_;
};

}  // namespace corbel::core
