// Of CORBA::Object, what needs the interface repository's classes.
#include <corbel/idl/ir.stub.h>

CORBA::InterfaceDef_ptr CORBA::Object::_get_interface() {
  Object_var description = _corbel_interface();
  return InterfaceDef::_unchecked_narrow(description);
}
