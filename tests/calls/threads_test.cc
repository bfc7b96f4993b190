#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "everything.h"

namespace {

TEST(Threads, ShareOneConnection) {
  TwoOrbs orbs;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i)
        if (orbs.everything->minus(t * 1000 + i) != t * 1000 + i - 1) ++wrong;
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

// Requests and replies that do not fit into the sockets' buffers: who waits to write must not keep the
// replies from being read, or both ends would wait for each other.
TEST(Threads, ShareOneConnectionForMoreThanItHolds) {
  TwoOrbs orbs;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Contract::Octets large;
      large.length(8 * 1024 * 1024);
      std::memset(large.get_buffer(), t + 1, large.length());
      for (int i = 0; i < 2; ++i) {
        Contract::Octets b(large);
        Contract::Octets_var c;
        Contract::Octets_var result = orbs.everything->give_octets(large, b, c);
        if (c->length() != large.length() ||
            std::memcmp(c->get_buffer(), large.get_buffer(), c->length()) != 0)
          ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, CallWhileObjectsComeAndGo) {
  TwoOrbs orbs;
  std::atomic<bool> stop{false};
  std::thread changer([&] {
    while (!stop) {
      PortableServer::Servant_var<CallbackServant> servant = new CallbackServant;
      PortableServer::ObjectId_var id = orbs.poa->activate_object(servant);
      orbs.poa->deactivate_object(id.in());
    }
  });
  for (int i = 0; i < 500; ++i) orbs.everything->ping();
  stop = true;
  changer.join();
}

TEST(Threads, ShutDownWhileClientsCall) {
  auto orbs = std::make_unique<TwoOrbs>();
  std::atomic<int> answered{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      try {
        for (;;) {
          orbs->everything->ping();
          ++answered;
        }
      } catch (const CORBA::TRANSIENT& e) {
        EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
      }
    });
  }
  while (answered < 100) std::this_thread::yield();
  orbs->server->shutdown(true);
  for (std::thread& t : threads) t.join();
}

}  // namespace
