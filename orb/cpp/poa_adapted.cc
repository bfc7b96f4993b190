#include "orb/cpp/poa_adapted.h"

#include <new>
#include <string>
#include <utility>

#include <corbel/cpp/poa_callbacks.h>
#include <corbel/location_forward.h>

#include "orb/core/reference.h"
#include "orb/ior/assigned.h"

namespace PortableServer::detail {
namespace {

using corbel::Completion;
using corbel::SystemError;
using corbel::SystemErrorId;
using corbel::poa::Adapter;
using corbel::poa::Incarnation;

// Everything that application code throws ends here.
template <typename Function>
SystemError guarded(Function function) {
  try {
    function();
    return {};
  } catch (const CORBA::SystemException& e) {
    return e._corbel_error();
  } catch (const CORBA::UserException&) {
    return {SystemErrorId::UNKNOWN, Completion::No, corbel::assigned::kOmgMinor | 1, nullptr};
  } catch (const std::bad_alloc&) {
    return {SystemErrorId::NO_MEMORY, Completion::No, 0, nullptr};
  } catch (...) {
    return {SystemErrorId::UNKNOWN, Completion::No, 0, nullptr};
  }
}

template <typename Function>
void make(Incarnation& result, Function function) {
  result.error = guarded([&] {
    try {
      result.servant = function();
    } catch (const ForwardRequest& e) {
      result.forward = forward_target(e.forward_reference.in(), Completion::No);
    } catch (const corbel::LocationForward& e) {
      result.forward = forward_target(e.target(), Completion::No);
      result.permanent = e.permanent();
    }
  });
}

// What a call of the manager is told of its object.
struct Told {
  Told(Adapter& adapter, std::string_view id) : poa(wrap(adapter)), oid(to_id(id)) {}
  POA_var poa;
  ObjectId_var oid;
};

// The application's manager, whose adapter it is.
class Held {
 public:
  virtual ServantManager_ptr application() const = 0;

 protected:
  ~Held() = default;
};

class Activator final : public corbel::poa::ServantActivator, public Held {
 public:
  explicit Activator(ServantActivator_var manager) : manager_(std::move(manager)) {}
  ServantManager_ptr application() const override { return manager_.in(); }

  void incarnate(Adapter& adapter, std::string_view id, Incarnation& result) override {
    make(result, [&] {
      const Told told(adapter, id);
      return manager_->incarnate(told.oid.in(), told.poa.in());
    });
  }

  // There is nobody to tell of an exception.
  void etherealize(Adapter& adapter, std::string_view id, corbel::core::Servant& servant, bool cleanup,
                   bool remaining) override {
    (void)guarded([&] {
      const Told told(adapter, id);
      manager_->etherealize(told.oid.in(), told.poa.in(), static_cast<ServantBase*>(&servant), cleanup,
                            remaining);
    });
  }

 private:
  const ServantActivator_var manager_;
};

class Locator final : public corbel::poa::ServantLocator, public Held {
 public:
  explicit Locator(ServantLocator_var manager) : manager_(std::move(manager)) {}
  ServantManager_ptr application() const override { return manager_.in(); }

  void preinvoke(Adapter& adapter, std::string_view id, const char* operation, void*& cookie,
                 Incarnation& result) override {
    make(result, [&] {
      const Told told(adapter, id);
      return manager_->preinvoke(told.oid.in(), told.poa.in(), operation, cookie);
    });
  }

  SystemError postinvoke(Adapter& adapter, std::string_view id, const char* operation, void* cookie,
                         corbel::core::Servant& servant) override {
    return guarded([&] {
      const Told told(adapter, id);
      manager_->postinvoke(told.oid.in(), told.poa.in(), operation, cookie,
                           static_cast<ServantBase*>(&servant));
    });
  }

 private:
  const ServantLocator_var manager_;
};

class Maker final : public corbel::poa::AdapterActivator {
 public:
  explicit Maker(AdapterActivator_var activator) : activator_(std::move(activator)) {}
  AdapterActivator_ptr application() const { return activator_.in(); }

  SystemError unknown_adapter(Adapter& parent, const std::string& name, bool& made) override {
    return guarded([&] {
      const POA_var poa = wrap(parent);
      made = activator_->unknown_adapter(poa.in(), name.c_str());
    });
  }

 private:
  const AdapterActivator_var activator_;
};

}  // namespace

corbel::base::Ref<corbel::core::Reference> forward_target(CORBA::Object_ptr target, Completion completed) {
  corbel::core::Reference* const to = target ? target->_corbel_reference() : nullptr;
  if (!to)
    throw CORBA::OBJ_ADAPTER(
        SystemError{SystemErrorId::OBJ_ADAPTER, completed, 0,
                    "requests can be forwarded to references that are not nil or local"});
  return corbel::base::Ref<corbel::core::Reference>::share(to);
}

corbel::base::Ref<corbel::poa::AdapterActivator> adapter_activator(AdapterActivator_ptr activator) {
  if (!activator) return nullptr;
  return corbel::base::make_ref<Maker>(AdapterActivator::_duplicate(activator));
}

AdapterActivator_ptr adapter_activator(corbel::poa::AdapterActivator& activator) {
  const auto* const maker = dynamic_cast<const Maker*>(&activator);
  return maker ? maker->application() : nullptr;
}

corbel::base::Ref<corbel::poa::ServantActivator> servant_activator(ServantManager_ptr manager) {
  ServantActivator_var kind = ServantActivator::_narrow(manager);
  if (!kind.in()) return nullptr;
  return corbel::base::make_ref<Activator>(kind);
}

corbel::base::Ref<corbel::poa::ServantLocator> servant_locator(ServantManager_ptr manager) {
  ServantLocator_var kind = ServantLocator::_narrow(manager);
  if (!kind.in()) return nullptr;
  return corbel::base::make_ref<Locator>(kind);
}

ServantManager_ptr servant_manager(corbel::poa::ServantManager& manager) {
  const auto* const held = dynamic_cast<const Held*>(&manager);
  return held ? held->application() : nullptr;
}

}  // namespace PortableServer::detail
