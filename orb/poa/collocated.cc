#include "orb/poa/collocated.h"

#include <bit>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "orb/core/orb.h"
#include "orb/giop/reply.h"
#include "orb/poa/adapter_table.h"

namespace corbel::poa {
namespace {

// An object that comes and goes leaves so many records with a proxy; then the adapter finds it for each call.
constexpr std::size_t kMostRecords = 32;

constinit base::Mutex records_mutex;

AdapterSlot& slot_of(std::uintptr_t adapter) {
  return *reinterpret_cast<AdapterSlot*>(adapter & ~core::Frame::kDirect);
}

std::uint64_t changes() { return __atomic_load_n(&core::collocation_changes, __ATOMIC_ACQUIRE); }

CollocatedTarget* known(const core::CollocatedSlot& slot, const core::Collocated& wanted, std::uint64_t word,
                        std::size_t& count) {
  count = 0;
  for (core::Collocated* r = slot.records; r; r = r->next, ++count) {
    auto* const target = static_cast<CollocatedTarget*>(r);
    if (r->object == wanted.object && r->adapter == wanted.adapter && target->word == word &&
        r->servant == wanted.servant)
      return target;
  }
  return nullptr;
}

// What a request needs to lead to `run`.
struct Through {
  core::ServerRequest* request;
  const char* interface;
  void (*run)(void* servant, void* call);
  void* call;
  bool ran = false;
  std::exception_ptr thrown;
};

void run_through(void* data) {
  auto& through = *static_cast<Through*>(data);
  core::Servant& servant = *static_cast<const UpcallTarget*>(through.request->adapter_data)->servant;
  const core::CollocatedServant as = servant.functions().collocated(servant, through.interface);
  if (!as.functions) return;
  through.ran = true;
  try {
    through.run(as.servant, through.call);
  } catch (...) {
    through.thrown = std::current_exception();
  }
}

}  // namespace

bool CollocatedTarget::allowed() const {
  core::Orb& orb = reference->orb();
  return !orb.is_shut_down() && !orb.has_hooks() && !orb.has_call_settings() &&
         !reference->has_call_settings() &&
         reference->bound_serial() == __atomic_load_n(&binding, __ATOMIC_RELAXED) && !orb.retry_handler() &&
         !reference->retry_handler();
}

// The number is read first: what changes while this looks makes the next call look again.
bool CollocatedTarget::renew() {
  const std::uint64_t now = changes();
  if (!allowed()) return false;
  if (!direct()) {
    __atomic_store_n(&checked, now, __ATOMIC_RELAXED);
    return true;
  }
  const auto& at = *static_cast<const ObjectSlot*>(object);
  if (in->destroyed() || in->manager().state() != Manager::State::Active || !at.active() ||
      at.word.load() != word)
    return false;
  __atomic_store_n(&seen, now, __ATOMIC_RELEASE);
  return true;
}

core::Collocated* AdapterTable::collocate(core::CollocatedSlot& slot, core::Reference& reference,
                                          const core::Binding& binding, const char* interface) {
  const core::Collocation strategy = orb_.options().collocation;
  const auto none = [&slot]() -> core::Collocated* {
    slot.decide(core::CollocatedSlot::kNone);
    return nullptr;
  };
  // Whoever may be elsewhere with the next call is called by messages.
  if (strategy == core::Collocation::Message || orb_.has_hooks() || binding.forward ||
      std::popcount(binding.profiles) > 1)
    return none();
  auto fresh = std::make_unique<CollocatedTarget>();
  fresh->slot = &slot;
  fresh->reference = &reference;
  fresh->interface = interface;
  fresh->key = binding.key;
  fresh->binding = binding.serial;
  fresh->destroy = [](core::Collocated* c) { delete static_cast<CollocatedTarget*>(c); };
  if (!fresh->allowed()) return nullptr;
  Target target;
  enter(fresh->key, target);
  fresh->id = target.id;
  fresh->hint = target.hint;
  Adapter* const adapter = target.adapter;
  if (!adapter || adapter->manager().state() != Manager::State::Active) {
    leave(target);
    return nullptr;
  }
  const Policies& policies = adapter->policies();
  const bool by_locator = policies.servant_manager && !policies.retain;
  const bool direct = adapter->ordinary_ && strategy == core::Collocation::Direct;
  ObjectSlot* const object = by_locator || target.slot == named_slot_ ? nullptr
                             : direct ? adapter->objects_.enter(target.hint, target.id)
                                      : adapter->enter(target.hint, target.id);
  if (object) {
    core::Servant& servant = servant_of(*object);
    const core::CollocatedServant as = servant.functions().collocated(servant, interface);
    fresh->functions = as.functions;
    fresh->in = base::Ref<Adapter>::share(adapter);
    if (direct) {
      fresh->servant = as.servant;
      fresh->adapter = reinterpret_cast<std::uintptr_t>(target.slot) | core::Frame::kDirect;
      fresh->object = object;
      fresh->word = object->word.load();
    }
    adapter->objects_.leave(*object);
  }
  leave(target);
  if (by_locator || target.slot == named_slot_) return none();
  if (!object) return nullptr;  // perhaps it comes
  if (!fresh->functions) return none();
  std::unique_lock lock(records_mutex);
  std::size_t count;
  CollocatedTarget* record = known(slot, *fresh, fresh->word, count);
  if (!record && count >= kMostRecords) {
    fresh->servant = nullptr;
    fresh->object = nullptr;
    fresh->adapter = fresh->word = 0;
    record = known(slot, *fresh, 0, count);
  }
  if (!record) {
    fresh->next = slot.records;
    slot.records = record = fresh.release();
  }
  __atomic_store_n(&record->binding, binding.serial, __ATOMIC_RELAXED);
  lock.unlock();
  if (!record->renew()) return nullptr;
  slot.decide(reinterpret_cast<std::uintptr_t>(static_cast<core::Collocated*>(record)));
  return record;
}

bool AdapterTable::in_direct_call() const {
  return presence::any_direct_call(
      [](const core::Frame& frame, const void* table) {
        return &adapter_in(slot_of(frame.adapter)).table() == table;
      },
      this);
}

// ---- the way through the adapter

// As a direct call is inside of an adapter, but not yet of an object.
bool Adapter::call(const CollocatedTarget& target, void (*run)(void*, void*), void* call) {
  core::Frame* const frame = presence::enter(
      reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(slot_) | core::Frame::kDirect));
  frame->request = core::calling_thread.request;
  const AdapterTable::Visit visit(table_, *slot_, frame);
  if (!slot_->is(slot_->index(), generation_) || manager_->state() != Manager::State::Active) return false;
  ObjectSlot* const object = objects_.enter(target.hint, target.id);
  if (!object) return false;
  const ObjectMap::Inside inside(objects_, *object);
  core::Servant& servant = servant_of(*object);
  const core::CollocatedServant as = servant.functions().collocated(servant, target.interface);
  if (as.functions) run(as.servant, call);
  return as.functions;
}

namespace {

// What the adapter answers: nobody is to be asked again, for servant managers have been asked already.
SystemError read_refusal(core::ServerRequest& request, core::Reference& reference) {
  using Reply = core::ServerRequest::Reply;
  const char* const reply = request.reply().data();
  cdr::Decoder in(reply, reply + core::ServerRequest::kReplyBegin, reply + request.reply().size(), false);
  const Reply kind = request.reply_kind();
  SystemError error;
  ior::Ior elsewhere;
  if (kind == Reply::SystemException) (void)giop::decode_system_exception(in, error);
  else if ((kind == Reply::Forward || kind == Reply::ForwardPerm) && ior::decode(in, elsewhere))
    reference.forward(std::move(elsewhere), kind == Reply::ForwardPerm);
  return error;
}

}  // namespace

bool call_through_adapter(CollocatedTarget& target, void (*run)(void*, void*), void* call,
                          SystemError& refusal) {
  if (__atomic_load_n(&target.checked, __ATOMIC_RELAXED) != changes() && !target.renew()) return false;
  if (target.in->only_looks_up() && target.in->call(target, run, call)) return true;
  core::Orb& orb = target.reference->orb();
  auto request = orb.lane().requests.take();
  if (!request) request = std::make_unique<core::ServerRequest>(orb);
  const std::string key = target.key;  // the servant may release the reference
  core::ServerRequest& r = *request;
  giop::RequestHeader& header = r.header();
  header = {};
  header.response_expected = true;
  header.key = key.data();
  header.key_size = static_cast<std::uint32_t>(key.size());
  header.operation = "";
  r.start(cdr::Decoder());
  Through through{&r, target.interface, run, call, false, nullptr};
  r.run_at_target(run_through, &through);
  r.connection = nullptr;
  {
    const core::RunsHere here(r);
    orb.dispatch_to_adapter(r);
  }
  r.run_at_target(nullptr, nullptr);
  if (!through.ran && r.reply_started()) refusal = read_refusal(r, *target.reference);
  r.finish_local();
  orb.lane().requests.give(std::move(request));
  if (through.thrown) std::rethrow_exception(through.thrown);
  return through.ran;
}

void Adapter::finish_left(ObjectSlot& object) { objects_.left(object); }

}  // namespace corbel::poa

namespace corbel::core {

using poa::AdapterSlot;
using poa::CollocatedTarget;
using poa::ObjectSlot;

Orb& orb_of_call() { return poa::adapter_in(poa::slot_of((calling_thread.top - 1)->adapter)).table().orb(); }

void left_object(Frame* frame, const void* object) noexcept {
  if (changed(frame))
    poa::adapter_in(poa::slot_of(frame->adapter))
        .finish_left(*static_cast<ObjectSlot*>(const_cast<void*>(object)));
  leave_adapter(frame, below(frame));
}

// Where that is so the adapter is this one's to finish, so it is there.
void left_adapter(std::uintptr_t adapter) noexcept {
  AdapterSlot& slot = poa::slot_of(adapter);
  if (slot.was_last()) poa::adapter_in(slot).table().finish(slot);
}

void leave_thrown(Frame* frame) noexcept { leave_directly(frame); }

// It may have noted what was gone already, and others may have seen it there.
void turn_away(const Collocated& noted, Frame* frame) noexcept {
  const auto& target = static_cast<const CollocatedTarget&>(noted);
  const void* const object = target.object;
  __atomic_store_n(&frame->object, nullptr, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (object) target.in->finish_left(*static_cast<ObjectSlot*>(const_cast<void*>(object)));
  const std::uintptr_t adapter = frame->adapter;
  __atomic_store_n(&frame->adapter, 0, __ATOMIC_RELEASE);
  calling_thread.top = below(frame);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (adapter) left_adapter(adapter);
}

Frame* enter_directly(const Collocated& target) {
  bool holds;
  Frame* frame = note_direct_call(target, holds);
  if (!frame) {
    calling_thread.top = next_frames();
    frame = note_direct_call(target, holds);
  }
  if (holds) return frame;
  turn_away(target, frame);
  return nullptr;
}

}  // namespace corbel::core
