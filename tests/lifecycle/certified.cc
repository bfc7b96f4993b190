#include "tests/lifecycle/certified.h"

#include <corbel/tls.h>

#include "tests/tls/certificates.h"

namespace lifecycle {

bool has_tls() { return true; }

Certified certified() {
  corbel::tls::use();
  const auto folder = std::make_shared<tls_test::Folder>();
  const tls_test::Issued ca = tls_test::authority();
  return {{"-ORBsslCAFile", folder->write("ca.pem", ca, false), "-ORBsslKeyFile",
           folder->write("key.pem", tls_test::issue({"server"}, &ca))},
          folder};
}

}  // namespace lifecycle
