// Requests and replies that leave while they are being marshaled: what arrives is what was sent, others come
// in between, and what goes wrong midway ends one call, not the connection.
#include <corbel/any.h>
#include <corbel/poa.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "streams.any.h"
#include "tests/lifecycle/support.h"
#include "tests/streaming/raw_peer.h"
#include "tests/streaming/store.h"

namespace {

using namespace streaming;
using lifecycle::raised;
using lifecycle::raised_name;

class Ends {
 public:
  explicit Ends(std::vector<std::string> options = {"-ORBgiopFragmentSize", "16384"},
                std::vector<std::string> server_options = {}) {
    std::vector<std::string> of_server = options;
    of_server.insert(of_server.end(), server_options.begin(), server_options.end());
    of_server.insert(of_server.begin(), {"-ORBendPoint", TwoOrbs::endpoint()});
    server = lifecycle::make_orb("streaming-server", of_server);
    options.insert(options.begin(), {"-ORBendPoint", TwoOrbs::endpoint()});
    client = lifecycle::make_orb("streaming-client", options);
    for (CORBA::ORB_ptr orb : {server.in(), client.in()}) {
      CORBA::ValueFactory_var factory = new StepFactory;
      CORBA::ValueFactory_var old = orb->register_value_factory("IDL:Streams/Step:1.0", factory.in());
      factory = new Streams::Link_init;
      old = orb->register_value_factory("IDL:Streams/Link:1.0", factory.in());
      factory = new Streams::Chain_init;
      old = orb->register_value_factory("IDL:Streams/Chain:1.0", factory.in());
    }
    poa = TwoOrbs::activate(server);
    servant = new Store;
    id = poa->activate_object(servant);
    CORBA::Object_var object = poa->id_to_reference(id.in());
    local = Streams::Store::_narrow(object);
    ior = lifecycle::take(server->object_to_string(object));
    CORBA::Object_var imported = client->string_to_object(ior.c_str());
    store = Streams::Store::_narrow(imported);
  }
  ~Ends() {
    on_step = nullptr;
    store = Streams::Store::_nil();
    local = Streams::Store::_nil();
    client->destroy();
    server->destroy();
  }

  CORBA::ORB_var server, client;
  PortableServer::POA_var poa;
  PortableServer::Servant_var<Store> servant;
  PortableServer::ObjectId_var id;
  Streams::Store_var store, local;
  std::string ior;
};

bool same(const Streams::NameSeq& a, const Streams::NameSeq& b) {
  if (a.length() != b.length()) return false;
  for (CORBA::ULong i = 0; i < a.length(); ++i)
    if (std::strcmp(a[i], b[i]) != 0) return false;
  return true;
}

Streams::NameSeq different_names(CORBA::ULong count) {
  Streams::NameSeq result(count);
  result.length(count);
  for (CORBA::ULong i = 0; i < count; ++i)
    result[i] = CORBA::string_dup(std::string(i % 41, static_cast<char>('a' + i % 26)).c_str());
  return result;
}

class Sizes : public testing::TestWithParam<const char*> {
 protected:
  Sizes() : ends({"-ORBgiopFragmentSize", GetParam()}) {}
  Ends ends;
};
INSTANTIATE_TEST_SUITE_P(Streaming, Sizes, testing::Values("1024", "16384", "253952", "0"));

TEST_P(Sizes, StringsArriveAsTheyWereSent) {
  for (const CORBA::ULong count : {100u, 5000u, 100'000u}) {
    const Streams::NameSeq sent = different_names(count);
    const Streams::NameSeq_var got = ends.store->names(sent);
    EXPECT_TRUE(same(sent, got.in())) << count;
  }
  const std::string large(3'000'001, 'l');
  EXPECT_EQ(lifecycle::take(ends.store->text(large.c_str())), large);
}

TEST_P(Sizes, StructsArriveAsTheyWereSent) {
  Streams::RecordSeq records;
  records.length(40'000);
  Streams::SampleSeq samples;
  samples.length(60'001);
  for (CORBA::ULong i = 0; i < records.length(); ++i)
    records[i] = {CORBA::string_dup("a name"), static_cast<CORBA::Long>(i), i * 0.5};
  for (CORBA::ULong i = 0; i < samples.length(); ++i)
    samples[i] = {static_cast<CORBA::Octet>(i), i * 0.25, static_cast<CORBA::Long>(i) * 3};
  Streams::SampleSeq_var out;
  const Streams::RecordSeq_var got = ends.store->records(records, samples, out.out());
  ASSERT_EQ(got->length(), records.length());
  ASSERT_EQ(out->length(), samples.length());
  CORBA::ULong wrong = 0;
  for (CORBA::ULong i = 0; i < records.length(); ++i)
    wrong += got[i].number != records[i].number || got[i].weight != records[i].weight ||
             std::strcmp(got[i].name, "a name") != 0;
  for (CORBA::ULong i = 0; i < samples.length(); ++i)
    wrong += out[i].channel != samples[i].channel || out[i].value != samples[i].value ||
             out[i].at != samples[i].at;
  EXPECT_EQ(wrong, 0u);
}

TEST_P(Sizes, LargeRunsBetweenOthersArriveAsTheyWereSent) {
  Streams::BlockSeq blocks;
  blocks.length(60);
  for (CORBA::ULong i = 0; i < blocks.length(); ++i) {
    blocks[i].length(i % 3 == 0 ? i : 20'000 + i * 997);
    for (CORBA::ULong k = 0; k < blocks[i].length(); ++k) blocks[i][k] = static_cast<CORBA::Octet>(k * i);
  }
  const Streams::BlockSeq_var got = ends.store->blocks(blocks);
  ASSERT_EQ(got->length(), blocks.length());
  for (CORBA::ULong i = 0; i < blocks.length(); ++i) {
    ASSERT_EQ(got[i].length(), blocks[i].length());
    EXPECT_EQ(std::memcmp(got[i].get_buffer(), blocks[i].get_buffer(), blocks[i].length()), 0) << i;
  }
}

// Indirections lead back over what has left already.
TEST_P(Sizes, ValuesAreSharedOverAllOfTheMessage) {
  Streams::LinkSeq links;
  links.length(8000);
  Streams::Link_var first = new OBV_Streams::Link("the first", nullptr);
  for (CORBA::ULong i = 0; i < links.length(); ++i) {
    if (i % 1000 == 7) {
      Streams::NameSeq_var more = names(1000, "inside of a chunk");
      links[i] = new OBV_Streams::Chain("chain", first.in(), more.in());
    } else {
      links[i] = new OBV_Streams::Link("link", first.in());
    }
  }
  const Streams::LinkSeq_var got = ends.store->links(links);
  ASSERT_EQ(got->length(), links.length());
  CORBA::ULong wrong = 0;
  for (CORBA::ULong i = 0; i < got->length(); ++i) wrong += got[i]->other() != got[0]->other();
  EXPECT_EQ(wrong, 0u);
  EXPECT_STREQ(got[7999]->other()->text(), "the first");
  auto* const chain = dynamic_cast<Streams::Chain*>(got[1007].in());
  ASSERT_TRUE(chain);
  ASSERT_EQ(chain->more().length(), 1000u);
  EXPECT_STREQ(chain->more()[999], "inside of a chunk");
}

TEST_P(Sizes, AnysArriveAsTheyWereSent) {
  Streams::AnySeq anys;
  anys.length(3000);
  const Streams::NameSeq some = different_names(40);
  for (CORBA::ULong i = 0; i < anys.length(); ++i) anys[i] <<= some;
  const Streams::AnySeq_var got = ends.store->anys(anys);
  ASSERT_EQ(got->length(), anys.length());
  const Streams::NameSeq* last = nullptr;
  ASSERT_TRUE(got[2999] >>= last);
  EXPECT_TRUE(same(*last, some));
}

// A TypeCode is an encapsulation whose size stands before it, and refers to itself by distances.
TEST_P(Sizes, LargeTypeCodesArriveAsTheyWereSent) {
  CORBA::TypeCode_var recursive = ends.client->create_recursive_tc("IDL:Streams/Wide:1.0");
  CORBA::TypeCode_var more = ends.client->create_sequence_tc(0, recursive.in());
  CORBA::StructMemberSeq members;
  members.length(4000);
  for (CORBA::ULong i = 0; i < members.length(); ++i) {
    members[i].name = CORBA::string_dup(("a_member_with_a_name_" + std::to_string(i)).c_str());
    members[i].type = i % 1000 == 999 ? CORBA::TypeCode::_duplicate(more.in())
                                      : CORBA::TypeCode::_duplicate(CORBA::_tc_octet);
  }
  const CORBA::TypeCode_var large = ends.client->create_struct_tc("IDL:Streams/Wide:1.0", "Wide", members);
  Streams::AnySeq anys;
  anys.length(20);
  for (CORBA::ULong i = 0; i < anys.length(); ++i) {
    if (i % 2 == 0) anys[i] <<= large.in();
    else anys[i] <<= different_names(300);
  }
  const Streams::AnySeq_var got = ends.store->anys(anys);
  ASSERT_EQ(got->length(), anys.length());
  for (CORBA::ULong i = 0; i < anys.length(); i += 2) {
    CORBA::TypeCode_ptr type = nullptr;
    ASSERT_TRUE(got[i] >>= type) << i;
    EXPECT_TRUE(large->equal(type)) << i;
  }
}

TEST_P(Sizes, UserExceptionsMayBeLarge) {
  try {
    ends.store->refuse(50'000);
    ADD_FAILURE();
  } catch (const Streams::Refused& e) {
    EXPECT_EQ(e.why.length(), 50'000u);
  }
}

TEST_P(Sizes, OneWaysTakeTheSameWay) {
  ends.store->post(different_names(30'000));
  // Behind it on the same connection, though it may be served beside it.
  for (int i = 0; i < 2000 && ends.store->posted() < 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(ends.store->posted(), 30'000);
}

TEST_P(Sizes, CallsWithinTheProcessAndBefore12StayAsTheyAre) {
  const Streams::NameSeq sent = different_names(50'000);
  EXPECT_TRUE(same(Streams::NameSeq_var(ends.local->names(sent)).in(), sent));
  for (const char* version : {"1.0", "1.1"}) {
    CORBA::ORB_var old = lifecycle::make_orb(version, {"-ORBmaxGIOPVersion", version});
    CORBA::Object_var object = old->string_to_object(ends.ior.c_str());
    Streams::Store_var store = Streams::Store::_narrow(object);
    EXPECT_TRUE(same(Streams::NameSeq_var(store->names(sent)).in(), sent)) << version;
    store = Streams::Store::_nil();
    object = CORBA::Object::_nil();
    old->destroy();
  }
}

// ---- while it is being marshaled

TEST(Streaming, CallsGoOverTheSameConnectionMeanwhile) {
  Ends ends;
  Streams::StepSeq_var some = steps(10'000);
  int nested = 0;
  on_step = [&](CORBA::Long n) {
    if (n % 1000 != 999) return;
    EXPECT_EQ(ends.store->one(n), n) << "by the thread that marshals";
    std::thread([&] { EXPECT_EQ(ends.store->one(n), n) << "by another"; }).join();
    ++nested;
  };
  EXPECT_EQ(ends.store->steps(some.in()), 10'000);
  EXPECT_EQ(nested, 10);
  nested = 0;
  const Streams::StepSeq_var made = ends.store->made_steps(10'000);  // by the server's thread
  EXPECT_EQ(nested, 10);
  EXPECT_EQ(made->length(), 10'000u);
}

TEST(Streaming, ManyThreadsStreamOverOneConnection) {
  Ends ends;
  const Streams::NameSeq sent = different_names(4000);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; ++i)  // more than a reader puts together at once
    threads.emplace_back([&] {
      for (int k = 0; k < 3; ++k) wrong += !same(Streams::NameSeq_var(ends.store->names(sent)).in(), sent);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Streaming, ManyThreadsSendLargeMessagesOverOneConnection) {
  Ends ends;
  std::atomic<bool> reads{false}, over{false};
  on_step = [&](CORBA::Long) {
    reads = true;
    while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  // It reads for all the others, who only write.
  std::thread reader([&] { EXPECT_EQ(Streams::StepSeq_var(ends.store->made_steps(1))->length(), 1u); });
  EXPECT_TRUE(lifecycle::comes_true([&] { return reads.load(); }));
  const std::string large(3 << 20, 'x');  // takes more than one turn
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; ++i)  // more than a reader puts together at once
    threads.emplace_back([&] {
      const std::string outcome =
          raised([&] { wrong += large != CORBA::String_var(ends.store->text(large.c_str())).in(); });
      EXPECT_EQ(outcome, "none");
    });
  for (std::thread& t : threads) t.join();
  over = true;
  reader.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Streaming, AReactiveServerStreamsToo) {
  Ends ends({"-ORBgiopFragmentSize", "16384"}, {"-ORBserverModel", "reactive"});
  std::thread loop([&] { ends.server->run(); });
  const Streams::NameSeq sent = different_names(50'000);
  EXPECT_TRUE(same(Streams::NameSeq_var(ends.store->names(sent)).in(), sent));
  std::thread other([&] { EXPECT_TRUE(same(Streams::NameSeq_var(ends.store->names(sent)).in(), sent)); });
  EXPECT_TRUE(same(Streams::NameSeq_var(ends.store->names(sent)).in(), sent));
  other.join();
  ends.server->shutdown(false);
  loop.join();
}

// ---- what goes wrong midway

TEST(Streaming, ArgumentsThatCannotBeMarshaledLeaveTheConnectionAsItWas) {
  Ends ends;
  Streams::WideSeq wide;
  wide.length(20'000);
  for (CORBA::ULong i = 0; i < wide.length(); ++i) wide[i] = CORBA::wstring_dup(L"wide");
  const CORBA::WChar half[] = {static_cast<CORBA::WChar>(0xd800), 0};
  wide[19'999] = CORBA::wstring_dup(half);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(raised([&] { Streams::WideSeq_var(ends.store->wide(wide)); }), "DATA_CONVERSION/4f4d0001/NO");
    EXPECT_EQ(ends.store->one(i), i);
  }
  Streams::StepSeq_var some = steps(10'000);
  on_step = [](CORBA::Long n) {
    if (n == 9000) throw CORBA::NO_RESOURCES(7, CORBA::COMPLETED_NO);
  };
  EXPECT_EQ(raised([&] { ends.store->steps(some.in()); }), "NO_RESOURCES/7/NO");
  EXPECT_EQ(ends.store->one(5), 5);
}

TEST(Streaming, ResultsThatCannotBeMarshaledAreTooShortForTheClient) {
  Ends ends;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(raised([&] { Streams::WideSeq_var(ends.store->made_wide(20'000, L"!")); }), "MARSHAL/0/YES");
    EXPECT_EQ(ends.store->one(i), i);
  }
  EXPECT_EQ(raised([&] { Streams::WideSeq_var(ends.store->made_wide(20, L"!")); }),
            "DATA_CONVERSION/4f4d0001/YES")
      << "what has not begun to leave tells more";
  on_step = [](CORBA::Long n) {
    if (n == 9000) throw CORBA::NO_RESOURCES(7, CORBA::COMPLETED_NO);
  };
  EXPECT_EQ(raised_name([&] { Streams::StepSeq_var(ends.store->made_steps(10'000)); }), "MARSHAL");
  EXPECT_EQ(ends.store->one(5), 5);
}

// ---- a server that is a script

constexpr std::uint32_t kHere = 1, kForward = 3, kSystemException = 2, kNeedsAddressing = 5;

std::string located(const Piece& p) { return message(LocateReply, number(p.id) + number(kHere)); }
std::string reply(const Piece& p, std::uint32_t status, const std::string& body) {
  return message(Reply, number(p.id) + number(status) + number(0) + body);
}

class Raw {
 public:
  explicit Raw(RawPeer::Answer answer, std::vector<std::string> options = {}, const char* version = "1.2")
      : peer(std::move(answer)) {
    options.insert(options.begin(), {"-ORBgiopFragmentSize", "16384"});
    orb = lifecycle::make_orb("streaming-raw", options);
    CORBA::Object_var object = orb->string_to_object(peer.url(version).c_str());
    store = Streams::Store::_unchecked_narrow(object);
  }
  ~Raw() {
    on_step = nullptr;
    store = Streams::Store::_nil();
    orb->destroy();
  }
  RawPeer peer;
  CORBA::ORB_var orb;
  Streams::Store_var store;
};

// Answers each request that is complete.
std::string answer_long(const Piece& p) {
  if (p.type == LocateRequest) return located(p);
  if ((p.type == Request || p.type == Fragment) && !p.more) return reply(p, 0, number(7));
  return {};
}

TEST(Streaming, FragmentsArriveBeforeTheArgumentsAreWritten) {
  Raw raw(answer_long);
  std::atomic<bool> seen{false};
  Streams::StepSeq_var some = steps(20'000);
  on_step = [&](CORBA::Long n) {
    if (n != 10'000) return;
    seen = raw.peer.wait_for([](const auto& pieces) { return pieces.size() >= 5; });
  };
  EXPECT_EQ(raw.store->steps(some.in()), 7);
  EXPECT_TRUE(seen);
  std::size_t fragments = 0;
  for (const Piece& p : raw.peer.pieces()) {
    if (p.type == LocateRequest) continue;
    EXPECT_EQ(p.type, fragments++ == 0 ? Request : Fragment);
    EXPECT_LE(p.body.size() + 12, 16384u);
    if (p.more) {
      EXPECT_EQ((p.body.size() + 12) % 8, 0u);
    }
  }
  EXPECT_GT(fragments, 20u);
  EXPECT_FALSE(raw.peer.pieces().back().more);
}

TEST(Streaming, ARequestThatCannotBeMarshaledIsCancelled) {
  Raw raw(answer_long);
  Streams::StepSeq_var some = steps(10'000);
  on_step = [](CORBA::Long n) {
    if (n == 9000) throw CORBA::NO_RESOURCES(7, CORBA::COMPLETED_NO);
  };
  EXPECT_EQ(raised([&] { raw.store->steps(some.in()); }), "NO_RESOURCES/7/NO");
  EXPECT_EQ(raw.store->one(1), 7);
  const auto pieces = raw.peer.pieces();
  std::uint32_t begun = 0, cancelled = 0;
  for (const Piece& p : pieces) {
    EXPECT_EQ(p.connection, 1);
    if (p.type == Request && p.more) begun = p.id;
    if (p.type == Fragment) {
      EXPECT_TRUE(p.more) << "it does not end";
    }
    if (p.type == Cancel) cancelled = p.id;
  }
  EXPECT_NE(begun, 0u);
  EXPECT_EQ(cancelled, begun);
}

TEST(Streaming, BeforeGiop12AndWithoutFragmentsMessagesAreWhole) {
  for (const char* version : {"1.0", "1.1", "1.2"}) {
    Raw raw(
        [](const Piece& p) {
          if (p.type == LocateRequest) return located(p);
          return std::string();
        },
        {"-ORBgiopFragmentSize", version[2] == '2' ? "0" : "16384"}, version);
    raw.store->post(different_names(20'000));
    EXPECT_TRUE(raw.peer.wait_for(
        [](const auto& pieces) { return !pieces.empty() && pieces.back().type == Request; }));
    EXPECT_FALSE(raw.peer.pieces().back().more);
    EXPECT_GT(raw.peer.pieces().back().body.size(), 300'000u);
  }
}

// What has left cannot be sent again: it is written once more.
TEST(Streaming, AForwardedRequestIsWrittenAgain) {
  Ends ends;
  corbel::cdr::Encoder body;
  CORBA::Object_var there = ends.client->string_to_object(ends.ior.c_str());
  std::string octets;
  {
    body.reset(0);
    corbel::cpp::put_object(body, there.in());
    octets.assign(body.data(), body.size());
  }
  Raw raw([&](const Piece& p) {
    if (p.type == LocateRequest) return located(p);
    if (!p.more) return reply(p, kForward, octets);
    return std::string();
  });
  const Streams::NameSeq sent = different_names(30'000);
  EXPECT_TRUE(same(Streams::NameSeq_var(raw.store->names(sent)).in(), sent));
  EXPECT_TRUE(same(Streams::NameSeq_var(raw.store->names(sent)).in(), sent));
}

TEST(Streaming, AServerThatAsksForAnotherAddressingModeGetsItAgain) {
  std::atomic<int> asked{0};
  Raw raw([&](const Piece& p) {
    if (p.type == LocateRequest) return located(p);
    if (p.more) return std::string();
    if (asked++ == 0) return reply(p, kNeedsAddressing, std::string("\1\0", 2));
    return reply(p, 0, number(7));
  });
  Streams::StepSeq_var some = steps(5000);
  EXPECT_EQ(raw.store->steps(some.in()), 7);
  EXPECT_EQ(asked, 2);
  std::size_t first = 0, second = 0;
  for (const Piece& p : raw.peer.pieces())
    if (p.type == Request) {
      std::uint16_t mode;
      std::memcpy(&mode, &p.body[8], 2);
      ++(mode == 0 ? first : second);
    }
  EXPECT_EQ(first, 1u);
  EXPECT_EQ(second, 1u);
}

TEST(Streaming, AServerThatSaysGoodbyeMidwayGetsItAgainOnANewConnection) {
  std::atomic<int> fragments{0};
  Raw raw([&](const Piece& p) {
    if (p.type == LocateRequest) return located(p);
    if (p.connection == 1 && p.type == Fragment && ++fragments == 3) return message(Close, "");
    return answer_long(p);
  });
  Streams::StepSeq_var some = steps(20'000);
  on_step = [&](CORBA::Long n) {  // so that the goodbye is there
    if (n == 10'000) raw.peer.wait_for([&](const auto&) { return fragments >= 3; });
  };
  EXPECT_EQ(raw.store->steps(some.in()), 7);
  const auto pieces = raw.peer.pieces();
  EXPECT_TRUE(std::any_of(pieces.begin(), pieces.end(),
                          [](const Piece& p) { return p.connection == 2 && p.type == Fragment && !p.more; }));
}

TEST(Streaming, ARefusalMayComeBeforeTheRequestIsComplete) {
  const std::string id = "IDL:omg.org/CORBA/NO_PERMISSION:1.0";
  Raw raw([&](const Piece& p) {
    if (p.type == Request && p.more)
      return reply(p, kSystemException,
                   number(static_cast<std::uint32_t>(id.size() + 1)) + id + std::string(1, '\0') + number(3) +
                       number(1));
    return answer_long(p);
  });
  Streams::StepSeq_var some = steps(20'000);
  EXPECT_EQ(raised_name([&] { raw.store->steps(some.in()); }), "NO_PERMISSION");
  EXPECT_EQ(raw.store->one(1), 7) << "the connection goes on";
  EXPECT_EQ(raw.peer.pieces().back().connection, 1);
}

TEST(Streaming, ALostConnectionMidwayIsACallThatWasNotMade) {
  Raw raw([&](const Piece& p) {
    if (p.type == Fragment) return message(Error, "");
    return answer_long(p);
  });
  Streams::StepSeq_var some = steps(30'000);
  EXPECT_EQ(raised_name([&] { raw.store->steps(some.in()); }), "COMM_FAILURE");
}

TEST(Streaming, DeadlinesHoldWhileItLeaves) {
  Raw raw(answer_long, {"-ORBclientCallTimeOutPeriod", "2000"});
  EXPECT_EQ(raw.store->one(1), 7);
  raw.peer.stop_reading(true);
  Streams::NameSeq_var large = names(2'000'000, "a string of a sequence that fills all buffers");
  EXPECT_EQ(raised_name([&] { raw.store->post(large.in()); }), "TIMEOUT");
  raw.peer.stop_reading(false);
  EXPECT_EQ(raw.store->one(1), 7) << "over a new connection";
}

}  // namespace
