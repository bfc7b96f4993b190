// Made by corbel-idl from hybrid.idl; do not edit.
#pragma once

#include <corbel/poa.h>

#include "hybrid.stub.h"

namespace POA_Hybrid {

class Calls : public virtual PortableServer::ServantBase {
 public:
  virtual void ping() = 0;
  virtual ::Hybrid::Named* look(const char* name,
      const corbel::cpp::UnboundedSequence<CORBA::Long>& numbers) = 0;

  ::Hybrid::Calls_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Calls() = default;
  static void _skel_ping(Calls& servant, corbel::cpp::Upcall& call);
  static void _skel_look(Calls& servant, corbel::cpp::Upcall& call);
};

}  // namespace POA_Hybrid
