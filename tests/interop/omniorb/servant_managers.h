// What servant managers derive from, and how adapters are given one: omniORB's are servants of local objects.
#pragma once

using Locator = POA_PortableServer::ServantLocator;
using Activator = POA_PortableServer::ServantActivator;

template <typename Manager>
void set_manager(PortableServer::POA_ptr poa, Manager* manager) {
  PortableServer::ServantManager_var reference = manager->_this();
  poa->set_servant_manager(reference.in());
}
