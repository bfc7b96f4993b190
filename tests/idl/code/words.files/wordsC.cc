// Made by corbel-idl from words.idl; do not edit.
#include "wordsC.h"

namespace corbel::cdr {

void marshal(Encoder& out, const ::_cxx_class::_cxx_explicit::_cxx_mutable& value) {
  const CORBA::ULong n = value.length();
  out.put<CORBA::ULong>(n);
  const auto* const v = value.get_buffer();
  for (CORBA::ULong i = 0; i < n; ++i) {
    corbel::cpp::put_object(out, v[i]);
  }
}

bool unmarshal(Decoder& in, ::_cxx_class::_cxx_explicit::_cxx_mutable& value) {
  CORBA::ULong n;
  if (!in.get_length(n, 8)) return false;
  auto* const v = value._corbel_overwrite(n);
  for (CORBA::ULong i = 0; i < n; ++i) {
    if (!corbel::cpp::get_reference(in, v[i])) return false;
  }
  return true;
}

void marshal(Encoder& out, const ::_cxx_class::_cxx_this::Inner& value) {
  {
    const CORBA::ULong n = value._cxx_throw.length();
    out.put<CORBA::ULong>(n);
    const auto* const v = value._cxx_throw.get_buffer();
    for (CORBA::ULong i = 0; i < n; ++i) {
      marshal(out, v[i]);
    }
  }
}

bool unmarshal(Decoder& in, ::_cxx_class::_cxx_this::Inner& value) {
  if (!in.enter()) return false;
  {
    CORBA::ULong n;
    if (!in.get_length(n, 8)) return false;
    auto* const v = value._cxx_throw._corbel_overwrite(n);
    for (CORBA::ULong i = 0; i < n; ++i) {
      if (!unmarshal(in, v[i])) return false;
    }
  }
  in.leave();
  return true;
}

void marshal(Encoder& out, const ::_cxx_class::_cxx_this& value) {
  out.put_string(value._cxx_catch);
  marshal(out, value.inside);
}

bool unmarshal(Decoder& in, ::_cxx_class::_cxx_this& value) {
  if (!in.enter()) return false;
  if (!corbel::cpp::get_string(in, value._cxx_catch)) return false;
  if (!unmarshal(in, value.inside)) return false;
  in.leave();
  return true;
}

}  // namespace corbel::cdr

_cxx_class::_cxx_explicit_ptr _cxx_class::_cxx_explicit::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::_cxx_class::_cxx_explicit>(object);
}

_cxx_class::_cxx_explicit_ptr _cxx_class::_cxx_explicit::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::_cxx_class::_cxx_explicit>(object);
}

template struct corbel::cpp::ObjectTraits<::_cxx_class::_cxx_explicit>;

void* _cxx_class::_cxx_explicit::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  if (void* const p = ::Part::_corbel_widen(repository_id)) return p;
  return nullptr;
}

_cxx_class::_cxx_friend_ptr _cxx_class::_cxx_friend::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::_cxx_class::_cxx_friend>(object);
}

_cxx_class::_cxx_friend_ptr _cxx_class::_cxx_friend::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::_cxx_class::_cxx_friend>(object);
}

template struct corbel::cpp::ObjectTraits<::_cxx_class::_cxx_friend>;

void* _cxx_class::_cxx_friend::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  if (void* const p = ::_cxx_class::_cxx_explicit::_corbel_widen(repository_id)) return p;
  return nullptr;
}

::_cxx_class::_cxx_explicit::_cxx_mutable* _cxx_class::_cxx_explicit::_cxx_operator(::_cxx_class::_cxx_explicit::_cxx_new _cxx_register) {
  static constexpr corbel::cpp::Operation _operation{{"operator", 8, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  corbel::cdr::Encoder& _out = _call.arguments();
  _out.put<CORBA::ULong>(_cxx_register);
  corbel::cdr::Decoder& _in = _call.invoke();
  ::_cxx_class::_cxx_explicit::_cxx_mutable_var _result = new ::_cxx_class::_cxx_explicit::_cxx_mutable;
  if (!corbel::cdr::unmarshal(_in, _result.inout())) _call.bad_results();
  return _result._retn();
}
