#include <corbel/cpp/orb.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "orb/base/ascii.h"
#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/cpp/default_orb.h"
#include "orb/cpp/initial_objects.h"
#include "orb/cpp/local_references.h"
#include "orb/cpp/orb_extension.h"
#include "orb/ior/assigned.h"
#include "orb/ior/url.h"

namespace CORBA {
namespace {

// The one global of the product: made at first use, never destroyed, so that static destructors may still use
// ORBs.
struct OrbTable {
  corbel::base::Mutex mutex;
  std::map<std::string, ORB_ptr> orbs;  // each counted
  std::vector<ORB_ptr> by_age;          // the same
  std::int64_t call_timeout = -1;       // of ORBs to come; -1: not set
  std::int64_t connect_timeout = -1;
  corbel::base::Ref<corbel::core::RetryHandler> retry_handler;
  static OrbTable& instance() {
    static OrbTable* const table = new OrbTable;
    return *table;
  }
};

void check(const corbel::SystemError& error) {
  if (error) corbel::cpp::raise(error);
}

constexpr const char* kPlaceholders[] = {"RootPOA",  "POACurrent",       "omniINSPOA",
                                         "IORTable", "ORBPolicyManager", "PolicyCurrent"};

}  // namespace

ORB_ptr ORB_init(int& argc, char** argv, const char* id) {
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) arguments.emplace_back(argv[i]);
  corbel::core::Options options;
  options.orb_id = id ? id : "";
  check(corbel::core::parse_options(arguments, options));
  if (id && *id) options.orb_id = id;  // -ORBid is for programs that name none
  // What is left are the program's own arguments: their pointers move forward, none is copied.
  int kept = 1;
  std::size_t next = 0;
  for (int i = 1; i < argc && next < arguments.size(); ++i) {
    if (arguments[next] != argv[i]) continue;
    argv[kept++] = argv[i];
    ++next;
  }
  if (kept < argc) {  // else there may be no room for the null pointer: only main's array must end with one
    argc = kept;
    argv[argc] = nullptr;
  }

  for (const std::string& option : options.without_effect)
    std::fprintf(stderr, "corbel: %s has no effect here\n", option.c_str());
  const bool has_timeout = options.call_defaults.has(corbel::core::CallSetting::Roundtrip);

  OrbTable& table = OrbTable::instance();
  ORB_var orb_before;  // outlives the lock
  std::unique_lock lock(table.mutex);
  const std::string name = options.orb_id;
  for (auto known = table.orbs.find(name); known != table.orbs.end(); known = table.orbs.find(name)) {
    orb_before = ORB::_duplicate(known->second);
    lock.unlock();
    if (!&corbel_orb_extension) return orb_before._retn();
    corbel_orb_extension.wait(orb_before);
    lock.lock();
    // Its initializers may have failed; then this one makes another.
    if (known = table.orbs.find(name); known != table.orbs.end() && known->second == orb_before.in())
      return orb_before._retn();
  }
  auto made = corbel::base::make_ref<corbel::core::Orb>(std::move(options));
  check(made->error());  // nothing of it stays in the table
  auto* const core = made.release();
  if (table.call_timeout >= 0 && !has_timeout) core->set_call_timeout(table.call_timeout);
  if (table.connect_timeout >= 0) core->set_connect_timeout(table.connect_timeout);
  core->set_retry_handler(table.retry_handler);
  ORB_ptr const orb = new ORB(core);
  table.orbs[name] = orb;
  table.by_age.push_back(orb);
  (void)ORB::_duplicate(orb);
  if (&corbel_orb_extension) {
    corbel_orb_extension.begin(orb);
    lock.unlock();
    corbel_orb_extension.initialize(orb, {argv + (argc > 0), argv + argc});
  }
  return orb;
}

const char* _corbel_option_help() { return corbel::core::option_help(); }

void ORB::InvalidName::_raise() const { throw *this; }

ORB::~ORB() {
  delete locals_;
  core_->remove_ref();
}
void ORB::_corbel_add_ref() { __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED); }
void ORB::_corbel_remove_ref() {
  if (__atomic_fetch_sub(&count_, 1, __ATOMIC_ACQ_REL) == 1) delete this;
}
ORB_ptr ORB::_duplicate(ORB_ptr orb) {
  if (orb) orb->_corbel_add_ref();
  return orb;
}
void release(ORB* orb) {
  if (orb) orb->_corbel_remove_ref();
}

char* ORB::id() {
  check(core_->check());
  return string_dup(core_->options().orb_id.c_str());
}

char* ORB::object_to_string(Object_ptr object) {
  check(core_->check());
  if (!object) return string_dup(corbel::ior::to_string({}).c_str());
  if (!object->_corbel_reference())
    corbel::cpp::raise({corbel::SystemErrorId::MARSHAL, corbel::Completion::No,
                        corbel::assigned::kOmgMinor | 4, "a local object has no string form"});
  return string_dup(corbel::ior::to_string(object->_corbel_reference()->ior()).c_str());
}

Object_ptr ORB::string_to_object(const char* text) {
  check(core_->check());
  corbel::base::Ref<corbel::core::Reference> reference;
  if (!text)
    corbel::cpp::raise(
        {corbel::SystemErrorId::BAD_PARAM, corbel::Completion::No, 0, "string_to_object needs a string"});
  corbel::ior::Corbaloc corbaloc;
  if (corbel::base::begins_without_case(text, "corbaloc:"))
    check(corbel::ior::parse_corbaloc(text, corbaloc));
  if (corbaloc.rir) {
    try {
      return resolve_initial_references(corbaloc.key.c_str());
    } catch (const InvalidName&) {
      corbel::cpp::raise({corbel::SystemErrorId::BAD_PARAM, corbel::Completion::No,
                          corbel::assigned::kOmgMinor | 9, "corbaloc:rir: names no initial reference"});
    }
  }
  check(core_->string_to_reference(text, reference));
  return corbel::cpp::make_object(reference.release());
}

ORB::ObjectIdList* ORB::list_initial_services() {
  check(core_->check());
  std::vector<std::string> names = core_->initial_names();
  for (const auto* o = corbel::cpp::initial_objects.load(std::memory_order_acquire); o; o = o->next)
    names.emplace_back(o->name);
  if (&corbel_dyn_any_factory) names.emplace_back(corbel_dyn_any_factory.name);
  if (&corbel_orb_extension) corbel_orb_extension.list(*core_, names);
  if (auto* const locals = __atomic_load_n(&locals_, __ATOMIC_ACQUIRE)) locals->list(names);
  auto* const list = new ObjectIdList;
  list->length(static_cast<ULong>(names.size()));
  for (ULong i = 0; i < names.size(); ++i) (*list)[i] = names[i].c_str();
  return list;
}

Object_ptr ORB::resolve_initial_references(const char* name) {
  check(core_->check());
  if (!name) throw InvalidName();
  for (const char* p : kPlaceholders)
    if (std::strcmp(p, name) == 0) return new corbel::cpp::Placeholder(p, *core_);
  for (const auto* o = corbel::cpp::initial_objects.load(std::memory_order_acquire); o; o = o->next)
    if (std::strcmp(o->name, name) == 0) return o->make(*core_);
  if (&corbel_dyn_any_factory && std::strcmp(corbel_dyn_any_factory.name, name) == 0)
    return corbel_dyn_any_factory.make(*core_);
  if (&corbel_orb_extension)
    if (Object_ptr const object = corbel_orb_extension.resolve(*core_, name)) return object;
  if (auto* const locals = __atomic_load_n(&locals_, __ATOMIC_ACQUIRE))
    if (Object_ptr const object = locals->find(name)) return object;
  corbel::base::Ref<corbel::core::Reference> reference;
  check(core_->resolve_initial(name, reference));
  if (!reference) throw InvalidName();
  return corbel::cpp::make_object(reference.release());
}

void ORB::run() { check(core_->run()); }
void ORB::perform_work() { check(core_->perform_work()); }
Boolean ORB::work_pending() {
  bool pending;
  check(core_->work_pending(pending));
  return pending;
}
void ORB::shutdown(Boolean wait) { check(core_->shutdown(wait)); }

void ORB::destroy() {
  check(core_->destroy());
  if (auto* const locals = __atomic_load_n(&locals_, __ATOMIC_ACQUIRE)) locals->end();
  OrbTable& table = OrbTable::instance();
  std::unique_lock lock(table.mutex);
  const auto i = table.orbs.find(core_->options().orb_id);
  if (i == table.orbs.end() || i->second != this) return;
  table.orbs.erase(i);
  std::erase(table.by_age, this);
  lock.unlock();
  _corbel_remove_ref();
}

ORB_ptr Object::_get_orb() {
  ORB_ptr orb = nullptr;
  if (reference_) {
    OrbTable& table = OrbTable::instance();
    std::lock_guard lock(table.mutex);
    for (ORB_ptr const o : table.by_age)
      if (&o->_corbel_core() == &reference_->orb()) orb = ORB::_duplicate(o);
  } else {
    orb = corbel::cpp::default_orb();
  }
  if (!orb) throw OBJECT_NOT_EXIST(0, COMPLETED_NO);
  return orb;
}

}  // namespace CORBA

namespace corbel::cpp {

constinit std::atomic<const InitialObject*> initial_objects{nullptr};

void register_initial_object(InitialObject& object) {
  static base::Mutex mutex;
  std::lock_guard lock(mutex);
  for (const InitialObject* o = initial_objects.load(std::memory_order_relaxed); o; o = o->next)
    if (o == &object) return;
  object.next = initial_objects.load(std::memory_order_relaxed);
  initial_objects.store(&object, std::memory_order_release);
}

CORBA::ORB_ptr default_orb() {
  CORBA::OrbTable& table = CORBA::OrbTable::instance();
  std::lock_guard lock(table.mutex);
  const auto unnamed = table.orbs.find("");
  if (unnamed != table.orbs.end()) return CORBA::ORB::_duplicate(unnamed->second);
  return table.by_age.empty() ? nullptr : CORBA::ORB::_duplicate(table.by_age.front());
}

void set_call_timeout(std::int64_t timeout) {
  CORBA::OrbTable& table = CORBA::OrbTable::instance();
  std::lock_guard lock(table.mutex);
  table.call_timeout = timeout;
  for (CORBA::ORB_ptr const o : table.by_age) o->_corbel_core().set_call_timeout(timeout);
}

void set_connect_timeout(std::int64_t timeout) {
  CORBA::OrbTable& table = CORBA::OrbTable::instance();
  std::lock_guard lock(table.mutex);
  table.connect_timeout = timeout;
  for (CORBA::ORB_ptr const o : table.by_age) o->_corbel_core().set_connect_timeout(timeout);
}

base::Ref<core::RetryHandler> set_retry_handler(base::Ref<core::RetryHandler> handler) {
  CORBA::OrbTable& table = CORBA::OrbTable::instance();
  std::lock_guard lock(table.mutex);
  if (!table.retry_handler) {
    table.retry_handler = std::move(handler);
    for (CORBA::ORB_ptr const o : table.by_age) o->_corbel_core().set_retry_handler(table.retry_handler);
  }
  return table.retry_handler;
}

}  // namespace corbel::cpp
