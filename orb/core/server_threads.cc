#include "orb/core/server.h"

#include <algorithm>
#include <mutex>
#include <new>

#include "orb/base/thread.h"
#include "orb/core/orb.h"
#include "orb/core/server_connection.h"
#include "orb/core/server_request.h"
#include "orb/core/upcall_lock.h"

// Threads: the pool with its leader, and the connection model's threads that stay.
namespace corbel::core {
namespace {

constexpr std::uint32_t kMostIdle = 1;  // threads kept beside the leader
// As many more as the size of the pool are kept for so long: events that come soon need not make them again.
constexpr base::Deadline kSpareNs = 300'000'000;
// Events that did not come at once after the leader began to wait: else there are more, for other threads.
constexpr base::Deadline kWaitedNs = 3'000;
// How long a service may be for others to be done without another leader. After a longer one a few events are
// handed over. After one that the idle thread had to step in for more are, and twice as many each time where
// that is not rare among those served alone.
constexpr base::Deadline kShortNs = 100'000;
constexpr std::uint32_t kTogether = 4, kTogetherLong = 32, kTogetherMost = 65'536, kRare = 2'000;
// How many times the size of the pool may be about to lead again, which a busy processor has not let yet,
// before no other thread is made.
constexpr std::int32_t kReturning = 3;
// How long to wait for one of the others to come back where all wait for replies. Peers that answer take
// less; those that do not must not hold up who else wants something.
constexpr base::Deadline kPatienceNs = 1'000'000'000;

}  // namespace

bool Server::may_spawn_locked() const {
  return !stopping_.load() && threads_ - staying_ < orb_.options().max_threads + all_wait();
}

bool Server::spawn_locked() {
  if (!may_spawn_locked()) return false;
  const std::uint32_t before = threads_;
  const base::NoSignals no_signals;
  try {
    live_.emplace_back([this] { work(); });
    ++threads_;
  } catch (const std::exception&) {
    // Without another thread this one leads again when it has served.
  }
  return threads_ > before;
}

void Server::work() {
  interrupts_.admit();
  base::Ref<ServerConnection> served;
  while (become_leader(served)) {
    EventHandler* handler = nullptr;
    const base::Deadline since = alone_.load(std::memory_order_relaxed) ? base::now() : 0;
    while (!handler && !stopping_.load(std::memory_order_acquire)) {
      if (turn_waiters_.load(std::memory_order_relaxed) >= queue_limit_ &&
          orb_.options().queue_full == QueueFull::Wait) [[unlikely]]
        wait_for_room();
      const int timeout = tick_time();
      handler = next_event(timeout);
      if (timeout >= 0 && (!handler || tick_is_due())) tick();
    }
    if (handler) served = base::Ref<ServerConnection>::share(handler->server_connection());
    // A burst of clients that fall silent must not cost a thread each: few stay with their connection.
    const bool few = serving_.fetch_add(1, std::memory_order_relaxed) < limit_;
    const base::Deadline begun = since != 0 ? base::now() : 0;
    const bool waited = since == 0 || begun - since > kWaitedNs;
    const bool others = hand_over(served, !few && waited);
    try {
      if (handler) handler->ready(others && few);
    } catch (const std::bad_alloc&) {  // this thread serves others
    }
    serving_.fetch_sub(1, std::memory_order_relaxed);
    if (begun != 0 && !few && base::now() - begun > kShortNs &&
        together_.load(std::memory_order_relaxed) < kTogether)
      together_.store(kTogether, std::memory_order_relaxed);
  }
}

// Waits until this thread leads. `served` is what it has served till now.
bool Server::become_leader(base::Ref<ServerConnection>& served) {
  base::Ref<ServerConnection> old = std::move(served);  // outlives the lock
  base::Deadline spare_until = 0;
  std::unique_lock lock(mutex_);
  if (old) end_service_locked(*old);
  for (;;) {
    if (!stopping_.load(std::memory_order_relaxed)) {
      if (!leading_) {
        leading_ = true;
        leaderless_.store(false);
        return true;
      }
      if (old) {  // one that has ended is gone while this thread sleeps
        lock.unlock();
        old = nullptr;
        lock.lock();
        continue;
      }
      if (idle_ < kMostIdle) {
        follow(lock);
        continue;
      }
      if (spare_ < static_cast<std::uint32_t>(limit_) && wait_spare(lock, spare_until)) continue;
    }
    --threads_;
    const auto self = std::find_if(live_.begin(), live_.end(), [](const std::thread& t) {
      return t.get_id() == std::this_thread::get_id();
    });
    std::list<std::thread> before;
    if (self != live_.end() && !stopping_.load(std::memory_order_relaxed)) {
      before.swap(ended_);
      ended_.splice(ended_.end(), live_, self);
    }
    lock.unlock();
    // Each that ends joins those that ended before it: the application's destructors of a thread's objects
    // may take their time, and whoever serves must not wait for them.
    for (std::thread& t : before) t.join();
    return false;
  }
}

// The idle thread's sleep. While a leader serves alone it looks from time to time whether that takes long.
void Server::follow(std::unique_lock<base::Mutex>& lock) {
  ++idle_;
  for (bool woken = false; !woken && !stopping_.load(std::memory_order_relaxed);) {
    const std::uint32_t epoch = followers_.epoch(), seen = served_alone_;
    const bool looks = alone_.load(std::memory_order_relaxed);
    lock.unlock();
    woken = followers_.wait(epoch, looks ? base::now() + kTickMs * 1'000'000LL : base::kNoDeadline);
    lock.lock();
    if (woken || seen != served_alone_) continue;
    if (!leading_) {
      step_in_locked();
      break;
    }
    alone_.store(false, std::memory_order_relaxed);  // none is served alone any more
  }
  --idle_;
}

void Server::step_in_locked() {
  const bool rare = served_alone_ - stepped_in_ > kRare;
  stepped_in_ = served_alone_;
  together_long_ =
      rare ? kTogetherLong : std::min(std::max(together_long_, kTogetherLong) * 2, kTogetherMost);
  together_.store(together_long_, std::memory_order_relaxed);
}

// False when nobody has needed this thread for long.
bool Server::wait_spare(std::unique_lock<base::Mutex>& lock, base::Deadline& until) {
  if (until == 0) until = base::now() + kSpareNs;
  ++spare_;
  const std::uint32_t epoch = spares_.epoch();
  lock.unlock();
  const bool woken = spares_.wait(epoch, until);
  lock.lock();
  --spare_;
  return woken || !leading_ || idle_ < kMostIdle;
}

bool Server::hand_over(const base::Ref<ServerConnection>& served, bool may_be_alone) {
  base::Condition* sleeper;
  {
    std::lock_guard lock(mutex_);
    if (served) begin_service_locked(*served);
    leading_ = false;
    if (stopping_.load(std::memory_order_relaxed)) {
      wake_waiting_threads();
      return false;
    }
    if (may_be_alone && served && idle_ > 0 && serve_alone_locked()) return false;
    sleeper = sleeper_locked();
    if (!sleeper) {
      if (many_return()) return false;
      if (spawn_locked()) return true;
      wait_for_leader_locked();
      return false;
    }
  }
  sleeper->notify_one();  // without the mutex, which it wants
  return true;
}

// Whoever began to serve without a leader, and will take long, perhaps.
void Server::see_to_leader() {
  base::Condition* sleeper;
  {
    std::lock_guard lock(mutex_);
    if (leading_) return;
    sleeper = sleeper_locked();
    if (!sleeper && !spawn_locked()) wait_for_leader_locked();
  }
  if (sleeper) sleeper->notify_one();
}

// The next thread that comes back leads. Those that rest would not come back without a leader.
void Server::wait_for_leader_locked() {
  leaderless_.store(true);
  for (ServerLinks* i = served_.first(); i; i = served_.next(*i))
    static_cast<ServerConnection*>(i)->end_rest_soon();
}

// Where more connections are in use than threads may stay with, most requests come over one that none stays
// with. If they are short, and come one after the other, the lead need not change for each: nobody has it for
// a moment, and the idle thread takes it where that moment is long.
bool Server::serve_alone_locked() {
  if (const std::uint32_t left = together_.load(std::memory_order_relaxed); left != 0) {
    together_.store(left - 1, std::memory_order_relaxed);
    return false;
  }
  // The first one is handed over: so there is an idle thread afterwards that looks.
  if (!alone_.exchange(true, std::memory_order_relaxed)) return false;
  ++served_alone_;
  return true;
}

// Where a thread sleeps that can lead; null if there is none.
base::Condition* Server::sleeper_locked() {
  return idle_ > 0 ? &followers_ : spare_ > 0 ? &spares_ : nullptr;
}

// So many threads will lead soon that this one may do without a leader until then: they are neither in an
// upcall nor in any other wait that is not short, and see to a leader before they begin one: no more upcalls
// than the size of the pool run, and who waits for a turn spawns.
bool Server::many_return() const {
  const std::int32_t returning = serving_.load(std::memory_order_relaxed) -
                                 running_.load(std::memory_order_relaxed) -
                                 turn_waiters_.load(std::memory_order_relaxed) - waiting_.load();
  return returning / kReturning > limit_;
}

void Server::end_blocking() {
  if (waiting_.fetch_sub(1) < most_waiting_ || most_waiting_ == 1) return;
  came_back_at_.store(base::now(), std::memory_order_relaxed);
  came_back_.notify_one();
}

// Counts this thread among those that wait, unless all others do and go on doing so: then it is the only one
// that can serve.
bool Server::reserve_wait() {
  for (;;) {
    const std::uint32_t epoch = came_back_.epoch();
    std::int32_t waiting = waiting_.load();
    if (waiting < most_waiting_ || most_waiting_ == 1) {
      if (waiting + 1 == most_waiting_) came_back_at_.store(base::now(), std::memory_order_relaxed);
      if (!waiting_.compare_exchange_weak(waiting, waiting + 1)) continue;
      return true;
    }
    const base::Deadline until = came_back_at_.load(std::memory_order_relaxed) + kPatienceNs;
    if (base::now() >= until || stopping_.load(std::memory_order_relaxed)) return false;
    came_back_.wait(epoch, until);
  }
}

void Server::begin_waiting_to_write() {
  writers_.fetch_add(1);
  dependent_.fetch_add(1);
  ServerRequest* const upcall = counted(ServerRequest::current());
  if (upcall) begin_wait_of(*upcall);
  else begin_blocking();
}

void Server::end_waiting_to_write() {
  ServerRequest* const upcall = counted(ServerRequest::current());
  if (upcall) end_wait_of(*upcall);
  else end_blocking();
  dependent_.fetch_sub(1);
  writers_.fetch_sub(1);
}

// Other threads than the pool's are not missed; a reactive server's serve while they wait.
bool Server::begin_dependent(std::int32_t share) {
  if (reactive() || !counted(ServerRequest::current())) return true;
  if (dependent_.fetch_add(1) < most_dependent_ / share) return true;
  dependent_.fetch_sub(1);
  return false;
}

void Server::end_dependent() {
  if (!reactive() && counted(ServerRequest::current())) dependent_.fetch_sub(1);
}

// Of a thread's upcalls the one that counts among those that run here, or that waits inside of a wait: calls
// from this process are made by threads that do not count, or that count already.
ServerRequest* Server::counted(ServerRequest* request) const {
  while (request && (&request->orb() != &orb_ || !request->running())) request = request->outer;
  return request;
}

void Server::begin_wait_of(ServerRequest& upcall, bool reserved) {
  if (upcall.waits++ != 0) return;
  end_upcall();
  if (reactive()) return;
  if (reserved) see_to_leader();
  else begin_blocking();
}

// The upcall goes on at once, even if that makes one too many for a moment: waiting here could wait for
// itself.
void Server::end_wait_of(ServerRequest& upcall) {
  if (--upcall.waits != 0) return;
  running_.fetch_add(1, std::memory_order_relaxed);
  if (!reactive()) end_blocking();
}

// Two threads may be at one connection: one inside an upcall, from which the reading role was taken, and one
// that reads on.
void Server::begin_service_locked(ServerConnection& connection) {
  if (connection.served_by++ == 0) served_.insert(connection);
}

void Server::end_service_locked(ServerConnection& connection) {
  if (--connection.served_by == 0) served_.erase(connection);
}

bool Server::stay(ServerConnection& connection) {
  if (!stays_) return false;
  bool led;
  {
    std::lock_guard lock(mutex_);
    if (staying_ >= orb_.options().stay_below) stays_full_ = true;
    else if (staying_ <= orb_.options().stay_again_below) stays_full_ = false;
    if (stays_full_ || stopping_.load(std::memory_order_relaxed)) return false;
    ++staying_;
    end_service_locked(connection);
    led = leading_;
  }
  if (!led) [[unlikely]]
    see_to_leader();         // there may be one thread more, now that this one does not count
  connection.before_wait();  // what the leader shall watch it knows before it may sleep
  serving_.fetch_sub(1);
  connection.wait_for_bytes();
  {
    std::lock_guard lock(mutex_);
    --staying_;
    begin_service_locked(connection);
  }
  if (serving_.fetch_add(1) == 0) loop_.wake();  // the leader looks after upcalls again
  return true;
}

bool Server::wait_for_turn(ServerRequest& request) {
  if (turn_waiters_.load() >= queue_limit_ && orb_.options().queue_full == QueueFull::Refuse) return false;
  running_.fetch_sub(1);
  turn_waiters_.fetch_add(1);
  if (!reactive()) see_to_leader();
  for (;;) {
    const std::uint32_t epoch = turn_.epoch();
    std::int32_t running = running_.load();
    if (running < limit_ && running_.compare_exchange_strong(running, running + 1)) break;
    if (running < limit_) continue;
    // Those that have a turn may wait for replies to callbacks, which come this way.
    ServerConnection* const connection =
        request.taken.load(std::memory_order_relaxed) ? nullptr : request.connection;
    const bool called_back = connection && connection->called_back();
    if (called_back && connection->awaits_callbacks()) connection->give_up_before(request);
    else turn_.wait(epoch, called_back ? base::now() + kTickMs * 1'000'000LL : base::kNoDeadline);
  }
  if (turn_waiters_.fetch_sub(1) == queue_limit_) room_.notify_one();
  return true;
}

void Server::wait_for_room() {
  for (;;) {
    const std::uint32_t epoch = room_.epoch();
    if (turn_waiters_.load() < queue_limit_ || stopping_.load()) return;
    room_.wait(epoch, base::now() + kTickMs * 1'000'000LL);
    tick();
  }
}

void Server::count_wait(ServerRequest& request) {
  if (ServerRequest* const upcall = counted(&request)) begin_wait_of(*upcall);
}

void Server::begin_wait(ServerRequest& request) {
  count_wait(request);
  let_go_for_wait(request);
}

bool Server::begin_call(ServerRequest& request) {
  if (ServerRequest* const upcall = counted(&request)) {
    const bool reserves = !reactive() && upcall->waits == 0;
    if (reserves && !reserve_wait()) return false;
    begin_wait_of(*upcall, reserves);
  }
  let_go_for_wait(request);
  return true;
}

// What an upcall keeps of others.
void Server::let_go_for_wait(ServerRequest& request) {
  if (UpcallLock* const lock = UpcallLock::current()) lock->begin_wait();
  for (ServerRequest* r = &request; r; r = r->outer)
    if (r->connection && !r->taken.load(std::memory_order_relaxed)) r->connection->give_up(*r);
}

void Server::end_wait() {
  if (ServerRequest* const upcall = counted(ServerRequest::current())) end_wait_of(*upcall);
  if (UpcallLock* const lock = UpcallLock::current()) lock->end_wait();
}

}  // namespace corbel::core
