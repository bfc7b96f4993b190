// What both ends of a GIOP connection do: read messages, write messages.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include <corbel/cdr/encoder.h>
#include <corbel/transport/stream.h>

#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/message_reader.h"
#include "orb/core/options.h"

namespace corbel::giop {
class FragmentCutter;
}

namespace corbel::core {

// How far a message got.
enum class Sent {
  All,
  Nothing,  // no byte left: it is safe to send it elsewhere
  Part,     // some bytes left before the connection failed
  Stuck,    // some bytes left before time ran out
  TimedOut  // nothing, for others wrote all the time, or write now and this thread may not wait
};

inline bool is_half(Sent sent) { return sent == Sent::Part || sent == Sent::Stuck; }

// How fast a peer takes a message: octets, and the time in which there was no room for them, in nanoseconds.
struct Pace {
  std::size_t octets = 0;
  std::int64_t waited = 0;
  bool slow = false;  // it has been waited for
};

class Connection : public base::RefCounted {
 public:
  Connection(const Options& options, std::atomic<std::uint64_t>& pending_bytes,
             std::unique_ptr<transport::Stream> stream)
      : options_(options),
        fragment_size_(options.fragment_size != 0 ? options.fragment_size : SIZE_MAX),
        most_at_once_(fragment_size_),
        stream_(std::move(stream)),
        waits_for_room_(stream_ && options.server_model != ServerModel::Reactive &&
                        stream_->waits_for_room()),
        reader_(options, pending_bytes) {}

  transport::Stream& stream() { return *stream_; }
  // Ends the stream; threads inside it return. Any thread, any number of times.
  void abort() { stream_->interrupt(); }

  // The peer is Corbel's server, whatever leads to it. Any thread.
  void peer_is_corbel() {
    if (options_.largest_whole_to_corbel != 0)
      most_at_once_.store(options_.largest_whole_to_corbel, std::memory_order_relaxed);
  }

  // In a forked child: the stream is the parent's; nothing is written to it or read from it, nor is it ended.
  void let_go_of_stream();

  // Messages without a body that both ends may send; errors do not matter, the connection ends anyway.
  void send_control(giop::MessageType type, giop::Version version);

  // The parts in which a message stands, from octet `from` of the encoder's own memory on; how many they are.
  static int gather(const cdr::Encoder& message, std::size_t from, iovec* parts) {
    return gather(message, from, message.size(), parts);
  }
  // The same up to octet `until`, externals there included.
  static int gather(const cdr::Encoder& message, std::size_t from, std::size_t until, iovec* parts);
  static constexpr std::size_t kOrdinary = 64 * 1024;  // octets of a message that is not large
  static constexpr int kMostParts = cdr::Encoder::kMaxExternals * 2 + 2;  // that a message stands in

  // ---- messages that leave while they are being marshaled
  // Whether one may begin now, which release_streaming() ends: a reader takes a few at a time.
  bool reserve_streaming();
  void release_streaming() { streaming_.fetch_sub(1, std::memory_order_relaxed); }
  std::size_t fragment_size() const { return fragment_size_; }
  // Writes the fragments that `cutter` makes; as write(), but what it tells is of these alone, and where
  // may_wait_for_writers() says no it does not wait for others.
  Sent write_piece(giop::FragmentCutter& cutter, Pace& pace, base::Deadline deadline, bool& reading);

 protected:
  // Waits for room in the stream or, if `read`, for something to read.
  virtual transport::Readiness wait_to_write(bool read, base::Deadline until) {
    return stream_->wait(read, true, until);
  }
  // Around a wait for other writers, which may wait for a peer that does not read.
  virtual void begin_waiting_for_writers() {}
  virtual void end_waiting_for_writers() {}
  // False where this thread keeps others from their work, who must not wait for that peer, too.
  virtual bool may_wait_for_writers() const { return true; }
  // Writes a small message if there is room for it now.
  void send_small(char* message, std::size_t size);
  // Writes one whole message, in fragments where it is large; one writer at a time. Waits for room until the
  // deadline at most. Meanwhile it takes the reading role if nobody has it (`reading`, which may be true
  // before), and reads what arrives: a peer that cannot write would not read either. `locked` tells that
  // try_lock_writing() has succeeded. Who waits for other writers must not have the reading role.
  Sent write(const iovec* parts, int count, base::Deadline deadline, bool& reading, bool locked = false) {
    if (!locked && !lock_for_writing(write_mutex_, deadline)) return Sent::TimedOut;
    const Sent sent = write_one(parts, count, deadline, reading);
    if (queued_.load(std::memory_order_seq_cst)) [[unlikely]]
      write_queued(reading, deadline);
    return sent;
  }
  // With the write mutex, which it gives back.
  Sent write_one(const iovec* parts, int count, base::Deadline deadline, bool& reading) {
    if (count != 1 || parts->iov_len > most_at_once_.load(std::memory_order_relaxed) || holds_back_)
        [[unlikely]]
      return write_parts(parts, count, deadline, reading);
    return write_as_it_is(parts, deadline, reading);
  }
  // The same of octets that may be several messages.
  Sent write_as_it_is(const iovec* part, base::Deadline deadline, bool& reading) {
    const transport::IoResult begun = write_some(part, 1, deadline);
    if (begun.bytes != part->iov_len) [[unlikely]]
      return write_on(part, begun, deadline, reading);
    write_mutex_.unlock();
    return Sent::All;
  }
  bool try_lock_writing() { return write_mutex_.try_lock(); }
  void lock_writing() { (void)lock_writing_until(base::kNoDeadline); }
  bool lock_writing_until(base::Deadline deadline) { return lock_for_writing(write_mutex_, deadline); }
  // The same where what was held back must leave first.
  Sent write_together(iovec part, bool& reading);
  bool has_queue() const { return queued_.load(std::memory_order_seq_cst); }
  void unlock_writing() { write_mutex_.unlock(); }
  // Leaves a small message with whoever writes now: false if it is not small enough, too much is there
  // already, or who writes has no time for it. Unless that writer is known to look again, write_queued() goes
  // after it.
  bool leave_for_writer(const iovec* parts, int count);
  // Writes what was left, unless another thread writes, which then sees to it.
  void write_queued(bool& reading);
  // The same by a thread that may have less time than those who left it.
  [[gnu::cold]] void write_queued(bool& reading, base::Deadline deadline);
  // With the write mutex: what was left goes where hold_back() puts it.
  void hold_back_queue();

  bool holds_back_ = false;  // with the write mutex: what is written goes behind what hold_back() took

  const Options& options_;
  const std::size_t fragment_size_;  // octets of a piece of a message that is cut
  // Of a message that is not, and within a host of the pieces, too, unless it leaves while it is marshaled.
  std::atomic<std::size_t> most_at_once_;
  std::unique_ptr<transport::Stream> stream_;
  const bool waits_for_room_;  // a write may: this thread keeps nobody from being served
  MessageReader reader_;

 private:
  // False when the deadline has passed.
  bool lock_for_writing(base::Mutex& mutex, base::Deadline deadline) {
    return mutex.try_lock() || wait_for_writers(mutex, deadline);
  }
  [[gnu::cold]] bool wait_for_writers(base::Mutex& mutex, base::Deadline deadline);
  transport::IoResult write_some(const iovec* parts, int count, base::Deadline deadline) {
    return waits_for_room_ ? write_waiting(parts, count, deadline) : stream_->try_write(parts, count);
  }
  [[gnu::cold]] transport::IoResult write_waiting(const iovec* parts, int count, base::Deadline deadline);
  // With the write mutex, which they give back. `begun` is what has come of the message so far.
  Sent written(Sent sent, base::Deadline deadline, bool& reading);
  Sent write_on(const iovec* part, transport::IoResult begun, base::Deadline deadline, bool& reading);
  Sent write_parts(const iovec* parts, int count, base::Deadline deadline, bool& reading);
  // While one stands, a writer that has a deadline is left no messages of others, who may have more time.
  class Haste {
   public:
    Haste(Connection& connection, base::Deadline deadline)
        : connection_(deadline != base::kNoDeadline ? &connection : nullptr) {
      count(1);
    }
    ~Haste() { count(-1); }
    Haste(const Haste&) = delete;
    Haste& operator=(const Haste&) = delete;

   private:
    void count(int more) {
      if (!connection_) return;
      std::lock_guard lock(connection_->queue_mutex_);
      connection_->hasty_ += more;
    }
    Connection* const connection_;
  };
  // They hold the write mutex, which those of fragments have given back where they ran out of time.
  using WriteLock = std::unique_lock<base::Mutex>;
  Sent write_fragments(giop::FragmentCutter& cutter, Pace& pace, base::Deadline deadline, bool& reading,
                       WriteLock& lock);
  bool begin_cut(base::Deadline deadline, bool reading, WriteLock& lock, bool& ordered);
  bool lock_again(WriteLock& lock, base::Deadline deadline);
  Sent write_rest(iovec* part, int count, bool nothing_sent, bool wait, Pace& pace, base::Deadline deadline,
                  bool& reading);
  void write_left(bool& reading);
  // With the write mutex: takes octets for which there is no room now, and writes them when there is; they
  // count as written. False if it does not, and whoever writes has to wait, or, behind others, cannot go on.
  virtual bool hold_back(const iovec*, int) { return false; }
  // Whether to try that, rather than to wait on.
  virtual bool should_hold_back() { return false; }
  // Another thread writes what was left, soon. False if there is none.
  virtual bool leave_queue() = 0;
  // Messages that were left with a writer are lost.
  virtual void queue_lost() {}
  virtual bool try_begin_reading() = 0;
  virtual void stop_reading_role() {}
  // Called with the reading role while a write waits: takes what has arrived. False when nothing more can be
  // read, and so will not be by the peer.
  virtual bool read_while_writing() = 0;
  // The peer has said that it reads no more.
  virtual bool said_to_be_over() const { return false; }

  base::Mutex cut_mutex_;  // one message in fragments after the other; before the write mutex
  base::Mutex write_mutex_;
  std::atomic<int> streaming_{0};  // messages that have begun to leave
  bool short_queue_ = false;       // of whoever has the write mutex
  // Small messages that were left for whoever has the write mutex, who looks after it has given that back.
  std::atomic<bool> queued_{false};
  base::Mutex queue_mutex_;  // guards what follows
  int hasty_ = 0;
  std::string queue_;
  std::string sending_;  // of whoever has the write mutex
};

// Before a stream is closed: what is unread would turn the close into a reset, which might take the last
// message with it. False if the stream has ended.
bool discard_input(transport::Stream& stream);

}  // namespace corbel::core
