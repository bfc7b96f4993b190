// Compressed messages (ZIOP; CORBA 3.4 part 2, "GIOP Compression"): what the core asks of the library
// Corbel::ziop, which it does not know.
#pragma once

#include <sys/uio.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <corbel/transport/transport.h>

#include "orb/base/memory.h"
#include "orb/core/call_settings.h"
#include "orb/giop/message.h"
#include "orb/ior/policies.h"

namespace corbel::core {

// How one message is compressed.
struct Compressing {
  std::uint16_t compressor = 0;  // 0: not at all
  std::uint16_t level = 0;
  std::uint32_t low_value = 0;  // octets of a body below which it stays as it is
  float ratio = 1;              // of the compressed size to the other one; above it, too
  explicit operator bool() const { return compressor != 0; }
};

// One per ORB. Thread-safe. It never throws.
class Compression {
 public:
  virtual ~Compression() = default;

  // Whether compressed messages may come at all: something that was said to others allows it.
  virtual bool expected() const = 0;
  // Where a compressed message has the size of the body that it stands for: behind the compressor and
  // padding.
  static constexpr std::size_t kOriginal = giop::kHeaderSize + 4;
  // That size and the header's; 0 where the message is too short to say.
  static std::size_t claimed(const giop::Header& header, const char* message, std::size_t size) {
    if (size < kOriginal + sizeof(std::uint32_t)) return 0;
    return giop::kHeaderSize + std::size_t{cdr::load<std::uint32_t>(message + kOriginal, header.swap)};
  }
  enum class Expanded { Yes, Malformed, TooLarge };
  // Makes of a whole compressed message, whose header has been parsed, the message that it stands for, in
  // memory of its own. Nothing is allocated for more than `most` octets, header included, nor for more than
  // the message could hold.
  virtual Expanded expand(const giop::Header& header, const char* message, std::size_t size, std::size_t most,
                          base::Memory& memory, std::size_t& expanded) = 0;
  // The other way round, of a message in parts, the first of which has the header. False where it is to be
  // sent as it is.
  virtual bool compress(const Compressing& how, const iovec* parts, int count, base::Memory& memory,
                        std::size_t& size) = 0;

  // What a client's request may do, from its own settings and the policies in the reference (octets of
  // TAG_POLICIES). `context` is what tells the server how to reply (INVOCATION_POLICIES), empty where nothing
  // may be compressed.
  virtual Compressing for_request(const CallSettings& own, const std::string& theirs,
                                  std::string& context) = 0;
  // What a server's reply may do, from its own settings and the client's context.
  virtual Compressing for_reply(const CallSettings& own, const char* context, std::size_t size) = 0;
  // Adds what references say of a server with these settings.
  virtual void expose(const CallSettings& own, std::vector<ior::PolicyValue>& policies) = 0;
};

struct CompressionLibrary {
  const transport::TransportOption* options;  // the last one's name is null
  // Adds what is so without policies to an ORB's settings. Null if the options are wrong; `why` says what to
  // do.
  std::unique_ptr<Compression> (*make)(const transport::TransportSettings& given, CallSettings& defaults,
                                       std::string& why);
};
// Of the process: null as long as nobody has asked for it.
extern std::atomic<const CompressionLibrary*> compression_library;

// Null where there is no such library, and with an error where its options are wrong.
std::unique_ptr<Compression> make_compression(const transport::TransportSettings& given,
                                              CallSettings& defaults, SystemError& error);
// The library's part of a call; only where something is set.
struct CompressedCall {
  CallSettings settings;
  Compressing how;
  std::string context;  // goes with the request
  base::Memory message;
};

}  // namespace corbel::core
