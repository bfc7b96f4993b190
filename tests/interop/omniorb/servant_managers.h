// What servant managers derive from, how adapters are given one (omniORB's are servants of local objects),
// and how servants send requests elsewhere.
#pragma once

using Locator = POA_PortableServer::ServantLocator;
using Activator = POA_PortableServer::ServantActivator;

template <typename Manager>
void set_manager(PortableServer::POA_ptr poa, Manager* manager) {
  PortableServer::ServantManager_var reference = manager->_this();
  poa->set_servant_manager(reference.in());
}

[[noreturn]] inline void forward_for_good(CORBA::Object_ptr target) {
  throw omniORB::LOCATION_FORWARD(CORBA::Object::_duplicate(target), true);
}
