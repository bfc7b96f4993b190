#include "orb/core/orb.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

#include "orb/base/ascii.h"
#include "orb/base/detail.h"
#include "orb/core/application_call.h"
#include "orb/core/client_connection.h"
#include "orb/core/client_invocation.h"
#include "orb/core/deferred_writer.h"
#include "orb/core/fork.h"
#include "orb/core/server_request.h"
#include "orb/ior/assigned.h"

namespace corbel::core {

// Of server.cc, which whoever serves links: server.h must not be included here.
[[gnu::weak]] SystemError make_server(Orb& orb, std::unique_ptr<AbstractServer>& server);

namespace {

constexpr std::size_t kFewConnections = 16;
constexpr std::int64_t kTimeToDrain =
    1'000'000'000;  // what nobody waits for may still leave, when an ORB ends

std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits))
    bits = static_cast<std::uint64_t>(base::now());
  return bits;
}

SystemError bad_inv_order(std::uint32_t minor, const char* detail) {
  return {SystemErrorId::BAD_INV_ORDER, Completion::No, assigned::kOmgMinor | minor, detail};
}

}  // namespace

// Connecting is serialised per entry, so that threads that start together share one connection.
struct Orb::CacheEntry final : base::RefCounted {
  base::Mutex mutex;
  base::Ref<ClientConnection> connection;
  // Those before that take no more requests, but whose callers still wait: the ORB's end ends them, too.
  std::vector<base::Ref<ClientConnection>> former;

  bool waited_for() {
    std::erase_if(former, [](const auto& c) { return !c->waited_for(); });
    return !former.empty();
  }
  void retire() {
    (void)waited_for();
    if (connection && connection->waited_for()) former.push_back(connection);
    connection = nullptr;
  }
};

Orb::Orb(Options options)
    : options_(std::move(options)),
      transports_(options_),
      incarnation_(random_bits()),
      connect_timeout_(options_.connect_timeout_ms * kNanosecondsPerMillisecond) {
  CallSettings defaults = options_.call_defaults;
  compression_ = make_compression(options_.library_settings, defaults, error_);
  if (options_.offer_bidirectional) defaults.put(CallSetting::Bidirectional, 1);
  call_defaults_.store(defaults);
  call_settings_changed();
  if (!error_ && !options_.profile_file.empty()) {
    profile_ = CallProfile::open(options_.profile_file, error_);
    set_hooks(nullptr, nullptr);
  }
  note_orb(*this);
}

// Pools of clients would have it, too.
ServerRequest::~ServerRequest() = default;

Orb::~Orb() {
  forget_orb(*this);
  if (forked_) {  // their threads are in another process
    (void)server_.release();
    (void)idle_thread_.release();
  }
  lane_.invocations.clear();  // before the connections that they hold
  if (OrbAddition* const a = addition()) a->remove_ref();
}

void Orb::set_hooks(const ClientHooks* client, const ServerHooks* server) {
  has_hooks_.store(client || server, std::memory_order_relaxed);
  if (profile_) profile_->put_around(client, server);
  client_hooks_.store(client, std::memory_order_release);
  server_hooks_.store(server, std::memory_order_release);
  collocation_changed();
}

SystemError Orb::check() const {
  if (ending_in_.load(std::memory_order_relaxed) == base::thread_id()) return {};
  if (destroyed_.load(std::memory_order_acquire))
    return {SystemErrorId::OBJECT_NOT_EXIST, Completion::No, 0, "the ORB has been destroyed"};
  if (forked_)
    return bad_inv_order(
        0, "this process was forked from one that used the ORB: call corbel::after_fork(true) first");
  if (is_shut_down()) return bad_inv_order(4, "the ORB has been shut down");
  return {};
}

// ---- references

bool Orb::is_own(const Route& route) const {
  if (!listening_.load(std::memory_order_acquire)) return false;
  return std::find(routes_.begin(), routes_.end(), route) != routes_.end();
}

bool Orb::leads_here(const ior::Ior& ior) const {
  const char* why;
  for (std::size_t i = 0; i < ior.profiles.size(); ++i) {
    const auto iiop = ior::decode_iiop(ior, i);
    if (!iiop) continue;
    const auto routes = transports_.routes(*iiop, why);
    if (std::any_of(routes.begin(), routes.end(), [this](const Route& r) { return is_own(r); })) return true;
  }
  return false;
}

SystemError Orb::make_reference(const std::string& type_id, const std::string& key,
                                base::Ref<Reference>& reference, const AdapterPolicies* own) {
  if (SystemError e = start_server()) return e;
  AdapterPolicies all = own ? *own : AdapterPolicies{};
  all.replies.add(call_settings());
  // omniORB looks at the policies alone: it would compress messages of 1.1, too.
  if (compression_ && options_.max_giop_minor >= 2) compression_->expose(all.replies, all.exposed);
  ior::Ior ior{type_id, transports_.profiles(published_, key, options_.max_giop_minor, all.exposed)};
  if (!all.components.empty()) ior::add_components(ior, all.components);
  reference = base::make_ref<Reference>(*this, std::move(ior), true);
  return {};
}

base::Ref<Reference> Orb::import(ior::Ior ior) { return base::make_ref<Reference>(*this, std::move(ior)); }

// ---- initial references

SystemError Orb::register_initial(const std::string& name, base::Ref<Reference> reference, bool& taken) {
  std::lock_guard lock(mutex_);
  if (destroyed_.load(std::memory_order_acquire)) return check();  // it would keep its ORB for ever
  taken = !initial_.try_emplace(name, std::move(reference)).second;
  return {};
}

std::vector<std::string> Orb::initial_names() {
  std::set<std::string> names{"RootPOA",  "POACurrent",       "omniINSPOA",
                              "IORTable", "ORBPolicyManager", "PolicyCurrent"};
  for (const auto& [name, url] : options_.init_refs) names.insert(name);
  std::lock_guard lock(mutex_);
  for (const auto& [name, reference] : initial_) names.insert(name);
  return {names.begin(), names.end()};
}

base::Ref<LocalSlot> Orb::local_slot(const std::string& name) {
  std::lock_guard lock(mutex_);
  const auto i = slots_.find(name);
  return i == slots_.end() ? nullptr : i->second;
}

base::Ref<LocalSlot> Orb::set_local_slot(const std::string& name, base::Ref<LocalSlot> slot) {
  std::lock_guard lock(mutex_);
  return slots_.try_emplace(name, std::move(slot)).first->second;
}

// ---- calls

// Setting nothing while another thread sets something must not win.
void Orb::call_settings_changed() {
  std::lock_guard lock(mutex_);
  const CallSettings all{call_defaults_.set() | call_overrides_.set(), {}};
  has_call_settings_.store(all.set_of_calls(), std::memory_order_relaxed);
  collocation_changed();
}

CallSettings Orb::call_settings() const {
  CallSettings settings = call_overrides_.load();
  settings.add(call_defaults_.load());
  return settings;
}

base::Ref<RetryHandler> Orb::retry_handler() {
  std::lock_guard lock(mutex_);
  return retry_handler_;
}

void Orb::set_retry_handler(base::Ref<RetryHandler> handler) {
  std::lock_guard lock(mutex_);
  std::swap(retry_handler_, handler);
  collocation_changed();
}

SystemError Orb::timed_out(Completion completed, const char* detail) const {
  if (options_.transient_on_timeout)
    return {SystemErrorId::TRANSIENT, completed, assigned::kMinorCallTimedOut, detail};
  return {SystemErrorId::TIMEOUT, completed, assigned::kMinorCallTimedOut, detail};
}

// ---- client side

constexpr std::int64_t kSilence = 200 * kNanosecondsPerMillisecond;

SystemError Orb::connect(const Route& route, giop::Version version, std::uint32_t text,
                         base::Deadline deadline, base::Ref<ClientConnection>& connection,
                         std::int64_t connect_timeout, BothWays wanted) {
  const bool both_ways = version.minor >= 2 &&
                         (wanted == BothWays::AsAdapters ? callbacks_allowed_.load(std::memory_order_relaxed)
                                                         : wanted == BothWays::Yes);
  const std::string key = route.transport->name() + ('\n' + route.address) + '\n' + base::decimal(text) +
                          '\n' + base::decimal(version.minor) + (both_ways ? "\nboth ways" : "");
  base::Ref<CacheEntry> entry;
  {
    std::lock_guard lock(mutex_);
    entry = connections_[key];
    if (!entry) {
      if (connections_.size() > drop_above_) drop_ended_connections();
      if (!idle_thread_ && options_.out_idle_s != 0 && options_.idle_granularity_s != 0)
        idle_thread_ =
            std::make_unique<IdleThread>(*this, options_.out_idle_s * (1000 * kNanosecondsPerMillisecond));
      entry = connections_[key] = base::make_ref<CacheEntry>();
    }
  }
  // Counted from here: those who queue up behind an attempt that fails do not each wait as long once more.
  const std::int64_t own = connect_timeout != kConnectTimeoutOfOrb
                               ? connect_timeout
                               : connect_timeout_.load(std::memory_order_relaxed);
  base::Deadline limit = own == 0 ? base::kNoDeadline : base::now() + own;
  const bool deadline_first =
      deadline != base::kNoDeadline && (limit == base::kNoDeadline || deadline < limit);
  if (deadline_first) limit = deadline;
  if (!entry->mutex.lock_until(limit)) {
    if (deadline_first)
      return timed_out(Completion::No, "the deadline passed while another thread connected to the server");
    return {SystemErrorId::TRANSIENT, Completion::No, assigned::kOmgMinor | 2,
            "no connection to the server within the time for connecting"};
  }
  std::lock_guard lock(entry->mutex, std::adopt_lock);
  if (is_shut_down())
    if (SystemError e = check()) return e;
  if (!entry->connection || !entry->connection->usable()) {
    entry->retire();
    const base::Deadline begun = base::now();
    transport::ConnectResult result = route.transport->connect(route.address, limit);
    // An impatient caller learns nothing of an address that is only far away.
    if (!result.timed_out || base::now() - begun >= kSilence) silent_routes_.note(route, result.timed_out);
    if (result.timed_out && deadline_first)
      return timed_out(Completion::No, "the deadline passed before there was a connection to the server");
    if (result.refused)
      return {SystemErrorId::NO_PERMISSION, Completion::No, 0, base::keep_detail(result.why)};
    if (!result.stream)
      return {SystemErrorId::TRANSIENT, Completion::No, assigned::kOmgMinor | 2,
              !result.why.empty() ? base::keep_detail(result.why)
              : result.timed_out
                  ? "no connection to the server within the time for connecting"
                  : "no connection to the server: is it running, and is the address in the reference right?"};
    entry->connection = make_connection(std::move(result.stream), version, both_ways);
  }
  connection = entry->connection;
  return {};
}

// Where no server can be had, nothing is said of callbacks.
base::Ref<ClientConnection> Orb::make_connection(std::unique_ptr<transport::Stream> stream,
                                                 giop::Version version, bool both_ways) {
  if (both_ways && !start_server()) return server()->make_bidirectional(std::move(stream));
  return base::make_ref<ClientConnection>(*this, pending_bytes_, std::move(stream), version);
}

// By the thread that looks for them; those that are just being made are not idle.
void Orb::close_idle_connections() {
  ClientConnection* idle = nullptr;
  bool ended = false;
  std::vector<base::Ref<CacheEntry>> entries;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [key, entry] : connections_)
      if (entry) entries.push_back(entry);
  }
  for (const auto& entry : entries) {
    std::unique_lock lock(entry->mutex, std::try_to_lock);
    if (!lock || !entry->connection) continue;
    const bool open = entry->connection->usable();
    if (!entry->connection->retire_if_idle()) continue;
    if (open) entry->connection->add_to(idle);
    entry->connection = nullptr;
    ended = true;
  }
  ClientConnection::close(idle);
  if (ended) let_go_of_ended_connections();
}

void Orb::idle_invocations_let_go() {
  lane_.invocations.for_each([](ClientInvocation& idle) { idle.let_go_of_ended_connection(); });
}

void Orb::let_go_of_ended_connections() {
  idle_invocations_let_go();
  std::vector<base::Ref<ClientConnection>> ended;  // released without the mutex
  std::lock_guard lock(mutex_);
  for (const auto& [key, entry] : connections_) {
    if (!entry) continue;
    std::unique_lock entry_lock(entry->mutex, std::try_to_lock);
    if (entry_lock && entry->connection && !entry->connection->usable() && !entry->connection->waited_for())
      ended.push_back(std::move(entry->connection));
  }
}

DeferredWriter& Orb::deferred_writer() {
  std::lock_guard lock(mutex_);
  if (!deferred_writer_) deferred_writer_ = std::make_unique<DeferredWriter>(options_.max_unsent_bytes);
  return *deferred_writer_;
}

// With the mutex. An entry that somebody has taken, perhaps to connect there, stays.
void Orb::drop_ended_connections() {
  std::erase_if(connections_, [](const auto& item) {
    if (!item.second) return true;
    if (item.second->ref_count() != 1) return false;
    std::unique_lock lock(item.second->mutex, std::try_to_lock);
    return lock && (!item.second->connection || item.second->connection->ended()) &&
           !item.second->waited_for();
  });
  drop_above_ = std::max(kFewConnections, connections_.size() * 2);
}

// ---- server side

Dispatcher& Orb::set_dispatcher(std::unique_ptr<Dispatcher> dispatcher) {
  std::lock_guard lock(mutex_);
  if (!dispatcher_) {
    dispatcher_ = std::move(dispatcher);
    dispatching_.store(dispatcher_.get(), std::memory_order_release);
  }
  return *dispatcher_;
}

ServerMaker* Orb::linked_server() { return make_server; }

SystemError Orb::start_server(ServerMaker* make) {
  if (listening_.load(std::memory_order_acquire)) return {};
  if (!make) return bad_inv_order(0, "this program has no server: link Corbel::poa");
  std::lock_guard lock(mutex_);
  if (listening_.load(std::memory_order_relaxed)) return {};
  if (SystemError e = check()) return e;
  if (!server_) {
    if (SystemError e = make(*this, server_)) return e;
    routes_ = server_->routes();
    published_ = server_->published();
  }
  listening_.store(server_.get(), std::memory_order_release);  // before its threads
  if (!server_->start()) {  // others may know of it already: it stays, and starts when it is asked for again
    listening_.store(nullptr, std::memory_order_release);
    return {SystemErrorId::NO_RESOURCES, Completion::No, 0, "no thread can be made that serves"};
  }
  if (server_->reactive()) stopped_.notify_all();  // threads that were inside run() before: they serve
  return {};
}

void Orb::begin_wait() {
  ServerRequest* const request = ServerRequest::current();
  if (request && request->orb().server()) request->orb().server()->begin_wait(*request);
}

bool Orb::begin_call() {
  ServerRequest* const request = ServerRequest::current();
  AbstractServer* const server = request ? request->orb().server() : nullptr;
  return !server || server->begin_call(*request);
}

SystemError Orb::no_thread() {
  return {SystemErrorId::TRANSIENT, Completion::No, assigned::kOmgMinor | 1,
          "too many of this server's threads wait for replies; -ORBmaxThreads is the bound"};
}

void Orb::end_wait() {
  ServerRequest* const request = ServerRequest::current();
  if (request && request->orb().server()) request->orb().server()->end_wait();
}

// ---- life

bool Orb::in_upcall() const {
  for (const ServerRequest* r = ServerRequest::current(); r; r = r->outer)
    if (&const_cast<ServerRequest*>(r)->orb() == this) return true;
  Dispatcher* const d = const_cast<Orb*>(this)->dispatcher();
  return ApplicationCall::runs(*this) || (d && d->in_direct_call());
}

SystemError Orb::run() {
  if (SystemError e = check()) return e;
  const MainThread::Here main(main_thread_, MainThread::As::Entering);
  for (;;) {
    const std::uint32_t epoch = stopped_.epoch();
    const bool ends = is_shut_down();
    if (ends && (!main || !main_thread_.stays())) return {};
    AbstractServer* const s = server();
    if (s && s->reactive() && !ends) s->run_until_stopped();
    else main_thread_.wait(stopped_, epoch, MainThread::As::Entering);
  }
}

SystemError Orb::perform_work() {
  if (SystemError e = check()) return e;
  const MainThread::Here main(main_thread_, MainThread::As::Entering);
  if (main && main_thread_.serve(MainThread::As::Main)) return {};
  if (AbstractServer* const s = server(); s && s->reactive()) s->run_once(0);
  return {};
}

SystemError Orb::work_pending(bool& pending) {
  pending = false;
  if (SystemError e = check()) return e;
  pending = main_thread_.pending(MainThread::As::Entering);
  if (AbstractServer* const s = server(); s && s->reactive() && !pending) pending = s->work_pending();
  return {};
}

SystemError Orb::shutdown(bool wait) {
  if (destroyed_.load(std::memory_order_acquire) || forked_) return check();
  if (wait && in_upcall())
    return bad_inv_order(3, "shutdown that waits was called from an upcall, which would wait for itself");
  main_thread_.begin_end();
  {
    std::lock_guard lock(mutex_);  // a server that is being started is there behind it, or is not started
    shutdown_.store(true, std::memory_order_release);
  }
  collocation_changed();
  AbstractServer* const s = server();
  const struct Ended {  // whatever happens
    Orb& orb;
    ~Ended() {
      orb.main_thread_.refuse();
      orb.main_thread_.end_end();
      orb.stopped_.notify_all();
      if (AbstractServer* const s = orb.server()) s->wake_all();
    }
  } ended{*this};
  // Whoever comes second may be the one that ends the threads: each sees to it that goodbye has been said.
  if (s) s->close_connections();
  if (!wait) main_thread_.refuse();
  if (Dispatcher* const d = dispatcher()) d->shutdown(wait);
  if (s && wait) {
    s->finish_replies();
    s->deliver_goodbyes();
  }
  return {};
}

SystemError Orb::destroy() {
  OrbAddition* const a = addition();
  const bool inside = in_upcall() || (a && a->in_use_here());
  if (!destroyed_.load(std::memory_order_acquire) && !forked_) {
    if (inside) return bad_inv_order(3, "destroy was called from an upcall, which would wait for itself");
    if (SystemError e = shutdown(true); e && !destroyed_.load(std::memory_order_acquire)) return e;
    if (!destroyed_.exchange(true, std::memory_order_acq_rel)) return end(a), SystemError{};
  }
  if (inside || forked_ || gone_.load() || ending_in_.load() == base::thread_id()) return check();
  // Another thread is about to do it.
  for (;;) {
    const std::uint32_t epoch = stopped_.epoch();
    if (gone_.load(std::memory_order_acquire)) return {};
    if (others_go_.load()) return check();
    stopped_.wait(epoch);
  }
}

inline void Orb::end(OrbAddition* a) {
  const struct Gone {  // whatever happens
    Orb& orb;
    ~Gone() {
      orb.gone_.store(true, std::memory_order_release);
      orb.stopped_.notify_all();
    }
  } gone{*this};
  AbstractServer* const s = server();
  if (a) {
    ending_in_.store(base::thread_id(), std::memory_order_relaxed);
    if (s) s->end_reading();
    end_calls();
    if (s) s->wake_all();
    a->orb_destroyed();
    ending_in_.store(0, std::memory_order_relaxed);
  }
  std::map<std::string, base::Ref<Reference>> initial;
  std::map<std::string, base::Ref<LocalSlot>> slots;
  {
    std::lock_guard lock(mutex_);
    initial.swap(initial_);
    slots.swap(slots_);
  }
  end_calls();
  DeferredWriter* writer;
  {
    std::lock_guard lock(mutex_);
    writer = deferred_writer_.get();
  }
  if (writer) writer->stop();
  if (s) s->stop();
  lane_.invocations.clear();
  lane_.requests.clear();
  if (profile_) profile_->write();
}

void Orb::end_calls() {
  std::map<std::string, base::Ref<CacheEntry>> connections;
  std::unique_ptr<IdleThread> idle_thread;
  DeferredWriter* writer;
  {
    std::lock_guard lock(mutex_);
    idle_thread.swap(idle_thread_);
    connections.swap(connections_);
    writer = deferred_writer_.get();
  }
  idle_thread = nullptr;
  if (writer) writer->drain(base::now() + kTimeToDrain);
  ClientConnection* all = nullptr;
  for (auto& [key, entry] : connections) {
    if (!entry) continue;
    std::lock_guard lock(entry->mutex);
    if (entry->connection) entry->connection->add_to(all);
    for (const auto& former : entry->former) former->add_to(all);
  }
  ClientConnection::close(all);
}

// ---- fork

// What calls in the child go through is held here while the process is copied, so that the copy is whole.
void Orb::before_fork() {
  mutex_.lock();
  lane_.invocations.lock();
  lane_.requests.lock();
  main_thread_.before_fork();
}

void Orb::after_fork_in_parent() {
  main_thread_.after_fork_in_parent();
  lane_.requests.unlock();
  lane_.invocations.unlock();
  mutex_.unlock();
}

void Orb::after_fork_in_child() {
  (void)deferred_writer_.release();  // its threads are in another process
  mutex_.reset_in_child();
  lane_.invocations.reset_in_child();
  lane_.requests.reset_in_child();
  main_thread_.after_fork_in_child();
  for (auto& [key, entry] : connections_) {
    if (!entry) continue;
    if (entry->connection) entry->connection->cut_off();
    for (const auto& former : entry->former) former->cut_off();
  }
  if (!forked_) shut_down_before_fork_ = is_shut_down();
  if (destroyed_.load()) gone_.store(true);  // by a thread that is not here
  forked_ = true;
  shutdown_.store(true, std::memory_order_release);
  collocation_changed();
}

void Orb::resume_after_fork() {
  if (!forked_) return;
  connections_.clear();
  listening_.store(nullptr, std::memory_order_release);
  (void)server_.release();  // its threads are in another process
  (void)idle_thread_.release();
  routes_.clear();
  published_.clear();
  forked_ = false;
  shutdown_.store(shut_down_before_fork_, std::memory_order_release);
}

}  // namespace corbel::core
