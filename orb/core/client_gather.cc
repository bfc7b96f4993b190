// Several threads that call over one connection: their requests leave together.
//
// Who finds that another thread writes leaves its message with it, and sleeps until its reply is there. When
// replies of several threads arrive at once these threads are likely to send their next requests at once; so
// the thread that reads lets them run before it waits for more, and writes what they have left by then. A
// thread that calls alone meets none of this.
#include <sched.h>

#include <mutex>

#include "orb/core/client_connection.h"
#include "orb/core/client_invocation.h"

namespace corbel::core {
namespace {

constexpr std::uint32_t kWithout = 64;  // times that nobody is waited for after it was in vain

}  // namespace

ClientConnection::Outcome ClientConnection::exchange_among_others(ClientInvocation& invocation,
                                                                  AbstractServer* loop) {
  iovec parts[kMostParts];
  const int count = invocation.prepare(parts);
  // Who writes for others does not keep their deadlines.
  if (invocation.deadline() == base::kNoDeadline && invocation.send_deadline() == base::kNoDeadline &&
      leave_for_writer(parts, count)) {
    const bool reading = !reading_;
    reading_ = true;
    const bool gathering = gathering_ && !loop;
    mutex_.unlock();
    bool has_role = reading;
    if (!gathering) write_queued(has_role);  // the writer may have ended meanwhile
    return await_reply(invocation, loop, has_role);
  }
  mutex_.unlock();
  bool reading = false;
  const Sent sent = write(parts, count, invocation.send_deadline(), reading);
  return sent == Sent::All ? await_reply(invocation, loop, reading) : not_sent(invocation, sent, reading);
}

ClientConnection::Outcome ClientConnection::await_reply(ClientInvocation& invocation, AbstractServer* loop,
                                                        bool reading) {
  if (loop) return wait_in_loop(invocation, *loop);
  if (reading || wait_to_read(invocation)) read_for(invocation);
  return invocation.outcome;
}

// With the reading role, before it waits for more replies.
void ClientConnection::gather(base::Deadline deadline) {
  if (no_gathering_ != 0) --no_gathering_;
  else sched_yield();
  stop_gathering(deadline);
}

void ClientConnection::stop_gathering(base::Deadline deadline) {
  woke_others_ = false;
  {
    std::lock_guard lock(mutex_);
    gathering_ = false;
    if (!has_queue() && no_gathering_ == 0) no_gathering_ = kWithout;
  }
  bool reading = true;
  if (has_queue()) write_queued(reading, deadline);
}

// Whoever reads tells those whose messages these were.
void ClientConnection::queue_lost() { closed_.store(true, std::memory_order_release); }

void ClientConnection::stop_reading_role() { pass_on_reading(); }

}  // namespace corbel::core
