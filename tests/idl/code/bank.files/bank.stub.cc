// Made by corbel-idl from bank.idl; do not edit.
#include "bank.stub.h"

namespace corbel::cdr {

void marshal(Encoder& out, const ::Bank::Entry& value) {
  char* to = out.chunk<4>(8);
  store<CORBA::ULong>(to, value.day);
  store<CORBA::ULong>(to + 4, value.what);
  out.put<::Bank::Amount>(value.cents);
  out.put_string(value.remark);
}

bool unmarshal(Decoder& in, ::Bank::Entry& value) {
  const char* from = in.chunk<4>(8);
  if (!from) return false;
  value.day = load<CORBA::ULong>(from, in.swap());
  if (!load_enum(from + 4, in.swap(), value.what, 3)) return false;
  if (!in.get(value.cents)) return false;
  if (!corbel::cpp::get_string(in, value.remark)) return false;
  return true;
}

void marshal(Encoder& out, const ::Bank::Statement& value) {
  const CORBA::ULong n = value.length();
  out.put<CORBA::ULong>(n);
  const auto* const v = value.get_buffer();
  for (CORBA::ULong i = 0; i < n; ++i) {
    marshal(out, v[i]);
  }
}

bool unmarshal(Decoder& in, ::Bank::Statement& value) {
  CORBA::ULong n;
  if (!in.get_length(n, 20)) return false;
  auto* const v = value._corbel_overwrite(n);
  for (CORBA::ULong i = 0; i < n; ++i) {
    if (!unmarshal(in, v[i])) return false;
  }
  return true;
}

void marshal(Encoder& out, const ::Bank::Amounts& value) {
  out.put_run(value.get_buffer(), value.length(), 8);
}

bool unmarshal(Decoder& in, ::Bank::Amounts& value) {
  CORBA::ULong n;
  if (!in.get_length(n, 8)) return false;
  if (!corbel::cpp::get_run(in, value, n)) return false;
  return true;
}

void marshal(Encoder& out, const ::Bank::TooLittle& value) {
  out.put<::Bank::Amount>(value.missing);
}

bool unmarshal(Decoder& in, ::Bank::TooLittle& value) {
  if (!in.get(value.missing)) return false;
  return true;
}

}  // namespace corbel::cdr

const Bank::TooLittle* Bank::TooLittle::_downcast(const CORBA::Exception* exception) {
  return corbel::cpp::downcast<::Bank::TooLittle>(exception);
}

void Bank::TooLittle::_marshal_members(corbel::cdr::Encoder& out) const { corbel::cdr::marshal(out, *this); }

Bank::Account_ptr Bank::Account::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Bank::Account>(object);
}

Bank::Account_ptr Bank::Account::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Bank::Account>(object);
}

template struct corbel::cpp::ObjectTraits<::Bank::Account>;

void* Bank::Account::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}

Bank::Giro_ptr Bank::Giro::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Bank::Giro>(object);
}

Bank::Giro_ptr Bank::Giro::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Bank::Giro>(object);
}

template struct corbel::cpp::ObjectTraits<::Bank::Giro>;

void* Bank::Giro::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  if (void* const p = ::Bank::Account::_corbel_widen(repository_id)) return p;
  return nullptr;
}

Bank::Desk_ptr Bank::Desk::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Bank::Desk>(object);
}

Bank::Desk_ptr Bank::Desk::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Bank::Desk>(object);
}

template struct corbel::cpp::ObjectTraits<::Bank::Desk>;

void* Bank::Desk::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}

char* Bank::Account::owner() {
  static constexpr corbel::cpp::Operation _operation{{"_get_owner", 10, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<char* (*)(::Bank::Account& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[0])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  corbel::cdr::Decoder& _in = _call.invoke();
  char* const _result = corbel::cpp::new_string(_in);
  if (!_result) _call.bad_results();
  return _result;
}

void Bank::Account::owner(const char* _value) {
  static constexpr corbel::cpp::Operation _operation{{"_set_owner", 10, false, true}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target && _value)
      return reinterpret_cast<void (*)(::Bank::Account& _stub, const char* _value,
          corbel::cpp::Collocated& _target)>(_target->functions[1])(*this, _value, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  do {
    corbel::cdr::Encoder& _out = _call.arguments();
    _out.put_string(_value);
  } while (!_call.sent());
}

::Bank::Amount Bank::Account::balance() {
  static constexpr corbel::cpp::Operation _operation{{"_get_balance", 12, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<::Bank::Amount (*)(::Bank::Account& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[2])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  corbel::cdr::Decoder& _in = _call.invoke();
  ::Bank::Amount _result{};
  if (!_in.get(_result)) _call.bad_results();
  return _result;
}

::Bank::Amount Bank::Account::move(::Bank::Kind what, ::Bank::Amount cents, const char* remark) {
  static constexpr corbel::cpp::RaisesEntry _raises[] = {
    {"IDL:example.com/Bank/TooLittle:1.0", &corbel::cpp::raise<::Bank::TooLittle>},
  };
  static constexpr corbel::cpp::Operation _operation{{"move", 4, false, true}, _raises, 1};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  do {
    corbel::cdr::Encoder& _out = _call.arguments();
    _out.put<CORBA::ULong>(what);
    _out.put<::Bank::Amount>(cents);
    _out.put_string(remark);
  } while (!_call.sent());
  corbel::cdr::Decoder& _in = _call.results();
  ::Bank::Amount _result{};
  if (!_in.get(_result)) _call.bad_results();
  return _result;
}

::Bank::Statement* Bank::Account::between(CORBA::ULong first, CORBA::ULong last, ::Bank::Amounts_out sums) {
  static constexpr corbel::cpp::Operation _operation{{"between", 7, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  corbel::cdr::Encoder& _out = _call.arguments();
  char* _to = _out.chunk<4>(8);
  corbel::cdr::store<CORBA::ULong>(_to, first);
  corbel::cdr::store<CORBA::ULong>(_to + 4, last);
  corbel::cdr::Decoder& _in = _call.invoke();
  ::Bank::Statement_var _result = new ::Bank::Statement;
  if (!corbel::cdr::unmarshal(_in, _result.inout())) _call.bad_results();
  ::Bank::Amounts_var _sums_out = new ::Bank::Amounts;
  if (!corbel::cdr::unmarshal(_in, _sums_out.inout())) _call.bad_results();
  sums = _sums_out._retn();
  return _result._retn();
}

void Bank::Account::remind(const char* text) {
  static constexpr corbel::cpp::Operation _operation{{"remind", 6, true, true}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  do {
    corbel::cdr::Encoder& _out = _call.arguments();
    _out.put_string(text);
  } while (!_call.sent());
}

void Bank::Giro::set_limit(::Bank::Amount& limit) {
  static constexpr corbel::cpp::Operation _operation{{"set_limit", 9, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Bank::Giro& _stub, ::Bank::Amount& limit,
          corbel::cpp::Collocated& _target)>(_target->functions[0])(*this, limit, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  corbel::cdr::Encoder& _out = _call.arguments();
  _out.put<::Bank::Amount>(limit);
  corbel::cdr::Decoder& _in = _call.invoke();
  if (!_in.get(limit)) _call.bad_results();
}

::Bank::Account_ptr Bank::Desk::open(const char* owner, CORBA::Boolean_out known) {
  static constexpr corbel::cpp::Operation _operation{{"open", 4, false, true}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target && owner)
      return reinterpret_cast<::Bank::Account_ptr (*)(::Bank::Desk& _stub, const char* owner,
          CORBA::Boolean_out known, corbel::cpp::Collocated& _target)>(_target->functions[0])(*this, owner,
          known, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  do {
    corbel::cdr::Encoder& _out = _call.arguments();
    _out.put_string(owner);
  } while (!_call.sent());
  corbel::cdr::Decoder& _in = _call.results();
  corbel::cpp::ObjectVar<::Bank::Account> _result;
  if (!corbel::cpp::get_reference(_in, _result)) _call.bad_results();
  if (!_in.get_boolean(known)) _call.bad_results();
  return _result._retn();
}

void Bank::Desk::close(::Bank::Account_ptr& which) {
  static constexpr corbel::cpp::Operation _operation{{"close", 5, false, true}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  do {
    corbel::cdr::Encoder& _out = _call.arguments();
    corbel::cpp::put_object(_out, which);
  } while (!_call.sent());
  corbel::cdr::Decoder& _in = _call.results();
  if (!corbel::cpp::get_reference(_in, which)) _call.bad_results();
}
