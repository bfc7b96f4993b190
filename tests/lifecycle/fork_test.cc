// fork() in a process whose ORBs are in use: what the child may do, and that the parent notices nothing.
#include <corbel/fork.h>
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <set>
#include <thread>
#include <utility>

#include "tests/lifecycle/certified.h"
#include "tests/lifecycle/support.h"

namespace {

using namespace lifecycle;

// Runs `body` in a child; what it gives is the child's exit status. -1 where the child was killed because it
// hung.
template <typename Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(static_cast<unsigned>(kPatience.count()));
    _exit(body());
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Threads that call one object all the time.
class Callers {
 public:
  Callers(Contract::Everything_ptr target, int count) {
    for (int i = 0; i < count; ++i)
      threads_.emplace_back([this, target] {
        while (!stop_) {
          try {
            if (target->minus(3) != 2) ++wrong;
          } catch (const CORBA::Exception&) {
            ++wrong;
          }
          ++calls;
        }
      });
  }
  ~Callers() {
    stop_ = true;
    for (std::thread& t : threads_) t.join();
  }
  std::atomic<int> wrong{0}, calls{0};

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

// Sockets, epolls and the like, as the kernel names them.
std::set<std::string> open_files() {
  std::set<std::string> all;
  DIR* const folder = opendir("/proc/self/fd");
  while (const dirent* const entry = readdir(folder)) {
    char text[256];
    const ssize_t n = readlinkat(dirfd(folder), entry->d_name, text, sizeof text);
    if (n > 0) all.insert(std::string(text, static_cast<std::size_t>(n)));
  }
  closedir(folder);
  return all;
}
std::set<std::string> open_sockets() {
  std::set<std::string> all = open_files();
  std::erase_if(all, [](const std::string& file) { return file.rfind("socket:", 0) != 0; });
  return all;
}
// What the names of mappings say of memory that two processes share.
std::size_t shared_memory() {
  std::ifstream maps("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find("/memfd:corbel") != std::string::npos;
  return count;
}
bool belongs_to_orbs(const std::string& file) {
  return file.rfind("socket:", 0) == 0 || file.rfind("anon_inode:", 0) == 0;
}

// A server model, and what carries the calls.
struct Setup {
  const char *model, *transport;
  friend std::ostream& operator<<(std::ostream& out, const Setup& s) {
    return out << s.model << " over " << s.transport;
  }
};

class Forked : public testing::TestWithParam<Setup> {
 protected:
  Forked() {
    if (*GetParam().model == 'r')
      loop_ = std::thread([orb = CORBA::ORB::_duplicate(pair.server)] {
        CORBA::ORB_var owner = orb;
        raised([&] { owner->run(); });
      });
  }
  ~Forked() override {
    raised([&] { pair.server->shutdown(false); });
    if (loop_.joinable()) loop_.join();
  }
  static bool is(const char* transport) { return std::string(GetParam().transport) == transport; }
  // A child that serves tells where, through a pipe.
  void tell_reference(int to) {
    CORBA::Object_var object = pair.poa->id_to_reference(pair.id);
    CORBA::String_var ior = pair.server->object_to_string(object);
    const std::string line = ior.in();
    (void)!write(to, line.data(), line.size());
    close(to);
  }
  static std::string told(int from) {
    std::string ior;
    char buffer[512];
    for (ssize_t n; (n = read(from, buffer, sizeof buffer)) > 0;)
      ior.append(buffer, static_cast<std::size_t>(n));
    close(from);
    return ior;
  }
  // Calls there, and ends the child.
  void expect_served_by(pid_t child, const std::string& ior) {
    CORBA::Object_var object = pair.client->string_to_object(ior.c_str());
    Contract::Everything_var there = Contract::Everything::_unchecked_narrow(object);
    there->note(5);
    EXPECT_EQ(there->noted(), 5);
    EXPECT_EQ(pair.remote->noted(), 0);
    kill(child, SIGKILL);
    EXPECT_EQ(waitpid(child, nullptr, 0), child);
  }

 private:
  std::vector<std::string> and_certificates(std::vector<std::string> options) const {
    options.insert(options.end(), certified_.options.begin(), certified_.options.end());
    return options;
  }
  std::vector<std::string> of_server() const {
    std::vector<std::string> options{"-ORBserverModel", GetParam().model};
    if (is("unix")) options.insert(options.end(), {"-ORBendPoint", "giop:unix:"});
    if (is("ssl")) options.insert(options.end(), {"-ORBendPoint", "giop:ssl:127.0.0.1:0"});
    return and_certificates(options);
  }
  const Certified certified_ = is("ssl") ? certified() : Certified();
  std::thread loop_;

 protected:
  std::vector<std::string> of_client() const {
    return and_certificates({"-ORBtransports", GetParam().transport});
  }
  Pair pair{of_server(), of_client()};
};

std::vector<Setup> setups() {
  std::vector<Setup> all{
      {"pool", "shm"}, {"connection", "shm"}, {"reactive", "shm"}, {"pool", "tcp"}, {"pool", "unix"}};
  if (has_tls()) all.insert(all.end(), {{"pool", "ssl"}, {"connection", "ssl"}, {"reactive", "ssl"}});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Model, Forked, testing::ValuesIn(setups()), [](const auto& i) {
  const std::string transport = i.param.transport;
  return i.param.model + (transport == "shm" ? "" : "_" + transport);
});

TEST_P(Forked, ChildIsToldWhatToDo) {
  EXPECT_EQ(pair.remote->minus(3), 2);
  EXPECT_EQ(in_child([&] {
              try {
                pair.remote->minus(3);
              } catch (const CORBA::BAD_INV_ORDER& e) {
                return std::string(e.what()).find("after_fork") != std::string::npos ? 0 : 1;
              } catch (const CORBA::Exception&) {
                return 2;
              }
              return 3;
            }),
            0);
  EXPECT_EQ(in_child([&] { return raised_name([&] { pair.client->destroy(); }) == "BAD_INV_ORDER" ? 0 : 1; }),
            0);
  EXPECT_EQ(in_child([&] { return raised_name([&] { pair.server->run(); }) == "BAD_INV_ORDER" ? 0 : 1; }), 0);
  EXPECT_EQ(pair.remote->minus(3), 2);
}

TEST_P(Forked, ChildCallsAgainInTheMiddleOfTheCallsOfOthers) {
  Callers callers(pair.remote, 4);
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(in_child([&] {
                if (raised_name([&] { pair.remote->minus(3); }) != "BAD_INV_ORDER") return 1;
                corbel::after_fork(true);
                for (int n = 0; n < 20; ++n)
                  if (raised([&] { pair.remote->plus(n); }) != "none" || pair.remote->plus(n) != n + 1)
                    return 2;
                CORBA::Object_var object = pair.client->string_to_object(pair.ior.c_str());
                Contract::Everything_var again = Contract::Everything::_narrow(object);
                return again->minus(8) == 7 ? 0 : 3;
              }),
              0);
    corbel::after_fork(false);
  }
  const int then = callers.calls;
  while (callers.calls < then + 100 && callers.wrong == 0) std::this_thread::yield();
  EXPECT_EQ(callers.wrong, 0);
}

TEST_P(Forked, ChildCallsAgainWhileOthersBeginAndEndConnections) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> others;
  for (int i = 0; i < 2; ++i)
    others.emplace_back([&, name = "other" + std::to_string(i)] {
      while (!stop) {
        CORBA::ORB_var own = make_orb(name.c_str(), of_client());
        CORBA::Object_var object = own->string_to_object(pair.ior.c_str());
        EXPECT_FALSE(object->_non_existent());
        own->destroy();
      }
    });
  for (int i = 0; i < 20 && !HasFailure(); ++i)
    EXPECT_EQ(in_child([&] {
                corbel::after_fork(true);
                return pair.remote->minus(8) == 7 ? 0 : 1;
              }),
              0);
  stop = true;
  for (std::thread& t : others) t.join();
}

TEST_P(Forked, ChildHoldsNothingOfTheParents) {
  pair.remote->ping();
  std::set<std::string> parents;
  for (const std::string& file : open_files())
    if (belongs_to_orbs(file)) parents.insert(file);
  EXPECT_FALSE(parents.empty());
  EXPECT_EQ(shared_memory(), is("shm") ? 2u : 0u);  // both ends are here
  EXPECT_EQ(in_child([&] {
              for (const std::string& file : open_files())
                if (parents.count(file) != 0) return 1;
              return shared_memory() == 0 ? 0 : 2;
            }),
            0);
  EXPECT_EQ(pair.remote->minus(3), 2);
}

TEST_P(Forked, ChildEndsLikeAnyProcess) {
  EXPECT_EQ(pair.remote->minus(3), 2);
  const std::set<std::string> before = open_sockets();
  {
    Callers callers(pair.remote, 2);
    for (const bool told : {false, true}) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(static_cast<unsigned>(kPatience.count()));
        if (told) corbel::after_fork(true);
        if (told && raised([&] { pair.client->destroy(); }) != "none") _exit(1);
        if (told && raised([&] { pair.server->destroy(); }) != "none") _exit(2);
        pair.remote = Contract::Everything::_nil();
        pair.client = CORBA::ORB::_nil();
        exit(0);
      }
      int status = 0;
      EXPECT_EQ(waitpid(child, &status, 0), child);
      EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
      EXPECT_EQ(WEXITSTATUS(status), 0);
      const int then = callers.calls;
      while (callers.calls < then + 100 && callers.wrong == 0) std::this_thread::yield();
    }
    EXPECT_EQ(callers.wrong, 0);
  }
  EXPECT_EQ(open_sockets(), before);  // of the same connections
}

TEST_P(Forked, ChildDoesNotWaitForRequestsThatRunInTheParent) {
  Gate gate;
  pair.servant->script = [&gate] { gate.wait(); };
  std::thread caller([this] { EXPECT_EQ(raised([this] { pair.remote->minus(3); }), "none"); });
  EXPECT_TRUE(gate.wait_until_inside(1));
  EXPECT_EQ(in_child([&] {
              corbel::after_fork(true);
              return raised([&] { pair.server->destroy(); }) == "none" ? 0 : 1;
            }),
            0);
  gate.open();
  caller.join();
}

// Both ends of a connection are the parent's, and nobody uses them when the child ends.
TEST_P(Forked, ChildsEndLeavesConnectionsThatAreIdle) {
  EXPECT_EQ(pair.remote->minus(3), 2);
  const std::set<std::string> before = open_sockets();
  for (const bool told : {false, true}) {
    EXPECT_EQ(in_child([&] {
                if (!told) return 0;
                corbel::after_fork(true);
                if (pair.remote->minus(3) != 2) return 1;  // over a connection of its own
                return raised([&] { pair.client->destroy(); }) == "none" ? 0 : 2;
              }),
              0);
    EXPECT_EQ(pair.remote->minus(3), 2);
    EXPECT_TRUE(
        comes_true([&] { return open_sockets() == before; }));  // the child's is closed at our end, too
  }
}

TEST_P(Forked, ChildOfAnUpcallAnswersNobody) {
  pair.servant->script = [] {
    const pid_t child = fork();
    // Only the parent answers; a second reply would be one to the next request.
    if (child == 0) {
      alarm(static_cast<unsigned>(kPatience.count()));
      std::thread([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        _exit(0);
      }).detach();
      return;
    }
  };
  EXPECT_EQ(pair.remote->minus(3), 2);
  pair.servant->script = nullptr;
  for (int i = 0; i < 200; ++i) EXPECT_EQ(pair.remote->minus(i), i - 1);
  int status = 0;
  EXPECT_GT(wait(&status), 0);
  EXPECT_TRUE(WIFEXITED(status));
}

// Of the thread that runs the loop, which goes on with the child's server.
TEST_P(Forked, ChildOfAnUpcallThatGoesOnServes) {
  if (*GetParam().model != 'r') return;
  int text[2];
  ASSERT_EQ(pipe(text), 0);
  pid_t child = 0;
  bool forked = false;
  pair.servant->script = [&] {
    if (std::exchange(forked, true) || (child = fork()) != 0) return;
    alarm(static_cast<unsigned>(kPatience.count()));
    corbel::after_fork(true);
    tell_reference(text[1]);
  };
  EXPECT_EQ(pair.remote->minus(3), 2);
  close(text[1]);
  const std::string ior = told(text[0]);
  expect_served_by(child, ior);
}

TEST_P(Forked, ChildMayHaveAnOrbOfItsOwnWithoutFurtherAdo) {
  EXPECT_EQ(pair.remote->minus(3), 2);
  EXPECT_EQ(in_child([&] {
              CORBA::ORB_var own = make_orb("child", of_client());
              CORBA::Object_var object = own->string_to_object(pair.ior.c_str());
              Contract::Everything_var it = Contract::Everything::_narrow(object);
              return it->minus(5) == 4 ? 0 : 1;
            }),
            0);
}

TEST_P(Forked, ChildServesAtAPlaceOfItsOwn) {
  EXPECT_EQ(pair.remote->minus(3), 2);
  int text[2];
  ASSERT_EQ(pipe(text), 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(static_cast<unsigned>(kPatience.count()));
    corbel::after_fork(true);
    pair.servant->script = nullptr;
    tell_reference(text[1]);
    raised([&] { pair.server->run(); });
    _exit(0);
  }
  close(text[1]);
  const std::string ior = told(text[0]);
  EXPECT_NE(ior, pair.ior);
  expect_served_by(child, ior);
}

}  // namespace
