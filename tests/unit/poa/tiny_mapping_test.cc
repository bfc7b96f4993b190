// Core and adapters serve a mapping of a hundred lines.
#include "tests/unit/poa/tiny_mapping.h"

#include <gtest/gtest.h>

#include <thread>

#include "orb/core/client_invocation.h"
#include "orb/core/server_request.h"
#include "tests/unit/poa/support.h"

namespace corbel::poa {
namespace {

struct TinyMapping : testing::Test {
  TinyMapping() {
    EXPECT_FALSE(world.orb->start_server());
    std::string id;
    EXPECT_EQ(world.root().activate(servant, id), Outcome::Ok);
    EXPECT_FALSE(world.orb->make_reference(tiny::kId, world.key(world.root(), id), reference));
  }
  tiny::Servant servant, inner;  // outlive the adapters
  World world;
  base::Ref<core::Reference> reference;
};

TEST_F(TinyMapping, CallsInThisProcess) {
  std::string result;
  EXPECT_FALSE(tiny::nothing(*reference));
  EXPECT_FALSE(tiny::echo(*reference, "hello", result));
  EXPECT_EQ(result, "hello");
  EXPECT_EQ(servant.calls(), 2);
}

TEST_F(TinyMapping, CallsThroughASocket) {
  const auto client = base::make_ref<core::Orb>(options("client"));
  const auto remote = client->import(reference->ior());
  ASSERT_FALSE(remote->local());
  std::string result;
  EXPECT_FALSE(tiny::nothing(*remote));
  EXPECT_FALSE(tiny::echo(*remote, "hello", result));
  EXPECT_EQ(result, "hello");
  EXPECT_EQ(servant.calls(), 2);
  world.table().shutdown(true);
  EXPECT_EQ(tiny::nothing(*remote).id, SystemErrorId::OBJECT_NOT_EXIST);
  EXPECT_FALSE(client->destroy());
}

// What interceptors will do: a client adds a service context, its server reads it.
struct Hooked : TinyMapping {
  static constexpr std::uint32_t kContext = 0x43420042;
  Hooked() {
    const core::ServerHooks receive{
        [](void* data, core::ServerRequest& request) {
          Hooked& self = *static_cast<Hooked*>(data);
          const char* text;
          std::uint32_t size;
          if (request.header().contexts.find(kContext, text, size)) self.received.assign(text, size);
          return self.refusal;
        },
        [](void* data, core::ServerRequest&) { ++static_cast<Hooked*>(data)->replies; }, this};
    const core::ClientHooks send{[](void* data, core::ClientInvocation& invocation) {
                                   Hooked& self = *static_cast<Hooked*>(data);
                                   cdr::Encoder contexts;
                                   contexts.reset();
                                   contexts.put(kContext);
                                   contexts.put_octets("context", 7);
                                   invocation.set_contexts(contexts.data(),
                                                           static_cast<std::uint32_t>(contexts.size()), 1);
                                   if (self.time != 0) invocation.set_deadline(base::now() + self.time);
                                   return SystemError{};
                                 },
                                 [](void* data, core::ClientInvocation&) {
                                   ++static_cast<Hooked*>(data)->answers;
                                   return SystemError{};
                                 },
                                 this};
    server_hooks = receive;
    client_hooks = send;
    world.orb->set_hooks(nullptr, &server_hooks);
    client->set_hooks(&client_hooks, nullptr);
    remote = client->import(reference->ior());
  }
  ~Hooked() override { EXPECT_FALSE(client->destroy()); }

  core::ServerHooks server_hooks{};
  core::ClientHooks client_hooks{};
  std::string received;
  SystemError refusal;
  std::int64_t time = 0;
  int replies = 0, answers = 0;
  const base::Ref<core::Orb> client = base::make_ref<core::Orb>(options("client"));
  base::Ref<core::Reference> remote;
};

TEST_F(Hooked, ServiceContextsOfARequestReachTheServer) {
  std::string result;
  EXPECT_FALSE(tiny::echo(*remote, "hello", result));
  EXPECT_EQ(result, "hello");
  EXPECT_EQ(received, std::string("context"));
  received.clear();
  EXPECT_FALSE(tiny::nothing(*remote)) << "the second request has no code sets before it";
  EXPECT_EQ(received, std::string("context"));
  EXPECT_EQ(answers, 2);
}

TEST_F(Hooked, ARefusedRequestNeverReachesItsServant) {
  refusal = {SystemErrorId::NO_PERMISSION, Completion::No, 7, nullptr};
  const SystemError error = tiny::nothing(*remote);
  EXPECT_EQ(error.id, SystemErrorId::NO_PERMISSION);
  EXPECT_EQ(error.minor, 7u);
  EXPECT_EQ(servant.calls(), 0);
  EXPECT_EQ(answers, 0);
}

TEST_F(Hooked, ADeadlineEndsACallAndLeavesItsConnectionInOrder) {
  std::atomic<bool> over{false};
  std::atomic<int> running{0};
  servant.during = [&] {
    ++running;
    while (!over.load()) std::this_thread::yield();
    --running;
  };
  time = 20'000'000;
  const SystemError error = tiny::nothing(*remote);
  over.store(true);
  EXPECT_EQ(error.id, SystemErrorId::TIMEOUT);
  EXPECT_EQ(error.completed, Completion::Maybe);
  time = 0;
  std::string result;
  EXPECT_FALSE(tiny::echo(*remote, "again", result)) << "the late reply is not taken for this one's";
  EXPECT_EQ(result, "again");
  while (running.load() != 0) std::this_thread::yield();  // the first upcall may end after the second one
}

TEST_F(TinyMapping, ANestedCallRunsInsideTheOuterOne) {
  std::string id;
  ASSERT_EQ(world.root().activate(inner, id), Outcome::Ok);
  base::Ref<core::Reference> to_inner;
  ASSERT_FALSE(world.orb->make_reference(tiny::kId, world.key(world.root(), id), to_inner));
  servant.during = [&] { EXPECT_FALSE(tiny::nothing(*to_inner)); };
  EXPECT_FALSE(tiny::nothing(*reference));
  EXPECT_EQ(inner.calls(), 1);
}

}  // namespace
}  // namespace corbel::poa
