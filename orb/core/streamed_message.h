// A message of GIOP 1.2 that leaves in fragments while it is still being marshaled.
#pragma once

#include <corbel/cdr/encoder.h>

#include "orb/core/connection.h"
#include "orb/giop/fragments.h"

namespace corbel::core {

// Of one request or reply; one thread at a time. Between its fragments others write to the connection.
class StreamedMessage {
 public:
  // Own memory of an encoder is not streamed before it exceeds this, whatever the size of fragments.
  static constexpr std::size_t kLeast = 16 * 1024;
  // For Sink::limit.
  static std::size_t limit(const Options& options) {
    return options.fragment_size != 0 ? std::max<std::size_t>(options.fragment_size, kLeast) : SIZE_MAX;
  }

  // Part of it has left, and the end has not.
  bool open() const { return sent_ != 0; }
  // So many octets of the encoder that they are worth being sent.
  bool worth_sending(const cdr::Encoder& out) const;
  // Sends what is settled of `out`. The first time `header` is the message's, all of it, and the body begins
  // at `from` of the encoder's memory. `Part`, `Nothing` and `TimedOut` are of this piece alone.
  Sent send(Connection& connection, cdr::Encoder& out, const iovec& header, std::size_t from,
            base::Deadline deadline, bool& reading);
  // Sends the rest, or nothing more, where `out` is null: what has left then is less than it says, which
  // tells its reader that something went wrong. After TimedOut it may be called again.
  Sent end(Connection& connection, const cdr::Encoder* out, base::Deadline deadline, bool& reading);
  // Nothing more is sent.
  void abandon() { sent_ = 0; }

 private:
  Pace pace_;
  std::size_t sent_ = 0;  // octets of the message, its header included: a multiple of 8
  char begin_[giop::kFragmentHeaderSize];
};

}  // namespace corbel::core
