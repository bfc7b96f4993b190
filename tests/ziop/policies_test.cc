// Policies of compression where programs set them, and compressors of a program's own.
#include <corbel/compression.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "orb/core/client_connection.h"
#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/ior/ior.h"
#include "orb/ior/policies.h"
#include "tests/policies/support.h"
#include "tests/support/failing_new.h"

namespace {

using namespace policies;

constexpr Compression::CompressorId kOwn = 4711;

// Runs of equal octets as pairs of number and octet; counts what it does.
struct Counts {
  std::atomic<int> compressed{0}, expanded{0};
};

class Runs final : public Compression::Compressor {
 public:
  Runs(Compression::CompressorFactory_ptr factory, Counts& counts, bool broken)
      : factory_(Compression::CompressorFactory::_duplicate(factory)), counts_(counts), broken_(broken) {}
  void compress(const Compression::Buffer& source, Compression::Buffer& target) override {
    ++counts_.compressed;
    if (broken_) throw Compression::CompressionException(1, "broken");
    Compression::Buffer result;
    result.length(2 * source.length());
    CORBA::ULong at = 0;
    for (CORBA::ULong i = 0; i < source.length();) {
      CORBA::ULong n = 1;
      while (n < 255 && i + n < source.length() && source[i + n] == source[i]) ++n;
      result[at++] = static_cast<CORBA::Octet>(n);
      result[at++] = source[i];
      i += n;
    }
    result.length(at);
    target = result;
  }
  void decompress(const Compression::Buffer& source, Compression::Buffer& target) override {
    ++counts_.expanded;
    CORBA::ULong at = 0;
    for (CORBA::ULong i = 0; i + 1 < source.length(); i += 2)
      for (CORBA::ULong n = source[i]; n != 0; --n) {
        if (at == target.length()) throw Compression::CompressionException(2, "too long");
        target[at++] = source[i + 1];
      }
    target.length(at);
  }
  Compression::CompressorFactory_ptr compressor_factory() override {
    return Compression::CompressorFactory::_duplicate(factory_);
  }
  Compression::CompressionLevel compression_level() override { return 0; }
  CORBA::ULongLong compressed_bytes() override { return 0; }
  CORBA::ULongLong uncompressed_bytes() override { return 0; }
  Compression::CompressionRatio compression_ratio() override { return 1; }

 private:
  Compression::CompressorFactory_var factory_;
  Counts& counts_;
  const bool broken_;
};

class RunsFactory final : public Compression::CompressorFactory {
 public:
  RunsFactory(Counts& counts, bool broken) : counts_(counts), broken_(broken) {}
  Compression::CompressorId compressor_id() override { return kOwn; }
  Compression::Compressor_ptr get_compressor(Compression::CompressionLevel) override {
    return new Runs(this, counts_, broken_);
  }

 private:
  Counts& counts_;
  const bool broken_;
};

// A program's own compressor: looks at the memory that it is given to expand to.
class Looking final : public Compression::Compressor {
 public:
  explicit Looking(std::size_t& resident) : resident_(resident) {}
  void decompress(const Compression::Buffer&, Compression::Buffer& target) override {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(target.get_buffer()) + page - 1) & -page;
    std::vector<unsigned char> pages(target.length() / page - 1);
    ASSERT_EQ(mincore(reinterpret_cast<void*>(begin), pages.size() * page, pages.data()), 0);
    resident_ = 0;
    for (const unsigned char p : pages)
      if ((p & 1) != 0) resident_ += page;
    target.length(0);
  }
  void compress(const Compression::Buffer&, Compression::Buffer&) override {}
  Compression::CompressorFactory_ptr compressor_factory() override { return nullptr; }
  Compression::CompressionLevel compression_level() override { return 0; }
  CORBA::ULongLong compressed_bytes() override { return 0; }
  CORBA::ULongLong uncompressed_bytes() override { return 0; }
  Compression::CompressionRatio compression_ratio() override { return 1; }

 private:
  std::size_t& resident_;
};

class LookingFactory final : public Compression::CompressorFactory {
 public:
  explicit LookingFactory(std::size_t& resident) : resident_(resident) {}
  Compression::CompressorId compressor_id() override { return 4712; }
  Compression::Compressor_ptr get_compressor(Compression::CompressionLevel) override {
    return new Looking(resident_);
  }

 private:
  std::size_t& resident_;
};

Compression::CompressorFactory_var runs(Counts& counts, bool broken = false) {
  return new RunsFactory(counts, broken);
}

Compression::CompressionManager_var compressors(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("CompressionManager");
  return Compression::CompressionManager::_narrow(object);
}

CORBA::Policy_var enabling(CORBA::ORB_ptr orb, bool enabled = true) {
  CORBA::Any any;
  any <<= CORBA::Any::from_boolean(enabled);
  return orb->create_policy(ZIOP::COMPRESSION_ENABLING_POLICY_ID, any);
}
CORBA::Policy_var with_list(CORBA::ORB_ptr orb, const std::vector<Compression::CompressorIdLevel>& all) {
  Compression::CompressorIdLevelList ids;
  ids.length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < all.size(); ++i) ids[i] = all[i];
  return policy(orb, ZIOP::COMPRESSOR_ID_LEVEL_LIST_POLICY_ID, ids);
}
CORBA::Policy_var low_value(CORBA::ORB_ptr orb, CORBA::ULong octets) {
  return policy(orb, ZIOP::COMPRESSION_LOW_VALUE_POLICY_ID, octets);
}
CORBA::Policy_var min_ratio(CORBA::ORB_ptr orb, CORBA::Float ratio) {
  return policy(orb, ZIOP::COMPRESSION_MIN_RATIO_POLICY_ID, ratio);
}

// A server with an adapter whose policies allow our own compressor, and a client.
class CompressionPolicies : public testing::Test {
 protected:
  CompressionPolicies() {
    corbel::ziop::use();
    pair = std::make_unique<Pair>(std::vector<std::string>{"-ORBtransports", "tcp"},
                                  std::vector<std::string>{"-ORBtransports", "tcp"});
    compressors(pair->server)->register_factory(runs(server));
    compressors(pair->client)->register_factory(runs(client));
    target = object({enabling(pair->server), with_list(pair->server, {{kOwn, 0}, {4, 6}})});
  }
  // At the client, of a new adapter with these policies.
  Contract::Everything_var object(const std::vector<CORBA::Policy_var>& adapter_policies) {
    PortableServer::POAManager_var manager = pair->poa->the_POAManager();
    PortableServer::POA_var poa = pair->poa->create_POA(("adapter" + std::to_string(++adapters)).c_str(),
                                                        manager, list(adapter_policies));
    PortableServer::ObjectId_var id = poa->activate_object(pair->servant);
    CORBA::Object_var made = poa->id_to_reference(id);
    CORBA::String_var text = pair->server->object_to_string(made);
    reference = text.in();
    CORBA::Object_var imported = pair->client->string_to_object(text);
    return Contract::Everything::_unchecked_narrow(imported);
  }
  static void call(Contract::Everything_ptr object, CORBA::ULong size = 5000) {
    Contract::Octets in, inout;
    in.length(size);
    for (CORBA::ULong i = 0; i < size; ++i) in[i] = 7;
    Contract::Octets_var out, result = object->give_octets(in, inout, out.out());
    EXPECT_EQ(result->length(), size);
    EXPECT_EQ(inout.length(), size);
  }
  std::string counted() {
    return std::to_string(client.compressed) + std::to_string(server.expanded) +
           std::to_string(server.compressed) + std::to_string(client.expanded);
  }

  Counts server, client;
  std::unique_ptr<Pair> pair;
  Contract::Everything_var target;
  std::string reference;
  int adapters = 0;
};

TEST_F(CompressionPolicies, OfAReferenceCompressItsCalls) {
  call(target);
  EXPECT_EQ(counted(), "0000") << "the client has not said that it wants that";
  Contract::Everything_var wanting =
      with(target.in(), {enabling(pair->client), with_list(pair->client, {{kOwn, 1}})});
  call(wanting);
  EXPECT_EQ(counted(), "1111");
  call(target);
  EXPECT_EQ(counted(), "1111");
  call(wanting);
  EXPECT_EQ(counted(), "2222");
}

TEST_F(CompressionPolicies, OfAThreadAndAnOrbDoTheSame) {
  {
    ThreadPolicies thread(pair->client, {enabling(pair->client), with_list(pair->client, {{kOwn, 1}})});
    call(target);
    EXPECT_EQ(counted(), "1111");
    std::thread([&] { call(target); }).join();
    EXPECT_EQ(counted(), "1111");
    Contract::Everything_var not_this = with(target.in(), {enabling(pair->client, false)});
    call(not_this);
    EXPECT_EQ(counted(), "1111");
  }
  manager(pair->client)
      ->set_policy_overrides(list({enabling(pair->client), with_list(pair->client, {{kOwn, 1}})}),
                             CORBA::SET_OVERRIDE);
  call(target);
  EXPECT_EQ(counted(), "2222");
}

TEST_F(CompressionPolicies, OfAServersOrbAreThoseOfItsAdapters) {
  manager(pair->server)
      ->set_policy_overrides(list({enabling(pair->server), with_list(pair->server, {{kOwn, 0}})}),
                             CORBA::SET_OVERRIDE);
  const std::vector<CORBA::Policy_var> wanted{enabling(pair->client), with_list(pair->client, {{kOwn, 1}})};
  Contract::Everything_var inheriting = object({}), refusing = object({enabling(pair->server, false)});
  inheriting = with(inheriting.in(), wanted);
  refusing = with(refusing.in(), wanted);
  call(inheriting);
  EXPECT_EQ(counted(), "1111");
  call(refusing);
  EXPECT_EQ(counted(), "1111");
}

TEST_F(CompressionPolicies, SayWhichMessagesAreWorthIt) {
  const std::vector<CORBA::Policy_var> wanted{enabling(pair->client), with_list(pair->client, {{kOwn, 1}})};
  std::vector<CORBA::Policy_var> high = wanted, strict = wanted;
  high.push_back(low_value(pair->client, 1 << 20));
  strict.push_back(min_ratio(pair->client, 0));
  Contract::Everything_var object = with(target.in(), high);
  call(object);
  EXPECT_EQ(counted(), "0011") << "the reply is the server's";
  object = with(target.in(), strict);
  call(object);
  EXPECT_EQ(counted(), "1022") << "it was tried in vain";
  Contract::Everything_var eager = this->object(
      {enabling(pair->server), with_list(pair->server, {{kOwn, 0}}), low_value(pair->server, 1 << 20)});
  eager = with(eager.in(), wanted);
  call(eager);
  EXPECT_EQ(counted(), "2122") << "the reply is too small for the server's adapter";
}

TEST_F(CompressionPolicies, AreWrittenIntoReferences) {
  const auto exposed = [&] {
    corbel::ior::Ior ior;
    EXPECT_FALSE(corbel::ior::parse_ior(reference, ior));
    std::vector<corbel::ior::PolicyValue> all;
    const auto profile = corbel::ior::decode_iiop(ior.profiles[0]);
    for (const auto& c : profile->components)
      if (c.tag == 2) {
        EXPECT_TRUE(corbel::ior::decode_policies(c.data.data(), c.data.size(), all));
      }
    return all;
  };
  std::vector<corbel::ior::PolicyValue> all = exposed();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].type, 65u);
  EXPECT_EQ(all[1].type, 64u);
  (void)object({});
  EXPECT_TRUE(exposed().empty());
  // Of calls, too, beside those of compression.
  (void)object({roundtrip(pair->server, kLong), enabling(pair->server)});
  all = exposed();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].type, 32u);
}

TEST_F(CompressionPolicies, OfBothEndsComeToOne) {
  Contract::Everything_var object =
      with(target.in(), {enabling(pair->client), with_list(pair->client, {{99, 9}, {4, 9}, {kOwn, 1}})});
  CORBA::Policy_var p = object->_get_policy(ZIOP::COMPRESSION_ENABLING_POLICY_ID);
  ZIOP::CompressionEnablingPolicy_var e = ZIOP::CompressionEnablingPolicy::_narrow(p);
  EXPECT_TRUE(e->compression_enabled());
  p = target->_get_policy(ZIOP::COMPRESSION_ENABLING_POLICY_ID);
  e = ZIOP::CompressionEnablingPolicy::_narrow(p);
  EXPECT_FALSE(e->compression_enabled());
  p = object->_get_policy(ZIOP::COMPRESSOR_ID_LEVEL_LIST_POLICY_ID);
  ZIOP::CompressorIdLevelListPolicy_var l = ZIOP::CompressorIdLevelListPolicy::_narrow(p);
  Compression::CompressorIdLevelList_var both = l->compressor_ids();
  ASSERT_EQ(both->length(), 2u);
  EXPECT_EQ(both[0u].compressor_id, 4);
  EXPECT_EQ(both[0u].compression_level, 6);
  EXPECT_EQ(both[1u].compressor_id, kOwn);
  EXPECT_EQ(both[1u].compression_level, 0);
  CORBA::PolicyList_var blame;
  EXPECT_TRUE(object->_validate_connection(blame.out()));
}

TEST_F(CompressionPolicies, AnOwnCompressorIsLentMemoryThatNobodyHasTouched) {
  constexpr std::size_t kClaim = 128 << 20;
  std::size_t resident = SIZE_MAX;
  Compression::CompressorFactory_var factory = new LookingFactory(resident);
  compressors(pair->server)->register_factory(factory);
  char octets[25] = {};  // a message of one octet that is said to stand for many
  corbel::giop::write(octets, corbel::giop::MessageType::Request, {1, 2}, sizeof octets - 12);
  corbel::giop::Header header;
  ASSERT_EQ(corbel::giop::parse(octets, header), corbel::giop::ParseResult::Ok);
  corbel::cdr::store(octets + 12, factory->compressor_id());
  corbel::cdr::store(octets + 16, static_cast<std::uint32_t>(kClaim));
  corbel::cdr::store(octets + 20, std::uint32_t{1});
  corbel::base::Memory memory;
  std::size_t size;
  EXPECT_EQ(pair->server->_corbel_core().compression()->expand(header, octets, sizeof octets, 2 * kClaim,
                                                               memory, size),
            corbel::core::Compression::Expanded::Malformed);
  EXPECT_LT(resident, std::size_t{32} << 20);  // pages may be large
}

// The process keeps 4,096 lists for what is set.
TEST_F(CompressionPolicies, OfPeersTakeNoneOfTheListsThatTheProgramMayMake) {
  corbel::ior::Ior ior;
  ASSERT_FALSE(corbel::ior::parse_ior(reference, ior));
  auto profile = corbel::ior::decode_iiop(ior.profiles[0]);
  for (CORBA::ULong i = 0; i < 4200; ++i) {
    for (auto& component : profile->components)
      if (component.tag == 2)
        component.data = corbel::ior::encode_policies({corbel::ior::policy_value(65, [&](auto& out) {
          out.put(CORBA::ULong{2});
          for (const CORBA::ULong one : {i, CORBA::ULong{kOwn}}) {
            out.put(static_cast<CORBA::UShort>(one));
            out.put(static_cast<CORBA::UShort>(i + 1));
          }
        })});
    ior.profiles[0] = corbel::ior::encode_iiop(*profile);
    CORBA::Object_var object = pair->client->string_to_object(corbel::ior::to_string(ior).c_str());
    CORBA::Policy_var policy = object->_get_policy(ZIOP::COMPRESSOR_ID_LEVEL_LIST_POLICY_ID);
    Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
    everything = with(everything.in(), {with_list(pair->client, {{kOwn, 60'000}})});
    policy = everything->_get_policy(ZIOP::COMPRESSOR_ID_LEVEL_LIST_POLICY_ID);
  }
  EXPECT_NO_THROW(with_list(pair->client, {{kOwn, 4711}}));
}

TEST_F(CompressionPolicies, HaveTheirValuesChecked) {
  CORBA::ORB_ptr orb = pair->client;
  const auto refused = [&](CORBA::PolicyType type, auto value) {
    try {
      (void)policy(orb, type, value);
      return -1;
    } catch (const CORBA::PolicyError& e) {
      return static_cast<int>(e.reason);
    }
  };
  for (CORBA::PolicyType type = 64; type < 68; ++type)
    EXPECT_EQ(refused(type, "text"), CORBA::BAD_POLICY_TYPE) << type;
  EXPECT_EQ(refused(67, CORBA::Float{-0.5f}), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(refused(67, CORBA::Float{1.5f}), CORBA::BAD_POLICY_VALUE);
  CORBA::Policy_var p = min_ratio(orb, 0.5f), copy = p->copy();
  ZIOP::CompressionMinRatioPolicy_var r = ZIOP::CompressionMinRatioPolicy::_narrow(copy);
  EXPECT_EQ(r->ratio(), 0.5f);
  EXPECT_EQ(r->policy_type(), 67u);
}

// ---- compressors

TEST_F(CompressionPolicies, AProgramCanCompressWithWhatMessagesUse) {
  Compression::CompressionManager_var all = compressors(pair->client);
  for (const Compression::CompressorId id :
       {Compression::CompressorId{1}, Compression::CompressorId{4}, corbel::ziop::kZstd}) {
    Compression::Compressor_var c = all->get_compressor(id, 3);
    EXPECT_EQ(c->compression_level(), 3);
    Compression::CompressorFactory_var factory = c->compressor_factory();
    EXPECT_EQ(factory->compressor_id(), id);
    Compression::Buffer text, packed, back;
    text.length(10'000);
    for (CORBA::ULong i = 0; i < text.length(); ++i) text[i] = static_cast<CORBA::Octet>(i % 100);
    c->compress(text, packed);
    EXPECT_LT(packed.length(), 1000u);
    back.length(10'500);
    c->decompress(packed, back);
    EXPECT_TRUE(back.length() == text.length() &&
                std::equal(back.get_buffer(), back.get_buffer() + back.length(), text.get_buffer()));
    EXPECT_EQ(c->compressed_bytes(), 2 * packed.length());
    EXPECT_EQ(c->uncompressed_bytes(), 20'000u);
    EXPECT_LT(c->compression_ratio(), 0.1f);
    back.length(9999);
    EXPECT_THROW(c->decompress(packed, back), Compression::CompressionException);
    packed[20] = static_cast<CORBA::Octet>(packed[20] + 1);
    packed.length(packed.length() - 1);
    back.length(10'000);
    EXPECT_THROW(c->decompress(packed, back), Compression::CompressionException);
  }
}

TEST_F(CompressionPolicies, CompressorsComeAndGo) {
  Compression::CompressionManager_var all = compressors(pair->client);
  Compression::CompressorFactorySeq_var factories = all->get_factories();
  EXPECT_EQ(factories->length(), 4u);
  EXPECT_THROW(all->register_factory(runs(client)), Compression::FactoryAlreadyRegistered);
  EXPECT_EQ(raised_name([&] { all->register_factory(nullptr); }), "BAD_PARAM");
  all->unregister_factory(kOwn);
  EXPECT_THROW(all->unregister_factory(kOwn), Compression::UnknownCompressorId);
  EXPECT_THROW(all->get_factory(kOwn), Compression::UnknownCompressorId);
  EXPECT_THROW(all->get_compressor(99, 1), Compression::UnknownCompressorId);
  // What the client no longer has is not used.
  Contract::Everything_var object =
      with(target.in(), {enabling(pair->client), with_list(pair->client, {{kOwn, 1}})});
  call(object);
  EXPECT_EQ(counted(), "0000");
}

TEST_F(CompressionPolicies, ACompressorThatFailsLeavesMessagesAsTheyAre) {
  Compression::CompressionManager_var all = compressors(pair->server);
  all->unregister_factory(kOwn);
  all->register_factory(runs(server, true));
  Contract::Everything_var object =
      with(target.in(), {enabling(pair->client), with_list(pair->client, {{kOwn, 1}})});
  call(object);
  EXPECT_EQ(counted(), "1110");
}

TEST_F(CompressionPolicies, WithoutMemoryLeaveMessagesAsTheyAreAndTheConnectionInOrder) {
  for (const Compression::CompressorId id : {corbel::ziop::kZstd, Compression::CompressorId{4}, kOwn}) {
    Contract::Everything_var object =
        this->object({enabling(pair->server), with_list(pair->server, {{id, 1}})});
    object = with(object.in(), {enabling(pair->client), with_list(pair->client, {{id, 1}})});
    call(object);
    for (int n = 1; n <= 40; ++n) {
      try {
        Contract::Octets in(5000), inout;
        in.length(5000);
        Contract::Octets_var out, result;
        allocation_that_fails = n;
        result = object->give_octets(in, inout, out.out());
      } catch (const std::bad_alloc&) {
      } catch (const CORBA::SystemException&) {
      }
      allocation_that_fails = 0;
      const auto bound = object->_corbel_reference()->bound();
      EXPECT_FALSE(bound && bound->connection->waited_for()) << id << ", allocation " << n;
    }
    call(object);
  }
}

TEST_F(CompressionPolicies, ManyThreadsShareAConnection) {
  for (const Compression::CompressorId id : {corbel::ziop::kZstd, Compression::CompressorId{4}}) {
    Contract::Everything_var object =
        this->object({enabling(pair->server), with_list(pair->server, {{id, 1}})});
    object = with(object.in(), {enabling(pair->client), with_list(pair->client, {{id, 1}})});
    std::vector<std::thread> threads;
    for (CORBA::ULong t = 0; t < 6; ++t)
      threads.emplace_back([&, t] {
        for (CORBA::ULong i = 0; i < 30; ++i) call(object, 100 + 977 * t * i);
      });
    for (std::thread& t : threads) t.join();
  }
}

// The client has met no compression yet when the first callback arrives: a URL says nothing of it.
TEST(CompressedCallbacks, AreTakenOverAConnectionToAUrl) {
  corbel::ziop::use();
  const auto options = [](const char* both_ways) {
    return lifecycle::on_loopback(
        {"-ORBtransports", "tcp", "-ORBcompression", "1", "-ORBcompressionLowValue", "0", both_ways, "1"});
  };
  CORBA::ORB_var server = lifecycle::make_orb("server", options("-ORBacceptBiDirectionalGIOP")),
                 client = lifecycle::make_orb("client", options("-ORBofferBiDirectionalGIOP"));
  PortableServer::POA_var root = TwoOrbs::activate(server), own = TwoOrbs::activate(client);
  CORBA::Object_var object = server->resolve_initial_references("omniINSPOA");
  PortableServer::POA_var named = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var poa_manager = named->the_POAManager();
  poa_manager->activate();
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("every");
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  named->activate_object_with_id(id, servant);
  object = named->id_to_reference(id);
  corbel::ior::Ior ior;
  ASSERT_FALSE(corbel::ior::parse_ior(lifecycle::take(server->object_to_string(object)), ior));
  const unsigned port = corbel::ior::decode_iiop(ior, 0)->address.port;
  object = client->string_to_object(("corbaloc::1.2@127.0.0.1:" + std::to_string(port) + "/every").c_str());
  Contract::Everything_var it = Contract::Everything::_unchecked_narrow(object);
  PortableServer::Servant_var<CallbackServant> callback = new CallbackServant;
  id = own->activate_object(callback);
  object = own->id_to_reference(id);
  Contract::Callback_var target = Contract::Callback::_narrow(object);
  EXPECT_EQ(raised([&] { EXPECT_EQ(it->call_back(target, 20), 41); }), "none");
  client->destroy();
  server->destroy();
}

TEST(CompressionManager, IsAnInitialReferenceOnlyWhereThereIsCompression) {
  corbel::ziop::use();
  CORBA::ORB_var orb = lifecycle::make_orb("initial");
  CORBA::ORB::ObjectIdList_var names = orb->list_initial_services();
  int found = 0;
  for (CORBA::ULong i = 0; i < names->length(); ++i) found += std::string(names[i]) == "CompressionManager";
  EXPECT_EQ(found, 1);
  EXPECT_FALSE(CORBA::is_nil(compressors(orb)));
  orb->destroy();
}

// As docs/compression.md has it.
CORBA::Object_ptr compressing(CORBA::ORB_ptr orb, CORBA::Object_ptr object) {
  CORBA::Any yes;
  yes <<= CORBA::Any::from_boolean(true);
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = orb->create_policy(ZIOP::COMPRESSION_ENABLING_POLICY_ID, yes);
  return object->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
}

TEST_F(CompressionPolicies, AreSetAsThePageSays) {
  std::ifstream file(PAGE);
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  std::ifstream itself(SOURCE);
  const std::string source((std::istreambuf_iterator<char>(itself)), {});
  const auto begin = page.find("CORBA::Object_ptr compressing("), end = page.find("```", begin);
  ASSERT_NE(begin, page.npos);
  EXPECT_NE(source.find(page.substr(begin, end - begin)), source.npos);
  compressors(pair->server)->unregister_factory(kOwn);
  compressors(pair->server)->register_factory(runs(server));
  CORBA::Object_var object = compressing(pair->client, target);
  Contract::Everything_var narrowed = Contract::Everything::_unchecked_narrow(object);
  call(narrowed);  // by zlib, which is in both lists
  EXPECT_EQ(counted(), "0000");
}

}  // namespace
