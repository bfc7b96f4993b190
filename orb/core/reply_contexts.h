// Replies out of the ordinary: those with service contexts, and those that may be compressed.
#pragma once

#include <sys/uio.h>

#include <string>
#include <vector>

#include "orb/base/memory.h"
#include "orb/core/server_request.h"

namespace corbel::core {

// The message of a reply that has been started, in parts, none of which is the request's to change any more.
class SpecialReply {
 public:
  // `parts` are those of the reply with its ordinary header, which is complete.
  SpecialReply(ServerRequest& request, const iovec* parts, int count);
  const iovec* parts() const { return parts_.data(); }
  int count() const { return static_cast<int>(parts_.size()); }

 private:
  std::vector<iovec> parts_;
  std::string header_;
  base::Memory compressed_;
};

}  // namespace corbel::core
