// Made by corbel-idl from bank.idl; do not edit.
#include "bank.skel.h"

::Bank::Account_ptr POA_Bank::Account::_this() { return corbel::cpp::servant_this<::Bank::Account>(this); }

const char* POA_Bank::Account::_interface_repository_id() const { return ::Bank::Account::_corbel_id; }

CORBA::Boolean POA_Bank::Account::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Bank::Account::_corbel_id) ||
      corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id);
}

::Bank::Giro_ptr POA_Bank::Giro::_this() { return corbel::cpp::servant_this<::Bank::Giro>(this); }

const char* POA_Bank::Giro::_interface_repository_id() const { return ::Bank::Giro::_corbel_id; }

CORBA::Boolean POA_Bank::Giro::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Bank::Giro::_corbel_id) ||
      ::POA_Bank::Account::_is_a(repository_id);
}

::Bank::Desk_ptr POA_Bank::Desk::_this() { return corbel::cpp::servant_this<::Bank::Desk>(this); }

const char* POA_Bank::Desk::_interface_repository_id() const { return ::Bank::Desk::_corbel_id; }

CORBA::Boolean POA_Bank::Desk::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Bank::Desk::_corbel_id) ||
      corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id);
}

void POA_Bank::Account::_skel__get_owner(Account& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::reply_string(_call, _servant.owner());
}

void POA_Bank::Account::_skel__set_owner(Account& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  const char* _value;
  if (!_in.get_string_view(_value)) corbel::cpp::bad_arguments();
  _servant.owner(_value);
}

void POA_Bank::Account::_skel__get_balance(Account& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::reply_number<::Bank::Amount>(_call, _servant.balance());
}

void POA_Bank::Account::_skel_move(Account& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  ::Bank::Kind what{};
  if (!_in.get_enum(what, 3)) corbel::cpp::bad_arguments();
  ::Bank::Amount cents{};
  if (!_in.get(cents)) corbel::cpp::bad_arguments();
  const char* remark;
  if (!_in.get_string_view(remark)) corbel::cpp::bad_arguments();
  try {
    corbel::cpp::reply_number<::Bank::Amount>(_call, _servant.move(what, cents, remark));
  } catch (const CORBA::UserException& _exception) {
    static constexpr const char* _ids[] = {"IDL:example.com/Bank/TooLittle:1.0"};
    if (!corbel::cpp::reply_user_exception(_call, _exception, _ids, 1)) throw;
  }
}

void POA_Bank::Account::_skel_between(Account& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  CORBA::ULong first{};
  CORBA::ULong last{};
  const char* _from = _in.chunk<4>(8);
  if (!_from) corbel::cpp::bad_arguments();
  first = corbel::cdr::load<CORBA::ULong>(_from, _in.swap());
  last = corbel::cdr::load<CORBA::ULong>(_from + 4, _in.swap());
  ::Bank::Amounts_var sums;
  ::Bank::Statement_var _result = _servant.between(first, last, sums.out());
  if (!_result.ptr()) corbel::cpp::null_result();
  if (!sums.ptr()) corbel::cpp::null_result();
  corbel::cdr::Encoder& _out = _call.results_in_place();
  corbel::cdr::marshal(_out, _result.in());
  corbel::cdr::marshal(_out, sums.in());
  _call.send();
}

void POA_Bank::Account::_skel_remind(Account& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  const char* text;
  if (!_in.get_string_view(text)) corbel::cpp::bad_arguments();
  _servant.remind(text);
}

void POA_Bank::Account::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 4:
      if (corbel::cpp::same_name(name, "move"))
        return ::POA_Bank::Account::_skel_move(*this, call);
      break;
    case 6:
      if (corbel::cpp::same_name(name, "remind"))
        return ::POA_Bank::Account::_skel_remind(*this, call);
      break;
    case 7:
      if (corbel::cpp::same_name(name, "between"))
        return ::POA_Bank::Account::_skel_between(*this, call);
      break;
    case 10:
      switch (corbel::cpp::name_word(name, 8)) {
        case corbel::cpp::name_word("_get_own", 8):
          if (corbel::cpp::same_name(name, "_get_owner"))
            return ::POA_Bank::Account::_skel__get_owner(*this, call);
          break;
        case corbel::cpp::name_word("_set_own", 8):
          if (corbel::cpp::same_name(name, "_set_owner"))
            return ::POA_Bank::Account::_skel__set_owner(*this, call);
          break;
      }
      break;
    case 12:
      if (corbel::cpp::same_name(name, "_get_balance"))
        return ::POA_Bank::Account::_skel__get_balance(*this, call);
      break;
  }
  unknown_operation(call);
}

namespace {
inline char* call_collocated_POA_Bank_Account__get_owner(void* _skeleton) {
  CORBA::String_var _result = static_cast<::POA_Bank::Account*>(_skeleton)->owner();
  if (!_result.in()) corbel::cpp::null_result();
  return _result._retn();
}

char* collocated_POA_Bank_Account__get_owner(::Bank::Account& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Bank_Account__get_owner,
      &::Bank::Account::owner, _stub);
}

inline void call_collocated_POA_Bank_Account__set_owner(void* _skeleton, const char* _value) {
  static_cast<::POA_Bank::Account*>(_skeleton)->owner(_value);
}

void collocated_POA_Bank_Account__set_owner(::Bank::Account& _stub, const char* _value,
    corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Bank_Account__set_owner,
      &::Bank::Account::owner, _stub, _value);
}

inline ::Bank::Amount call_collocated_POA_Bank_Account__get_balance(void* _skeleton) {
  return static_cast<::POA_Bank::Account*>(_skeleton)->balance();
}

::Bank::Amount collocated_POA_Bank_Account__get_balance(::Bank::Account& _stub,
    corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Bank_Account__get_balance,
      &::Bank::Account::balance, _stub);
}

}  // namespace

corbel::core::CollocatedServant POA_Bank::Account::_corbel_collocated(const char* interface) {
  static const corbel::core::CollocatedFunction _functions[] = {
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Bank_Account__get_owner),
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Bank_Account__set_owner),
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Bank_Account__get_balance),
    nullptr,
    nullptr,
    nullptr,
  };
  if (corbel::cpp::same_id(interface, ::Bank::Account::_corbel_id)) return {this, _functions};
  return PortableServer::ServantBase::_corbel_collocated(interface);
}

void POA_Bank::Giro::_skel_set_limit(Giro& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  ::Bank::Amount limit{};
  if (!_in.get(limit)) corbel::cpp::bad_arguments();
  _servant.set_limit(limit);
  corbel::cdr::Encoder& _out = _call.results();
  _out.put<::Bank::Amount>(limit);
}

void POA_Bank::Giro::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 4:
      if (corbel::cpp::same_name(name, "move"))
        return ::POA_Bank::Account::_skel_move(*this, call);
      break;
    case 6:
      if (corbel::cpp::same_name(name, "remind"))
        return ::POA_Bank::Account::_skel_remind(*this, call);
      break;
    case 7:
      if (corbel::cpp::same_name(name, "between"))
        return ::POA_Bank::Account::_skel_between(*this, call);
      break;
    case 9:
      if (corbel::cpp::same_name(name, "set_limit"))
        return ::POA_Bank::Giro::_skel_set_limit(*this, call);
      break;
    case 10:
      switch (corbel::cpp::name_word(name, 8)) {
        case corbel::cpp::name_word("_get_own", 8):
          if (corbel::cpp::same_name(name, "_get_owner"))
            return ::POA_Bank::Account::_skel__get_owner(*this, call);
          break;
        case corbel::cpp::name_word("_set_own", 8):
          if (corbel::cpp::same_name(name, "_set_owner"))
            return ::POA_Bank::Account::_skel__set_owner(*this, call);
          break;
      }
      break;
    case 12:
      if (corbel::cpp::same_name(name, "_get_balance"))
        return ::POA_Bank::Account::_skel__get_balance(*this, call);
      break;
  }
  unknown_operation(call);
}

namespace {
inline void call_collocated_POA_Bank_Giro_set_limit(void* _skeleton, ::Bank::Amount& limit) {
  ::Bank::Amount _limit_out = limit;
  static_cast<::POA_Bank::Giro*>(_skeleton)->set_limit(_limit_out);
  limit = _limit_out;
}

void collocated_POA_Bank_Giro_set_limit(::Bank::Giro& _stub, ::Bank::Amount& limit,
    corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Bank_Giro_set_limit,
      &::Bank::Giro::set_limit, _stub, limit);
}

}  // namespace

corbel::core::CollocatedServant POA_Bank::Giro::_corbel_collocated(const char* interface) {
  static const corbel::core::CollocatedFunction _functions[] = {
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Bank_Giro_set_limit),
  };
  if (corbel::cpp::same_id(interface, ::Bank::Giro::_corbel_id)) return {this, _functions};
  if (const auto way = ::POA_Bank::Account::_corbel_collocated(interface); way.functions) return way;
  return PortableServer::ServantBase::_corbel_collocated(interface);
}

void POA_Bank::Desk::_skel_open(Desk& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  const char* owner;
  if (!_in.get_string_view(owner)) corbel::cpp::bad_arguments();
  CORBA::Boolean known{};
  corbel::cpp::ObjectVar<::Bank::Account> _result = _servant.open(owner, known);
  corbel::cdr::Encoder& _out = _call.results();
  corbel::cpp::put_object(_out, _result.in());
  _out.put_boolean(known);
}

void POA_Bank::Desk::_skel_close(Desk& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  corbel::cpp::ObjectVar<::Bank::Account> which;
  if (!corbel::cpp::get_reference(_in, which)) corbel::cpp::bad_arguments();
  _servant.close(which.inout());
  corbel::cdr::Encoder& _out = _call.results();
  corbel::cpp::put_object(_out, which.in());
}

void POA_Bank::Desk::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 4:
      if (corbel::cpp::same_name(name, "open"))
        return ::POA_Bank::Desk::_skel_open(*this, call);
      break;
    case 5:
      if (corbel::cpp::same_name(name, "close"))
        return ::POA_Bank::Desk::_skel_close(*this, call);
      break;
  }
  unknown_operation(call);
}

namespace {
inline ::Bank::Account_ptr call_collocated_POA_Bank_Desk_open(void* _skeleton, const char* owner,
    CORBA::Boolean_out known) {
  CORBA::Boolean _known_out{};
  corbel::cpp::ObjectVar<::Bank::Account> _result = corbel::cpp::received(static_cast<::POA_Bank::Desk*>(_skeleton)->open(owner,
      _known_out));
  known = _known_out;
  return _result._retn();
}

::Bank::Account_ptr collocated_POA_Bank_Desk_open(::Bank::Desk& _stub, const char* owner,
    CORBA::Boolean_out known, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Bank_Desk_open,
      &::Bank::Desk::open, _stub, owner, known);
}

}  // namespace

corbel::core::CollocatedServant POA_Bank::Desk::_corbel_collocated(const char* interface) {
  static const corbel::core::CollocatedFunction _functions[] = {
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Bank_Desk_open),
    nullptr,
  };
  if (corbel::cpp::same_id(interface, ::Bank::Desk::_corbel_id)) return {this, _functions};
  return PortableServer::ServantBase::_corbel_collocated(interface);
}
