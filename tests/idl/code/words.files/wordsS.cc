// Made by corbel-idl from words.idl; do not edit.
#include "wordsS.h"

::_cxx_class::_cxx_explicit_ptr POA__cxx_class::_cxx_explicit::_this() {
  return corbel::cpp::servant_this<::_cxx_class::_cxx_explicit>(this);
}

const char* POA__cxx_class::_cxx_explicit::_interface_repository_id() const {
  return ::_cxx_class::_cxx_explicit::_corbel_id;
}

CORBA::Boolean POA__cxx_class::_cxx_explicit::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::_cxx_class::_cxx_explicit::_corbel_id) ||
      ::POA_Part::_is_a(repository_id);
}

::_cxx_class::_cxx_friend_ptr POA__cxx_class::_cxx_friend::_this() {
  return corbel::cpp::servant_this<::_cxx_class::_cxx_friend>(this);
}

const char* POA__cxx_class::_cxx_friend::_interface_repository_id() const {
  return ::_cxx_class::_cxx_friend::_corbel_id;
}

CORBA::Boolean POA__cxx_class::_cxx_friend::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::_cxx_class::_cxx_friend::_corbel_id) ||
      ::POA__cxx_class::_cxx_explicit::_is_a(repository_id);
}

void POA__cxx_class::_cxx_explicit::_skel_operator(_cxx_explicit& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  ::_cxx_class::_cxx_explicit::_cxx_new _cxx_register{};
  if (!_in.get_enum(_cxx_register, 2)) corbel::cpp::bad_arguments();
  ::_cxx_class::_cxx_explicit::_cxx_mutable_var _result = _servant._cxx_operator(_cxx_register);
  if (!_result.ptr()) corbel::cpp::null_result();
  corbel::cdr::Encoder& _out = _call.results();
  corbel::cdr::marshal(_out, _result.in());
}

void POA__cxx_class::_cxx_explicit::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 8:
      if (corbel::cpp::same_name(name, "operator"))
        return ::POA__cxx_class::_cxx_explicit::_skel_operator(*this, call);
      break;
    case 9:
      if (corbel::cpp::same_name(name, "_get_name"))
        return ::POA_Part::_skel__get_name(*this, call);
      break;
  }
  unknown_operation(call);
}

corbel::core::CollocatedServant POA__cxx_class::_cxx_explicit::_corbel_collocated(const char* interface) {
  if (const auto way = ::POA_Part::_corbel_collocated(interface); way.functions) return way;
  return PortableServer::ServantBase::_corbel_collocated(interface);
}

void POA__cxx_class::_cxx_friend::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 8:
      if (corbel::cpp::same_name(name, "operator"))
        return ::POA__cxx_class::_cxx_explicit::_skel_operator(*this, call);
      break;
    case 9:
      if (corbel::cpp::same_name(name, "_get_name"))
        return ::POA_Part::_skel__get_name(*this, call);
      break;
  }
  unknown_operation(call);
}

corbel::core::CollocatedServant POA__cxx_class::_cxx_friend::_corbel_collocated(const char* interface) {
  if (const auto way = ::POA_Part::_corbel_collocated(interface); way.functions) return way;
  if (const auto way = ::POA__cxx_class::_cxx_explicit::_corbel_collocated(interface); way.functions) return way;
  return PortableServer::ServantBase::_corbel_collocated(interface);
}
