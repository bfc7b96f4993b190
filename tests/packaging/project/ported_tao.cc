#include "orbsvcs/CosNamingC.h"
#include "tao/IORTable/IORTable.h"
#include "tao/corba.h"

int main() {
  IORTable::Table_var table = IORTable::Table::_narrow(CORBA::Object::_nil());
  CosNaming::NamingContext_var context = CosNaming::NamingContext::_nil();
  return CORBA::is_nil(table.in()) && CORBA::is_nil(context.in()) ? 0 : 1;
}
