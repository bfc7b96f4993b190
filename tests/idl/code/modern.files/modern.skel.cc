// Made by corbel-idl from modern.idl; do not edit.
#include "modern.skel.h"

::Plant::Pump_ptr POA_Plant::Pump::_this() { return corbel::cpp::servant_this<::Plant::Pump>(this); }

const char* POA_Plant::Pump::_interface_repository_id() const { return ::Plant::Pump::_corbel_id; }

CORBA::Boolean POA_Plant::Pump::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Plant::Pump::_corbel_id) ||
      corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id);
}

void POA_Plant::Pump::_skel__get_setting(Pump& _servant, corbel::cpp::Upcall& _call) {
  try {
    CORBA::Any_var _result = _servant.setting();
    if (!_result.ptr()) corbel::cpp::null_result();
    corbel::cdr::Encoder& _out = _call.results();
    corbel::cpp::WrittenValues _written(_out);
    corbel::cdr::marshal(_out, _result.in());
  } catch (const CORBA::UserException& _exception) {
    static constexpr const char* _ids[] = {"IDL:Plant/Broken:1.0"};
    if (!corbel::cpp::reply_user_exception(_call, _exception, _ids, 1)) throw;
  }
}

void POA_Plant::Pump::_skel__set_setting(Pump& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  corbel::cpp::ReadValues _read(_in);
  CORBA::Any _value;
  if (!corbel::cdr::unmarshal(_in, _value)) corbel::cpp::bad_arguments();
  _read.done();
  try {
    _servant.setting(_value);
  } catch (const CORBA::UserException& _exception) {
    static constexpr const char* _ids[] = {"IDL:Plant/Broken:1.0"};
    if (!corbel::cpp::reply_user_exception(_call, _exception, _ids, 1)) throw;
  }
}

void POA_Plant::Pump::_skel_allow(Pump& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  const char* who;
  if (!_in.get_string_view(who)) corbel::cpp::bad_arguments();
  ::Plant::Switches all;
  if (!corbel::cdr::unmarshal(_in, all)) corbel::cpp::bad_arguments();
  CORBA::Context_var _ctx;
  if (!corbel::cpp::get_context(_in, _ctx)) corbel::cpp::bad_arguments();
  ::Plant::Rights _result = _servant.allow(who, all, _ctx.in());
  corbel::cdr::Encoder& _out = _call.results();
  _out.put<::Plant::Rights>(_result);
  corbel::cdr::marshal(_out, all);
}

void POA_Plant::Pump::_skel_kind(Pump& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::ObjectVar<CORBA::TypeCode> _result = _servant.kind();
  corbel::cdr::Encoder& _out = _call.results();
  corbel::cdr::marshal(_out, _result.in());
}

void POA_Plant::Pump::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 4:
      if (corbel::cpp::same_name(name, "kind"))
        return ::POA_Plant::Pump::_skel_kind(*this, call);
      break;
    case 5:
      if (corbel::cpp::same_name(name, "allow"))
        return ::POA_Plant::Pump::_skel_allow(*this, call);
      break;
    case 12:
      switch (corbel::cpp::name_word(name, 8)) {
        case corbel::cpp::name_word("_get_set", 8):
          if (corbel::cpp::same_name(name, "_get_setting"))
            return ::POA_Plant::Pump::_skel__get_setting(*this, call);
          break;
        case corbel::cpp::name_word("_set_set", 8):
          if (corbel::cpp::same_name(name, "_set_setting"))
            return ::POA_Plant::Pump::_skel__set_setting(*this, call);
          break;
      }
      break;
  }
  unknown_operation(call);
}

corbel::core::CollocatedServant POA_Plant::Pump::_corbel_collocated(const char* interface) {
  return PortableServer::ServantBase::_corbel_collocated(interface);
}
