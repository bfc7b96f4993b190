// A connected byte stream, whatever carries it. It knows no GIOP.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <memory>
#include <string>

#include "orb/base/futex.h"

namespace corbel::transport {

enum class Io {
  Ok,
  WouldBlock,  // nothing was transferred
  TimedOut,    // a waiting read saw nothing within the stream's read timeout
  Closed,      // the peer ended the stream
  Failed
};

struct IoResult {
  Io status;
  std::size_t bytes = 0;
};

// Reading and writing may go on at the same time, each by one thread; interrupt() may come from any thread.
class Stream {
 public:
  virtual ~Stream() = default;
  // Waits for at least one byte, at most for the read timeout.
  virtual IoResult read(char* to, std::size_t size) = 0;
  virtual IoResult try_read(char* to, std::size_t size) = 0;
  // Takes what it can without waiting.
  virtual IoResult try_write(const iovec* parts, int count) = 0;
  // Zero is none. A system call only when it changes.
  virtual void set_read_timeout(int milliseconds) = 0;
  // Descriptor to poll.
  virtual int descriptor() const = 0;
  // Ends both directions: a thread inside read() returns.
  virtual void interrupt() = 0;
  // A thread inside read() returns; writing goes on.
  virtual void stop_reading() = 0;
  // Says that nothing more will be written; the peer may go on.
  virtual void finish_writing() = 0;
  // "127.0.0.1:4711", for messages.
  virtual std::string peer() const = 0;
};

// What poll() reports within the time: readable, writable, neither (time is over). Errors count as both.
struct Readiness {
  bool readable = false;
  bool writable = false;
};
Readiness wait_ready(int descriptor, bool read, bool write, base::Deadline deadline);

}  // namespace corbel::transport
