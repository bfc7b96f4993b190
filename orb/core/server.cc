#include "orb/core/server.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <mutex>
#include <new>

#include "orb/base/ascii.h"
#include "orb/base/detail.h"
#include "orb/core/bidirectional_connection.h"
#include "orb/core/orb.h"
#include "orb/core/server_connection.h"
#include "orb/giop/bidirectional.h"
#include "orb/giop/message.h"
#include "orb/transport/tcp.h"
#include "orb/transport/unix.h"

namespace corbel::core {
namespace {

constexpr int kWatchMs = 1000;  // how often unfinished messages are looked at
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr int kAcceptPauseMs = 100;  // when descriptors have run out
constexpr int kMostAccepted = 64;    // before other events have their turn
// Connections that wait to be accepted, and one more. At the end those that come meanwhile are not waited
// for.
constexpr int kMostQueued = SOMAXCONN + 1;

constexpr SystemError kExhausted{SystemErrorId::NO_RESOURCES, Completion::No, 0,
                                 "no file descriptors left to serve with: raise the limit of open files"};

// The built-in transports refer to them weakly, so that clients link nothing that listens.
[[gnu::used]] const auto kListenTcp = &transport::listen_tcp;
[[gnu::used]] const auto kListenUnix = &transport::listen_unix;

// With descriptors left for whom to turn away, and for the program: without any, clients would be accepted by
// the system and hear nothing.
std::size_t connections_allowed(std::size_t wanted) {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return wanted;
  const rlim_t own = std::min<rlim_t>(files.rlim_cur / 4, 64);
  return std::min<rlim_t>(wanted, files.rlim_cur - own);
}

}  // namespace

// A listening socket among the event handlers.
class Server::Listener final : public EventHandler {
 public:
  Listener(Server& server, std::unique_ptr<transport::Acceptor> a)
      : acceptor(std::move(a)), server_(server) {}
  const std::unique_ptr<transport::Acceptor> acceptor;

  void ready(bool) override {
    bool exhausted = false;
    for (int i = 0; i < kMostAccepted; ++i) {
      std::unique_ptr<transport::Stream> stream;
      try {
        stream = accept(exhausted);
      } catch (const std::bad_alloc&) {
        exhausted = true;
      }
      if (!stream) break;
      server_.adopt(std::move(stream));
    }
    if (!exhausted) return arm();
    server_.accept_paused_.store(true);
    server_.set_timer();
  }
  // Also by whoever ends the server, while the loop's thread is here.
  std::unique_ptr<transport::Stream> accept(bool& exhausted) {
    std::lock_guard lock(accepting_);
    return acceptor->accept(exhausted);
  }
  // One that has ended by itself is waited for no more.
  void arm() {
    if (const int d = acceptor->descriptor(); d >= 0) server_.loop_.arm(d, static_cast<EventHandler*>(this));
  }

 private:
  Server& server_;
  base::Mutex accepting_;
};

// Time passes for a loop that is not the ORB's, too.
class Server::Timer final : public EventHandler {
 public:
  explicit Timer(Server& server)
      : server_(server), descriptor_(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) {}
  int descriptor() const { return descriptor_.get(); }
  void set(int milliseconds) {
    itimerspec time{};
    const int left = std::max(milliseconds, 1);  // 0 would stop it
    time.it_value = {left / 1000, left % 1000 * 1'000'000L};
    timerfd_settime(descriptor(), 0, &time, nullptr);
  }
  void ready(bool) override {
    std::uint64_t times;
    [[maybe_unused]] const auto n = ::read(descriptor(), &times, sizeof times);
    server_.tick();
    server_.set_timer();
    server_.loop_.arm(descriptor(), static_cast<EventHandler*>(this));
  }

 private:
  Server& server_;
  const transport::Descriptor descriptor_;
};

Server::Server(Orb& orb)
    : AbstractServer(orb.options().server_model == ServerModel::Reactive),
      orb_(orb),
      stays_(orb.options().server_model == ServerModel::Connection),
      limit_(orb.options().server_model == ServerModel::Pool
                 ? static_cast<std::int32_t>(orb.options().thread_pool_size)
                 : INT_MAX),
      queue_limit_(orb.options().max_queued == 0 ? INT_MAX
                                                 : static_cast<std::int32_t>(orb.options().max_queued)),
      most_writers_(static_cast<std::int32_t>(orb.options().max_threads / 2)),
      most_dependent_(static_cast<std::int32_t>(orb.options().max_threads) - 1),
      most_waiting_(static_cast<std::int32_t>(orb.options().max_threads)),
      idle_clock_(orb.options().idle_granularity_s != 0 ? orb.options().in_idle_s * kSecond : 0,
                  orb.options().idle_granularity_s * kSecond),
      interrupts_(orb.options().signal_idle_threads && !reactive()) {}

Server::~Server() { stop(); }

SystemError make_server(Orb& orb, std::unique_ptr<AbstractServer>& server) {
  auto made = std::make_unique<Server>(orb);
  if (SystemError e = made->listen()) return e;
  server = std::move(made);
  return {};
}

SystemError Server::listen() {
  if (!loop_.usable()) return kExhausted;
  const Options& options = orb_.options();
  std::vector<EndpointOption> wanted = options.endpoints;
  if (wanted.empty()) {
    if (!orb_.transports().find(EndpointOption().transport)) {
      if (SystemError error = listen_anywhere()) return error;
    } else {
      wanted.emplace_back();
    }
  }
  // What only shortens the way is added, but not where a transport was chosen because it protects and other
  // hosts have no other way.
  bool protected_only = wanted.empty();  // then it listens everywhere already
  for (const EndpointOption& e : wanted) {
    if (e.transport == EndpointOption().transport) {
      protected_only = false;
      break;
    }
    const auto* t = orb_.transports().find(e.transport);
    protected_only |= t && t->protects();
  }
  for (const EndpointOption& e : wanted)
    if (SystemError error = listen_at(e)) return error;
  if (!protected_only) {
    for (const std::string& name : orb_.transports().by_default())
      if (std::none_of(wanted.begin(), wanted.end(),
                       [&](const EndpointOption& e) { return e.transport == name; }))
        (void)listen_at({name, {}, {}, true});  // the longer way is there
  }
  for (const EndpointOption& e : options.published_instead)
    std::erase_if(published_, [&](const Route& route) { return route.transport->name() == e.transport; });
  std::vector<Route> instead;
  for (const auto* others : {&options.published_instead, &options.published})
    for (const EndpointOption& e : *others)
      if (transport::Transport* t = orb_.transports().find(e.transport)) {
        routes_.push_back({t, e.address});
        (others == &options.published ? published_ : instead).push_back(routes_.back());
      }
  published_.insert(published_.begin(), instead.begin(), instead.end());
  return {};
}

// TCP is left out, and nobody has said where to listen: wherever that is possible.
SystemError Server::listen_anywhere() {
  SystemError error{SystemErrorId::INITIALIZE, Completion::No, 0,
                    "-ORBtransports leaves out all that a server could listen at; ssl needs Corbel::tls and "
                    "corbel::tls::use()"};
  for (const std::string& name : orb_.options().transports)
    if (orb_.transports().find(name))
      if (SystemError e = listen_at({name, {}, {}, true})) error = e;
  return routes_.empty() ? error : SystemError{};
}

SystemError Server::listen_at(const EndpointOption& endpoint) {
  std::string why;
  transport::Transport* const transport = orb_.transports().find(endpoint.transport);
  std::unique_ptr<transport::Acceptor> acceptor;
  if (transport) acceptor = transport->listen(endpoint.address, why);
  else why = "-ORBtransports leaves its transport out";
  if (!acceptor)
    return {
        SystemErrorId::INITIALIZE, Completion::No, 0,
        base::keep_detail("-ORBendPoint giop:" + endpoint.transport + ':' + endpoint.address + ": " + why)};
  routes_.push_back(
      {transport, acceptor->address(endpoint.host.empty() ? orb_.options().publish_host : endpoint.host)});
  if (endpoint.published) published_.push_back(routes_.back());
  listeners_.push_back(std::make_unique<Listener>(*this, std::move(acceptor)));
  Listener& listener = *listeners_.back();
  return loop_.add(listener.acceptor->descriptor(), static_cast<EventHandler*>(&listener)) ? SystemError{}
                                                                                           : kExhausted;
}

bool Server::start() {
  if (reactive_) return true;
  std::lock_guard lock(mutex_);
  return spawn_locked();
}

// ---- connections and events

// Without memory for the queue the stream ends, which is an event.
void Server::arm(EventHandler& handler, transport::Stream& stream, bool silent) {
  if (!silent) {
    if (queue(&handler)) return;
    stream.interrupt();
  }
  loop_.arm(stream.descriptor(), &handler);
}

bool Server::queue(EventHandler* handler) try {
  std::lock_guard lock(mutex_);
  queue_.push_back(handler);
  queued_.store(true, std::memory_order_release);
  loop_.wake();
  wake_foreign_loop();
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

// Whoever is turned away is so without the mutex: his socket may take its time.
void Server::adopt(std::unique_ptr<transport::Stream> stream) {
  base::Ref<ServerConnection> connection;
  if (admit(stream, connection)) return;
  if (connection) turn_away(connection->stream());
  else if (stream) turn_away(*stream);
}

bool Server::admit(std::unique_ptr<transport::Stream>& stream, base::Ref<ServerConnection>& connection) try {
  const int descriptor = stream->descriptor();
  std::lock_guard lock(mutex_);
  if (closing_.load() || connections_.size() >= connections_allowed(orb_.options().max_connections))
    return false;
  connection = base::make_ref<ServerConnection>(orb_, *this, std::move(stream));
  if (!admit_locked(*connection)) return false;
  if (connection->mid_message()) watch_locked(*connection);
  if (!loop_.add(descriptor, static_cast<EventHandler*>(connection.get()))) {
    erase_locked(*connection);
    return false;
  }
  connection.release();  // counted by connections_
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

// False for one too many from its peer.
bool Server::admit_locked(ServerConnection& connection) {
  if (const std::uint32_t limit = orb_.options().max_per_peer; limit != 0) {
    const transport::PeerIdentity* const who = connection.stream().identity();
    const bool user = who && who->uid >= 0;  // of this host
    std::string peer = user ? "user " + base::decimal(who->uid) : connection.stream().peer();
    if (!user) peer.resize(std::min(peer.rfind(':'), peer.size()));  // its port
    constexpr std::string_view kMapped = "::ffff:";                  // IPv4 by way of IPv6
    if (peer.starts_with(kMapped)) peer.erase(0, kMapped.size());
    Peers::value_type& count = *peers_.try_emplace(std::move(peer), 0).first;
    if (count.second >= limit) return false;
    ++count.second;
    connection.peer_count = &count;
  }
  connections_.insert(connection);
  return true;
}

void Server::erase_locked(ServerConnection& connection) {
  connections_.erase(connection);
  watched_.erase(connection);
  holding_.erase(connection);
  if (auto* const count = connection.peer_count; count && --count->second == 0) peers_.erase(count->first);
  connection.peer_count = nullptr;
}

// A client that came too late, or is one too many, learns that nothing it sent was done.
void Server::turn_away(transport::Stream& stream) {
  char message[giop::kHeaderSize];
  giop::write(message, giop::MessageType::CloseConnection, {1, 0}, 0);
  const iovec part{message, sizeof message};
  // What could not be told must be seen: by a stream of which nothing was taken. One that is still being set
  // up would go on with that, a handshake for instance, if it were read.
  if (stream.try_write(&part, 1).status != transport::Io::Ok) return;
  stream.finish_writing();
  discard_input(stream);
}

void Server::leave_unread(ServerConnection& connection) { loop_.remove(connection.stream().descriptor()); }

void Server::forget(ServerConnection& connection) {
  leave_unread(connection);
  {
    std::lock_guard lock(mutex_);
    if (!connection.all.linked) return;
    erase_locked(connection);
  }
  connection.remove_ref();
}

// Our objects can be called back where references say that they are.
base::Ref<ClientConnection> Server::make_bidirectional(std::unique_ptr<transport::Stream> stream) {
  std::vector<ior::Address> points;
  for (const Route& route : published_) {
    transport::HostAndPorts at;
    if (route.transport->name() == std::string_view("tcp") &&
        transport::parse_host_and_ports(route.address, at))
      points.push_back({at.host, at.first});
  }
  if (points.empty())
    return base::make_ref<ClientConnection>(orb_, orb_.pending_bytes(), std::move(stream),
                                            giop::Version{1, 2});
  return base::make_ref<BidirectionalConnection>(orb_, *this, std::move(stream),
                                                 giop::bidirectional_context(points));
}

base::Ref<ClientConnection> Server::way_back(const ior::IiopProfile& profile) {
  return callback_routes_.empty() ? nullptr : callback_routes_.find(ior::addresses(profile));
}

// What is queued may be queued again each time: it takes turns with events.
EventHandler* Server::next_event(int timeout) {
  events_first_ = !events_first_;
  if (!events_first_)
    if (EventHandler* const handler = take_queued()) return handler;
  const bool queued = queued_.load(std::memory_order_acquire);
  auto* handler = static_cast<EventHandler*>(loop_.wait(queued ? 0 : timeout));
  if (!handler && queued) handler = take_queued();
  if (handler && ++events_ % 64 == 0) close_idle();  // there may be no quiet moment for tick()
  return handler;
}

EventHandler* Server::take_queued() {
  if (!queued_.load(std::memory_order_acquire)) return nullptr;
  std::lock_guard lock(mutex_);
  if (queue_.empty()) {
    queued_.store(false, std::memory_order_relaxed);
    return nullptr;
  }
  EventHandler* const handler = queue_.front();
  queue_.pop_front();
  return handler;
}

int Server::tick_time() const {
  if (replies_held_back_.load(std::memory_order_relaxed))
    return held_back_ms_.load(std::memory_order_relaxed);
  if (serving_.load(std::memory_order_relaxed) > 0) return tick_ms_.load(std::memory_order_relaxed);
  if (accept_paused_.load(std::memory_order_relaxed)) return kAcceptPauseMs;
  return idle_clock_.wait_time(watching_.load(std::memory_order_relaxed) ? kWatchMs : -1);
}

// Later, where there is no memory for it now.
void Server::look_at(ServerConnection& connection) try {
  looked_at_.push_back(base::Ref<ServerConnection>::share(&connection));
} catch (const std::bad_alloc&) {
}

void Server::tick() {
  ticked_at_ = base::now();
  if (accept_paused_.exchange(false))
    for (const auto& listener : listeners_) listener->arm();
  if (serving_.load(std::memory_order_relaxed) != 0) {
    {
      std::lock_guard lock(mutex_);
      for (ServerLinks* i = served_.first(); i; i = served_.next(*i)) {
        auto* const c = static_cast<ServerConnection*>(i);
        if (c->in_upcall() || c->rests()) look_at(*c);
      }
    }
    const int ms = tick_ms_.load(std::memory_order_relaxed);
    bool soon = false;
    ++looks_;
    for (const auto& c : looked_at_)
      if (c->look(looks_, ms, soon)) c->resume();
    tick_ms_.store(soon ? kTickMs : std::min(ms * 2, kLongTickMs), std::memory_order_relaxed);
    looked_at_.clear();
  }
  if (watching_.load(std::memory_order_relaxed)) watch();
  if (replies_held_back_.load(std::memory_order_relaxed)) send_held_back();
  close_idle();
}

// By the leader: nobody else can begin to read a connection that waits for events.
void Server::close_idle() {
  if (!idle_clock_.armed()) return;
  const base::Deadline now = base::now();
  if (!idle_clock_.due(now)) return;
  base::Deadline next = 0;
  {
    std::lock_guard lock(mutex_);
    for (ServerLinks* i = connections_.first(); i; i = connections_.next(*i)) {
      auto* const c = static_cast<ServerConnection*>(i);
      base::Deadline due = c->idle_until(idle_clock_.period(), now);
      if (due <= now) {
        look_at(*c);
        due = now + kSecond;  // to see whether the peer has ended it
      }
      if (next == 0 || due < next) next = due;
    }
    idle_clock_.looked(now, next);  // a connection that comes next arms it anew
  }
  const base::Deadline patience = now + ServerConnection::kGoodbyePatience;  // for all of them together
  for (const auto& c : looked_at_) c->close_idle(patience);
  looked_at_.clear();
}

void Server::watch_time(ServerConnection& connection) {
  std::lock_guard lock(mutex_);
  watch_locked(connection);
}

void Server::watch_locked(ServerConnection& connection) {
  if (!connection.all.linked) return;
  watched_.insert(connection);
  watching_.store(true, std::memory_order_relaxed);
  set_timer();
}

void Server::look_after(ServerConnection& connection) {
  if (!keep_holding(connection)) loop_.wake();
}

// Whether others were held back already.
bool Server::keep_holding(ServerConnection& connection) {
  std::lock_guard lock(mutex_);
  if (!connection.all.linked) return true;
  holding_.insert(connection);
  const bool before = replies_held_back_.exchange(true, std::memory_order_relaxed);
  set_timer();
  return before;
}

std::vector<base::Ref<ServerConnection>> Server::take_holding() {
  std::vector<base::Ref<ServerConnection>> holding;
  std::lock_guard lock(mutex_);
  try {
    holding.reserve(holding_.size());
  } catch (const std::bad_alloc&) {
    return holding;
  }
  while (ServerLinks* const first = holding_.first()) {
    holding.push_back(base::Ref<ServerConnection>::share(static_cast<ServerConnection*>(first)));
    holding_.erase(*first);
  }
  replies_held_back_.store(false, std::memory_order_relaxed);
  return holding;
}

// Thousands that read nothing must not keep the leader from everything else.
void Server::send_held_back() {
  const base::Deadline begun = base::now();
  for (const auto& c : take_holding())
    if (!c->send_held_back()) (void)keep_holding(*c);
  const auto spent =
      static_cast<int>(std::min<base::Deadline>((base::now() - begun) / 100'000, kLongHeldBackMs));
  held_back_ms_.store(std::max(spent, kHeldBackMs), std::memory_order_relaxed);
}

void Server::finish_replies() {
  const base::Deadline deadline = base::now() + orb_.options().write_timeout_ms * 1'000'000LL;
  for (const auto& c : take_holding()) c->send_held_back_until(deadline);
}

// Ends connections whose message has been arriving for too long.
void Server::watch() {
  const base::Deadline now = base::now();
  if (now < watch_at_) return;
  watch_at_ = now + kWatchMs * 1'000'000LL;
  {
    std::lock_guard lock(mutex_);
    for (ServerLinks *i = watched_.first(), *next; i; i = next) {
      next = watched_.next(*i);
      auto* const c = static_cast<ServerConnection*>(i);
      if (!c->mid_message()) watched_.erase(*c);
      else if (c->overdue(now)) look_at(*c);
    }
    if (watched_.empty()) watching_.store(false, std::memory_order_relaxed);
  }
  for (const auto& c : looked_at_) c->abort();
  looked_at_.clear();
}

int Server::event_descriptor() {
  std::lock_guard lock(foreign_mutex_);
  if (!timer_) {
    auto timer = std::make_unique<Timer>(*this);
    if (timer->descriptor() < 0 || !loop_.add(timer->descriptor(), static_cast<EventHandler*>(timer.get())))
      return -1;
    auto foreign = std::make_unique<transport::EventLoop>();
    if (!foreign->usable() || !foreign->follow(loop_)) return -1;
    foreign_loop_ = std::move(foreign);
    foreign_.store(foreign_loop_.get(), std::memory_order_release);
    timer_ = std::move(timer);
    timing_.store(timer_.get(), std::memory_order_release);
    set_timer();
  }
  return foreign_loop_->descriptor();
}

void Server::set_timer() {
  Timer* const timer = timing_.load(std::memory_order_acquire);
  if (!timer) return;
  if (const int time = tick_time(); time >= 0) timer->set(time);
}

// ---- life

std::vector<base::Ref<ServerConnection>> Server::all_locked() {
  std::vector<base::Ref<ServerConnection>> all;
  for (ServerLinks* i = connections_.first(); i; i = connections_.next(*i))
    all.push_back(base::Ref<ServerConnection>::share(static_cast<ServerConnection*>(i)));
  return all;
}

void Server::close_connections() {
  std::vector<base::Ref<ServerConnection>> all;
  std::vector<std::unique_ptr<transport::Stream>> late;
  {
    std::lock_guard lock(mutex_);
    closing_.store(true);
    for (const auto& listener : listeners_) {
      if (listener->acceptor->descriptor() < 0) continue;
      loop_.remove(listener->acceptor->descriptor());
      bool exhausted = false;
      for (int i = 0; i < kMostQueued; ++i) {
        auto stream = listener->accept(exhausted);
        if (!stream) break;
        late.push_back(std::move(stream));
      }
      listener->acceptor->stop();
    }
    all = all_locked();
  }
  for (const auto& stream : late) turn_away(*stream);
  late.clear();
  // One deadline for all: those behind a client that reads nothing have had the same time to make room.
  const base::Deadline deadline = base::now() + ServerConnection::kLastGoodbyePatience;
  for (const auto& c : all) c->close_when_idle(deadline);
}

// A socket that is closed, or read no more, answers what still arrives with a reset, which takes the replies
// and the goodbye with it for which the client has had no room yet.
void Server::deliver_goodbyes() {
  std::vector<base::Ref<ServerConnection>> all;
  {
    std::lock_guard lock(mutex_);
    all = all_locked();
  }
  const base::Deadline deadline = base::now() + ServerConnection::kLastGoodbyePatience;
  for (timespec pause{0, kDeliveryPauseNs};; nanosleep(&pause, nullptr)) {
    std::erase_if(all, [](const auto& c) { return c->goodbye_delivered(); });
    if (all.empty() || base::now() >= deadline) return;
  }
}

void Server::end_reading() {
  std::lock_guard lock(mutex_);
  for (ServerLinks* i = connections_.first(); i; i = connections_.next(*i))
    static_cast<ServerConnection*>(i)->abort_reading();
}

void Server::stop() {
  if (stopping_.exchange(true)) return;
  end_reading();
  wake_waiting_threads();
  if (reactive_) take_the_lead_for_ever();
  else loop_.wake();
  for (;;) {
    std::list<std::thread> threads;
    {
      std::lock_guard lock(mutex_);
      threads.swap(live_);
      threads.splice(threads.end(), ended_);
    }
    if (threads.empty()) break;
    for (std::thread& t : threads) t.join();
  }
  finish_replies();
  std::vector<ServerConnection*> left;
  std::set<ClientConnection*> attached;
  {
    std::lock_guard lock(mutex_);
    while (ServerLinks* const c = connections_.first()) {
      left.push_back(static_cast<ServerConnection*>(c));
      erase_locked(*left.back());
    }
    attached.swap(attached_);
  }
  for (ClientConnection* c : attached) {
    loop_.remove(c->stream().descriptor());
    c->remove_ref();
  }
  for (ServerConnection* c : left) {
    loop_.remove(c->stream().descriptor());
    c->send_last_replies();
    discard_input(c->stream());
    c->end_callbacks(ClientConnection::Outcome::Lost);
    c->remove_ref();
  }
  progress_.notify_all();  // callers back whose connection has ended
}

}  // namespace corbel::core
