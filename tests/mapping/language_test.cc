// Attributes that raise, structs with a base, small integers and ties, in calls between two ORBs and within
// one; local interfaces, which are called directly.
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include "natives.h"

#include "language.any.h"
#include "language.skel.h"
#include "pair.h"

namespace {

const char* const kLong = "a string that is longer than what stands inside a member";

// No base class: it is tied.
class Machine {
 public:
  explicit Machine(int* alive = nullptr) : alive_(alive) {
    if (alive_) ++*alive_;
  }
  ~Machine() {
    if (alive_) --*alive_;
  }
  CORBA::Long twice(CORBA::Long n) { return 2 * n; }
  char* title() { return CORBA::string_dup(title_); }
  void title(const char* value) { title_ = value; }
  CORBA::Long speed() {
    if (speed_ > 100) throw Lang::Worn(speed_ - 100);
    return speed_;
  }
  void speed(CORBA::Long value) {
    if (value < 0) throw Lang::Refused("too slow");
    if (value > 1000) throw Lang::Worn(value);
    speed_ = value;
  }
  char* name() { throw Lang::Worn(7); }
  Lang::Spot* move(const Lang::Spot& a, Lang::Spot& b, Lang::Spot_out c) {
    c = new Lang::Spot(b);
    auto* const result = new Lang::Spot(b);
    b = a;
    return result;
  }
  Lang::Spots* all(const Lang::Spots& a) { return new Lang::Spots(a); }
  Lang::Deep* dive(const Lang::Deep& d) { return new Lang::Deep(d); }
  CORBA::Int8 small(CORBA::Int8 a, CORBA::UInt8& b, CORBA::Int8_out c) {
    c = static_cast<CORBA::Int8>(-a);
    b = static_cast<CORBA::UInt8>(b + 1);
    return a;
  }
  Lang::Smalls* echo_smalls(const Lang::Smalls& a, Lang::Smalls& b, Lang::Tinies_out c) {
    c = new Lang::Tinies;
    c->length(a.length());
    for (CORBA::ULong i = 0; i < a.length(); ++i) c[i] = static_cast<CORBA::UInt8>(a[i]);
    auto* const result = new Lang::Smalls(b);
    b = a;
    return result;
  }
  Lang::Size echo_size(const Lang::Size& a) { return a; }
  Lang::Rights allow(Lang::Rights a, Lang::Wide& b, Lang::Rights_out c) {
    c = static_cast<Lang::Rights>(a | Lang::may_all);
    b |= Lang::far;
    return a;
  }
  Lang::Settings set(const Lang::Settings& a, Lang::Common& b, Lang::Settings_out c) {
    c = a;
    b = a;
    return a;
  }
  Lang::Rules rule(const Lang::Rules& a) { return a; }
  Lang::AllSettings* set_all(const Lang::AllSettings& a) { return new Lang::AllSettings(a); }
  Lang::Row_slice* echo_row(const Lang::Row a) { return Lang::Row_dup(a); }

 private:
  int* alive_;
  CORBA::String_var title_ = "";
  CORBA::Long speed_ = 0;
};

Lang::Spot spot(CORBA::Long x, const char* name) {
  Lang::Spot s;
  s.x = x;
  s.tag = 't';
  s.depth = 200;
  s.name = name;
  return s;
}

void expect_spot(const Lang::Spot& s, CORBA::Long x, const char* name) {
  EXPECT_EQ(s.x, x);
  EXPECT_EQ(s.tag, 't');
  EXPECT_EQ(s.depth, 200);
  EXPECT_STREQ(s.name, name);
}

class Language : public testing::TestWithParam<Place> {
 protected:
  Language() {
    PortableServer::ServantBase_var servant = new POA_Lang::Machine_tie<Machine>(new Machine);
    object_ = pair_.activate<Lang::Machine>(servant);
  }
  Pair pair_{GetParam()};
  Lang::Machine_var object_;
};
INSTANTIATE_TEST_SUITE_P(Places, Language, testing::Values(Place::Remote, Place::Collocated), place_name);

TEST_P(Language, AttributesRaiseWhatTheyDeclare) {
  object_->speed(50);
  EXPECT_EQ(object_->speed(), 50);
  object_->speed(130);
  try {
    object_->speed();
    FAIL();
  } catch (const Lang::Worn& e) {
    EXPECT_EQ(e.years, 30);
  }
  try {
    object_->speed(-1);
    FAIL();
  } catch (const Lang::Refused& e) {
    EXPECT_STREQ(e.why, "too slow");
  }
  EXPECT_THROW(object_->speed(1001), Lang::Worn);
  EXPECT_THROW(CORBA::String_var(object_->name()), Lang::Worn);
}

TEST_P(Language, AttributesOfBasesAreReached) {
  object_->title(kLong);
  EXPECT_STREQ(CORBA::String_var(object_->title()).in(), kLong);
  EXPECT_EQ(object_->twice(21), 42);
}

TEST_P(Language, StructsCarryTheMembersOfTheirBases) {
  Lang::Spot b = spot(2, kLong);
  Lang::Spot_var c;
  Lang::Spot_var result = object_->move(spot(1, "one"), b, c.out());
  expect_spot(b, 1, "one");
  expect_spot(c.in(), 2, kLong);
  expect_spot(result.in(), 2, kLong);

  Lang::Deep deep;
  static_cast<Lang::Spot&>(deep) = spot(3, "three");
  deep.more = 0.5;
  Lang::Deep_var same = object_->dive(deep);
  expect_spot(same.in(), 3, "three");
  EXPECT_EQ(same->more, 0.5);
}

TEST_P(Language, SequencesOfDerivedStructs) {
  Lang::Spots all;
  all.length(3);
  for (CORBA::ULong i = 0; i < 3; ++i) all[i] = spot(static_cast<CORBA::Long>(i), kLong);
  Lang::Spots_var back = object_->all(all);
  ASSERT_EQ(back->length(), 3u);
  for (CORBA::ULong i = 0; i < 3; ++i) expect_spot(back[i], static_cast<CORBA::Long>(i), kLong);
}

TEST_P(Language, SmallIntegersAreNumbers) {
  CORBA::UInt8 b = 254;
  CORBA::Int8 c = 0;
  EXPECT_EQ(object_->small(-128, b, c), -128);
  EXPECT_EQ(b, 255);
  EXPECT_EQ(c, -128);

  Lang::Smalls few, more;
  few.length(2);
  few[0] = -1, few[1] = 127;
  more.length(1);
  more[0] = 5;
  Lang::Tinies_var tinies;
  Lang::Smalls_var result = object_->echo_smalls(few, more, tinies.out());
  ASSERT_EQ(result->length(), 1u);
  EXPECT_EQ(result[0u], 5);
  ASSERT_EQ(more.length(), 2u);
  EXPECT_EQ(more[0], -1);
  EXPECT_EQ(tinies[0u], 255);

  Lang::Size size;
  size.small(-5);
  const Lang::Size same = object_->echo_size(size);
  EXPECT_EQ(same._d(), -1);
  EXPECT_EQ(same.small(), -5);
}

Lang::Settings settings(CORBA::Short shift) {
  Lang::Settings s{};
  s.level = 5;
  s.on = true;
  s.shift = shift;
  s.count = 0xfffff;
  return s;
}

void expect_settings(const Lang::Settings& s, CORBA::Short shift) {
  EXPECT_EQ(s.level, 5);
  EXPECT_TRUE(s.on);
  EXPECT_EQ(s.shift, shift);
  EXPECT_EQ(s.count, 0xfffffu);
}

TEST_P(Language, MasksAreNumbers) {
  Lang::Wide b = 1;
  Lang::Rights c = 0;
  EXPECT_EQ(object_->allow(Lang::may_write, b, c), 2);
  EXPECT_EQ(b, 0x8000000001u);
  EXPECT_EQ(c, 0x8002);
}

TEST_P(Language, BitFieldsTravelInOneNumber) {
  Lang::Common b{};
  Lang::Settings c{};
  expect_settings(object_->set(settings(-500), b, c), -500);
  expect_settings(c, -500);
  EXPECT_EQ(b.level, 5);

  Lang::Rules rules{};
  rules.may = Lang::may_read;
  rules.set = settings(511);
  rules.last = true;
  const Lang::Rules same = object_->rule(rules);
  expect_settings(same.set, 511);
  EXPECT_EQ(same.may, Lang::may_read);
  EXPECT_TRUE(same.last);

  Lang::AllSettings all;
  all.length(3);
  for (CORBA::ULong i = 0; i < 3; ++i) all[i] = settings(static_cast<CORBA::Short>(i));
  Lang::AllSettings_var back = object_->set_all(all);
  for (CORBA::ULong i = 0; i < 3; ++i) expect_settings(back[i], static_cast<CORBA::Short>(i));
}

TEST(BitFields, StandInTheNumberFromItsLowestBitOn) {
  corbel::cdr::Encoder out;
  out.reset();
  corbel::cdr::marshal(out, settings(-1));
  CORBA::ULongLong number;
  ASSERT_EQ(out.size(), sizeof number);
  std::memcpy(&number, out.data(), sizeof number);
  EXPECT_EQ(number, 5u | 1u << 3 | 0x3ffull << 8 | 0xfffffull << 18);
}

TEST(BitFields, GoThroughAnAnyAsTheNumber) {
  CORBA::Any any;
  any <<= settings(-7);
  Lang::Settings found{};
  ASSERT_TRUE(any >>= found);
  expect_settings(found, -7);
  CORBA::ULongLong number = 0;
  EXPECT_TRUE(any >>= number);
  EXPECT_EQ(Lang::_tc_Rights->kind(), CORBA::tk_alias);
}

TEST(UnionsOverSmallIntegers, HaveTheSameTypeCodeBehindTheWire) {
  CORBA::Any any;
  Lang::Size size;
  size.small(-5);
  any <<= size;
  corbel::cdr::Encoder out;
  out.reset();
  marshal(out, any);
  ASSERT_FALSE(out.error());
  corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  CORBA::Any received;
  ASSERT_TRUE(unmarshal(in, received));
  const CORBA::TypeCode_var type = received.type();
  EXPECT_TRUE(type->equal(Lang::_tc_Size));
  const Lang::Size* found = nullptr;
  ASSERT_TRUE(received >>= found);
  EXPECT_EQ(found->_d(), -1);
  EXPECT_EQ(found->small(), -5);
}

TEST_P(Language, ArraysUnderAnotherName) {
  Lang::Line line = {1, 2, 3};
  Lang::Line_var copy = Lang::Line_dup(line);
  Lang::Machine::InnerRow_var back = object_->echo_row(copy);
  EXPECT_EQ(back[2], 3);
}

TEST_P(Language, ReferencesKnowTheirOrb) {
  CORBA::ORB_var orb = object_->_get_orb();
  EXPECT_STREQ(CORBA::String_var(orb->id()).in(), GetParam() == Place::Remote ? "client" : "server");
  CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
  PortableServer::POAManager_var one = poa->the_POAManager();
  PortableServer::POA_var child =
      poa->create_POA("child", PortableServer::POAManager::_nil(), CORBA::PolicyList());
  PortableServer::POAManager_var other = child->the_POAManager();
  CORBA::String_var a = one->get_id(), b = one->get_id(), c = other->get_id();
  EXPECT_STREQ(a, b);
  EXPECT_STRNE(a, c);
}

// ---- ties

TEST(Tie, OwnsWhatItIsToldToOwn) {
  int alive = 0;
  {
    POA_Lang::Machine_tie<Machine> tie(new Machine(&alive));
    EXPECT_TRUE(tie._is_owner());
    tie._tied_object(new Machine(&alive));
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
  Machine mine(&alive);
  {
    POA_Lang::Machine_tie<Machine> tie(mine);
    EXPECT_FALSE(tie._is_owner());
    EXPECT_EQ(tie._tied_object(), &mine);
    tie._tied_object(new Machine(&alive), true);
    EXPECT_TRUE(tie._is_owner());
    tie._tied_object(mine);
    EXPECT_EQ(alive, 1);
  }
  {
    POA_Lang::Machine_tie<Machine> tie(&mine, false);
    EXPECT_FALSE(tie._is_owner());
  }
  auto* const given_back = new Machine(&alive);
  {
    POA_Lang::Machine_tie<Machine> tie(given_back);
    tie._is_owner(false);
  }
  EXPECT_EQ(alive, 2);
  delete given_back;
}

// ---- exceptions by name

TEST(ExceptionNarrowing, GoesByTheRepositoryId) {
  Lang::Worn worn(3);
  CORBA::Exception* const any = &worn;
  ASSERT_NE(Lang::Worn::_narrow(any), nullptr);
  EXPECT_EQ(Lang::Worn::_narrow(any)->years, 3);
  EXPECT_EQ(Lang::Worn::_downcast(static_cast<const CORBA::Exception*>(any)), &worn);
  EXPECT_EQ(Lang::Refused::_narrow(any), nullptr);
  EXPECT_EQ(Lang::Worn::_narrow(nullptr), nullptr);
  EXPECT_NE(CORBA::UserException::_narrow(any), nullptr);
  EXPECT_EQ(CORBA::SystemException::_narrow(any), nullptr);
  CORBA::BAD_PARAM bad;
  EXPECT_NE(CORBA::SystemException::_narrow(&bad), nullptr);
  EXPECT_NE(CORBA::BAD_PARAM::_narrow(&bad), nullptr);
  EXPECT_EQ(CORBA::MARSHAL::_narrow(&bad), nullptr);
  EXPECT_EQ(Lang::Worn::_narrow(&bad), nullptr);
}

// ---- arrays for an Any

TEST(ArrayForAny, PointsWithoutOwning) {
  Lang::Row row = {1, 2, 3};
  Lang::Row_forany given(row);
  EXPECT_FALSE(given.nocopy());
  given[1] = 7;
  EXPECT_EQ(row[1], 7);
  Lang::Row_forany adopted(Lang::Row_dup(row), true);
  EXPECT_TRUE(adopted.nocopy());
  Lang::Row_var keeper = adopted._retn();
  EXPECT_EQ(keeper[1], 7);
  Lang::Line_forany same = given;
  EXPECT_EQ(same.in(), static_cast<const CORBA::Long*>(row));
}

// ---- local interfaces

class GuideObject : public virtual Lang::Guide, public virtual CORBA::LocalObject {
 public:
  explicit GuideObject(int* alive) : alive_(alive) { ++*alive_; }
  ~GuideObject() override { --*alive_; }
  CORBA::Long seen() override { return seen_; }
  void seen(CORBA::Long value) override { seen_ = value; }
  void call_on(Lang::Machine_ptr m, Lang::Visit& v, Lang::Visitors_out others) override {
    if (CORBA::is_nil(m) && seen_ == 0) throw Lang::Gone(this);
    v.by = Lang::Guide::_duplicate(this);
    others = new Lang::Visitors;
    others->length(1);
    others[0] = Lang::Visitor::_duplicate(this);
    ++seen_;
  }
  Counts* counted(Lang::Cookie c, Lang::Cookie& d) override {
    d = c;
    auto* const counts = new Counts;
    counts->length(static_cast<CORBA::ULong>(c->crumbs));
    return counts;
  }
  KeyData find(KeyData k) override { return k; }
  char* language() override { return CORBA::string_dup("Welsh"); }

 private:
  int* alive_;
  CORBA::Long seen_ = 1;
};

TEST(LocalInterface, IsCalledDirectlyAndCounted) {
  int alive = 0;
  {
    Lang::Visitor_var visitor = new GuideObject(&alive);
    Lang::Visit visit;
    Lang::Visitors_var others;
    visitor->call_on(Lang::Machine::_nil(), visit, others);
    EXPECT_EQ(visitor->seen(), 2);
    ASSERT_EQ(others->length(), 1u);
    EXPECT_TRUE(visitor->_is_equivalent(others[0u]));
    Lang::Guide_var guide = Lang::Guide::_narrow(visit.by);
    ASSERT_FALSE(CORBA::is_nil(guide));
    EXPECT_STREQ(CORBA::String_var(guide->language()).in(), "Welsh");
    EXPECT_TRUE(CORBA::is_nil(Lang::Wheel_var(Lang::Wheel::_narrow(visitor)).in()));
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST(LocalInterface, RaisesExceptionsThatHoldLocalObjects) {
  int alive = 0;
  {
    Lang::Visitor_var visitor = new GuideObject(&alive);
    visitor->seen(0);
    Lang::Visit visit;
    Lang::Visitors_var others;
    try {
      visitor->call_on(Lang::Machine::_nil(), visit, others.out());
      FAIL();
    } catch (const Lang::Gone& e) {
      EXPECT_TRUE(e.by->_is_equivalent(visitor));
    }
  }
  EXPECT_EQ(alive, 0);
}

TEST(LocalInterface, PassesNativeTypesAsTheyAre) {
  int alive = 0;
  Lang::Visitor_var visitor = new GuideObject(&alive);
  Lang::CookieData data{3};
  Lang::Cookie out = nullptr;
  Lang::Visitor::Counts_var counts = visitor->counted(&data, out);
  EXPECT_EQ(out, &data);
  EXPECT_EQ(counts->length(), 3u);
  EXPECT_EQ(visitor->find(&alive), &alive);
}

// A local object of an interface that objects elsewhere have, too.
class WheelObject : public virtual Lang::Wheel {
 public:
  CORBA::Long seen() override { return 0; }
  void seen(CORBA::Long) override {}
  void call_on(Lang::Machine_ptr, Lang::Visit&, Lang::Visitors_out others) override {
    others = new Lang::Visitors;
  }
  Counts* counted(Lang::Cookie, Lang::Cookie&) override { return new Counts; }
  KeyData find(KeyData k) override { return k; }
  CORBA::Long twice(CORBA::Long n) override { return 20 * n; }
  char* title() override { return CORBA::string_dup("wheel"); }
  void title(const char*) override {}
  CORBA::Long speed() override { return 1; }
  void speed(CORBA::Long) override {}
  char* name() override { return CORBA::string_dup("wheel"); }
  Lang::Spot* move(const Lang::Spot& a, Lang::Spot&, Lang::Spot_out c) override {
    c = new Lang::Spot(a);
    return new Lang::Spot(a);
  }
  Lang::Spots* all(const Lang::Spots& a) override { return new Lang::Spots(a); }
  Lang::Deep* dive(const Lang::Deep& d) override { return new Lang::Deep(d); }
  CORBA::Int8 small(CORBA::Int8 a, CORBA::UInt8&, CORBA::Int8_out c) override { return c = a; }
  Lang::Smalls* echo_smalls(const Lang::Smalls& a, Lang::Smalls&, Lang::Tinies_out c) override {
    c = new Lang::Tinies;
    return new Lang::Smalls(a);
  }
  Lang::Size echo_size(const Lang::Size& a) override { return a; }
  Lang::Rights allow(Lang::Rights a, Lang::Wide& b, Lang::Rights_out c) override {
    c = static_cast<Lang::Rights>(a | Lang::may_all);
    b |= Lang::far;
    return a;
  }
  Lang::Settings set(const Lang::Settings& a, Lang::Common& b, Lang::Settings_out c) override {
    c = a;
    b = a;
    return a;
  }
  Lang::Rules rule(const Lang::Rules& a) override { return a; }
  Lang::AllSettings* set_all(const Lang::AllSettings& a) override { return new Lang::AllSettings(a); }
  Lang::Row_slice* echo_row(const Lang::Row a) override { return Lang::Row_dup(a); }
};

TEST(LocalInterface, ImplementsOperationsOfUnconstrainedBases) {
  Lang::Wheel_var wheel = new WheelObject;
  EXPECT_EQ(wheel->twice(2), 40);
  Lang::Machine_var machine = Lang::Machine::_narrow(wheel);
  ASSERT_FALSE(CORBA::is_nil(machine));
  // Through the base there is no way to it.
  EXPECT_THROW(machine->twice(2), CORBA::SystemException);
}

}  // namespace
