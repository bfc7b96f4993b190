// What servant managers derive from, how adapters are given one, and how servants send requests elsewhere.
#pragma once

#include <corbel/location_forward.h>

using Locator = PortableServer::ServantLocator;
using Activator = PortableServer::ServantActivator;

template <typename Manager>
void set_manager(PortableServer::POA_ptr poa, Manager* manager) {
  PortableServer::ServantManager_var owner(manager);
  poa->set_servant_manager(manager);
}

[[noreturn]] inline void forward_for_good(CORBA::Object_ptr target) {
  throw corbel::LocationForward(target, true);
}
