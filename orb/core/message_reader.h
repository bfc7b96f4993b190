// Cuts the bytes of a connection into GIOP messages. Small ones, and those that come alone, stand at a
// 16-byte aligned address.
#pragma once

#include <atomic>
#include <cstdint>

#include "orb/base/memory.h"
#include "orb/core/compression.h"
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

  // Octets of a message that is moved to be aligned.
  static constexpr std::size_t kMoveLimit = 1024;
  // Read beyond a large message: the next header.
  static constexpr std::size_t kSlack = 4096;
  // Octets of the memory that a connection has at first.
  static constexpr std::size_t kInitial = 16 * 1024;

  enum class Status {
    Message,    // `message` is set
    NeedMore,   // read into space(), then commit()
    Malformed,  // not GIOP: answer MessageError and close
    TooLarge    // over a limit: close
  };
  Status next(Message& message);
  // From now on messages may be compressed. Any thread.
  void expect_compressed(Compression* compression) {
    compression_.store(compression, std::memory_order_relaxed);
  }
  // Of the replies that come in pieces only those are kept that somebody waits for (giop::Assembler).
  void keep_only(giop::Assembler::Awaited awaited, void* by) { assembler_.keep_only(awaited, by); }
  void drop_abandoned() { assembler_.drop_abandoned(); }
  // As next() where all that is buffered is one whole message that begins with these eight octets, the common
  // case of a reply, in the other byte order if `Swap`; otherwise false, and nothing has happened.
  template <bool Swap = false>
  bool next_is_all(const char* begins_with, Message& message) {
    if (begin_ != 0 || end_ < giop::kHeaderSize || wanted_ != 0 ||
        std::memcmp(memory_.data(), begins_with, 8) != 0)
      return false;
    const auto size = cdr::load<std::uint32_t>(memory_.data() + 8, Swap);
    if (giop::kHeaderSize + std::uint64_t{size} != end_ || end_ > options_.max_message_size) return false;
    message = {{{static_cast<std::uint8_t>(begins_with[4]), static_cast<std::uint8_t>(begins_with[5])},
                Swap,
                false,
                static_cast<giop::MessageType>(begins_with[7]),
                size},
               memory_.data(),
               end_,
               nullptr};
    end_ = 0;
    if (from_assembler_) [[unlikely]]
      leave_assembled();
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
  bool mid_assembly() const { return assembler_.pending(); }
  // When the first of the messages began that are here in part; 0 if there is none that others may overtake.
  base::Deadline pending_since() const { return assembler_.pending() ? assembler_.pending_since() : 0; }
  // Some fragments of a message of that id are here, behind which others have come.
  bool has_begun(std::uint32_t request_id) const { return assembler_.pending(request_id); }
  // The rest of a large message is under way, or was when this was asked last.
  bool mid_large_message() const { return wanted_ > kInitial; }
  // Octets of what has not been handed out.
  std::size_t buffered() const { return end_ - begin_; }
  // There are bytes beyond the present message.
  bool more_buffered() const { return end_ != begin_; }

  // Hands out the memory that holds the present message; the bytes behind it move to new memory. Where there
  // is none they are lost, and the connection has to end: there is no space() from then on.
  base::Memory release_message();
  bool broken() const { return broken_; }
  // Whether half of the memory that holds the present message is that message's.
  bool is_mostly(const Message& message) const {
    return (from_assembler_ ? assembled_ : memory_).size() / 2 <= message.size;
  }
  // Gives away the memory of the message that next_is_all() has found, in exchange for `memory`.
  void extract_all(base::Memory& memory) {
    if (memory.size() < kInitial) [[unlikely]]
      memory = base::Memory(kInitial);
    memory_.swap(memory);
  }
  // Reads into `memory` from now on, which held the last message and is warm, unless something is here
  // already.
  void read_into(base::Memory& memory) {
    if (end_ == 0 && wanted_ == 0) memory_.swap(memory);
  }
  // Copies a small message to `memory`, or gives the whole memory away for a large one; `message` follows.
  void extract(Message& message, base::Memory& memory);
  // The connection is idle: keeps no memory, or little where a small message has begun.
  [[gnu::noinline]] void trim();
  // The connection has ended: keeps nothing, be it that others still hold the connection. There is no space()
  // from then on.
  void let_go();

 private:
  static constexpr std::size_t kCopyLimit = 4096;  // up to this a copy is cheaper than new memory
  static constexpr std::size_t kKeep = 1536 * 1024;
  static constexpr std::size_t kBurst = 128 * 1024;  // read at once of messages that follow each other

  bool make_room(std::size_t total);
  // Of a fragmented message that is put together where it arrives.
  bool begin_splice(const giop::Header& header, std::size_t total);
  Status splice(Message& message);
  [[gnu::cold]] Status end_splice();
  Status want(std::size_t size);
  Space make_space();
  void count_pending(std::size_t bytes);
  [[gnu::cold]] Status whole(const giop::Header& header, Message& message);
  [[gnu::cold]] bool parse_compressed(const char* at, giop::Header& header) const;
  [[gnu::cold]] Status expand(Message& message);

  const Options& options_;
  std::atomic<std::uint64_t>& pending_bytes_;
  base::Memory memory_;
  std::size_t begin_ = 0;  // first byte not yet handed out
  std::size_t end_ = 0;
  std::size_t wanted_ = 0;   // size of the incomplete message at begin_, 0 if its header is not here yet
  std::size_t counted_ = 0;  // of this reader in pending_bytes_
  // Fragments of 1.2 that follow each other are put together in the reader's memory, whose octets from begin_
  // on are the message so far: only the headers between them go. What is mixed goes to the assembler. What is
  // buffered behind the message stays where it is until more is to be read: moved for each fragment, many
  // small ones would cost the square of their number.
  struct Splice {
    giop::Header header;   // of the message's first part
    std::size_t size = 0;  // octets of the message so far; 0 = no such message
    std::size_t end = 0;   // when the present fragment is complete
    std::size_t gap = 0;   // octets between the message so far and what follows it
    bool more = false;     // it is not the last one
  };
  Splice splice_;
  std::size_t last_spliced_ = 0;  // octets of the last message that was put together so
  giop::Assembler assembler_;
  void leave_assembled();
  base::Memory assembled_;  // keeps a reassembled or expanded message until the next one
  bool from_assembler_ = false;
  bool broken_ = false;
  std::atomic<Compression*> compression_{nullptr};  // null: nothing may be compressed
};

}  // namespace corbel::core
