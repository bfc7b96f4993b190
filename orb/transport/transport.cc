#include <corbel/transport/transport.h>

namespace corbel::transport {

Acceptor::~Acceptor() = default;
Transport::~Transport() = default;

bool Transport::reachable(const std::string&) { return true; }

// These stand for transports without a component of their own, where they are not asked.
std::string Transport::encode(const std::string& address, bool) const { return address; }

bool Transport::decode(const std::string& data, const std::string&, std::string& address) const {
  address = data;
  return true;
}

bool Transport::demands_protection(const std::string&) const { return false; }

}  // namespace corbel::transport
