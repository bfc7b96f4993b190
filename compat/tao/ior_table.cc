#include <corbel/poa.h>
#include <tao/IORTable/IORTable.h>

#include <cstring>
#include <mutex>
#include <set>
#include <string>

#include "orb/core/orb.h"

namespace IORTable {

// Which keys are bound: shared by all tables of an ORB, and kept there.
struct Table::Keys : corbel::core::LocalSlot {
  std::mutex mutex;
  std::set<std::string> bound;

  static corbel::base::Ref<Keys> of(corbel::core::Orb& orb) {
    const auto fresh = corbel::base::make_ref<Keys>();
    auto slot =
        orb.set_local_slot("IORTable", corbel::base::Ref<corbel::core::LocalSlot>::share(fresh.get()));
    return corbel::base::Ref<Keys>::share(static_cast<Keys*>(slot.get()));
  }
};

Table::Table(CORBA::ORB_ptr orb) : orb_(orb) {}
Table::~Table() = default;

void* Table::_corbel_widen(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, _corbel_id) ? this : Object::_corbel_widen(repository_id);
}

Table_ptr Table::_narrow(CORBA::Object_ptr object) {
  if (!object) return nullptr;
  if (void* const table = object->_corbel_widen(_corbel_id)) return _duplicate(static_cast<Table*>(table));
  auto* const named =
      static_cast<corbel::cpp::Placeholder*>(object->_corbel_widen(corbel::cpp::Placeholder::_corbel_id));
  if (!named || std::strcmp(named->name(), "IORTable") != 0) return nullptr;
  named->orb().add_ref();
  return new Table(new CORBA::ORB(&named->orb()));
}

// Under the lock of the keys, so that what is bound and what is known to be bound agree.
void Table::set(const char* key, const char* ior) {
  CORBA::Object_var object = ior ? orb_->string_to_object(ior) : CORBA::Object::_nil();
  if (ior && CORBA::is_nil(object)) throw CORBA::BAD_PARAM();
  corbel::cpp::set_plain_reference(orb_, key, object);
}

void Table::bind(const char* key, const char* ior) {
  if (!key || !ior) throw CORBA::BAD_PARAM();
  const auto keys = Keys::of(orb_->_corbel_core());
  std::lock_guard lock(keys->mutex);
  if (keys->bound.count(key) != 0) throw AlreadyBound();
  set(key, ior);
  keys->bound.insert(key);
}

void Table::rebind(const char* key, const char* ior) {
  if (!key || !ior) throw CORBA::BAD_PARAM();
  const auto keys = Keys::of(orb_->_corbel_core());
  std::lock_guard lock(keys->mutex);
  set(key, ior);
  keys->bound.insert(key);
}

void Table::unbind(const char* key) {
  if (!key) throw CORBA::BAD_PARAM();
  const auto keys = Keys::of(orb_->_corbel_core());
  std::lock_guard lock(keys->mutex);
  if (keys->bound.count(key) == 0) throw NotFound();
  set(key, nullptr);
  keys->bound.erase(key);
}

}  // namespace IORTable
