#include "orb/interceptors/slots.h"

#include <map>
#include <utility>

#include "orb/interceptors/raise.h"

namespace corbel::interceptors {
namespace {

using PortableInterceptor::SlotId;

// By the ORB's incarnation: what is left of one that is gone never comes to belong to another.
thread_local std::map<std::uint64_t, Slots> tables;

class Current final : public PortableInterceptor::Current {
 public:
  explicit Current(State& state) : state_(base::Ref<State>::share(&state)) {}

  CORBA::Any* get_slot(SlotId id) override {
    if (state_->initializing()) raise_not_here();
    const auto i = tables.find(state_->incarnation());
    static const Slots kNone;
    return interceptors::get_slot(i == tables.end() ? kNone : i->second, id, state_->slot_count());
  }
  void set_slot(SlotId id, const CORBA::Any& data) override {
    if (state_->initializing()) raise_not_here();
    set_slot_of_thread(*state_, id, data);
  }
  const void* _corbel_identity() const override { return state_.get(); }

 private:
  const base::Ref<State> state_;
};

}  // namespace

CORBA::Any* get_slot(const Slots& slots, SlotId id, SlotId count) {
  if (id >= count) throw PortableInterceptor::InvalidSlot();
  return id < slots.size() ? new CORBA::Any(slots[id]) : new CORBA::Any;
}

void set_slot(Slots& slots, SlotId id, const CORBA::Any& data, SlotId count) {
  if (id >= count) throw PortableInterceptor::InvalidSlot();
  if (id >= slots.size()) slots.resize(id + 1);
  slots[id] = data;
}

Slots slots_of_thread(const State& state) {
  if (state.slot_count() == 0) return {};
  const auto i = tables.find(state.incarnation());
  return i == tables.end() ? Slots{} : i->second;
}

void set_slot_of_thread(const State& state, SlotId id, const CORBA::Any& data) {
  set_slot(tables[state.incarnation()], id, data, state.slot_count());
}

SlotScope::SlotScope(const State& state, Slots slots) : state_(state) {
  if (state.slot_count() != 0) kept_ = std::exchange(tables[state.incarnation()], std::move(slots));
}

SlotScope::~SlotScope() {
  if (state_.slot_count() != 0) tables[state_.incarnation()] = std::move(kept_);
}

Slots& SlotScope::slots() { return tables[state_.incarnation()]; }

PortableInterceptor::Current_ptr make_current(State& state) { return new Current(state); }

}  // namespace corbel::interceptors
