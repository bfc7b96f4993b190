// Questions about references: what they cost, what they remember, how they fail.
#include <atomic>
#include <set>

#include "orb/ior/ior.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

// Counts what it is asked.
class AskedServant : public EverythingServant {
 public:
  bool _is_a(const char* id) override {
    ++is_a;
    if (failing) throw CORBA::NO_RESOURCES(3, CORBA::COMPLETED_NO);
    return POA_Contract::Everything::_is_a(id);
  }
  bool _non_existent() override {
    ++non_existent;
    return false;
  }
  std::atomic<int> is_a{0}, non_existent{0};
  std::atomic<bool> failing{false};
};

class Questions : public testing::Test {
 protected:
  Questions() {
    server = make_orb("asked", on_loopback());
    client = make_orb("asking");
    poa = TwoOrbs::activate(server);
    servant = new AskedServant;
    id = poa->activate_object(servant);
    CORBA::Object_var local = poa->id_to_reference(id);
    ior = take(server->object_to_string(local));
  }
  ~Questions() override {
    client->destroy();
    server->destroy();
  }
  CORBA::Object_ptr import() { return client->string_to_object(ior.c_str()); }
  // The same object, by a reference that does not tell its type.
  CORBA::Object_ptr import_untyped() {
    corbel::ior::Ior parsed;
    EXPECT_FALSE(corbel::ior::parse_ior(ior, parsed));
    parsed.type_id.clear();
    return client->string_to_object(corbel::ior::to_string(parsed).c_str());
  }

  CORBA::ORB_var server, client;
  PortableServer::POA_var poa;
  PortableServer::Servant_var<AskedServant> servant;
  PortableServer::ObjectId_var id;
  std::string ior;
};

TEST_F(Questions, NarrowingToTheTypeThatTheReferenceTellsAsksNobody) {
  CORBA::Object_var object = import();
  Contract::Everything_var everything = Contract::Everything::_narrow(object);
  EXPECT_FALSE(CORBA::is_nil(everything));
  Contract::Base_var base = Contract::Base::_narrow(everything);  // widens
  EXPECT_FALSE(CORBA::is_nil(base));
  EXPECT_TRUE(everything->_is_a("IDL:Contract/Base:1.0"));
  EXPECT_TRUE(everything->_is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_EQ(servant->is_a, 0);
}

TEST_F(Questions, NarrowingAsksOnceAndRemembers) {
  CORBA::Object_var object = import_untyped();
  for (int i = 0; i < 3; ++i) {
    Contract::Base_var base = Contract::Base::_narrow(object);
    EXPECT_FALSE(CORBA::is_nil(base));
    EXPECT_EQ(servant->is_a, 1);
    EXPECT_TRUE(base->_is_a("IDL:Contract/Base:1.0"));
    EXPECT_TRUE(object->_is_a("IDL:Contract/Base:1.0"));
  }
  EXPECT_EQ(servant->is_a, 1);
  Contract::Everything_var everything = Contract::Everything::_narrow(object);
  EXPECT_FALSE(CORBA::is_nil(everything));
  EXPECT_EQ(servant->is_a, 2);
}

TEST_F(Questions, NarrowingToAnotherTypeGivesNil) {
  CORBA::Object_var object = import();
  Contract::Callback_var callback = Contract::Callback::_narrow(object);
  EXPECT_TRUE(CORBA::is_nil(callback));
  EXPECT_FALSE(object->_is_a("IDL:No/Such:1.0"));
  EXPECT_FALSE(object->_is_a(""));
  EXPECT_EQ(servant->is_a, 3);
}

// The stubs promise an exception where the language promises nothing.
__attribute__((no_sanitize("undefined"))) void ping_a_raw_nil() {
  Contract::Everything_ptr raw = Contract::Everything::_nil();
  raw->ping();
}

TEST_F(Questions, NarrowingNilGivesNil) {
  Contract::Everything_var nil = Contract::Everything::_narrow(CORBA::Object::_nil());
  EXPECT_TRUE(CORBA::is_nil(nil));
  nil = Contract::Everything::_unchecked_narrow(CORBA::Object::_nil());
  EXPECT_TRUE(CORBA::is_nil(nil));
  nil = Contract::Everything::_duplicate(Contract::Everything::_nil());
  EXPECT_TRUE(CORBA::is_nil(nil));
  EXPECT_EQ(raised_name([&] { nil->ping(); }), "INV_OBJREF");
  EXPECT_EQ(raised_name(ping_a_raw_nil), "INV_OBJREF");
}

TEST_F(Questions, UncheckedNarrowingAsksNobodyAndFindsOutLater) {
  CORBA::Object_var object = import_untyped();
  Contract::Callback_var callback = Contract::Callback::_unchecked_narrow(object);
  EXPECT_FALSE(CORBA::is_nil(callback));
  EXPECT_EQ(servant->is_a, 0);
  EXPECT_EQ(raised_name([&] { callback->twice(2); }), "BAD_OPERATION");
}

TEST_F(Questions, AFailureOfTheQuestionIsRaisedAndNotRemembered) {
  CORBA::Object_var object = import_untyped();
  servant->failing = true;
  EXPECT_EQ(raised([&] { Contract::Base_var base = Contract::Base::_narrow(object); }), "NO_RESOURCES/3/NO");
  servant->failing = false;
  Contract::Base_var base = Contract::Base::_narrow(object);
  EXPECT_FALSE(CORBA::is_nil(base));
  poa->deactivate_object(id);
  EXPECT_EQ(raised([&] { Contract::Callback_var c = Contract::Callback::_narrow(object); }),
            "OBJECT_NOT_EXIST/4f4d0002/NO");
  server->shutdown(true);
  EXPECT_EQ(raised([&] { Contract::Callback_var c = Contract::Callback::_narrow(object); }),
            "TRANSIENT/4f4d0002/NO");
}

TEST_F(Questions, ExistenceIsAskedEachTime) {
  CORBA::Object_var object = import();
  EXPECT_FALSE(object->_non_existent());
  EXPECT_FALSE(object->_not_existent());
  EXPECT_EQ(servant->non_existent, 2);
  poa->deactivate_object(id);
  EXPECT_TRUE(object->_non_existent());
  EXPECT_TRUE(object->_not_existent());
  server->shutdown(true);
  EXPECT_EQ(raised_name([&] { object->_non_existent(); }), "TRANSIENT");
}

// Keys of persistent objects are alike in all servers of one kind.
TEST_F(Questions, ReferencesWithOneKeyAndWithoutAPortAreToldApartByTheirComponents) {
  for (const std::string scheme : {"corbaloc:unix:/tmp/", "corbaloc:ssliop:host:"}) {
    const auto object = [&](const char* end) {
      return CORBA::Object_var(client->string_to_object((scheme + end).c_str()));
    };
    CORBA::Object_var one = object("1/k"), same = object("1/k"), another = object("2/k");
    EXPECT_TRUE(one->_is_equivalent(same));
    EXPECT_FALSE(one->_is_equivalent(another)) << scheme;
  }
}

TEST_F(Questions, ReferencesToOneObjectAreEquivalentAndHashAlike) {
  CORBA::Object_var a = import(), b = import();
  EXPECT_TRUE(a->_is_equivalent(a));
  EXPECT_TRUE(a->_is_equivalent(b));
  EXPECT_FALSE(a->_is_equivalent(CORBA::Object::_nil()));
  for (const CORBA::ULong maximum : {0u, 1u, 7u, 1000u, 0xffffffffu}) {
    EXPECT_EQ(a->_hash(maximum), b->_hash(maximum));
    EXPECT_LE(a->_hash(maximum), maximum);
  }
  std::set<CORBA::ULong> hashes;
  for (int i = 0; i < 100; ++i) {
    CORBA::Object_var other = poa->create_reference("IDL:Contract/Everything:1.0");
    EXPECT_FALSE(other->_is_equivalent(a));
    hashes.insert(other->_hash(0xffffffffu));
  }
  EXPECT_GT(hashes.size(), 95u);
}

TEST_F(Questions, TheMostDerivedTypeIsToldOrAskedFor) {
  CORBA::Object_var typed = import(), untyped = import_untyped();
  EXPECT_EQ(take(typed->_repository_id()), "IDL:Contract/Everything:1.0");
  EXPECT_EQ(take(untyped->_repository_id()), "IDL:Contract/Everything:1.0");
}

TEST_F(Questions, AnswersAreTheSameWithoutASocket) {
  CORBA::Object_var object = poa->id_to_reference(id);
  EXPECT_TRUE(object->_is_a("IDL:Contract/Base:1.0"));
  EXPECT_FALSE(object->_is_a("IDL:Contract/Callback:1.0"));
  EXPECT_FALSE(object->_non_existent());
  CORBA::Object_var untyped = poa->create_reference("");
  EXPECT_TRUE(untyped->_non_existent());
  EXPECT_EQ(raised([&] { untyped->_is_a("IDL:Contract/Base:1.0"); }), "OBJECT_NOT_EXIST/4f4d0002/NO");
  poa->deactivate_object(id);
  EXPECT_TRUE(object->_non_existent());
}

class Local : public CORBA::LocalObject {
 public:
  explicit Local(int& alive) : alive_(alive) { ++alive_; }
  ~Local() override { --alive_; }

 private:
  int& alive_;
};

TEST_F(Questions, LocalObjectsAreCountedComparedAndNeverSent) {
  int alive = 0;
  {
    CORBA::Object_var a = new Local(alive), b = new Local(alive);
    CORBA::Object_var copy = CORBA::Object::_duplicate(a);
    EXPECT_TRUE(a->_is_equivalent(copy));
    EXPECT_FALSE(a->_is_equivalent(b));
    EXPECT_FALSE(a->_non_existent());
    EXPECT_TRUE(a->_is_a("IDL:omg.org/CORBA/Object:1.0"));
    EXPECT_FALSE(a->_is_a("IDL:Contract/Base:1.0"));
    EXPECT_EQ(a->_hash(1000), copy->_hash(1000));
    Contract::Base_var base = Contract::Base::_narrow(a);
    EXPECT_TRUE(CORBA::is_nil(base));
    EXPECT_EQ(raised([&] { take(client->object_to_string(a)); }), "MARSHAL/4f4d0004/NO");
    CORBA::Object_var object = import();
    Contract::Everything_var everything = Contract::Everything::_narrow(object);
    Contract::Callback_var in_out, out;
    EXPECT_EQ(raised_name([&] { everything->reference(a, in_out.inout(), out.out()); }), "MARSHAL");
    CORBA::Object_var nothing = everything->reference(CORBA::Object::_nil(), in_out.inout(), out.out());
    EXPECT_TRUE(CORBA::is_nil(nothing));
    EXPECT_EQ(alive, 2);
  }
  EXPECT_EQ(alive, 0);
}

TEST_F(Questions, AReferenceSurvivesBeingSentAround) {
  CORBA::Object_var object = import();
  Contract::Everything_var everything = Contract::Everything::_narrow(object);
  Contract::Callback_var in_out, out;
  CORBA::Object_var back = everything->reference(object, in_out.inout(), out.out());
  EXPECT_TRUE(back->_is_equivalent(object));
  Contract::Everything_var again = Contract::Everything::_narrow(back);
  EXPECT_EQ(again->minus(4), 3);
}

}  // namespace
