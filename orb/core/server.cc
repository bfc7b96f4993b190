#include "orb/core/server.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <climits>
#include <mutex>

#include "orb/core/client_connection.h"
#include "orb/core/orb.h"
#include "orb/core/server_connection.h"
#include "orb/core/server_request.h"
#include "orb/giop/message.h"

namespace corbel::core {
namespace {

constexpr int kTickMs = 5;              // how soon a request behind a long upcall of its connection is served
constexpr int kWatchMs = 1000;          // how often unfinished messages are looked at
constexpr int kAcceptPauseMs = 100;     // when descriptors have run out
constexpr std::uint32_t kMostIdle = 1;  // threads kept beside the leader

}  // namespace

// A listening socket among the event handlers.
class Server::Listener final : public EventHandler {
 public:
  explicit Listener(Server& server) : server_(server) {}
  transport::TcpAcceptor acceptor;

  void ready(bool) override {
    bool exhausted = false;
    while (auto stream = acceptor.accept(exhausted)) server_.adopt(std::move(stream));
    if (exhausted) server_.accept_paused_.store(true);
    else arm();
  }
  void arm() { server_.loop_.arm(acceptor.descriptor(), static_cast<EventHandler*>(this)); }

 private:
  Server& server_;
};

Server::Server(Orb& orb)
    : orb_(orb),
      reactive_(orb.options().server_model == ServerModel::Reactive),
      limit_(reactive_ ? INT_MAX : static_cast<std::int32_t>(orb.options().thread_pool_size)) {}

Server::~Server() { stop(); }

SystemError Server::listen() {
  constexpr SystemError exhausted{SystemErrorId::NO_RESOURCES, Completion::No, 0,
                                  "no file descriptors left to serve with: raise the limit of open files"};
  if (!loop_.usable()) return exhausted;
  const Options& options = orb_.options();
  std::vector<EndpointOption> wanted = options.endpoints;
  if (wanted.empty()) wanted.emplace_back();
  for (const EndpointOption& e : wanted) {
    auto listener = std::make_unique<Listener>(*this);
    if (!listener->acceptor.listen(e.host, e.port))
      return {SystemErrorId::INITIALIZE, Completion::No, 0,
              "cannot listen at the address of -ORBendPoint: is the port in use, is the host this one?"};
    const bool any = e.host.empty() || e.host == "0.0.0.0" || e.host == "::";
    const std::string host = !options.publish_host.empty() ? options.publish_host
                             : any                         ? transport::default_host()
                                                           : e.host;
    endpoints_.push_back({host, listener->acceptor.port()});
    if (!loop_.add(listener->acceptor.descriptor(), static_cast<EventHandler*>(listener.get())))
      return exhausted;
    listeners_.push_back(std::move(listener));
  }
  return {};
}

void Server::start() {
  if (reactive_) return;
  std::lock_guard lock(mutex_);
  spawn_locked();
}

// ---- connections and events

void Server::queue(EventHandler* handler) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(handler);
    queued_.store(true, std::memory_order_release);
  }
  loop_.wake();
}

void Server::adopt(std::unique_ptr<transport::Stream> stream) {
  const int descriptor = stream->descriptor();
  std::lock_guard lock(mutex_);
  if (closing_.load() || connections_.size() >= orb_.options().max_connections) return turn_away(*stream);
  base::Ref<ServerConnection> connection;
  try {
    connection = base::make_ref<ServerConnection>(orb_, *this, std::move(stream));
    connections_.insert(connection.get());
  } catch (const std::bad_alloc&) {
    if (connection) turn_away(connection->stream());
    return;
  }
  if (loop_.add(descriptor, static_cast<EventHandler*>(connection.get()))) {
    connection.release();  // counted by connections_
  } else {
    connections_.erase(connection.get());
    turn_away(connection->stream());
  }
}

// A client that came too late, or is one too many, learns that nothing it sent was done.
void Server::turn_away(transport::Stream& stream) {
  char message[giop::kHeaderSize];
  giop::write(message, giop::MessageType::CloseConnection, {1, 0}, 0);
  const iovec part{message, sizeof message};
  (void)stream.try_write(&part, 1);
  stream.finish_writing();
  discard_input(stream);
}

void Server::forget(ServerConnection& connection) {
  loop_.remove(connection.stream().descriptor());
  {
    std::lock_guard lock(mutex_);
    if (connections_.erase(&connection) == 0) return;
  }
  connection.remove_ref();
}

EventHandler* Server::next_event(int timeout) {
  if (queued_.load(std::memory_order_acquire)) {
    std::lock_guard lock(mutex_);
    if (!queue_.empty()) {
      EventHandler* const handler = queue_.front();
      queue_.pop_front();
      return handler;
    }
    queued_.store(false, std::memory_order_relaxed);
  }
  return static_cast<EventHandler*>(loop_.wait(timeout));
}

int Server::tick_time() const {
  if (serving_.load(std::memory_order_relaxed) > 0) return kTickMs;
  if (accept_paused_.load(std::memory_order_relaxed)) return kAcceptPauseMs;
  return watching_.load(std::memory_order_relaxed) ? kWatchMs : -1;
}

void Server::tick() {
  if (accept_paused_.exchange(false))
    for (const auto& listener : listeners_) listener->arm();
  if (serving_.load(std::memory_order_relaxed) == 0 && !watching_.load(std::memory_order_relaxed)) return;
  const base::Deadline now = watching_.load(std::memory_order_relaxed) ? base::now() : 0;
  bool still_watching = false;
  {
    std::lock_guard lock(mutex_);
    for (ServerConnection* c : connections_)
      if (c->in_upcall() || (now != 0 && c->mid_message()))
        looked_at_.push_back(base::Ref<ServerConnection>::share(c));
  }
  for (const auto& c : looked_at_) {
    if (c->take_from_stuck_upcall()) c->resume();
    if (now == 0 || !c->mid_message()) continue;
    if (c->overdue(now)) c->abort();
    else still_watching = true;
  }
  looked_at_.clear();
  if (now != 0 && !still_watching) watching_.store(false, std::memory_order_relaxed);
}

// ---- the pool

void Server::spawn_locked() {
  if (stopping_.load() || threads_ >= orb_.options().max_threads) return;
  for (std::thread& t : ended_) t.join();
  ended_.clear();
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);  // the new thread inherits it: signals stay the application's
  try {
    live_.emplace_back([this] { work(); });
    ++threads_;
  } catch (const std::exception&) {
    // Without another thread this one leads again when it has served.
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void Server::work() {
  while (become_leader()) {
    EventHandler* handler = nullptr;
    while (!handler && !stopping_.load(std::memory_order_acquire)) {
      const int timeout = tick_time();
      handler = next_event(timeout);
      if (!handler && timeout >= 0) tick();
    }
    // A burst of clients that fall silent must not cost a thread each: few stay with their connection.
    const bool few = serving_.fetch_add(1, std::memory_order_relaxed) < limit_;
    const bool others = hand_over();
    if (handler) handler->ready(others && few);
    serving_.fetch_sub(1, std::memory_order_relaxed);
  }
}

bool Server::become_leader() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!stopping_.load(std::memory_order_relaxed)) {
      if (!leading_) {
        leading_ = true;
        return true;
      }
      if (idle_ < kMostIdle) {
        ++idle_;
        const std::uint32_t epoch = followers_.epoch();
        lock.unlock();
        followers_.wait(epoch);
        lock.lock();
        --idle_;
        continue;
      }
    }
    --threads_;
    const auto self = std::find_if(live_.begin(), live_.end(), [](const std::thread& t) {
      return t.get_id() == std::this_thread::get_id();
    });
    if (self != live_.end() && !stopping_.load(std::memory_order_relaxed)) {
      ended_.push_back(std::move(*self));
      live_.erase(self);
    }
    return false;
  }
}

bool Server::hand_over() {
  std::lock_guard lock(mutex_);
  leading_ = false;
  if (stopping_.load(std::memory_order_relaxed)) {
    followers_.notify_all();
    return false;
  }
  if (idle_ > 0) {
    followers_.notify_one();
    return true;
  }
  const std::uint32_t before = threads_;
  spawn_locked();
  return threads_ > before;
}

void Server::wait_for_turn() {
  running_.fetch_sub(1);
  turn_waiters_.fetch_add(1);
  for (;;) {
    const std::uint32_t epoch = turn_.epoch();
    std::int32_t running = running_.load();
    if (running < limit_ && running_.compare_exchange_strong(running, running + 1)) break;
    if (running >= limit_) turn_.wait(epoch);
  }
  turn_waiters_.fetch_sub(1);
}

void Server::begin_wait(ServerRequest& request) {
  end_upcall();
  for (ServerRequest* r = &request; r; r = r->outer)
    if (r->connection && !r->taken.load(std::memory_order_relaxed)) r->connection->give_up(*r);
  if (reactive_) return;
  std::lock_guard lock(mutex_);
  if (!leading_ && idle_ == 0) spawn_locked();
}

// The upcall goes on at once, even if that makes one too many for a moment: waiting here could wait for
// itself.
void Server::end_wait() { running_.fetch_add(1, std::memory_order_relaxed); }

// ---- reactive

bool Server::run_once(int timeout) {
  const auto self = std::this_thread::get_id();
  bool nested;
  {
    std::lock_guard lock(mutex_);
    nested = leading_ && leader_ == self;
    if (leading_ && !nested) return false;
    leading_ = true;
    leader_ = self;
  }
  EventHandler* const handler = next_event(timeout);
  if (handler) handler->ready(false);
  else tick();
  if (!nested) {
    std::lock_guard lock(mutex_);
    leading_ = false;
    leader_ = {};
  }
  notify_progress();
  return handler != nullptr;
}

bool Server::run_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, base::Deadline deadline) {
  progress_waiters_.fetch_add(1);
  bool in_time = true;
  while (word.load(std::memory_order_acquire) == value && in_time) {
    const std::uint32_t epoch = progress_.epoch();
    bool may_lead;
    {
      std::lock_guard lock(mutex_);
      may_lead = !leading_ || leader_ == std::this_thread::get_id();
    }
    if (word.load(std::memory_order_acquire) != value) break;
    if (may_lead) run_once(deadline == base::kNoDeadline ? tick_time() : base::milliseconds_until(deadline));
    else progress_.wait(epoch, deadline);
    in_time = deadline == base::kNoDeadline || base::now() < deadline;
  }
  progress_waiters_.fetch_sub(1);
  return word.load(std::memory_order_acquire) != value;
}

void Server::run_until_stopped() {
  progress_waiters_.fetch_add(1);
  while (!orb_.is_shut_down()) {
    const std::uint32_t epoch = progress_.epoch();
    if (!run_once(tick_time()) && !orb_.is_shut_down()) {
      bool lead;
      {
        std::lock_guard lock(mutex_);
        lead = !leading_;
      }
      if (!lead) progress_.wait(epoch);
    }
  }
  progress_waiters_.fetch_sub(1);
}

bool Server::work_pending() {
  if (queued_.load()) return true;
  return transport::wait_ready(loop_.descriptor(), true, false, base::now()).readable;
}

bool Server::attach(ClientConnection& connection) {
  std::lock_guard lock(mutex_);
  if (!loop_.add(connection.stream().descriptor(), static_cast<EventHandler*>(&connection))) return false;
  connection.add_ref();
  attached_.insert(&connection);
  return true;
}

void Server::detach(ClientConnection& connection) {
  loop_.remove(connection.stream().descriptor());
  {
    std::lock_guard lock(mutex_);
    if (attached_.erase(&connection) == 0) return;
  }
  connection.remove_ref();
}

void Server::wake_all() {
  loop_.wake();
  progress_.notify_all();
}

// ---- life

void Server::close_connections() {
  std::vector<base::Ref<ServerConnection>> all;
  {
    std::lock_guard lock(mutex_);
    closing_.store(true);
    for (const auto& listener : listeners_) {
      if (listener->acceptor.descriptor() < 0) continue;
      loop_.remove(listener->acceptor.descriptor());
      bool exhausted = false;
      while (auto stream = listener->acceptor.accept(exhausted)) turn_away(*stream);
      listener->acceptor.stop();
    }
    for (ServerConnection* c : connections_) all.push_back(base::Ref<ServerConnection>::share(c));
  }
  for (const auto& c : all) c->close_when_idle();
}

// The threads of the reactive model are the application's: they are inside run() or wait for replies that
// have been given up.
void Server::take_the_lead_for_ever() {
  progress_waiters_.fetch_add(1);
  for (;;) {
    const std::uint32_t epoch = progress_.epoch();
    {
      std::lock_guard lock(mutex_);
      if (!leading_) {
        leading_ = true;
        break;
      }
    }
    loop_.wake();
    progress_.wait(epoch);
  }
  progress_waiters_.fetch_sub(1);
  progress_.notify_all();
}

void Server::stop() {
  if (stopping_.exchange(true)) return;
  {
    std::lock_guard lock(mutex_);
    for (ServerConnection* c : connections_) c->abort_reading();
  }
  followers_.notify_all();
  if (reactive_) take_the_lead_for_ever();
  else loop_.wake();
  for (;;) {
    std::vector<std::thread> threads;
    {
      std::lock_guard lock(mutex_);
      threads.swap(live_);
      for (std::thread& t : ended_) threads.push_back(std::move(t));
      ended_.clear();
    }
    if (threads.empty()) break;
    for (std::thread& t : threads) t.join();
  }
  std::set<ServerConnection*> left;
  std::set<ClientConnection*> attached;
  {
    std::lock_guard lock(mutex_);
    left.swap(connections_);
    attached.swap(attached_);
  }
  for (ClientConnection* c : attached) {
    loop_.remove(c->stream().descriptor());
    c->remove_ref();
  }
  for (ServerConnection* c : left) {
    loop_.remove(c->stream().descriptor());
    discard_input(c->stream());
    c->remove_ref();
  }
}

}  // namespace corbel::core
