// Of CORBA::ORB, what needs the interface repository's classes.
#include <corbel/cpp/named_values.h>
#include <corbel/cpp/orb.h>
#include <corbel/idl/ir.stub.h>

void CORBA::ORB::create_operation_list(OperationDef_ptr operation, NVList_out list) {
  if (!operation) throw BAD_PARAM();
  ParDescriptionSeq_var parameters = operation->params();
  NVList_var made;
  create_list(static_cast<Long>(parameters->length()), made);
  for (ULong i = 0; i < parameters->length(); ++i) {
    const ParameterDescription& parameter = parameters[i];
    const Flags flags = parameter.mode == PARAM_IN    ? ARG_IN
                        : parameter.mode == PARAM_OUT ? ARG_OUT
                                                      : ARG_INOUT;
    made->add_item(parameter.name, flags)->value()->replace(parameter.type, nullptr);
  }
  list = made._retn();
}
