// An application as it is written for omniORB: its headers, its names, naming and events from COS/.
#include <omniORB4/CORBA.h>
#include <COS/CosEventChannelAdmin.hh>
#include <COS/CosNaming.hh>

#include <echo.hh>

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <type_traits>

#ifndef HAVE_STD
#error "programs ask for HAVE_STD"
#endif

namespace {

std::string g_lines;
void keep(const char* line) { g_lines += line; }

TEST(Omniorb, LogsOfTheProgramGoWhereItWants) {
  omniORB::setLogFunction(keep);
  const CORBA::ULong before = omniORB::traceLevel;
  omniORB::traceLevel = 5;
  omniORB::logf(5, "%s has %d", "five", 5);
  omniORB::logf(6, "six");
  omniORB::logs(1, "plain %d");
  omniORB::traceLevel = 0;
  omniORB::logs(1, "no");
  omniORB::traceLevel = before;
  omniORB::setLogFunction(nullptr);
  EXPECT_EQ(g_lines, "omniORB: five has 5\nomniORB: plain %d\n");
}

TEST(Omniorb, LoggersCollectWhatTheyAreGiven) {
  g_lines.clear();
  omniORB::setLogFunction(keep);
  {
    omniORB::logger log("mine: ");
    log << "a" << 'b' << 1 << -2L << 3u << true << 0.5 << CORBA::TRANSIENT(2) << "\n";
    log.flush();
    log << "end\n";
  }
  omniORB::setLogFunction(nullptr);
  EXPECT_EQ(g_lines, "mine: ab1-2310.5CORBA::TRANSIENT, minor 0x00000002, completed NO\nmine: end\n");
}

TEST(Omniorb, LogsMayGoToAFile) {
  const std::string name = testing::TempDir() + "omniorb-log";
  omniORB::setLogFilename(name.c_str());
  EXPECT_EQ(omniORB::getLogFilename(), name);
  omniORB::logs(1, "kept");
  omniORB::setLogFilename(nullptr);
  EXPECT_STREQ(omniORB::getLogFilename(), "");
  std::ifstream file(name);
  std::string line;
  EXPECT_TRUE(std::getline(file, line));
  EXPECT_EQ(line, "omniORB: kept");
  EXPECT_GE(omniORB::versionHex(), 0x04020000u);
}

TEST(Omniorb, MinorCodesHaveNames) {
  EXPECT_STREQ(CORBA::TRANSIENT(omni::TRANSIENT_CallTimedout).NP_minorString(), "TRANSIENT_CallTimedout");
  EXPECT_STREQ(CORBA::TIMEOUT(omni::TIMEOUT_CallTimedOutOnClient).NP_minorString(),
               "TIMEOUT_CallTimedOutOnClient");
  EXPECT_STREQ(CORBA::OBJECT_NOT_EXIST(omni::OBJECT_NOT_EXIST_NoMatch).NP_minorString(),
               "OBJECT_NOT_EXIST_NoMatch");
  EXPECT_EQ(CORBA::OBJECT_NOT_EXIST(77).NP_minorString(), nullptr);
}

TEST(Omniorb, AnysBehindVarsTakeWhatIsWrapped) {
  CORBA::Any_var any = new CORBA::Any;
  any <<= CORBA::Any::from_boolean(true);
  CORBA::Boolean truth = false;
  EXPECT_TRUE(any >>= CORBA::Any::to_boolean(truth));
  EXPECT_TRUE(truth);
  any <<= CORBA::Any::from_char('x');
  EXPECT_FALSE(any >>= CORBA::Any::to_boolean(truth));
  CORBA::Char letter = 0;
  EXPECT_TRUE(any >>= CORBA::Any::to_char(letter));
  EXPECT_EQ(letter, 'x');
  any <<= static_cast<_CORBA_Long>(5);
  _CORBA_Long number = 0;
  EXPECT_TRUE(any >>= number);
  EXPECT_EQ(number, 5);
}

TEST(Omniorb, TypesOfMembersHaveItsNames) {
  CosNaming::NameComponent component;
  CORBA::String_member& id = component.id;
  id = "a";
  EXPECT_STREQ(component.id, "a");
  const IOP::IOR reference;
  EXPECT_EQ(reference.profiles.length(), 0u);
}

TEST(Omniorb, AdaptersTakeThePolicyForShortcuts) {
  int argc = 3;
  char name[] = "p", option[] = "-ORBendPoint", address[] = "giop:tcp:127.0.0.1:";
  char* argv[] = {name, option, address, nullptr};
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "shortcut");
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  CORBA::PolicyList list;
  list.length(2);
  list[0] = omniPolicy::create_local_shortcut_policy(omniPolicy::LOCAL_CALLS_SHORTCUT);
  list[1] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  PortableServer::POA_var poa = root->create_POA("shortcut", PortableServer::POAManager::_nil(), list);
  EXPECT_FALSE(CORBA::is_nil(poa));
  omniPolicy::LocalShortcutPolicy_var back = omniPolicy::LocalShortcutPolicy::_narrow(list[0]);
  ASSERT_FALSE(CORBA::is_nil(back));
  EXPECT_EQ(back->value(), omniPolicy::LOCAL_CALLS_SHORTCUT);
  // The place of the policy that is to blame is that in the whole list.
  list[1] = root->create_request_processing_policy(PortableServer::USE_DEFAULT_SERVANT);
  try {
    poa = root->create_POA("bad", PortableServer::POAManager::_nil(), list);
    FAIL();
  } catch (const PortableServer::POA::InvalidPolicy& e) {
    EXPECT_EQ(e.index, 1);
  }
  orb->destroy();
}

TEST(Omniorb, FatalExceptionTellsWhere) {
  try {
    throw omniORB::fatalException("a.cc", 12, "why");
  } catch (omniORB::fatalException& e) {
    EXPECT_STREQ(e.file(), "a.cc");
    EXPECT_EQ(e.line(), 12);
    EXPECT_STREQ(e.errmsg(), "why");
  }
}

class EchoServant : public POA_Echo {
 public:
  char* echo_string(const char* text) override { return CORBA::string_dup(text); }
  void ping() override { upcall_thread = omni_thread::self(); }
  omni_thread* upcall_thread = nullptr;
};

TEST(Omniorb, HeaderOfTheContractServesClientAndServer) {
  int argc = 1;
  char name[] = "omniorb";
  char* argv[] = {name, nullptr};
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "omniORB4");
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  Echo_var echo = servant->_this();
  CORBA::String_var said = echo->echo_string("hello");
  EXPECT_STREQ(said, "hello");
  echo->ping();
  EXPECT_NE(servant->upcall_thread, nullptr);

  // A naming context is an object like others: what it is not, it does not become.
  CosNaming::NamingContext_var context = CosNaming::NamingContext::_narrow(echo);
  EXPECT_TRUE(CORBA::is_nil(context));
  CosNaming::Name path(1);
  path.length(1);
  path[0].id = "a";
  path[0].kind = "b";
  CORBA::Any any;
  any <<= path;
  const CosNaming::Name* back = nullptr;
  ASSERT_TRUE(any >>= back);
  EXPECT_STREQ((*back)[0].kind, "b");
  EXPECT_STREQ(CosEventChannelAdmin::_tc_EventChannel->id(),
               "IDL:omg.org/CosEventChannelAdmin/EventChannel:1.0");
  static_assert(std::is_base_of<PortableServer::ServantBase, POA_CosNaming::NamingContextExt>::value, "");
  orb->destroy();
}

}  // namespace
