// Routes on which nobody answered lately: they are tried behind others, so that each of many calls does not
// wait for them anew.
#pragma once

#include <vector>

#include "orb/base/mutex.h"
#include "orb/core/transports.h"

namespace corbel::core {

// Thread-safe.
class SilentRoutes {
 public:
  // What became of an attempt to connect.
  void note(const Route& route, bool silent);
  bool has(const Route& route);

 private:
  struct Entry {
    Route route;
    base::Deadline until;
  };
  base::Mutex mutex_;
  std::vector<Entry> entries_;  // few
};

}  // namespace corbel::core
