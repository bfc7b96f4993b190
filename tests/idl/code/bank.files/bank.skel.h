// Made by corbel-idl from bank.idl; do not edit.
#pragma once

#include <corbel/poa.h>

#include "bank.stub.h"

namespace POA_Bank {

class Account : public virtual PortableServer::ServantBase {
 public:
  // Whose it is.
  virtual char* owner() = 0;
  virtual void owner(const char* _value) = 0;
  virtual ::Bank::Amount balance() = 0;
  // Gives the new balance.
  virtual ::Bank::Amount move(::Bank::Kind what, ::Bank::Amount cents, const char* remark) = 0;
  // What happened in [first, last].
  virtual ::Bank::Statement* between(CORBA::ULong first, CORBA::ULong last, ::Bank::Amounts_out sums) = 0;
  virtual void remind(const char* text) = 0;

  ::Bank::Account_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Account() = default;
  static void _skel__get_owner(Account& servant, corbel::cpp::Upcall& call);
  static void _skel__set_owner(Account& servant, corbel::cpp::Upcall& call);
  static void _skel__get_balance(Account& servant, corbel::cpp::Upcall& call);
  static void _skel_move(Account& servant, corbel::cpp::Upcall& call);
  static void _skel_between(Account& servant, corbel::cpp::Upcall& call);
  static void _skel_remind(Account& servant, corbel::cpp::Upcall& call);
};

class Giro : public virtual ::POA_Bank::Account {
 public:
  virtual void set_limit(::Bank::Amount& limit) = 0;

  ::Bank::Giro_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Giro() = default;
  static void _skel_set_limit(Giro& servant, corbel::cpp::Upcall& call);
};

class Desk : public virtual PortableServer::ServantBase {
 public:
  virtual ::Bank::Account_ptr open(const char* owner, CORBA::Boolean_out known) = 0;
  virtual void close(::Bank::Account_ptr& which) = 0;

  ::Bank::Desk_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Desk() = default;
  static void _skel_open(Desk& servant, corbel::cpp::Upcall& call);
  static void _skel_close(Desk& servant, corbel::cpp::Upcall& call);
};

}  // namespace POA_Bank
