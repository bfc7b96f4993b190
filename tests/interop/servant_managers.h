// What servant managers derive from, and how adapters are given one.
#pragma once

using Locator = PortableServer::ServantLocator;
using Activator = PortableServer::ServantActivator;

template <typename Manager>
void set_manager(PortableServer::POA_ptr poa, Manager* manager) {
  PortableServer::ServantManager_var owner(manager);
  poa->set_servant_manager(manager);
}
