// Made by corbel-idl from words.idl; do not edit.
#pragma once

#include <corbel/poa.h>

#include "wordsC.h"
#include "partS.h"

namespace POA__cxx_class {

class WORDS_API _cxx_explicit : public virtual ::POA_Part {
 public:
  virtual ::_cxx_class::_cxx_explicit::_cxx_mutable* _cxx_operator(::_cxx_class::_cxx_explicit::_cxx_new _cxx_register) = 0;

  ::_cxx_class::_cxx_explicit_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  _cxx_explicit() = default;
  static void _skel_operator(_cxx_explicit& servant, corbel::cpp::Upcall& call);
};

class WORDS_API _cxx_friend : public virtual ::POA__cxx_class::_cxx_explicit {
 public:
  ::_cxx_class::_cxx_friend_ptr _this();
  CORBA::Boolean _is_a(const char* repository_id) override;
  const char* _interface_repository_id() const override;
  void _dispatch(corbel::cpp::Upcall& call) override;
  corbel::core::CollocatedServant _corbel_collocated(const char* interface) override;

 protected:
  _cxx_friend() = default;
};

}  // namespace POA__cxx_class
