// Which host this is, as far as processes can reach each other by other ways than the network.
#pragma once

#include <string>

namespace corbel::transport {

// 16 hexadecimal digits: equal for processes of one start of one host that see the same network and files
// (two containers of a host differ), and for no others.
const std::string& host_id();

}  // namespace corbel::transport
