// Valuetypes in Anys: what the operators own and lend, and what survives being passed on by a server that has
// no class for it. What leaks or is freed twice shows in the sanitizers' build.
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include <string>

#include "pair.h"
#include "values.any.h"
#include "values.skel.h"

namespace {

Values::Node* make_node(CORBA::Long id, Values::Node* next = nullptr) {
  auto* const n = new OBV_Values::Node;
  n->id(id);
  n->next(next);
  return n;
}

Values::Derived* make_derived(Values::Base* inner) {
  auto* const d = new OBV_Values::Derived;
  d->a(1), d->b("middle"), d->inner(inner), d->cut(inner), d->c(2.5);
  return d;
}

class Own : public virtual OBV_Values::Own, public virtual CORBA::DefaultValueRefCountBase {
 public:
  void marshal(CORBA::DataOutputStream& out) override { out.write_octet(1), out.write_longlong(a()); }
  void unmarshal(CORBA::DataInputStream& in) override {
    EXPECT_EQ(in.read_octet(), 1);
    a(static_cast<CORBA::Long>(in.read_longlong()));
  }
  CORBA::ValueBase* _copy_value() override { return nullptr; }
};
class OwnFactory : public CORBA::ValueFactoryBase {
 protected:
  CORBA::ValueBase* create_for_unmarshal() override { return new Own; }
};

TEST(ValueInAny, CopyingInsertionAddsACount) {
  Values::Node_var n = make_node(1);
  CORBA::Any any;
  any <<= n.in();
  EXPECT_EQ(n->_refcount_value(), 2u);
  Values::Node* found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found, n.in());
  EXPECT_EQ(n->_refcount_value(), 2u) << "extraction lends";
  CORBA::Any copy(any);
  EXPECT_EQ(n->_refcount_value(), 3u);
  CORBA::TypeCode_var type = copy.type();
  EXPECT_TRUE(type->equal(Values::_tc_Node));
}

TEST(ValueInAny, ConsumingInsertionTakesACount) {
  Values::Node* n = make_node(1);
  CORBA::Any any;
  any <<= &n;
  EXPECT_EQ(n->_refcount_value(), 1u);
}

TEST(ValueInAny, HoldsNull) {
  CORBA::Any any;
  any <<= static_cast<Values::Node*>(nullptr);
  Values::Node_var other = make_node(1);
  Values::Node* found = other.in();
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found, nullptr);
}

TEST(ValueInAny, IsNotTakenForAnotherType) {
  Values::Node_var n = make_node(1);
  CORBA::Any any;
  any <<= n.in();
  Values::Base* base = nullptr;
  EXPECT_FALSE(any >>= base);
  any <<= CORBA::Long{5};
  EXPECT_FALSE(any >>= base);
  CORBA::ValueBase* value = nullptr;
  EXPECT_FALSE(any >>= CORBA::Any::to_value(value));
}

TEST(ValueInAny, ToValueGivesACount) {
  Values::Node_var n = make_node(1);
  CORBA::Any any;
  any <<= n.in();
  CORBA::ValueBase_var value;
  ASSERT_TRUE(any >>= CORBA::Any::to_value(value.out()));
  EXPECT_EQ(n->_refcount_value(), 3u);
  EXPECT_EQ(Values::Node::_downcast(value.in()), n.in());
}

TEST(ValueInAny, HoldsValuesOfAnyType) {
  Values::Node_var n = make_node(1);
  CORBA::Any any;
  any <<= static_cast<CORBA::ValueBase*>(n.in());
  CORBA::ValueBase* value = nullptr;
  ASSERT_TRUE(any >>= value);
  EXPECT_EQ(value, n.in());
}

// As another typedef of the same sequence has one.
struct MoreNodes : Values::Nodes {};

TEST(ValueInAny, IsSharedAsItWasInAnotherClassOfItsType) {
  int argc = 0;
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr);
  const CORBA::ValueFactory_var factory = new Values::Node_init;
  const CORBA::ValueFactory_var old = orb->register_value_factory("IDL:Values/Node:1.0", factory.in());
  const Values::Node_var node = make_node(1);
  Values::Nodes nodes;
  nodes.length(2);
  nodes[0] = nodes[1] = node;
  CORBA::Any any;
  any <<= nodes;
  const void* const found = any._corbel_extract(*Values::_tc_Nodes, corbel::cpp::kAnyOperations<MoreNodes>);
  ASSERT_NE(found, nullptr);
  const auto& more = *static_cast<const MoreNodes*>(found);
  ASSERT_EQ(more.length(), 2u);
  EXPECT_EQ(more[0]->id(), 1);
  EXPECT_EQ(more[0].in(), more[1].in());
  orb->destroy();
}

TEST(ValueInAny, TypeCodesTellOfValues) {
  CORBA::TypeCode_ptr const derived = Values::_tc_Derived;
  EXPECT_EQ(derived->kind(), CORBA::tk_value);
  EXPECT_EQ(derived->type_modifier(), CORBA::VM_TRUNCATABLE);
  CORBA::TypeCode_var base = derived->concrete_base_type();
  EXPECT_TRUE(base->equal(Values::_tc_Middle));
  ASSERT_EQ(derived->member_count(), 2u);
  EXPECT_EQ(derived->member_visibility(0), CORBA::PUBLIC_MEMBER);
  EXPECT_EQ(Values::_tc_Own->type_modifier(), CORBA::VM_CUSTOM);
  EXPECT_EQ(Values::_tc_Named->type_modifier(), CORBA::VM_ABSTRACT);
  EXPECT_EQ(Values::_tc_Plain->member_visibility(7), CORBA::PRIVATE_MEMBER);
  EXPECT_EQ(Values::_tc_Name->kind(), CORBA::tk_value_box);
  CORBA::TypeCode_var boxed = Values::_tc_Name->content_type();
  EXPECT_EQ(boxed->kind(), CORBA::tk_string);
}

class Server : public POA_Values::AnyServer {
 public:
  CORBA::Any* pass_any(const CORBA::Any& a, CORBA::Any& b, CORBA::Any_out c) override {
    c = new CORBA::Any(b);
    auto* const result = new CORBA::Any(b);
    b = a;
    return result;
  }
  Values::Pack* pass_pack(const Values::Pack& a) override { return new Values::Pack(a); }
  Values::Carrier* pass_carrier(Values::Carrier* a) override { return Values::Carrier::_duplicate(a); }
  CORBA::Boolean one_before(Values::Node* a, const CORBA::Any& b) override {
    Values::Node* found = nullptr;
    kept_ = b;
    return (b >>= found) && found == a;
  }
  CORBA::Boolean one_behind(const CORBA::Any& a, const CORBA::Any& b, Values::Node* c) override {
    Values::Node *first = nullptr, *second = nullptr;
    kept_ = b;
    return (a >>= first) && (b >>= second) && first == second && (!c || first == c);
  }
  CORBA::Any* kept() override { return new CORBA::Any(kept_); }

 private:
  CORBA::Any kept_;
};

class AnyCalls : public testing::TestWithParam<Place> {
 protected:
  AnyCalls() {
    PortableServer::ServantBase_var servant = new Server;
    it = pair.activate<Values::AnyServer>(servant.in());
    add<Values::Plain_init>("IDL:Values/Plain:1.0");
    add<Values::Node_init>("IDL:Values/Node:1.0");
    add<Values::Base_init>("IDL:Values/Base:1.0");
    add<Values::Middle_init>("IDL:Values/Middle:1.0");
    add<Values::Derived_init>("IDL:Values/Derived:1.0");
    add<Values::Carrier_init>("IDL:Values/Carrier:1.0");
    add<OwnFactory>("IDL:Values/Own:1.0");
  }
  template <typename Factory>
  void add(const char* id) {
    CORBA::ValueFactory_var factory = new Factory;
    for (CORBA::ORB_ptr orb : {pair.client.in(), pair.server.in()}) {
      CORBA::ValueFactory_var old = orb->register_value_factory(id, factory.in());
    }
  }
  // As the server gives it back.
  CORBA::Any passed(const CORBA::Any& any) {
    CORBA::Any a, b = any;
    CORBA::Any_var c;
    CORBA::Any_var r = it->pass_any(a, b, c.out());
    return r.in();
  }
  Pair pair{GetParam()};
  Values::AnyServer_var it;
};
INSTANTIATE_TEST_SUITE_P(Places, AnyCalls, testing::Values(Place::Remote, Place::Collocated), place_name);

TEST_P(AnyCalls, PassValues) {
  Values::Base_var inner = new OBV_Values::Base(7);
  Values::Derived_var d = make_derived(inner.in());
  CORBA::Any any;
  any <<= d.in();
  const CORBA::Any back = passed(any);
  Values::Derived* found = nullptr;
  ASSERT_TRUE(back >>= found);
  EXPECT_EQ(found->a(), 1);
  EXPECT_STREQ(found->b(), "middle");
  EXPECT_EQ(found->c(), 2.5);
  EXPECT_EQ(found->inner(), found->cut());
  Values::Derived* again = nullptr;
  ASSERT_TRUE(back >>= again);
  EXPECT_EQ(found, again);
  CORBA::ValueBase_var value;
  ASSERT_TRUE(back >>= CORBA::Any::to_value(value.out()));
  EXPECT_EQ(value.in(), found) << "whoever asks gets the same value";
}

TEST_P(AnyCalls, PassNullAndBoxes) {
  CORBA::Any any;
  any <<= static_cast<Values::Node*>(nullptr);
  CORBA::Any back = passed(any);
  Values::Node* node = nullptr;
  EXPECT_TRUE(back >>= node);
  EXPECT_EQ(node, nullptr);
  Values::Name_var name = new Values::Name("boxed");
  any <<= name.in();
  back = passed(any);
  Values::Name* found = nullptr;
  ASSERT_TRUE(back >>= found);
  EXPECT_STREQ(found->_value(), "boxed");
}

TEST_P(AnyCalls, PassCircles) {
  Values::Node_var n = make_node(1);
  n->next(n.in());
  n->back(n.in());
  CORBA::Any any;
  any <<= n.in();
  {
    const CORBA::Any back = passed(any);
    Values::Node* found = nullptr;
    ASSERT_TRUE(back >>= found);
    EXPECT_EQ(found->next(), found);
    EXPECT_EQ(found->back(), found);
    found->next(nullptr), found->back(nullptr);
  }
  n->next(nullptr), n->back(nullptr);
}

// The classes are known to the client only; the server passes octets on.
class StrangeValues : public AnyCalls {
 protected:
  void forget() {
    for (const char* id : {"IDL:Values/Node:1.0", "IDL:Values/Base:1.0", "IDL:Values/Middle:1.0",
                           "IDL:Values/Derived:1.0", "IDL:Values/Own:1.0"})
      pair.server->unregister_value_factory(id);
  }
};
INSTANTIATE_TEST_SUITE_P(Places, StrangeValues, testing::Values(Place::Remote), place_name);

TEST_P(StrangeValues, ArePassedOn) {
  forget();
  Values::Base_var inner = new OBV_Values::Base(7);
  Values::Derived_var d = make_derived(inner.in());
  CORBA::Any any;
  any <<= d.in();
  CORBA::Any back = passed(any);
  Values::Derived* found = nullptr;
  ASSERT_TRUE(back >>= found);
  EXPECT_EQ(found->inner(), found->cut());
  EXPECT_EQ(found->cut()->a(), 7);
  EXPECT_EQ(found->c(), 2.5);
}

// What its TypeCode does not tell of.
TEST_P(StrangeValues, ArePassedOnWhole) {
  forget();
  Values::Base_var inner = new OBV_Values::Base(7);
  Values::Derived_var d = make_derived(inner.in());
  CORBA::Any any;
  any <<= static_cast<Values::Base*>(d.in());
  CORBA::Any back = passed(any);
  Values::Base* base = nullptr;
  ASSERT_TRUE(back >>= base);
  Values::Derived* found = Values::Derived::_downcast(base);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->inner(), found->cut());
  EXPECT_EQ(found->c(), 2.5);
  any <<= static_cast<CORBA::ValueBase*>(inner.in());
  back = passed(any);
  CORBA::ValueBase* value = nullptr;
  ASSERT_TRUE(back >>= value);
  ASSERT_TRUE(Values::Base::_downcast(value));
  EXPECT_EQ(Values::Base::_downcast(value)->a(), 7);
}

TEST_P(StrangeValues, ArePassedOnInOtherTypes) {
  forget();
  Values::Holder h;
  h.one = h.other = make_node(4);
  Values::Pack pack;
  pack.n = 3;
  CORBA::Any inner;
  inner <<= h;
  pack.content <<= inner;
  pack.extra = make_node(5);
  CORBA::Any any;
  any <<= pack;
  const CORBA::Any back = passed(any);
  const Values::Pack* found = nullptr;
  ASSERT_TRUE(back >>= found);
  const CORBA::Any* within = nullptr;
  const Values::Holder* holder = nullptr;
  ASSERT_TRUE(found->content >>= within);
  ASSERT_TRUE(*within >>= holder);
  EXPECT_EQ(holder->one.in(), holder->other.in());
  EXPECT_EQ(found->extra->id(), 5);
}

TEST_P(StrangeValues, MayBeLongLists) {
  forget();
  Values::Node_var list;
  for (int i = 0; i < 1900; ++i) {
    Values::Node_var next = list._retn();
    list = make_node(i, next.in());
  }
  CORBA::Any any;
  any <<= list.in();
  const CORBA::Any back = passed(any);
  Values::Node* found = nullptr;
  ASSERT_TRUE(back >>= found);
  int length = 0;
  for (Values::Node* n = found; n; n = n->next()) ++length;
  EXPECT_EQ(length, 1900);
}

TEST_P(StrangeValues, ArePassedOnIfCustom) {
  forget();
  Values::Own_var own = new Own;
  own->a(77);
  CORBA::Any any;
  any <<= own.in();
  CORBA::Any back = passed(passed(any));
  Values::Own* found = nullptr;
  ASSERT_TRUE(back >>= found);
  EXPECT_EQ(found->a(), 77);
}

TEST_P(AnyCalls, PassAnysInValues) {
  Values::Carrier_var a = new OBV_Values::Carrier, b = new OBV_Values::Carrier;
  Values::Node_var n = make_node(4);
  a->content() <<= n.in();
  b->content() <<= n.in();
  a->other(b.in());
  Values::Carrier_var r = it->pass_carrier(a.in());
  Values::Node* first = nullptr;
  ASSERT_TRUE(r->content() >>= first);
  EXPECT_EQ(first->id(), 4);
  Values::Node* second = nullptr;
  ASSERT_TRUE(r->other()->content() >>= second);
  EXPECT_EQ(second->id(), 4);
}

TEST_P(AnyCalls, ShareWhatStandsBeforeTheAny) {
  Values::Node_var n = make_node(1, make_node(2));
  CORBA::Any any;
  any <<= n.in();
  EXPECT_TRUE(it->one_before(n.in(), any));
  CORBA::Any_var kept = it->kept();
  Values::Node* found = nullptr;
  ASSERT_TRUE(kept >>= found);
  EXPECT_EQ(found->next()->id(), 2);
  n->next()->_remove_ref();
}

TEST_P(AnyCalls, ShareWhatStandsInAnEarlierAny) {
  Values::Node_var n = make_node(1);
  CORBA::Any any, other;
  any <<= n.in();
  other <<= n.in();
  EXPECT_TRUE(it->one_behind(any, other, n.in()));
  EXPECT_TRUE(it->one_behind(any, other, nullptr));
}

}  // namespace
