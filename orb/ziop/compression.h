// What an ORB knows of compressed messages.
#pragma once

#include <corbel/ziop.h>

#include <map>

#include "orb/core/compression.h"
#include "orb/ziop/codec.h"
#include "orb/ziop/lists.h"

namespace corbel::ziop {

// What is so where no policy says anything.
struct Settings {
  bool enabled = false;
  CompressorList compressors;
  std::uint32_t low_value = 1024;
  float ratio = 1;
  std::uint16_t zstd = kZstd;
};
extern const transport::TransportOption kOptions[];
// False if an option is wrong; `why` tells what to do.
bool read_settings(const transport::TransportSettings& given, Settings& settings, std::string& why);

// Every ORB that is made afterwards has it. Any thread, any number of times.
void register_library();

class OrbCompression final : public core::Compression {
 public:
  explicit OrbCompression(Settings settings);

  // ---- compressors of the program's own, in place of those with the same id
  std::shared_ptr<Codec> find(std::uint16_t id);
  // False if there is one already.
  bool add(std::uint16_t id, std::shared_ptr<Codec> codec);
  bool remove(std::uint16_t id);
  std::vector<std::uint16_t> ids();

  bool expected() const override { return expected_.load(std::memory_order_relaxed); }
  Expanded expand(const giop::Header& header, const char* message, std::size_t size, std::size_t most,
                  base::Memory& memory, std::size_t& expanded) override;
  bool compress(const core::Compressing& how, const iovec* parts, int count, base::Memory& memory,
                std::size_t& size) override;
  core::Compressing for_request(const core::CallSettings& own, const std::string& theirs,
                                std::string& context) override;
  core::Compressing for_reply(const core::CallSettings& own, const char* context, std::size_t size) override;
  void expose(const core::CallSettings& own, std::vector<ior::PolicyValue>& policies) override;

 private:
  CompressorList compressors(const core::CallSettings& own) const;
  core::Compressing choose(const core::CallSettings& own, const CompressorList& ours, const Offer& theirs);

  const Settings settings_;
  std::atomic<bool> expected_{false};
  base::Mutex mutex_;
  std::map<std::uint16_t, std::shared_ptr<Codec>> codecs_;
};

}  // namespace corbel::ziop
