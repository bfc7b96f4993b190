// Made by corbel-idl from shapes.idl; do not edit.
#pragma once

#include <corbel/poa.h>

#include "shapes.stub.h"

class POA_Scope : public virtual PortableServer::ServantBase {
 public:
  virtual ::Sample measure(const ::Sample& last, const ::Point& where) = 0;
  virtual void show(const ::Image& pixels) = 0;
  virtual ::Row_slice* swap(const ::Row a, ::Shape& b) = 0;

  ::Scope_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  POA_Scope() = default;
  static void _skel_measure(POA_Scope& servant, corbel::cpp::Upcall& call);
  static void _skel_show(POA_Scope& servant, corbel::cpp::Upcall& call);
  static void _skel_swap(POA_Scope& servant, corbel::cpp::Upcall& call);
};
