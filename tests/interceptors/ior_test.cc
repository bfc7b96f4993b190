// IOR interceptors: components and policies in references, templates and factories, states of adapters.
#include <corbel/any.h>

#include <future>
#include <thread>

#include "tests/interceptors/support.h"

namespace {

using namespace interceptors;

constexpr CORBA::ULong kTag = 0x43420066;

IOP::TaggedComponent component(const std::string& text) {
  IOP::TaggedComponent made;
  made.tag = kTag;
  made.component_data.length(static_cast<CORBA::ULong>(text.size()));
  for (CORBA::ULong i = 0; i < text.size(); ++i) made.component_data[i] = static_cast<CORBA::Octet>(text[i]);
  return made;
}

std::string path(PI::AdapterName* adopted) {
  CORBA::StringSeq_var names = adopted;
  std::string text;
  for (CORBA::ULong i = 0; i < names->length(); ++i) text += std::string("/") + names[i].in();
  return text;
}

class Ior final : public PI::IORInterceptor_3_0 {
 public:
  typedef std::function<void(PI::IORInfo_ptr)> Script;
  explicit Ior(Record& record) : record_(record) {}
  char* name() override { return CORBA::string_dup("ior"); }
  void destroy() override { record_.add("destroy"); }
  void establish_components(PI::IORInfo_ptr info) override {
    record_.add("establish_components");
    if (establish) establish(info);
  }
  void components_established(PI::IORInfo_ptr info) override {
    PI::ObjectReferenceTemplate_var of = info->adapter_template();
    record_.add("components_established " + path(of->adapter_name()));
    if (established) established(info);
  }
  void adapter_manager_state_changed(const char* id, PI::AdapterState state) override {
    record_.add("manager " + std::to_string(state));
    manager_id = id;
  }
  void adapter_state_changed(const PI::ObjectReferenceTemplateSeq& templates,
                             PI::AdapterState state) override {
    for (CORBA::ULong i = 0; i < templates.length(); ++i)
      record_.add("adapter " + path(templates[i]->adapter_name()) + " " + std::to_string(state));
  }
  Script establish, established;
  std::string manager_id;

 private:
  Record& record_;
};

class IorPoints : public testing::Test {
 protected:
  Record record, calls;
  Ior* const interceptor = new Ior(record);
  PI::IORInterceptor_var own = interceptor;
  Client* const a = new Client("A", calls);
  PI::ClientRequestInterceptor_var own_a = a;
  OnInit client_init{"pair-client",
                     [this](PI::ORBInitInfo_ptr info) { info->add_client_request_interceptor(a); }};
  OnInit server_init{"pair-server",
                     [this](PI::ORBInitInfo_ptr info) { info->add_ior_interceptor(interceptor); }};
  // All of them in the reference that the client has.
  static Strings components(PI::ClientRequestInfo_ptr info) {
    Strings all;
    IOP::TaggedComponentSeq_var found = info->get_effective_components(kTag);
    for (CORBA::ULong i = 0; i < found->length(); ++i)
      all.emplace_back(reinterpret_cast<const char*>(found[i].component_data.get_buffer()),
                       found[i].component_data.length());
    return all;
  }
};

TEST_F(IorPoints, ComponentsReachTheClients) {
  interceptor->establish = [](PI::IORInfo_ptr info) {
    info->add_ior_component(component("one"));
    info->add_ior_component_to_profile(component("two"), IOP::TAG_INTERNET_IOP);
    EXPECT_EQ(raised([&] { info->add_ior_component_to_profile(component("three"), 0x43420001); }),
              "BAD_PARAM/4f4d001d/NO");
    EXPECT_EQ(raised([&] { info->adapter_template(); }), kNotHere);
    EXPECT_EQ(raised([&] { info->current_factory(); }), kNotHere);
  };
  Pair pair;
  EXPECT_EQ(record.take(), (Strings{"establish_components", "components_established /RootPOA", "manager 1"}));
  Strings seen;
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) { seen = components(info); };
  EXPECT_EQ(pair.remote->plus(1), 2);
  EXPECT_EQ(seen, (Strings{"one", "two"}));
}

TEST_F(IorPoints, EachAdapterHasItsOwn) {
  Pair pair;
  (void)record.take();
  std::string told;
  interceptor->establish = [&](PI::IORInfo_ptr info) {
    info->add_ior_component(component("child's"));
    CORBA::Policy_var lifespan = info->get_effective_policy(17);
    PortableServer::LifespanPolicy_var narrow = PortableServer::LifespanPolicy::_narrow(lifespan);
    ASSERT_TRUE(narrow.in());
    EXPECT_EQ(narrow->value(), PortableServer::PERSISTENT);
    CORBA::Policy_var thread = info->get_effective_policy(16);
    EXPECT_FALSE(thread.in()) << "it was given none";
    EXPECT_EQ(raised([&] { info->get_effective_policy(kTag); }), "INV_POLICY/4f4d0003/NO")
        << "nobody knows it";
    told = take(info->manager_id());
    EXPECT_EQ(info->state(), PI::ACTIVE);
  };
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = pair.poa->create_lifespan_policy(PortableServer::PERSISTENT);
  PortableServer::POAManager_var manager = pair.poa->the_POAManager();
  PortableServer::POA_var child = pair.poa->create_POA("child", manager, policies);
  EXPECT_EQ(record.take(), (Strings{"establish_components", "components_established /RootPOA/child"}));
  EXPECT_EQ(told, take(manager->get_id()));
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = child->activate_object(servant);
  CORBA::Object_var object = child->id_to_reference(id);
  CORBA::String_var ior = pair.server->object_to_string(object);
  object = pair.client->string_to_object(ior);
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  Strings seen;
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) {
    seen.clear();
    if (raised([&] { seen = components(info); }) != "none") seen = {"nothing"};
  };
  everything->ping();
  EXPECT_EQ(seen, Strings{"child's"});
  pair.remote->ping();
  EXPECT_EQ(seen, Strings{"nothing"});
}

TEST_F(IorPoints, WhatIsRaisedBeforeTheComponentsStandIsOfNoConsequence) {
  interceptor->establish = [](PI::IORInfo_ptr info) {
    info->add_ior_component(component("before"));
    throw CORBA::NO_MEMORY();
  };
  Pair pair;
  Strings seen;
  a->scripts["send_request"] = [&](PI::ClientRequestInfo_ptr info) { seen = components(info); };
  pair.remote->ping();
  EXPECT_EQ(seen, Strings{"before"});
}

TEST_F(IorPoints, WhatIsRaisedAfterwardsRefusesTheAdapter) {
  Pair pair;
  interceptor->established = [](PI::IORInfo_ptr) { throw CORBA::NO_MEMORY(); };
  EXPECT_EQ(raised([&] { pair.poa->create_POA("child", nullptr, {}); }), "OBJ_ADAPTER/4f4d0006/NO");
  EXPECT_EQ(raised([&] { pair.poa->find_POA("child", false); }), "AdapterNonExistent");
  interceptor->established = nullptr;
  PortableServer::POA_var child = pair.poa->create_POA("child", nullptr, {});
  EXPECT_TRUE(child.in());
}

TEST_F(IorPoints, ATemplateMakesReferencesOfItsAdapter) {
  Pair pair;
  PI::ObjectReferenceTemplate_var kept;
  PI::IORInfo_var info_kept;
  interceptor->established = [&](PI::IORInfo_ptr info) {
    kept = info->adapter_template();
    info_kept = PI::IORInfo::_duplicate(info);
    PI::ObjectReferenceFactory_var factory = info->current_factory();
    EXPECT_EQ(factory.in(), static_cast<PI::ObjectReferenceFactory*>(kept.in()));
    EXPECT_EQ(raised([&] { info->add_ior_component(component("late")); }), kNotHere);
  };
  PortableServer::POAManager_var manager = pair.poa->the_POAManager();
  PortableServer::POA_var child = pair.poa->create_POA("child", manager, {});
  EXPECT_EQ(path(kept->adapter_name()), "/RootPOA/child");
  EXPECT_EQ(take(kept->orb_id()), "pair-server");
  EXPECT_EQ(raised([&] { info_kept->state(); }), kNotHere);
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = child->activate_object(servant);
  CORBA::Object_var ordinary = child->id_to_reference(id);
  PI::ObjectId octets(id->length(), id->length(), id->get_buffer());
  CORBA::Object_var made = kept->make_object(Contract::Everything::_corbel_id, octets);
  EXPECT_TRUE(made->_is_equivalent(ordinary));
  EXPECT_TRUE(made->_is_a(Contract::Everything::_corbel_id));
  child->destroy(false, true);
  EXPECT_EQ(raised_name([&] { kept->make_object("", octets); }), "OBJECT_NOT_EXIST");
}

// Makes all references lead to one object, and counts them.
class Elsewhere final : public PI::ObjectReferenceFactory, public CORBA::DefaultValueRefCountBase {
 public:
  explicit Elsewhere(CORBA::Object_ptr to) : to_(CORBA::Object::_duplicate(to)) {}
  CORBA::Object_ptr make_object(const char* repository_id, const PI::ObjectId&) override {
    made.emplace_back(repository_id);
    return CORBA::Object::_duplicate(to_);
  }
  void _corbel_put_state(corbel::cdr::Encoder& out) const override {
    out.fail({corbel::SystemErrorId::MARSHAL, corbel::Completion::No, 0, nullptr});
  }
  bool _corbel_get_state(corbel::cdr::Decoder& in) override { return in.fail(); }
  Strings made;

 private:
  CORBA::Object_var to_;
};

TEST_F(IorPoints, AnotherFactoryTakesThePlaceOfTheAdapters) {
  Pair pair;
  Elsewhere* const factory = new Elsewhere(pair.local);
  PI::ObjectReferenceFactory_var own_factory = factory;
  interceptor->established = [&](PI::IORInfo_ptr info) {
    info->current_factory(factory);
    PI::ObjectReferenceFactory_var present = info->current_factory();
    EXPECT_EQ(present.in(), own_factory.in());
  };
  PortableServer::POAManager_var manager = pair.poa->the_POAManager();
  PortableServer::POA_var child = pair.poa->create_POA("child", manager, {});
  CORBA::Object_var made = child->create_reference("IDL:some/Thing:1.0");
  EXPECT_TRUE(made->_is_equivalent(pair.local));
  EXPECT_EQ(factory->made, Strings{"IDL:some/Thing:1.0"});
}

// Makes the adapter's own, and says whether it is there.
class Ordinary final : public PI::ObjectReferenceFactory, public CORBA::DefaultValueRefCountBase {
 public:
  Ordinary(PI::ObjectReferenceTemplate* adopted, bool& there) : own_(adopted), there_(there) {
    there_ = true;
  }
  ~Ordinary() override { there_ = false; }
  CORBA::Object_ptr make_object(const char* repository_id, const PI::ObjectId& id) override {
    return own_->make_object(repository_id, id);
  }
  void _corbel_put_state(corbel::cdr::Encoder& out) const override {
    out.fail({corbel::SystemErrorId::MARSHAL, corbel::Completion::No, 0, nullptr});
  }
  bool _corbel_get_state(corbel::cdr::Decoder& in) override { return in.fail(); }

 private:
  const PI::ObjectReferenceTemplate_var own_;
  bool& there_;
};

// Which is never destroyed but with its ORB, and that is kept by the template.
TEST_F(IorPoints, TheFactoryOfTheRootAdapterDoesNotKeepItsOrb) {
  bool there = false;
  interceptor->established = [&](PI::IORInfo_ptr info) {
    PI::ObjectReferenceFactory_var factory = new Ordinary(info->adapter_template(), there);
    info->current_factory(factory);
  };
  {
    Pair pair;
    EXPECT_TRUE(there);
    EXPECT_EQ(pair.remote->plus(1), 2);
  }
  EXPECT_FALSE(there);
}

TEST_F(IorPoints, StatesAreTold) {
  Pair pair;
  (void)record.take();
  PortableServer::POA_var child = pair.poa->create_POA("child", nullptr, {});
  PortableServer::POAManager_var manager = child->the_POAManager();
  manager->activate();
  EXPECT_EQ(interceptor->manager_id, take(manager->get_id()));
  manager->hold_requests(false);
  manager->discard_requests(false);
  manager->deactivate(false, false);
  child->destroy(false, true);
  EXPECT_EQ(record.take(),
            (Strings{"establish_components", "components_established /RootPOA/child", "manager 1",
                     "manager 0", "manager 2", "manager 3", "adapter /RootPOA/child 4"}));
}

TEST_F(IorPoints, TheEndIsToldOnceOfEachAdapter) {
  Pair pair;
  PortableServer::POA_var child = pair.poa->create_POA("child", nullptr, {});
  PortableServer::POA_var below = child->create_POA("below", nullptr, {});
  (void)record.take();
  below->destroy(false, true);
  child->destroy(false, false);
  child->destroy(false, true);
  EXPECT_EQ(record.take(), (Strings{"adapter /RootPOA/child/below 4", "adapter /RootPOA/child 4"}));
  child = pair.poa->create_POA("child", nullptr, {});
  below = child->create_POA("below", nullptr, {});
  (void)record.take();
  child->destroy(false, true);
  EXPECT_EQ(record.take(), (Strings{"adapter /RootPOA/child 4", "adapter /RootPOA/child/below 4"}));
}

TEST_F(IorPoints, TheEndOfTheOrbIsThatOfItsAdapters) {
  {
    Pair pair;
    PortableServer::POA_var child = pair.poa->create_POA("child", nullptr, {});
    (void)record.take();
    pair.server->shutdown(true);
    EXPECT_EQ(record.take(), (Strings{"adapter /RootPOA 4", "adapter /RootPOA/child 4"}));
  }
  EXPECT_EQ(record.take(), Strings{"destroy"});
}

TEST_F(IorPoints, NothingIsEstablishedForANameThatIsTaken) {
  Pair pair;
  PortableServer::POA_var child = pair.poa->create_POA("child", nullptr, {});
  (void)record.take();
  EXPECT_EQ(raised([&] { pair.poa->create_POA("child", nullptr, {}); }), "AdapterAlreadyExists");
  EXPECT_EQ(record.take(), Strings{});
  // Nor while the one that gets it is being made.
  interceptor->establish = [&](PI::IORInfo_ptr) {
    EXPECT_EQ(raised([&] { pair.poa->create_POA("other", nullptr, {}); }), "AdapterAlreadyExists");
  };
  child = pair.poa->create_POA("other", nullptr, {});
  EXPECT_EQ(record.take(), (Strings{"establish_components", "components_established /RootPOA/other"}));
}

TEST_F(IorPoints, TheRootIsEstablishedOnceForAllWhoAskForIt) {
  CORBA::ORB_var orb = make_orb("pair-server", on_loopback());
  const auto ask = [&] {
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    EXPECT_TRUE(root.in());
  };
  std::thread second;
  std::promise<void> asks;
  interceptor->establish = [&](PI::IORInfo_ptr) {
    EXPECT_EQ(raised([&] { ask(); }), "BAD_INV_ORDER/0/NO") << "it would wait for itself";
    second = std::thread([&] {
      asks.set_value();
      ask();
    });
    asks.get_future().wait();
    for (int i = 0; i < 100; ++i) std::this_thread::yield();  // to where the root is established
  };
  ask();
  second.join();
  EXPECT_EQ(record.take(), (Strings{"establish_components", "components_established /RootPOA"}));
  orb->destroy();
}

}  // namespace
