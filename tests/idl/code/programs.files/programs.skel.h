// Made by corbel-idl from programs.idl; do not edit.
#pragma once

#include <corbel/poa.h>

#include "programs.stub.h"

namespace POA_Programs {

class Described : public virtual PortableServer::ServantBase {
 public:
  virtual char* describe() = 0;

  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Described() = default;
  static void _skel_describe(Described& servant, corbel::cpp::Upcall& call);
};

class Calls : public virtual PortableServer::ServantBase {
 public:
  virtual void ping() = 0;
  virtual CORBA::Long add(CORBA::Long a, CORBA::Long& b) = 0;
  virtual char* text(const char* a, CORBA::String_out b) = 0;
  virtual ::Programs::Samples* all(const ::Programs::Samples& some, const ::Programs::Named& one) = 0;
  virtual ::Programs::Either* choose(const ::Programs::Either& one, const ::Programs::Tree& a_tree) = 0;
  virtual void note(CORBA::Long number) = 0;
  virtual CORBA::Any* pass(const CORBA::Any& a, ::Programs::Node*& b, ::Programs::Described_out c) = 0;
  virtual ::Programs::Holders* keep(const ::Programs::Holder& a, const ::Programs::Content& b,
      ::Programs::Label* c, CORBA::TypeCode_ptr d) = 0;
  virtual void told(CORBA::Long a, CORBA::Context_ptr _ctx) = 0;
  virtual void remark(const CORBA::Any& what) = 0;

  ::Programs::Calls_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Calls() = default;
  static void _skel_ping(Calls& servant, corbel::cpp::Upcall& call);
  static void _skel_add(Calls& servant, corbel::cpp::Upcall& call);
  static void _skel_text(Calls& servant, corbel::cpp::Upcall& call);
  static void _skel_all(Calls& servant, corbel::cpp::Upcall& call);
  static void _skel_choose(Calls& servant, corbel::cpp::Upcall& call);
  static void _skel_note(Calls& servant, corbel::cpp::Upcall& call);
  static void _skel_pass(Calls& servant, corbel::cpp::Upcall& call);
  static void _skel_keep(Calls& servant, corbel::cpp::Upcall& call);
  static void _skel_told(Calls& servant, corbel::cpp::Upcall& call);
  static void _skel_remark(Calls& servant, corbel::cpp::Upcall& call);
};

}  // namespace POA_Programs
