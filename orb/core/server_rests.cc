#include <time.h>

#include <utility>

#include "orb/core/orb.h"
#include "orb/core/server_connection.h"

// Threads that wait for the next request in a read without a time limit, and how they are taken back.
namespace corbel::core {
namespace {

// How long nothing must have come, as the leader sees it, before it ends a rest, and what is left of it then.
constexpr std::int64_t kShortestRest = 12'000'000;  // nanoseconds
constexpr int kLastRestMs = 1;

}  // namespace

// Not while a message arrives in pieces, for which there is a time, and that are likely again where the last
// ones came so; nor where the signal might come to the application: beside upcalls, and in its decompressors.
void ServerConnection::rest() {
  await_taker_back();
  const bool pieces = std::exchange(mid_message_at_rest_, reads_mid_message_) != reads_mid_message_;
  if (rests() || !may_rest_ || pieces || reader_.mid_message() || active_.load() != 0 ||
      hand_offs_.load() != 0)
    return;
  may_rest_ = !orb_.compression() && server_.interrupts().possible() && stream_->limit_reads(0);
  if (!may_rest_) return;
  rested_ = true;
  resting_.store(base::thread_id());
  if (server_.leaderless()) end_rest();
}

void ServerConnection::end_rest() {
  if (!std::exchange(rested_, false)) return;
  resting_.store(0);
  await_taker_back();
  stream_->limit_reads(kLingerMs);
}

void ServerConnection::look_at_rest(std::uint32_t state) {
  const base::Deadline now = base::now();
  if (std::exchange(seen_at_rest_, state) != state) silent_since_ = now;
  else if (now - silent_since_ >= kShortestRest) take_back(kLastRestMs);
}

void ServerConnection::end_rest_soon() {
  if (rests()) take_back(kLingerMs);
}

// What the thread reads from now on has this limit, and so has what it reads at the moment. It looks at the
// flag once it has counted a request among the active ones, before anything of the application's is called,
// and waits until it is gone: so the signal meets a read, or a thread that waits for it. Where the signal is
// not ours any more the thread rests until something comes.
void ServerConnection::take_back(int milliseconds) {
  flags_.fetch_or(TakingBack);
  const std::uint32_t thread = resting_.load();
  if (thread != 0 && server_.interrupts().possible()) {
    stream_->limit_reads(milliseconds);
    resting_.store(0);
    if (!serves()) server_.interrupts().interrupt(static_cast<pid_t>(thread));
  }
  flags_.fetch_and(static_cast<std::uint8_t>(~TakingBack));
}

// Something that is answered is in an upcall, or just has been. Replies held back count as active, but their
// flag stands only while they do.
bool ServerConnection::serves() const {
  const int holds = flags_.load() & HoldsBack, active = active_.load();
  return active != (holds != 0) || holds != (flags_.load() & HoldsBack);
}

// Sleeps: whoever it waits for may have a lower priority.
void ServerConnection::await_taker_back() {
  if ((flags_.load() & TakingBack) == 0) return;
  const timespec moment{0, 20'000};
  while ((flags_.load() & TakingBack) != 0) nanosleep(&moment, nullptr);
  nanosleep(&moment, nullptr);  // behind which the signal has come
}

// CloseConnection tells the peer to send a request elsewhere that came later.
bool ServerConnection::may_serve() {
  await_taker_back();
  return !closing();
}

}  // namespace corbel::core
