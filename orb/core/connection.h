// What both ends of a GIOP connection do: read messages, write messages.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include <corbel/cdr/encoder.h>

#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/message_reader.h"
#include "orb/core/options.h"
#include "orb/transport/stream.h"

namespace corbel::core {

// How far a message got.
enum class Sent {
  All,
  Nothing,  // no byte left: it is safe to send it elsewhere
  Part      // some bytes left before the connection failed or time ran out
};

class Connection : public base::RefCounted {
 public:
  Connection(const Options& options, std::atomic<std::uint64_t>& pending_bytes,
             std::unique_ptr<transport::Stream> stream)
      : options_(options), stream_(std::move(stream)), reader_(options, pending_bytes) {}

  transport::Stream& stream() { return *stream_; }
  // Ends the stream; threads inside it return. Any thread, any number of times.
  void abort() { stream_->interrupt(); }

  // Messages without a body that both ends may send; errors do not matter, the connection ends anyway.
  void send_control(giop::MessageType type, giop::Version version);

 protected:
  // Writes a small message if there is room for it now.
  void send_small(char* message, std::size_t size);
  // Writes one whole message; one writer at a time. Waits for room until the deadline at most. Meanwhile it
  // takes the reading role if nobody has it (`reading`, which may be true before), and reads what arrives: a
  // peer that cannot write would not read either. `locked` tells that try_lock_writing() has succeeded. Who
  // waits for other writers must not have the reading role.
  Sent write(const iovec* parts, int count, base::Deadline deadline, bool& reading, bool locked = false);
  bool try_lock_writing() { return write_mutex_.try_lock(); }

  const Options& options_;
  std::unique_ptr<transport::Stream> stream_;
  MessageReader reader_;

 private:
  Sent write_rest(iovec* part, int count, bool nothing_sent, base::Deadline deadline, bool& reading);
  virtual bool try_begin_reading() = 0;
  // Called with the reading role while a write waits: takes what has arrived. False when nothing more can be
  // read.
  virtual bool read_while_writing() = 0;

  base::Mutex write_mutex_;
};

// Before a stream is closed: what is unread would turn the close into a reset, which might take the last
// message with it.
void discard_input(transport::Stream& stream);

}  // namespace corbel::core
