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
#include "orb/core/abstract_server.h"
#include "orb/core/adapter_policies.h"
#include "orb/core/call_profile.h"
#include "orb/core/compression.h"
#include "orb/core/dispatcher.h"
#include "orb/core/hooks.h"
#include "orb/core/idle_connections.h"
#include "orb/core/lane.h"
#include "orb/core/main_thread.h"
#include "orb/core/options.h"
#include "orb/core/reference.h"
#include "orb/core/silent_routes.h"
#include "orb/core/transports.h"
#include "orb/ior/ior.h"
#include "orb/ior/url.h"

namespace corbel::core {

class DeferredWriter;

// A local object that another room keeps in the ORB under a name (RootPOA, POACurrent, ...): counted by its
// mapping.
class LocalSlot : public base::RefCounted {};

// What a library adds to an ORB for as long as that lives. Counts no ORB.
class OrbAddition : public base::RefCounted {
 public:
  // The ORB is shut down and is being destroyed, and the calls that waited have been given up: lets go of
  // what could count it. In this thread calls can still be made with it meanwhile.
  virtual void orb_destroyed() = 0;
  // The calling thread is inside of what orb_destroyed() waits for.
  virtual bool in_use_here() const = 0;
};

// Thread-safe. Counted: every reference keeps its ORB.
class Orb final : public base::RefCounted {
 public:
  explicit Orb(Options options);
  ~Orb() override;

  const Options& options() const { return options_; }
  // Its options cannot be used: it may only be destroyed.
  const SystemError& error() const { return error_ ? error_ : transports_.error(); }
  Lane& lane() { return lane_; }
  // 64 random bits of this ORB's start: marks its transient keys.
  std::uint64_t incarnation() const { return incarnation_; }

  // ---- references
  // A reference to an object of one of this ORB's adapters; starts the server if it does not listen yet.
  // `own` is what its adapter's policies say, null for nothing.
  SystemError make_reference(const std::string& type_id, const std::string& key,
                             base::Ref<Reference>& reference, const AdapterPolicies* own = nullptr);
  // Any reference, marked local when it points to this ORB.
  base::Ref<Reference> import(ior::Ior ior);
  // "IOR:", "corbaloc:", "corbaname:", "file://". An empty result without error is nil.
  SystemError string_to_reference(const std::string& url, base::Ref<Reference>& reference);

  // ---- initial references, kept as references; names that live in this process (RootPOA) are LocalSlots.
  // A null result without error: no such name.
  SystemError resolve_initial(const std::string& name, base::Ref<Reference>& reference);
  // `taken` if there is one of this name, which stays.
  SystemError register_initial(const std::string& name, base::Ref<Reference> reference, bool& taken);
  std::vector<std::string> initial_names();
  base::Ref<LocalSlot> local_slot(const std::string& name);
  // Stores `slot` under `name` unless there is one; returns what is there then.
  base::Ref<LocalSlot> set_local_slot(const std::string& name, base::Ref<LocalSlot> slot);
  // Null while there is none.
  OrbAddition* addition() const { return addition_.load(std::memory_order_acquire); }
  // Takes it unless there is one; gives what is there then.
  OrbAddition& set_addition(base::Ref<OrbAddition> fresh) {
    OrbAddition* present = nullptr;
    if (!addition_.compare_exchange_strong(present, fresh.get())) return *present;
    return *fresh.release();
  }

  // ---- server side
  // Takes the adapter library's dispatcher unless there is one; returns what is there then. Before the server
  // starts.
  Dispatcher& set_dispatcher(std::unique_ptr<Dispatcher> dispatcher);
  // Null until then.
  Dispatcher* dispatcher() { return dispatching_.load(std::memory_order_acquire); }
  // Listens and, in the pool model, starts to serve. Idempotent.
  SystemError start_server(ServerMaker* make = linked_server());
  // Null in a program that cannot serve: it has neither adapters nor an EventSource.
  static ServerMaker* linked_server();
  // Bracket a wait inside an upcall for something other than a reply, so that the pool may use a substitute.
  void begin_wait();
  void end_wait();
  // As AbstractServer::begin_call(), and what is raised where that says no.
  bool begin_call();
  static SystemError no_thread();
  const Transports& transports() const { return transports_; }

  // ---- calls; may be set at any time, for those that begin afterwards
  // Nanoseconds, 0 for no limit.
  void set_call_timeout(std::int64_t timeout) {
    call_defaults_.store(CallSetting::Roundtrip, timeout);
    call_settings_changed();
  }
  // What its policies say, which goes before what options and the above do.
  void set_call_overrides(const CallSettings& settings) {
    call_overrides_.store(settings);
    call_settings_changed();
  }
  std::uint32_t has_call_settings() const { return has_call_settings_.load(std::memory_order_relaxed); }
  CallSettings call_settings() const;
  void set_connect_timeout(std::int64_t timeout) {
    connect_timeout_.store(timeout, std::memory_order_relaxed);
  }
  // Null if nobody handles failures.
  base::Ref<RetryHandler> retry_handler();
  void set_retry_handler(base::Ref<RetryHandler> handler);
  // Around what the application does inside of destroy(): it may wait for a thread that calls destroy(), too.
  void let_others_go(bool now) {
    others_go_.store(now);
    if (now) stopped_.notify_all();
  }
  // What a call raises whose time is over.
  SystemError timed_out(Completion completed, const char* detail) const;

  // ---- life
  // Blocks until shutdown; serves meanwhile in the reactive model, and as the main thread.
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

  // ---- fork (fork.h)
  void before_fork();
  void after_fork_in_parent();
  // Nothing that was inherited is used any more; until resume_after_fork() check() refuses everything.
  void after_fork_in_child();
  void resume_after_fork();

  // ---- for the core
  // A connection to the address, shared by everyone who needs the same kind.
  SystemError connect(const Route& route, giop::Version version, std::uint32_t text, base::Deadline deadline,
                      base::Ref<ClientConnection>& connection, std::int64_t connect_timeout, BothWays wanted);
  SilentRoutes& silent_routes() { return silent_routes_; }
  // An adapter has the BidirectionalPolicy BOTH: connections that are made from now on offer callbacks,
  // unless a policy says otherwise.
  void allow_callbacks() { callbacks_allowed_.store(true, std::memory_order_relaxed); }
  // Whether it leads to this ORB's own server.
  bool is_own(const Route& route) const;
  // The same of any address of the object's.
  bool leads_here(const ior::Ior& ior) const;
  // For calls and requests that begin afterwards; either may be null.
  void set_hooks(const ClientHooks* client, const ServerHooks* server);
  // Whether some are set; the profile's own are not counted.
  bool has_hooks() const { return has_hooks_.load(std::memory_order_relaxed); }
  const ServerHooks* server_hooks() const { return server_hooks_.load(std::memory_order_relaxed); }
  const ClientHooks* client_hooks() const { return client_hooks_.load(std::memory_order_relaxed); }
  // Null where no message can be compressed.
  Compression* compression() { return compression_.get(); }
  DeferredWriter& deferred_writer();
  // Those that were not used since the last look. With no lock.
  void close_idle_connections();
  // Nothing that is idle keeps connections that have ended, and with them their descriptors. With no lock.
  void let_go_of_ended_connections();
  // The same of what the next calls will be made with, for connections that are in no table.
  void idle_invocations_let_go();
  // Runs a request to its end: afterwards its reply has been started. Any thread; never throws.
  void dispatch(ServerRequest& request);
  // The same without hooks.
  void dispatch_to_adapter(ServerRequest& request);
  MainThread& main_thread() { return main_thread_; }
  // Null until the server listens.
  AbstractServer* server() { return listening_.load(std::memory_order_acquire); }
  std::atomic<std::uint64_t>& pending_bytes() { return pending_bytes_; }

 private:
  struct CacheEntry;
  void dispatch_with_hooks(ServerRequest& request);
  void drop_ended_connections();
  base::Ref<ClientConnection> make_connection(std::unique_ptr<transport::Stream> stream,
                                              giop::Version version, bool both_ways);
  // Calls that wait for replies fail; what nobody waits for leaves before.
  void end_calls();
  // They lead to each other; `hops` counts the steps.
  SystemError locate(const ior::Corbaloc& corbaloc, base::Ref<Reference>& reference, int& hops);
  SystemError follow(const std::string& url, base::Ref<Reference>& reference, int& hops);
  SystemError resolve(const std::string& name, base::Ref<Reference>& reference, int& hops);

  const Options options_;
  const Transports transports_;
  const std::uint64_t incarnation_;
  SystemError error_;
  std::unique_ptr<Compression> compression_;
  Lane lane_;
  std::atomic<OrbAddition*> addition_{nullptr};
  std::atomic<const ClientHooks*> client_hooks_{nullptr};
  std::atomic<const ServerHooks*> server_hooks_{nullptr};
  std::atomic<bool> has_hooks_{false};
  std::unique_ptr<CallProfile> profile_;  // null without -ORBprofileCalls
  base::Mutex mutex_;
  std::map<std::string, base::Ref<Reference>> initial_;
  std::map<std::string, base::Ref<LocalSlot>> slots_;
  std::map<std::string, base::Ref<CacheEntry>> connections_;  // by route, version and char set
  SilentRoutes silent_routes_;
  std::unique_ptr<IdleThread> idle_thread_;  // from the first connection on, where idle ones are closed
  std::size_t drop_above_ = 0;               // entries, before ended ones are looked for again
  MainThread main_thread_{*this};
  std::unique_ptr<Dispatcher> dispatcher_;
  std::atomic<Dispatcher*> dispatching_{nullptr};  // dispatcher_, once it is there
  std::unique_ptr<AbstractServer> server_;
  std::atomic<AbstractServer*> listening_{nullptr};  // server_, once it listens
  std::vector<Route> routes_, published_;            // to the server; set before listening_
  std::atomic<bool> callbacks_allowed_{false};
  std::atomic<std::uint64_t> pending_bytes_{0};
  void call_settings_changed();
  std::atomic<std::uint32_t> has_call_settings_{0};
  SharedCallSettings call_defaults_, call_overrides_;
  std::atomic<std::int64_t> connect_timeout_;
  base::Ref<RetryHandler> retry_handler_;
  std::atomic<bool> shutdown_{false};
  void end(OrbAddition* addition);
  std::atomic<bool> destroyed_{false};  // or about to be
  std::atomic<bool> gone_{false};       // destroy() has done it
  std::atomic<bool> others_go_{false};  // who calls destroy() meanwhile does not wait for that
  // The thread that destroys it while the addition may still call with it; 0 before and afterwards.
  std::atomic<std::uint32_t> ending_in_{0};
  bool forked_ = false;  // with shutdown_, which is read anyway: in a child before resume_after_fork()
  bool shut_down_before_fork_ = false;
  base::Condition stopped_;
  std::unique_ptr<DeferredWriter> deferred_writer_;  // made when first needed
};

}  // namespace corbel::core
