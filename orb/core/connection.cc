#include "orb/core/connection.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "orb/giop/fragment_cutter.h"

namespace corbel::core {
namespace {
constexpr int kLookAgainMs = 5;
constexpr base::Deadline kMoment = 4'000'000;  // a peer that makes a write last longer is slow
constexpr int kPatienceMs = 20;
// A reader puts together a few messages at a time: 64 where it is this ORB.
constexpr int kMostStreaming = 32;
constexpr std::size_t kRun = 2 * 1024 * 1024;   // octets of a large message before another one may go on
constexpr std::size_t kMostLeft = 4096;         // octets of a message that is left with another writer
constexpr std::size_t kMostQueued = 64 * 1024;  // of them together; more wait for the write mutex
}  // namespace

int Connection::gather(const cdr::Encoder& message, std::size_t from, std::size_t until, iovec* parts) {
  int count = 0;
  char* const data = const_cast<char*>(message.data());
  for (std::size_t i = 0; i < message.external_count(); ++i) {
    const cdr::External& e = message.externals()[i];
    if (e.at > until) break;
    if (e.at != from) parts[count++] = {data + from, e.at - from};
    parts[count++] = {const_cast<char*>(e.data), e.size};
    from = e.at;
  }
  if (until != from) parts[count++] = {data + from, until - from};
  return count;
}

transport::IoResult Connection::write_waiting(const iovec* parts, int count, base::Deadline deadline) {
  return deadline == base::kNoDeadline && may_wait_for_writers() ? stream_->write(parts, count)
                                                                 : stream_->try_write(parts, count);
}

Sent Connection::write_on(const iovec* part, transport::IoResult begun, base::Deadline deadline,
                          bool& reading) {
  std::lock_guard lock(write_mutex_, std::adopt_lock);
  const Haste haste(*this, deadline);
  if (begun.status == transport::Io::Failed) return Sent::Nothing;
  iovec rest = *part;
  rest.iov_base = static_cast<char*>(rest.iov_base) + begun.bytes;
  rest.iov_len -= begun.bytes;
  Pace pace;
  const bool wait = begun.bytes != 0 || waits_for_room_;
  return written(write_rest(&rest, 1, begun.bytes == 0, wait, pace, deadline, reading), deadline, reading);
}

// With the write mutex, which others may wait for: nothing may follow half a message.
Sent Connection::written(Sent sent, base::Deadline deadline, bool& reading) {
  // Who has little time leaves to others what was left here.
  if (sent == Sent::All && deadline == base::kNoDeadline) write_left(reading);
  else if (is_half(sent)) abort();
  return sent;
}

// A message that stands in several places, or is large.
Sent Connection::write_parts(const iovec* parts, int count, base::Deadline deadline, bool& reading) {
  WriteLock lock(write_mutex_, std::adopt_lock);
  const Haste haste(*this, deadline);
  static_assert(kMostParts <= giop::FragmentCutter::kMostParts);
  iovec copy[kMostParts];
  std::size_t size = 0;
  for (int i = 0; i < count; ++i) {
    copy[i] = parts[i];
    size += parts[i].iov_len;
  }
  const char* const header = static_cast<const char*>(parts->iov_base);
  const bool may_be_cut = header[0] == 'G' && header[5] >= 2;  // GIOP 1.2, not compressed
  Pace pace;
  Sent sent;
  const bool is_near = size > kOrdinary && stream_->expect_large();
  const std::size_t most = most_at_once_.load(std::memory_order_relaxed);
  if (size > most && may_be_cut) {
    giop::FragmentCutter cutter(parts, size, is_near ? most : fragment_size_);
    sent = write_fragments(cutter, pace, deadline, reading, lock);
  } else {
    sent = write_rest(copy, count, true, false, pace, deadline, reading);
  }
  return written(sent, deadline, reading);
}

bool Connection::reserve_streaming() {
  if (streaming_.fetch_add(1, std::memory_order_relaxed) < kMostStreaming) return true;
  release_streaming();
  return false;
}

Sent Connection::write_piece(giop::FragmentCutter& cutter, Pace& pace, base::Deadline deadline,
                             bool& reading) {
  if (!write_mutex_.try_lock() && (!may_wait_for_writers() || !wait_for_writers(write_mutex_, deadline)))
    return Sent::TimedOut;
  Sent sent;
  {
    WriteLock lock(write_mutex_, std::adopt_lock);
    const Haste haste(*this, deadline);
    sent = written(write_fragments(cutter, pace, deadline, reading, lock), deadline, reading);
  }
  if (has_queue()) write_queued(reading, deadline);
  return sent;
}

Sent Connection::write_together(iovec part, bool& reading) {
  if (!holds_back_) return write_as_it_is(&part, base::kNoDeadline, reading);
  std::lock_guard lock(write_mutex_, std::adopt_lock);
  Pace pace;
  const Sent sent = write_rest(&part, 1, true, false, pace, base::kNoDeadline, reading);
  if (is_half(sent)) abort();
  return sent;
}

bool Connection::wait_for_writers(base::Mutex& mutex, base::Deadline deadline) {
  begin_waiting_for_writers();
  const bool locked = mutex.lock_until(deadline);
  end_waiting_for_writers();
  return locked;
}

void Connection::hold_back_queue() {
  std::string left;
  {
    std::lock_guard lock(queue_mutex_);
    left.swap(queue_);
    queued_.store(false, std::memory_order_seq_cst);
  }
  const iovec part{left.data(), left.size()};
  if (left.empty() || hold_back(&part, 1)) return;
  queue_lost();
  abort();
}

// With the write mutex: who waits for it gets it as soon as it is given back, before anybody could look at
// the queue.
void Connection::write_left(bool& reading) {
  while (has_queue()) {
    {
      std::lock_guard lock(queue_mutex_);
      sending_.clear();
      sending_.swap(queue_);
      queued_.store(false, std::memory_order_seq_cst);
    }
    if (sending_.empty()) continue;
    iovec part{sending_.data(), sending_.size()};
    Pace pace;
    if (write_rest(&part, 1, true, false, pace, base::kNoDeadline, reading) == Sent::All) continue;
    queue_lost();
    abort();
  }
}

// Messages in fragments go one after the other for so long: mixed, all of them would end last, and the reader
// would have to copy them. No more are mixed than a reader takes. Between the fragments smaller ones may
// leave, unless this thread may not wait for others, because of the reading role or of what else it keeps.
Sent Connection::write_fragments(giop::FragmentCutter& cutter, Pace& pace, base::Deadline deadline,
                                 bool& reading, WriteLock& lock) {
  bool ordered;
  if (!begin_cut(deadline, reading, lock, ordered)) return Sent::TimedOut;
  iovec pieces[giop::FragmentCutter::kMostPieces];
  std::size_t run = 0;
  bool nothing_sent = true, mixes = false;
  Sent sent = Sent::All;
  while (const int count = cutter.next(pieces)) {
    if (!nothing_sent) {
      stream_->let_peer_read();
      // What was left here before this writer said that it is in haste.
      if (deadline == base::kNoDeadline || (has_queue() && stream_->wait(false, true, base::now()).writable))
        write_left(reading);
    }
    if (!nothing_sent && !reading && may_wait_for_writers()) {
      lock.unlock();
      bool in_time = true;
      if (ordered && run >= kRun && (mixes || (mixes = reserve_streaming()))) {
        cut_mutex_.unlock();
        in_time = ordered = lock_for_writing(cut_mutex_, deadline);
        run = 0;
      }
      if (!in_time || !lock_again(lock, deadline)) {
        sent = Sent::Stuck;
        break;
      }
    }
    for (int i = 0; i < count; ++i) run += pieces[i].iov_len;
    sent = write_rest(pieces, count, nothing_sent, false, pace, deadline, reading);
    if (sent != Sent::All) break;
    nothing_sent = false;
  }
  if (ordered) cut_mutex_.unlock();
  if (mixes) release_streaming();
  return sent;
}

// `ordered` tells whether the other mutex is to be given back. Small messages that were left here meanwhile
// are written by whoever has that of writing. Both may be kept by who waits for a peer that does not read.
bool Connection::begin_cut(base::Deadline deadline, bool reading, WriteLock& lock, bool& ordered) {
  ordered = cut_mutex_.try_lock();
  if (ordered) return true;
  if (!std::exchange(short_queue_, true)) stream_->keep_queue_short();
  if (reading || !may_wait_for_writers()) return true;
  lock.unlock();
  ordered = lock_for_writing(cut_mutex_, deadline);
  if (!ordered || lock_again(lock, deadline)) return ordered;
  cut_mutex_.unlock();
  return false;
}

bool Connection::lock_again(WriteLock& lock, base::Deadline deadline) {
  if (!lock_for_writing(write_mutex_, deadline)) return false;
  lock = WriteLock(write_mutex_, std::adopt_lock);
  return true;
}

// `wait` tells that there is no room at present. Without a deadline the peer has the write timeout for each
// giop::kLeastProgress octets; only the time counts in which there was no room.
Sent Connection::write_rest(iovec* part, int count, bool nothing_sent, bool wait, Pace& pace,
                            base::Deadline deadline, bool& reading) {
  if (holds_back_) [[unlikely]]
    return hold_back(part, count) ? Sent::All : Sent::Stuck;
  base::Deadline since = 0;  // when the time began that counts
  while (count != 0) {
    if (wait) {
      if (!reading) reading = try_begin_reading();
      const base::Deadline now = base::now();
      if (pace.octets >= giop::kLeastProgress) {
        pace = {};
        since = 0;
      }
      pace.slow = true;
      if (since == 0) since = now - pace.waited;
      const base::Deadline end =
          deadline != base::kNoDeadline ? deadline : since + options_.write_timeout_ms * 1'000'000LL;
      // Without the role it looks again soon: whoever has it may drop it.
      const auto ready = wait_to_write(
          reading, reading ? end : std::min<base::Deadline>(end, now + kLookAgainMs * 1'000'000LL));
      // A peer that says much, or takes a little at a time, has no more time than one that does neither.
      const bool stuck = base::now() >= end;
      bool over = false;
      if (!ready.writable) {
        if (should_hold_back() && hold_back(part, count)) return Sent::All;
        over = ready.readable ? !read_while_writing() : said_to_be_over();
        if (!over && !stuck) continue;
      }
      if (over || stuck) {
        if (nothing_sent) return Sent::Nothing;
        return over || said_to_be_over() ? Sent::Part : Sent::Stuck;
      }
    }
    const base::Deadline begin = waits_for_room_ ? base::now() : 0;
    const auto [status, bytes] =
        pace.slow ? stream_->try_write(part, count) : write_some(part, count, deadline);
    if (waits_for_room_ && base::now() - begin > kMoment) pace.slow = true;
    wait = status == transport::Io::WouldBlock;
    if (wait) continue;
    if (status != transport::Io::Ok) return nothing_sent ? Sent::Nothing : Sent::Part;
    nothing_sent = false;
    pace.octets += bytes;
    std::size_t left = bytes;
    while (count != 0 && left >= part->iov_len) {
      left -= part->iov_len;
      ++part;
      --count;
    }
    if (count != 0) {
      part->iov_base = static_cast<char*>(part->iov_base) + left;
      part->iov_len -= left;
      wait = true;
    }
  }
  if (since != 0) pace.waited = base::now() - since;
  return Sent::All;
}

void Connection::send_control(giop::MessageType type, giop::Version version) {
  char message[giop::kHeaderSize];
  giop::write(message, type, version, 0);
  send_small(message, sizeof message);
}

void Connection::send_small(char* message, std::size_t size) {
  const iovec part{message, size};
  const base::Deadline soon = base::now() + kPatienceMs * 1'000'000LL;
  {
    // Who writes for longer than that has met a peer that does not read.
    if (!write_mutex_.lock_until(soon)) return;
    std::lock_guard lock(write_mutex_, std::adopt_lock);
    if (holds_back_) {
      (void)hold_back(&part, 1);
    } else {
      const auto [status, bytes] = stream_->try_write(&part, 1);
      if (status == transport::Io::Ok && bytes != size)
        abort();  // half a message cannot be followed by another
    }
  }
  if (queued_.load(std::memory_order_seq_cst)) [[unlikely]] {
    bool reading = false;
    write_queued(reading, soon);
    if (reading) stop_reading_role();
  }
}

bool Connection::leave_for_writer(const iovec* parts, int count) try {
  std::size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  if (!options_.coalesce_writes || size > kMostLeft || size > fragment_size_) return false;
  std::lock_guard lock(queue_mutex_);
  if (hasty_ != 0 || queue_.size() + size > kMostQueued) return false;
  queue_.reserve(queue_.size() + size);  // all of it or nothing
  for (int i = 0; i < count; ++i)
    queue_.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  queued_.store(true, std::memory_order_seq_cst);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void Connection::write_queued(bool& reading) {
  while (has_queue() && try_lock_writing()) {
    write_left(reading);
    unlock_writing();
  }
}

void Connection::write_queued(bool& reading, base::Deadline deadline) {
  if (deadline == base::kNoDeadline) return write_queued(reading);
  while (has_queue() && try_lock_writing()) {
    const bool room = stream_->wait(false, true, base::now()).writable;
    if (room) write_left(reading);
    unlock_writing();
    if (room) continue;
    if (!leave_queue()) write_queued(reading);
    return;
  }
}

bool discard_input(transport::Stream& stream) {
  char rest[4096];
  transport::Io status = transport::Io::Ok;
  for (int i = 0; i < 16 && status == transport::Io::Ok; ++i)
    status = stream.try_read(rest, sizeof rest).status;
  return status == transport::Io::Ok || status == transport::Io::WouldBlock;
}

}  // namespace corbel::core
