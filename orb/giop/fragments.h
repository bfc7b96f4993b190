// Reassembly of fragmented messages (CORBA 3.4 part 2, "Fragment Message").
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <corbel/base/deadline.h>
#include <corbel/cdr/decoder.h>

#include "orb/base/memory.h"
#include "orb/giop/message.h"

namespace corbel::giop {

// The header of a Fragment of 1.2: the message's own, and the request id.
inline constexpr std::size_t kFragmentHeaderSize = kHeaderSize + 4;

// Messages have the time that the options give them once for each so many octets that have arrived or left:
// so large ones may take long, and those who say or read little at a time may not.
inline constexpr std::size_t kLeastProgress = 128 * 1024;

// Whether such a message may be the first of several parts: Request and Reply from 1.1 on, the locate
// messages from 1.2 on.
bool may_be_fragmented(const Header& header);
// Makes the header of a message's first part, which is `first`, that of the whole of `size` octets.
void write_whole(char* message, const Header& first, std::size_t size);

// One per connection and direction. GIOP 1.1 fragments carry no request id and come strictly one message at a
// time; those of 1.2 are interleaved by request id. Not thread-safe.
class Assembler {
 public:
  // Messages in pieces at once, but for replies that nobody waits for: stops a peer that begins many and ends
  // none.
  static constexpr std::size_t kMostPending = 64;

  Assembler(std::uint64_t max_size, std::atomic<std::uint64_t>& pending_bytes,
            std::uint64_t max_pending_bytes)
      : max_size_(max_size), pending_bytes_(pending_bytes), max_pending_bytes_(max_pending_bytes) {}
  ~Assembler();
  Assembler(const Assembler&) = delete;
  Assembler& operator=(const Assembler&) = delete;

  // From now on parts of replies that nobody waits for go when something else comes; where it is of 1.1, when
  // another message in pieces does.
  using Awaited = bool (*)(void* by, std::uint32_t request_id);
  void keep_only(Awaited awaited, void* by) {
    awaited_ = awaited;
    by_ = by;
  }

  enum class Result {
    PassThrough,  // nothing to do with fragments: use it as it is
    Pending,      // kept; more is to come
    Complete,     // `whole` is the message, 16-byte aligned, its header that of an unfragmented one
    TooLarge,
    ProtocolError
  };
  // Takes a message that is or begins a fragmented one, or a CancelRequest, which drops what it cancels.
  // `fragments` is set, and stands behind the message in the same memory, where alignment depends on them
  // (1.1).
  Result add(const Header& header, const char* message, std::size_t size, base::Memory& whole,
             std::size_t& whole_size, const cdr::Fragments*& fragments);

  // Of 1.1 only where `another` message in pieces begins: nothing of the kind may come between its own, so no
  // more of them do.
  void drop_abandoned(bool another = false);

  void clear();

  bool pending() const { return !parts_.empty(); }
  // A Request or Reply of that id is among them, as far as can be told yet.
  bool pending(std::uint32_t request_id) const;
  // Since when one of those that are pending has made less than kLeastProgress, the first such time.
  base::Deadline pending_since() const;

 private:
  struct Part {
    base::Memory memory;
    std::size_t size = 0;
    Header header;
    base::Deadline since = 0;  // when it was as large as `since_size`
    std::size_t since_size = 0;
    std::vector<std::uint32_t> starts;  // of the fragments behind the first, in 1.1
    // Of 1.1: the request id once it has been read; else how large this was when it was looked for in vain.
    mutable std::optional<std::uint32_t> request_id;
    mutable std::size_t looked_at = 0;
  };
  // Octets that count as pending.
  static std::size_t held(const Part& part) { return part.size + part.starts.size() * sizeof(std::uint32_t); }
  static bool has_request_id(const Part& part, std::uint32_t& request_id);
  bool append(Part& part, const char* data, std::size_t size);
  void drop(std::map<std::uint32_t, Part>::iterator part);
  bool add_table(Part& part, const cdr::Fragments*& fragments);

  const std::uint64_t max_size_;
  std::atomic<std::uint64_t>& pending_bytes_;
  const std::uint64_t max_pending_bytes_;
  Awaited awaited_ = nullptr;
  void* by_ = nullptr;
  std::map<std::uint32_t, Part> parts_;  // by request id; those of 1.1 under 0
};

}  // namespace corbel::giop
