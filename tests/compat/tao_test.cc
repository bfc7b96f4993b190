// An application as it is written for TAO: its headers and its table of names.
#include "echoS.h"
#include "orbsvcs/CosNamingC.h"
#include "orbsvcs/CosPropertyS.h"
#include "orbsvcs/orbsvcs/CosEventCommC.h"
#include "tao/AnyTypeCode/Any.h"
#include "tao/IORTable/IORTable.h"
#include "tao/LongSeqC.h"
#include "tao/ORB.h"
#include "tao/PortableServer/LifespanPolicyC.h"
#include "tao/PortableServer/PortableServer.h"
#include "tao/StringSeqC.h"
#include "tao/TimeBaseC.h"
#include "tao/TypeCodeFactory/TypeCodeFactory_Loader.h"
#include "tao/WStringSeqC.h"
#include "tao/corba.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "orb/ior/ior.h"

namespace {

class EchoServant : public virtual POA_Echo {
 public:
  explicit EchoServant(std::string name) : name_(std::move(name)) {}
  char* echo_string(const char*) override { return CORBA::string_dup(name_.c_str()); }
  void ping() override {}

 private:
  const std::string name_;
};

// Where the first IIOP profile of a reference leads to.
unsigned port_of(const char* text) {
  corbel::ior::Ior ior;
  if (corbel::ior::parse_ior(text, ior)) return 0;
  for (const auto& p : ior.profiles)
    if (const auto iiop = corbel::ior::decode_iiop(p)) return iiop->address.port;
  return 0;
}

CORBA::ORB_ptr make_orb(const char* id) {
  int argc = 3;
  char program[] = "tao", option[] = "-ORBListenEndpoints", address[] = "iiop://127.0.0.1:0";
  char* argv[] = {program, option, address, nullptr};
  return CORBA::ORB_init(argc, argv, id);
}

TEST(Tao, TableOfNamesServesCorbalocAddresses) {
  CORBA::ORB_var server = make_orb("server"), client = make_orb("client");
  CORBA::Object_var object = server->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::ServantBase_var one = new EchoServant("one"), two = new EchoServant("two");
  PortableServer::ObjectId_var id1 = poa->activate_object(one.in()), id2 = poa->activate_object(two.in());
  CORBA::Object_var first = poa->id_to_reference(id1.in()), second = poa->id_to_reference(id2.in());
  CORBA::String_var ior1 = server->object_to_string(first.in()), ior2 = server->object_to_string(second.in());

  object = server->resolve_initial_references("IORTable");
  IORTable::Table_var table = IORTable::Table::_narrow(object.in());
  ASSERT_FALSE(CORBA::is_nil(table.in()));
  IORTable::Table_var none = IORTable::Table::_narrow(first.in());
  EXPECT_TRUE(CORBA::is_nil(none.in()));

  const std::string url = "corbaloc::127.0.0.1:" + std::to_string(port_of(ior1.in())) + "/Name";
  const auto asked = [&] {
    CORBA::Object_var named = client->string_to_object(url.c_str());
    Echo_var echo = Echo::_unchecked_narrow(named.in());
    CORBA::String_var said = echo->echo_string("?");
    return std::string(said.in());
  };
  EXPECT_THROW(table->unbind("Name"), IORTable::NotFound);
  table->bind("Name", ior1.in());
  EXPECT_EQ(asked(), "one");
  // Another handle of the same table.
  IORTable::Table_var again = IORTable::Table::_narrow(object.in());
  EXPECT_THROW(again->bind("Name", ior2.in()), IORTable::AlreadyBound);
  again->rebind("Name", ior2.in());
  EXPECT_EQ(asked(), "two");
  EXPECT_THROW(table->bind("Other", "no address"), CORBA::BAD_PARAM);
  table->unbind("Name");
  EXPECT_THROW(asked(), CORBA::OBJECT_NOT_EXIST);
  table->bind("Name", ior1.in());
  EXPECT_EQ(asked(), "one");
  client->destroy();
  server->destroy();
}

TEST(Tao, TableOfNamesIsThatOfOmniInspoa) {
  CORBA::ORB_var server = make_orb("server"), client = make_orb("client");
  CORBA::Object_var object = server->resolve_initial_references("omniINSPOA");
  PortableServer::POA_var named = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var manager = named->the_POAManager();
  manager->activate();
  PortableServer::ServantBase_var active = new EchoServant("active"), bound = new EchoServant("bound");
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("Name");
  named->activate_object_with_id(id.in(), active.in());
  object = server->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  manager = root->the_POAManager();
  manager->activate();
  PortableServer::ObjectId_var other = root->activate_object(bound.in());
  object = root->id_to_reference(other.in());
  CORBA::String_var ior = server->object_to_string(object.in());
  const std::string url = "corbaloc::127.0.0.1:" + std::to_string(port_of(ior.in())) + "/Name";
  const auto asked = [&] {
    CORBA::Object_var reference = client->string_to_object(url.c_str());
    Echo_var echo = Echo::_unchecked_narrow(reference.in());
    CORBA::String_var said = echo->echo_string("?");
    return std::string(said.in());
  };
  EXPECT_EQ(asked(), "active");
  object = server->resolve_initial_references("IORTable");
  IORTable::Table_var table = IORTable::Table::_narrow(object.in());
  table->bind("Name", ior.in());
  EXPECT_EQ(asked(), "bound");
  table->unbind("Name");
  EXPECT_EQ(asked(), "active");
  client->destroy();
  server->destroy();
}

TEST(Tao, ExceptionsPrintThemselves) {
  const CORBA::TRANSIENT failure;
  testing::internal::CaptureStderr();
  failure._tao_print_exception("while calling");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            std::string("EXCEPTION, while calling\n") + failure.what() + "\n");
}

TEST(Tao, ExceptionsAreTextsAndGoToStreams) {
  const CORBA::TRANSIENT failure(2);
  const CORBA::Exception* const base = &failure;
  EXPECT_STREQ(base->_info().c_str(), failure.what());
  std::ostringstream text;
  text << failure << ' ' << base;
  const std::string once = "TRANSIENT (IDL:omg.org/CORBA/TRANSIENT:1.0)";
  EXPECT_EQ(text.str(), once + ' ' + once);
}

TEST(Tao, TemplatesOfTheProgramMayUseTheOnesOfTao) {
  CORBA::ORB_var orb = make_orb("templates");
  const auto asked = [&](const char* url) -> TAO_Objref_Var_T<Echo> {
    CORBA::Object_var object = orb->string_to_object(url);
    return Echo::_unchecked_narrow(object.in());
  };
  EXPECT_FALSE(CORBA::is_nil(asked("corbaloc::127.0.0.1:1/x").in()));
  TAO::String_Manager member;
  member = "text";
  EXPECT_STREQ(member.in(), "text");
  orb->destroy();
}

TEST(Tao, ElementsOfConstantSequencesHaveIn) {
  CORBA::StringSeq list(1);
  list.length(1);
  list[0u] = CORBA::string_dup("one");
  const CORBA::StringSeq& constant = list;
  EXPECT_STREQ(constant[0u].in(), "one");
  const CORBA::String_var copy(constant[0u]);
  EXPECT_STREQ(copy.in(), "one");
  CORBA::WStringSeq wide(1);
  wide.length(1);
  wide[0u] = CORBA::wstring_dup(L"two");
  const CORBA::WStringSeq& wide_constant = wide;
  EXPECT_STREQ(wide_constant[0u].in(), L"two");
  const std::wstring taken(wide_constant[0u]);
  EXPECT_EQ(taken, L"two");
}

TEST(Tao, ReferencesGiveTheirPointers) {
  CORBA::Object_var object;
  EXPECT_EQ(object.ptr(), nullptr);
}

TEST(Tao, SequencesAndServicesHaveTheirHeaders) {
  CORBA::LongSeq numbers;
  numbers.length(2);
  numbers[1] = 7;
  CORBA::Any any;
  any <<= numbers;
  const CORBA::LongSeq* back = nullptr;
  ASSERT_TRUE(any >>= back);
  EXPECT_EQ((*back)[1], 7);
  TimeBase::UtcT time{};
  any <<= time;
  CosNaming::NamingContext_var context = CosNaming::NamingContext::_nil();
  EXPECT_TRUE(CORBA::is_nil(context.in()));
  EXPECT_STREQ(CosPropertyService::_tc_PropertySet->name(), "PropertySet");
}

}  // namespace
