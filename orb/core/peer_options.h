// Options of omniORB and TAO that are taken so that command lines written for them go on working, and have no
// effect here.
#pragma once

#include <optional>
#include <string_view>

namespace corbel::core {

struct PeerOption {
  std::string_view name;  // without "-ORB"
  int words;              // that follow it
  // The value that asks for what is so anyhow; none where any does, because the option only tunes.
  std::optional<std::string_view> as_it_is;
};

// In any case, as the peers' documents write the same one in several; nothing if there is none.
std::optional<PeerOption> find_peer_option(std::string_view name);

}  // namespace corbel::core
