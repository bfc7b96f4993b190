// What services hand on from thread to request and back: PICurrent and its slots (CORBA 3.4 part 1, "Portable
// Interceptors", "Portable Interceptor Current").
//
// Each thread has a table for each ORB, and each request has one. A call takes a copy of its thread's with
// it; a request that is served lends its own to the thread that serves it. While interceptors of a call run,
// their thread has a copy of its table, so that what they set there is gone when they have run.
#pragma once

#include <vector>

#include <corbel/any.h>
#include <corbel/idl/PortableInterceptor.stub.h>

#include "orb/base/ref.h"
#include "orb/interceptors/state.h"

namespace corbel::interceptors {

// In the order of their ids; those beyond the end have not been set.
using Slots = std::vector<CORBA::Any>;

// The caller owns it. InvalidSlot if there is no such slot.
CORBA::Any* get_slot(const Slots& slots, PortableInterceptor::SlotId id, PortableInterceptor::SlotId count);
void set_slot(Slots& slots, PortableInterceptor::SlotId id, const CORBA::Any& data,
              PortableInterceptor::SlotId count);

// A copy of the calling thread's.
Slots slots_of_thread(const State& state);
// One of them.
void set_slot_of_thread(const State& state, PortableInterceptor::SlotId id, const CORBA::Any& data);

// Gives the calling thread another table for as long as it lives.
class SlotScope {
 public:
  SlotScope(const State& state, Slots slots);
  ~SlotScope();
  SlotScope(const SlotScope&) = delete;
  SlotScope& operator=(const SlotScope&) = delete;
  // Those that the thread has now.
  Slots& slots();

 private:
  const State& state_;
  Slots kept_;
};

// "PICurrent"; the caller releases it.
PortableInterceptor::Current_ptr make_current(State& state);

}  // namespace corbel::interceptors
