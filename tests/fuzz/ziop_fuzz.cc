// Feeds arbitrary bytes, as they come over a connection, to a reader that takes compressed messages, in
// pieces of two sizes, which must come to the same; and to whatever reads offers.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "orb/core/message_reader.h"
#include "orb/ziop/compression.h"

namespace {

using namespace corbel;

constexpr std::size_t kMost = 1 << 20;

void require(bool condition) {
  if (!condition) std::abort();
}

ziop::OrbCompression& compression() {
  static auto* const one = [] {
    auto* const made = new ziop::OrbCompression(ziop::Settings{true, {{ziop::kZstd, 3}, {4, 6}}});
    core::CallSettings on;
    on.put(core::CallSetting::Compression, 1);
    std::vector<ior::PolicyValue> policies;
    made->expose(on, policies);  // from now on messages may come
    return made;
  }();
  return *one;
}

std::vector<std::string> read(const char* data, std::size_t size, std::size_t step) {
  std::vector<std::string> messages;
  core::Options options;
  options.max_message_size = kMost;
  std::atomic<std::uint64_t> pending{0};
  {
    core::MessageReader reader(options, pending);
    reader.expect_compressed(&compression());
    for (std::size_t at = 0; at < size;) {
      const auto space = reader.space();
      require(space.at && space.size != 0);
      const std::size_t bytes = std::min({space.size, step, size - at});
      std::memcpy(space.at, data + at, bytes);
      reader.commit(bytes);
      at += bytes;
      core::Message message;
      for (;;) {
        const auto status = reader.next(message);
        if (status == core::MessageReader::Status::NeedMore) break;
        if (status != core::MessageReader::Status::Message) return messages;
        require((reinterpret_cast<std::uintptr_t>(message.data) & 15) == 0);
        require(giop::kHeaderSize + message.header.size == message.size && message.size <= kMost);
        require(std::memcmp(message.data, "GIOP", 4) == 0 && !message.header.more_fragments);
        messages.emplace_back(message.data, message.size);
      }
    }
  }
  require(pending == 0);
  return messages;
}

// What is expanded can be compressed, and is the same then.
void there_and_back(const std::string& message) {
  for (const std::uint16_t id : {std::uint16_t{1}, std::uint16_t{4}, ziop::kZstd}) {
    const iovec part{const_cast<char*>(message.data()), message.size()};
    base::Memory memory;
    std::size_t size;
    if (!compression().compress({id, 1, 0, 1}, &part, 1, memory, size)) continue;
    require(size < message.size());
    const std::vector<std::string> back = read(memory.data(), size, size);
    require(back.size() == 1 && back[0].substr(12) == message.substr(12));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* const octets = reinterpret_cast<const char*>(data);
  const std::vector<std::string> messages = read(octets, size, 7);
  require(messages == read(octets, size, size));
  // In host order, so that what is written is, too.
  for (const std::string& m : messages)
    if (m.size() < 4096 && m[6] == cdr::kHostIsLittleEndian && m[7] != 2) there_and_back(m);
  const ziop::Offer offer = ziop::get_offer(octets, size);
  std::string context;
  core::CallSettings on;
  on.put(core::CallSetting::Compression, 1);
  const core::Compressing how = compression().for_request(on, {octets, size}, context);
  require(!how || (offer.enabled && !offer.compressors.empty() && !context.empty()));
  require(!compression().for_reply(on, octets, size) == !how);
  return 0;
}
