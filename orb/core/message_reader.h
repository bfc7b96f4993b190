// Cuts the bytes of a connection into GIOP messages, each at a 16-byte aligned address.
#pragma once

#include <atomic>
#include <cstdint>

#include "orb/base/memory.h"
#include "orb/core/options.h"
#include "orb/giop/fragments.h"
#include "orb/giop/message.h"

namespace corbel::core {

// A whole message in the reader's memory; valid until the next call of next() or release().
struct Message {
  giop::Header header;
  char* data;                       // the 12 octets of the header first
  std::size_t size;                 // header included
  const cdr::Fragments* fragments;  // of a reassembled message whose alignment depends on them, else null

  // Stands behind the message header.
  cdr::Decoder decoder() const {
    cdr::Decoder in(data, data + giop::kHeaderSize, data + size, header.swap);
    if (fragments) [[unlikely]]
      in.set_fragments(*fragments);
    return in;
  }
};

// Used by whoever has the connection's reading role.
//
// Memory for a message is address space reserved when its header has arrived, and touched as bytes arrive;
// what incomplete messages hold counts against one bound per ORB, so that many lying headers cannot exhaust
// memory.
class MessageReader {
 public:
  MessageReader(const Options& options, std::atomic<std::uint64_t>& pending_bytes);
  ~MessageReader();

  enum class Status {
    Message,    // `message` is set
    NeedMore,   // read into space(), then commit()
    Malformed,  // not GIOP: answer MessageError and close
    TooLarge    // over a limit: close
  };
  Status next(Message& message);
  // As next() where all that is buffered is one whole message that begins with these eight octets, the common
  // case of a reply; otherwise false, and nothing has happened.
  bool next_is_all(const char* begins_with, Message& message) {
    if (begin_ != 0 || end_ < giop::kHeaderSize || wanted_ != 0 ||
        std::memcmp(memory_.data(), begins_with, 8) != 0)
      return false;
    const auto size = cdr::load<std::uint32_t>(memory_.data() + 8, false);
    if (giop::kHeaderSize + std::uint64_t{size} != end_ || end_ > options_.max_message_size) return false;
    message = {{{static_cast<std::uint8_t>(begins_with[4]), static_cast<std::uint8_t>(begins_with[5])},
                false,
                false,
                static_cast<giop::MessageType>(begins_with[7]),
                size},
               memory_.data(),
               end_,
               nullptr};
    end_ = 0;
    from_assembler_ = false;
    return true;
  }

  struct Space {
    char* at;
    std::size_t size;
  };
  Space space() {
    if (begin_ == 0 && wanted_ == 0 && memory_.size() - 1 < kKeep) [[likely]]
      return {memory_.data() + end_, memory_.size() - end_};
    return make_space();
  }
  void commit(std::size_t bytes) {
    end_ += bytes;
    if (wanted_ > kInitial) [[unlikely]]
      count_pending(end_ - begin_);
  }

  // Some bytes of an incomplete message are here.
  bool mid_message() const { return end_ != begin_ || assembler_.pending(); }
  // The rest of a large message is under way, or was when this was asked last.
  bool mid_large_message() const { return wanted_ > kInitial; }
  // There are bytes beyond the present message.
  bool more_buffered() const { return end_ != begin_; }

  // Hands out the memory that holds the present message; the bytes behind it move to new memory.
  base::Memory release_message();
  // Copies a small message to `memory`, or gives the whole memory away for a large one; `message` follows.
  void extract(Message& message, base::Memory& memory);
  // The connection is idle: keeps no memory.
  void trim();

 private:
  static constexpr std::size_t kInitial = 16 * 1024;
  static constexpr std::size_t kSlack = 4096;      // read beyond a large message: the next header
  static constexpr std::size_t kCopyLimit = 4096;  // up to this a copy is cheaper than new memory
  static constexpr std::size_t kKeep = 1024 * 1024;

  bool make_room(std::size_t total);
  Space make_space();
  void count_pending(std::size_t bytes);
  Status whole(const giop::Header& header, Message& message);

  const Options& options_;
  std::atomic<std::uint64_t>& pending_bytes_;
  base::Memory memory_;
  std::size_t begin_ = 0;  // first byte not yet handed out
  std::size_t end_ = 0;
  std::size_t wanted_ = 0;   // size of the incomplete message at begin_, 0 if its header is not here yet
  std::size_t counted_ = 0;  // of this reader in pending_bytes_
  giop::Assembler assembler_;
  base::Memory assembled_;  // keeps a reassembled message until the next one
  bool from_assembler_ = false;
};

}  // namespace corbel::core
