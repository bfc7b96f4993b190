// Made by corbel-idl from maps.idl; do not edit.
#include "maps.stub.h"

int Maps::Find::_corbel_member(CORBA::Boolean value) {
  if (value == true) return 0;
  return -1;
}

void Maps::Find::_d(CORBA::Boolean value) {
  if (_corbel_member(value) != _corbel_member(_corbel_label)) corbel::cpp::raise_wrong_member();
  _corbel_label = value;
}

void Maps::Find::_corbel_clear() {
  switch (_corbel_member(_corbel_label)) {
    case 0: delete _corbel_u.found; break;
    default: break;
  }
}

void Maps::Find::_corbel_activate(CORBA::Boolean value) {
  _corbel_select(value);
  switch (_corbel_member(value)) {
    case 0: _corbel_u.found = new ::Maps::Shelf(); break;
    default: break;
  }
}

Maps::Find::Find(const Find& other) {
  _corbel_empty();
  *this = other;
}

Maps::Find& Maps::Find::operator=(const Find& other) {
  if (this == &other) return *this;
  const CORBA::Boolean label = other._corbel_label;
  switch (_corbel_member(label)) {
    case 0: this->found(*other._corbel_u.found); break;
    default: _corbel_activate(label); break;
  }
  _corbel_label = label;
  return *this;
}

Maps::Keeper_ptr Maps::Keeper::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow_local<::Maps::Keeper>(object);
}

Maps::Keeper_ptr Maps::Keeper::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow_local<::Maps::Keeper>(object);
}

template ::Maps::Keeper_ptr corbel::cpp::ObjectTraits<::Maps::Keeper>::duplicate(::Maps::Keeper_ptr);
template void corbel::cpp::ObjectTraits<::Maps::Keeper>::drop(::Maps::Keeper_ptr);

void* Maps::Keeper::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}
