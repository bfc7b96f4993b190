// Names and object addresses as omniORB's functions have them.
#include <omniORB4/CORBA.h>
#include <omniORB4/omniURI.h>

#include <gtest/gtest.h>

#include <string>

OMNI_USING_NAMESPACE(omni)

namespace {

std::string take(char* text) {
  CORBA::String_var owner = text;
  return owner.in();
}

TEST(OmniorbUri, NamesBecomeTextsAndNamesAgain) {
  for (const char* text : {"a", "a.b", "a/b.c/d", ".k", ".", "a\\.b.c\\/d/\\\\", "./x"}) {
    CosNaming::Name_var name = omniURI::stringToName(text);
    EXPECT_EQ(take(omniURI::nameToString(name)), text);
  }
  CosNaming::Name_var name = omniURI::stringToName("a\\.b.c\\/d/.k");
  ASSERT_EQ(name->length(), 2u);
  EXPECT_STREQ(name[0u].id, "a.b");
  EXPECT_STREQ(name[0u].kind, "c/d");
  EXPECT_STREQ(name[1u].id, "");
  EXPECT_STREQ(name[1u].kind, "k");
}

TEST(OmniorbUri, WhatIsNoNameIsRefused) {
  for (const char* text : {"", "/", "a/", "/a", "a//b", "a.", "a.b.c", "a\\", "a\\x", "a\\/b/"})
    EXPECT_THROW(omniURI::stringToName(text), CosNaming::NamingContext::InvalidName) << text;
  EXPECT_THROW(omniURI::nameToString(CosNaming::Name()), CosNaming::NamingContext::InvalidName);
}

TEST(OmniorbUri, AddressesAndNamesMakeCorbanames) {
  EXPECT_EQ(take(omniURI::addrAndNameToURI(":host:2809", "a b/c.d")), "corbaname::host:2809#a%20b/c.d");
  EXPECT_EQ(take(omniURI::addrAndNameToURI("rir:", "")), "corbaname:rir:");
  EXPECT_THROW(omniURI::addrAndNameToURI("", "a"), CosNaming::NamingContextExt::InvalidAddress);
  EXPECT_THROW(omniURI::addrAndNameToURI("smoke:h", "a"), CosNaming::NamingContextExt::InvalidAddress);
  EXPECT_THROW(omniURI::addrAndNameToURI(":h", "a."), CosNaming::NamingContext::InvalidName);
}

TEST(OmniorbUri, AddressesBecomeReferences) {
  EXPECT_THROW(omniURI::stringToObject("corbaloc::127.0.0.1:1/x"), CORBA::INITIALIZE);
  int argc = 1;
  char name[] = "uri";
  char* argv[] = {name, nullptr};
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = omniURI::stringToObject("corbaloc::127.0.0.1:1/x");
  EXPECT_FALSE(CORBA::is_nil(object));
  orb->destroy();
}

}  // namespace
