#include "orb/core/orb.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "orb/core/client_connection.h"
#include "orb/core/client_invocation.h"
#include "orb/core/server.h"
#include "orb/core/server_request.h"
#include "orb/ior/assigned.h"
#include "orb/ior/url.h"

namespace corbel::core {
namespace {

constexpr std::size_t kFewConnections = 16;
constexpr int kMostUrlHops = 8;  // stops initial references and files that name each other

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
struct Orb::CacheEntry {
  base::Mutex mutex;
  base::Ref<ClientConnection> connection;
};

Orb::Orb(Options options)
    : options_(std::move(options)),
      incarnation_(random_bits()),
      call_timeout_(options_.call_timeout_ms * kNanosecondsPerMillisecond),
      connect_timeout_(options_.connect_timeout_ms * kNanosecondsPerMillisecond) {}
Orb::~Orb() = default;

SystemError Orb::check() const {
  if (destroyed_.load(std::memory_order_acquire))
    return {SystemErrorId::OBJECT_NOT_EXIST, Completion::No, 0, "the ORB has been destroyed"};
  if (is_shut_down()) return bad_inv_order(4, "the ORB has been shut down");
  return {};
}

// ---- references

bool Orb::is_own_address(const ior::Address& address) const {
  if (!listening_.load(std::memory_order_acquire)) return false;
  return std::find(addresses_.begin(), addresses_.end(), address) != addresses_.end();
}

SystemError Orb::make_reference(const std::string& type_id, const std::string& key,
                                base::Ref<Reference>& reference) {
  if (SystemError e = start_server()) return e;
  ior::Ior ior{type_id, {}};
  for (const ior::Address& address : addresses_) {
    ior::IiopProfile profile{1, options_.max_giop_minor, address, key, {}};
    if (profile.minor > 0) profile.components = ior::standard_components();
    ior.profiles.push_back(ior::encode_iiop(profile));
  }
  reference = base::make_ref<Reference>(*this, std::move(ior), true);
  return {};
}

base::Ref<Reference> Orb::import(ior::Ior ior) {
  bool local = false;
  for (const ior::TaggedProfile& p : ior.profiles)
    if (const auto iiop = ior::decode_iiop(p)) local = local || is_own_address(iiop->address);
  return base::make_ref<Reference>(*this, std::move(ior), local);
}

SystemError Orb::string_to_reference(const std::string& url, base::Ref<Reference>& reference) {
  int hops = 0;
  return follow(url, reference, hops);
}

SystemError Orb::follow(const std::string& url, base::Ref<Reference>& reference, int& hops) {
  std::string text = url;
  while (hops++ < kMostUrlHops) {
    if (text.size() >= 4 && strncasecmp(text.c_str(), "IOR:", 4) == 0) {
      ior::Ior ior;
      if (SystemError e = ior::parse_ior(text, ior)) return e;
      reference = ior.nil() ? nullptr : import(std::move(ior));
      return {};
    }
    if (strncasecmp(text.c_str(), "corbaloc:", 9) == 0) {
      ior::Corbaloc corbaloc;
      if (SystemError e = ior::parse_corbaloc(text, corbaloc)) return e;
      if (corbaloc.rir) {
        if (SystemError e = resolve(corbaloc.key, reference, hops)) return e;
        if (reference) return {};
        return {SystemErrorId::BAD_PARAM, Completion::No, assigned::kOmgMinor | 9,
                "corbaloc:rir: names no initial reference"};
      }
      reference = import(ior::to_ior(corbaloc));
      return {};
    }
    if (strncasecmp(text.c_str(), "file://", 7) == 0) {
      std::string content;
      if (SystemError e = ior::read_file_url(text, content)) return e;
      text = std::move(content);
      continue;
    }
    return {SystemErrorId::BAD_PARAM, Completion::No, assigned::kOmgMinor | 7,
            "not an object URL: expected IOR:, corbaloc: or file://"};
  }
  return {SystemErrorId::BAD_PARAM, Completion::No, assigned::kOmgMinor | 9,
          "files and initial references lead to each other without end"};
}

// ---- initial references

SystemError Orb::resolve_initial(const std::string& name, base::Ref<Reference>& reference) {
  int hops = 0;
  return resolve(name, reference, hops);
}

SystemError Orb::resolve(const std::string& name, base::Ref<Reference>& reference, int& hops) {
  {
    std::lock_guard lock(mutex_);
    if (const auto i = initial_.find(name); i != initial_.end()) {
      reference = i->second;
      return {};
    }
  }
  for (auto i = options_.init_refs.rbegin(); i != options_.init_refs.rend(); ++i) {
    if (i->first != name) continue;
    if (SystemError e = follow(i->second, reference, hops)) return e;
    std::lock_guard lock(mutex_);
    initial_.emplace(name, reference);
    return {};
  }
  reference = nullptr;
  if (options_.default_init_ref.empty()) return {};
  return follow(options_.default_init_ref + '/' + ior::escape(name), reference, hops);
}

SystemError Orb::register_initial(const std::string& name, base::Ref<Reference> reference) {
  std::lock_guard lock(mutex_);
  initial_[name] = std::move(reference);
  return {};
}

std::vector<std::string> Orb::initial_names() {
  std::vector<std::string> names{"RootPOA", "POACurrent", "omniINSPOA", "IORTable"};
  for (const auto& [name, url] : options_.init_refs) names.push_back(name);
  std::lock_guard lock(mutex_);
  for (const auto& [name, reference] : initial_) names.push_back(name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
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

base::Ref<RetryHandler> Orb::retry_handler() {
  std::lock_guard lock(mutex_);
  return retry_handler_;
}

void Orb::set_retry_handler(base::Ref<RetryHandler> handler) {
  std::lock_guard lock(mutex_);
  std::swap(retry_handler_, handler);
}

SystemError Orb::timed_out(Completion completed, const char* detail) const {
  if (options_.transient_on_timeout)
    return {SystemErrorId::TRANSIENT, completed, assigned::kMinorCallTimedOut, detail};
  return {SystemErrorId::TIMEOUT, completed, assigned::kMinorCallTimedOut, detail};
}

// ---- client side

SystemError Orb::connect(const ior::Address& address, giop::Version version, bool utf8,
                         base::Deadline deadline, base::Ref<ClientConnection>& connection) {
  const std::string key = address.host + '\n' + std::to_string(address.port) + (utf8 ? '\r' : '\n') +
                          std::to_string(version.minor);
  std::shared_ptr<CacheEntry> entry;
  {
    std::lock_guard lock(mutex_);
    entry = connections_[key];
    if (!entry) {
      if (connections_.size() > drop_above_) drop_ended_connections();
      entry = connections_[key] = std::make_shared<CacheEntry>();
    }
  }
  // Counted from here: those who queue up behind an attempt that fails do not each wait as long once more.
  const std::int64_t own = connect_timeout_.load(std::memory_order_relaxed);
  base::Deadline limit = own == 0 ? base::kNoDeadline : base::now() + own;
  const bool deadline_first =
      deadline != base::kNoDeadline && (limit == base::kNoDeadline || deadline < limit);
  if (deadline_first) limit = deadline;
  std::lock_guard lock(entry->mutex);
  if (is_shut_down()) return check();
  if (!entry->connection || !entry->connection->usable()) {
    entry->connection = nullptr;
    transport::ConnectResult result = transport::tcp_connect(address.host, address.port, limit);
    if (result.timed_out && deadline_first)
      return timed_out(Completion::No, "the deadline passed before there was a connection to the server");
    if (!result.stream)
      return {SystemErrorId::TRANSIENT, Completion::No, assigned::kOmgMinor | 2,
              result.timed_out
                  ? "no connection to the server within the time for connecting"
                  : "no connection to the server: is it running, and is the address in the reference right?"};
    entry->connection =
        base::make_ref<ClientConnection>(*this, pending_bytes_, std::move(result.stream), version);
  }
  connection = entry->connection;
  return {};
}

// With the mutex. Whoever has just taken an entry keeps it alive; at worst a connection made there is not
// shared.
void Orb::drop_ended_connections() {
  std::erase_if(connections_, [](const auto& item) {
    if (!item.second) return true;
    std::unique_lock lock(item.second->mutex, std::try_to_lock);
    return lock && (!item.second->connection || item.second->connection->ended());
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

SystemError Orb::start_server() {
  if (listening_.load(std::memory_order_acquire)) return {};
  std::lock_guard lock(mutex_);
  if (server_) return {};
  if (SystemError e = check()) return e;
  auto server = std::make_unique<Server>(*this);
  if (SystemError e = server->listen()) return e;
  for (const Endpoint& e : server->endpoints()) addresses_.push_back({e.host, e.port});
  server_ = std::move(server);
  listening_.store(server_.get(), std::memory_order_release);
  server_->start();
  return {};
}

void Orb::dispatch(ServerRequest& request) {
  if (server_hooks_) [[unlikely]] {
    if (const SystemError e = server_hooks_->receive_request(server_hooks_->data, request))
      return request.system_exception(e);
  }
  if (Dispatcher* const d = dispatcher()) [[likely]]
    d->dispatch(request);
  else
    request.system_exception(
        {SystemErrorId::OBJECT_NOT_EXIST, Completion::No, assigned::kOmgMinor | 2, nullptr});
  if (server_hooks_) [[unlikely]]
    server_hooks_->send_reply(server_hooks_->data, request);
}

void Orb::begin_wait() {
  ServerRequest* const request = ServerRequest::current();
  if (request && request->orb().server()) request->orb().server()->begin_wait(*request);
}

void Orb::end_wait() {
  ServerRequest* const request = ServerRequest::current();
  if (request && request->orb().server()) request->orb().server()->end_wait();
}

// ---- life

bool Orb::in_upcall() const {
  for (const ServerRequest* r = ServerRequest::current(); r; r = r->outer)
    if (&const_cast<ServerRequest*>(r)->orb() == this) return true;
  return false;
}

SystemError Orb::run() {
  if (SystemError e = check()) return e;
  for (;;) {
    const std::uint32_t epoch = stopped_.epoch();
    if (is_shut_down()) return {};
    Server* const s = server();
    if (s && s->reactive()) s->run_until_stopped();
    else stopped_.wait(epoch);
  }
}

SystemError Orb::perform_work() {
  if (SystemError e = check()) return e;
  if (Server* const s = server(); s && s->reactive()) s->run_once(0);
  return {};
}

SystemError Orb::work_pending(bool& pending) {
  pending = false;
  if (SystemError e = check()) return e;
  if (Server* const s = server(); s && s->reactive()) pending = s->work_pending();
  return {};
}

SystemError Orb::shutdown(bool wait) {
  if (destroyed_.load(std::memory_order_acquire)) return check();
  if (wait && in_upcall())
    return bad_inv_order(3, "shutdown that waits was called from an upcall, which would wait for itself");
  bool first;
  {
    std::lock_guard lock(mutex_);  // a server that is being started is there behind it, or is not started
    first = !shutdown_.exchange(true, std::memory_order_acq_rel);
  }
  Server* const s = server();
  if (first && s) s->close_connections();
  if (Dispatcher* const d = dispatcher()) d->shutdown(wait);
  stopped_.notify_all();
  if (s) s->wake_all();
  return {};
}

SystemError Orb::destroy() {
  if (destroyed_.load(std::memory_order_acquire)) return check();
  if (in_upcall()) return bad_inv_order(3, "destroy was called from an upcall, which would wait for itself");
  if (SystemError e = shutdown(true)) return e;
  if (destroyed_.exchange(true, std::memory_order_acq_rel)) return {};
  std::map<std::string, std::shared_ptr<CacheEntry>> connections;
  std::map<std::string, base::Ref<Reference>> initial;
  std::map<std::string, base::Ref<LocalSlot>> slots;
  {
    std::lock_guard lock(mutex_);
    connections.swap(connections_);
    initial.swap(initial_);
    slots.swap(slots_);
  }
  for (auto& [key, entry] : connections) {
    std::lock_guard lock(entry->mutex);
    if (entry->connection) entry->connection->close();
  }
  if (Server* const s = server()) s->stop();
  lane_.invocations.clear();
  lane_.requests.clear();
  return {};
}

}  // namespace corbel::core
