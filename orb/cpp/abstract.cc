#include <corbel/cpp/abstract.h>

namespace corbel::cpp {

const CORBA::Object& target_of(const CORBA::AbstractBase& object) {
  return *not_nil(const_cast<CORBA::AbstractBase&>(object)._corbel_to_object());
}

core::Reference* narrowed_reference(CORBA::AbstractBase_ptr object, const char* repository_id, bool ask) {
  CORBA::Object_ptr const target = object ? object->_corbel_to_object() : nullptr;
  if (!target || !target->_corbel_reference() || (ask && !target->_is_a(repository_id))) return nullptr;
  return retain(target->_corbel_reference());
}

void put_abstract_base(cdr::Encoder& out, CORBA::AbstractBase_ptr object) {
  CORBA::Object_ptr const target = object ? object->_corbel_to_object() : nullptr;
  out.put_boolean(target != nullptr);
  if (target) put_object(out, target);
  else put_value_base(out, object ? object->_corbel_to_value() : nullptr, "");
}

bool get_abstract_base(cdr::Decoder& in, core::Reference*& reference, CORBA::ValueBase*& value) {
  bool is_object;
  reference = nullptr;
  value = nullptr;
  if (!in.get_boolean(is_object)) return false;
  return is_object ? get_reference(in, reference) : get_value_base(in, value, nullptr, nullptr);
}

}  // namespace corbel::cpp

namespace CORBA {

AbstractBase_ptr AbstractBase::_corbel_make(corbel::core::Reference* reference) {
  return corbel::cpp::make_abstract<AbstractBase>(reference);
}

Object_ptr AbstractBase::_to_object() {
  return corbel::cpp::is_null(this) ? nullptr : Object::_duplicate(_corbel_to_object());
}

ValueBase* AbstractBase::_to_value() {
  return corbel::cpp::is_null(this) ? nullptr : ValueBase::_duplicate(_corbel_to_value());
}

}  // namespace CORBA
