// Takes the value of an Any to pieces by DynAny and makes another one of the pieces. Says only what the
// specification has, so that it serves omniORB's DynAny, too.
#pragma once

#include <corbel/dynamic_any.h>

namespace rebuild {

inline CORBA::TCKind kind_of(DynamicAny::DynAny_ptr d) {
  CORBA::TypeCode_var type = d->type();
  while (type->kind() == CORBA::tk_alias) type = type->content_type();
  return type->kind();
}

inline void components(DynamicAny::DynAny_ptr from, DynamicAny::DynAny_ptr to);

// `to` is of the same type and has its default value.
inline void value(DynamicAny::DynAny_ptr from, DynamicAny::DynAny_ptr to) {
  switch (kind_of(from)) {
    case CORBA::tk_null:
    case CORBA::tk_void:
      return;
    case CORBA::tk_boolean:
      return to->insert_boolean(from->get_boolean());
    case CORBA::tk_octet:
      return to->insert_octet(from->get_octet());
    case CORBA::tk_char:
      return to->insert_char(from->get_char());
    case CORBA::tk_short:
      return to->insert_short(from->get_short());
    case CORBA::tk_ushort:
      return to->insert_ushort(from->get_ushort());
    case CORBA::tk_long:
      return to->insert_long(from->get_long());
    case CORBA::tk_ulong:
      return to->insert_ulong(from->get_ulong());
    case CORBA::tk_longlong:
      return to->insert_longlong(from->get_longlong());
    case CORBA::tk_ulonglong:
      return to->insert_ulonglong(from->get_ulonglong());
    case CORBA::tk_float:
      return to->insert_float(from->get_float());
    case CORBA::tk_double:
      return to->insert_double(from->get_double());
    case CORBA::tk_longdouble:
      return to->insert_longdouble(from->get_longdouble());
    case CORBA::tk_wchar:
      return to->insert_wchar(from->get_wchar());
    case CORBA::tk_string: {
      CORBA::String_var text = from->get_string();
      return to->insert_string(text);
    }
    case CORBA::tk_wstring: {
      CORBA::WString_var text = from->get_wstring();
      return to->insert_wstring(text);
    }
    case CORBA::tk_any: {
      CORBA::Any_var any = from->get_any();
      return to->insert_any(any.in());
    }
    case CORBA::tk_TypeCode: {
      CORBA::TypeCode_var type = from->get_typecode();
      return to->insert_typecode(type);
    }
    case CORBA::tk_objref: {
      CORBA::Object_var object = from->get_reference();
      return to->insert_reference(object);
    }
    case CORBA::tk_enum: {
      DynamicAny::DynEnum_var a = DynamicAny::DynEnum::_narrow(from), b = DynamicAny::DynEnum::_narrow(to);
      return b->set_as_ulong(a->get_as_ulong());
    }
    case CORBA::tk_fixed: {
      DynamicAny::DynFixed_var a = DynamicAny::DynFixed::_narrow(from), b = DynamicAny::DynFixed::_narrow(to);
      CORBA::String_var text = a->get_value();
      b->set_value(text);
      return;
    }
    case CORBA::tk_sequence: {
      DynamicAny::DynSequence_var a = DynamicAny::DynSequence::_narrow(from),
                                  b = DynamicAny::DynSequence::_narrow(to);
      b->set_length(a->get_length());
      return components(from, to);
    }
    case CORBA::tk_union: {
      DynamicAny::DynUnion_var a = DynamicAny::DynUnion::_narrow(from), b = DynamicAny::DynUnion::_narrow(to);
      DynamicAny::DynAny_var label = a->get_discriminator();
      b->set_discriminator(label);
      if (a->has_no_active_member()) return;
      DynamicAny::DynAny_var x = a->member(), y = b->member();
      return value(x, y);
    }
    case CORBA::tk_struct:
    case CORBA::tk_except:
    case CORBA::tk_array:
      return components(from, to);
    default:
      throw CORBA::NO_IMPLEMENT();  // values may be circles
  }
}

inline void components(DynamicAny::DynAny_ptr from, DynamicAny::DynAny_ptr to) {
  const CORBA::ULong n = from->component_count();
  for (CORBA::ULong i = 0; i < n; ++i) {
    from->seek(static_cast<CORBA::Long>(i));
    to->seek(static_cast<CORBA::Long>(i));
    DynamicAny::DynAny_var x = from->current_component(), y = to->current_component();
    value(x, y);
  }
}

// The caller owns it.
inline CORBA::Any* any(DynamicAny::DynAnyFactory_ptr factory, const CORBA::Any& original) {
  CORBA::TypeCode_var type = original.type();
  DynamicAny::DynAny_var from = factory->create_dyn_any(original);
  DynamicAny::DynAny_var to = factory->create_dyn_any_from_type_code(type);
  value(from, to);
  CORBA::Any* const made = to->to_any();
  from->destroy();
  to->destroy();
  return made;
}

}  // namespace rebuild
