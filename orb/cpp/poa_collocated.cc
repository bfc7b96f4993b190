#include <new>

#include <corbel/cpp/collocated.h>
#include <corbel/cpp/exception.h>
#include <corbel/location_forward.h>

#include "orb/core/orb.h"
#include "orb/cpp/poa_adapted.h"
#include "orb/poa/collocated.h"

namespace corbel::cpp {

namespace {

// How to go on with a call that has not been let in directly.
enum class Otherwise { Again, Done, Message };

Otherwise other_way(Collocated& collocated, void (*run)(void* servant, void* call), void* call) {
  auto& target = static_cast<poa::CollocatedTarget&>(collocated);
  if (target.direct()) {
    if (target.renew()) return Otherwise::Again;
    target.slot->decide(core::CollocatedSlot::kUndecided);
  } else {
    SystemError refusal;
    if (poa::call_through_adapter(target, run, call, refusal)) return Otherwise::Done;
    if (refusal) raise(refusal);
  }
  core::calling_thread.limited |= core::kByMessage;
  return Otherwise::Message;
}

void call_inside(core::Frame* frame, void* servant, void (*run)(void* servant, void* call), void* call) {
  try {
    run(servant, call);
  } catch (...) {
    core::leave_thrown(frame);
    throw;
  }
  core::leave_directly(frame);
}

// By a message, that is, from here on.
void send_elsewhere(poa::CollocatedTarget& target, const LocationForward& to) {
  const auto other = PortableServer::detail::forward_target(to.target(), Completion::Maybe);
  try {
    target.reference->forward(other->ior(), to.permanent());
  } catch (const std::bad_alloc&) {
    raise({SystemErrorId::NO_MEMORY, Completion::Maybe, 0, nullptr});
  }
  core::calling_thread.limited |= core::kByMessage;
}

}  // namespace

bool call_otherwise(core::Frame* frame, Collocated& target, const Raises& raises,
                    void (*run)(void* servant, void* call), void* call) {
  bool turned_away = frame != nullptr;
  if (turned_away) core::turn_away(target, frame);
  try {
    for (;; turned_away = true) {
      if (turned_away)
        if (const Otherwise way = other_way(target, run, call); way != Otherwise::Again)
          return way == Otherwise::Done;
      if (core::Frame* const inside = core::enter_directly(target)) {
        call_inside(inside, target.servant, run, call);
        return true;
      }
    }
  } catch (...) {
    settle_thrown(target, raises);
  }
  return false;
}

void settle_thrown(Collocated& target, const Raises& raises) {
  try {
    throw;
  } catch (const CORBA::SystemException&) {
    throw;
  } catch (const CORBA::UserException& e) {
    for (std::uint32_t i = 0; i < raises.count; ++i)
      if (same_id(raises.ids[i], e._rep_id())) throw;
    raise({SystemErrorId::UNKNOWN, Completion::Maybe, 0x4f4d0001,
           "the servant threw an exception that the operation does not declare"});
  } catch (const LocationForward& to) {
    send_elsewhere(static_cast<poa::CollocatedTarget&>(target), to);
  } catch (const std::bad_alloc&) {
    raise({SystemErrorId::NO_MEMORY, Completion::Maybe, 0, nullptr});
  } catch (...) {
    raise({SystemErrorId::UNKNOWN, Completion::Maybe, 0,
           "the servant threw what is none of CORBA's exceptions"});
  }
}

}  // namespace corbel::cpp
