// Object keys as a peer may send them: stale ones, forged ones, and whatever else it makes of those that it
// has.
#include <corbel/keys.h>

#include <cstring>
#include <map>
#include <random>

#include "orb/ior/ior.h"
#include "tests/lifecycle/bare.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

// A server of thousands of objects in adapters of every kind, each of which knows its number.
class Keys : public testing::Test {
 protected:
  static constexpr CORBA::Long kObjects = 1500;  // of each adapter
  static constexpr CORBA::Long kGone = -1;

  struct Numbered : EverythingServant {
    explicit Numbered(CORBA::Long n) : number(n) {}
    CORBA::Long count() override { return number; }
    const CORBA::Long number;
  };

  void SetUp() override {
    CORBA::PolicyList user_ids;
    user_ids.length(1);
    user_ids[0] = pair.poa->create_id_assignment_policy(PortableServer::USER_ID);
    fill(make("named", user_ids), true);
    fill(make("counted", CORBA::PolicyList()), false);
    user_ids.length(2);
    user_ids[1] = pair.poa->create_lifespan_policy(PortableServer::PERSISTENT);
    fill(make("kept", user_ids), true);
    user_ids.length(3);
    for (const corbel::KeyFormat format : {corbel::KeyFormat::OmniOrb, corbel::KeyFormat::TaoNoHints}) {
      user_ids[2] = corbel::create_key_format_policy(format);
      fill(make(format == corbel::KeyFormat::OmniOrb ? "omni" : "tao", user_ids), true);
    }
    PortableServer::POA_var gone = make("destroyed", CORBA::PolicyList());
    fill(gone, false, true);
    gone->destroy(true, true);
    PortableServer::POA_var after = make("in its place", CORBA::PolicyList());
    fill(after, false);
  }
  PortableServer::POA_var make(const char* name, const CORBA::PolicyList& policies) {
    PortableServer::POAManager_var manager = pair.poa->the_POAManager();
    return pair.poa->create_POA(name, manager, policies);
  }
  void fill(PortableServer::POA_ptr poa, bool user_id, bool to_be_destroyed = false) {
    for (CORBA::Long i = 0; i < kObjects; ++i) {
      const auto number = static_cast<CORBA::Long>(keys.size());
      PortableServer::Servant_var<Numbered> servant = new Numbered(number);
      PortableServer::ObjectId_var id;
      if (user_id) {
        id = PortableServer::string_to_ObjectId(("object" + std::to_string(i)).c_str());
        poa->activate_object_with_id(id, servant);
      } else {
        id = poa->activate_object(servant);
      }
      CORBA::Object_var object = poa->id_to_reference(id);
      CORBA::String_var text = pair.server->object_to_string(object);
      corbel::ior::Ior ior;
      ASSERT_FALSE(corbel::ior::parse_ior(text.in(), ior));
      keys.push_back(corbel::ior::decode_iiop(ior.profiles[0])->object_key);
      const bool deactivated = i % 4 == 0;
      if (deactivated) poa->deactivate_object(id);
      numbers[without_hints(keys.back())] = deactivated || to_be_destroyed ? kGone : number;
    }
  }

  // All of it counts but the hints.
  static std::string without_hints(std::string key) {
    if (key.size() >= 21 && key[0] == 1) key.erase(17, 4);
    if (key.size() < 11 || key[0] != 2) return key;
    const std::size_t path = static_cast<unsigned char>(key[5]) << 8 | static_cast<unsigned char>(key[6]);
    if (key.size() < 11 + path) return key;
    return key.erase(7 + path, 4).erase(1, 4);
  }
  CORBA::Long expected(const std::string& key) const {
    const auto i = numbers.find(without_hints(key));
    return i == numbers.end() ? kGone : i->second;
  }

  // What the object that is reached says; kGone where the answer is OBJECT_NOT_EXIST, and nothing else.
  CORBA::Long call(Bare& bare, const std::string& key) {
    bare.send(request(++id, key, "_get_count"));
    const std::string header = bare.receive(12);
    if (header.size() != 12 || header[7] != 1) return -2;
    const auto number = [](const std::string& text, std::size_t at) {
      std::uint32_t n;
      std::memcpy(&n, text.data() + at, sizeof n);
      return n;
    };
    const std::string body = bare.receive(number(header, 8));
    if (body.size() < 16 || number(body, 0) != id || number(body, 8) != 0) return -3;
    if (number(body, 4) == 0) return static_cast<CORBA::Long>(number(body, 12));
    const bool gone = body.find("IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0") == 16;
    return number(body, 4) == 2 && gone ? kGone : -4;
  }

  std::size_t random(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(engine);
  }
  std::string mutated() {
    std::string key = keys[random(keys.size())];
    const std::string& other = keys[random(keys.size())];
    for (std::size_t times = 1 + random(2); times > 0; --times) {
      const std::size_t at = random(key.size() + 1);
      switch (random(7)) {
        case 0:
          if (at < key.size()) key[at] = static_cast<char>(random(256));
          break;
        case 1:
          key.resize(at);
          break;
        case 2:
          key.insert(at, 1 + random(9), static_cast<char>(random(256)));
          break;
        case 3:
          key.erase(at, random(9));
          break;
        case 4:
          key = key.substr(0, at) + other.substr(std::min(at, other.size()));
          break;
        case 5:
          key += other;
          break;
        case 6:
          for (std::size_t i = 0; i < 4 && at + i < key.size(); ++i)
            key[at + i] = static_cast<char>(random(256));
      }
    }
    return key;
  }

  Pair pair;
  std::vector<std::string> keys;
  std::map<std::string, CORBA::Long> numbers;
  std::mt19937 engine{1122};
  std::uint32_t id = 0;
};

TEST_F(Keys, ReachTheirObjectOrNoneWhateverBecomesOfThem) {
  Bare bare(pair);
  int reached = 0, refused = 0;
  for (const std::string& key : keys)
    ASSERT_EQ(call(bare, key), expected(key)) << testing::PrintToString(key);
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = mutated();
    const CORBA::Long wanted = expected(key);
    ASSERT_EQ(call(bare, key), wanted) << "try " << i << ": " << testing::PrintToString(key);
    ++(wanted == kGone ? refused : reached);
  }
  EXPECT_GT(reached, 100);
  EXPECT_GT(refused, 5000);
  EXPECT_EQ(pair.remote->minus(3), 2);
}

TEST_F(Keys, OfAnyLengthAreAnswered) {
  Bare bare(pair);
  for (const std::string& key :
       {keys[1], keys[kObjects + 1], keys[2 * kObjects + 1], keys[3 * kObjects + 1]}) {
    for (std::size_t length = 0; length < key.size(); ++length)
      EXPECT_EQ(call(bare, key.substr(0, length)), expected(key.substr(0, length)));
    for (const std::size_t more : {1, 255, 65'535, 65'536, 1'000'000})
      EXPECT_EQ(call(bare, key + std::string(more, key[0])), kGone);
    EXPECT_EQ(call(bare, key), expected(key));
  }
}

}  // namespace
