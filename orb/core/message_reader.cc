#include "orb/core/message_reader.h"

#include <algorithm>
#include <cstring>

namespace corbel::core {

MessageReader::MessageReader(const Options& options, std::atomic<std::uint64_t>& pending_bytes)
    : options_(options),
      pending_bytes_(pending_bytes),
      assembler_(options.max_message_size, pending_bytes, options.max_pending_bytes) {}

MessageReader::~MessageReader() { count_pending(0); }

// Only what is beyond the reader's ordinary memory counts.
void MessageReader::count_pending(std::size_t bytes) {
  if (bytes <= kInitial) bytes = 0;
  if (bytes == counted_) return;
  pending_bytes_.fetch_add(bytes - counted_, std::memory_order_relaxed);
  counted_ = bytes;
}

MessageReader::Status MessageReader::next(Message& message) {
  for (;;) {
    const std::size_t available = end_ - begin_;
    if (available < giop::kHeaderSize) {
      wanted_ = 0;
      return Status::NeedMore;
    }
    giop::Header header;
    if (giop::parse(memory_.data() + begin_, header) != giop::ParseResult::Ok) return Status::Malformed;
    const std::size_t total = giop::kHeaderSize + static_cast<std::size_t>(header.size);
    if (total > options_.max_message_size) return Status::TooLarge;
    if (available < total) {
      wanted_ = total;
      return make_room(total) ? Status::NeedMore : Status::TooLarge;
    }
    wanted_ = 0;
    if (counted_ != 0) count_pending(0);
    // Everything below begin_ has been consumed, so an unaligned message can move down.
    const std::size_t shift = begin_ & 15;
    char* const data = memory_.data() + begin_ - shift;
    if (shift != 0) std::memmove(data, data + shift, total);
    begin_ += total;
    if (begin_ == end_) begin_ = end_ = 0;
    message = {header, data, total, nullptr};
    from_assembler_ = false;
    if (!header.more_fragments && header.type != giop::MessageType::Fragment) [[likely]] {
      if (header.type == giop::MessageType::CancelRequest) whole(header, message);
      return Status::Message;
    }
    const Status status = whole(header, message);
    if (status != Status::NeedMore) return status;
  }
}

// Feeds a fragment to the assembler. NeedMore: nothing is complete yet.
MessageReader::Status MessageReader::whole(const giop::Header& header, Message& message) {
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
}

bool MessageReader::make_room(std::size_t total) {
  if (pending_bytes_.load(std::memory_order_relaxed) + (end_ - begin_) > options_.max_pending_bytes)
    return false;
  if (begin_ + total <= memory_.size()) return true;
  const std::size_t have = end_ - begin_;
  if (total + kSlack <= memory_.size()) {
    std::memmove(memory_.data(), memory_.data() + begin_, have);
  } else {
    base::Memory larger(total + kSlack);
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
    const std::size_t missing = begin_ + wanted_ - end_;
    return {memory_.data() + end_, std::min(memory_.size() - end_, missing + kSlack)};
  }
  if (begin_ != 0) {  // less than a header: move it to the front
    std::memmove(memory_.data(), memory_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (memory_.size() > kKeep && end_ <= kInitial) {
    base::Memory smaller(kInitial);
    std::memcpy(smaller.data(), memory_.data(), end_);
    memory_ = std::move(smaller);
  }
  if (!memory_) memory_ = base::Memory(kInitial);
  return {memory_.data() + end_, memory_.size() - end_};
}

base::Memory MessageReader::release_message() {
  if (from_assembler_) {
    from_assembler_ = false;
    return std::move(assembled_);
  }
  const std::size_t rest = end_ - begin_;
  base::Memory fresh(std::max(kInitial, rest));
  if (rest != 0) std::memcpy(fresh.data(), memory_.data() + begin_, rest);
  std::swap(memory_, fresh);
  begin_ = 0;
  end_ = rest;
  return fresh;
}

void MessageReader::extract(Message& message, base::Memory& memory) {
  if (message.size <= kCopyLimit && !message.fragments) {
    if (memory.size() < kCopyLimit) memory = base::Memory(kCopyLimit);
    std::memcpy(memory.data(), message.data, message.size);
    message.data = memory.data();
    return;
  }
  const std::size_t rest = end_ - begin_;
  if (from_assembler_ || rest > memory.size()) {
    memory = release_message();  // message.data stays where it is
    return;
  }
  // The reader goes on in the memory it is given, so two blocks take turns.
  if (rest != 0) std::memcpy(memory.data(), memory_.data() + begin_, rest);
  std::swap(memory_, memory);
  begin_ = 0;
  end_ = rest;
}

void MessageReader::trim() {
  if (begin_ == end_ && !assembler_.pending()) {
    memory_ = base::Memory();
    begin_ = end_ = 0;
  }
  assembled_ = {};
}

}  // namespace corbel::core
