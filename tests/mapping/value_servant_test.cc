// Values that are servants, too, and the factories of values: what they may give and what becomes of it.
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include <string>

#include "pair.h"
#include "supported.skel.h"
#include "values.skel.h"

namespace {

// ---- values that support interfaces

int speakers;
class Speaker : public virtual PortableServer::ValueRefCountBase,
                public virtual OBV_Supported::Speaker,
                public virtual POA_Supported::Talk {
 public:
  Speaker() { ++speakers; }
  ~Speaker() override { --speakers; }
  char* say(const char* to) override { return CORBA::string_dup((std::string(words()) + ", " + to).c_str()); }
};
// No operations: its class is complete, and counted for itself if it is no servant.
class Still : public virtual PortableServer::ValueRefCountBase,
              public virtual OBV_Supported::Still,
              public virtual POA_Supported::Nothing {};
struct SpeakerFactory : CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Speaker; }
};
class SupportedServer : public POA_Supported::Server {
 public:
  Supported::Speaker* pass(Supported::Speaker* a) override { return Supported::Speaker::_duplicate(a); }
  char* call(Supported::Talk_ptr it) override { return it->say("server"); }
};

TEST(ValuesThatAreServants, HaveOneCount) {
  {
    Pair pair{Place::Remote};
    PortableServer::Servant_var<SupportedServer> servant = new SupportedServer;
    Supported::Server_var it = pair.activate<Supported::Server>(servant.in());
    CORBA::ValueFactory_var factory = new SpeakerFactory;
    for (CORBA::ORB_ptr orb : {pair.client.in(), pair.server.in()})
      CORBA::ValueFactory_var old = orb->register_value_factory("IDL:Supported/Speaker:1.0", factory.in());
    auto* const speaker = new Speaker;
    Supported::Speaker_var value = speaker;
    value->words("Hello");
    EXPECT_EQ(value->_refcount_value(), 1u);
    Supported::Talk_var talk = pair.activate<Supported::Talk>(speaker);
    EXPECT_EQ(value->_refcount_value(), 2u) << "the adapter has one";
    EXPECT_EQ(static_cast<const Speaker*>(speaker)->_refcount_value(), 2u);
    CORBA::String_var answer = it->call(talk.in());
    EXPECT_STREQ(answer.in(), "Hello, server");
    Supported::Speaker_var copy = it->pass(value.in());
    EXPECT_NE(copy.in(), value.in());
    answer = copy->say("client");
    EXPECT_STREQ(answer.in(), "Hello, client");
    value = nullptr;
    answer = talk->say("again");
    EXPECT_STREQ(answer.in(), "Hello, again");
    EXPECT_EQ(speakers, 2);
    Supported::Still_var still = new Still;
    CORBA::add_ref(still.in());
    EXPECT_EQ(still->_refcount_value(), 2u);
    CORBA::remove_ref(still.in());
  }
  EXPECT_EQ(speakers, 0);
}

// ---- factories

const char* const kNode = "IDL:Values/Node:1.0";
const char* const kBase = "IDL:Values/Base:1.0";

template <typename Make>
class Made final : public CORBA::ValueFactoryBase {
 public:
  explicit Made(Make make) : make_(make) {}

 private:
  CORBA::ValueBase* create_for_unmarshal() override { return make_(); }
  Make make_;
};
template <typename Make>
CORBA::ValueFactory factory(Make make) {
  return new Made<Make>(make);
}

class NodeServer : public POA_Values::Server {
 public:
  Values::Plain* pass_plain(Values::Plain*, Values::Plain*&, Values::Plain_out) override { return nullptr; }
  Values::Node* pass_node(Values::Node* a, Values::Node*& b, Values::Node_out c) override {
    c = b;
    b = Values::Node::_duplicate(a);
    return Values::Node::_duplicate(a);
  }
  CORBA::Long count(Values::Node*, Values::Node*) override { return 0; }
  Values::Base* pass_base(Values::Base* a) override { return Values::Base::_duplicate(a); }
  Values::Derived* pass_derived(Values::Derived*) override { return nullptr; }
  Values::Person* pass_person(Values::Person*) override { return nullptr; }
  Values::Own* pass_own(Values::Own*) override { return nullptr; }
  Values::Name* pass_name(Values::Name*, Values::Name*&, Values::Name_out) override { return nullptr; }
  Values::Numbers* pass_numbers(Values::Numbers*) override { return nullptr; }
  Values::Where* pass_where(Values::Where*) override { return nullptr; }
  Values::Holder* pass_holder(const Values::Holder&) override { return nullptr; }
  Values::Nodes* pass_nodes(const Values::Nodes&) override { return nullptr; }
  Values::Choice* pass_choice(const Values::Choice&) override { return nullptr; }
  CORBA::ValueBase* any_value(CORBA::ValueBase* a) override { return CORBA::ValueBase::_duplicate(a); }
  Values::Base* cut(Values::Base*, Values::Base*) override { return nullptr; }
  void tear(Values::Node*) override {}
  Values::Plain* kept() override { return nullptr; }
  void kept(Values::Plain*) override {}
};

int nodes;
struct Node final : public virtual OBV_Values::Node {
  Node() { ++nodes; }
  ~Node() override { --nodes; }
};

class ValueFactories : public testing::Test {
 protected:
  ValueFactories() {
    PortableServer::Servant_var<NodeServer> servant = new NodeServer;
    it = pair.activate<Values::Server>(servant.in());
    know(pair.client.in(), factory([]() -> CORBA::ValueBase* { return new Node; }));
  }
  ~ValueFactories() override { EXPECT_EQ(nodes, 0); }
  static void know(CORBA::ORB_ptr orb, CORBA::ValueFactory made, const char* id = kNode) {
    CORBA::ValueFactory_var owner = made;
    CORBA::ValueFactory_var old = orb->register_value_factory(id, made);
  }
  // Of three nodes to a server that makes them so; the system exception that comes back.
  template <typename Make>
  std::string sent(Make make) {
    know(pair.server.in(), factory(make));
    Values::Node_var a = new Node, b, c;
    Values::Node_var second = new Node, third = new Node;
    a->next(second.in()), second->next(third.in());
    try {
      Values::Node_var r = it->pass_node(a.in(), b.inout(), c.out());
      return "nothing";
    } catch (const CORBA::SystemException& e) {
      return e._name();
    }
  }
  Pair pair{Place::Remote};
  Values::Server_var it;
};

TEST_F(ValueFactories, MayRaise) {
  EXPECT_EQ(sent([]() -> CORBA::ValueBase* { throw CORBA::NO_RESOURCES(); }), "NO_RESOURCES");
  EXPECT_EQ(sent([]() -> CORBA::ValueBase* { throw 5; }), "UNKNOWN");
  // In the midst of it: what has been made is freed.
  int left = 2;
  EXPECT_EQ(sent([&left]() -> CORBA::ValueBase* {
              if (left-- == 0) throw CORBA::NO_RESOURCES();
              return new Node;
            }),
            "NO_RESOURCES");
}

TEST_F(ValueFactories, MayGiveNothing) {
  EXPECT_EQ(sent([]() -> CORBA::ValueBase* { return nullptr; }), "MARSHAL");
  EXPECT_EQ(sent([]() -> CORBA::ValueBase* { return new Node; }), "nothing");
}

TEST_F(ValueFactories, MayNotGiveWhatIsOfAnotherType) {
  EXPECT_EQ(sent([]() -> CORBA::ValueBase* { return new OBV_Values::Base; }), "MARSHAL");
  EXPECT_EQ(sent([]() -> CORBA::ValueBase* { return new Values::Name("box"); }), "MARSHAL");
}

// As a receiver that does not know it at all.
TEST_F(ValueFactories, ThatGiveNothingLetTheBaseBeMade) {
  know(pair.client.in(), new Values::Base_init, kBase);
  know(pair.server.in(), new Values::Base_init, kBase);
  know(pair.server.in(), factory([]() -> CORBA::ValueBase* { return nullptr; }), "IDL:Values/Middle:1.0");
  auto* const middle = new OBV_Values::Middle;
  Values::Base_var keep = middle;
  middle->a(4), middle->b("cut off");
  Values::Base_var r = it->pass_base(keep.in());
  EXPECT_EQ(r->a(), 4);
  EXPECT_FALSE(Values::Middle::_downcast(r.in()));
}

struct Watched final : CORBA::ValueFactoryBase {
  explicit Watched(bool& gone) : gone_(gone) {}
  ~Watched() override { gone_ = true; }
  CORBA::ValueBase* create_for_unmarshal() override { return nullptr; }
  bool& gone_;
};

TEST(ValueFactoriesOfAnOrb, AreCounted) {
  const char* args[] = {"test", nullptr};
  int argc = 1;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(args), "factories");
  bool first_gone = false, second_gone = false;
  CORBA::ValueFactory first = new Watched(first_gone);
  EXPECT_EQ(orb->register_value_factory(kNode, first), nullptr);
  CORBA::ValueFactory const found = orb->lookup_value_factory(kNode);
  EXPECT_EQ(found, first);
  found->_remove_ref();
  CORBA::ValueFactory second = new Watched(second_gone);
  CORBA::ValueFactory const old = orb->register_value_factory(kNode, second);
  EXPECT_EQ(old, first) << "it is given back";
  old->_remove_ref();
  EXPECT_FALSE(first_gone);
  first->_remove_ref();
  EXPECT_TRUE(first_gone);
  second->_remove_ref();
  EXPECT_FALSE(second_gone) << "the ORB has a count";
  orb->unregister_value_factory(kNode);
  EXPECT_TRUE(second_gone);
  orb->unregister_value_factory(kNode);
  try {
    orb->lookup_value_factory(kNode);
    ADD_FAILURE();
  } catch (const CORBA::BAD_PARAM& e) {
    EXPECT_EQ(e.minor(), CORBA::OMGVMCID | 1);
  }
  EXPECT_THROW(orb->register_value_factory(nullptr, nullptr), CORBA::BAD_PARAM);
  bool last_gone = false;
  {
    CORBA::ValueFactory_var last = new Watched(last_gone);
    orb->register_value_factory(kNode, last.in());
  }
  orb->destroy();
  orb = CORBA::ORB::_nil();
  EXPECT_TRUE(last_gone);
}

}  // namespace
