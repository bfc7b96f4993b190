#include "orb/core/compression.h"

#include "orb/base/detail.h"

namespace corbel::core {

constinit std::atomic<const CompressionLibrary*> compression_library{nullptr};

std::unique_ptr<Compression> make_compression(const transport::TransportSettings& given,
                                              CallSettings& defaults, SystemError& error) {
  const CompressionLibrary* const library = compression_library.load(std::memory_order_acquire);
  if (!library) return nullptr;
  std::string why;
  std::unique_ptr<Compression> made = library->make(given, defaults, why);
  if (!made) error = {SystemErrorId::INITIALIZE, Completion::No, 0, base::keep_detail("compression: " + why)};
  return made;
}

}  // namespace corbel::core
