// Random traffic on a tree of adapters that come and go, against a model of what may happen: who runs where,
// what servant managers are called for, and what callers are told.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "orb/poa/key.h"
#include "tests/unit/poa/support.h"

namespace corbel::poa {
namespace {

using Random = std::minstd_rand;

constexpr int kIds = 4;
constexpr const char* kNames[] = {"map", "activator", "single", "locator", "default"};
constexpr int kAdapters = 5;

Policies policies_of(const std::string& name) {
  Policies p = user_ids(true);
  p.multiple_id = true;
  p.servant_manager = name == "activator" || name == "single" || name == "locator";
  p.retain = name != "locator" && name != "default";
  p.default_servant = name == "default";
  if (name == "single") p.thread = Thread::SingleThread;
  return p;
}

// What one incarnation of an object is, for as long as the test runs.
struct Object {
  tiny::Servant servant;
  std::string adapter, id;  // empty id: it serves any
  std::atomic<int> running{0};
  std::atomic<int>* in_adapter = nullptr;
  std::atomic<bool> ended{false};
};

class Model {
 public:
  std::atomic<int> violations{0};
  std::atomic<int> calls{0}, incarnations{0}, etherealizations{0}, adapters{0};

  void check(bool true_here, const std::string& what) {
    if (true_here) return;
    if (violations.fetch_add(1) == 0) first_ = what;
  }
  const std::string& first() const { return first_; }

  // A servant that knows what it may be called for.
  Object& make(const Adapter& adapter, std::string_view id) {
    std::lock_guard lock(mutex_);
    objects_.push_back(std::make_unique<Object>());
    Object& object = *objects_.back();
    object.adapter = adapter.name();
    object.id = id;
    object.in_adapter = &in_adapters_[adapter.id()];
    object.servant.during = [this, &object] { upcall(object); };
    by_servant_[&object.servant] = &object;
    return object;
  }

  // What must not be begun again before it has been left.
  void begin(const Adapter& adapter, std::string_view what) {
    std::lock_guard lock(mutex_);
    check(live_.emplace(adapter.id(), what).second, "calls of a manager for one thing overlap");
  }
  void leave(const Adapter& adapter, std::string_view what) {
    std::lock_guard lock(mutex_);
    check(live_.erase({adapter.id(), std::string(what)}) == 1, "left what was not begun");
  }
  void end(const Adapter& adapter, std::string_view id, core::Servant& servant) {
    leave(adapter, id);
    std::lock_guard lock(mutex_);
    Object& object = *by_servant_[&servant];
    check(object.running == 0, "etherealized while requests run");
    check(!object.ended.exchange(true), "etherealized twice");
    ++etherealizations;
  }
  void check_released() {
    for (const auto& object : objects_) check(object->servant.holders() == 0, "a servant is still counted");
  }

 private:
  void upcall(Object& object) {
    ++calls;
    const UpcallTarget* const target = current_target();
    check(!object.ended, "called after its etherealization");
    check(target->adapter->name() == object.adapter, "called for another adapter");
    check(object.id.empty() || target->id == object.id, "called for another object");
    object.running.fetch_add(1);
    const bool single = object.adapter == "single";
    if (single) check(object.in_adapter->fetch_add(1) == 0, "two at once in a single-threaded adapter");
    if (calls % 8 == 0) std::this_thread::yield();
    if (single) object.in_adapter->fetch_sub(1);
    object.running.fetch_sub(1);
  }

  std::string first_;  // read when all is over
  base::Mutex mutex_;
  std::vector<std::unique_ptr<Object>> objects_;
  std::map<core::Servant*, Object*> by_servant_;
  std::map<std::string, std::atomic<int>> in_adapters_;
  std::set<std::pair<std::string, std::string>> live_;
};

struct Activator : ServantActivator {
  explicit Activator(Model& m) : model(m) {}
  void incarnate(Adapter& adapter, std::string_view id, Incarnation& result) override {
    model.begin(adapter, id);
    ++model.incarnations;
    Object& object = model.make(adapter, id);
    object.servant.functions().add_ref(object.servant);
    result.servant = &object.servant;
  }
  void etherealize(Adapter& adapter, std::string_view id, core::Servant& servant, bool, bool) override {
    model.end(adapter, id, servant);
    servant.functions().remove_ref(servant);
  }
  Model& model;
};

struct Locator : ServantLocator {
  explicit Locator(Model& m) : model(m) {}
  void preinvoke(Adapter& adapter, std::string_view id, const char*, void*& cookie,
                 Incarnation& result) override {
    Object& object = model.make(adapter, id);
    cookie = &object;
    result.servant = &object.servant;
  }
  SystemError postinvoke(Adapter&, std::string_view id, const char*, void* cookie,
                         core::Servant& servant) override {
    auto& object = *static_cast<Object*>(cookie);
    model.check(&object.servant == &servant && object.id == id, "a cookie of another request");
    object.ended = true;
    return {};
  }
  Model& model;
};

// Makes the adapters of the test, whose managers are those of the root adapter.
struct Maker : AdapterActivator {
  explicit Maker(Model& m) : model(m) {}
  SystemError unknown_adapter(Adapter& parent, const std::string& name, bool& made) override {
    model.begin(parent, "adapter " + name);
    base::Ref<Adapter> child;
    const Policies policies = policies_of(name);
    made = parent.create_child(name, policies, base::Ref<Manager>::share(&parent.manager()), child) ==
           Outcome::Ok;
    model.check(made, "an activator is called for an adapter that is there");
    if (made) {
      ++model.adapters;
      if (policies.servant_manager && policies.retain)
        (void)child->set_activator(base::make_ref<Activator>(model));
      else if (policies.servant_manager) (void)child->set_locator(base::make_ref<Locator>(model));
      else if (policies.default_servant) (void)child->set_default_servant(&model.make(*child, "").servant);
    }
    model.leave(parent, "adapter " + name);
    return {};
  }
  Model& model;
};

struct Stress {
  explicit Stress(unsigned s) : seed(s) {
    world.root().set_activator_of_children(base::make_ref<Maker>(model));
  }

  std::string key(const std::string& name, int id) {
    std::string path, text = std::to_string(id);
    (void)add_to_path(path, "server");
    (void)add_to_path(path, name);
    return PersistentKey{hint_of(path), path, hint_of(text), text}.text();
  }

  // One step of each kind of traffic.
  void call(Random& random) {
    const std::string name = kNames[random() % kAdapters];
    const SystemErrorId answer = world.send(key(name, static_cast<int>(random() % kIds)));
    const bool refused = answer == SystemErrorId::TRANSIENT;  // discarding, or being destroyed
    model.check(answer == SystemErrorId::None || refused ||
                    (name == "map" && answer == SystemErrorId::OBJECT_NOT_EXIST) ||
                    (name == "default" && answer == SystemErrorId::OBJ_ADAPTER),
                "a caller of " + name + " is told " + std::to_string(static_cast<int>(answer)));
  }
  void activate(Random& random) {
    base::Ref<Adapter> adapter;
    const std::string id = std::to_string(random() % kIds);
    if (world.root().find(random() % 2 ? "map" : "activator", random() % 2, adapter) != Outcome::Ok) return;
    if (adapter->name() == "activator" || random() % 2) return (void)adapter->deactivate(id);
    (void)adapter->activate_with_id(model.make(*adapter, id).servant, id);
  }
  void destroy(Random& random) {
    const auto adapter = world.root().find_child(kNames[random() % kAdapters]);
    const bool wait = random() % 2;
    if (!adapter) return;
    model.check(adapter->destroy(true, wait) == Outcome::Ok, "destroy fails outside of upcalls");
    model.check(!wait || world.root().find_child(adapter->name()) != adapter, "a destroyed adapter is found");
  }
  void change_manager(Random& random) {
    constexpr Manager::State kStates[] = {Manager::State::Holding, Manager::State::Discarding,
                                          Manager::State::Active};
    Manager& manager = world.root().manager();
    (void)manager.change(kStates[random() % 3], random() % 2);
    (void)manager.change(Manager::State::Active, false);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void locate(Random& random) {
    (void)world.locate(key(kNames[random() % kAdapters], static_cast<int>(random() % kIds)));
  }

  void run(std::chrono::milliseconds time) {
    using Step = void (Stress::*)(Random&);
    constexpr Step kSteps[] = {&Stress::call,     &Stress::call,           &Stress::call,  &Stress::activate,
                               &Stress::activate, &Stress::change_manager, &Stress::locate};
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    unsigned number = 0;
    const auto start = [&](Step step) {
      threads.emplace_back([this, &stop, step, random = Random(seed + ++number)]() mutable {
        while (!stop) (this->*step)(random);
      });
    };
    for (const Step step : kSteps) start(step);
    start(&Stress::destroy);
    std::this_thread::sleep_for(time);
    stop = true;
    for (std::thread& t : threads) t.join();
  }

  const unsigned seed;
  Model model;
  World world;
  const base::Ref<Maker> maker = base::make_ref<Maker>(model);
};

TEST(PoaStress, NothingHappensThatTheModelForbids) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    Stress stress(seed);
    stress.run(std::chrono::milliseconds(700));
    EXPECT_FALSE(stress.world.orb->shutdown(true));
    stress.model.check_released();
    EXPECT_EQ(stress.model.violations, 0) << stress.model.first() << ", seed " << seed;
    EXPECT_EQ(stress.model.incarnations, stress.model.etherealizations);
    EXPECT_GT(stress.model.incarnations, 0);
    EXPECT_GT(stress.model.adapters, kAdapters);
    EXPECT_GT(stress.model.calls, 0);
  }
}

}  // namespace
}  // namespace corbel::poa
