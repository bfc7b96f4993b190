// Requests for objects that are not active: servant activators and locators (CORBA 3.4 part 1,
// "ServantActivator Interface", "ServantLocator Interface").
#include <mutex>
#include <new>
#include <utility>

#include "orb/core/application_call.h"
#include "orb/core/orb.h"
#include "orb/core/upcall_lock.h"
#include "orb/ior/assigned.h"
#include "orb/poa/adapter.h"
#include "orb/poa/adapter_table.h"

namespace corbel::poa {
namespace {

using assigned::kOmgMinor;

void refuse(core::ServerRequest& request, SystemErrorId id, std::uint32_t minor, const char* detail) {
  request.system_exception({id, Completion::No, minor, detail});
}

// False: the request has been answered.
bool usable(core::ServerRequest& request, const Incarnation& made) {
  if (made.error) request.system_exception(made.error);
  else if (made.forward) request.forward(made.forward->ior(), made.permanent);
  else if (!made.servant)
    refuse(request, SystemErrorId::OBJ_ADAPTER, kOmgMinor | 7, "the servant manager gave no servant");
  else return true;
  return false;
}

void no_manager(core::ServerRequest& request) {
  refuse(request, SystemErrorId::OBJ_ADAPTER, kOmgMinor | 4, "the adapter has no servant manager");
}

}  // namespace

// ---- the managers

Outcome Adapter::set_manager(base::Ref<ServantManager> manager, bool retain) {
  if (!policies_.servant_manager) return Outcome::WrongPolicy;
  if (policies_.retain != retain || !manager) return Outcome::WrongManager;
  std::lock_guard lock(mutex_);
  if (servant_manager_) return Outcome::ManagerSet;
  servant_manager_ = std::move(manager);
  return Outcome::Ok;
}

Outcome Adapter::set_activator(base::Ref<ServantActivator> activator) {
  return set_manager(std::move(activator), true);
}
Outcome Adapter::set_locator(base::Ref<ServantLocator> locator) {
  return set_manager(std::move(locator), false);
}

base::Ref<ServantManager> Adapter::servant_manager() {
  std::lock_guard lock(mutex_);
  return servant_manager_;
}

Outcome Adapter::servant_manager(base::Ref<ServantManager>& manager) {
  if (!policies_.servant_manager) return Outcome::WrongPolicy;
  manager = servant_manager();
  return Outcome::Ok;
}

// ---- activators

// Whether the request, or one that it is inside of, in its own thread or in the one that has brought it, is
// for the id here.
bool Adapter::runs(const core::ServerRequest* request, std::string_view id) const {
  for (const core::ServerRequest* r = request; r; r = r->outer) {
    const auto* const target = static_cast<const UpcallTarget*>(r->adapter_data);
    if ((target && target->adapter == this && target->id == id) || runs(r->below, id)) return true;
  }
  return false;
}

// Whether a wait for the id to become free would be for what this thread itself is in the middle of.
bool Adapter::waits_for_itself(std::string_view id) {
  if (objects_.busy_here(id) || runs(core::ServerRequest::current(), id)) return true;
  const std::pair<Adapter*, std::string_view> wanted{this, id};
  return presence::any_direct_call(
      [](const core::Frame& frame, const void* context) {
        const auto& [adapter, name] = *static_cast<const std::pair<Adapter*, std::string_view>*>(context);
        const auto& slot = *reinterpret_cast<const AdapterSlot*>(frame.adapter & ~core::Frame::kDirect);
        return &adapter_in(slot) == adapter && frame.object &&  // which it may have left already
               adapter->id_of(*static_cast<const ObjectSlot*>(frame.object)) == name;
      },
      &wanted);
}

void Adapter::dispatch_by_activator(core::ServerRequest& request, std::string_view id) {
  for (;;) {
    const std::uint32_t epoch = objects_.changed().epoch();
    ObjectSlot* object = nullptr;
    switch (objects_.claim(id, object)) {
      case ObjectMap::Claim::Entered:
        return run(request, *object, id);
      case ObjectMap::Claim::Yours:
        return incarnate(request, id);
      case ObjectMap::Claim::Sealed:
        return refuse(request, SystemErrorId::TRANSIENT, kOmgMinor | 4, "the adapter is being destroyed");
      case ObjectMap::Claim::Busy:
        if (waits_for_itself(id)) return table_.would_wait_for_itself(request);
        if (!table_.hold(request, objects_.changed(), epoch)) return;
    }
  }
}

void Adapter::incarnate(core::ServerRequest& request, std::string_view id) {
  const auto manager = servant_manager();
  Incarnation made;
  if (manager) static_cast<ServantActivator&>(*manager).incarnate(*this, id, made);
  ObjectSlot* object = nullptr;
  Outcome outcome = Outcome::Ok;
  {
    // The id is free then, unless its object is there: also where memory runs out.
    const struct Claimed {
      Adapter& adapter;
      const std::string_view id;
      ObjectSlot* const& object;
      ~Claimed() {
        if (!object) adapter.objects_.give_up(id);
        adapter.table_.notify(adapter.objects_.changed());
      }
    } claimed{*this, id, object};
    if (!manager) return no_manager(request);
    if (!usable(request, made)) return;
    try {
      outcome = objects_.supply(id, *made.servant, object);
    } catch (const std::bad_alloc&) {
      made.servant->functions().remove_ref(*made.servant);
      throw;
    }
  }
  if (outcome == Outcome::Ok) return run(request, *object, id);
  made.servant->functions().remove_ref(*made.servant);
  if (outcome == Outcome::TableFull)
    return refuse(request, SystemErrorId::NO_RESOURCES, 0, "the adapter can hold no more objects");
  refuse(request, SystemErrorId::OBJ_ADAPTER, kOmgMinor | 5,
         "the servant activator gave a servant that is active already, where ids are unique");
}

// A thread that etherealizes objects of an adapter, one after the other. While it waits for something inside
// of the ORB, which may be the end of another one of them, another thread goes on, as long as there may be
// more; but not while it waits for the adapter's turn, which the next one would want, too.
class Adapter::Etherealizing final : private core::UpcallLock {
 public:
  // Calls that it makes are told from others as those of an upcall are: who waits for a reply in one says so.
  explicit Etherealizing(Adapter& adapter) : adapter_(adapter), request_(adapter.table_.orb()) {
    outer_ = current();
    set_current(this);
    request_.outer = core::ServerRequest::current();
    core::ServerRequest::set_current(&request_);
  }
  ~Etherealizing() {
    core::ServerRequest::set_current(request_.outer);
    set_current(outer_);
  }
  Etherealizing(const Etherealizing&) = delete;
  Etherealizing& operator=(const Etherealizing&) = delete;

  // Null: there is nothing left, or another thread has gone on.
  ObjectSlot* next() {
    std::lock_guard lock(adapter_.mutex_);
    if (passed_on_) return nullptr;
    auto& objects = adapter_.to_etherealize_;
    if (objects.empty()) {
      adapter_.etherealizing_ = false;
      return nullptr;
    }
    ObjectSlot* const object = objects.front();
    objects.pop_front();
    return object;
  }

 private:
  void let_go() override {
    if (waits_ || !adapter_.table_.later().begin_wait()) return;
    waits_ = true;
    {
      std::lock_guard lock(adapter_.mutex_);
      if (std::exchange(passed_on_, true)) return;
      adapter_.etherealizing_ = false;
    }
    adapter_.start_etherealizing();
  }
  void take_again() override {
    if (std::exchange(waits_, false)) adapter_.table_.later().end_wait();
  }
  bool held() const override { return false; }
  bool of(const void* what) const override { return what == &adapter_.serial_; }

  Adapter& adapter_;
  core::ServerRequest request_;
  bool waits_ = false;
  bool passed_on_ = false;
};

void Adapter::start_etherealizing() {
  {
    std::lock_guard lock(mutex_);
    if (to_etherealize_.empty() || std::exchange(etherealizing_, true)) return;
  }
  table_.later().add([self = base::Ref<Adapter>::share(this)] {
    Etherealizing here(*self);
    while (ObjectSlot* const object = here.next()) self->etherealize(*object);
  });
}

// A reactive server has no threads but the application's: it is done at once.
void Adapter::ended(ObjectSlot& object) {
  const core::AbstractServer* const server = table_.orb().server();
  if (policies_.thread == Thread::MainThread)
    return table_.orb().main_thread().post(
        [self = base::Ref<Adapter>::share(this), &object] { self->etherealize(object); });
  if (server && server->reactive()) return etherealize(object);
  {
    std::lock_guard lock(mutex_);
    to_etherealize_.push_back(&object);
  }
  start_etherealizing();
}

void Adapter::etherealize(ObjectSlot& object) {
  const ObjectMap::Ending ending = objects_.begin_etherealization(object);
  core::Servant& servant = servant_of(object);
  const auto manager = servant_manager();
  if (manager && ending.etherealize) {
    const core::ApplicationCall call(table_.orb());
    const Serial::Turn turn(serial());
    static_cast<ServantActivator&>(*manager).etherealize(*this, objects_.id_of(object), servant,
                                                         ending.cleanup, ending.remaining);
  } else {
    servant.functions().remove_ref(servant);
  }
  objects_.end_etherealization(object);
  table_.notify(objects_.changed());
  forget_if_gone();
}

void Adapter::etherealize_all() {
  if (policies_.retain && policies_.servant_manager) objects_.deactivate_all();
}

void Adapter::wait_until_quiet() {
  for (;;) {
    const std::uint32_t epoch = objects_.changed().epoch();
    if (!objects_.any_busy()) return;
    table_.wait_for_end(objects_.changed(), epoch);
  }
}

// ---- locators

void Adapter::dispatch_by_locator(core::ServerRequest& request, std::string_view id) {
  const auto manager = servant_manager();
  if (!manager) return no_manager(request);
  auto& locator = static_cast<ServantLocator&>(*manager);
  Incarnation made;
  void* cookie = nullptr;
  locator.preinvoke(*this, id, request.operation(), cookie, made);
  if (!usable(request, made)) return;
  {
    const core::KeepsReply keeps(request);  // postinvoke() has a say in it
    run(request, *made.servant, id);
  }
  if (const SystemError error = locator.postinvoke(*this, id, request.operation(), cookie, *made.servant))
    request.system_exception(error);
}

}  // namespace corbel::poa
