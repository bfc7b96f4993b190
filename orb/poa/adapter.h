// Object adapters: from an object key to the servant, in constant time and without a lock (CORBA 3.4 part 1, chapter
// "Portable Object Adapter"). No language mapping is known here.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/dispatcher.h"
#include "orb/core/orb.h"
#include "orb/poa/manager.h"
#include "orb/poa/slot_table.h"

namespace corbel::poa {

class Adapter;
class AdapterTable;

struct Policies {
  bool persistent = false;
  bool user_id = false;
  bool multiple_id = false;
  bool retain = true;
  bool implicit_activation = false;
  bool default_servant = false;
  bool operator==(const Policies&) const = default;
};

// What an operation on an adapter may come to, beside system errors; the mapping's exceptions have the same names.
enum class Outcome {
  Ok, AdapterAlreadyExists, AdapterNonExistent, ObjectAlreadyActive, ObjectNotActive, ServantAlreadyActive,
  ServantNotActive, WrongAdapter, WrongPolicy, NoServant, Destroyed, TableFull, BadId
};

// The target of a running upcall; ServerRequest::adapter_data points to it.
struct UpcallTarget {
  Adapter* adapter;
  core::Servant* servant;
  const char* id;
  std::size_t id_size;
};

struct ActiveObject {
  core::Servant* servant = nullptr;
  std::string id;
};
using ObjectSlot = SlotTable<ActiveObject>::Entry;

// Thread-safe. A servant is counted while it is active here.
class Adapter final : public base::RefCounted {
 public:
  Adapter(AdapterTable& table, Adapter* parent, std::string name, Policies policies, base::Ref<Manager> manager);
  ~Adapter() override;

  const std::string& name() const { return name_; }
  Adapter* parent() const { return parent_.get(); }
  const Policies& policies() const { return policies_; }
  Manager& manager() const { return *manager_; }
  base::Ref<Manager> share_manager() const { return manager_; }
  AdapterTable& table() const { return table_; }
  bool destroyed() const { return destroyed_.load(std::memory_order_acquire); }

  Outcome create_child(const std::string& name, Policies policies, base::Ref<Manager> manager, base::Ref<Adapter>& child);
  base::Ref<Adapter> find_child(const std::string& name);
  std::vector<base::Ref<Adapter>> children();
  // The children first. With `wait` until no request runs in them.
  void destroy(bool wait);

  // `id` is made for system ids, taken for user ids.
  Outcome activate(core::Servant& servant, std::string& id);
  Outcome activate_with_id(core::Servant& servant, const std::string& id);
  // Returns at once; the servant is released when its last request has left.
  Outcome deactivate(const std::string& id);
  Outcome servant_to_id(core::Servant& servant, std::string& id);
  // Adds a count to the servant.
  Outcome id_to_servant(const std::string& id, core::Servant*& servant);
  Outcome new_id(std::string& id);
  // The key of a reference to `id`, active or not.
  std::string make_key(const std::string& id);
  // The id in a key of this adapter.
  Outcome key_to_id(std::string_view key, std::string& id);
  bool active(const std::string& id);

  void set_default_servant(core::Servant* servant);
  // Adds a count; null if there is none.
  core::Servant* default_servant();

  // ---- for the table
  void dispatch(core::ServerRequest& request, std::uint32_t hint, const char* id, std::size_t id_size);
  bool serves(std::uint32_t hint, const char* id, std::size_t id_size);
  SlotTable<base::Ref<Adapter>>::Entry* slot = nullptr;
  std::string path;  // of a persistent adapter in keys

 private:
  ObjectSlot* enter(std::uint32_t hint, const char* id, std::size_t id_size);
  void leave(ObjectSlot* object);
  Outcome activate_locked(core::Servant& servant, const std::string& id, ObjectSlot* object);

  AdapterTable& table_;
  const base::Ref<Adapter> parent_;
  const std::string name_;
  const Policies policies_;
  const base::Ref<Manager> manager_;
  std::atomic<bool> destroyed_{false};

  base::Mutex mutex_;  // guards what follows
  SlotTable<ActiveObject> objects_;
  std::unordered_map<std::string, ObjectSlot*> by_id_;
  std::unordered_multimap<core::Servant*, ObjectSlot*> by_servant_;
  std::map<std::string, base::Ref<Adapter>> children_;
  core::Servant* default_servant_ = nullptr;
  std::uint64_t next_id_ = 0;
};

// All adapters of an ORB: the dispatcher of its core.
class AdapterTable final : public core::Dispatcher {
 public:
  explicit AdapterTable(core::Orb& orb);
  ~AdapterTable() override;

  core::Orb& orb() const { return orb_; }
  Adapter& root() const { return *root_; }
  // Holds the objects with plain keys.
  Adapter& named() const { return *named_; }

  void dispatch(core::ServerRequest& request) override;
  Location locate(const char* key, std::uint32_t key_size) override;
  void shutdown(bool wait) override;

  // A key taken apart. `entry` has been entered and must be left, whatever `adapter` says.
  struct Target {
    SlotTable<base::Ref<Adapter>>::Entry* entry = nullptr;
    Adapter* adapter = nullptr;  // null: there is none of this name any more
    std::uint32_t hint = 0;
    const char* id = nullptr;
    std::size_t id_size = 0;
  };
  void enter(const char* key, std::size_t key_size, Target& target);
  void leave(Target& target);

  bool add(Adapter& adapter);
  void remove(Adapter& adapter, bool wait);

 private:
  SlotTable<base::Ref<Adapter>>::Entry* find_path(std::string_view path);

  core::Orb& orb_;
  base::Mutex mutex_;  // guards what follows
  SlotTable<base::Ref<Adapter>> adapters_;
  std::map<std::string, SlotTable<base::Ref<Adapter>>::Entry*, std::less<>> by_path_;
  base::Condition left_;
  base::Ref<Adapter> root_;
  base::Ref<Adapter> named_;
};

// Key formats; the first octet of a key.
inline constexpr char kTransientKey = 1;
inline constexpr char kPersistentKey = 2;
inline constexpr std::uint32_t kNoHint = 0xffffffffu;

}  // namespace corbel::poa
