// Made by corbel-idl from dispatch.idl; do not edit.
#pragma once

#include <corbel/poa.h>

#include "dispatch.stub.h"

namespace POA_Ways {

class Base : public virtual PortableServer::ServantBase {
 public:
  virtual void reset() = 0;
  virtual CORBA::Long level() = 0;

  ::Ways::Base_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Base() = default;
  static void _skel_reset(Base& servant, corbel::cpp::Upcall& call);
  static void _skel__get_level(Base& servant, corbel::cpp::Upcall& call);
};

class Active : public virtual ::POA_Ways::Base {
 public:
  virtual void start() = 0;
  virtual void store() = 0;

  ::Ways::Active_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Active() = default;
  static void _skel_start(Active& servant, corbel::cpp::Upcall& call);
  static void _skel_store(Active& servant, corbel::cpp::Upcall& call);
};

class Binary : public virtual ::POA_Ways::Base {
 public:
  virtual void start() = 0;
  virtual void store() = 0;

  ::Ways::Binary_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Binary() = default;
  static void _skel_start(Binary& servant, corbel::cpp::Upcall& call);
  static void _skel_store(Binary& servant, corbel::cpp::Upcall& call);
};

class Hash : public virtual ::POA_Ways::Base {
 public:
  virtual void start() = 0;
  virtual void store() = 0;

  ::Ways::Hash_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Hash() = default;
  static void _skel_start(Hash& servant, corbel::cpp::Upcall& call);
  static void _skel_store(Hash& servant, corbel::cpp::Upcall& call);
};

class Linear : public virtual ::POA_Ways::Base {
 public:
  virtual void start() = 0;
  virtual void store() = 0;

  ::Ways::Linear_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Linear() = default;
  static void _skel_start(Linear& servant, corbel::cpp::Upcall& call);
  static void _skel_store(Linear& servant, corbel::cpp::Upcall& call);
};

class Perfect : public virtual ::POA_Ways::Base {
 public:
  virtual void start() = 0;
  virtual void store() = 0;

  ::Ways::Perfect_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  Perfect() = default;
  static void _skel_start(Perfect& servant, corbel::cpp::Upcall& call);
  static void _skel_store(Perfect& servant, corbel::cpp::Upcall& call);
};

}  // namespace POA_Ways

class POA_Words : public virtual PortableServer::ServantBase {
 public:
  virtual void start_one() = 0;
  virtual void start_two() = 0;
  virtual void stop_one() = 0;

  ::Words_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  POA_Words() = default;
  static void _skel_start_one(POA_Words& servant, corbel::cpp::Upcall& call);
  static void _skel_start_two(POA_Words& servant, corbel::cpp::Upcall& call);
  static void _skel_stop_one(POA_Words& servant, corbel::cpp::Upcall& call);
};
