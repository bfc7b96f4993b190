// What the tests of an ORB's life share: ORBs made with options, servants that wait, exceptions as values.
#pragma once

#include <dirent.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/calls/everything.h"

namespace lifecycle {

constexpr CORBA::ULong kOmg = 0x4f4d0000;
// Far above what anything here takes, far below the test's own limit.
constexpr std::chrono::seconds kPatience{20};

inline CORBA::ORB_ptr make_orb(const char* id, std::vector<std::string> options = {}) {
  options.insert(options.begin(), "test");
  std::vector<char*> argv;
  for (std::string& o : options) argv.push_back(o.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(options.size());
  return CORBA::ORB_init(argc, argv.data(), id);
}

inline std::vector<std::string> on_loopback(std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"-ORBendPoint", "giop:tcp:127.0.0.1:0"});
  return more;
}

// A string of the ORB's, freed here.
inline std::string take(char* text) {
  CORBA::String_var owner = text;
  return owner.in();
}

// What a call raised: "none", or for example "TRANSIENT/4f4d0002/NO".
template <typename Function>
std::string raised(Function function) {
  try {
    function();
    return "none";
  } catch (const CORBA::SystemException& e) {
    static constexpr const char* kCompletions[] = {"YES", "NO", "MAYBE"};
    char text[80];
    std::snprintf(text, sizeof text, "%s/%x/%s", e._name(), static_cast<unsigned>(e.minor()),
                  kCompletions[e.completed()]);
    return text;
  } catch (const CORBA::UserException& e) {
    return e._name();
  }
}
// Its name alone.
template <typename Function>
std::string raised_name(Function function) {
  const std::string all = raised(function);
  return all.substr(0, all.find('/'));
}

// Waits until it holds; false if it does not in time.
template <typename Condition>
bool comes_true(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

inline int count_entries(const char* directory) {
  int count = 0;
  DIR* const d = opendir(directory);
  while (readdir(d)) ++count;
  closedir(d);
  return count;
}

// Keeps those that come in until it is opened.
class Gate {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    ++inside_;
    changed_.notify_all();
    changed_.wait_for(lock, kPatience, [this] { return open_; });
    --inside_;
  }
  bool wait_until_inside(int count, std::chrono::milliseconds patience = kPatience) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return inside_ >= count; });
  }
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void close() {
    std::lock_guard lock(mutex_);
    open_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int inside_ = 0;
  bool open_ = false;
};

// minus() does what the test says first.
class ScriptedServant : public EverythingServant {
 public:
  CORBA::Long minus(CORBA::Long n) override {
    if (script) script();
    return n - 1;
  }
  std::function<void()> script;
};

// A server ORB with one object and a client ORB that holds a reference to it.
class Pair {
 public:
  explicit Pair(std::vector<std::string> server_options = {}, std::vector<std::string> client_options = {})
      : server(make_orb("pair-server", on_loopback(std::move(server_options)))),
        client(make_orb("pair-client", on_loopback(std::move(client_options)))) {
    poa = TwoOrbs::activate(server);
    servant = new ScriptedServant;
    id = poa->activate_object(servant);
    CORBA::Object_var object = poa->id_to_reference(id.in());
    local = Contract::Everything::_unchecked_narrow(object);
    ior = take(server->object_to_string(object));
    CORBA::Object_var imported = client->string_to_object(ior.c_str());
    remote = Contract::Everything::_unchecked_narrow(imported);
  }
  ~Pair() {
    client->destroy();
    server->destroy();
  }

  CORBA::ORB_var server, client;
  PortableServer::POA_var poa;
  PortableServer::Servant_var<ScriptedServant> servant;
  PortableServer::ObjectId_var id;
  Contract::Everything_var local, remote;
  std::string ior;
};

}  // namespace lifecycle
