#include "orb/core/callback_routes.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "orb/base/ascii.h"
#include "orb/core/client_connection.h"

namespace corbel::core {
namespace {
std::string text(const ior::Address& address) { return address.host + '\n' + base::decimal(address.port); }
}  // namespace

std::size_t CallbackRoutes::add(const std::vector<ior::Address>& addresses,
                                const base::Ref<ClientConnection>& connection, std::size_t most) {
  std::lock_guard lock(mutex_);
  std::vector<Routes::iterator>& claims = claims_[connection.get()];
  claims.reserve(claims.size() + std::min(addresses.size(), most));  // each route has its claim, or is none
  std::size_t added = 0;
  for (const ior::Address& address : addresses) {
    if (added == most) break;
    std::string at = text(address);
    if (std::any_of(claims.begin(), claims.end(), [&](const auto& claim) { return claim->first == at; }))
      continue;
    claims.push_back(routes_.emplace(std::move(at), connection));
    ++added;
  }
  size_.store(routes_.size(), std::memory_order_release);
  return added;
}

void CallbackRoutes::remove(const ClientConnection& connection) {
  std::lock_guard lock(mutex_);
  const auto claims = claims_.find(&connection);
  if (claims == claims_.end()) return;
  for (const Routes::iterator claim : claims->second) routes_.erase(claim);
  claims_.erase(claims);
  size_.store(routes_.size(), std::memory_order_release);
}

base::Ref<ClientConnection> CallbackRoutes::find(const std::vector<ior::Address>& addresses) {
  std::lock_guard lock(mutex_);
  for (const ior::Address& address : addresses) {
    const auto [first, last] = routes_.equal_range(text(address));
    for (auto i = first; i != last; ++i)
      if (i->second->usable()) return i->second;
  }
  return nullptr;
}

}  // namespace corbel::core
