// The transports of an ORB: what was registered, in order of preference, and how references lead to them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <corbel/base/error.h>
#include <corbel/transport/transport.h>

#include "orb/core/options.h"
#include "orb/ior/ior.h"
#include "orb/ior/policies.h"

namespace corbel::core {

// One way to a peer, or one place where this ORB can be reached.
struct Route {
  transport::Transport* transport = nullptr;
  std::string address;
  bool operator==(const Route&) const = default;
};

// Immutable once made.
class Transports {
 public:
  // Of a reference in one call: a hostile one could name any number.
  static constexpr int kMostRoutes = 256;
  // Makes a transport of each registered kind that the options allow; INITIALIZE or BAD_PARAM in error().
  explicit Transports(const Options& options);
  const SystemError& error() const { return error_; }

  // Null if there is none of that name.
  transport::Transport* find(const std::string& name) const;
  // Names of transports where servers listen without having been told to.
  const std::vector<std::string>& by_default() const { return by_default_; }

  // Where a profile's object can be reached from here, best first. Where it is empty, `why` tells the reason.
  std::vector<Route> routes(const ior::IiopProfile& profile, const char*& why) const;
  // Profiles that tell others these routes, and policies that callers should know.
  std::vector<ior::TaggedProfile> profiles(const std::vector<Route>& routes, const std::string& object_key,
                                           std::uint8_t minor,
                                           const std::vector<ior::PolicyValue>& policies) const;

 private:
  void append(const transport::Transport& transport, const ior::IiopProfile& profile,
              std::vector<Route>& routes) const;

  std::vector<std::unique_ptr<transport::Transport>> all_;
  std::vector<std::string> by_default_;
  std::vector<ior::TaggedComponent> components_;  // of every profile
  SystemError error_;
};

}  // namespace corbel::core
