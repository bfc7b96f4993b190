#include "orb/core/streamed_message.h"

#include <algorithm>
#include <cstring>

#include "orb/giop/fragment_cutter.h"

namespace corbel::core {

bool StreamedMessage::worth_sending(const cdr::Encoder& out) const {
  std::size_t octets = out.settled();
  for (std::size_t i = 0; i < out.external_count() && out.externals()[i].at <= out.settled(); ++i)
    octets += out.externals()[i].size;
  return octets >= kLeast / 2;
}

Sent StreamedMessage::send(Connection& connection, cdr::Encoder& out, const iovec& header, std::size_t from,
                           base::Deadline deadline, bool& reading) {
  const bool first = sent_ == 0;
  if (first) pace_ = {};
  const std::size_t settled = out.settled();
  iovec parts[Connection::kMostParts + 1];
  int count = 0;
  if (first) parts[count++] = header;
  else from = cdr::Encoder::kSentBegin;
  count += Connection::gather(out, from, settled, parts + count);
  std::size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;

  // All fragments but the last are multiples of 8.
  const std::size_t rest = size % 8;
  char tail[8];
  for (std::size_t left = rest; left != 0;) {
    iovec& last = parts[count - 1];
    const std::size_t now = std::min(left, last.iov_len);
    left -= now;
    last.iov_len -= now;
    std::memcpy(tail + left, static_cast<const char*>(last.iov_base) + last.iov_len, now);
    if (last.iov_len == 0) --count;
  }
  size -= rest;

  Sent sent;
  if (first) {
    std::memcpy(begin_, header.iov_base, sizeof begin_);
    auto cutter = giop::FragmentCutter::first(parts, size, connection.fragment_size());
    sent = connection.write_piece(cutter, pace_, deadline, reading);
  } else {
    giop::FragmentCutter cutter(begin_, parts, size, connection.fragment_size(), false);
    sent = connection.write_piece(cutter, pace_, deadline, reading);
  }
  if (sent != Sent::All) return sent;
  sent_ += size;
  out.sent(settled, tail, rest);
  return sent;
}

Sent StreamedMessage::end(Connection& connection, const cdr::Encoder* out, base::Deadline deadline,
                          bool& reading) {
  iovec parts[Connection::kMostParts];
  const int count = out ? Connection::gather(*out, cdr::Encoder::kSentBegin, out->size(), parts) : 0;
  std::size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  giop::FragmentCutter cutter(begin_, parts, size, connection.fragment_size(), true);
  const Sent sent = connection.write_piece(cutter, pace_, deadline, reading);
  if (sent != Sent::TimedOut) sent_ = 0;
  return sent;
}

}  // namespace corbel::core
