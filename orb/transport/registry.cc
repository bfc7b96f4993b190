#include "orb/transport/registry.h"

#include <cstring>
#include <mutex>

#include "orb/base/mutex.h"
#include "orb/transport/tcp.h"
#include "orb/transport/unix.h"

namespace corbel::transport {

// Null where it is not linked: see shm.h, which must not be included here.
extern const TransportKind kShm [[gnu::weak]];

namespace {

struct Registry {
  base::Mutex mutex;
  std::vector<const TransportKind*> kinds{&kTcp, &kUnix};
  Registry() {
    if (&kShm) kinds.push_back(&kShm);
  }
};

Registry& registry() {
  static auto* const instance = new Registry;
  return *instance;
}

}  // namespace

void register_transport(const TransportKind& kind) {
  Registry& r = registry();
  std::lock_guard lock(r.mutex);
  for (const TransportKind* k : r.kinds)
    if (std::strcmp(k->name, kind.name) == 0) return;
  r.kinds.push_back(&kind);
}

std::vector<const TransportKind*> transport_kinds() {
  Registry& r = registry();
  std::lock_guard lock(r.mutex);
  return r.kinds;
}

}  // namespace corbel::transport
