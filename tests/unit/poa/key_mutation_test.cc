// Mutated keys against thousands of objects in adapters of every kind: whatever a key says, it reaches the
// object of the adapter and id that it names, or none. What a key says is read here a second time, in the
// plainest way.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "tests/unit/poa/support.h"

namespace corbel::poa {
namespace {

using namespace std::string_literals;

class Mutations : public testing::Test {
 protected:
  static constexpr std::size_t kObjects = 400;  // of each adapter
  using Name = std::pair<std::string, std::string>;

  Mutations() {
    add("transient", false, false, KeyFormat::Corbel);
    add("named", false, true, KeyFormat::Corbel);
    add("kept", true, false, KeyFormat::Corbel);
    add("files", true, true, KeyFormat::Corbel);
    add("files/below", true, true, KeyFormat::Corbel);
    add("omni", true, true, KeyFormat::OmniOrb);
    add("omni/below", true, true, KeyFormat::OmniOrb);
    add("tao", true, true, KeyFormat::Tao);
    add("tao/below", true, true, KeyFormat::Tao);
    add("brief", true, true, KeyFormat::TaoNoHints);
    add("destroyed", true, true, KeyFormat::OmniOrb);
    add("gone", false, true, KeyFormat::Corbel);
    for (const char* name : {"destroyed", "gone"}) {
      EXPECT_EQ(adapters_[name].adapter->destroy(false, true), Outcome::Ok);
      adapters_[name].there = false;
    }
    add("gone", false, true, KeyFormat::Corbel);  // in the slot of the former one
  }

  struct Entry {
    base::Ref<Adapter> adapter;
    Policies policies;
    bool there = true;
    std::string start;  // of transient keys, up to the hint; they can name a persistent adapter, too
  };

  void add(const std::string& name, bool persistent, bool user_id, KeyFormat format) {
    Policies policies;
    policies.persistent = persistent;
    policies.user_id = user_id;
    policies.key_format = format;
    const auto slash = name.find('/');
    Adapter* const parent = slash == name.npos ? nullptr : adapters_[name.substr(0, slash)].adapter.get();
    Entry& entry = adapters_[name];
    entry = {
        world.make(slash == name.npos ? name : name.substr(slash + 1), policies, parent), policies, true, {}};
    entry.start = entry.adapter->id().substr(0, 17);
    for (std::size_t i = 0; i < kObjects; ++i) {
      tiny::Servant& servant = *servants_.emplace_back(std::make_unique<tiny::Servant>());
      std::string id = ids_[i % ids_.size()] + (i < ids_.size() ? "" : std::to_string(i));
      EXPECT_EQ(user_id ? entry.adapter->activate_with_id(servant, id) : entry.adapter->activate(servant, id),
                Outcome::Ok);
      servant.during = [this, target = &servant] { reached_ = target; };
      keys_.push_back(world.key(*entry.adapter, id));
      objects_[{name, id}] = &servant;
      if (i % 5 != 0) continue;
      EXPECT_EQ(entry.adapter->deactivate(id), Outcome::Ok);
      objects_[{name, id}] = nullptr;
    }
  }

  // ---- the model
  static std::uint64_t number(std::string_view text) {
    std::uint64_t n = 0;
    for (const char c : text) n = n << 8 | static_cast<unsigned char>(c);
    return n;
  }
  std::optional<Name> named(const std::string& names, std::string_view id, KeyFormat format, bool own) const {
    const auto i = adapters_.find(names);
    if (i == adapters_.end() || !i->second.there || !i->second.policies.persistent) return {};
    if (!own && i->second.policies.key_format != format) return {};
    return Name(names, id);
  }
  std::optional<Name> of_transient(std::string_view key) const {
    if (key.size() < 21) return {};
    for (const auto& [name, entry] : adapters_)
      if (entry.there && key.substr(0, 17) == entry.start) return Name(name, key.substr(21));
    return {};
  }
  std::optional<Name> of_persistent(std::string_view key) const {
    if (key.size() < 7) return {};
    const auto size = number(key.substr(5, 2));
    if (key.size() < 7 + size + 4) return {};
    std::string_view path = key.substr(7, size);
    std::string names;
    for (int depth = 0; !path.empty(); ++depth) {
      if (path.size() < 2 || path.size() - 2 < number(path.substr(0, 2))) return {};
      const auto name = path.substr(2, number(path.substr(0, 2)));
      path.remove_prefix(2 + name.size());
      if (depth == 0 && name != "server") return {};
      if (name.find('/') != name.npos) return {};
      if (depth > 0) names.append(depth == 1 ? "" : "/").append(name);
    }
    return named(names, key.substr(7 + size + 4), KeyFormat::Corbel, true);
  }
  std::optional<Name> of_omniorb(std::string_view key) const {
    const auto end = key.find('\0');
    if (end == key.npos) return {};
    std::string names(key.substr(1, end - 1));
    if (names.find('/') != names.npos) return {};
    for (char& c : names)
      if (c == '\xff') c = '/';
    return named(names, key.substr(end + 1), KeyFormat::OmniOrb, false);
  }
  std::optional<Name> of_tao(std::string_view key) const {
    if (key.substr(0, 7) != "\x14\1\x0f\0NUP"s || key.size() < 11) return {};
    const auto size = number(key.substr(7, 4));
    if (key.size() - 11 < size) return {};
    const std::string_view path = key.substr(11, size), id = key.substr(11 + size);
    for (const std::size_t hint : {0, 8}) {
      for (const std::string& root : {"RootPOA\0"s, "\0"s}) {
        if ((hint == 0 && root.size() == 1) || path.size() < hint || !path.substr(hint).starts_with(root))
          continue;
        std::string names(path.substr(hint + root.size()));
        if (names.empty() || names.back() != '\0') continue;
        if (names.find('/') != names.npos) return {};
        names.pop_back();
        for (char& c : names)
          if (c == '\0') c = '/';
        if (const auto name = named(names, id, KeyFormat::TaoNoHints, false)) return name;
        if (id.size() >= 8)
          if (const auto name = named(names, id.substr(8), KeyFormat::Tao, false)) return name;
        if (hint == 0) return {};  // what can be read without a hint has none
      }
    }
    return {};
  }
  // The servant that a key has to reach, null for none.
  tiny::Servant* expected(const std::string& key) const {
    if (key.empty()) return nullptr;
    const auto name = key[0] == 1        ? of_transient(key)
                      : key[0] == 2      ? of_persistent(key)
                      : key[0] == '\xff' ? of_omniorb(key)
                                         : of_tao(key);
    const auto i = name ? objects_.find(*name) : objects_.end();
    return i == objects_.end() ? nullptr : i->second;
  }

  std::size_t random(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }
  std::string mutated() {
    std::string key = keys_[random(keys_.size())];
    for (std::size_t times = 1 + random(3); times > 0; --times) {
      const std::string& other = keys_[random(keys_.size())];
      const std::size_t at = random(key.size() + 1);
      switch (random(8)) {
        case 0:
          if (at < key.size()) key[at] = static_cast<char>(random(256));
          break;
        case 1:
          if (at < key.size()) key[at] = static_cast<char>(key[at] ^ 1 << random(8));
          break;
        case 2:
          key.resize(at);
          break;
        case 3:
          key.insert(at, 1 + random(9), static_cast<char>(random(256)));
          break;
        case 4:
          key.erase(at, random(12));
          break;
        case 5:  // the head of one and the tail of another
          key = key.substr(0, at) + other.substr(std::min(at, other.size()));
          break;
        case 6:
          key.append(other);
          break;
        case 7:  // a piece in another's place
          for (std::size_t i = 0; i < 8 && at + i < key.size() && at + i < other.size(); ++i)
            key[at + i] = other[at + i];
      }
    }
    return key;
  }

  const std::vector<std::string> ids_{"object", "", "\xff\xfe"s, "\0\0\0\0"s, "12345678"};
  std::vector<std::unique_ptr<tiny::Servant>> servants_;
  World world;
  std::map<std::string, Entry> adapters_;
  std::map<Name, tiny::Servant*> objects_;
  std::vector<std::string> keys_;
  std::mt19937_64 random_{20261122};
  tiny::Servant* reached_ = nullptr;
};

TEST_F(Mutations, ReachTheObjectThatTheyNameOrNone) {
  int found = 0, refused = 0;
  for (int i = 0; i < 300'000; ++i) {
    const std::string key =
        i < static_cast<int>(keys_.size()) ? keys_[static_cast<std::size_t>(i)] : mutated();
    reached_ = nullptr;
    const SystemErrorId error = world.send(key);
    const tiny::Servant* const wanted = expected(key);
    ASSERT_EQ(reached_, wanted) << "try " << i << ": " << testing::PrintToString(key);
    ASSERT_EQ(error, wanted ? SystemErrorId::None : SystemErrorId::OBJECT_NOT_EXIST);
    ASSERT_EQ(world.locate(key),
              wanted ? core::Dispatcher::Location::Here : core::Dispatcher::Location::Unknown);
    ++(wanted ? found : refused);
  }
  EXPECT_GT(found, 10'000);
  EXPECT_GT(refused, 100'000);
}

}  // namespace
}  // namespace corbel::poa
