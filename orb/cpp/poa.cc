#include <corbel/cpp/poa.h>
#include <corbel/cpp/wide.h>
#include <corbel/demultiplexing.h>

#include <cstring>
#include <cwchar>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/core/server_request.h"
#include "orb/cpp/default_orb.h"
#include "orb/cpp/kept_policies.h"
#include "orb/cpp/orb_extension.h"
#include "orb/cpp/poa_adapted.h"
#include "orb/ior/assigned.h"
#include "orb/poa/adapter_table.h"
#include "orb/poa/policies.h"

namespace PortableServer {
namespace {

using corbel::Completion;
using corbel::SystemErrorId;
using corbel::assigned::kOmgMinor;
using corbel::base::Ref;
using corbel::poa::Adapter;
using corbel::poa::AdapterTable;
using corbel::poa::Manager;
using corbel::poa::Outcome;
using corbel::poa::Policies;
using corbel::poa::UpcallTarget;
using detail::to_id;
using detail::wrap;

[[noreturn]] void raise(SystemErrorId id, std::uint32_t minor, const char* detail) {
  corbel::cpp::raise({id, Completion::No, minor, detail});
}

void check(Outcome outcome) {
  switch (outcome) {
    case Outcome::Ok:
      return;
    case Outcome::AdapterAlreadyExists:
      throw POA::AdapterAlreadyExists();
    case Outcome::AdapterNonExistent:
      throw POA::AdapterNonExistent();
    case Outcome::AdapterInactive:
      throw POAManager::AdapterInactive();
    case Outcome::ObjectAlreadyActive:
      throw POA::ObjectAlreadyActive();
    case Outcome::ObjectNotActive:
      throw POA::ObjectNotActive();
    case Outcome::ServantAlreadyActive:
      throw POA::ServantAlreadyActive();
    case Outcome::ServantNotActive:
      throw POA::ServantNotActive();
    case Outcome::WrongAdapter:
      throw POA::WrongAdapter();
    case Outcome::WrongPolicy:
      throw POA::WrongPolicy();
    case Outcome::NoServant:
      throw POA::NoServant();
    case Outcome::Destroyed:
      raise(SystemErrorId::OBJECT_NOT_EXIST, 0, "the adapter has been destroyed");
    case Outcome::BeingDestroyed:
      raise(SystemErrorId::BAD_INV_ORDER, kOmgMinor | 17, "the adapter is being destroyed");
    case Outcome::TableFull:
      raise(SystemErrorId::NO_RESOURCES, 0, "the adapter can hold no more objects");
    case Outcome::NameTooLong:
      raise(SystemErrorId::BAD_PARAM, 0,
            "the adapter's name is too long for an object key, with those of its parents");
    case Outcome::NameUnfit:
      raise(SystemErrorId::BAD_PARAM, 0,
            "the adapter's name, or one of its parents', cannot stand in object keys of the chosen format");
    case Outcome::BadId:
      raise(SystemErrorId::BAD_PARAM, kOmgMinor | 14,
            "the id was not made by this adapter, whose policy is SYSTEM_ID");
    case Outcome::UnknownId:
      raise(SystemErrorId::BAD_PARAM, 0, "the id is not among those that the adapter's policy names");
    case Outcome::ManagerSet:
      raise(SystemErrorId::BAD_INV_ORDER, kOmgMinor | 6, "the adapter has a servant manager already");
    case Outcome::WrongManager:
      raise(SystemErrorId::OBJ_ADAPTER, kOmgMinor | 4,
            "adapters with RETAIN need a ServantActivator, others a ServantLocator");
    case Outcome::ManagerExists:
      throw POAManagerFactory::ManagerAlreadyExists();
    case Outcome::ActivatorFailed:
      raise(SystemErrorId::OBJ_ADAPTER, kOmgMinor | 1, "the adapter activator raised an exception");
    case Outcome::Busy:
      raise(SystemErrorId::INTERNAL, 0, "an outcome that stays inside");
    case Outcome::WouldWaitForItself:
      raise(SystemErrorId::BAD_INV_ORDER, kOmgMinor | 3,
            "waiting for completion in an upcall would wait for itself");
  }
}

std::string bytes(const ObjectId& id) {
  return {reinterpret_cast<const char*>(id.get_buffer()), id.length()};
}

// Null where there is nothing to say.
std::shared_ptr<const corbel::core::AdapterPolicies> kept(corbel::core::AdapterPolicies own) {
  const bool nothing =
      own.exposed.empty() && own.replies.set == 0 && own.components.empty() && !own.kept && !own.factory;
  return nothing ? nullptr : std::make_shared<const corbel::core::AdapterPolicies>(std::move(own));
}

// What the references of an adapter that is about to be made say, beside its policies.
void establish(corbel::core::Orb& orb, corbel::cpp::AdapterFacts adapter,
               corbel::core::AdapterPolicies& own) {
  if (&corbel_orb_extension) corbel_orb_extension.establish(orb, adapter, own);
}

std::vector<std::string> names_of(const Adapter& adapter) {
  std::vector<std::string> names;
  if (adapter.parent()) names = names_of(*adapter.parent());
  names.push_back(adapter.name());
  return names;
}

void tell_gone(corbel::core::Orb& orb, const std::vector<Ref<Adapter>>& gone) {
  if (!&corbel_orb_extension) return;
  std::vector<std::vector<std::string>> names;
  for (const auto& adapter : gone) names.push_back(names_of(*adapter));
  corbel_orb_extension.adapters_gone(orb, names);
}

// A thread that makes an ORB's root adapter: interceptors are asked about it, once, and nobody has it before.
class RootMaker {
 public:
  explicit RootMaker(corbel::core::Orb& orb) : orb_(orb) {
    const std::uint32_t epoch = done.epoch();
    std::unique_lock lock(mutex);
    const RootMaker* other = first;
    while (other && &other->orb_ != &orb) other = other->next_;
    if (!other) {
      next_ = std::exchange(first, this);
      makes_ = true;
      return;
    }
    if (other->thread_ == corbel::base::thread_id())
      raise(SystemErrorId::BAD_INV_ORDER, 0,
            "an interceptor that is asked about the root adapter has asked for it");
    lock.unlock();
    done.wait(epoch);
  }
  ~RootMaker() {
    if (!makes_) return;
    {
      std::lock_guard lock(mutex);
      RootMaker** place = &first;
      while (*place != this) place = &(*place)->next_;
      *place = next_;
    }
    done.notify_all();
  }
  RootMaker(const RootMaker&) = delete;
  RootMaker& operator=(const RootMaker&) = delete;
  // Else another thread did, for which this has waited.
  bool makes() const { return makes_ && !orb_.dispatcher(); }

 private:
  static constinit inline corbel::base::Condition done;
  static constinit inline corbel::base::Mutex mutex;  // guards what follows
  static constinit inline RootMaker* first = nullptr;

  corbel::core::Orb& orb_;
  const std::uint32_t thread_ = corbel::base::thread_id();
  RootMaker* next_ = nullptr;
  bool makes_ = false;
};

// The adapters of an ORB; made, with the server, when first asked for.
AdapterTable& adapters(corbel::core::Orb& orb) {
  while (!orb.dispatcher()) {
    const RootMaker maker(orb);
    if (!maker.makes()) continue;
    corbel::core::AdapterPolicies own;
    establish(orb, {{"RootPOA"}, "RootPOAManager", POAManager::HOLDING}, own);
    orb.set_dispatcher(std::make_unique<AdapterTable>(orb, kept(std::move(own)), tell_gone));
  }
  corbel::core::Dispatcher* const dispatcher = orb.dispatcher();
  if (corbel::SystemError e = orb.start_server()) corbel::cpp::raise(e);
  return static_cast<AdapterTable&>(*dispatcher);
}

Servant to_servant(corbel::core::Servant* servant) { return static_cast<ServantBase*>(servant); }

void require(Servant servant) {
  if (!servant) raise(SystemErrorId::BAD_PARAM, 0, "a servant must not be null");
}

Policies read_policies(corbel::core::Orb& orb, const CORBA::PolicyList& list,
                       corbel::core::AdapterPolicies& own) {
  std::vector<corbel::poa::PolicyValue> values;
  std::vector<CORBA::UShort> places;  // in the list
  std::shared_ptr<const corbel::poa::PerfectIds> ids;
  for (CORBA::ULong i = 0; i < list.length(); ++i) {
    if (!list[i]) throw POA::InvalidPolicy(static_cast<CORBA::UShort>(i));
    if (list[i]->_corbel_value() == CORBA::Policy::_corbel_no_effect) continue;
    if (list[i]->_corbel_add_to(own)) continue;
    if (&corbel_orb_extension && corbel_orb_extension.knows_policy(orb, list[i]->policy_type())) continue;
    if (list[i]->policy_type() == corbel::ObjectDemultiplexingPolicy::kType) {
      corbel::ObjectDemultiplexingPolicy_var own_kind = corbel::ObjectDemultiplexingPolicy::_narrow(list[i]);
      if (!own_kind.in()) throw POA::InvalidPolicy(static_cast<CORBA::UShort>(i));
      ids = own_kind->_corbel_ids();
    }
    places.push_back(static_cast<CORBA::UShort>(i));
    values.push_back(
        {static_cast<corbel::poa::PolicyType>(list[i]->policy_type()), list[i]->_corbel_value()});
  }
  if (&corbel_orb_extension && list.length() != 0) own.kept = corbel::cpp::keep_policies(list);
  Policies policies;
  policies.key_format = orb.options().key_format;
  CORBA::UShort bad_index = 0;
  if (!corbel::poa::read_policies(values, policies, bad_index)) throw POA::InvalidPolicy(places[bad_index]);
  if (policies.demultiplexing == corbel::poa::ObjectDemultiplexing::PerfectHash) policies.perfect_ids = ids;
  return policies;
}

CORBA::Object_ptr make_plain(Adapter& adapter, const std::string& id, const char* repository_id) {
  std::string key;
  check(adapter.make_key(id, key));
  Ref<corbel::core::Reference> made;
  corbel::core::Orb& orb = adapter.table().orb();
  if (corbel::SystemError e =
          orb.make_reference(repository_id ? repository_id : "", key, made, adapter.own_policies().get()))
    corbel::cpp::raise(e);
  return corbel::cpp::make_object(made.release());
}

CORBA::Object_ptr make_reference(Adapter& adapter, const std::string& id, const char* repository_id) {
  const auto& own = adapter.own_policies();
  if (own && own->factory) {  // what it calls may ask the same servant for another id
    const std::string interface(repository_id ? repository_id : "");
    return corbel_orb_extension.make_object(own->factory.get(), interface.c_str(), id);
  }
  return make_plain(adapter, id, repository_id);
}

// What a servant serves may depend on the object.
CORBA::Object_ptr make_reference(Adapter& adapter, const std::string& id, ServantBase& servant) {
  // In an upcall it may answer for the object of that upcall.
  const UpcallTarget* const target = corbel::poa::current_target();
  const bool of_another =
      target && target->servant == &servant && (target->adapter != &adapter || target->id != id);
  const char* const interface = of_another ? nullptr : servant._interface_repository_id();
  if (interface) return make_reference(adapter, id, interface);
  POA_var poa = new POA(Ref<Adapter>::share(&adapter).release());
  ObjectId_var object = to_id(id);
  CORBA::String_var asked = servant._corbel_interface_of(object.in(), poa.in());
  return make_reference(adapter, id, asked.in());
}

CORBA::Object_ptr make_reference(const UpcallTarget& target) {
  return make_reference(*target.adapter, std::string(target.id), *to_servant(target.servant));
}

// The object made of what resolve_initial_references gives for one of the names; null for anything else.
const corbel::cpp::Placeholder* placeholder(CORBA::Object_ptr object) {
  return static_cast<corbel::cpp::Placeholder*>(object->_corbel_widen(corbel::cpp::Placeholder::_corbel_id));
}

template <typename T>
T* widen(CORBA::Object_ptr object) {
  void* const p = object ? object->_corbel_widen(T::_corbel_id) : nullptr;
  return p ? T::_duplicate(static_cast<T*>(p)) : nullptr;
}

}  // namespace

char* ObjectId_to_string(const ObjectId& id) {
  const std::string text = bytes(id);
  if (text.find('\0') != text.npos)
    raise(SystemErrorId::BAD_PARAM, 0, "the id holds a zero octet, so it is no string");
  return CORBA::string_dup(text.c_str());
}

ObjectId* string_to_ObjectId(const char* text) {
  if (!text) raise(SystemErrorId::BAD_PARAM, 0, "string_to_ObjectId needs a string");
  return to_id(text);
}

CORBA::WChar* ObjectId_to_wstring(const ObjectId& id) {
  const CORBA::ULong length = id.length() / CORBA::ULong{sizeof(CORBA::WChar)};
  if (id.length() % sizeof(CORBA::WChar) != 0)
    raise(SystemErrorId::BAD_PARAM, 0, "the id is no whole number of wide characters");
  CORBA::WChar* const text = CORBA::wstring_alloc(length);
  if (!text) corbel::cpp::raise_no_memory();
  if (length != 0) std::memcpy(text, id.get_buffer(), id.length());
  text[length] = L'\0';
  return text;
}

ObjectId* wstring_to_ObjectId(const CORBA::WChar* text) {
  if (!text) raise(SystemErrorId::BAD_PARAM, 0, "wstring_to_ObjectId needs a string");
  return to_id({reinterpret_cast<const char*>(text), std::wcslen(text) * sizeof(CORBA::WChar)});
}

// ---- POAManager

POAManager::POAManager(Manager* manager, corbel::core::Orb* orb) : manager_(manager), orb_(orb) {
  orb_->add_ref();
}

POAManager::~POAManager() {
  manager_->remove_ref();
  orb_->remove_ref();
}

void* POAManager::_corbel_widen(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, _corbel_id) ? this : Object::_corbel_widen(repository_id);
}
const void* POAManager::_corbel_identity() const { return manager_; }
POAManager_ptr POAManager::_narrow(CORBA::Object_ptr object) { return widen<POAManager>(object); }

namespace {
// Interceptors are told of the new state.
void tell(POAManager& manager) {
  if (!&corbel_orb_extension) return;
  CORBA::String_var id = manager.get_id();
  corbel_orb_extension.manager_changed(manager._corbel_orb(), id, manager.get_state());
}
}  // namespace

void POAManager::activate() {
  check(manager_->change(Manager::State::Active, false));
  tell(*this);
}

void POAManager::hold_requests(CORBA::Boolean wait_for_completion) {
  check(manager_->change(Manager::State::Holding, wait_for_completion));
  tell(*this);
}

void POAManager::discard_requests(CORBA::Boolean wait_for_completion) {
  check(manager_->change(Manager::State::Discarding, wait_for_completion));
  tell(*this);
}

void POAManager::deactivate(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) {
  check(manager_->deactivate(etherealize_objects, wait_for_completion));
  tell(*this);
}

char* POAManager::get_id() { return CORBA::string_dup(manager_->id().c_str()); }

POAManager::State POAManager::get_state() { return static_cast<State>(manager_->state()); }

// ---- POAManagerFactory

namespace {
POAManager_ptr wrap_manager(Ref<Manager> manager, corbel::core::Orb* orb) {
  return manager ? new POAManager(manager.release(), orb) : nullptr;
}
}  // namespace

POAManagerFactory::POAManagerFactory(corbel::core::Orb* orb) : orb_(orb) { orb_->add_ref(); }
POAManagerFactory::~POAManagerFactory() { orb_->remove_ref(); }

void* POAManagerFactory::_corbel_widen(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, _corbel_id) ? this : Object::_corbel_widen(repository_id);
}

POAManager_ptr POAManagerFactory::create_POAManager(const char* id, const CORBA::PolicyList& policies) {
  if (!id) raise(SystemErrorId::BAD_PARAM, 0, "a POAManager needs an id");
  if (policies.length() != 0) throw CORBA::PolicyError(CORBA::BAD_POLICY);
  Ref<Manager> made;
  check(adapters(*orb_).make_manager(id, made));
  return wrap_manager(std::move(made), orb_);
}

POAManagerFactory::POAManagerSeq* POAManagerFactory::list() {
  auto managers = adapters(*orb_).managers();
  auto sequence = std::make_unique<POAManagerSeq>();
  sequence->length(static_cast<CORBA::ULong>(managers.size()));
  for (CORBA::ULong i = 0; i < managers.size(); ++i)
    (*sequence)[i] = wrap_manager(std::move(managers[i]), orb_);
  return sequence.release();
}

POAManager_ptr POAManagerFactory::find(const char* id) {
  return wrap_manager(adapters(*orb_).find_manager(id ? id : ""), orb_);
}

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
  const corbel::cpp::Placeholder* const named = placeholder(object);
  if (!named) return widen<POA>(object);
  if (std::strcmp(named->name(), "RootPOA") == 0) return wrap(adapters(named->orb()).root());
  if (std::strcmp(named->name(), "omniINSPOA") == 0) return wrap(adapters(named->orb()).named());
  return nullptr;
}

Adapter& POA::live() const {
  if (adapter_->gone()) check(Outcome::Destroyed);
  return *adapter_;
}

POA_ptr POA::create_POA(const char* adapter_name, POAManager_ptr manager, const CORBA::PolicyList& policies) {
  if (!adapter_name) raise(SystemErrorId::BAD_PARAM, 0, "an adapter needs a name");
  if (manager && &manager->_corbel_orb() != orb_)
    raise(SystemErrorId::BAD_PARAM, 0, "the POAManager belongs to another ORB than the adapter");
  corbel::core::AdapterPolicies own;
  const Policies read = read_policies(*orb_, policies, own);
  const Adapter::NewName name(live(), adapter_name);
  check(name.outcome());
  if (&corbel_orb_extension) {
    corbel::cpp::AdapterFacts facts{names_of(live()), "", POAManager::HOLDING};
    facts.names.push_back(adapter_name);
    if (manager) {
      CORBA::String_var id = manager->get_id();
      facts.manager_id = id.in();
      facts.state = manager->get_state();
    }
    establish(*orb_, std::move(facts), own);
  }
  Ref<Manager> shared = manager ? Ref<Manager>::share(&manager->_corbel_manager()) : nullptr;
  Ref<Adapter> child;
  check(live().create_child(adapter_name, read, std::move(shared), child, kept(std::move(own))));
  return wrap(std::move(child));
}

POA_ptr POA::find_POA(const char* adapter_name, CORBA::Boolean activate_it) {
  Ref<Adapter> child;
  check(live().find(adapter_name ? adapter_name : "", activate_it, child));
  return wrap(std::move(child));
}

void POA::destroy(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) {
  check(adapter_->destroy(etherealize_objects, wait_for_completion));
}

char* POA::the_name() { return CORBA::string_dup(live().name().c_str()); }
POA_ptr POA::the_parent() { return live().parent() ? wrap(*adapter_->parent()) : nullptr; }

POAList* POA::the_children() {
  auto children = live().children();
  auto list = std::make_unique<POAList>();
  list->length(static_cast<CORBA::ULong>(children.size()));
  for (CORBA::ULong i = 0; i < children.size(); ++i) (*list)[i] = wrap(std::move(children[i]));
  return list.release();
}

POAManager_ptr POA::the_POAManager() {
  return new POAManager(Ref<Manager>::share(&live().manager()).release(), orb_);
}

POAManagerFactory_ptr POA::the_POAManagerFactory() {
  (void)live();
  return new POAManagerFactory(orb_);
}

AdapterActivator_ptr POA::the_activator() {
  const auto activator = live().activator();
  return activator ? AdapterActivator::_duplicate(detail::adapter_activator(*activator)) : nullptr;
}

void POA::the_activator(AdapterActivator_ptr activator) {
  live().set_activator_of_children(detail::adapter_activator(activator));
}

CORBA::OctetSeq* POA::id() { return detail::octets<CORBA::OctetSeq>(live().id()); }

ServantManager_ptr POA::get_servant_manager() {
  Ref<corbel::poa::ServantManager> manager;
  check(live().servant_manager(manager));
  return manager ? ServantManager::_duplicate(detail::servant_manager(*manager)) : nullptr;
}

void POA::set_servant_manager(ServantManager_ptr manager) {
  if (!manager) raise(SystemErrorId::BAD_PARAM, 0, "a servant manager must not be nil");
  Adapter& adapter = live();
  if (adapter.policies().retain) check(adapter.set_activator(detail::servant_activator(manager)));
  else check(adapter.set_locator(detail::servant_locator(manager)));
}

Servant POA::get_servant() {
  corbel::core::Servant* servant = nullptr;
  check(live().default_servant(servant));
  return to_servant(servant);
}

void POA::set_servant(Servant servant) { check(live().set_default_servant(servant)); }

ObjectId* POA::activate_object(Servant servant) {
  require(servant);
  std::string id;
  check(live().activate(*servant, id));
  return to_id(id);
}

void POA::activate_object_with_id(const ObjectId& id, Servant servant) {
  require(servant);
  check(live().activate_with_id(*servant, bytes(id)));
}

void POA::deactivate_object(const ObjectId& id) { check(live().deactivate(bytes(id))); }

CORBA::Object_ptr POA::create_reference(const char* repository_id) {
  std::string id;
  check(live().new_id(id));
  return make_reference(*adapter_, id, repository_id);
}

CORBA::Object_ptr POA::create_reference_with_id(const ObjectId& id, const char* repository_id) {
  const std::string text = bytes(id);
  check(live().check_id(text));
  return make_reference(*adapter_, text, repository_id);
}

ObjectId* POA::servant_to_id(Servant servant) {
  require(servant);
  std::string id;
  check(live().servant_to_id(*servant, id));
  return to_id(id);
}

CORBA::Object_ptr POA::servant_to_reference(Servant servant) {
  require(servant);
  std::string id;
  check(live().servant_to_id(*servant, id));
  return make_reference(*adapter_, id, *servant);
}

Servant POA::reference_to_servant(CORBA::Object_ptr reference) {
  ObjectId_var id = reference_to_id(reference);
  return id_to_servant(id.in());
}

ObjectId* POA::reference_to_id(CORBA::Object_ptr reference) {
  Adapter& adapter = live();
  const corbel::core::Reference* const r = reference ? reference->_corbel_reference() : nullptr;
  if (!r || !r->local() || &r->orb() != orb_) throw WrongAdapter();
  std::string id;
  check(adapter.key_to_id(r->key(), id));
  return to_id(id);
}

Servant POA::id_to_servant(const ObjectId& id) {
  corbel::core::Servant* servant = nullptr;
  check(live().id_to_servant(bytes(id), servant));
  return to_servant(servant);
}

CORBA::Object_ptr POA::id_to_reference(const ObjectId& id) {
  corbel::core::Servant* servant = nullptr;
  const std::string text = bytes(id);
  check(live().active_servant(text, servant));
  ServantBase_var counted = to_servant(servant);
  return make_reference(*adapter_, text, *counted.in());
}

// ---- Current

void* Current::_corbel_widen(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, _corbel_id) ? this : Object::_corbel_widen(repository_id);
}

Current_ptr Current::_narrow(CORBA::Object_ptr object) {
  const corbel::cpp::Placeholder* const named = object ? placeholder(object) : nullptr;
  if (!named) return widen<Current>(object);
  return std::strcmp(named->name(), "POACurrent") == 0 ? new Current : nullptr;
}

namespace {
const UpcallTarget& target() {
  const UpcallTarget* const t = corbel::poa::current_target();
  if (!t) throw Current::NoContext();
  return *t;
}
}  // namespace

POA_ptr Current::get_POA() { return wrap(*target().adapter); }
ObjectId* Current::get_object_id() { return to_id(target().id); }
CORBA::Object_ptr Current::get_reference() { return make_reference(target()); }
Servant Current::get_servant() {
  ServantBase* const servant = to_servant(target().servant);
  servant->_add_ref();
  return servant;
}

// ---- implicit activation

// Outside of an upcall a servant says nothing about its ORB.
POA* ServantBase::_default_POA() {
  if (const UpcallTarget* const t = corbel::poa::current_target())  // of a direct call, too
    return wrap(t->adapter->table().root());
  if (corbel::core::ServerRequest* const r = corbel::core::ServerRequest::current())
    return wrap(adapters(r->orb()).root());
  CORBA::ORB_var orb = corbel::cpp::default_orb();
  if (!orb.in())
    raise(SystemErrorId::BAD_INV_ORDER, 0, "a servant was asked for its adapter before ORB_init");
  return wrap(adapters(orb->_corbel_core()).root());
}

}  // namespace PortableServer

namespace corbel::cpp {

CORBA::Object_ptr servant_reference(PortableServer::ServantBase* servant) {
  using namespace PortableServer;
  const poa::UpcallTarget* const target = poa::current_target();
  if (target && target->servant == servant) return make_reference(*target);
  POA_var poa = servant->_default_POA();
  return poa->servant_to_reference(servant);
}

CORBA::Object_ptr make_plain_reference(core::Orb& orb, const std::vector<std::string>& names,
                                       const char* repository_id, const std::string& id) {
  using namespace PortableServer;
  auto adapter = Ref<Adapter>::share(&adapters(orb).root());
  for (std::size_t i = 1; adapter && i < names.size(); ++i) adapter = adapter->find_child(names[i]);
  if (!adapter) check(Outcome::Destroyed);
  return make_plain(*adapter, id, repository_id);
}

void set_plain_reference(CORBA::ORB_ptr orb, const char* key, CORBA::Object_ptr object) {
  core::Reference* const reference = object ? object->_corbel_reference() : nullptr;
  if (!orb || !key || (object && !reference))
    raise({SystemErrorId::BAD_PARAM, Completion::No, 0,
           "a plain key stands for a reference that is not local"});
  PortableServer::adapters(orb->_corbel_core())
      .set_plain_reference(key, base::Ref<core::Reference>::share(reference));
}

}  // namespace corbel::cpp
