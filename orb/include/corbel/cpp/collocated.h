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

// Whether a reference may be handed to the other side as it is: what it has been given for calls through it
// does not travel, and local objects do not either.
[[gnu::visibility("default")]] bool travels_as_it_is(const CORBA::Object& object);
template <typename T>
bool travels_as_it_is(T* object) {
  return !object || travels_as_it_is(static_cast<const CORBA::Object&>(*object));
}

// What the caller gets of a servant's result. Adopts and gives a count.
[[gnu::visibility("default")]] core::Reference* received_reference(const CORBA::Object& object);
template <typename T>
T* received(T* result) {
  if (travels_as_it_is(result)) return result;
  const ObjectVar<T> held(result);
  return ObjectTraits<T>::make(received_reference(static_cast<const CORBA::Object&>(*result)));
}

// The exceptions of an operation.
struct Raises {
  const char* const* ids;
  std::uint32_t count;
};

// ---- in the adapters' library

// What a servant has thrown, which is being caught, as a remote caller would see it: throws that.
[[noreturn, gnu::visibility("default"), gnu::cold]] void rethrow_collocated(const Raises& raises);

// How to go on with a call that has not been let in directly.
enum class Otherwise { Again, Done, Message };
// `run` calls the servant, if the way leads through the adapter; what that throws is thrown.
[[gnu::visibility("default"), gnu::cold]] Otherwise call_otherwise(Collocated& target,
                                                                   void (*run)(void* servant, void* call),
                                                                   void* call);

// The result of a function that may be void.
template <typename T>
struct Outcome {
  static constexpr bool kNone = false;
  T value{};
  template <typename Function>
  void operator=(const Function& function) {
    value = function();
  }
  T get() { return static_cast<T&&>(value); }
};
template <>
struct Outcome<void> {
  static constexpr bool kNone = true;
  template <typename Function>
  void operator=(const Function& function) {
    function();
  }
  void get() {}
};

// True if the call is over.
template <typename Skeleton, typename Result, typename Call, typename Message>
[[gnu::noinline, gnu::cold]] bool call_otherwise(Collocated& target, const Raises& raises, const Call& call,
                                                 const Message& message, Outcome<Result>& result) {
  struct Context {
    const Call& call;
    Outcome<Result>& result;
  } context{call, result};
  Otherwise way = Otherwise::Message;
  try {
    way = call_otherwise(
        target,
        [](void* servant, void* data) {
          auto& c = *static_cast<Context*>(data);
          c.result = [&] { return c.call(*static_cast<Skeleton*>(servant)); };
        },
        &context);
  } catch (...) {
    rethrow_collocated(raises);
  }
  if (way == Otherwise::Message) result = message;
  return way != Otherwise::Again;
}

// As the stub has been given it.
template <typename T>
struct Argument {
  typedef T Type;
};

template <typename Skeleton, typename Result, typename... Arguments>
[[gnu::always_inline]] inline Result call_inside(core::Frame* frame, Collocated& target, const Raises& raises,
                                                 Result (*call)(Skeleton&, Arguments...),
                                                 typename Argument<Arguments>::Type... arguments) {
  auto& servant = *static_cast<Skeleton*>(target.servant);
  try {
    if constexpr (Outcome<Result>::kNone) {
      call(servant, arguments...);
      core::leave_directly(frame);
    } else {
      Result result = call(servant, arguments...);
      core::leave_directly(frame);
      return result;
    }
  } catch (...) {
    core::leave_thrown(frame);
    rethrow_collocated(raises);
  }
}

// A call that has not been let in at once, for there was no room for its frame or something had changed.
template <typename Skeleton, typename Stub, typename Result, typename... Arguments>
[[gnu::noinline, gnu::cold]] Result call_slowly(core::Frame* frame, Collocated& target, const Raises& raises,
                                                Result (*call)(Skeleton&, Arguments...),
                                                Result (Stub::*message)(Arguments...), Stub& stub,
                                                typename Argument<Arguments>::Type... arguments) {
  bool turned_away = frame != nullptr;
  if (turned_away) core::turn_away(target, frame);
  for (;; turned_away = true) {
    Outcome<Result> result;
    if (turned_away && call_otherwise<Skeleton>(
                           target, raises, [&](Skeleton& servant) { return call(servant, arguments...); },
                           [&] { return (stub.*message)(arguments...); }, result))
      return result.get();
    if (core::Frame* const inside = core::enter_directly(target))
      return call_inside(inside, target, raises, call, arguments...);
  }
}

// Calls the servant by `call` or, where that is to be by a message, the stub once more by `message`.
template <typename Skeleton, typename Stub, typename Result, typename... Arguments>
[[gnu::always_inline]] inline Result call_collocated(Collocated& target, const Raises& raises,
                                                     Result (*call)(Skeleton&, Arguments...),
                                                     Result (Stub::*message)(Arguments...), Stub& stub,
                                                     typename Argument<Arguments>::Type... arguments) {
  bool inside;
  core::Frame* const frame = core::note_direct_call(target, inside);
  if (__builtin_expect(inside, 1)) return call_inside(frame, target, raises, call, arguments...);
  return call_slowly(frame, target, raises, call, message, stub, arguments...);
}

}  // namespace corbel::cpp
