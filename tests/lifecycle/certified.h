// The options for both ends of TLS, where it is built.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace lifecycle {

bool has_tls();

struct Certified {
  std::vector<std::string> options;
  std::shared_ptr<void> files;
};
// Without TLS nothing.
Certified certified();

}  // namespace lifecycle
