#include "orb/core/message_reader.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace corbel::core {

MessageReader::MessageReader(const Options& options, std::atomic<std::uint64_t>& pending_bytes)
    : options_(options),
      pending_bytes_(pending_bytes),
      assembler_(options.max_message_size, pending_bytes, options.max_pending_bytes) {}

MessageReader::~MessageReader() { count_pending(0); }

void MessageReader::let_go() {
  begin_ = end_ = wanted_ = 0;
  splice_ = {};
  from_assembler_ = false;
  assembler_.clear();
  trim();
  broken_ = true;
  count_pending(0);
}

// Only what is beyond the reader's ordinary memory counts.
void MessageReader::count_pending(std::size_t bytes) {
  if (bytes <= kInitial) bytes = 0;
  if (bytes == counted_) return;
  pending_bytes_.fetch_add(bytes - counted_, std::memory_order_relaxed);
  counted_ = bytes;
}

MessageReader::Status MessageReader::next(Message& message) {
  for (;;) {
    if (splice_.size != 0) [[unlikely]] {
      const Status status = splice(message);
      if (status != Status::NeedMore || wanted_ != 0) return status;
    }
    const std::size_t available = end_ - begin_;
    if (available < giop::kHeaderSize) {
      wanted_ = 0;
      return Status::NeedMore;
    }
    giop::Header header;
    bool compressed = false;
    if (giop::parse(memory_.data() + begin_, header) != giop::ParseResult::Ok) [[unlikely]] {
      compressed = parse_compressed(memory_.data() + begin_, header);
      if (!compressed) return Status::Malformed;
    }
    const std::size_t total = giop::kHeaderSize + static_cast<std::size_t>(header.size);
    if (total > options_.max_message_size) return Status::TooLarge;
    if (available < total) {
      wanted_ = total;
      return make_room(total) ? Status::NeedMore : Status::TooLarge;
    }
    wanted_ = 0;
    if (header.more_fragments && !compressed && begin_splice(header, total)) [[unlikely]]
      continue;
    if (counted_ != 0) count_pending(0);
    // Everything below begin_ has been consumed, so an unaligned message can move down. A large one stays:
    // those that read it copy what must be aligned and is not, which is seldom anything.
    const std::size_t shift = total <= kMoveLimit ? begin_ & 15 : 0;
    char* const data = memory_.data() + begin_ - shift;
    if (shift != 0) std::memmove(data, data + shift, total);
    begin_ += total;
    if (begin_ == end_) begin_ = end_ = 0;
    message = {header, data, total, nullptr};
    leave_assembled();
    if (compressed) [[unlikely]] {
      const Status status = expand(message);
      if (status != Status::NeedMore) return status;
      continue;
    }
    if (!header.more_fragments && header.type != giop::MessageType::Fragment) [[likely]] {
      if (header.type == giop::MessageType::CancelRequest) whole(header, message);
      return Status::Message;
    }
    const Status status = whole(header, message);
    if (status != Status::NeedMore) return status;
  }
}

// A compressed message differs from what it stands for in the first octet, and in its size.
bool MessageReader::parse_compressed(const char* at, giop::Header& header) const {
  const Compression* const compression = compression_.load(std::memory_order_relaxed);
  if (!compression || !compression->expected() || *at != 'Z') return false;
  char copy[giop::kHeaderSize];
  std::memcpy(copy, at, sizeof copy);
  *copy = 'G';
  return giop::parse(copy, header) == giop::ParseResult::Ok;
}

// Takes a compressed message's place by what it holds. NeedMore: that was a fragment, and nothing is complete
// yet.
MessageReader::Status MessageReader::expand(Message& message) {
  base::Memory memory;
  std::size_t size;
  Compression& compression = *compression_.load(std::memory_order_relaxed);
  // As if what it holds were arriving: only what is beyond the reader's ordinary memory is bounded.
  const std::size_t claimed = Compression::claimed(message.header, message.data, message.size);
  if (claimed > options_.max_message_size) return Status::TooLarge;
  // A few octets may claim much, and an eighth stays for others.
  const std::uint64_t most = options_.max_pending_bytes - options_.max_pending_bytes / 8;
  if (claimed > kInitial && pending_bytes_.load(std::memory_order_relaxed) + claimed > most)
    return Status::TooLarge;
  count_pending(claimed);
  const Compression::Expanded expanded =
      compression.expand(message.header, message.data, message.size, claimed, memory, size);
  count_pending(0);
  switch (expanded) {
    case Compression::Expanded::Yes:
      break;
    case Compression::Expanded::Malformed:
      return Status::Malformed;
    case Compression::Expanded::TooLarge:
      return Status::TooLarge;
  }
  message.header.size = static_cast<std::uint32_t>(size - giop::kHeaderSize);
  message.data = memory.data();
  message.size = size;
  const bool alone = !message.header.more_fragments && message.header.type != giop::MessageType::Fragment;
  if (!alone || message.header.type == giop::MessageType::CancelRequest) {
    const Status status = whole(giop::Header(message.header), message);
    if (!alone) return status;
  }
  assembled_ = std::move(memory);
  from_assembler_ = true;
  return Status::Message;
}

// Feeds a fragment to the assembler. NeedMore: nothing is complete yet.
MessageReader::Status MessageReader::whole(const giop::Header& header, Message& message) try {
  std::size_t size = 0;
  switch (assembler_.add(header, message.data, message.size, assembled_, size, message.fragments)) {
    case giop::Assembler::Result::PassThrough:
      return header.type == giop::MessageType::Fragment ? Status::NeedMore : Status::Message;
    case giop::Assembler::Result::Pending:
      return Status::NeedMore;
    case giop::Assembler::Result::Complete:
      break;
    case giop::Assembler::Result::TooLarge:
      return Status::TooLarge;
    case giop::Assembler::Result::ProtocolError:
      return Status::Malformed;
  }
  message.data = assembled_.data();
  message.size = size;
  if (giop::parse(message.data, message.header) != giop::ParseResult::Ok) return Status::Malformed;
  from_assembler_ = true;
  return Status::Message;
} catch (const std::bad_alloc&) {  // whoever reads has a role to give back
  return Status::TooLarge;
}

// Whether the fragments that follow are put together where they arrive: then the message begins at an aligned
// place.
bool MessageReader::begin_splice(const giop::Header& header, std::size_t total) {
  if (header.version.minor < 2 || total < giop::kFragmentHeaderSize || assembler_.pending() ||
      !giop::may_be_fragmented(header))
    return false;
  const std::size_t shift = begin_ & 15;
  if (shift != 0) {
    std::memmove(memory_.data() + begin_ - shift, memory_.data() + begin_, total);
    begin_ -= shift;
  }
  splice_ = {header, total, total, shift, true};
  return true;
}

// Goes on with the spliced message. NeedMore without wanted_: there is none any more.
MessageReader::Status MessageReader::splice(Message& message) {
  for (;;) {
    const std::size_t available = end_ - begin_ - splice_.gap;
    if (available < splice_.end) return want(splice_.end);
    char* const data = memory_.data() + begin_;
    if (splice_.gap != 0)
      std::memmove(data + splice_.size, data + splice_.size + splice_.gap, splice_.end - splice_.size);
    splice_.size = splice_.end;
    if (!splice_.more) break;
    if (available < splice_.size + giop::kHeaderSize) return want(splice_.size + giop::kFragmentHeaderSize);
    const char* const next = data + splice_.size + splice_.gap;
    giop::Header header;
    if (giop::parse(next, header) != giop::ParseResult::Ok)
      return parse_compressed(next, header) ? end_splice() : Status::Malformed;
    const bool fragment = header.type == giop::MessageType::Fragment && header.size >= 4 &&
                          header.version == splice_.header.version && header.swap == splice_.header.swap;
    if (fragment && available < splice_.size + giop::kFragmentHeaderSize)
      return want(splice_.size + giop::kFragmentHeaderSize);
    if (!fragment || std::memcmp(next + giop::kHeaderSize, data + giop::kHeaderSize, 4) != 0)
      return end_splice();
    splice_.end = splice_.size + header.size - 4;
    splice_.more = header.more_fragments;
    if (splice_.end > options_.max_message_size) return Status::TooLarge;
    splice_.gap += giop::kFragmentHeaderSize;
  }
  wanted_ = 0;
  if (counted_ != 0) count_pending(0);
  const std::size_t size = last_spliced_ = splice_.size;
  char* const data = memory_.data() + begin_;
  giop::write_whole(data, splice_.header, size);
  splice_.header.more_fragments = false;
  splice_.header.size = static_cast<std::uint32_t>(size - giop::kHeaderSize);
  message = {splice_.header, data, size, nullptr};
  begin_ += size + splice_.gap;
  splice_ = {};
  from_assembler_ = false;
  if (begin_ == end_) begin_ = end_ = 0;
  return Status::Message;
}

// What is read next goes to the end of what is here.
MessageReader::Status MessageReader::want(std::size_t size) {
  if (const std::size_t gap = std::exchange(splice_.gap, 0)) {
    char* const at = memory_.data() + begin_ + splice_.size;
    end_ -= gap;
    std::memmove(at, at + gap, end_ - begin_ - splice_.size);
  }
  wanted_ = size;
  return make_room(size) ? Status::NeedMore : Status::TooLarge;
}

// What follows is something else: the assembler keeps what is here.
MessageReader::Status MessageReader::end_splice() {
  wanted_ = 0;
  if (counted_ != 0) count_pending(0);
  Message part{splice_.header, memory_.data() + begin_, splice_.size, nullptr};
  begin_ += splice_.size + splice_.gap;
  splice_ = {};
  return whole(part.header, part);
}

bool MessageReader::make_room(std::size_t total) {
  const std::uint64_t of_others = pending_bytes_.load(std::memory_order_relaxed) - counted_;
  // A message that fits into the ordinary memory is read whatever others keep.
  if (total > kInitial && of_others + (end_ - begin_) > options_.max_pending_bytes) return false;
  if (begin_ + total <= memory_.size()) return true;
  const std::size_t have = end_ - begin_;
  if (splice_.size != 0 && begin_ == 0)  // nobody knows how much will follow; perhaps as much as last time
    return memory_.resize(std::max({total + kSlack, memory_.size() * 2, last_spliced_ + kSlack}));
  // Several small messages filled the memory, so more are there already: fewer reads take them.
  const bool burst = begin_ != 0 && end_ == memory_.size() && end_ < kBurst && total <= kInitial;
  const std::size_t wanted = burst ? kBurst : total + kSlack;
  if (wanted <= memory_.size()) {
    std::memmove(memory_.data(), memory_.data() + begin_, have);
  } else {
    base::Memory larger(wanted);
    if (!larger) return false;
    std::memcpy(larger.data(), memory_.data() + begin_, have);
    memory_ = std::move(larger);
  }
  begin_ = 0;
  end_ = have;
  return true;
}

MessageReader::Space MessageReader::make_space() {
  if (wanted_ != 0) {
    const std::size_t room = memory_.size() - end_;
    if (wanted_ <= kInitial) return {memory_.data() + end_, room};
    return {memory_.data() + end_, std::min(room, begin_ + wanted_ - end_ + kSlack)};
  }
  if (begin_ != 0) {  // less than a header: move it to the front
    std::memmove(memory_.data(), memory_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (memory_.size() > kKeep && end_ <= kInitial) {
    base::Memory smaller(kInitial);
    if (smaller) {
      std::memcpy(smaller.data(), memory_.data(), end_);
      memory_ = std::move(smaller);
    }
  }
  if (!memory_ && !broken_) memory_ = base::Memory(kInitial);
  return {memory_.data() + end_, memory_.size() - end_};
}

base::Memory MessageReader::release_message() {
  if (from_assembler_) {
    from_assembler_ = false;
    return std::move(assembled_);
  }
  const std::size_t rest = end_ - begin_;
  base::Memory fresh(std::max(kInitial, rest));
  broken_ = rest != 0 && !fresh;
  if (rest != 0 && fresh) std::memcpy(fresh.data(), memory_.data() + begin_, rest);
  memory_.swap(fresh);
  begin_ = 0;
  end_ = broken_ ? 0 : rest;
  return fresh;
}

void MessageReader::extract(Message& message, base::Memory& memory) {
  if (message.size <= kCopyLimit && !message.fragments) {
    if (memory.size() < kCopyLimit) memory = base::Memory(kCopyLimit);
    if (memory) {
      std::memcpy(memory.data(), message.data, message.size);
      message.data = memory.data();
      return;
    }
  }
  const std::size_t rest = end_ - begin_;
  if (from_assembler_ || rest > memory.size()) {
    memory = release_message();  // message.data stays where it is
    return;
  }
  // The reader goes on in the memory it is given, so two blocks take turns.
  if (rest != 0) std::memcpy(memory.data(), memory_.data() + begin_, rest);
  memory_.swap(memory);
  begin_ = 0;
  end_ = rest;
}

// What held the last message, which is not counted any more, does not outlive it for long.
void MessageReader::leave_assembled() {
  from_assembler_ = false;
  if (assembled_.size() > kKeep) assembled_ = {};
}

void MessageReader::trim() {
  const std::size_t have = end_ - begin_;
  if (have == 0 && !assembler_.pending()) {
    memory_ = base::Memory();
    begin_ = end_ = 0;
  } else if (memory_.size() > kInitial && wanted_ <= kInitial && have <= kInitial && splice_.size == 0) {
    base::Memory smaller(kInitial);  // many small messages came, and the beginning of one more
    if (smaller) {
      if (have != 0) std::memcpy(smaller.data(), memory_.data() + begin_, have);
      memory_ = std::move(smaller);
      begin_ = 0;
      end_ = have;
    }
  }
  assembled_ = {};
}

}  // namespace corbel::core
