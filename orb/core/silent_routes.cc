#include "orb/core/silent_routes.h"

#include <algorithm>
#include <mutex>

namespace corbel::core {
namespace {
constexpr std::int64_t kRemembered = 30'000'000'000;  // nanoseconds
constexpr std::size_t kMost = 64;                     // the oldest goes first
}  // namespace

void SilentRoutes::note(const Route& route, bool silent) {
  std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& e) { return e.route == route; });
  if (!silent) return;
  if (entries_.size() == kMost) entries_.erase(entries_.begin());
  entries_.push_back({route, base::now() + kRemembered});
}

bool SilentRoutes::has(const Route& route) {
  std::lock_guard lock(mutex_);
  if (entries_.empty()) return false;
  const base::Deadline now = base::now();
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& e) { return e.until > now && e.route == route; });
}

}  // namespace corbel::core
