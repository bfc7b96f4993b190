#include <new>

#include <corbel/cpp/collocated.h>
#include <corbel/cpp/exception.h>

#include "orb/core/orb.h"
#include "orb/poa/collocated.h"

namespace corbel::cpp {

Otherwise call_otherwise(Collocated& collocated, void (*run)(void* servant, void* call), void* call) {
  auto& target = static_cast<poa::CollocatedTarget&>(collocated);
  if (target.direct()) {
    if (target.renew()) return Otherwise::Again;
    target.slot->decide(core::CollocatedSlot::kUndecided);
  } else if (poa::call_through_adapter(target, run, call)) {
    return Otherwise::Done;
  }
  core::calling_thread.limited |= core::kByMessage;
  return Otherwise::Message;
}

void rethrow_collocated(const Raises& raises) {
  try {
    throw;
  } catch (const CORBA::SystemException&) {
    throw;
  } catch (const CORBA::UserException& e) {
    for (std::uint32_t i = 0; i < raises.count; ++i)
      if (same_id(raises.ids[i], e._rep_id())) throw;
    raise({SystemErrorId::UNKNOWN, Completion::Maybe, 0x4f4d0001, nullptr});
  } catch (const std::bad_alloc&) {
    raise({SystemErrorId::NO_MEMORY, Completion::Maybe, 0, nullptr});
  } catch (...) {
    raise({SystemErrorId::UNKNOWN, Completion::Maybe, 0, nullptr});
  }
}

}  // namespace corbel::cpp
