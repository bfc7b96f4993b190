// How connections of clients end.
#include <time.h>

#include <mutex>
#include <utility>

#include "orb/base/detail.h"
#include "orb/core/client_connection.h"
#include "orb/core/client_invocation.h"

namespace corbel::core {
namespace {

// How long servers are heard out, and between two looks.
constexpr std::int64_t kHearingOutNs = 1'000'000'000;
constexpr long kHearingPauseNs = 500'000;

}  // namespace

bool ClientConnection::ended() {
  if (!has_stream_ || !usable() || !try_begin_reading()) return !usable();
  const auto space = reader_.space();
  const auto [status, bytes] = stream_->try_read(space.at, space.size);
  if (status == transport::Io::Ok) {
    reader_.commit(bytes);
    deliver_buffered();
  } else if (status != transport::Io::WouldBlock) {
    fail_all();
  }
  pass_on_reading();
  return !usable();
}

void ClientConnection::fail_all(Outcome outcome, const MessageReader* begun) {
  {
    std::lock_guard lock(mutex_);
    closed_.store(true, std::memory_order_release);
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
      if (!slots_[i].invocation) continue;
      ClientInvocation& invocation = *slots_[i].invocation;
      remove(invocation);
      invocation.outcome = begun && begun->has_begun(invocation.request_id) ? Outcome::Lost : outcome;
      if (std::exchange(invocation.sleeping, false)) marked_.add(i);
      invocation.state.store(ClientInvocation::Complete, std::memory_order_release);
    }
  }
  wake_marked();
}

void ClientConnection::fail_all() {
  if (stream_->nothing_taken()) return fail_all(Outcome::NotSent);
  const std::string why = stream_->refusal();
  if (why.empty()) return fail_all(Outcome::Lost);
  denial_.store(base::keep_detail(why), std::memory_order_relaxed);
  fail_all(Outcome::Denied);
}

bool ClientConnection::retire_if_idle() {
  std::lock_guard lock(mutex_);
  if (closed_.load(std::memory_order_relaxed)) return in_flight_ == 0;
  // One that the server may call back on is not ours alone.
  const bool used =
      next_serial_ != idle_serial_ || in_flight_ != 0 || posted_ != 0 || !callback_offer_.empty();
  idle_serial_ = next_serial_;
  if (used || (reading_ && !attached_)) return false;
  closed_.store(true, std::memory_order_release);  // nobody begins a request from here on
  return true;
}

// What comes for a socket that is closed is answered with a reset: with it goes what is still to be sent, and
// at some servers what they have not read.
void ClientConnection::close(ClientConnection* all) {
  bool over = true;
  for (ClientConnection* c = all; c; c = c->next_to_close_) over &= c->close();
  const base::Deadline deadline = base::now() + kHearingOutNs;
  for (const timespec pause{0, kHearingPauseNs}; !over && base::now() < deadline;) {
    nanosleep(&pause, nullptr);
    over = true;
    for (ClientConnection* c = all; c; c = c->next_to_close_) over &= c->hear_out();
  }
  while (ClientConnection* const c = all) {
    all = c->next_to_close_;
    if (c->to_hear_out_) c->end();
    c->remove_ref();
  }
}

bool ClientConnection::close() {
  const bool oneways = oneway_at_.load(std::memory_order_relaxed) != 0;
  bool more_may_come;
  {
    std::lock_guard lock(mutex_);
    more_may_come = in_flight_ != 0 || gave_up_ || !callback_offer_.empty();
  }
  fail_all(Outcome::Lost);
  if (!has_stream_) return true;  // whose it is goes on
  more_may_come |= stream_->more_may_come();
  const bool all_answered = end_callbacks(base::now() + options_.write_timeout_ms * 1'000'000LL);
  if (version_.minor >= 2 && all_answered) send_control(giop::MessageType::CloseConnection, version_);
  stream_->finish_writing();
  to_hear_out_ = oneways && more_may_come && stream_->may_be_reset();
  if (!to_hear_out_) abort();
  return !to_hear_out_;
}

// A thread that waits for what it has called has the reading role until something comes: it reads that.
bool ClientConnection::hear_out() {
  if (!to_hear_out_) return true;
  if (!hears_out_ && !(hears_out_ = try_begin_reading()))
    hears_out_ = armed_.exchange(false, std::memory_order_acquire);
  if (!hears_out_ || discard_input(*stream_)) return false;
  end();
  return true;
}

void ClientConnection::end() {
  to_hear_out_ = false;
  abort();  // if nothing came before, this is the event for which it leaves the loop
}

void ClientConnection::leave_loop() { attached_->detach(*this); }

}  // namespace corbel::core
