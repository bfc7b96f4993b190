// What a library adds to ORB_init and to initial references. The core finds it by a weak symbol, so that
// programs without it link none of it.
#pragma once

#include <corbel/cpp/orb.h>

#include <string>
#include <vector>

namespace corbel::core {
struct AdapterPolicies;
}

namespace corbel::cpp {

// An adapter as IORInterceptors see it.
struct AdapterFacts {
  std::vector<std::string> names;  // from the root's down
  std::string manager_id;
  int state;  // a POAManager::State
};

struct OrbExtension {
  // The ORB is new: other threads find it from now on. Called with a lock held.
  void (*begin)(CORBA::ORB_ptr orb);
  // Follows begin(), with no lock held. `arguments` are those of ORB_init that are not options of Corbel's.
  // If it throws it has destroyed and released the ORB.
  void (*initialize)(CORBA::ORB_ptr orb, const std::vector<std::string>& arguments);
  // Returns when another thread's initialize() of the ORB has.
  void (*wait)(CORBA::ORB_ptr orb);
  // An initial reference; null if there is none of the name. The caller releases it.
  CORBA::Object_ptr (*resolve)(core::Orb& orb, const char* name);
  void (*list)(core::Orb& orb, std::vector<std::string>& names);
  // Whether the ORB has been given a factory for policies of this type.
  bool (*knows_policy)(core::Orb& orb, CORBA::PolicyType type);

  // ---- of servers
  // An adapter is about to be made: what interceptors have to say of its references is added to `own`. Raises
  // OBJ_ADAPTER if they refuse it.
  void (*establish)(core::Orb& orb, const AdapterFacts& adapter, core::AdapterPolicies& own);
  // `own.factory` makes a reference; the caller releases it.
  CORBA::Object_ptr (*make_object)(const void* factory, const char* repository_id, const std::string& id);
  // A POAManager has changed its state.
  void (*manager_changed)(core::Orb& orb, const char* id, int state);
  // Adapters have been destroyed.
  void (*adapters_gone)(core::Orb& orb, const std::vector<std::vector<std::string>>& names);
};

// A reference of the adapter of these names, whoever else makes them otherwise (poa.cc). OBJECT_NOT_EXIST if
// there is none. The caller releases it.
CORBA::Object_ptr make_plain_reference(core::Orb& orb, const std::vector<std::string>& names,
                                       const char* repository_id, const std::string& id);

}  // namespace corbel::cpp

// Null where no such library is linked.
extern "C" [[gnu::weak]] const corbel::cpp::OrbExtension corbel_orb_extension;
