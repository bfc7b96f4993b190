// All adapters of an ORB: from an object key to the servant, in constant time and, where the key's hints are
// right, without a lock.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orb/base/mutex.h"
#include "orb/base/ref.h"
#include "orb/core/dispatcher.h"
#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/poa/adapter.h"
#include "orb/poa/creation.h"
#include "orb/poa/later.h"
#include "orb/poa/path_table.h"
#include "orb/poa/slot_table.h"

namespace corbel::poa {

// Thread-safe. Owned by the ORB as its dispatcher.
class AdapterTable final : public core::Dispatcher {
 public:
  // Told of adapters that have been destroyed, each once.
  using TellGone = void(core::Orb& orb, const std::vector<base::Ref<Adapter>>& gone);
  // `own` are what the root's references say.
  explicit AdapterTable(core::Orb& orb, std::shared_ptr<const core::AdapterPolicies> own = nullptr,
                        TellGone* tell_gone = nullptr);
  ~AdapterTable() override;

  core::Orb& orb() const { return orb_; }
  Adapter& root() const { return *root_; }
  // Its object ids are whole keys. Until somebody asks for it, a key that names nothing is refused at once.
  Adapter& named();
  bool is_named(const Adapter& adapter) const { return &adapter == named_.get(); }

  // Requests for the plain key are forwarded to `target` from now on; null ends that.
  void set_plain_reference(const std::string& key, base::Ref<core::Reference> target);

  void dispatch(core::ServerRequest& request) override;
  Location locate(const char* key, std::uint32_t key_size, ior::Ior& forward, SystemError& error) override;
  core::Collocated* collocate(core::CollocatedSlot& slot, core::Reference& reference,
                              const core::Binding& binding, const char* interface) override;
  bool in_direct_call() const override;
  std::string interface_of(const core::ServerRequest& request) override;
  bool bidirectional(const char* key, std::uint32_t key_size) override;
  std::shared_ptr<const core::AdapterPolicies> policies_of(const char* key, std::uint32_t key_size) override;
  void shutdown(bool wait) override;

  // ---- for adapters
  // A key taken apart. `slot` has been entered and must be left, whatever `adapter` says.
  struct Target {
    AdapterSlot* slot = nullptr;
    core::Frame* visit = nullptr;  // of the slot
    Adapter* adapter = nullptr;    // null: there is none of this name any more
    std::uint32_t hint = 0;
    std::string_view id;
  };
  void enter(std::string_view key, Target& target);
  void leave(Target& target) {
    if (!target.slot) return;
    presence::leave(target.visit);
    if (target.slot->was_last()) [[unlikely]]
      finish(*target.slot);
  }
  // Leaves a slot that has been entered, whatever is thrown meanwhile; where there is no memory to end what
  // was in it, this throws, too. In line: what it knows is in registers.
  class Visit {
   public:
    Visit(AdapterTable& table, AdapterSlot& slot, core::Frame* frame)
        : table_(table), slot_(slot), frame_(frame) {}
    [[gnu::always_inline]] ~Visit() noexcept(false) {
      presence::leave(frame_);
      if (slot_.was_last()) [[unlikely]]
        table_.finish(slot_);
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    AdapterTable& table_;  // neither the adapter nor what has led to it need be there at the end
    AdapterSlot& slot_;
    core::Frame* const frame_;
  };
  // The same with what a key has led to, if that is anything.
  class Leaving {
   public:
    Leaving(AdapterTable& table, Target& target) : table_(table), target_(target) {}
    ~Leaving() noexcept(false) { table_.leave(target_); }
    Leaving(const Leaving&) = delete;
    Leaving& operator=(const Leaving&) = delete;

   private:
    AdapterTable& table_;
    Target& target_;
  };

  // Of a retired slot, when nobody is inside any more.
  void finish(AdapterSlot& slot);

  // Requests find it from here on or, if an adapter activator is making it, when that is done.
  Outcome add(Adapter& adapter);
  // No request starts in it any more.
  void retire(Adapter& adapter);
  void wait_until_ended(Adapter& adapter);
  void notify_ended() { ended_.notify_all(); }
  base::Condition& ended() { return ended_; }
  void tell_gone(const std::vector<base::Ref<Adapter>>& gone) const {
    if (tell_gone_ && !gone.empty()) tell_gone_(orb_, gone);
  }
  // Answers a request whose object is not there.
  void no_object(core::ServerRequest& request) const;

  // ---- adapter activators
  std::shared_ptr<Creation> create(Adapter& parent, const std::string& name, AdapterActivator& activator);
  // The call of an activator, still running, that makes this child; or null.
  std::shared_ptr<Creation> creation_of(const Adapter& parent, std::string_view name);
  bool runs(const Creation& creation);
  // Notified when one has ended.
  base::Condition& created() { return created_; }

  // ---- POAManagers: known by their ids while they have adapters, and before their first one
  base::Ref<Manager> make_manager();
  // It has not got its first adapter, and does not get it.
  void forget_manager(const Manager& manager);
  Outcome make_manager(const std::string& id, base::Ref<Manager>& manager);
  base::Ref<Manager> find_manager(const std::string& id);
  std::vector<base::Ref<Manager>> managers();

  // ---- for managers
  // One of them is active for the first time. Until then the application may be making its adapters, so
  // requests for persistent ones and for plain names wait.
  void started();
  // Until nothing runs in any adapter of the manager, or its state is another one.
  void wait_until_idle(const Manager& manager, Manager::State state);
  void etherealize_all(const Manager& manager, bool wait);

  // ---- waiting
  // A request waits until the condition has left the epoch; any thread may be back early. False: it has been
  // refused, for the ORB is shut down, its caller has cancelled it or too many wait.
  bool hold(core::ServerRequest& request, base::Condition& condition, std::uint32_t epoch);
  // The same of a thread that is no request, or in the middle of one.
  void wait(base::Condition& condition, std::uint32_t epoch);
  // The same of who waits for adapters or objects to end, outside of upcalls.
  void wait_for_end(base::Condition& condition, std::uint32_t epoch);
  // Answers a request that would have to wait for what its own thread is in the middle of.
  void would_wait_for_itself(core::ServerRequest& request) const;
  // Wakes those who wait in either way.
  void notify(base::Condition& condition);
  Later& later() { return later_; }

 private:
  std::shared_ptr<Creation> creation_locked(const Adapter* parent, std::string_view name);
  std::shared_ptr<Creation> creator_locked(const Adapter* adapter);
  void publish_locked(Adapter& adapter);
  bool await(core::ServerRequest& request, const std::shared_ptr<Creation>& creation);
  bool make_adapters(core::ServerRequest& request, std::string_view key);
  bool may_be_made(std::string_view key);
  std::shared_ptr<Creation> creation_of_transient(std::string_view key);
  bool await_transient(core::ServerRequest& request, std::string_view key);
  base::Ref<Manager> take_manager_locked(const Manager& manager);
  base::Ref<Manager> make_manager_of(const std::string& id);
  bool begin_hold();
  void end_hold();
  core::MainThread::As who_waits_for_end() const;
  std::vector<base::Ref<Adapter>> adapters_of(const Manager& manager);
  void dispatch_otherwise(core::ServerRequest& request, std::string_view key);
  void enter_other(std::string_view key, Target& target);
  bool enter_hinted(PathTable& paths, std::uint32_t hint, std::string Adapter::*its_path,
                    std::string_view path, Target& target);
  void enter_by_path(PathTable& paths, std::string_view path, Target& target);
  [[gnu::cold]] bool enter_foreign(std::string_view key, Target& target);
  void read_format(KeyFormat format);
  bool reads(KeyFormat format) const;
  // What a persistent key says of its adapter: the path that Corbel's own keys have, or would have.
  struct AdapterPath {
    std::string text;
    KeyFormat format = KeyFormat::Corbel;  // of the key
    ForeignKey key;                        // unless that is Corbel's
  };
  bool path_in(std::string_view key, AdapterPath& path) const;
  Outcome make_paths(Adapter& adapter) const;
  bool may_come(std::string_view key) const;
  bool turned_away(core::ServerRequest& request, std::string_view key);
  base::Ref<core::Reference> plain_reference(std::string_view key);

  core::Orb& orb_;
  TellGone* const tell_gone_;
  std::atomic<std::uint32_t> held_{0};
  std::atomic<bool> named_used_{false};
  std::atomic<bool> ending_{false};
  std::atomic<bool> has_plain_references_{false};
  base::Condition ended_;
  base::Condition created_;
  SlotTable adapters_;  // counts those that are active
  PathTable paths_;
  PathTable foreign_paths_;
  std::atomic<std::uint32_t> formats_{0};  // of other ORBs, a bit each: keys of these are read

  base::Mutex mutex_;  // guards what follows, and changes of the tables
  std::map<std::string, base::Ref<core::Reference>, std::less<>> plain_references_;
  std::vector<std::shared_ptr<Creation>> creations_;  // that run
  std::map<std::string, base::Ref<Manager>, std::less<>> managers_;
  std::uint64_t made_managers_ = 0;

  Later later_{orb_.options().max_threads};
  base::Ref<Manager> starting_;
  std::string server_path_;  // with it begin the paths of this server's persistent adapters
  base::Ref<Adapter> root_;
  base::Ref<Adapter> named_;
  AdapterSlot* named_slot_ = nullptr;
};

}  // namespace corbel::poa
