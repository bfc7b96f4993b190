// Cuts a message into fragments as it is written (CORBA 3.4 part 2, "Fragment Message").
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

#include "orb/giop/fragments.h"

namespace corbel::giop {

// Smaller ones would be more header than message.
inline constexpr std::size_t kLeastFragment = 1024;

// A message of 1.2 that stands in several places, as a Request, Reply, LocateRequest or LocateReply and its
// Fragments. Nothing is copied: headers stand here, and the rest stays where it is. Only 1.2 can be cut: 1.1
// counts alignment anew in each fragment and has peers that throw fragments away.
class FragmentCutter {
 public:
  // At most so many parts may a message stand in.
  static constexpr int kMostParts = 20;
  // What next() fills: a batch is not more than is worth one system call.
  static constexpr int kMostPieces = 64;

  // `parts` stay the caller's and as they are; the first holds the message's header and request id. Every
  // fragment but the last has `fragment_size` octets, a multiple of 8 and at least kLeastFragment.
  FragmentCutter(const iovec* parts, std::size_t total, std::size_t fragment_size)
      : FragmentCutter(parts, total, fragment_size, false) {}

  // The first part of a message of which more follows: `total` is a multiple of 8.
  static FragmentCutter first(const iovec* parts, std::size_t total, std::size_t fragment_size) {
    return {parts, total, fragment_size, true};
  }
  // What follows it: `size` octets without a header, a multiple of 8 unless they are the last. `begin` is the
  // message's header and request id.
  FragmentCutter(const char (&begin)[kFragmentHeaderSize], const iovec* parts, std::size_t size,
                 std::size_t fragment_size, bool last);

  // The next fragments in `pieces`, valid until the next call; 0 behind the last.
  int next(iovec (&pieces)[kMostPieces]);

 private:
  static constexpr int kMostHeaders = 20;
  static constexpr std::size_t kBatch = 128 * 1024;  // octets; then others may write in between,
  static constexpr std::size_t kRest = 64 * 1024;    // unless no more than these are left

  FragmentCutter(const iovec* parts, std::size_t total, std::size_t fragment_size, bool more);
  int take(std::size_t size, iovec* pieces);

  const iovec* part_;
  std::size_t taken_;  // of *part_
  std::size_t left_;   // of the body
  const std::size_t fragment_size_;
  bool first_;
  const bool more_;                  // will follow
  bool due_ = true;                  // a fragment, even if it is empty
  char begin_[kFragmentHeaderSize];  // of the message
  char headers_[kMostHeaders][kFragmentHeaderSize];
};

}  // namespace corbel::giop
