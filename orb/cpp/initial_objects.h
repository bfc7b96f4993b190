// Local objects of other libraries that are initial references of every ORB.
#pragma once

#include <corbel/cpp/object.h>

#include <atomic>

namespace corbel::cpp {

struct InitialObject {
  const char* name;
  CORBA::Object_ptr (*make)(core::Orb& orb);  // what resolve_initial_references gives
  const InitialObject* next = nullptr;
};
// From now on there is this one, too; it lives on. Any thread, any number of times.
void register_initial_object(InitialObject& object);
extern std::atomic<const InitialObject*> initial_objects;

}  // namespace corbel::cpp

// Null where the library of DynAnys is not linked.
extern "C" [[gnu::weak]] const corbel::cpp::InitialObject corbel_dyn_any_factory;
