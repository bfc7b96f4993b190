// References to object groups, made of members in ORBs of their own.
#include <corbel/groups.h>

#include <memory>
#include <utility>

#include "orb/ior/ior.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

// One of several servers that are alike.
struct Member {
  explicit Member(CORBA::Long answer, std::vector<std::string> options = {})
      : orb(make_orb(("member" + std::to_string(answer)).c_str(), on_loopback(std::move(options)))) {
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object);
    manager = root->the_POAManager();
    CORBA::PolicyList policies;
    policies.length(2);
    policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
    poa = root->create_POA("alike", manager, policies);
    servant = new Servant(answer);
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("object");
    poa->activate_object_with_id(id, servant);
    reference = poa->id_to_reference(id);
    manager->activate();
  }
  ~Member() { orb->destroy(); }

  struct Servant : EverythingServant {
    explicit Servant(CORBA::Long n) : answer(n) {}
    CORBA::Long minus(CORBA::Long) override { return answer; }
    const CORBA::Long answer;
  };
  CORBA::ORB_var orb;
  PortableServer::POA_var root, poa;
  PortableServer::POAManager_var manager;
  PortableServer::Servant_var<Servant> servant;
  CORBA::Object_var reference;
};

class Groups : public testing::Test {
 protected:
  Groups() : client(make_orb("groups-client", on_loopback())) {
    for (CORBA::Long i = 1; i <= 3; ++i) members.push_back(std::make_unique<Member>(i));
  }
  ~Groups() override { client->destroy(); }

  // Of the members in their order, as the client has them.
  std::vector<CORBA::Object_var> imported() {
    std::vector<CORBA::Object_var> all;
    for (const auto& member : members) {
      CORBA::String_var text = member->orb->object_to_string(member->reference);
      all.emplace_back(client->string_to_object(text));
    }
    return all;
  }
  Contract::Everything_var make(CORBA::ULong primary = corbel::kNoPrimary,
                                const corbel::Group& group = kGroup) {
    const auto all = imported();
    std::vector<CORBA::Object_ptr> pointers;
    for (const CORBA::Object_var& member : all) pointers.push_back(member.in());
    CORBA::Object_var object = corbel::make_group(group, pointers, primary);
    return Contract::Everything::_unchecked_narrow(object);
  }
  static inline const corbel::Group kGroup{"domain", 7, 1};

  CORBA::ORB_var client;
  std::vector<std::unique_ptr<Member>> members;
};

TEST_F(Groups, TheFirstAnswersOrThePrimary) {
  EXPECT_EQ(make()->minus(0), 1);
  EXPECT_EQ(make(2)->minus(0), 3);
}

TEST_F(Groups, OthersAnswerForMembersThatAreGone) {
  Contract::Everything_var group = make(1);
  EXPECT_EQ(group->minus(0), 2);
  members[1] = nullptr;
  EXPECT_EQ(group->minus(0), 1);
  members[0] = nullptr;
  EXPECT_EQ(group->minus(0), 3);
  EXPECT_FALSE(group->_non_existent());
  members[2] = nullptr;
  EXPECT_EQ(raised([&] { group->ping(); }), "TRANSIENT/4f4d0002/NO");
}

TEST_F(Groups, OthersAnswerForMembersThatDiscardRequests) {
  Contract::Everything_var group = make();
  EXPECT_EQ(group->minus(0), 1);
  members[0]->manager->discard_requests(true);
  EXPECT_EQ(group->minus(0), 2);
  EXPECT_EQ(group->minus(0), 2);
  // So large that it is first asked for.
  Contract::Everything_var another = make();
  Contract::Octets large, inout;
  Contract::Octets_var out;
  large.length(600'000);
  Contract::Octets_var back = another->give_octets(large, inout, out.out());
  EXPECT_EQ(back->length(), large.length());
  for (const auto& member : members) member->manager->discard_requests(true);
  EXPECT_EQ(raised_name([&] { group->ping(); }), "TRANSIENT");
}

TEST_F(Groups, AMemberThatDoesNotKnowTheObjectSpeaksForAll) {
  Contract::Everything_var group = make();
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("object");
  members[0]->poa->deactivate_object(id);
  EXPECT_EQ(raised_name([&] { group->ping(); }), "OBJECT_NOT_EXIST");
  EXPECT_TRUE(group->_non_existent());
}

// The group of the server itself and another one.
TEST_F(Groups, AMemberOfTheSameProcessIsCalledWithoutASocketAndFollowedByTheNext) {
  CORBA::String_var text = members[1]->orb->object_to_string(members[1]->reference);
  CORBA::Object_var other = members[0]->orb->string_to_object(text);
  CORBA::Object_var object = corbel::make_group(kGroup, {members[0]->reference.in(), other.in()});
  Contract::Everything_var group = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(group->minus(0), 1);
  members[0]->manager->discard_requests(true);
  EXPECT_EQ(group->minus(0), 2);
}

TEST_F(Groups, AreToldByDomainAndIdAlone) {
  Contract::Everything_var group = make(0);
  corbel::Group said;
  ASSERT_TRUE(corbel::group_of(group, said));
  EXPECT_EQ(said.domain, "domain");
  EXPECT_EQ(said.id, 7u);
  EXPECT_EQ(said.version, 1u);
  members.pop_back();
  Contract::Everything_var later = make(1, {"domain", 7, 2}), another = make(0, {"domain", 8, 1}),
                           elsewhere = make(0, {"other", 7, 1});
  EXPECT_TRUE(group->_is_equivalent(later));
  EXPECT_EQ(group->_hash(1000), later->_hash(1000));
  EXPECT_FALSE(group->_is_equivalent(another));
  EXPECT_FALSE(group->_is_equivalent(elsewhere));
  EXPECT_FALSE(corbel::group_of(imported()[0], said));
  EXPECT_EQ(said.id, 7u);
}

TEST_F(Groups, GiveTheirMembersBack) {
  const auto parts = corbel::group_members(make(2));
  ASSERT_EQ(parts.size(), 3u);
  std::vector<CORBA::Long> answers;
  corbel::Group said;
  for (const CORBA::Object_var& part : parts) {
    EXPECT_FALSE(corbel::group_of(part, said));
    Contract::Everything_var member = Contract::Everything::_unchecked_narrow(part.in());
    answers.push_back(member->minus(0));
  }
  EXPECT_EQ(answers, (std::vector<CORBA::Long>{3, 1, 2}));
  // Each is one member: when that is gone it is not another one.
  members[2] = nullptr;
  Contract::Everything_var third = Contract::Everything::_unchecked_narrow(parts[0].in());
  EXPECT_EQ(raised_name([&] { third->ping(); }), "TRANSIENT");
}

TEST_F(Groups, CanBeMadeOfGroups) {
  Contract::Everything_var group = make(2);
  CORBA::Object_var object =
      corbel::make_group({"domain", 9, 1}, {members[0]->reference.in(), group.in()}, 1);
  corbel::Group said;
  ASSERT_TRUE(corbel::group_of(object, said));
  EXPECT_EQ(said.id, 9u);
  Contract::Everything_var larger = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(larger->minus(0), 3);
}

TEST_F(Groups, SurviveAsText) {
  CORBA::String_var text = client->object_to_string(make(1));
  CORBA::Object_var object = client->string_to_object(text);
  corbel::Group said;
  EXPECT_TRUE(corbel::group_of(object, said));
  Contract::Everything_var group = Contract::Everything::_unchecked_narrow(object);
  EXPECT_EQ(group->minus(0), 2);
}

// Where all keys are the same, those who look at the first profile alone find the other members there.
TEST_F(Groups, OfServersThatAreAlikeHaveAllAddressesInTheFirstProfile) {
  CORBA::String_var text = client->object_to_string(make());
  corbel::ior::Ior ior;
  ASSERT_FALSE(corbel::ior::parse_ior(text.in(), ior));
  ASSERT_EQ(ior.profiles.size(), 3u);
  EXPECT_EQ(corbel::ior::addresses(*corbel::ior::decode_iiop(ior.profiles[0])).size(), 3u);
  EXPECT_EQ(corbel::ior::addresses(*corbel::ior::decode_iiop(ior.profiles[1])).size(), 1u);
  members.push_back(std::make_unique<Member>(4, std::vector<std::string>{"-ORBserverId", "of another name"}));
  text = client->object_to_string(make());
  ASSERT_FALSE(corbel::ior::parse_ior(text.in(), ior));
  ASSERT_EQ(ior.profiles.size(), 4u);
  EXPECT_EQ(corbel::ior::addresses(*corbel::ior::decode_iiop(ior.profiles[0])).size(), 1u);
}

TEST_F(Groups, NeedMembersThatCanBeReached) {
  const auto bad = [&](const std::vector<CORBA::Object_ptr>& list,
                       CORBA::ULong primary = corbel::kNoPrimary) {
    return raised_name([&] { CORBA::Object_var made = corbel::make_group(kGroup, list, primary); });
  };
  CORBA::Object_var member = members[0]->reference;
  CORBA::Object_var local = members[0]->orb->resolve_initial_references("RootPOA");
  EXPECT_EQ(bad({}), "BAD_PARAM");
  EXPECT_EQ(bad({member, nullptr}), "BAD_PARAM");
  EXPECT_EQ(bad({local}), "BAD_PARAM");
  EXPECT_EQ(bad({member}, 1), "BAD_PARAM");
  EXPECT_EQ(bad({member}, 0), "none");
  EXPECT_EQ(raised_name([&] { (void)corbel::group_members(nullptr); }), "BAD_PARAM");
}

}  // namespace
