#include "orb/core/connection.h"

#include <algorithm>
#include <mutex>

namespace corbel::core {
namespace {
constexpr int kLookAgainMs = 5;
}

Sent Connection::write(const iovec* parts, int count, base::Deadline deadline, bool& reading, bool locked) {
  if (!locked) write_mutex_.lock();
  std::lock_guard lock(write_mutex_, std::adopt_lock);
  if (count == 1) {
    const auto [status, bytes] = stream_->try_write(parts, 1);
    if (status == transport::Io::Ok && bytes == parts->iov_len) [[likely]]
      return Sent::All;
    if (status == transport::Io::Failed) return Sent::Nothing;
    iovec rest = *parts;
    rest.iov_base = static_cast<char*>(rest.iov_base) + bytes;
    rest.iov_len -= bytes;
    return write_rest(&rest, 1, bytes == 0, deadline, reading);
  }
  iovec copy[cdr::Encoder::kMaxExternals * 2 + 2];
  for (int i = 0; i < count; ++i) copy[i] = parts[i];
  return write_rest(copy, count, true, deadline, reading);
}

Sent Connection::write_rest(iovec* part, int count, bool nothing_sent, base::Deadline deadline,
                            bool& reading) {
  if (deadline == base::kNoDeadline) deadline = base::now() + options_.write_timeout_ms * 1'000'000LL;
  bool wait = !nothing_sent, open = true;
  while (count != 0) {
    if (wait) {
      if (!reading) reading = try_begin_reading();
      const bool read = reading && open;
      // Without the role it looks again soon: whoever has it may drop it.
      const base::Deadline until =
          reading ? deadline : std::min<base::Deadline>(deadline, base::now() + kLookAgainMs * 1'000'000LL);
      const auto ready = transport::wait_ready(stream_->descriptor(), read, true, until);
      if (!ready.readable && !ready.writable) {
        if (base::now() < deadline) continue;
        return nothing_sent ? Sent::Nothing : Sent::Part;
      }
      if (ready.readable && !ready.writable) {
        open = read_while_writing();
        continue;
      }
    }
    const auto [status, bytes] = stream_->try_write(part, count);
    wait = status == transport::Io::WouldBlock;
    if (wait) continue;
    if (status != transport::Io::Ok) return nothing_sent ? Sent::Nothing : Sent::Part;
    nothing_sent = false;
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
  return Sent::All;
}

void Connection::send_control(giop::MessageType type, giop::Version version) {
  char message[giop::kHeaderSize];
  giop::write(message, type, version, 0);
  send_small(message, sizeof message);
}

void Connection::send_small(char* message, std::size_t size) {
  const iovec part{message, size};
  std::lock_guard lock(write_mutex_);
  const auto [status, bytes] = stream_->try_write(&part, 1);
  if (status == transport::Io::Ok && bytes != size) abort();  // half a message cannot be followed by another
}

void discard_input(transport::Stream& stream) {
  char rest[4096];
  for (int i = 0; i < 16 && stream.try_read(rest, sizeof rest).status == transport::Io::Ok; ++i) {
  }
}

}  // namespace corbel::core
