// What a client says about compressed replies once for all of its requests on a connection, as omniORB does.
#pragma once

#include <cstdint>
#include <string>

#include "orb/core/server_request.h"

namespace corbel::core {

// It is known by its order: CompressionEnablingPolicy comes first, with Corbel and TAO the compressors. These
// say it in each request that is meant, and so does whoever says it twice: nothing stands from then on. Of
// whoever reads the connection, who tells of each request of GIOP 1.2 that has contexts, or comes while an
// offer stands.
class StandingOffer {
 public:
  std::uint32_t stands() const { return stands_; }
  // Before the request is dispatched.
  void apply(ServerRequest& request);

 private:
  // A list of compressors takes less; a client must not have more kept.
  static constexpr std::uint32_t kMost = 1024;
  std::uint32_t stands_ = 0;
  bool said_ = false;
  std::string offer_;  // written once: requests that run refer to it
};

}  // namespace corbel::core
