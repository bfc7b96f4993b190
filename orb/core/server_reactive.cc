#include "orb/core/server.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "orb/core/client_connection.h"
#include "orb/core/orb.h"

// The reactive model: the application's threads serve.
namespace corbel::core {

// Milliseconds until the deadline or the next tick, -1 for neither.
int Server::wait_time(base::Deadline deadline) const {
  const int tick = tick_time();
  const int left = base::milliseconds_until(deadline);
  return tick < 0 || (left >= 0 && left < tick) ? left : tick;
}

bool Server::begin_leading(bool& nested) {
  const auto self = std::this_thread::get_id();
  std::lock_guard lock(mutex_);
  nested = leading_ && leader_ == self;
  if (leading_ && !nested) return false;
  leading_ = true;
  leader_ = self;
  return true;
}

void Server::end_leading(bool nested) {
  if (!nested) {
    std::lock_guard lock(mutex_);
    leading_ = false;
    leader_ = {};
  }
  notify_progress();
  if (queued_.load(std::memory_order_relaxed)) wake_foreign_loop();
}

bool Server::run_once(int timeout) { return lead_once(timeout, nullptr, 0); }

// Only while the word, if there is one, is `value`.
bool Server::lead_once(int timeout, const std::atomic<std::uint32_t>* word, std::uint32_t value) {
  if (orb_.main_thread().serve(MainThread::As::Main)) return true;
  bool nested;
  if (!begin_leading(nested)) return false;
  const struct Leading {  // others lead where there is no memory for what is to be served
    Server& server;
    const bool nested;
    ~Leading() { server.end_leading(nested); }
  } leading{*this, nested};
  // Whoever led before may have changed the word, or taken the event that told of the end: from here on only
  // this thread's own events do.
  if (word ? word->load(std::memory_order_acquire) != value : orb_.is_shut_down()) return false;
  // Or of this.
  if (orb_.main_thread().pending(MainThread::As::Main)) timeout = 0;
  EventHandler* const handler = next_event(timeout);
  try {
    if (handler) handler->ready(false);
  } catch (const std::bad_alloc&) {  // whoever waits in here has a place to leave
  }
  if (!handler || (tick_time() >= 0 && tick_is_due())) tick();
  return handler != nullptr;
}

bool Server::run_ready(unsigned most) {
  if (foreign_loop_) foreign_loop_->hush();  // what comes from here on is told anew
  if (orb_.is_shut_down()) {
    if (foreign_loop_) foreign_loop_->remove(loop_.descriptor());  // whose events nobody takes any more
    return false;
  }
  for (; most != 0; --most)
    if (!run_once(0)) break;
  const bool more = most == 0 && (work_pending() || orb_.main_thread().pending(MainThread::As::Main));
  if (more) wake_foreign_loop();
  return more;
}

transport::Readiness Server::wait_to_write(transport::Stream& stream, bool read, base::Deadline until) {
  constexpr base::Deadline kSlice = 1'000'000;  // the stream and the loop are waited for in turns
  constexpr base::Deadline kWhileLed = 5'000'000;
  for (;;) {
    bool nested, more = false;
    if (!begin_leading(nested))  // somebody else reads, who may go
      return stream.wait(read, true, std::min(until, base::now() + kWhileLed));
    auto* handler = static_cast<EventHandler*>(loop_.wait(0));
    more = handler != nullptr;
    // Those that no event announces take turns with those that were read ahead, which go back to the queue.
    if (!handler) handler = take_queued();
    if (handler) {
      const bool before = std::exchange(reading_ahead_, true);
      try {
        handler->ready(false);
      } catch (const std::bad_alloc&) {
      }
      reading_ahead_ = before;
    }
    end_leading(nested);
    const base::Deadline now = base::now();
    const auto ready = stream.wait(read, true, more ? now : std::min(until, now + kSlice));
    if (ready.readable || ready.writable || now >= until) return ready;
  }
}

transport::Readiness Server::wait_to_reply(transport::Stream& stream, bool may_be_read, base::Deadline until,
                                           bool& others_wait) {
  constexpr base::Deadline kSlice = 1'000'000;  // the stream and the loop are waited for in turns
  for (;;) {
    const base::Deadline now = base::now();
    const auto ready = stream.wait(false, true, std::min(until, now + kSlice));
    if (ready.writable || now >= until) return ready;
    if (orb_.is_shut_down()) continue;  // nobody leads from here on
    others_wait = work_pending() || (may_be_read && stream.wait(true, false, now).readable);
    if (others_wait) return {};
  }
}

bool Server::run_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, base::Deadline deadline) {
  progress_waiters_.fetch_add(1);
  bool in_time = true;
  while (word.load(std::memory_order_acquire) == value && in_time) {
    const std::uint32_t epoch = progress_.epoch();
    if (orb_.main_thread().serve(MainThread::As::Main)) continue;
    bool may_lead;
    {
      std::lock_guard lock(mutex_);
      may_lead = !leading_ || leader_ == std::this_thread::get_id();
    }
    if (word.load(std::memory_order_acquire) != value) break;
    if (may_lead) lead_once(wait_time(deadline), &word, value);
    else progress_.wait(epoch, deadline);
    in_time = deadline == base::kNoDeadline || base::now() < deadline;
  }
  progress_waiters_.fetch_sub(1);
  return word.load(std::memory_order_acquire) != value;
}

void Server::run_until_stopped() {
  progress_waiters_.fetch_add(1);
  while (!orb_.is_shut_down() && orb_.server() == this) {  // in a child that was forked here there is another
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
  finish_replies();
}

bool Server::work_pending() {
  if (queued_.load()) return true;
  return transport::wait_ready(loop_.descriptor(), true, false, base::now()).readable;
}

bool Server::attach(ClientConnection& connection) {
  std::lock_guard lock(mutex_);
  const bool silent = connection.stream().arm();
  // One event, not two: the queue's and the hang-up of a peer that has just died would come at the same time.
  if (!loop_.add(connection.stream().descriptor(), static_cast<EventHandler*>(&connection), !silent))
    return false;
  try {
    attached_.insert(&connection);
  } catch (const std::bad_alloc&) {
    loop_.remove(connection.stream().descriptor());
    return false;
  }
  connection.add_ref();
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
  wake_foreign_loop();
  progress_.notify_all();
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

}  // namespace corbel::core
