// A program written for omniORB that names its certificates as sslContext's.
#include <omniORB4/CORBA.h>
#include <omniORB4/sslContext.h>

#include <cstring>
#include <string>

#include "certificates.h"

#include <gtest/gtest.h>

namespace {

// What ORB_init and a server at an address of TLS give: "" or the exception's text.
std::string serve(const char* id) {
  try {
    const char* words[] = {"test", "-ORBendPoint", "giop:ssl:127.0.0.1:0", nullptr};
    int argc = 3;
    CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(words), id);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    object = poa->create_reference("IDL:Nothing:1.0");
    orb->destroy();
    return "";
  } catch (const CORBA::SystemException& e) {
    return e.what();
  }
}

TEST(OmniorbSslContext, NamesCertificatesAndPasswords) {
  const tls_test::Folder folder;
  const tls_test::Issued ca = tls_test::authority();
  const std::string ca_file = folder.write("ca.pem", ca, false);
  const std::string key_file = folder.write("key.pem", tls_test::issue({}, &ca), true, "password");
  sslContext::certificate_authority_file = ca_file.c_str();
  sslContext::key_file = "/no/such/file";
  EXPECT_NE(serve("one").find("/no/such/file"), std::string::npos);
  sslContext::key_file = key_file.c_str();
  EXPECT_STREQ(sslContext::key_file, key_file.c_str());
  EXPECT_NE(serve("two"), "");  // it is locked
  sslContext::key_file_password = "password";
  sslContext::verify_mode = 1;
  EXPECT_EQ(serve("three"), "");
}

}  // namespace
