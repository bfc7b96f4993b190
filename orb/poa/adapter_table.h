// All adapters of an ORB: from an object key to the servant, in constant time and, where the key's hints are
// right, without a lock.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/dispatcher.h"
#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/poa/adapter.h"
#include "orb/poa/hint_table.h"
#include "orb/poa/slot_table.h"

namespace corbel::poa {

// Thread-safe. Owned by the ORB as its dispatcher.
class AdapterTable final : public core::Dispatcher {
 public:
  explicit AdapterTable(core::Orb& orb);
  ~AdapterTable() override;

  core::Orb& orb() const { return orb_; }
  Adapter& root() const { return *root_; }
  // Its object ids are whole keys. Until somebody asks for it, a key that names nothing is refused at once.
  Adapter& named();
  bool is_named(const Adapter& adapter) const { return &adapter == named_.get(); }

  // Requests for the plain key are forwarded to `target` from now on; null ends that.
  void set_plain_reference(const std::string& key, base::Ref<core::Reference> target);

  void dispatch(core::ServerRequest& request) override;
  Location locate(const char* key, std::uint32_t key_size) override;
  void shutdown(bool wait) override;

  // ---- for adapters
  // A key taken apart. `slot` has been entered and must be left, whatever `adapter` says.
  struct Target {
    AdapterSlot* slot = nullptr;
    Adapter* adapter = nullptr;  // null: there is none of this name any more
    std::uint32_t hint = 0;
    std::string_view id;
  };
  void enter(std::string_view key, Target& target);
  void leave(Target& target) {
    if (target.slot && target.slot->leave() == SlotTable<base::Ref<Adapter>>::Left::Last) [[unlikely]]
      finish(*target.slot);
  }

  Outcome add(Adapter& adapter);
  // No request starts in it any more.
  void retire(Adapter& adapter);
  void wait_until_left(Adapter& adapter);
  // Answers a request whose object is not there.
  void no_object(core::ServerRequest& request) const;

  // ---- for managers
  // One of them is active for the first time. Until then the application may be making its adapters, so
  // requests for persistent ones and for plain names wait.
  void started();
  // Until nothing runs in any adapter of the manager, or its state is another one.
  void wait_until_idle(const Manager& manager, Manager::State state);
  // Takes one of the places for requests that wait for a manager; false if there is none.
  bool begin_hold();
  void end_hold() { held_.fetch_sub(1); }

 private:
  void enter_other(std::string_view key, Target& target);
  bool enter_hinted(std::uint32_t hint, std::string_view path, Target& target);
  bool may_come(std::string_view key) const;
  bool turned_away(core::ServerRequest& request, std::string_view key);
  base::Ref<core::Reference> plain_reference(std::string_view key);
  void finish(AdapterSlot& slot);

  core::Orb& orb_;
  std::atomic<std::uint32_t> held_{0};
  std::atomic<bool> named_used_{false};
  std::atomic<bool> has_plain_references_{false};
  base::Condition left_;
  SlotTable<base::Ref<Adapter>> adapters_;
  HintTable paths_;

  base::Mutex mutex_;                                       // guards what follows, and changes of the tables
  std::unordered_map<std::string_view, Adapter*> by_path_;  // keys are the adapters' own
  std::map<std::string, base::Ref<core::Reference>, std::less<>> plain_references_;

  base::Ref<Manager> starting_;
  std::string server_path_;  // with it begin the paths of this server's persistent adapters
  base::Ref<Adapter> root_;
  base::Ref<Adapter> named_;
  AdapterSlot* named_slot_ = nullptr;
};

}  // namespace corbel::poa
