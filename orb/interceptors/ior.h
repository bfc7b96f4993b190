// What becomes of adapters and their references where there are IORInterceptors: for OrbExtension, which says
// what each of these does.
#pragma once

#include "orb/cpp/orb_extension.h"

namespace corbel::interceptors {

void establish(core::Orb& orb, const cpp::AdapterFacts& adapter, core::AdapterPolicies& own);
CORBA::Object_ptr make_object(const void* factory, const char* repository_id, const std::string& id);
void manager_changed(core::Orb& orb, const char* id, int state);
void adapters_gone(core::Orb& orb, const std::vector<std::vector<std::string>>& names);

}  // namespace corbel::interceptors
