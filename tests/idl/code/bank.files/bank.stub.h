// Made by corbel-idl from bank.idl; do not edit.
#pragma once

#include <corbel/corba.h>

// Money and who has it.
namespace Bank {

// In cents.
typedef CORBA::LongLong Amount;
typedef Amount& Amount_out;

// The largest amount that one transfer may move.
constexpr ::Bank::Amount kMost = 1000000;

// What
// happened.
enum Kind : CORBA::ULong { deposit, withdrawal, transfer };
typedef Kind& Kind_out;

// One line of a statement.
struct Entry {
  CORBA::ULong day;
  ::Bank::Kind what;
  // Negative where money left.
  ::Bank::Amount cents;
  corbel::cpp::StringMember remark;
};
typedef corbel::cpp::VariableVar<Entry> Entry_var;
typedef corbel::cpp::VariableOut<Entry, Entry_var> Entry_out;

class Statement : public corbel::cpp::UnboundedSequence<::Bank::Entry> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<Statement> Statement_var;
typedef corbel::cpp::VariableOut<Statement, Statement_var> Statement_out;

class Amounts : public corbel::cpp::UnboundedSequence<::Bank::Amount> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<Amounts> Amounts_var;
typedef corbel::cpp::VariableOut<Amounts, Amounts_var> Amounts_out;

// The account holds less than that.
class TooLittle : public CORBA::UserException {
 public:
  static constexpr const char* _corbel_id = "IDL:example.com/Bank/TooLittle:1.0";
  ::Bank::Amount missing;
  TooLittle() = default;
  explicit TooLittle(::Bank::Amount missing_) : missing(missing_) {}
  static const TooLittle* _downcast(const CORBA::Exception* exception);
  static TooLittle* _downcast(CORBA::Exception* exception) {
    return const_cast<TooLittle*>(_downcast(static_cast<const CORBA::Exception*>(exception)));
  }
  static TooLittle* _narrow(CORBA::Exception* exception) { return _downcast(exception); }
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const override { return "TooLittle"; }
  const char* _rep_id() const override { return _corbel_id; }
  CORBA::Exception* _corbel_duplicate() const override { return new TooLittle(*this); }
  void _marshal_members(corbel::cdr::Encoder& out) const override;
};

class Account;
typedef Account* Account_ptr;
typedef corbel::cpp::ObjectVar<Account> Account_var;
typedef corbel::cpp::ObjectOut<Account> Account_out;
class Account : public virtual CORBA::Object {
 public:
  typedef Account_ptr _ptr_type;
  typedef Account_var _var_type;
  static constexpr const char* _corbel_id = "IDL:example.com/Bank/Account:1.0";
  static Account_ptr _duplicate(Account_ptr object) { return corbel::cpp::duplicate(object); }
  static Account_ptr _narrow(CORBA::Object_ptr object);
  static Account_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Account_ptr _nil() { return nullptr; }

  // Whose it is.
  char* owner();
  void owner(const char* _value);
  ::Bank::Amount balance();
  // Gives the new balance.
  ::Bank::Amount move(::Bank::Kind what, ::Bank::Amount cents, const char* remark);
  // What happened in [first, last].
  ::Bank::Statement* between(CORBA::ULong first, CORBA::ULong last, ::Bank::Amounts_out sums);
  void remind(const char* text);

  explicit Account(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Account() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

// An account that may be overdrawn.
class Giro;
typedef Giro* Giro_ptr;
typedef corbel::cpp::ObjectVar<Giro> Giro_var;
typedef corbel::cpp::ObjectOut<Giro> Giro_out;
class Giro : public virtual ::Bank::Account {
 public:
  typedef Giro_ptr _ptr_type;
  typedef Giro_var _var_type;
  static constexpr const char* _corbel_id = "IDL:example.com/Bank/Giro:1.0";
  static Giro_ptr _duplicate(Giro_ptr object) { return corbel::cpp::duplicate(object); }
  static Giro_ptr _narrow(CORBA::Object_ptr object);
  static Giro_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Giro_ptr _nil() { return nullptr; }

  void set_limit(::Bank::Amount& limit);
  char* owner() { return corbel::cpp::not_nil(this)->::Bank::Account::owner(); }
  void owner(const char* _value) { return corbel::cpp::not_nil(this)->::Bank::Account::owner(_value); }
  ::Bank::Amount balance() { return corbel::cpp::not_nil(this)->::Bank::Account::balance(); }
  ::Bank::Amount move(::Bank::Kind what, ::Bank::Amount cents, const char* remark) {
    return corbel::cpp::not_nil(this)->::Bank::Account::move(what, cents, remark);
  }
  ::Bank::Statement* between(CORBA::ULong first, CORBA::ULong last, ::Bank::Amounts_out sums) {
    return corbel::cpp::not_nil(this)->::Bank::Account::between(first, last, sums);
  }
  void remind(const char* text) { return corbel::cpp::not_nil(this)->::Bank::Account::remind(text); }

  explicit Giro(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Giro() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

class Desk;
typedef Desk* Desk_ptr;
typedef corbel::cpp::ObjectVar<Desk> Desk_var;
typedef corbel::cpp::ObjectOut<Desk> Desk_out;
class Desk : public virtual CORBA::Object {
 public:
  typedef Desk_ptr _ptr_type;
  typedef Desk_var _var_type;
  static constexpr const char* _corbel_id = "IDL:example.com/Bank/Desk:1.0";
  static Desk_ptr _duplicate(Desk_ptr object) { return corbel::cpp::duplicate(object); }
  static Desk_ptr _narrow(CORBA::Object_ptr object);
  static Desk_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Desk_ptr _nil() { return nullptr; }

  ::Bank::Account_ptr open(const char* owner, CORBA::Boolean_out known);
  void close(::Bank::Account_ptr& which);

  explicit Desk(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Desk() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

}  // namespace Bank

namespace corbel::cdr {

void marshal(Encoder& out, const ::Bank::Entry& value);
bool unmarshal(Decoder& in, ::Bank::Entry& value);
void marshal(Encoder& out, const ::Bank::Statement& value);
bool unmarshal(Decoder& in, ::Bank::Statement& value);
void marshal(Encoder& out, const ::Bank::Amounts& value);
bool unmarshal(Decoder& in, ::Bank::Amounts& value);
void marshal(Encoder& out, const ::Bank::TooLittle& value);
bool unmarshal(Decoder& in, ::Bank::TooLittle& value);

}  // namespace corbel::cdr
