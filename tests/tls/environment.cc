// What every test of whole ORBs over TLS starts with: certificates, and the options that name them in the
// environment. Linked into tests that were written for plain connections, too.
#include <corbel/tls.h>
#include <gtest/gtest.h>

#include "certificates.h"

namespace {

class TlsEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    const tls_test::Issued ca = tls_test::authority();
    corbel::tls::use();
    corbel::tls::set_default("sslCAFile", folder_.write("ca.pem", ca, false).c_str());
    corbel::tls::set_default("sslKeyFile",
                             folder_.write("key.pem", tls_test::issue({"server"}, &ca)).c_str());
  }

 private:
  tls_test::Folder folder_;
};

[[maybe_unused]] testing::Environment* const environment =
    testing::AddGlobalTestEnvironment(new TlsEnvironment);

}  // namespace
