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
    const core::ServerHooks receive{[](void* data, core::ServerRequest& request) {
                                      Hooked& self = *static_cast<Hooked*>(data);
                                      const char* text;
                                      std::uint32_t size;
                                      if (request.header().contexts.find(kContext, text, size))
                                        self.received.assign(text, size);
                                      if (self.refusal) return request.system_exception(self.refusal);
                                      if (self.stops) request.stop_at_target();
                                      request.orb().dispatch_to_adapter(request);
                                      ++self.replies;
                                      for (std::uint32_t i = 0; i < self.answer.size(); ++i)
                                        request.add_reply_context(kContext + i, self.answer[i]);
                                    },
                                    [](void* data, core::ServerRequest& request) {
                                      Hooked& self = *static_cast<Hooked*>(data);
                                      ++self.reached;
                                      EXPECT_NE(request.adapter_data, nullptr);
                                      if (self.refusal_at_target)
                                        request.system_exception(self.refusal_at_target);
                                      return !self.refusal_at_target;
                                    },
                                    nullptr, this};
    const core::ClientHooks send{
        [](void* data, core::ClientInvocation& invocation, bool& again, core::ReplyKind& kind) {
          Hooked& self = *static_cast<Hooked*>(data);
          cdr::Encoder contexts;
          contexts.reset();
          contexts.put(kContext);
          contexts.put_octets("context", 7);
          invocation.set_contexts(contexts.data(), static_cast<std::uint32_t>(contexts.size()), 1);
          if (self.time != 0) invocation.set_deadline(base::now() + self.time);
          const SystemError error = invocation.attempt(again, kind);
          if (error) return error;
          ++self.answers;
          self.answered.clear();
          const char* text;
          std::uint32_t size, id = kContext;
          while (invocation.reply_contexts().find(id++, text, size)) self.answered.emplace_back(text, size);
          return error;
        },
        nullptr, nullptr, this};
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
  std::vector<std::string> answer, answered;  // contexts of replies
  SystemError refusal, refusal_at_target;
  bool stops = false;
  int reached = 0;
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

TEST_F(Hooked, ARequestStopsAtItsTargetOnlyWhereItIsAskedTo) {
  EXPECT_FALSE(tiny::nothing(*remote));
  EXPECT_EQ(reached, 0);
  stops = true;
  EXPECT_FALSE(tiny::nothing(*remote));
  EXPECT_EQ(reached, 1);
  refusal_at_target = {SystemErrorId::NO_PERMISSION, Completion::No, 7, nullptr};
  const SystemError refused = tiny::nothing(*remote);
  EXPECT_EQ(refused.id, SystemErrorId::NO_PERMISSION);
  EXPECT_EQ(refused.minor, 7u);
  stops = false;
  EXPECT_FALSE(tiny::nothing(*remote));
  EXPECT_EQ(reached, 2);
}

TEST_F(Hooked, ServiceContextsOfAReplyReachTheClient) {
  for (const std::uint8_t minor : {0, 1, 2}) {
    core::Options of_version = options("client");
    of_version.max_giop_minor = minor;
    const auto other = base::make_ref<core::Orb>(of_version);
    other->set_hooks(&client_hooks, nullptr);
    const auto target = other->import(reference->ior());
    for (const std::vector<std::string>& contexts : std::vector<std::vector<std::string>>{
             {"one"}, {}, {"four", ""}, {std::string(1000, 'x')}, {"", "", ""}, {"12345"}}) {
      answer = contexts;
      std::string result;
      EXPECT_FALSE(tiny::echo(*target, "hello", result));
      EXPECT_EQ(result, "hello");
      ASSERT_EQ(answered.size(), contexts.size()) << int{minor};
      for (std::size_t i = 0; i < contexts.size(); ++i) {
        EXPECT_EQ(answered[i], contexts[i]);
      }
      EXPECT_FALSE(tiny::nothing(*target)) << "no body follows";
      EXPECT_EQ(answered.size(), contexts.size());
    }
    refusal = {SystemErrorId::NO_PERMISSION, Completion::No, 7, nullptr};
    EXPECT_EQ(tiny::nothing(*target).id, SystemErrorId::NO_PERMISSION);
    refusal = {};
    EXPECT_FALSE(other->destroy());
  }
}

TEST_F(Hooked, ServiceContextsGoBothWaysInsideAProcess) {
  world.orb->set_hooks(&client_hooks, &server_hooks);
  for (const std::vector<std::string>& contexts : {std::vector<std::string>{"back", "too"}, {}}) {
    answer = contexts;
    received.clear();
    std::string result;
    EXPECT_FALSE(tiny::echo(*reference, "hello", result));
    EXPECT_EQ(received, "context");
    EXPECT_EQ(answered, contexts);
  }
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
