// Made by corbel-idl from value.idl; do not edit.
#pragma once

#include <corbel/poa.h>

#include "value.stub.h"

namespace POA_Shop {

class Till : public virtual PortableServer::ServantBase {
 public:
  virtual ::Shop::Item* ring_up(::Shop::Item* what, ::Shop::Offer*& best) = 0;

  ::Shop::Till_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Till() = default;
  static void _skel_ring_up(Till& servant, corbel::cpp::Upcall& call);
};

}  // namespace POA_Shop
