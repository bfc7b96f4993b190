// The ORB: options, references, initial references, client connections, the server.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <corbel/base/error.h>
#include <corbel/core/fwd.h>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/dispatcher.h"
#include "orb/core/hooks.h"
#include "orb/core/lane.h"
#include "orb/core/options.h"
#include "orb/core/reference.h"
#include "orb/ior/ior.h"

namespace corbel::core {

class Server;

// A local object that another room keeps in the ORB under a name (RootPOA, POACurrent, ...): counted by its
// mapping.
class LocalSlot : public base::RefCounted {};

// Thread-safe. Counted: every reference keeps its ORB.
class Orb final : public base::RefCounted {
 public:
  explicit Orb(Options options);
  ~Orb() override;

  const Options& options() const { return options_; }
  Lane& lane() { return lane_; }
  // 64 random bits of this ORB's start: marks its transient keys.
  std::uint64_t incarnation() const { return incarnation_; }

  // ---- references
  // A reference to an object of one of this ORB's adapters; starts the server if it does not listen yet.
  SystemError make_reference(const std::string& type_id, const std::string& key,
                             base::Ref<Reference>& reference);
  // Any reference, marked local when it points to this ORB.
  base::Ref<Reference> import(ior::Ior ior);
  // "IOR:", "corbaloc:", "file://". An empty result without error is nil.
  SystemError string_to_reference(const std::string& url, base::Ref<Reference>& reference);

  // ---- initial references, kept as references; names that live in this process (RootPOA) are LocalSlots.
  // A null result without error: no such name.
  SystemError resolve_initial(const std::string& name, base::Ref<Reference>& reference);
  SystemError register_initial(const std::string& name, base::Ref<Reference> reference);
  std::vector<std::string> initial_names();
  base::Ref<LocalSlot> local_slot(const std::string& name);
  // Stores `slot` under `name` unless there is one; returns what is there then.
  base::Ref<LocalSlot> set_local_slot(const std::string& name, base::Ref<LocalSlot> slot);

  // ---- server side
  // Takes the adapter library's dispatcher unless there is one; returns what is there then. Before the server
  // starts.
  Dispatcher& set_dispatcher(std::unique_ptr<Dispatcher> dispatcher);
  // Null until then.
  Dispatcher* dispatcher() { return dispatching_.load(std::memory_order_acquire); }
  // Listens and, in the pool model, starts to serve. Idempotent.
  SystemError start_server();
  // Bracket a wait inside an upcall for something other than a reply, so that the pool may use a substitute.
  void begin_wait();
  void end_wait();
  // Address that references made here carry first.
  const std::vector<ior::Address>& addresses() const { return addresses_; }

  // ---- calls; may be set at any time, for those that begin afterwards
  // Nanoseconds, 0 for no limit.
  std::int64_t call_timeout() const { return call_timeout_.load(std::memory_order_relaxed); }
  void set_call_timeout(std::int64_t timeout) { call_timeout_.store(timeout, std::memory_order_relaxed); }
  void set_connect_timeout(std::int64_t timeout) {
    connect_timeout_.store(timeout, std::memory_order_relaxed);
  }
  // Null if nobody handles failures.
  base::Ref<RetryHandler> retry_handler();
  void set_retry_handler(base::Ref<RetryHandler> handler);
  // What a call raises whose time is over.
  SystemError timed_out(Completion completed, const char* detail) const;

  // ---- life
  // Blocks until shutdown; serves meanwhile in the reactive model.
  SystemError run();
  SystemError perform_work();
  SystemError work_pending(bool& pending);
  // BAD_INV_ORDER from an upcall of this ORB if `wait`.
  SystemError shutdown(bool wait);
  SystemError destroy();
  bool is_shut_down() const { return shutdown_.load(std::memory_order_acquire); }
  // BAD_INV_ORDER after shutdown, OBJECT_NOT_EXIST after destroy.
  SystemError check() const;
  bool in_upcall() const;

  // ---- for the core
  // A connection to the address, shared by everyone who needs the same kind.
  SystemError connect(const ior::Address& address, giop::Version version, bool utf8, base::Deadline deadline,
                      base::Ref<ClientConnection>& connection);
  bool is_own_address(const ior::Address& address) const;
  // Before the first call and the first request; either may be null.
  void set_hooks(const ClientHooks* client, const ServerHooks* server) {
    client_hooks_ = client;
    server_hooks_ = server;
  }
  const ClientHooks* client_hooks() const { return client_hooks_; }
  // Runs a request to its end: afterwards its reply has been started. Any thread; never throws.
  void dispatch(ServerRequest& request);
  // Null until the server listens.
  Server* server() { return listening_.load(std::memory_order_acquire); }
  std::atomic<std::uint64_t>& pending_bytes() { return pending_bytes_; }

 private:
  struct CacheEntry;
  void drop_ended_connections();
  // The two lead to each other; `hops` counts the steps.
  SystemError follow(const std::string& url, base::Ref<Reference>& reference, int& hops);
  SystemError resolve(const std::string& name, base::Ref<Reference>& reference, int& hops);

  const Options options_;
  const std::uint64_t incarnation_;
  Lane lane_;
  const ClientHooks* client_hooks_ = nullptr;
  const ServerHooks* server_hooks_ = nullptr;
  base::Mutex mutex_;
  std::map<std::string, base::Ref<Reference>> initial_;
  std::map<std::string, base::Ref<LocalSlot>> slots_;
  std::map<std::string, std::shared_ptr<CacheEntry>> connections_;  // by address, version and char set
  std::size_t drop_above_ = 0;  // entries, before ended ones are looked for again
  std::unique_ptr<Dispatcher> dispatcher_;
  std::atomic<Dispatcher*> dispatching_{nullptr};  // dispatcher_, once it is there
  std::unique_ptr<Server> server_;
  std::atomic<Server*> listening_{nullptr};  // server_, once it listens
  std::vector<ior::Address> addresses_;      // set before listening_
  std::atomic<std::uint64_t> pending_bytes_{0};
  std::atomic<std::int64_t> call_timeout_;
  std::atomic<std::int64_t> connect_timeout_;
  base::Ref<RetryHandler> retry_handler_;
  std::atomic<bool> shutdown_{false};
  std::atomic<bool> destroyed_{false};
  base::Condition stopped_;
};

}  // namespace corbel::core
