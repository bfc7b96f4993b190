// An object reference and where its requests go.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <corbel/base/error.h>
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
  // Where it is not Default the server named its code sets: ours go with the first requests.
  giop::CodeSet code_set = giop::CodeSet::Default;
  std::atomic<bool> located{false};  // a request has reached the object here
  Forward forward;
};

// Thread-safe. Counted; a mapping's object owns a count.
class Reference final : public base::RefCounted {
 public:
  // `local` tells that its key belongs to an adapter of `orb`.
  Reference(Orb& orb, ior::Ior ior, bool local = false);
  ~Reference() override;

  Orb& orb() const { return *orb_; }
  const ior::Ior& ior() const { return ior_; }
  const char* type_id() const { return ior_.type_id.c_str(); }
  // Object key of the first IIOP profile; empty if there is none.
  const std::string& key() const { return key_; }
  bool local() const { return local_; }

  // Same object as far as both can tell without asking: equal profiles (endpoint and key).
  bool equivalent(const Reference& other) const;
  std::uint32_t hash(std::uint32_t maximum) const;

  // Interfaces that the object has once said it supports.
  bool known_to_be(const char* repository_id);
  void remember(const char* repository_id);

  // ---- what was set for calls through it
  // Nanoseconds, 0 if not set.
  std::int64_t call_timeout() const { return call_timeout_.load(std::memory_order_relaxed); }
  void set_call_timeout(std::int64_t timeout) { call_timeout_.store(timeout, std::memory_order_relaxed); }
  // Null if there is none of its own.
  base::Ref<RetryHandler> retry_handler();
  // Unless there is one; gives what is there then.
  base::Ref<RetryHandler> set_retry_handler(base::Ref<RetryHandler> handler);

  // The present binding, made if there is none. Follows a forward received earlier; where that fails, `tried`
  // is it.
  SystemError bind(base::Ref<Binding>& binding, base::Deadline deadline, Forward& tried);
  // The same if there is one that can be used, else null.
  base::Ref<Binding> bound();
  // Drops `binding` so that the next call binds anew.
  void unbind(const Binding& binding);
  // From now on requests go to `target`.
  void forward(ior::Ior target);
  // Back to the original address unless there is another forward by now; false if `tried` is none.
  bool forget_forward(const Forward& tried);
  // From now on requests name their target so: the server has asked for it.
  void use_addressing(giop::Addressing addressing);

 private:
  SystemError bind_profiles(const ior::Ior& ior, giop::Addressing addressing, base::Ref<Binding>& binding,
                            base::Deadline deadline);

  base::Ref<Orb> orb_;
  const ior::Ior ior_;
  std::string key_;
  bool local_ = false;
  std::atomic<std::int64_t> call_timeout_{0};
  base::Mutex mutex_;
  base::Ref<Binding> binding_;
  std::vector<std::string> types_;
  base::Ref<RetryHandler> retry_handler_;
  Forward forwarded_;
  giop::Addressing addressing_ = giop::Addressing::Key;
};

}  // namespace corbel::core
