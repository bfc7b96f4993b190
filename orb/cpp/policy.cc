#include <corbel/cpp/policy.h>

namespace CORBA {

Policy_ptr Policy::_narrow(Object_ptr object) {
  void* const p = object ? object->_corbel_widen(_corbel_id) : nullptr;
  return p ? _duplicate(static_cast<Policy*>(p)) : nullptr;
}

void* Policy::_corbel_widen(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, _corbel_id) ? this : Object::_corbel_widen(repository_id);
}

bool Policy::_corbel_add_to(corbel::core::AdapterPolicies&) const { return false; }

}  // namespace CORBA
