// Made by corbel-idl from modern.idl; do not edit.
#pragma once

#include <corbel/poa.h>
#include <corbel/cpp/tie.h>

#include "modern.stub.h"

namespace POA_Plant {

class Pump : public virtual PortableServer::ServantBase {
 public:
  virtual CORBA::Any* setting() = 0;
  virtual void setting(const CORBA::Any& _value) = 0;
  virtual ::Plant::Rights allow(const char* who, ::Plant::Switches& all, CORBA::Context_ptr _ctx) = 0;
  virtual CORBA::TypeCode_ptr kind() = 0;

  ::Plant::Pump_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Pump() = default;
  static void _skel__get_setting(Pump& servant, corbel::cpp::Upcall& call);
  static void _skel__set_setting(Pump& servant, corbel::cpp::Upcall& call);
  static void _skel_allow(Pump& servant, corbel::cpp::Upcall& call);
  static void _skel_kind(Pump& servant, corbel::cpp::Upcall& call);
};

template <typename _corbel_t>
class Pump_tie : public corbel::cpp::Tie<Pump, _corbel_t> {
 public:
  using corbel::cpp::Tie<Pump, _corbel_t>::Tie;
  CORBA::Any* setting() override { return this->_tied_object()->setting(); }
  void setting(const CORBA::Any& _value) override { return this->_tied_object()->setting(_value); }
  ::Plant::Rights allow(const char* who, ::Plant::Switches& all, CORBA::Context_ptr _ctx) override {
    return this->_tied_object()->allow(who, all, _ctx);
  }
  CORBA::TypeCode_ptr kind() override { return this->_tied_object()->kind(); }
};

}  // namespace POA_Plant
