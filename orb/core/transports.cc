#include "orb/core/transports.h"

#include <algorithm>
#include <cstring>

#include "orb/base/detail.h"
#include "orb/giop/bidirectional.h"
#include "orb/ior/assigned.h"
#include "orb/transport/registry.h"
#include "orb/transport/tcp.h"

namespace corbel::core {
namespace {

ior::IiopProfile make_profile(std::uint8_t minor, const std::string& host, std::uint16_t port,
                              const std::string& key) {
  ior::IiopProfile profile;
  profile.minor = minor;
  profile.address.host = host;
  profile.address.port = port;
  profile.object_key = key;
  return profile;
}

bool is_tcp(const transport::Transport& t) { return std::strcmp(t.name(), transport::kTcp.name) == 0; }

}  // namespace

Transports::Transports(const Options& options)
    : components_(ior::standard_components(giop::code_set_component(options.code_sets))) {
  const auto kinds = transport::transport_kinds();
  const auto add = [&](const transport::TransportKind* kind) {
    std::string why;
    auto made = kind->make(options.library_settings, why);
    if (!made) {
      error_ = {SystemErrorId::INITIALIZE, Completion::No, 0,
                base::keep_detail(std::string("transport ") + kind->name + ": " + why)};
      return;
    }
    if (kind->by_default) by_default_.emplace_back(kind->name);
    all_.push_back(std::move(made));
  };
  // An application's own goes before those that everybody has.
  for (const transport::TransportKind* kind : kinds)
    if (!options.transports_given &&
        std::count(options.transports.begin(), options.transports.end(), kind->name) == 0)
      add(kind);
  for (const std::string& name : options.transports)
    for (const transport::TransportKind* kind : kinds)
      if (name == kind->name && !find(name)) add(kind);
}

transport::Transport* Transports::find(const std::string& name) const {
  for (const auto& t : all_)
    if (name == t->name()) return t.get();
  return nullptr;
}

void Transports::append(const transport::Transport& t, const ior::IiopProfile& profile,
                        std::vector<Route>& routes) const {
  auto* const transport = const_cast<transport::Transport*>(&t);
  if (is_tcp(t)) {
    for (const ior::Address& a : ior::addresses(profile))
      if (a.port != 0) routes.push_back({transport, transport::host_and_port(a.host, a.port)});
    return;
  }
  for (const ior::TaggedComponent& c : profile.components) {
    // Each may repeat the host.
    if (routes.size() >= kMostRoutes || profile.address.host.size() > giop::kLongestHost) return;
    Route route{transport, {}};
    std::string name;
    const bool found =
        t.component_tag() != 0
            ? c.tag == t.component_tag() && t.decode(c.data, profile.address.host, route.address)
            : c.tag == assigned::kComponentEndpoint && ior::decode_endpoint(c, name, route.address) &&
                  name == t.name();
    if (found) routes.push_back(std::move(route));
  }
}

std::vector<Route> Transports::routes(const ior::IiopProfile& profile, const char*& why) const {
  bool demands_protection =
      profile.address.port == 0 &&
      std::any_of(profile.components.begin(), profile.components.end(),
                  [](const ior::TaggedComponent& c) { return c.tag == assigned::kComponentSslSecTrans; });
  for (const auto& t : all_)
    for (const ior::TaggedComponent& c : profile.components)
      if (t->protects() && c.tag == t->component_tag()) demands_protection |= t->demands_protection(c.data);
  std::vector<Route> routes;
  for (const auto& t : all_)
    if (!demands_protection || t->protects()) append(*t, profile, routes);
  const bool known = !routes.empty();
  std::erase_if(routes, [](const Route& r) { return !r.transport->reachable(r.address); });
  why = known ? "the object can be reached on its own host, or by its own user, only"
        : demands_protection
            ? "the object is reached by TLS only: link Corbel::tls, call corbel::tls::use() "
              "before ORB_init, and leave ssl in -ORBtransports"
            : "the reference names no transport that this program has; ssl needs Corbel::tls and "
              "corbel::tls::use(), shm needs Corbel::shm";
  return routes;
}

std::vector<ior::TaggedProfile> Transports::profiles(const std::vector<Route>& routes,
                                                     const std::string& object_key, std::uint8_t minor,
                                                     const std::vector<ior::PolicyValue>& policies) const {
  std::vector<ior::IiopProfile> profiles;
  std::vector<ior::TaggedComponent> others;
  for (const Route& route : routes) {
    transport::HostAndPorts at;
    if (is_tcp(*route.transport) && transport::parse_host_and_ports(route.address, at))
      profiles.push_back(make_profile(minor, at.host, at.first, object_key));
  }
  for (const Route& route : routes) {
    if (is_tcp(*route.transport)) continue;
    const std::uint32_t tag = route.transport->component_tag();
    if (tag == 0) {
      others.push_back(ior::encode_endpoint(route.transport->name(), route.address));
      continue;
    }
    // A component of others' may say no more than a port of the profile's host.
    transport::HostAndPorts at;
    if (!transport::parse_host_and_ports(route.address, at)) continue;
    auto profile = std::find_if(profiles.begin(), profiles.end(), [&](const ior::IiopProfile& p) {
      return p.minor != 0 && p.address.host == at.host &&
             std::none_of(p.components.begin(), p.components.end(),
                          [&](const ior::TaggedComponent& c) { return c.tag == tag; });
    });
    if (profile == profiles.end())  // IIOP 1.0 has no components
      profile = profiles.insert(profiles.end(),
                                make_profile(std::max<std::uint8_t>(minor, 1), at.host, 0, object_key));
    profile->components.push_back({tag, route.transport->encode(route.address, profile->address.port != 0)});
  }
  if (profiles.empty() && !others.empty()) {
    minor = std::max<std::uint8_t>(minor, 1);  // IIOP 1.0 has no components
    profiles.push_back(make_profile(minor, "", 0, object_key));
  }
  // From IIOP 1.2 on further addresses stand in the first profile: omniORB's clients look at no other.
  for (std::size_t i = 1; minor >= 2 && i < profiles.size();) {
    const ior::IiopProfile& p = profiles[i];
    if (profiles[0].address.port == 0 || p.address.port == 0 || !p.components.empty()) {
      ++i;
      continue;
    }
    profiles[0].components.push_back(ior::encode_alternate_address(p.address));
    profiles.erase(profiles.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::vector<ior::TaggedProfile> tagged;
  std::vector<ior::TaggedComponent> common = components_;
  if (!policies.empty()) common.push_back({assigned::kComponentPolicies, ior::encode_policies(policies)});
  for (ior::IiopProfile& profile : profiles) {
    if (profile.minor == 0) profile.components.clear();
    else profile.components.insert(profile.components.end(), common.begin(), common.end());
    if (profile.minor != 0 && tagged.empty())
      profile.components.insert(profile.components.end(), others.begin(), others.end());
    tagged.push_back(ior::encode_iiop(profile));
  }
  return tagged;
}

}  // namespace corbel::core
