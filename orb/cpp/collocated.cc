#include <corbel/cpp/collocated.h>

#include "orb/core/dispatcher.h"
#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/cpp/local_call.h"
#include "orb/ior/assigned.h"

namespace corbel::core {

void CollocatedSlot::free_records() {
  while (Collocated* const record = records) {
    records = record->next;
    record->destroy(record);
  }
}

}  // namespace corbel::core

namespace corbel::cpp {

// A reference that is not bound yet is called by a message, which binds it.
Collocated* find_slowly(core::CollocatedSlot& slot, const CORBA::Object& object, const char* interface) {
  core::Reference* const reference = object._corbel_reference();
  if (!reference) raise_local();
  if (core::calling_thread.limited != 0) {
    core::calling_thread.limited &= ~core::kByMessage;
    return nullptr;
  }
  const base::Ref<core::Binding> binding = reference->bound();
  if (!binding) return nullptr;
  if (binding->connection) {
    slot.decide(core::CollocatedSlot::kNone);
    return nullptr;
  }
  core::Dispatcher* const dispatcher = reference->orb().dispatcher();
  return dispatcher ? dispatcher->collocate(slot, *reference, *binding, interface) : nullptr;
}

bool travels_as_it_is(const CORBA::Object& object, const core::Orb& orb) {
  core::Reference* const reference = object._corbel_reference();
  return reference && &reference->orb() == &orb && !reference->overrides() &&
         reference->has_call_settings() == 0 && !reference->retry_handler();
}

bool travels_as_it_is(const CORBA::Object& object, const CORBA::Object& target) {
  return travels_as_it_is(object, target._corbel_reference()->orb());
}

core::Reference* received_reference(const CORBA::Object& object, core::Orb& orb) {
  core::Reference* const reference = object._corbel_reference();
  if (!reference)
    raise({SystemErrorId::MARSHAL, Completion::Yes, assigned::kOmgMinor | 4,
           "a local object cannot be sent to another process"});
  return orb.import(reference->ior()).release();
}

}  // namespace corbel::cpp
