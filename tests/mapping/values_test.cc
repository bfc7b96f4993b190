// Values in real calls, between two ORBs and within one: sharing, circles, null, truncation, custom
// marshaling, boxes. What leaks or is freed twice shows in the sanitizers' build.
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "pair.h"
#include "values.skel.h"

namespace {

class Person : public virtual OBV_Values::Person, public virtual CORBA::DefaultValueRefCountBase {
 public:
  Person() = default;
  Person(const char* first, CORBA::Long age) {
    this->first(first);
    this->age(age);
  }
  char* name() override { return CORBA::string_dup(first()); }
  CORBA::Long birthday() override {
    age(age() + 1);
    return age();
  }
  CORBA::ValueBase* _copy_value() override { return new Person(first(), age()); }
};

class PersonFactory : public Values::Person_init {
 public:
  Values::Person* born(const char* first) override { return new Person(first, 0); }

 protected:
  CORBA::ValueBase* create_for_unmarshal() override { return new Person; }
};

class Own : public virtual OBV_Values::Own, public virtual CORBA::DefaultValueRefCountBase {
 public:
  void marshal(CORBA::DataOutputStream& out) override {
    out.write_string(b());
    out.write_boolean(true);
    out.write_long(a());
    out.write_Value(nullptr);
  }
  void unmarshal(CORBA::DataInputStream& in) override {
    CORBA::String_var text = in.read_string();
    b(text.in());
    EXPECT_TRUE(in.read_boolean());
    a(in.read_long());
    CORBA::ValueBase_var null = in.read_Value();
    EXPECT_EQ(null.in(), nullptr);
  }
  CORBA::ValueBase* _copy_value() override { return nullptr; }
};
class OwnFactory : public CORBA::ValueFactoryBase {
 protected:
  CORBA::ValueBase* create_for_unmarshal() override { return new Own; }
};

// A second count for the caller of a servant's method.
template <typename V>
V* given(V* value) {
  return V::_duplicate(value);
}

class Server : public POA_Values::Server {
 public:
  Values::Plain* pass_plain(Values::Plain* a, Values::Plain*& b, Values::Plain_out c) override {
    if (a && a->number() == 13) throw Values::Bad(a);
    return turn(a, b, c);
  }
  // Circles are the receiver's to break: what came is kept until the end.
  ~Server() override {
    for (Values::Node_var& start : nodes_)
      while (Values::Node* const n = start.in()) {
        Values::Node_var next = given(n->next());
        n->next(nullptr);
        n->back(nullptr);
        start = next._retn();
      }
  }
  Values::Node* pass_node(Values::Node* a, Values::Node*& b, Values::Node_out c) override {
    nodes_.emplace_back(given(a));
    return turn(a, b, c);
  }
  CORBA::Long count(Values::Node* a, Values::Node* b) override {
    std::set<Values::Node*> seen;
    for (Values::Node* n : {a, b})
      for (; n && seen.insert(n).second;) n = n->next();
    // Circles are the receiver's to break.
    for (Values::Node* n : seen) n->_add_ref();
    for (Values::Node* n : seen) n->next(nullptr), n->back(nullptr);
    for (Values::Node* n : seen) n->_remove_ref();
    return static_cast<CORBA::Long>(seen.size());
  }
  Values::Base* pass_base(Values::Base* a) override { return given(a); }
  Values::Derived* pass_derived(Values::Derived* a) override { return given(a); }
  Values::Person* pass_person(Values::Person* a) override {
    a->birthday();
    return given(a);
  }
  Values::Own* pass_own(Values::Own* a) override { return given(a); }
  Values::Name* pass_name(Values::Name* a, Values::Name*& b, Values::Name_out c) override {
    return turn(a, b, c);
  }
  Values::Numbers* pass_numbers(Values::Numbers* a) override { return given(a); }
  Values::Where* pass_where(Values::Where* a) override { return given(a); }
  Values::Holder* pass_holder(const Values::Holder& a) override { return new Values::Holder(a); }
  Values::Nodes* pass_nodes(const Values::Nodes& a) override { return new Values::Nodes(a); }
  Values::Choice* pass_choice(const Values::Choice& a) override { return new Values::Choice(a); }
  CORBA::ValueBase* any_value(CORBA::ValueBase* a) override { return given(a); }
  Values::Base* cut(Values::Base*, Values::Base* b) override { return given(b); }
  void tear(Values::Node* a) override { throw Values::Torn(a, a); }
  Values::Plain* kept() override { return given(kept_.in()); }
  void kept(Values::Plain* value) override { kept_ = given(value); }

 private:
  template <typename V, typename Out>
  static V* turn(V* a, V*& b, Out& c) {
    c = b;
    b = given(a);
    return given(a);
  }
  Values::Plain_var kept_;
  std::vector<Values::Node_var> nodes_;
};

class ValueCalls : public testing::TestWithParam<Place> {
 protected:
  ValueCalls() {
    PortableServer::ServantBase_var servant = new Server;
    it = pair.activate<Values::Server>(servant.in());
    add<Values::Plain_init>("IDL:Values/Plain:1.0");
    add<Values::Node_init>("IDL:Values/Node:1.0");
    add<Values::Base_init>("IDL:Values/Base:1.0");
    add<Values::Middle_init>("IDL:Values/Middle:1.0");
    add<Values::Derived_init>("IDL:Values/Derived:1.0");
    add<PersonFactory>("IDL:Values/Person:1.0");
    add<OwnFactory>("IDL:Values/Own:1.0");
  }
  template <typename Factory>
  void add(const char* id) {
    CORBA::ValueFactory_var factory = new Factory;
    for (CORBA::ORB_ptr orb : {pair.client.in(), pair.server.in()}) {
      CORBA::ValueFactory_var old = orb->register_value_factory(id, factory.in());
    }
  }
  Pair pair{GetParam()};
  Values::Server_var it;
};
INSTANTIATE_TEST_SUITE_P(Places, ValueCalls, testing::Values(Place::Remote, Place::Collocated), place_name);

Values::Plain* make_plain(CORBA::Long number) {
  auto* const p = new OBV_Values::Plain;
  p->number(number);
  p->text("text");
  p->hue(Values::green);
  p->place().x = 5;
  p->place().label = "spot";
  p->words().length(2);
  p->words()[1] = "second word that is longer than short";
  p->cells()[0] = p->cells()[1] = 0;
  p->cells()[2] = 9;
  return p;
}

Values::Node* make_node(CORBA::Long id, Values::Node* next = nullptr) {
  auto* const n = new OBV_Values::Node;
  n->id(id);
  n->next(next);
  return n;
}

TEST_P(ValueCalls, PassStateOfEveryKind) {
  Values::Plain_var a = make_plain(1), b = make_plain(2), c;
  Values::Plain_var r = it->pass_plain(a.in(), b.inout(), c.out());
  EXPECT_EQ(r->number(), 1);
  EXPECT_STREQ(r->text(), "text");
  EXPECT_EQ(r->hue(), Values::green);
  EXPECT_STREQ(r->place().label.in(), "spot");
  EXPECT_STREQ(r->words()[1], "second word that is longer than short");
  EXPECT_EQ(r->cells()[2], 9);
  EXPECT_TRUE(CORBA::is_nil(r->other()));
  EXPECT_EQ(b->number(), 1);
  EXPECT_EQ(c->number(), 2);
  EXPECT_EQ(r.in(), b.in()) << "one value in two results is one value";
  EXPECT_NE(r.in(), a.in());
}

TEST_P(ValueCalls, PassNull) {
  Values::Plain_var b = make_plain(2), c;
  Values::Plain_var r = it->pass_plain(nullptr, b.inout(), c.out());
  EXPECT_EQ(r.in(), nullptr);
  EXPECT_EQ(b.in(), nullptr);
  EXPECT_EQ(c->number(), 2);
}

TEST_P(ValueCalls, ShareWhatIsShared) {
  Values::Node_var tail = make_node(3);
  Values::Node_var one = make_node(1, tail.in()), two = make_node(2, tail.in());
  EXPECT_EQ(it->count(one.in(), two.in()), 3);
  EXPECT_EQ(it->count(one.in(), one.in()), 2);
  EXPECT_EQ(tail->_refcount_value(), 3u);
}

TEST_P(ValueCalls, PassCircles) {
  Values::Node_var first = make_node(1);
  Values::Node_var second = make_node(2, first.in());
  first->next(second.in());
  second->back(second.in());
  EXPECT_EQ(it->count(first.in(), nullptr), 2);
  Values::Node_var b, c;
  Values::Node_var r = it->pass_node(second.in(), b.inout(), c.out());
  EXPECT_EQ(r->id(), 2);
  EXPECT_EQ(r->next()->id(), 1);
  EXPECT_EQ(r->next()->next(), r.in());
  EXPECT_EQ(r->back(), r.in());
  for (Values::Node* n : {first.in(), r->next(), r.in()}) n->next(nullptr), n->back(nullptr);
  second->back(nullptr);
  second->next(nullptr);
}

TEST_P(ValueCalls, PassLongLists) {
  Values::Node_var list;
  for (int i = 0; i < 1500; ++i) list = make_node(i, list.in());
  EXPECT_EQ(it->count(list.in(), nullptr), 1500);
}

TEST_P(ValueCalls, RefuseEndlessLists) {
  Values::Node_var list;
  for (int i = 0; i < 100'000; ++i) list = make_node(i, list.in());
  EXPECT_THROW(it->count(list.in(), nullptr), CORBA::IMP_LIMIT);
  EXPECT_THROW(list->_copy_value(), CORBA::IMP_LIMIT);
}

TEST_P(ValueCalls, PassDerivedAsBase) {
  Values::Base_var inner = new OBV_Values::Base(7);
  auto* const d = new OBV_Values::Derived;
  Values::Derived_var keep = d;
  d->a(1), d->b("middle"), d->inner(inner.in()), d->cut(inner.in()), d->c(2.5);
  Values::Base_var r = it->pass_base(d);
  Values::Derived* const same = Values::Derived::_downcast(r.in());
  ASSERT_TRUE(same);
  EXPECT_EQ(same->a(), 1);
  EXPECT_STREQ(same->b(), "middle");
  EXPECT_EQ(same->inner()->a(), 7);
  EXPECT_EQ(same->inner(), same->cut());
  EXPECT_EQ(same->c(), 2.5);
}

// One ORB has the same factories on both sides.
class CutValues : public ValueCalls {};
INSTANTIATE_TEST_SUITE_P(Places, CutValues, testing::Values(Place::Remote), place_name);

TEST_P(CutValues, AreWhatTheReceiverKnows) {
  pair.server->unregister_value_factory("IDL:Values/Derived:1.0");
  pair.server->unregister_value_factory("IDL:Values/Middle:1.0");
  Values::Base_var inner = new OBV_Values::Base(7);
  auto* const d = new OBV_Values::Derived;
  Values::Derived_var keep = d;
  d->a(1), d->b("middle"), d->inner(inner.in()), d->cut(inner.in()), d->c(2.5);
  Values::Base_var r = it->pass_base(d);
  EXPECT_EQ(r->a(), 1);
  EXPECT_EQ(Values::Derived::_downcast(r.in()), nullptr);
  EXPECT_STREQ(r->_corbel_type().id, "IDL:Values/Base:1.0");
  // What was cut off with it is referred to by the second argument.
  Values::Base_var second = it->cut(d, inner.in());
  ASSERT_TRUE(second.in());
  EXPECT_EQ(second->a(), 7);
}

TEST_P(ValueCalls, WithoutAFactoryRaiseMarshal) {
  pair.server->unregister_value_factory("IDL:Values/Base:1.0");
  Values::Base_var base = new OBV_Values::Base(7);
  try {
    Values::Base_var r = it->pass_base(base.in());
    FAIL();
  } catch (const CORBA::MARSHAL& e) {
    EXPECT_EQ(e.minor(), 0x4f4d0001u);
  }
}

TEST_P(ValueCalls, RunOperationsWhereTheyAre) {
  Values::Person_var p = new Person("Ada", 36);
  Values::Person_var r = it->pass_person(p.in());
  CORBA::String_var name = r->name();
  EXPECT_STREQ(name.in(), "Ada");
  EXPECT_EQ(r->birthday(), 38);
  EXPECT_EQ(p->birthday(), 37);
}

TEST_P(ValueCalls, MarshalThemselvesIfCustom) {
  Values::Own_var own = new Own;
  own->a(4), own->b("custom");
  Values::Own_var r = it->pass_own(own.in());
  EXPECT_EQ(r->a(), 4);
  EXPECT_STREQ(r->b(), "custom");
}

// Without a factory: the contract knows them.
TEST_P(ValueCalls, PassBoxesAsAnyValue) {
  Values::Name_var name = new Values::Name("boxed");
  CORBA::ValueBase_var r = it->any_value(name.in());
  Values::Name* const found = Values::Name::_downcast(r.in());
  ASSERT_TRUE(found);
  EXPECT_STREQ(found->_value(), "boxed");
}

TEST_P(ValueCalls, PassBoxes) {
  Values::Name_var a = new Values::Name("boxed"), b, c;
  Values::Name_var r = it->pass_name(a.in(), b.inout(), c.out());
  EXPECT_STREQ(r->_value(), "boxed");
  EXPECT_EQ(c.in(), nullptr);
  Values::Numbers_var n = new Values::Numbers;
  n->_value().length(3);
  n->_value()[2] = 5;
  Values::Numbers_var m = it->pass_numbers(n.in());
  ASSERT_EQ(m->_value().length(), 3u);
  EXPECT_EQ(m->_value()[2], 5);
  Values::Where_var w = new Values::Where;
  w->x(8);
  w->label("here");
  Values::Where_var v = it->pass_where(w.in());
  EXPECT_EQ(v->x(), 8);
  EXPECT_STREQ(v->label(), "here");
}

TEST_P(ValueCalls, PassInsideOtherTypes) {
  Values::Node_var n = make_node(4);
  Values::Holder h;
  h.one = Values::Node::_duplicate(n.in());
  h.other = Values::Node::_duplicate(n.in());
  Values::Holder_var g = it->pass_holder(h);
  EXPECT_EQ(g->one->id(), 4);
  EXPECT_EQ(g->one.in(), g->other.in());
  Values::Nodes all;
  all.length(3);
  all[0] = Values::Node::_duplicate(n.in());
  all[2] = Values::Node::_duplicate(n.in());
  Values::Nodes_var got = it->pass_nodes(all);
  EXPECT_EQ(got[1].in(), nullptr);
  EXPECT_EQ(got[0].in(), got[2].in());
  Values::Choice c;
  c.n(n.in());
  Values::Choice_var d = it->pass_choice(c);
  EXPECT_EQ(d->n()->id(), 4);
}

TEST_P(ValueCalls, PassAsValueBase) {
  Values::Plain_var p = make_plain(3);
  CORBA::ValueBase_var r = it->any_value(p.in());
  Values::Plain* const same = Values::Plain::_downcast(r.in());
  ASSERT_TRUE(same);
  EXPECT_EQ(same->number(), 3);
}

TEST_P(ValueCalls, ShareWithinAnException) {
  Values::Node_var n = make_node(4);
  try {
    it->tear(n.in());
    FAIL();
  } catch (const Values::Torn& e) {
    ASSERT_TRUE(e.one.in());
    EXPECT_EQ(e.one->id(), 4);
    EXPECT_EQ(e.one.in(), e.other.in());
  }
}

TEST_P(ValueCalls, PassInAttributesAndExceptions) {
  Values::Plain_var p = make_plain(13), b, c;
  it->kept(p.in());
  Values::Plain_var k = it->kept();
  EXPECT_EQ(k->number(), 13);
  try {
    Values::Plain_var r = it->pass_plain(p.in(), b.inout(), c.out());
    FAIL();
  } catch (const Values::Bad& e) {
    EXPECT_EQ(e.why->number(), 13);
  }
}

TEST_P(ValueCalls, CopyThemselves) {
  Values::Plain_var p = make_plain(3);
  CORBA::ValueBase_var copy = p->_copy_value();
  p->number(4);
  EXPECT_EQ(Values::Plain::_downcast(copy.in())->number(), 3);
  EXPECT_EQ(copy->_refcount_value(), 1u);
}

// Wherever the last count is, and whatever lies between.
TEST(ValuesThatHoldEachOther, AreDestroyedHoweverManyTheyAre) {
  static int left;
  struct Counted final : OBV_Values::Node {
    Counted() { ++left; }
    ~Counted() override { --left; }
  };
  Values::Node_var list;
  for (int i = 0; i < 100'000; ++i) {
    Values::Node_var node = new Counted;
    node->next(list.in());
    if (i % 3 == 0) node->back(list.in());
    list = node;
  }
  Values::Node_var middle = Values::Node::_duplicate(list.in());
  for (int i = 0; i < 50'000; ++i) middle = Values::Node::_duplicate(middle->next());
  list = nullptr;
  EXPECT_EQ(left, 50'000);
  middle = nullptr;
  EXPECT_EQ(left, 0);
}

TEST(CopiesOfValues, HaveNothingInCommonWithTheirOriginals) {
  Values::Node_var n = make_node(1, make_node(2));
  n->next()->_remove_ref();
  n->back(n->next());
  n->next()->back(n.in());
  Values::Node_var copy = Values::Node::_downcast(n->_copy_value());
  ASSERT_TRUE(copy.in());
  EXPECT_NE(copy.in(), n.in());
  EXPECT_NE(copy->next(), n->next());
  EXPECT_EQ(copy->next()->id(), 2);
  EXPECT_EQ(copy->next(), copy->back()) << "what is one value stays one";
  EXPECT_EQ(copy->next()->back(), copy.in());
  for (Values::Node* each : {n.in(), copy.in()}) each->next()->back(nullptr);
  Values::Name_var name = new Values::Name("boxed");
  Values::Name_var other = Values::Name::_downcast(name->_copy_value());
  name->_value("changed");
  EXPECT_STREQ(other->_value(), "boxed");
}

TEST(CopiesOfValues, AreOfTheClassOfTheirOriginals) {
  auto* const d = new OBV_Values::Derived;
  Values::Base_var keep = d, inner = new OBV_Values::Base(7);
  d->a(1), d->b("middle"), d->inner(inner.in()), d->cut(inner.in()), d->c(2.5);
  Values::Base_var copy = Values::Base::_downcast(keep->_copy_value());
  Values::Derived* const same = Values::Derived::_downcast(copy.in());
  ASSERT_TRUE(same);
  EXPECT_EQ(same->c(), 2.5);
  EXPECT_EQ(same->inner(), same->cut());
  EXPECT_NE(same->inner(), inner.in());
}

}  // namespace
