// Abstract interfaces in real calls, between two ORBs and within one: objects and values where either may
// stand, in every passing mode. What leaks or is freed twice shows in the sanitizers' build.
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include <string>

#include "abstract.any.h"
#include "abstract.skel.h"
#include "pair.h"

namespace {

class Thing : public POA_Abs::Thing {
 public:
  char* describe(const char* how) override {
    if (!*how) throw Abs::Refused(3);
    return CORBA::string_dup((std::string("a thing, ") + how).c_str());
  }
  CORBA::Long weight() override { return weight_; }
  void weight(CORBA::Long value) override { weight_ = value; }
  CORBA::Long tag() override { return 17; }
  void nothing() override {}
  CORBA::Long own() override { return 18; }

 private:
  CORBA::Long weight_ = 5;
};

template <typename OBV>
class Writing : public virtual OBV, public virtual CORBA::DefaultValueRefCountBase {
 public:
  char* describe(const char* how) override {
    if (!*how) throw Abs::Refused(4);
    return CORBA::string_dup((std::string("a note, ") + how + ": " + this->text()).c_str());
  }
  CORBA::Long weight() override { return this->heavy(); }
  void weight(CORBA::Long value) override { this->heavy(value); }
  CORBA::Long tag() override { return 27; }
  CORBA::ValueBase* _copy_value() override { return new Writing(*this); }
};
using Note = Writing<OBV_Abs::Note>;
using Letter = Writing<OBV_Abs::Letter>;

template <typename V>
class Factory : public CORBA::ValueFactoryBase {
 protected:
  CORBA::ValueBase* create_for_unmarshal() override { return new V; }
};

Note* note(const char* text) {
  auto* const n = new Note;
  n->text(text);
  n->heavy(1);
  return n;
}

std::string said(Abs::Described_ptr d) {
  CORBA::String_var text = d ? d->describe("plainly") : CORBA::string_dup("nobody");
  return text.in();
}

class Pinned : public virtual Abs::Pinned {
 public:
  char* describe(const char* how) override { return CORBA::string_dup(how); }
  CORBA::Long weight() override { return 1; }
  void weight(CORBA::Long) override {}
  CORBA::Long tag() override { return 37; }
  void nothing() override {}
  CORBA::Long place() override { return 2; }
};

TEST(LocalObjects, ImplementWhatTheyInherit) {
  Abs::Pinned_var pinned = new Pinned;
  Abs::Listed_ptr listed = pinned.in();
  EXPECT_EQ(listed->place(), 2);
  Abs::Tagged_ptr tagged = listed;
  EXPECT_EQ(tagged->tag(), 37);
  EXPECT_EQ(said(tagged), "plainly");
  EXPECT_NO_THROW(pinned->nothing());
}

class Server : public POA_Abs::Server {
 public:
  Abs::Described_ptr pass(Abs::Described_ptr a, Abs::Described_ptr& b, Abs::Described_out c) override {
    c = b;
    b = Abs::Described::_duplicate(a);
    return Abs::Described::_duplicate(a);
  }
  Abs::All* pass_all(const Abs::All& a, Abs::All& b, Abs::All_out c) override { return on(a, b, c); }
  Abs::Pair* pass_pair(const Abs::Pair& a, Abs::Pair& b, Abs::Pair_out c) override { return on(a, b, c); }
  Abs::Maybe* pass_maybe(const Abs::Maybe& a, Abs::Maybe& b, Abs::Maybe_out c) override {
    return on(a, b, c);
  }
  CORBA::Any* pass_any(const CORBA::Any& a) override { return new CORBA::Any(a); }
  char* describe(Abs::Described_ptr a, Abs::Described_ptr b, CORBA::Boolean& one) override {
    one = a == b;
    return CORBA::string_dup((said(a) + "; " + said(b)).c_str());
  }
  void fail(Abs::Described_ptr a) override { throw Abs::Odd(a); }
  Abs::Described_ptr kept() override { return Abs::Described::_duplicate(kept_.in()); }
  void kept(Abs::Described_ptr value) override { kept_ = Abs::Described::_duplicate(value); }
  Abs::Thing_ptr get_thing() override { return thing_->_this(); }

 private:
  template <typename T, typename Out>
  static T* on(const T& a, T& b, Out& c) {
    c = new T(b);
    b = a;
    return new T(a);
  }
  Abs::Described_var kept_;
  PortableServer::Servant_var<Thing> thing_ = new Thing;
};

class AbstractCalls : public testing::TestWithParam<Place> {
 protected:
  AbstractCalls() {
    PortableServer::ServantBase_var servant = new Server;
    it = pair.activate<Abs::Server>(servant.in());
    PortableServer::ServantBase_var other = new Thing;
    thing = pair.activate<Abs::Thing>(other.in());
    add<Note>("IDL:Abs/Note:1.0");
    add<Letter>("IDL:Abs/Letter:1.0");
  }
  template <typename V>
  void add(const char* id) {
    CORBA::ValueFactory_var factory = new Factory<V>;
    for (CORBA::ORB_ptr orb : {pair.client.in(), pair.server.in()}) {
      CORBA::ValueFactory_var old = orb->register_value_factory(id, factory.in());
    }
  }
  Pair pair{GetParam()};
  Abs::Server_var it;
  Abs::Thing_var thing;
};
INSTANTIATE_TEST_SUITE_P(Places, AbstractCalls, testing::Values(Place::Remote, Place::Collocated),
                         place_name);

TEST_P(AbstractCalls, CallObjectsThroughWhatTheyInherit) {
  EXPECT_EQ(said(thing.in()), "a thing, plainly");
  EXPECT_EQ(thing->own(), 18);
  EXPECT_EQ(thing->tag(), 17);
  thing->weight(9);
  EXPECT_EQ(thing->weight(), 9);
  Abs::Described_var d = Abs::Described::_duplicate(thing.in());
  EXPECT_EQ(d->weight(), 9);
  try {
    d->describe("");
    FAIL();
  } catch (const Abs::Refused& e) {
    EXPECT_EQ(e.code, 3);
  }
}

TEST_P(AbstractCalls, PassObjectsAndValues) {
  Abs::Described_var b = note("second"), c;
  Abs::Described_var r = it->pass(thing.in(), b.inout(), c.out());
  EXPECT_EQ(said(r.in()), "a thing, plainly");
  EXPECT_EQ(said(b.in()), "a thing, plainly");
  EXPECT_EQ(said(c.in()), "a note, plainly: second");
  CORBA::Object_var object = r->_to_object();
  EXPECT_TRUE(object->_is_equivalent(thing.in()));
  CORBA::ValueBase_var none = r->_to_value();
  EXPECT_EQ(none.in(), nullptr);
  CORBA::ValueBase_var value = c->_to_value();
  EXPECT_TRUE(Abs::Note::_downcast(value.in()));
  EXPECT_TRUE(Abs::Note::_downcast(c.in()));
  object = c->_to_object();
  EXPECT_TRUE(CORBA::is_nil(object));
}

// Through raw pointers, of which the compiler is not to know what they are.
template <typename I, typename Operation>
__attribute__((no_sanitize("undefined"))) void expect_refused(Operation operation) {
  I* nil = I::_nil();
  asm("" : "+r"(nil));
  EXPECT_THROW(operation(nil), CORBA::INV_OBJREF);
}

TEST(AbstractReferences, RefuseOperationsOfNil) {
  expect_refused<Abs::Described>(
      [](auto* d) __attribute__((no_sanitize("undefined"))) { CORBA::String_var text = d->describe(""); });
  expect_refused<Abs::Described>([](auto* d) __attribute__((no_sanitize("undefined"))) { d->weight(); });
  expect_refused<Abs::Described>([](auto* d) __attribute__((no_sanitize("undefined"))) { d->weight(1); });
  expect_refused<Abs::Tagged>([](auto* t) __attribute__((no_sanitize("undefined"))) { t->tag(); });
  expect_refused<Abs::Tagged>([](auto* t) __attribute__((no_sanitize("undefined"))) { t->weight(); });
  expect_refused<Abs::Thing>([](auto* t) __attribute__((no_sanitize("undefined"))) { t->tag(); });
  expect_refused<Abs::Both>([](auto* b) __attribute__((no_sanitize("undefined"))) { b->weight(2); });
  Abs::Described_var var;
  EXPECT_THROW(var->weight(), CORBA::INV_OBJREF);
}

TEST_P(AbstractCalls, PassNil) {
  Abs::Described_var b = note("second"), c = note("third");
  Abs::Described_var r = it->pass(nullptr, b.inout(), c.out());
  EXPECT_TRUE(CORBA::is_nil(r));
  EXPECT_TRUE(CORBA::is_nil(b.in()));
  EXPECT_EQ(said(c.in()), "a note, plainly: second");
}

TEST_P(AbstractCalls, ShareValues) {
  Abs::Described_var n = note("one");
  CORBA::Boolean one = false;
  CORBA::String_var text = it->describe(n.in(), n.in(), one);
  EXPECT_STREQ(text.in(), "a note, plainly: one; a note, plainly: one");
  EXPECT_TRUE(one);
  text = it->describe(thing.in(), nullptr, one);
  EXPECT_STREQ(text.in(), "a thing, plainly; nobody");
}

TEST_P(AbstractCalls, PassThemInOtherTypes) {
  Abs::All a, b;
  a.length(3);
  a[0] = Abs::Described::_duplicate(thing.in());
  a[1] = note("in a sequence");
  Abs::All_var c;
  Abs::All_var r = it->pass_all(a, b, c.out());
  ASSERT_EQ(r->length(), 3u);
  EXPECT_EQ(said(r[0u].in()), "a thing, plainly");
  EXPECT_EQ(said(b[1].in()), "a note, plainly: in a sequence");
  EXPECT_EQ(r[1u].in(), b[1].in()) << "one value in two results is one value";
  EXPECT_EQ(said(r[2u].in()), "nobody");
  Abs::Pair p, q;
  p.n = 4;
  p.first = note("in a struct");
  p.second = Abs::Tagged::_duplicate(thing.in());
  Abs::Pair_var o;
  Abs::Pair_var s = it->pass_pair(p, q, o.out());
  EXPECT_EQ(said(s->first.in()), "a note, plainly: in a struct");
  EXPECT_EQ(s->second->tag(), 17);
  Abs::Maybe m, n;
  m.it(thing.in());
  n._default();
  Abs::Maybe_var k;
  Abs::Maybe_var u = it->pass_maybe(m, n, k.out());
  EXPECT_EQ(said(u->it()), "a thing, plainly");
}

TEST_P(AbstractCalls, PassThemInValuesAndExceptions) {
  auto* const l = new Letter;
  Abs::Described_var keep = l;
  l->text("long");
  l->about(thing.in());
  Abs::Described_var b, c;
  Abs::Described_var r = it->pass(l, b.inout(), c.out());
  Abs::Letter* const found = Abs::Letter::_downcast(r.in());
  ASSERT_TRUE(found);
  EXPECT_EQ(said(found->about()), "a thing, plainly");
  try {
    it->fail(l);
    FAIL();
  } catch (const Abs::Odd& e) {
    EXPECT_EQ(said(e.what.in()), "a note, plainly: long");
  }
}

TEST_P(AbstractCalls, KeepAttributes) {
  Abs::Described_var n = note("kept");
  it->kept(n.in());
  Abs::Described_var k = it->kept();
  EXPECT_EQ(said(k.in()), "a note, plainly: kept");
}

TEST_P(AbstractCalls, NarrowToWhatTheObjectIs) {
  Abs::Described_var b, c;
  Abs::Described_var d = it->pass(thing.in(), b.inout(), c.out());
  Abs::Tagged_var tagged = Abs::Tagged::_narrow(d.in());
  ASSERT_FALSE(CORBA::is_nil(tagged));
  EXPECT_EQ(tagged->tag(), 17);
  CORBA::Object_var object = tagged->_to_object();
  Abs::Thing_var again = Abs::Thing::_narrow(object.in());
  ASSERT_FALSE(CORBA::is_nil(again.in()));
  EXPECT_EQ(again->own(), 18);
  Abs::Other_var other = Abs::Other::_narrow(object.in());
  EXPECT_TRUE(CORBA::is_nil(other.in()));
  Abs::Described_var n = note("a value");
  tagged = Abs::Tagged::_narrow(n.in());
  EXPECT_EQ(tagged->tag(), 27);
  EXPECT_TRUE(object->_is_a("IDL:Abs/Described:1.0"));
  EXPECT_FALSE(object->_is_a("IDL:Abs/Other:1.0"));
}

TEST_P(AbstractCalls, PassAnys) {
  CORBA::Any any;
  any <<= static_cast<Abs::Described_ptr>(thing.in());
  CORBA::Any_var back = it->pass_any(any);
  Abs::Described_ptr d = nullptr;
  ASSERT_TRUE(back.in() >>= d);
  EXPECT_EQ(said(d), "a thing, plainly");
  Abs::Described_ptr n = note("in an any");
  any <<= &n;
  back = it->pass_any(any);
  ASSERT_TRUE(back.in() >>= d);
  EXPECT_EQ(said(d), "a note, plainly: in an any");
  CORBA::AbstractBase_var base;
  ASSERT_TRUE(back.in() >>= CORBA::Any::to_abstract_base(base.out()));
  CORBA::ValueBase_var value = base->_to_value();
  EXPECT_TRUE(Abs::Note::_downcast(value.in()));
  CORBA::TypeCode_var type = back->type();
  EXPECT_EQ(type->kind(), CORBA::tk_abstract_interface);
  EXPECT_STREQ(type->id(), "IDL:Abs/Described:1.0");
}

TEST(AbstractAnys, GiveWhatWasPutInAsItsBase) {
  Abs::Described_var n = note("without a factory");
  CORBA::Any any;
  any <<= n.in();
  CORBA::AbstractBase_var base;
  ASSERT_TRUE(any >>= CORBA::Any::to_abstract_base(base.out()));
  EXPECT_EQ(base.in(), static_cast<CORBA::AbstractBase_ptr>(n.in()));
}

// By the address of a variable of their common base.
TEST_P(AbstractCalls, PassAnysOfAbstractBases) {
  CORBA::AbstractBase_ptr base = thing.in();
  CORBA::Any any(Abs::_tc_Described, &base);
  ASSERT_NE(any.value(), nullptr);
  EXPECT_EQ(*static_cast<CORBA::AbstractBase_ptr const*>(any.value()), base);
  Abs::Described_ptr d = nullptr;
  ASSERT_TRUE(any >>= d);
  EXPECT_EQ(said(d), "a thing, plainly");
  CORBA::Any_var back = it->pass_any(any);
  ASSERT_TRUE(back.in() >>= d);
  EXPECT_EQ(said(d), "a thing, plainly");
  CORBA::AbstractBase_ptr given = note("given away");
  any.replace(Abs::_tc_Described, &given, true);
  CORBA::AbstractBase_var held;
  ASSERT_TRUE(any >>= CORBA::Any::to_abstract_base(held.out()));
  EXPECT_EQ(held.in(), given);
  const CORBA::Any copy(any);
  back = it->pass_any(copy);
  ASSERT_TRUE(back.in() >>= d);
  EXPECT_EQ(said(d), "a note, plainly: given away");
  CORBA::AbstractBase_ptr nil = nullptr;
  any.replace(Abs::_tc_Described, &nil);
  back = it->pass_any(any);
  ASSERT_TRUE(back.in() >>= d);
  EXPECT_EQ(said(d), "nobody");
}

// The server does not know the class of what it passes on.
TEST_P(AbstractCalls, PassAnysOfStrangeValues) {
  if (GetParam() == Place::Remote) pair.server->unregister_value_factory("IDL:Abs/Note:1.0");
  CORBA::Any any;
  Abs::Described_ptr n = note("strange");
  any <<= &n;
  CORBA::Any_var back = it->pass_any(any);
  Abs::Described_ptr d = nullptr;
  ASSERT_TRUE(back.in() >>= d);
  EXPECT_EQ(said(d), "a note, plainly: strange");
}

TEST(AbstractWire, IsABooleanAndAReferenceOrAValue) {
  Abs::Described_var n = note("x");
  corbel::cdr::Encoder out;
  out.reset();
  corbel::cpp::put_abstract(out, n.in());
  ASSERT_GT(out.size(), 8u);
  EXPECT_EQ(out.data()[0], 0);
  std::uint32_t tag;
  std::memcpy(&tag, out.data() + 4, 4);
  EXPECT_EQ(tag & 0xffffff00u, 0x7fffff00u);
  out.reset();
  corbel::cpp::put_abstract(out, static_cast<Abs::Described_ptr>(nullptr));
  ASSERT_EQ(out.size(), 8u);
  EXPECT_EQ(out.data()[0], 0);
  EXPECT_EQ(out.data()[4], 0);
}

TEST(AbstractWire, RefusesValuesThatDoNotSupportIt) {
  corbel::cdr::Encoder out;
  out.reset();
  out.put_boolean(true);
  out.put<std::uint32_t>(0xffffff);
  corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  Abs::Described_var d;
  EXPECT_FALSE(corbel::cpp::get_abstract(in, d));
  out.data()[0] = 2;
  corbel::cdr::Decoder odd(out.data(), out.data(), out.data() + out.size(), false);
  EXPECT_FALSE(corbel::cpp::get_abstract(odd, d));
}

}  // namespace
