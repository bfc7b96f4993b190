// The classic mapping's adapters and servant managers as the adapters' room knows them, and back.
#pragma once

#include <cstring>
#include <memory>
#include <string_view>

#include <corbel/cpp/poa.h>

#include "orb/poa/adapter.h"
#include "orb/poa/servant_manager.h"

namespace PortableServer::detail {

template <typename Sequence>
Sequence* octets(std::string_view text) {
  auto sequence = std::make_unique<Sequence>();
  CORBA::Octet* const to = sequence->_corbel_overwrite(static_cast<CORBA::ULong>(text.size()));
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  return sequence.release();
}
inline ObjectId* to_id(std::string_view text) { return octets<ObjectId>(text); }

inline POA_ptr wrap(corbel::base::Ref<corbel::poa::Adapter> adapter) { return new POA(adapter.release()); }
inline POA_ptr wrap(corbel::poa::Adapter& adapter) {
  return wrap(corbel::base::Ref<corbel::poa::Adapter>::share(&adapter));
}

// Null if the manager is not of the kind.
corbel::base::Ref<corbel::poa::ServantActivator> servant_activator(ServantManager_ptr manager);
corbel::base::Ref<corbel::poa::ServantLocator> servant_locator(ServantManager_ptr manager);
// The application's, of one that was made here; not counted.
ServantManager_ptr servant_manager(corbel::poa::ServantManager& manager);

// Where a request is sent instead; OBJ_ADAPTER for nil and local ones.
corbel::base::Ref<corbel::core::Reference> forward_target(CORBA::Object_ptr target,
                                                          corbel::Completion completed);

// Null for nil.
corbel::base::Ref<corbel::poa::AdapterActivator> adapter_activator(AdapterActivator_ptr activator);
AdapterActivator_ptr adapter_activator(corbel::poa::AdapterActivator& activator);

}  // namespace PortableServer::detail
