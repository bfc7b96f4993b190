#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "everything.h"

namespace {

class Calls : public testing::TestWithParam<const char*> {
 protected:
  TwoOrbs orbs{"pool", GetParam()};
  Contract::Everything_ptr it = orbs.everything.in();
};
INSTANTIATE_TEST_SUITE_P(Giop, Calls, testing::Values("1.0", "1.1", "1.2"),
                         [](const auto& i) { return std::string("v1_") + i.param[2]; });

Contract::Point make_point(int n) {
  Contract::Point p;
  p.x = static_cast<CORBA::Short>(n), p.tag = 'p', p.y = n * 2, p.o = 9, p.z = n / 4.0;
  return p;
}
bool same(const Contract::Point& a, const Contract::Point& b) {
  return a.x == b.x && a.tag == b.tag && a.y == b.y && a.o == b.o && a.z == b.z;
}

TEST_P(Calls, PassNumbersOfEveryType) {
  CORBA::Long m = 41;
  CORBA::Double n = 0;
  EXPECT_EQ(it->numbers(-1, 65535, -70000, 4000000000u, -5000000000ll, 6000000000ull, 1.5f, 2.25, 200, 'A',
                        true, m, n),
            -1 + 65535 - 70000 + 4000000000ll - 5000000000ll + 6000000000ll + 200 + 'A' + 1);
  EXPECT_EQ(m, 42);
  EXPECT_EQ(n, 3.75);
}

TEST_P(Calls, PassStrings) {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  CORBA::String_var b = CORBA::string_dup("b"), c;
  CORBA::String_var r = it->text(all.c_str(), b.inout(), c.out());
  EXPECT_EQ(r.in(), all);
  EXPECT_EQ(b.in(), all);
  EXPECT_STREQ(c.in(), "b");
  const std::string large(3'000'000, 'x');
  r = it->text(large.c_str(), b.inout(), c.out());
  EXPECT_EQ(r.in(), large);
  r = it->text("", b.inout(), c.out());
  EXPECT_STREQ(r.in(), "");
}

TEST_P(Calls, RefuseStringsBeyondTheirBoundAndNull) {
  EXPECT_THROW(it->bounded("123456"), CORBA::BAD_PARAM);
  CORBA::String_var r = it->bounded("12345");
  EXPECT_STREQ(r.in(), "12345");
  EXPECT_THROW(it->bounded(nullptr), CORBA::BAD_PARAM);
}

TEST_P(Calls, PassEnumsAndStructs) {
  Contract::Color b = Contract::red, c = Contract::red;
  EXPECT_EQ(it->give_color(Contract::blue, b, c), Contract::blue);
  EXPECT_EQ(b, Contract::blue);
  EXPECT_EQ(c, Contract::red);
  Contract::Point q = make_point(8), r;
  EXPECT_TRUE(same(it->give_point(make_point(3), q, r), make_point(3)));
  EXPECT_TRUE(same(q, make_point(3)));
  EXPECT_TRUE(same(r, make_point(8)));
  Contract::Flags f{true, Contract::green}, g{false, Contract::blue}, h{};
  EXPECT_TRUE(it->give_flags(f, g, h).on);
  EXPECT_EQ(g.hue, Contract::green);
  EXPECT_EQ(h.hue, Contract::blue);
  Contract::Person p, o;
  p.name = "Ada", p.age = 36;
  p.nicknames.length(2);
  p.nicknames[0] = "A", p.nicknames[1] = "Countess";
  Contract::Person_var out;
  Contract::Person_var result = it->give_person(p, o, out.out());
  EXPECT_STREQ(result->name.in(), "Ada");
  EXPECT_STREQ(o.nicknames[1].in(), "Countess");
  EXPECT_STREQ(out->name.in(), "");
}

TEST_P(Calls, PassSequencesEmptyAndLarge) {
  for (const CORBA::ULong n : {0u, 1u, 9u, 20'000u, 200'000u}) {
    Contract::Octets a, b;
    Contract::Octets_var c;
    a.length(n);
    for (CORBA::ULong i = 0; i < n; ++i) a[i] = static_cast<CORBA::Octet>(i);
    Contract::Octets_var r = it->give_octets(a, b, c.out());
    ASSERT_EQ(r->length(), n);
    for (CORBA::ULong i = 0; i < n; ++i) ASSERT_EQ((*r)[i], static_cast<CORBA::Octet>(i));
    EXPECT_EQ(b.length(), n);
    EXPECT_EQ(c->length(), 0u);
    Contract::Points p, q;
    Contract::Points_var s;
    p.length(n);
    for (CORBA::ULong i = 0; i < n; ++i) p[i] = make_point(static_cast<int>(i));
    Contract::Points_var t = it->give_points(p, q, s.out());
    ASSERT_EQ(t->length(), n);
    for (CORBA::ULong i = 0; i < n; ++i) ASSERT_TRUE(same((*t)[i], p[i])) << i;
    for (CORBA::ULong i = 0; i < n; ++i) ASSERT_TRUE(same(q[i], p[i])) << i;
    Contract::Longs l;
    l.length(n);
    for (CORBA::ULong i = 0; i < n; ++i) l[i] = -static_cast<CORBA::Long>(i);
    Contract::Longs m;
    Contract::Longs_var o;
    Contract::Longs_var u = it->give_longs(l, m, o.out());
    ASSERT_EQ(u->length(), n);
    for (CORBA::ULong i = 0; i < n; ++i) ASSERT_EQ((*u)[i], l[i]);
  }
}

// It may be the memory that they arrived in.
TEST_P(Calls, LargeResultsAreTheCallersOwn) {
  const auto get = [&](CORBA::ULong n, CORBA::Octet first) {
    Contract::Octets a, b;
    b.length(n);
    for (CORBA::ULong i = 0; i < n; ++i) b[i] = static_cast<CORBA::Octet>(first + i);
    Contract::Octets_var c;
    Contract::Octets_var(it->give_octets(a, b, c.out()));
    return c._retn();
  };
  const auto expect = [](const Contract::Octets& octets, CORBA::ULong n, CORBA::Octet first) {
    ASSERT_EQ(octets.length(), n);
    for (CORBA::ULong i = 0; i < n; ++i) ASSERT_EQ(octets[i], static_cast<CORBA::Octet>(first + i)) << i;
  };
  Contract::Octets_var kept[8];
  for (CORBA::ULong i = 0; i < 8; ++i) kept[i] = get(40'000 * (1 + i % 4), static_cast<CORBA::Octet>(i));
  for (CORBA::ULong i = 0; i < 8; ++i)
    expect(kept[i].in(), 40'000 * (1 + i % 4), static_cast<CORBA::Octet>(i));

  const Contract::Octets copy(kept[0].in());
  kept[0]->length(100'000);
  EXPECT_EQ(kept[0].in()[99'999], 0);
  kept[0]->length(40'000);
  expect(kept[0].in(), 40'000, 0);
  expect(copy, 40'000, 0);
  CORBA::Octet* const orphan = kept[1]->get_buffer(true);
  EXPECT_EQ(orphan[79'999], static_cast<CORBA::Octet>(1 + 79'999));
  Contract::Octets::freebuf(orphan);
  std::swap(kept[2].inout(), kept[3].inout());
  kept[2].inout() = kept[4].in();
  expect(kept[2].in(), 40'000, 4);
  expect(kept[3].in(), 120'000, 2);
  kept[3]->replace(10, 10, kept[3]->get_buffer(), true);
  expect(kept[3].in(), 10, 2);
}

TEST_P(Calls, PassSequencesOfOtherThings) {
  Contract::Strings a, b;
  Contract::Strings_var c;
  a.length(3);
  a[0] = "one", a[2] = "three";
  Contract::Strings_var r = it->give_strings(a, b, c.out());
  EXPECT_STREQ(r[0u].in(), "one");
  EXPECT_STREQ(r[1u].in(), "");
  EXPECT_STREQ(b[2].in(), "three");
  Contract::Booleans t;
  t.length(2);
  t[1] = true;
  Contract::Booleans_var u = it->give_booleans(t);
  EXPECT_FALSE(u[0u]);
  EXPECT_TRUE(u[1u]);
  Contract::Chars d;
  d.length(256);
  for (CORBA::ULong i = 0; i < 256; ++i) d[i] = static_cast<char>(i);
  Contract::Chars_var e = it->give_chars(d);
  for (CORBA::ULong i = 0; i < 256; ++i) EXPECT_EQ(e[i], static_cast<char>(i));
  Contract::FewDoubles f;
  f.length(8);
  f[7] = 0.5;
  Contract::FewDoubles_var g = it->few(f);
  EXPECT_EQ(g[7u], 0.5);
  EXPECT_THROW(f.length(9), CORBA::BAD_PARAM);
  Contract::Matrix m;
  m.length(2);
  m[1].length(2);
  m[1][1] = 4;
  Contract::Matrix_var n = it->give_matrix(m);
  EXPECT_EQ(n[0u].length(), 0u);
  EXPECT_EQ(n[1u][1], 4);
  Contract::People people, inout;
  Contract::People_var out;
  people.length(2);
  people[1].name = "Grace";
  Contract::People_var got = it->give_people(people, inout, out.out());
  EXPECT_STREQ(got[1u].name.in(), "Grace");
}

TEST_P(Calls, PassArraysUnionsAndTrees) {
  Contract::Row a = {1, 2, 3, 4}, b = {5, 6, 7, 8}, c = {};
  Contract::Row_var r = it->give_row(a, b, c);
  EXPECT_EQ(r[3], 4);
  EXPECT_EQ(b[0], 1);
  EXPECT_EQ(c[0], 5);
  Contract::Names n, m;
  n[0] = "first", n[1] = "second";
  Contract::Names_var o;
  Contract::Names_var p = it->give_names(n, m, o.out());
  EXPECT_STREQ(p[1].in(), "second");
  EXPECT_STREQ(m[0].in(), "first");
  Contract::Value v, w;
  v.text("chosen");
  Contract::Value_var x;
  Contract::Value_var y = it->give_value(v, w, x.out());
  EXPECT_EQ(y->_d(), Contract::green);
  EXPECT_STREQ(y->text(), "chosen");
  EXPECT_THROW(v._d(Contract::red), CORBA::BAD_PARAM);
  v.spot(make_point(4));
  y = it->give_value(v, w, x.out());
  EXPECT_TRUE(same(y->spot(), make_point(4)));
  EXPECT_STREQ(x->text(), "chosen");
  Contract::Maybe nothing;
  Contract::Maybe_var z = it->give_maybe(nothing);
  EXPECT_FALSE(z->_d());
  Contract::Longs l;
  l.length(1);
  nothing.some(l);
  z = it->give_maybe(nothing);
  EXPECT_EQ(z->some().length(), 1u);
  Contract::Tree t;
  t.label = 1;
  t.children.length(2);
  t.children[1].children.length(1);
  t.children[1].children[0].label = 3;
  Contract::Tree_var u = it->give_tree(t);
  EXPECT_EQ(u->children[1].children[0].label, 3);
}

TEST_P(Calls, PassTreesAThousandLevelsDeepAndRefuseDeeperOnes) {
  Contract::Tree root;
  Contract::Tree* leaf = &root;
  const auto grow = [&leaf] {
    leaf->children.length(1);
    leaf = &leaf->children[0];
  };
  for (int level = 1; level < 1000; ++level) grow();
  leaf->label = 7;
  Contract::Tree_var back = it->give_tree(root);
  const Contract::Tree* end = &back.in();
  while (end->children.length() != 0) end = &end->children[0];
  EXPECT_EQ(end->label, 7);
  grow();
  EXPECT_THROW(it->give_tree(root), CORBA::MARSHAL);
}

TEST_P(Calls, PassReferencesAndCallBack) {
  PortableServer::Servant_var<CallbackServant> servant = new CallbackServant;
  PortableServer::ObjectId_var id = orbs.client_poa->activate_object(servant);
  CORBA::Object_var object = orbs.client_poa->id_to_reference(id.in());
  Contract::Callback_var callback = Contract::Callback::_narrow(object);
  EXPECT_EQ(it->call_back(callback, 20), 41);
  Contract::Callback_var b = Contract::Callback::_duplicate(callback), c;
  CORBA::Object_var r = it->reference(callback, b.inout(), c.out());
  EXPECT_TRUE(r->_is_equivalent(callback));
  EXPECT_EQ(c->twice(4), 8);
  r = it->reference(CORBA::Object::_nil(), b.inout(), c.out());
  EXPECT_TRUE(CORBA::is_nil(r));
  Contract::Callbacks list;
  list.length(2);
  list[0] = Contract::Callback::_duplicate(callback);
  Contract::Callbacks_var back = it->give_callbacks(list);
  EXPECT_EQ(back[0u]->twice(3), 6);
  EXPECT_TRUE(CORBA::is_nil(back[1u]));
}

TEST_P(Calls, RaiseWhatTheServantRaises) {
  try {
    it->refuse(3);
    FAIL();
  } catch (const Contract::Refused& e) {
    EXPECT_STREQ(e.why.in(), "because");
    EXPECT_EQ(e.code, 3);
  }
  EXPECT_THROW(it->refuse(0), Contract::Empty);
  try {
    it->fail();
    FAIL();
  } catch (const CORBA::NO_PERMISSION& e) {
    EXPECT_EQ(e.minor(), 5u);
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
  }
}

TEST_P(Calls, ReachInheritedOperationsAndAttributes) {
  EXPECT_EQ(it->minus(1), 0);
  EXPECT_EQ(it->plus(1), 2);
  EXPECT_EQ(it->count(), 7);
  it->label("new");
  CORBA::String_var label = it->label();
  EXPECT_STREQ(label.in(), "new");
  Contract::Base_var base = Contract::Base::_narrow(it);
  base->ping();
  EXPECT_TRUE(it->_is_a("IDL:Contract/Left:1.0"));
  EXPECT_FALSE(it->_is_a("IDL:Contract/Callback:1.0"));
  EXPECT_TRUE(CORBA::is_nil(Contract::Callback::_narrow(it)));
  EXPECT_FALSE(it->_non_existent());
}

TEST_P(Calls, SendOneways) {
  for (int i = 0; i < 1000; ++i) it->note(1);
  // Where one of them takes its thread long, another thread serves what is behind it.
  for (int i = 0; i < 1000 && it->noted() < 1000; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(it->noted(), 1000);
}

TEST_P(Calls, RefuseNil) {
  Contract::Everything_var nil;
  EXPECT_THROW(nil->ping(), CORBA::INV_OBJREF);
}

TEST_P(Calls, SayThatADeactivatedObjectDoesNotExist) {
  PortableServer::ObjectId_var id = orbs.poa->servant_to_id(orbs.servant);
  orbs.poa->deactivate_object(id.in());
  EXPECT_THROW(it->ping(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(it->_non_existent());
}

TEST(Orbs, AHundredRoundsOfInitAndDestroyEnd) {
  for (int i = 0; i < 100; ++i) {
    TwoOrbs orbs;
    orbs.everything->ping();
  }
}

TEST(Orbs, RefuseUseAfterDestroyAndUnknownOptions) {
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr, "short");
  orb->destroy();
  EXPECT_THROW(orb->object_to_string(CORBA::Object::_nil()), CORBA::OBJECT_NOT_EXIST);
  const char* args[] = {"test", "-ORBnoSuchThing", "1", nullptr};
  argc = 3;
  EXPECT_THROW(CORBA::ORB_init(argc, const_cast<char**>(args), "other"), CORBA::BAD_PARAM);
}

TEST(Orbs, TellClientsThatNobodyListens) {
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr, "alone");
  CORBA::Object_var object = orb->string_to_object("corbaloc::127.0.0.1:1/Nothing");
  EXPECT_THROW(object->_non_existent(), CORBA::TRANSIENT);
  orb->destroy();
}

TEST(Orbs, ReachObjectsByPlainKeys) {
  TwoOrbs orbs;
  CORBA::Object_var object = orbs.server->resolve_initial_references("omniINSPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("Everything");
  poa->activate_object_with_id(id.in(), orbs.servant);
  CORBA::Object_var local = poa->id_to_reference(id.in());
  CORBA::String_var ior = orbs.server->object_to_string(local);
  CORBA::Object_var remote = orbs.client->string_to_object(ior);
  Contract::Everything_var it = Contract::Everything::_narrow(remote);
  EXPECT_EQ(it->minus(5), 4);
}

}  // namespace
