// CORBA::IDLType where it is only declared, as the type of a member that is always nil.
//
// Programs without the interface repository's stubs have no objects of that class, yet copy structures with
// such members. In the others the stubs' definitions come before these, which stand in a library of their
// own. The header with these structures is left out here because it says that others instantiate the
// template. What a peer sends in such a member is read and dropped.
#include <corbel/cpp/object.h>

namespace CORBA {
class IDLType;
}  // namespace CORBA

namespace corbel::cpp {

template <>
[[gnu::weak]] CORBA::IDLType* ObjectTraits<CORBA::IDLType>::duplicate(CORBA::IDLType* nil) {
  return nil;
}
template <>
[[gnu::weak]] void ObjectTraits<CORBA::IDLType>::drop(CORBA::IDLType*) {}
template <>
[[gnu::weak]] void ObjectTraits<CORBA::IDLType>::put(cdr::Encoder& out, CORBA::IDLType*) {
  put_object(out, CORBA::Object::_nil());
}
template <>
[[gnu::weak]] bool ObjectTraits<CORBA::IDLType>::get(cdr::Decoder& in, CORBA::IDLType*& result) {
  CORBA::Object_var dropped;
  result = nullptr;
  return get_reference(in, dropped);
}

}  // namespace corbel::cpp
