// What stubs and skeletons do for calls to objects of the same ORB (core/collocated.h).
#pragma once

#include <corbel/core/collocated.h>
#include <corbel/cpp/object.h>

namespace corbel::cpp {

using core::Collocated;

// By what the object of a stub is to be called this time, where `slot.may_be()`; null if by a message.
// NO_IMPLEMENT for a local object.
[[gnu::visibility("default"), gnu::cold]] Collocated* find_slowly(core::CollocatedSlot& slot,
                                                                  const CORBA::Object& object,
                                                                  const char* interface);
// `found` is what it may be.
template <typename T>
Collocated* find_collocated(std::uintptr_t found, core::CollocatedSlot& slot, const T& object,
                            const char* interface) {
  if (__builtin_expect(found > core::CollocatedSlot::kUndecided && core::calling_thread.limited == 0, 1))
    return reinterpret_cast<Collocated*>(found);
  return find_slowly(slot, object, interface);
}

// Whether a reference may be handed to the other side, which is of `orb`, as it is: what it has been given
// for calls through it does not travel, local objects do not either, and what another ORB of the process has
// made ends with that one.
[[gnu::visibility("default")]] bool travels_as_it_is(const CORBA::Object& object, const core::Orb& orb);
// The same for an argument; `target` is what is called.
[[gnu::visibility("default")]] bool travels_as_it_is(const CORBA::Object& object,
                                                     const CORBA::Object& target);
template <typename T>
bool travels_as_it_is(T* object, const CORBA::Object& target) {
  return !object || travels_as_it_is(static_cast<const CORBA::Object&>(*object), target);
}

// What the caller gets of a servant's result, from inside of the call. Adopts and gives a count.
[[gnu::visibility("default")]] core::Reference* received_reference(const CORBA::Object& object,
                                                                   core::Orb& orb);
template <typename T>
T* received(T* result) {
  if (!result) return result;
  const auto& object = static_cast<const CORBA::Object&>(*result);
  core::Orb& orb = core::orb_of_call();
  if (travels_as_it_is(object, orb)) return result;
  const ObjectVar<T> held(result);
  return ObjectTraits<T>::make(received_reference(object, orb));
}

// The exceptions of an operation.
struct Raises {
  const char* const* ids;
  std::uint32_t count;
};

// ---- in the adapters' library

// Throws what a servant has thrown, which is being caught, as a remote caller would see it. Where that sends
// the call elsewhere (corbel/location_forward.h) it returns: the call is to be made by a message.
[[gnu::visibility("default"), gnu::cold]] void settle_thrown(Collocated& target, const Raises& raises);

// A call that has not been let in at once, for there was no room for its frame (then that is null) or
// something had changed: `run` calls the servant, wherever the way there leads; what it throws is thrown as
// above. False if the call is to be made by a message.
[[gnu::visibility("default"), gnu::cold]] bool call_otherwise(core::Frame* frame, Collocated& target,
                                                              const Raises& raises,
                                                              void (*run)(void* servant, void* call),
                                                              void* call);

// As the stub has been given it.
template <typename T>
struct Argument {
  typedef T Type;
};
template <typename T>
inline constexpr bool kNoResult = false;
template <>
inline constexpr bool kNoResult<void> = true;

// The same with the call's own arguments. One function serves all operations of an interface with one
// signature.
template <typename Stub, typename Result, typename... Arguments>
[[gnu::noinline, gnu::cold]] Result call_slowly(core::Frame* frame, Collocated& target, const Raises& raises,
                                                Result (*call)(void* servant, Arguments...),
                                                Result (Stub::*message)(Arguments...), Stub& stub,
                                                typename Argument<Arguments>::Type... arguments) {
  if constexpr (kNoResult<Result>) {
    auto run = [&](void* servant) { call(servant, arguments...); };
    if (!call_otherwise(
            frame, target, raises,
            [](void* servant, void* context) { (*static_cast<decltype(run)*>(context))(servant); }, &run))
      (stub.*message)(arguments...);
  } else {
    Result result{};
    auto run = [&](void* servant) { result = call(servant, arguments...); };
    if (!call_otherwise(
            frame, target, raises,
            [](void* servant, void* context) { (*static_cast<decltype(run)*>(context))(servant); }, &run))
      return (stub.*message)(arguments...);
    return result;
  }
}

// Calls the servant by `call` or, where that is to be by a message, the stub once more by `message`.
template <typename Stub, typename Result, typename... Arguments>
[[gnu::always_inline]] inline Result call_collocated(Collocated& target, const Raises& raises,
                                                     Result (*call)(void* servant, Arguments...),
                                                     Result (Stub::*message)(Arguments...), Stub& stub,
                                                     typename Argument<Arguments>::Type... arguments) {
  bool inside;
  core::Frame* const frame = core::note_direct_call(target, inside);
  if (__builtin_expect(!inside, 0))
    return call_slowly(frame, target, raises, call, message, stub, arguments...);
  try {
    if constexpr (kNoResult<Result>) {
      call(target.servant, arguments...);
      core::leave_directly(frame);
      return;
    } else {
      Result result = call(target.servant, arguments...);
      core::leave_directly(frame);
      return result;
    }
  } catch (...) {
    core::leave_thrown(frame);
    settle_thrown(target, raises);
  }
  return (stub.*message)(arguments...);
}

}  // namespace corbel::cpp
