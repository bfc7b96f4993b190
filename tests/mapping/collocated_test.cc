// Calls to objects of the same ORB are what calls to others are, whichever way they take.
#include <corbel/location_forward.h>
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>

#include "collocated.skel.h"

namespace {

enum class Way { Direct, Adapter, Message, Remote };
const char* const kStrategies[] = {"direct", "thru_poa", "marshal", "direct"};

class Servant : public POA_Near::Object1 {
 public:
  explicit Servant(std::atomic<int>* alive = nullptr) : alive_(alive) {
    if (alive_) ++*alive_;
  }
  ~Servant() override {
    if (alive_) --*alive_;
  }
  char* which() override { return CORBA::string_dup(name.c_str()); }
  char* way() override {
    if (corbel::core::in_direct_call()) return CORBA::string_dup("a call");
    PortableServer::Current_var current =
        PortableServer::Current::_narrow(CORBA::Object_var(orb->resolve_initial_references("POACurrent")));
    (void)PortableServer::ObjectId_var(current->get_object_id());
    return CORBA::string_dup("a request");
  }
  void run(CORBA::Long what) override {
    if (during) during(what);
  }
  void fail(CORBA::Long how) override {
    switch (how) {
      case 0:
        throw Near::Refused(7, "because");
      case 1:
        throw Near::Other();
      case 2:
        throw CORBA::TRANSIENT(5, CORBA::COMPLETED_NO);
      case 3:
        throw std::runtime_error("inside");
      case 4:
        throw std::bad_alloc();
      default:
        throw how;
    }
  }
  CORBA::Long add(CORBA::Long a, CORBA::Long b) override {
    if (adding) adding();
    return a + b;
  }
  CORBA::Long many(const Near::Points& points) override {
    CORBA::Long sum = 0;
    for (CORBA::ULong i = 0; i < points.length(); ++i) sum += points[i].x;
    if (adding) adding();
    return sum;
  }
  Near::Point move(const Near::Point& by, Near::Point& place, CORBA::Long_out count) override {
    const Near::Point before = place;
    place.x += by.x;
    place.y += by.y;
    count = 3;
    if (by.x < 0) throw CORBA::BAD_PARAM();
    return before;
  }
  char* text(const char* a, CORBA::String_out b, CORBA::Long how) override {
    if (how != 1) b = CORBA::string_dup("out");
    if (how == 2) throw Near::Refused(2, "");
    return how == 0 ? CORBA::string_dup(a) : how == 3 ? nullptr : CORBA::string_dup("in");
  }
  Near::Octets* data(const Near::Octets& a, Near::Octets_out b, CORBA::Long how) override {
    if (how != 1) b = new Near::Octets(a);
    return how == 2 ? nullptr : new Near::Octets(a);
  }
  Near::Base_ptr pass(Near::Base_ptr other) override {
    kept = Near::Base::_duplicate(other);
    return Near::Base::_duplicate(given ? given.in() : other);
  }
  CORBA::Boolean same(Near::Base_ptr a) override { return a && a->_is_equivalent(seen.in()); }
  char* id() override {
    CORBA::Object_var object = orb->resolve_initial_references("POACurrent");
    PortableServer::Current_var current = PortableServer::Current::_narrow(object);
    PortableServer::ObjectId_var id = current->get_object_id();
    CORBA::Object_var mine = current->get_reference();
    CORBA::Object_var self = _this();
    EXPECT_TRUE(mine->_is_equivalent(self));
    PortableServer::ServantBase_var servant = current->get_servant();
    EXPECT_EQ(servant.in(), this);
    return PortableServer::ObjectId_to_string(id.in());
  }
  CORBA::Long level() override { return level_; }
  void level(CORBA::Long value) override { level_ = value; }
  void wide(const CORBA::WChar*) override {}

  std::string name = "servant";
  std::function<void(CORBA::Long)> during;
  std::function<void()> adding;
  CORBA::ORB_var orb;
  Near::Base_var seen, kept, given;

 private:
  CORBA::Long level_ = 0;
  std::atomic<int>* const alive_;
};

CORBA::ORB_ptr make_orb(const char* name, const char* strategy, const char* model = "pool") {
  const char* args[] = {
      "test", "-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBcollocationStrategy", strategy, "-ORBserverModel",
      model,  nullptr};
  int argc = 7;
  return CORBA::ORB_init(argc, const_cast<char**>(args), name);
}

class CollocatedCalls : public testing::TestWithParam<Way> {
 protected:
  CollocatedCalls() {
    const bool remote = GetParam() == Way::Remote;
    orb = make_orb("server", kStrategies[static_cast<int>(GetParam())]);
    client = remote ? make_orb("client", "direct") : CORBA::ORB::_duplicate(orb);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object);
    manager = root->the_POAManager();
    manager->activate();
  }
  ~CollocatedCalls() override {
    it = Near::Object1::_nil();
    manager = PortableServer::POAManager::_nil();
    if (GetParam() == Way::Remote) client->destroy();
    orb->destroy();
  }
  PortableServer::Servant_var<Servant> make(std::atomic<int>* alive = nullptr) {
    PortableServer::Servant_var<Servant> servant = new Servant(alive);
    servant->orb = orb;
    return servant;
  }
  Near::Object1_ptr reference(CORBA::Object_ptr object) {
    CORBA::String_var text = orb->object_to_string(object);
    CORBA::Object_var there = client->string_to_object(text);
    Near::Object1_var made = Near::Object1::_unchecked_narrow(there);
    made->add(1, 1);  // finds its way
    return made._retn();
  }
  void activate(Servant* servant) {
    PortableServer::ObjectId_var id = root->activate_object(servant);
    CORBA::Object_var object = root->id_to_reference(id.in());
    it = reference(object);
  }
  PortableServer::POA_ptr adapter(const char* name, const CORBA::PolicyList& policies) {
    return root->create_POA(name, manager, policies);
  }
  PortableServer::POA_ptr user_ids() {
    CORBA::PolicyList policies(1);
    policies.length(1);
    policies[0] = root->create_id_assignment_policy(PortableServer::USER_ID);
    return adapter("user", policies);
  }

  CORBA::ORB_var orb, client;
  PortableServer::POA_var root;
  PortableServer::POAManager_var manager;
  Near::Object1_var it;
};
std::string way_name(const testing::TestParamInfo<Way>& info) {
  const char* const names[] = {"Direct", "ThroughAdapter", "ByMessage", "Remote"};
  return names[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(, CollocatedCalls,
                         testing::Values(Way::Direct, Way::Adapter, Way::Message, Way::Remote), way_name);

template <typename Exception>
Exception raised(const std::function<void()>& call) {
  try {
    call();
  } catch (const Exception& e) {
    return e;
  }
  ADD_FAILURE() << "not raised";
  return Exception();
}

// Stubs and skeletons that are marshal programs make requests.
#ifdef CORBEL_TEST_PROGRAMS
constexpr bool kCompiled = false;
#else
constexpr bool kCompiled = true;
#endif

TEST_P(CollocatedCalls, TakeTheWayThatWasChosen) {
  auto servant = make();
  activate(servant);
  for (int i = 0; i < 3; ++i) {
    CORBA::String_var way = it->way();
    const bool called = kCompiled && (GetParam() == Way::Direct || GetParam() == Way::Adapter);
    EXPECT_STREQ(way.in(), called ? "a call" : "a request");
  }
  Near::Base_var base = Near::Base::_narrow(it);
  CORBA::String_var which = base->which();
  EXPECT_STREQ(which.in(), "servant");
  which = it->which();
  EXPECT_STREQ(which.in(), "servant");
}

TEST_P(CollocatedCalls, PassArgumentsAndResults) {
  auto servant = make();
  activate(servant);
  EXPECT_EQ(it->add(40, 2), 42);
  it->level(5);
  EXPECT_EQ(it->level(), 5);
  Near::Point place{1, 2.5};
  CORBA::Long count = 0;
  const Near::Point before = it->move({2, 0.5}, place, count);
  EXPECT_EQ(before.x, 1);
  EXPECT_EQ(place.x, 3);
  EXPECT_EQ(place.y, 3.0);
  EXPECT_EQ(count, 3);
  CORBA::String_var out, text = it->text("argument", out, 0);
  EXPECT_STREQ(text.in(), "argument");
  EXPECT_STREQ(out.in(), "out");
  Near::Octets octets;
  octets.length(1000);
  octets[999] = 9;
  Near::Octets_var more, back = it->data(octets, more, 0);
  EXPECT_EQ(back->length(), 1000u);
  EXPECT_EQ(back[999], 9);
  EXPECT_EQ(more[999], 9);
}

TEST_P(CollocatedCalls, RaiseWhatARemoteCallRaises) {
  auto servant = make();
  activate(servant);
  const auto refused = raised<Near::Refused>([&] { it->fail(0); });
  EXPECT_EQ(refused.code, 7);
  EXPECT_STREQ(refused.why, "because");
  const auto undeclared = raised<CORBA::UNKNOWN>([&] { it->fail(1); });
  EXPECT_EQ(undeclared.minor(), 0x4f4d0001u);
  EXPECT_EQ(undeclared.completed(), CORBA::COMPLETED_MAYBE);
  EXPECT_NE(std::string(undeclared.what()).find("does not declare"), std::string::npos) << undeclared.what();
  const auto transient = raised<CORBA::TRANSIENT>([&] { it->fail(2); });
  EXPECT_EQ(transient.minor(), 5u);
  EXPECT_EQ(transient.completed(), CORBA::COMPLETED_NO);
  EXPECT_EQ(raised<CORBA::UNKNOWN>([&] { it->fail(3); }).completed(), CORBA::COMPLETED_MAYBE);
  EXPECT_EQ(raised<CORBA::NO_MEMORY>([&] { it->fail(4); }).completed(), CORBA::COMPLETED_MAYBE);
  const auto foreign = raised<CORBA::UNKNOWN>([&] { it->fail(5); });
  EXPECT_EQ(foreign.completed(), CORBA::COMPLETED_MAYBE);
  EXPECT_NE(std::string(foreign.what()).find("none of CORBA's exceptions"), std::string::npos)
      << foreign.what();
  EXPECT_EQ(it->add(1, 2), 3);
}

TEST_P(CollocatedCalls, LeaveTheCallersVariablesAloneWhereTheyFail) {
  auto servant = make();
  activate(servant);
  Near::Point place{1, 2};
  CORBA::Long count = 8;
  EXPECT_THROW(it->move({-1, 0}, place, count), CORBA::BAD_PARAM);
  EXPECT_EQ(place.x, 1);
  EXPECT_EQ(count, 8);
  CORBA::String_var out = "before";
  EXPECT_THROW(it->text("", out, 2), Near::Refused);
  EXPECT_EQ(out.in(), nullptr);
}

TEST_P(CollocatedCalls, RefuseNullPointersWhereValuesAreDue) {
  auto servant = make();
  activate(servant);
  CORBA::String_var out;
  Near::Octets a;
  Near::Octets_var b;
  EXPECT_EQ(raised<CORBA::BAD_PARAM>([&] { it->text("", out, 1); }).completed(), CORBA::COMPLETED_YES);
  EXPECT_EQ(raised<CORBA::BAD_PARAM>([&] { it->text("", out, 3); }).completed(), CORBA::COMPLETED_YES);
  EXPECT_EQ(raised<CORBA::BAD_PARAM>([&] { it->data(a, b, 1); }).completed(), CORBA::COMPLETED_YES);
  EXPECT_EQ(raised<CORBA::BAD_PARAM>([&] { it->data(a, b, 2); }).completed(), CORBA::COMPLETED_YES);
  EXPECT_EQ(raised<CORBA::BAD_PARAM>([&] { it->text(nullptr, out, 0); }).completed(), CORBA::COMPLETED_NO);
}

TEST_P(CollocatedCalls, PassReferences) {
  auto servant = make();
  activate(servant);
  servant->seen = Near::Base::_narrow(it);
  EXPECT_TRUE(it->same(it));
  EXPECT_FALSE(it->same(Near::Base::_nil()));
  Near::Base_var back = it->pass(it);
  EXPECT_TRUE(back->_is_equivalent(it));
  back = it->pass(Near::Base::_nil());
  EXPECT_TRUE(CORBA::is_nil(back));
}

TEST_P(CollocatedCalls, MakeReferencesOfOtherOrbsTheirOwn) {
  auto servant = make();
  activate(servant);
  CORBA::ORB_var other = make_orb("other", "direct");
  CORBA::String_var text = orb->object_to_string(it);
  Near::Base_var foreign = Near::Base::_unchecked_narrow(CORBA::Object_var(other->string_to_object(text)));
  Near::Base_var passed = it->pass(foreign);
  Near::Base_var kept = servant->kept;
  servant->given = foreign;
  Near::Base_var given = it->pass(Near::Base::_nil());
  servant->given = Near::Base::_nil();
  other->destroy();
  for (const Near::Base_var& own : {passed, kept, given}) {
    CORBA::String_var which;
    ASSERT_NO_THROW(which = own->which());
    EXPECT_STREQ(which, "servant");
  }
  servant->kept = Near::Base::_nil();
}

class LocalBase : public virtual Near::Base, public virtual CORBA::LocalObject {};

TEST_P(CollocatedCalls, RefuseLocalObjects) {
  auto servant = make();
  activate(servant);
  Near::Base_var local = new LocalBase;
  EXPECT_THROW(it->pass(local), CORBA::MARSHAL);
  EXPECT_THROW(local->which(), CORBA::NO_IMPLEMENT);
}

TEST_P(CollocatedCalls, HaveACurrentTarget) {
  PortableServer::POA_var poa = user_ids();
  auto outer = make(), inner = make();
  const auto activate_as = [&](const char* name, Servant* servant) {
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(name);
    poa->activate_object_with_id(id.in(), servant);
    CORBA::Object_var object = poa->id_to_reference(id.in());
    return reference(object);
  };
  Near::Object1_var a = activate_as("a", outer), b = activate_as("b", inner);
  CORBA::String_var id = a->id();
  EXPECT_STREQ(id.in(), "a");
  outer->during = [&](CORBA::Long depth) {
    CORBA::String_var mine = outer->id();
    EXPECT_STREQ(mine.in(), "a");
    CORBA::String_var other = b->id();
    EXPECT_STREQ(other.in(), "b");
    if (depth > 0) a->run(depth - 1);
    mine = outer->id();
    EXPECT_STREQ(mine.in(), "a");
  };
  a->run(20);
  outer->during = nullptr;
  CORBA::Object_var object = orb->resolve_initial_references("POACurrent");
  PortableServer::Current_var current = PortableServer::Current::_narrow(object);
  EXPECT_THROW(current->get_object_id(), PortableServer::Current::NoContext);
}

TEST_P(CollocatedCalls, FollowDeactivationAndActivation) {
  PortableServer::POA_var poa = user_ids();
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("id");
  std::atomic<int> alive{0};
  for (int i = 0; i < 50; ++i) {
    {
      auto servant = make(&alive);
      servant->name = std::to_string(i);
      poa->activate_object_with_id(id.in(), servant);
    }
    if (i == 0) it = reference(CORBA::Object_var(poa->id_to_reference(id.in())));
    for (int n = 0; n < 3; ++n) {
      CORBA::String_var name = it->which();
      EXPECT_EQ(name.in(), std::to_string(i));
      EXPECT_EQ(it->add(i, n), i + n);
    }
    poa->deactivate_object(id.in());
    EXPECT_EQ(alive.load(), 0);
    EXPECT_THROW(it->add(1, 2), CORBA::OBJECT_NOT_EXIST);
    EXPECT_THROW(it->add(1, 2), CORBA::OBJECT_NOT_EXIST);
  }
}

TEST_P(CollocatedCalls, KeepTheServantThatDeactivatesItself) {
  PortableServer::POA_var poa = user_ids();
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("id");
  std::atomic<int> alive{0};
  {
    auto servant = make(&alive);
    servant->during = [&](CORBA::Long) {
      poa->deactivate_object(id.in());
      EXPECT_EQ(alive.load(), 1);
    };
    poa->activate_object_with_id(id.in(), servant);
    it = reference(CORBA::Object_var(poa->id_to_reference(id.in())));
  }
  it->run(0);
  for (int i = 0; i < 5000 && alive.load() != 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(alive.load(), 0);
  EXPECT_THROW(it->run(0), CORBA::OBJECT_NOT_EXIST);
}

TEST_P(CollocatedCalls, NestAndKnowTheirTargetOnTheWayBack) {
  const CORBA::Long depth = GetParam() == Way::Remote ? 3 : 40;
  PortableServer::POA_var poa = user_ids();
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("id");
  std::atomic<int> alive{0};
  int returned = 0;
  {
    auto servant = make(&alive);
    Servant* const self = servant;
    servant->during = [&, self](CORBA::Long level) {
      if (level == depth) poa->deactivate_object(id.in());
      else it->run(level + 1);
      CORBA::String_var mine = self->id();
      EXPECT_STREQ(mine.in(), "id");
      EXPECT_EQ(alive.load(), 1);
      ++returned;
    };
    poa->activate_object_with_id(id.in(), servant);
    it = reference(CORBA::Object_var(poa->id_to_reference(id.in())));
  }
  it->run(0);
  EXPECT_EQ(returned, depth + 1);
  for (int i = 0; i < 5000 && alive.load() != 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(alive.load(), 0);
  EXPECT_THROW(it->run(0), CORBA::OBJECT_NOT_EXIST);
}

// Its end is none of its upcalls.
class AsksForTheTarget : public Servant {
 public:
  explicit AsksForTheTarget(std::string& answer) : answer_(answer) {}
  ~AsksForTheTarget() override {
    CORBA::Object_var object = orb->resolve_initial_references("POACurrent");
    PortableServer::Current_var current = PortableServer::Current::_narrow(object);
    try {
      (void)PortableServer::ObjectId_var(current->get_object_id());
      answer_ = "a target";
    } catch (const PortableServer::Current::NoContext&) {
      answer_ = "no target";
    }
  }

 private:
  std::string& answer_;
};

TEST(CollocatedCallsInAReactiveServer, AreOverWhenTheLastOneEndsTheObject) {
  for (const char* const strategy : {"direct", "thru_poa", "marshal"}) {
    CORBA::ORB_var orb = make_orb("reactive", strategy, "reactive");
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    std::string answer;
    PortableServer::Servant_var<Servant> servant = new AsksForTheTarget(answer);
    servant->orb = orb;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id.in());
    Near::Object1_var it = Near::Object1::_unchecked_narrow(object);
    for (int i = 0; i < 3; ++i) it->add(1, 1);
    servant->during = [&](CORBA::Long) { poa->deactivate_object(id.in()); };
    servant = static_cast<Servant*>(nullptr);
    it->run(0);
    EXPECT_EQ(answer, "no target") << strategy;
    orb->destroy();
  }
}

TEST(CollocatedCallsToTheMainThread, GiveReferences) {
  for (const char* const strategy : {"direct", "thru_poa", "marshal"}) {
    CORBA::ORB_var orb = make_orb("main", strategy);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = root->create_thread_policy(PortableServer::MAIN_THREAD_MODEL);
    PortableServer::POA_var poa = root->create_POA("main", manager, policies);
    PortableServer::Servant_var<Servant> servant = new Servant;
    servant->orb = orb;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id.in());
    Near::Object1_var it = Near::Object1::_unchecked_narrow(object);
    servant->given = Near::Base::_duplicate(it);
    it->add(1, 1);  // finds its way
    const auto call = [&] {
      Near::Base_var given = it->pass(Near::Base::_nil());
      EXPECT_TRUE(given->_is_equivalent(it)) << strategy;
    };
    call();
    std::atomic<bool> done{false};
    std::thread other([&] {
      call();
      done = true;
    });
    while (!done)
      if (orb->work_pending()) orb->perform_work();
      else std::this_thread::yield();
    other.join();
    servant->given = Near::Base::_nil();
    orb->destroy();
  }
}

TEST_P(CollocatedCalls, GoOnWhenTheReferenceIsReleasedMeanwhile) {
  PortableServer::POA_var poa = user_ids();
  PortableServer::ObjectId_var own = PortableServer::string_to_ObjectId("id");
  auto servant = make();
  poa->activate_object_with_id(own.in(), servant);
  it = reference(CORBA::Object_var(poa->id_to_reference(own.in())));
  servant->during = [&](CORBA::Long) {
    if (GetParam() != Way::Remote) it = Near::Object1::_nil();
    CORBA::String_var id = servant->id();
  };
  it->run(0);
}

TEST_P(CollocatedCalls, MeetTheManagersState) {
  auto servant = make();
  activate(servant);
  manager->discard_requests(false);
  EXPECT_THROW(it->add(1, 2), CORBA::TRANSIENT);
  manager->activate();
  EXPECT_EQ(it->add(1, 2), 3);
  manager->hold_requests(false);
  std::atomic<bool> done{false};
  std::thread caller([&] {
    EXPECT_EQ(it->add(1, 2), 3);
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(done.load());
  manager->activate();
  caller.join();
  EXPECT_EQ(it->add(1, 3), 4);
  manager->deactivate(false, false);
  EXPECT_THROW(it->add(1, 2), CORBA::OBJ_ADAPTER);
}

TEST_P(CollocatedCalls, CannotWaitForThemselves) {
  auto servant = make();
  activate(servant);
  int refused = 0;
  servant->during = [&](CORBA::Long) {
    const auto wrong = [&](const std::function<void()>& call) {
      try {
        call();
      } catch (const CORBA::BAD_INV_ORDER&) {
        ++refused;
      }
    };
    wrong([&] { manager->hold_requests(true); });
    wrong([&] { manager->deactivate(true, true); });
    wrong([&] { root->destroy(true, true); });
    wrong([&] { orb->shutdown(true); });
  };
  it->run(0);
  EXPECT_EQ(refused, 4);
  EXPECT_EQ(it->add(1, 2), 3);
}

TEST_P(CollocatedCalls, WaitForCallsWhenAnAdapterIsDestroyed) {
  PortableServer::POA_var poa = user_ids();
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("id");
  auto servant = make();
  poa->activate_object_with_id(id.in(), servant);
  it = reference(CORBA::Object_var(poa->id_to_reference(id.in())));
  std::atomic<bool> inside{false}, over{false};
  servant->during = [&](CORBA::Long) {
    inside = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    over = true;
  };
  std::thread caller([&] { it->run(0); });
  while (!inside.load()) std::this_thread::yield();
  poa->destroy(true, true);
  EXPECT_TRUE(over.load());
  caller.join();
  EXPECT_THROW(it->add(1, 2), CORBA::OBJECT_NOT_EXIST);
}

TEST_P(CollocatedCalls, TakeTurnsInASingleThreadedAdapter) {
  CORBA::PolicyList policies(2);
  policies.length(2);
  policies[0] = root->create_thread_policy(PortableServer::SINGLE_THREAD_MODEL);
  policies[1] = root->create_implicit_activation_policy(PortableServer::IMPLICIT_ACTIVATION);
  PortableServer::POA_var poa = adapter("serial", policies);
  auto servant = make();
  CORBA::Object_var object = poa->servant_to_reference(servant);
  it = reference(object);
  int unguarded = 0;
  servant->during = [&](CORBA::Long depth) {
    ++unguarded;
    if (depth > 0) it->run(depth - 1);
  };
  const auto calls = [&] {
    for (int i = 0; i < 200; ++i) it->run(1);
  };
  std::thread other(calls);
  calls();
  other.join();
  EXPECT_EQ(unguarded, 800);
}

TEST_P(CollocatedCalls, ReachTheDefaultServant) {
  CORBA::PolicyList policies(3);
  policies.length(3);
  policies[0] = root->create_request_processing_policy(PortableServer::USE_DEFAULT_SERVANT);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  policies[2] = root->create_id_uniqueness_policy(PortableServer::MULTIPLE_ID);
  PortableServer::POA_var poa = adapter("default", policies);
  auto servant = make();
  poa->set_servant(servant);
  for (const char* const name : {"one", "two"}) {
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId(name);
    CORBA::Object_var object = poa->create_reference_with_id(id.in(), Near::Object1::_corbel_id);
    it = reference(object);
    for (int i = 0; i < 2; ++i) {
      CORBA::String_var answer = it->id();
      EXPECT_STREQ(answer.in(), name);
    }
    EXPECT_THROW(it->fail(0), Near::Refused);
    EXPECT_EQ(raised<CORBA::UNKNOWN>([&] { it->fail(1); }).minor(), 0x4f4d0001u);
    EXPECT_EQ(raised<CORBA::UNKNOWN>([&] { it->fail(3); }).completed(), CORBA::COMPLETED_MAYBE);
  }
}

class Locator : public virtual PortableServer::ServantLocator {
 public:
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    Cookie&) override {
    ++before;
    if (forward.in()) throw PortableServer::ForwardRequest(forward);
    return servant.in();
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                  PortableServer::Servant) override {
    ++after;
  }
  int before = 0, after = 0;
  CORBA::Object_var forward;
  PortableServer::Servant_var<Servant> servant;
};

TEST_P(CollocatedCalls, AskServantLocatorsAndFollowThem) {
  CORBA::PolicyList policies(3);
  policies.length(3);
  policies[0] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  policies[2] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
  PortableServer::POA_var poa = adapter("located", policies);
  auto here = make(), there = make();
  there->name = "there";
  auto* const locator = new Locator;
  PortableServer::ServantLocator_var owner = locator;
  locator->servant = here;
  poa->set_servant_manager(owner);
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("id");
  CORBA::Object_var object = poa->create_reference_with_id(id.in(), Near::Object1::_corbel_id);
  it = reference(object);
  const int before = locator->before;
  EXPECT_EQ(it->add(1, 2), 3);
  EXPECT_EQ(locator->before, before + 1);
  EXPECT_EQ(locator->after, locator->before);
  PortableServer::ObjectId_var other = root->activate_object(there);
  locator->forward = root->id_to_reference(other.in());
  for (int i = 0; i < 3; ++i) {
    CORBA::String_var name = it->which();
    EXPECT_STREQ(name.in(), "there");
  }
}

class Activator : public virtual PortableServer::ServantActivator {
 public:
  PortableServer::Servant incarnate(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    ++asked;
    if (refuses) throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO);
    if (forward.in()) throw PortableServer::ForwardRequest(forward);
    servant->_add_ref();
    return servant.in();
  }
  void etherealize(const PortableServer::ObjectId&, PortableServer::POA_ptr, PortableServer::Servant ended,
                   CORBA::Boolean, CORBA::Boolean) override {
    if (ending) ending();
    ended->_remove_ref();
  }
  std::atomic<int> asked{0};
  bool refuses = false;
  std::function<void()> ending;
  CORBA::Object_var forward;
  PortableServer::Servant_var<Servant> servant;
};

class Maker : public virtual PortableServer::AdapterActivator {
 public:
  CORBA::Boolean unknown_adapter(PortableServer::POA_ptr, const char*) override {
    ++asked;
    throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO);
  }
  int asked = 0;
};

// The end of one object calls another one that is to end behind it.
TEST_P(CollocatedCalls, OfEtherealizationsLetOthersGoOn) {
  CORBA::PolicyList policies(3);
  policies.length(3);
  policies[0] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  policies[2] = root->create_id_uniqueness_policy(PortableServer::MULTIPLE_ID);
  PortableServer::POA_var poa = adapter("activated", policies);
  auto* const activator = new Activator;
  PortableServer::ServantActivator_var owner = activator;
  activator->servant = make();
  poa->set_servant_manager(owner);
  const PortableServer::ObjectId_var first = PortableServer::string_to_ObjectId("first"),
                                     second = PortableServer::string_to_ObjectId("second");
  std::atomic<int> begun{0}, ended{0};
  std::atomic<bool> let_go{false};
  for (const auto* id : {&first, &second}) {
    CORBA::Object_var object = poa->create_reference_with_id(id->in(), Near::Object1::_corbel_id);
    it = reference(object);
  }
  activator->ending = [&] {
    if (++begun == 1) {
      while (!let_go) std::this_thread::yield();
      EXPECT_EQ(it->add(1, 1), 2);
    }
    ++ended;
  };
  poa->deactivate_object(first.in());
  poa->deactivate_object(second.in());
  let_go = true;
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (ended != 2 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
  EXPECT_EQ(ended, 2);
  if (ended != 2) return orb->shutdown(true);
  EXPECT_EQ(activator->asked, 3);
  poa->destroy(true, true);
}

TEST_P(CollocatedCalls, AskActivatorsOnce) {
  auto here = make(), there = make();
  there->name = "there";
  PortableServer::ObjectId_var other = root->activate_object(there);
  for (const auto model : {PortableServer::ORB_CTRL_MODEL, PortableServer::SINGLE_THREAD_MODEL}) {
    CORBA::PolicyList policies(4);
    policies.length(4);
    policies[0] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
    policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
    policies[2] = root->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[3] = root->create_thread_policy(model);
    PortableServer::POA_var poa = adapter("activated", policies);
    auto* const activator = new Activator;
    PortableServer::ServantActivator_var owner = activator;
    activator->servant = here;
    poa->set_servant_manager(owner);
    const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("id");
    CORBA::Object_var object = poa->create_reference_with_id(id.in(), Near::Object1::_corbel_id);
    it = reference(object);
    it->add(1, 1);
    poa->deactivate_object(id.in());
    int before = activator->asked;
    activator->refuses = true;
    EXPECT_EQ(raised<CORBA::NO_PERMISSION>([&] { it->add(1, 1); }).minor(), 5u);
    EXPECT_EQ(activator->asked, ++before);
    activator->refuses = false;
    activator->forward = root->id_to_reference(other.in());
    for (int i = 0; i < 3; ++i) EXPECT_STREQ(CORBA::String_var(it->which()).in(), "there");
    EXPECT_EQ(activator->asked, ++before);
    activator->forward = CORBA::Object::_nil();
    it = reference(object);
    it->add(1, 1);
    poa->destroy(true, true);
    auto* const maker = new Maker;
    PortableServer::AdapterActivator_var owner_of_maker = maker;
    root->the_activator(maker);
    EXPECT_EQ(raised<CORBA::OBJ_ADAPTER>([&] { it->add(1, 1); }).minor(), 0x4f4d0001u);
    EXPECT_EQ(maker->asked, 1);
    root->the_activator(PortableServer::AdapterActivator::_nil());
  }
}

TEST_P(CollocatedCalls, FollowServantsThatForward) {
  auto here = make(), there = make();
  activate(here);
  PortableServer::ObjectId_var id = root->activate_object(there);
  CORBA::Object_var to = root->id_to_reference(id.in());
  int forwarded = 0;
  here->during = [&](CORBA::Long) {
    ++forwarded;
    throw corbel::LocationForward(to);
  };
  int arrived = 0;
  there->during = [&](CORBA::Long) { ++arrived; };
  for (int i = 0; i < 3; ++i) it->run(0);
  EXPECT_EQ(arrived, 3);
  EXPECT_EQ(forwarded, 1);
  here->during = there->during = {};
}

TEST_P(CollocatedCalls, TellOfForwardsToNil) {
  auto servant = make();
  activate(servant);
  servant->during = [](CORBA::Long) { throw corbel::LocationForward(CORBA::Object::_nil()); };
  EXPECT_EQ(raised<CORBA::OBJ_ADAPTER>([&] { it->run(0); }).completed(), CORBA::COMPLETED_MAYBE);
}

// With what it has been given, and with what the other one gives.
TEST_P(CollocatedCalls, TakeResultsFromWhereServantsForward) {
  auto here = make(), there = make();
  activate(here);
  PortableServer::ObjectId_var id = root->activate_object(there);
  CORBA::Object_var to = root->id_to_reference(id.in());
  int forwarded = 0, arrived = 0;
  here->adding = [&] {
    ++forwarded;
    throw corbel::LocationForward(to, true);
  };
  there->adding = [&] { ++arrived; };
  EXPECT_EQ(it->add(2, 3), 5);
  EXPECT_EQ(it->add(4, 3), 7);
  EXPECT_EQ(forwarded, 1);
  EXPECT_EQ(arrived, 2);
  CORBA::String_var text = orb->object_to_string(to);
  CORBA::Object_var same = client->string_to_object(text);
  EXPECT_TRUE(it->_is_equivalent(same));  // it was for good
  here->adding = there->adding = {};
}

// Where they are read in place they are still what they were for the next one.
TEST_P(CollocatedCalls, TakeSequencesOfStructuresAlong) {
  auto here = make(), there = make();
  activate(here);
  PortableServer::ObjectId_var id = root->activate_object(there);
  CORBA::Object_var to = root->id_to_reference(id.in());
  here->adding = [&] { throw corbel::LocationForward(to); };
  Near::Points points;
  points.length(3);
  for (CORBA::Long i = 0; i < 3; ++i) points[static_cast<CORBA::ULong>(i)] = {10 + i, 0.5};
  EXPECT_EQ(it->many(points), 33);
  here->adding = {};
}

TEST_P(CollocatedCalls, DoNotGoRoundInCircles) {
  auto servant = make();
  activate(servant);
  CORBA::Object_var self = CORBA::Object::_duplicate(it);
  servant->during = [&](CORBA::Long) { throw corbel::LocationForward(self); };
  EXPECT_EQ(raised<CORBA::TRANSIENT>([&] { it->run(0); }).completed(), CORBA::COMPLETED_NO);
  servant->during = {};
}

TEST_P(CollocatedCalls, EndWithTheOrb) {
  auto servant = make();
  activate(servant);
  if (GetParam() == Way::Remote) return;
  orb->shutdown(false);
  EXPECT_THROW(it->add(1, 2), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(it->add(1, 2), CORBA::BAD_INV_ORDER);
}

// Callers against one who activates, deactivates, holds and discards.
TEST_P(CollocatedCalls, AreSafeAgainstWhoeverEndsObjects) {
  PortableServer::POA_var poa = user_ids();
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("id");
  std::atomic<int> alive{0}, strange{0}, good{0};
  std::atomic<bool> stop{false};
  {
    auto servant = make(&alive);
    poa->activate_object_with_id(id.in(), servant);
  }
  it = reference(CORBA::Object_var(poa->id_to_reference(id.in())));
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t)
    callers.emplace_back([&] {
      Near::Object1_var mine = Near::Object1::_duplicate(it);
      while (!stop.load()) {
        try {
          if (mine->add(3, 4) != 7) ++strange;
          CORBA::String_var name = mine->which();
          if (std::string(name.in()) != "servant") ++strange;
          ++good;
        } catch (const CORBA::OBJECT_NOT_EXIST&) {
        } catch (const CORBA::TRANSIENT&) {
        }
      }
    });
  for (int i = 0; i < 60; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (i % 3 == 0) manager->discard_requests(true);
    if (i % 3 == 1) manager->hold_requests(false);
    poa->deactivate_object(id.in());
    manager->activate();
    auto servant = make(&alive);
    for (;;) {
      try {
        poa->activate_object_with_id(id.in(), servant);
        break;
      } catch (const PortableServer::POA::ObjectAlreadyActive&) {
        std::this_thread::yield();
      }
    }
  }
  stop = true;
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(strange.load(), 0);
  EXPECT_GT(good.load(), 0);
  poa->destroy(true, true);
  EXPECT_EQ(alive.load(), 0);
}

}  // namespace
