#include <algorithm>
#include <new>
#include <utility>

#include "orb/core/orb.h"
#include "orb/core/server_connection.h"

// Replies that their client does not take while others are to be served.
namespace corbel::core {
namespace {

// So many clients that do not read may take all memory that there is for what is incomplete, but not fewer.
constexpr std::uint64_t kShares = 4;
// Held-back octets that nobody has looked after for longer: that time is not the peer's.
constexpr base::Deadline kAway = 500'000'000;  // nanoseconds

}  // namespace

bool ServerConnection::hold_back(const iovec* parts, int count) {
  std::size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  std::atomic<std::uint64_t>& pending = orb_.pending_bytes();
  const std::uint64_t share = std::max<std::uint64_t>(options_.max_pending_bytes / kShares, kMostHeldBack);
  if (held_back_.octets.size() - held_back_.written + size > share ||
      pending.load(std::memory_order_relaxed) + size > options_.max_pending_bytes) {
    if (server_.too_many_wait_to_write()) abort();  // no thread is left to wait for this peer
    return false;
  }
  try {
    if (held_back_.octets.capacity() < held_back_.octets.size() + size)
      held_back_.octets.reserve(std::max(held_back_.octets.size() * 2, held_back_.octets.size() + size));
  } catch (const std::bad_alloc&) {
    return false;
  }
  for (int i = 0; i < count; ++i)
    held_back_.octets.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  pending.fetch_add(size, std::memory_order_relaxed);
  held_size_.fetch_add(size, std::memory_order_relaxed);
  if (std::exchange(holds_back_, true)) return true;
  held_back_.looked_at = base::now();
  held_back_.until = held_back_.looked_at + options_.write_timeout_ms * 1'000'000LL;
  active_.fetch_add(1, std::memory_order_seq_cst);  // goodbye comes behind it
  flags_.fetch_or(HoldsBack);
  server_.look_after(*this);
  return true;
}

// With the write mutex: as much as there is room for.
transport::Io ServerConnection::write_held_back() {
  HeldBack& held = held_back_;
  // The only thread may have been elsewhere: the peer's time is that in which somebody looks.
  const base::Deadline now = base::now(), away = now - std::exchange(held.looked_at, now);
  if (away > kAway) held.until += away;
  transport::IoResult result{transport::Io::Ok, 0};
  const std::size_t before = held.written;
  while (held.written != held.octets.size() && result.status == transport::Io::Ok) {
    const iovec part{held.octets.data() + held.written, held.octets.size() - held.written};
    result = stream_->try_write(&part, 1);
    if (result.status == transport::Io::Ok) held.written += result.bytes;
  }
  if (held.written == before) {
    // Shared memory learns only so that nobody is there any more.
    if (result.status == transport::Io::WouldBlock) (void)stream_->wait(false, true, base::now());
    return result.status;
  }
  held.progress += held.written - before;
  if (held.progress >= giop::kLeastProgress) {
    held.until = now + options_.write_timeout_ms * 1'000'000LL;
    held.progress = 0;
  }
  forget_held_back(held.written - before);
  if (held.written >= held.octets.size() / 2) held.octets.erase(0, std::exchange(held.written, 0));
  return result.status;
}

void ServerConnection::forget_held_back(std::size_t size) {
  held_size_.fetch_sub(size);
  orb_.pending_bytes().fetch_sub(size, std::memory_order_relaxed);
}

// With the write mutex.
void ServerConnection::let_go_of_held_back() {
  forget_held_back(held_back_.octets.size() - held_back_.written);
  held_back_ = {};
  holds_back_ = false;
  flags_.fetch_and(static_cast<std::uint8_t>(~HoldsBack));
}

bool ServerConnection::send_held_back() {
  if (!try_lock_writing()) return false;
  const bool held = holds_back_;  // else finish_replies() has written it meanwhile
  const transport::Io status = write_held_back();
  const bool waits = status == transport::Io::WouldBlock && base::now() < held_back_.until;
  if (!waits) {
    if (status != transport::Io::Ok) abort();  // the reader sees the end
    let_go_of_held_back();
  }
  unlock_writing();
  // What others have left meanwhile is held back, too: the leader must not wait for this peer.
  (void)leave_queue();
  unpark();
  if (!waits && held) requests_done(1);
  return !waits;
}

bool ServerConnection::leave_queue() {
  while (has_queue() && try_lock_writing()) {
    hold_back_queue();
    unlock_writing();
  }
  return true;
}

void ServerConnection::send_held_back_until(base::Deadline deadline) {
  std::int32_t done = 0;
  do {
    lock_writing();
    if (has_queue()) hold_back_queue();
    for (; holds_back_; ++done) {
      transport::Io status;
      while ((status = write_held_back()) == transport::Io::WouldBlock &&
             stream_->wait(false, true, deadline).writable) {
      }
      if (status != transport::Io::Ok) abort();
      let_go_of_held_back();
    }
    unlock_writing();
  } while (has_queue());
  if (done != 0) requests_done(done);
}

}  // namespace corbel::core
