// Servant managers that note what they are asked, over servants of the tiny mapping.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "orb/base/mutex.h"
#include "orb/poa/servant_manager.h"
#include "tests/unit/poa/support.h"

namespace corbel::poa {

inline Policies on_demand(bool retain = true) {
  Policies p = user_ids(true);
  p.servant_manager = true;
  p.retain = retain;
  return p;
}

// Gives a servant of its own to each id, and notes when calls for one id overlap.
struct NotingActivator : ServantActivator {
  struct Ended {
    std::string id;
    core::Servant* servant;
    bool cleanup, remaining;
    bool operator==(const Ended&) const = default;
  };

  void incarnate(Adapter&, std::string_view id, Incarnation& result) override {
    enter(id);
    if (making) making(id, result);
    else give(servant(id), result);
    std::lock_guard lock(mutex);
    ++incarnations[std::string(id)];
    inside.erase(std::string(id));
  }
  void etherealize(Adapter&, std::string_view id, core::Servant& s, bool cleanup, bool remaining) override {
    enter(id);
    if (ending) ending(id);
    s.functions().remove_ref(s);
    std::lock_guard lock(mutex);
    ended.push_back({std::string(id), &s, cleanup, remaining});
    inside.erase(std::string(id));
  }

  static void give(tiny::Servant& servant, Incarnation& result) {
    servant.functions().add_ref(servant);
    result.servant = &servant;
  }
  tiny::Servant& servant(std::string_view id) {
    std::lock_guard lock(mutex);
    return servants[std::string(id)];
  }
  int made(const std::string& id) {
    std::lock_guard lock(mutex);
    return incarnations[id];
  }
  std::vector<Ended> all_ended() {
    std::lock_guard lock(mutex);
    return ended;
  }
  void enter(std::string_view id) {
    std::lock_guard lock(mutex);
    if (!inside.emplace(id, true).second) overlapped = true;
  }

  std::function<void(std::string_view id, Incarnation&)> making;
  std::function<void(std::string_view id)> ending;
  base::Mutex mutex;  // guards what follows
  std::map<std::string, tiny::Servant> servants;
  std::map<std::string, int> incarnations;
  std::vector<Ended> ended;
  std::map<std::string, bool> inside;
  bool overlapped = false;
};

struct NotingLocator : ServantLocator {
  void preinvoke(Adapter&, std::string_view id, const char* operation, void*& cookie,
                 Incarnation& result) override {
    before.push_back(std::string(id) + "." + operation);
    cookie = this;
    if (making) making(id, result);
    else result.servant = &servant;
  }
  SystemError postinvoke(Adapter&, std::string_view id, const char* operation, void* cookie,
                         core::Servant& s) override {
    after.push_back(std::string(id) + "." + operation);
    EXPECT_EQ(cookie, this);
    EXPECT_EQ(&s, &servant);
    return ending ? ending() : SystemError();
  }

  tiny::Servant servant;
  std::function<void(std::string_view id, Incarnation&)> making;
  std::function<SystemError()> ending;
  std::vector<std::string> before, after;
};

}  // namespace corbel::poa
