#include <cstring>
#include <new>

#include <corbel/cpp/call.h>
#include <corbel/cpp/codec.h>
#include <corbel/cpp/poa.h>
#include <corbel/location_forward.h>

#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/core/server_request.h"
#include "orb/cpp/poa_adapted.h"
#include "orb/ior/assigned.h"
#include "orb/poa/adapter_table.h"

namespace PortableServer {
namespace {

using corbel::Completion;
using corbel::SystemErrorId;
using corbel::core::Upcall;

ServantBase& mapped(corbel::core::Servant& servant) { return static_cast<ServantBase&>(servant); }

[[gnu::cold]] void forward(corbel::core::ServerRequest& request, const corbel::LocationForward& to) {
  try {
    request.forward(detail::forward_target(to.target(), Completion::Maybe)->ior(), to.permanent());
  } catch (const CORBA::SystemException& e) {
    request.system_exception(e._corbel_error());
  }
}

// Everything that application code throws ends here.
void dispatch(corbel::core::Servant& servant, Upcall& call) {
  auto& request = static_cast<corbel::core::ServerRequest&>(call);
  try {
    mapped(servant)._dispatch(call);
    if (!request.reply_started()) request.begin_results();  // one-way, or nothing to say
    if (request.reply().error()) [[unlikely]] {
      corbel::SystemError error = request.reply().error();
      error.completed = Completion::Yes;
      call.system_exception(error);
    }
  } catch (const CORBA::SystemException& e) {
    call.system_exception(e._corbel_error());
  } catch (const CORBA::UserException&) {
    call.system_exception({SystemErrorId::UNKNOWN, Completion::Maybe, 0x4f4d0001, nullptr});
  } catch (const corbel::LocationForward& to) {
    forward(request, to);
  } catch (const std::bad_alloc&) {
    call.system_exception({SystemErrorId::NO_MEMORY, Completion::Maybe, 0, nullptr});
  } catch (...) {
    call.system_exception({SystemErrorId::UNKNOWN, Completion::Maybe, 0, nullptr});
  }
}

constexpr corbel::core::Servant::Functions kFunctions = {
    dispatch,
    [](corbel::core::Servant& s, const char* id) { return mapped(s)._is_a(id); },
    [](corbel::core::Servant& s) { return mapped(s)._non_existent(); },
    [](corbel::core::Servant& s) { return mapped(s)._interface_repository_id(); },
    [](corbel::core::Servant& s) { mapped(s)._add_ref(); },
    [](corbel::core::Servant& s) { mapped(s)._remove_ref(); },
    [](corbel::core::Servant& s, const char* interface) { return mapped(s)._corbel_collocated(interface); },
};

constexpr corbel::cpp::Operation kLookupId{{"lookup_id", 9, false}, nullptr, 0};

// What the interface repository that this ORB knows, as an initial reference, says of an interface.
CORBA::Object_ptr description(corbel::core::Orb& orb, const char* repository_id) {
  using corbel::assigned::kOmgMinor;
  corbel::base::Ref<corbel::core::Reference> reference;
  if (orb.resolve_initial("InterfaceRepository", reference) || !reference)
    corbel::cpp::raise({SystemErrorId::INTF_REPOS, Completion::No, kOmgMinor | 1,
                        "no interface repository is known; give one by -ORBInitRef InterfaceRepository=URL"});
  CORBA::Object_var repository = corbel::cpp::make_object(reference.release());
  corbel::cpp::Call call(*repository, kLookupId);
  call.arguments().put_string(repository_id);
  corbel::cdr::Decoder& in = call.invoke();
  CORBA::Object_var found;
  if (!corbel::cpp::get_reference(in, found)) call.bad_results();
  if (CORBA::is_nil(found))
    corbel::cpp::raise({SystemErrorId::INTF_REPOS, Completion::No, kOmgMinor | 2,
                        "the interface repository does not know the interface"});
  return found._retn();
}

bool operation_is(const Upcall& call, const char* name) {
  return std::strlen(name) == call.operation_length() &&
         std::memcmp(call.operation(), name, call.operation_length()) == 0;
}

}  // namespace

ServantBase::ServantBase() : Servant(kFunctions) {}
ServantBase::ServantBase(const ServantBase&) : Servant(kFunctions) {}
ServantBase::~ServantBase() = default;

void ServantBase::_add_ref() { __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED); }
void ServantBase::_remove_ref() {
  if (__atomic_fetch_sub(&count_, 1, __ATOMIC_ACQ_REL) == 1) delete this;
}
CORBA::ULong ServantBase::_refcount_value() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }

CORBA::Boolean ServantBase::_corbel_asks_for_arguments(const char*) const { return false; }

char* ServantBase::_corbel_interface_of(const ObjectId&, POA*) {
  return CORBA::string_dup(_interface_repository_id());
}

corbel::core::CollocatedServant ServantBase::_corbel_collocated(const char*) { return {}; }

void ServantBase::unknown_operation(corbel::cpp::Upcall& call) {
  if (operation_is(call, "_is_a")) {
    const char* id;
    if (!call.arguments().get_string_view(id)) corbel::cpp::bad_arguments();
    const bool result = _is_a(id) || corbel::cpp::same_id(id, CORBA::Object::_corbel_id);
    call.results().put_boolean(result);
  } else if (operation_is(call, "_non_existent") || operation_is(call, "_not_existent")) {
    const bool result = _non_existent();
    call.results().put_boolean(result);
  } else if (operation_is(call, "_repository_id")) {
    call.results().put_string(_interface_repository_id());
  } else if (operation_is(call, "_component")) {
    corbel::cpp::put_object(call.results(), nullptr);  // no servant here belongs to a component
  } else if (operation_is(call, "_interface")) {
    auto& orb = *static_cast<corbel::core::Orb*>(call.arguments().context());
    CORBA::Object_var found = description(orb, _interface_repository_id());
    corbel::cpp::put_object(call.results(), found);
  } else {
    throw CORBA::BAD_OPERATION(
        corbel::SystemError{SystemErrorId::BAD_OPERATION, Completion::No, 0x4f4d0002, nullptr});
  }
}

}  // namespace PortableServer
