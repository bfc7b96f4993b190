#include "orb/giop/fragment_cutter.h"

#include <algorithm>

namespace corbel::giop {
namespace {
constexpr char kMoreFragments = 2;
}

FragmentCutter::FragmentCutter(const iovec* parts, std::size_t total, std::size_t fragment_size, bool more)
    : part_(parts),
      taken_(kHeaderSize),
      left_(total - kHeaderSize),
      fragment_size_(fragment_size),
      first_(true),
      more_(more) {
  std::memcpy(begin_, parts->iov_base, kFragmentHeaderSize);
}

FragmentCutter::FragmentCutter(const char (&begin)[kFragmentHeaderSize], const iovec* parts, std::size_t size,
                               std::size_t fragment_size, bool last)
    : part_(parts), taken_(0), left_(size), fragment_size_(fragment_size), first_(false), more_(!last) {
  std::memcpy(begin_, begin, kFragmentHeaderSize);
}

int FragmentCutter::next(iovec (&pieces)[kMostPieces]) {
  int count = 0, header = 0;
  std::size_t bytes = 0;
  while ((left_ != 0 || due_) && header < kMostHeaders && count + 1 + kMostParts <= kMostPieces &&
         (bytes < kBatch || left_ <= kRest)) {
    const std::size_t head = first_ ? kHeaderSize : kFragmentHeaderSize;
    const std::size_t size = std::min(left_, fragment_size_ - head);
    char* const to = headers_[header++];
    std::memcpy(to, begin_, kFragmentHeaderSize);
    if (!first_) to[7] = static_cast<char>(MessageType::Fragment);
    if (size < left_ || more_) to[6] |= kMoreFragments;
    due_ = false;
    set_message_size(to, head + size);
    first_ = false;
    pieces[count++] = {to, head};
    count += take(size, pieces + count);
    bytes += head + size;
  }
  return count;
}

// The next `size` octets of the body.
int FragmentCutter::take(std::size_t size, iovec* pieces) {
  left_ -= size;
  int count = 0;
  while (size != 0) {
    const std::size_t here = std::min(size, part_->iov_len - taken_);
    if (here != 0) pieces[count++] = {static_cast<char*>(part_->iov_base) + taken_, here};
    size -= here;
    taken_ += here;
    if (taken_ == part_->iov_len && left_ + size != 0) {
      ++part_;
      taken_ = 0;
    }
  }
  return count;
}

}  // namespace corbel::giop
