// Which host this is, as far as processes can reach each other by other ways than the network.
#pragma once

#include <string>

namespace corbel::transport {

// 16 hexadecimal digits each: equal for processes of one start of one host, and for no others, that see the
// same network and files (two containers of a host differ). A process that cannot find out, for want of
// /proc, has ids that are nobody else's;
const std::string& host_id();
// that see the same network, whatever their files.
const std::string& network_id();

}  // namespace corbel::transport
