#include <corbel/cpp/poa.h>

#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/core/server_request.h"
#include "orb/ior/assigned.h"
#include "orb/poa/adapter.h"

namespace PortableServer {
namespace {

using corbel::Completion;
using corbel::SystemErrorId;
using corbel::base::Ref;
using corbel::poa::Adapter;
using corbel::poa::AdapterTable;
using corbel::poa::Manager;
using corbel::poa::Outcome;
using corbel::poa::Policies;
using corbel::poa::UpcallTarget;

[[noreturn]] void raise(SystemErrorId id, std::uint32_t minor, const char* detail) {
  corbel::cpp::raise({id, Completion::No, minor, detail});
}

void check(Outcome outcome) {
  switch (outcome) {
    case Outcome::Ok: return;
    case Outcome::AdapterAlreadyExists: throw POA::AdapterAlreadyExists();
    case Outcome::AdapterNonExistent: throw POA::AdapterNonExistent();
    case Outcome::ObjectAlreadyActive: throw POA::ObjectAlreadyActive();
    case Outcome::ObjectNotActive: throw POA::ObjectNotActive();
    case Outcome::ServantAlreadyActive: throw POA::ServantAlreadyActive();
    case Outcome::ServantNotActive: throw POA::ServantNotActive();
    case Outcome::WrongAdapter: throw POA::WrongAdapter();
    case Outcome::WrongPolicy: throw POA::WrongPolicy();
    case Outcome::NoServant: throw POA::NoServant();
    case Outcome::Destroyed: raise(SystemErrorId::OBJECT_NOT_EXIST, 0, "the adapter has been destroyed");
    case Outcome::TableFull: raise(SystemErrorId::NO_RESOURCES, 0, "the adapter can hold no more objects");
    case Outcome::BadId:
      raise(SystemErrorId::BAD_PARAM, corbel::assigned::kOmgMinor | 14, "the id was not made by this adapter, whose policy is SYSTEM_ID");
  }
}

std::string bytes(const ObjectId& id) { return {reinterpret_cast<const char*>(id.get_buffer()), id.length()}; }

ObjectId* to_id(std::string_view text) {
  auto* const id = new ObjectId;
  CORBA::Octet* const to = id->_corbel_overwrite(static_cast<CORBA::ULong>(text.size()));
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  return id;
}

// The adapters of an ORB; made, with the server, when first asked for.
AdapterTable& adapters(corbel::core::Orb& orb) {
  if (!orb.dispatcher()) orb.set_dispatcher(std::make_unique<AdapterTable>(orb));
  if (corbel::SystemError e = orb.start_server()) corbel::cpp::raise(e);
  return static_cast<AdapterTable&>(*orb.dispatcher());
}

POA_ptr wrap(Ref<Adapter> adapter) { return new POA(adapter.release()); }

Servant to_servant(corbel::core::Servant* servant) { return static_cast<ServantBase*>(servant); }

void require(Servant servant) {
  if (!servant) raise(SystemErrorId::BAD_PARAM, 0, "a servant must not be null");
}

// The innermost upcall of this thread that an adapter runs; null outside of upcalls.
corbel::core::ServerRequest* upcall() {
  corbel::core::ServerRequest* const r = corbel::core::ServerRequest::current();
  return r && r->adapter_data ? r : nullptr;
}

struct PolicyReader {
  const CORBA::PolicyList& list;
  CORBA::ULong index_of(CORBA::PolicyType type) const {
    for (CORBA::ULong i = list.length(); i > 0; --i)
      if (list[i - 1] && list[i - 1]->policy_type() == type) return i - 1;
    return list.length();
  }
  // The last policy of the type decides.
  template <typename Value>
  Value get(CORBA::PolicyType type, Value otherwise) const {
    const CORBA::ULong i = index_of(type);
    return i == list.length() ? otherwise : static_cast<Value>(list[i]->_corbel_value());
  }
  [[noreturn]] void refuse(CORBA::PolicyType type) const {
    const CORBA::ULong i = index_of(type);
    throw POA::InvalidPolicy(static_cast<CORBA::UShort>(i == list.length() ? 0 : i));
  }
};

Policies read_policies(const CORBA::PolicyList& list) {
  const PolicyReader read{list};
  for (CORBA::ULong i = 0; i < list.length(); ++i)
    if (!list[i] || list[i]->policy_type() < 16 || list[i]->policy_type() > 22)
      throw POA::InvalidPolicy(static_cast<CORBA::UShort>(i));
  Policies p;
  p.persistent = read.get(17, TRANSIENT) == PERSISTENT;
  p.multiple_id = read.get(18, UNIQUE_ID) == MULTIPLE_ID;
  p.user_id = read.get(19, SYSTEM_ID) == USER_ID;
  p.implicit_activation = read.get(20, NO_IMPLICIT_ACTIVATION) == IMPLICIT_ACTIVATION;
  p.retain = read.get(21, RETAIN) == RETAIN;
  const auto processing = read.get(22, USE_ACTIVE_OBJECT_MAP_ONLY);
  p.default_servant = processing == USE_DEFAULT_SERVANT;
  if (read.get(16, ORB_CTRL_MODEL) != ORB_CTRL_MODEL) read.refuse(16);
  if (processing == USE_SERVANT_MANAGER) read.refuse(22);
  if (!p.retain && processing == USE_ACTIVE_OBJECT_MAP_ONLY) read.refuse(21);
  if (p.default_servant && !p.multiple_id) read.refuse(22);
  if (p.implicit_activation && (p.user_id || !p.retain)) read.refuse(20);
  return p;
}

}  // namespace

char* ObjectId_to_string(const ObjectId& id) {
  const std::string text = bytes(id);
  if (text.find('\0') != text.npos) raise(SystemErrorId::BAD_PARAM, 0, "the id holds a zero octet, so it is no string");
  return CORBA::string_dup(text.c_str());
}

ObjectId* string_to_ObjectId(const char* text) {
  if (!text) raise(SystemErrorId::BAD_PARAM, 0, "string_to_ObjectId needs a string");
  return to_id(text);
}

// ---- POAManager

POAManager::~POAManager() {
  manager_->remove_ref();
  orb_->remove_ref();
}

void POAManager::activate() {
  if (!manager_->change(Manager::State::Active)) throw AdapterInactive();
}

void POAManager::wait_for(CORBA::Boolean completion) {
  if (completion && orb_->in_upcall())
    raise(SystemErrorId::BAD_INV_ORDER, corbel::assigned::kOmgMinor | 3, "waiting for completion inside an upcall would wait for itself");
}

void POAManager::hold_requests(CORBA::Boolean wait_for_completion) {
  wait_for(wait_for_completion);
  if (!manager_->change(Manager::State::Holding)) throw AdapterInactive();
  if (wait_for_completion) manager_->wait_until_idle();
}

void POAManager::discard_requests(CORBA::Boolean wait_for_completion) {
  wait_for(wait_for_completion);
  if (!manager_->change(Manager::State::Discarding)) throw AdapterInactive();
  if (wait_for_completion) manager_->wait_until_idle();
}

void POAManager::deactivate(CORBA::Boolean, CORBA::Boolean wait_for_completion) {
  wait_for(wait_for_completion);
  manager_->change(Manager::State::Inactive);
  if (wait_for_completion) manager_->wait_until_idle();
}

POAManager::State POAManager::get_state() { return static_cast<State>(manager_->state()); }

// ---- POA

POA::POA(Adapter* adapter) : adapter_(adapter), orb_(&adapter->table().orb()) { orb_->add_ref(); }
POA::~POA() {
  adapter_->remove_ref();
  orb_->remove_ref();
}

void* POA::_corbel_widen(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, _corbel_id) ? this : Object::_corbel_widen(repository_id);
}
const void* POA::_corbel_identity() const { return adapter_; }

POA_ptr POA::_narrow(CORBA::Object_ptr object) {
  if (!object) return nullptr;
  if (void* const p = object->_corbel_widen(_corbel_id)) return _duplicate(static_cast<POA*>(p));
  void* const p = object->_corbel_widen(corbel::cpp::Placeholder::_corbel_id);
  if (!p) return nullptr;
  const auto& placeholder = *static_cast<corbel::cpp::Placeholder*>(p);
  const std::string_view name = placeholder.name();
  if (name == "RootPOA") return wrap(Ref<Adapter>::share(&adapters(placeholder.orb()).root()));
  if (name == "omniINSPOA") return wrap(Ref<Adapter>::share(&adapters(placeholder.orb()).named()));
  return nullptr;
}

POA_ptr POA::create_POA(const char* adapter_name, POAManager_ptr manager, const CORBA::PolicyList& policies) {
  if (!adapter_name) raise(SystemErrorId::BAD_PARAM, 0, "an adapter needs a name");
  if (std::strlen(adapter_name) > 0xffff) raise(SystemErrorId::BAD_PARAM, 0, "an adapter's name has at most 65,535 octets");
  const Policies read = read_policies(policies);
  Ref<Manager> m = manager ? Ref<Manager>::share(&manager->_corbel_manager()) : corbel::base::make_ref<Manager>();
  Ref<Adapter> child;
  check(adapter_->create_child(adapter_name, read, std::move(m), child));
  return wrap(std::move(child));
}

POA_ptr POA::find_POA(const char* adapter_name, CORBA::Boolean) {
  Ref<Adapter> child = adapter_->find_child(adapter_name ? adapter_name : "");
  if (!child) throw AdapterNonExistent();
  return wrap(std::move(child));
}

void POA::destroy(CORBA::Boolean, CORBA::Boolean wait_for_completion) {
  if (wait_for_completion && orb_->in_upcall())
    raise(SystemErrorId::BAD_INV_ORDER, corbel::assigned::kOmgMinor | 3, "destroying with waiting inside an upcall would wait for itself");
  adapter_->destroy(wait_for_completion);
}

char* POA::the_name() { return CORBA::string_dup(adapter_->name().c_str()); }
POA_ptr POA::the_parent() { return adapter_->parent() ? wrap(Ref<Adapter>::share(adapter_->parent())) : nullptr; }

POAList* POA::the_children() {
  auto children = adapter_->children();
  auto* const list = new POAList;
  list->length(static_cast<CORBA::ULong>(children.size()));
  for (CORBA::ULong i = 0; i < children.size(); ++i) (*list)[i] = wrap(std::move(children[i]));
  return list;
}

POAManager_ptr POA::the_POAManager() {
  orb_->add_ref();
  return new POAManager(adapter_->share_manager().release(), orb_);
}

Servant POA::get_servant() {
  if (!adapter_->policies().default_servant) throw WrongPolicy();
  corbel::core::Servant* const servant = adapter_->default_servant();
  if (!servant) throw NoServant();
  return to_servant(servant);
}

void POA::set_servant(Servant servant) {
  if (!adapter_->policies().default_servant) throw WrongPolicy();
  adapter_->set_default_servant(servant);
}

ObjectId* POA::activate_object(Servant servant) {
  require(servant);
  std::string id;
  check(adapter_->activate(*servant, id));
  return to_id(id);
}

void POA::activate_object_with_id(const ObjectId& id, Servant servant) {
  require(servant);
  check(adapter_->activate_with_id(*servant, bytes(id)));
}

void POA::deactivate_object(const ObjectId& id) { check(adapter_->deactivate(bytes(id))); }

CORBA::Object_ptr POA::reference(const std::uint8_t* id, std::size_t size, const char* repository_id) {
  if (adapter_->destroyed()) check(Outcome::Destroyed);
  Ref<corbel::core::Reference> made;
  const std::string key = adapter_->make_key({reinterpret_cast<const char*>(id), size});
  if (corbel::SystemError e = orb_->make_reference(repository_id ? repository_id : "", key, made)) corbel::cpp::raise(e);
  return corbel::cpp::make_object(made.release());
}

CORBA::Object_ptr POA::create_reference(const char* repository_id) {
  std::string id;
  check(adapter_->new_id(id));
  return reference(reinterpret_cast<const std::uint8_t*>(id.data()), id.size(), repository_id);
}

CORBA::Object_ptr POA::create_reference_with_id(const ObjectId& id, const char* repository_id) {
  return reference(id.get_buffer(), id.length(), repository_id);
}

ObjectId* POA::servant_to_id(Servant servant) {
  require(servant);
  std::string id;
  check(adapter_->servant_to_id(*servant, id));
  return to_id(id);
}

CORBA::Object_ptr POA::servant_to_reference(Servant servant) {
  ObjectId_var id = servant_to_id(servant);
  return reference(id->get_buffer(), id->length(), servant->_interface_repository_id());
}

Servant POA::reference_to_servant(CORBA::Object_ptr reference) {
  ObjectId_var id = reference_to_id(reference);
  return id_to_servant(id.in());
}

ObjectId* POA::reference_to_id(CORBA::Object_ptr reference) {
  if (!reference || !reference->_corbel_reference() || !reference->_corbel_reference()->local()) throw WrongAdapter();
  std::string id;
  check(adapter_->key_to_id(reference->_corbel_reference()->key(), id));
  return to_id(id);
}

Servant POA::id_to_servant(const ObjectId& id) {
  corbel::core::Servant* servant = nullptr;
  check(adapter_->id_to_servant(bytes(id), servant));
  return to_servant(servant);
}

CORBA::Object_ptr POA::id_to_reference(const ObjectId& id) {
  corbel::core::Servant* servant = nullptr;
  check(adapter_->id_to_servant(bytes(id), servant));
  ServantBase_var mapped = to_servant(servant);
  return reference(id.get_buffer(), id.length(), mapped->_interface_repository_id());
}

// ---- Current

Current_ptr Current::_narrow(CORBA::Object_ptr object) {
  void* const p = object ? object->_corbel_widen(corbel::cpp::Placeholder::_corbel_id) : nullptr;
  const bool current = p && std::strcmp(static_cast<corbel::cpp::Placeholder*>(p)->name(), "POACurrent") == 0;
  if (current) return new Current;
  return _duplicate(dynamic_cast<Current*>(object));
}

namespace {
UpcallTarget& target() {
  corbel::core::ServerRequest* const r = upcall();
  if (!r) throw Current::NoContext();
  return *static_cast<UpcallTarget*>(r->adapter_data);
}
}  // namespace

POA_ptr Current::get_POA() { return wrap(Ref<Adapter>::share(target().adapter)); }
ObjectId* Current::get_object_id() { return to_id({target().id, target().id_size}); }
Servant Current::get_servant() {
  ServantBase* const servant = to_servant(target().servant);
  servant->_add_ref();
  return servant;
}
CORBA::Object_ptr Current::get_reference() {
  const UpcallTarget& t = target();
  POA_var poa = wrap(Ref<Adapter>::share(t.adapter));
  ObjectId_var id = to_id({t.id, t.id_size});
  return poa->create_reference_with_id(id.in(), to_servant(t.servant)->_interface_repository_id());
}

// ---- implicit activation

namespace {
Ref<Adapter> first_root() {
  // Outside of an upcall a servant says nothing about its ORB: the process's first one is meant.
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr);
  return Ref<Adapter>::share(&adapters(orb->_corbel_core()).root());
}
}  // namespace

POA* ServantBase::_default_POA() {
  if (corbel::core::ServerRequest* const r = corbel::core::ServerRequest::current())
    return wrap(Ref<Adapter>::share(&adapters(r->orb()).root()));
  return wrap(first_root());
}

}  // namespace PortableServer

namespace corbel::cpp {

CORBA::Object_ptr servant_reference(PortableServer::ServantBase* servant) {
  using namespace PortableServer;
  if (core::ServerRequest* const r = upcall()) {
    const UpcallTarget& t = *static_cast<UpcallTarget*>(r->adapter_data);
    if (t.servant == servant) {
      POA_var poa = wrap(Ref<Adapter>::share(t.adapter));
      ObjectId_var id = to_id({t.id, t.id_size});
      return poa->create_reference_with_id(id.in(), servant->_interface_repository_id());
    }
  }
  POA_var poa = servant->_default_POA();
  return poa->servant_to_reference(servant);
}

}  // namespace corbel::cpp
