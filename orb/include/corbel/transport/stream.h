// A connected byte stream, whatever carries it. It knows no GIOP.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <string>
#include <vector>

#include <corbel/base/deadline.h>

namespace corbel::transport {

using Deadline = base::Deadline;

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

struct Readiness {
  bool readable = false;
  bool writable = false;
};
// What poll() reports within the time: readable, writable, neither (time is over). Errors count as both.
[[gnu::visibility("default")]] Readiness wait_ready(int descriptor, bool read, bool write, Deadline deadline);

// Who is at the other end, as far as the transport has made sure of it.
struct PeerIdentity {
  std::string subject;  // distinguished name of the certificate, RFC 2253; empty without one
  std::vector<std::string> certificates;  // DER, the peer's own first
  long uid = -1, gid = -1, pid = -1;      // of a process of this host; -1 where they are not known
};

// Reading and writing may go on at the same time, each by one thread; interrupt(), stop_reading() and
// finish_writing() may come from any thread.
class [[gnu::visibility("default")]] Stream {
 public:
  virtual ~Stream();
  // Waits for at least one byte, at most for the read timeout.
  virtual IoResult read(char* to, std::size_t size) = 0;
  virtual IoResult try_read(char* to, std::size_t size) = 0;
  // Takes what it can without waiting. A message comes in one call where it is in one piece. Without parts it
  // is called by any thread until the stream is open (opening_until()), for what opening it has left.
  virtual IoResult try_write(const iovec* parts, int count) = 0;
  // The same where the thread may wait a moment for room, because one call that does is better than several
  // and wait() between them. Only if waits_for_room().
  virtual IoResult write(const iovec* parts, int count) { return try_write(parts, count); }
  virtual bool waits_for_room() const { return false; }
  // Milliseconds, zero is none. A system call only when it changes.
  virtual void set_read_timeout(int milliseconds) = 0;
  // The same by any thread, and for a read that the system begins anew behind a signal, too. False where it
  // is not so easy, and nothing has happened.
  virtual bool limit_reads(int /*milliseconds*/) { return false; }
  // From now on little may stand between what try_write() takes and what the peer has read, so that what is
  // written next is soon there: the stream has large messages of several threads to carry, and small ones. By
  // whoever writes; where it cannot be had, nothing happens.
  virtual void keep_queue_short() {}
  // Small messages follow each other for which nobody waits: they may gather for a moment, if that makes them
  // cheaper. Any thread.
  virtual void let_messages_gather() {}
  // A message of more than 64 KiB follows, which nothing should hold up. True if the peer is on this host,
  // and so pieces of it may be large. By whoever writes.
  virtual bool expect_large() { return false; }
  // A part of a large message has been written, and more follows at once. A peer that shares this processor
  // may read it now, while its octets are in the caches; nothing happens where it does not, or nobody knows.
  // By whoever writes.
  virtual void let_peer_read() {}
  // Waits until try_read() or try_write(), as asked for, is worth trying.
  virtual Readiness wait(bool read, bool write, Deadline deadline) {
    return wait_ready(descriptor(), read, write, deadline);
  }
  // Readable when try_read() is worth trying, where nothing was read yet or arm() has said so since the last
  // read.
  virtual int descriptor() const = 0;
  // Whoever has the reading role is about to wait for descriptor() in an event loop. False: there is
  // something to read already, which the descriptor does not show.
  virtual bool arm() { return true; }
  // Ends both directions: a thread inside read() returns. What had arrived before can still be read.
  virtual void interrupt() = 0;
  // A thread inside read() returns; writing goes on.
  virtual void stop_reading() = 0;
  // Says that nothing more will be written; the peer may go on.
  virtual void finish_writing() = 0;
  // What was written is out of this host's hands: it arrives although the stream is closed with something
  // unread, or something comes for it then. True where that takes nothing away anyway. Any thread.
  virtual bool delivered() const { return true; }
  // Whether what was written may be lost, be it delivered, if the stream is closed with something unread, or
  // something comes for it then, before the peer has ended it, too.
  virtual bool may_be_reset() const { return false; }
  // The peer may still send what nobody has asked for: a TLS server, how the session can be resumed. Any
  // thread.
  virtual bool more_may_come() const { return false; }
  // "127.0.0.1:4711", for messages.
  virtual std::string peer() const = 0;
  // Null if nothing is known. Valid as long as the stream.
  virtual const PeerIdentity* identity() const { return nullptr; }
  // Until when the peer must have done its part of setting the stream up, which goes on while it is read;
  // kNoDeadline once that is over. Any thread.
  virtual Deadline opening_until() const { return base::kNoDeadline; }
  // The peer has begun something that must be whole before any of it can be read: setting the stream up, a
  // record. Of whoever reads.
  virtual bool unfinished() { return false; }
  // After a failed read: why the peer does not accept this end, where it said so before it took anything that
  // was written. Empty otherwise.
  virtual std::string refusal() const { return {}; }
  // After a failed read: the peer has ended the stream, and never took an octet of what was written. Only
  // where the transport can tell.
  virtual bool nothing_taken() const { return false; }
};

}  // namespace corbel::transport
