// Made by corbel-idl from words.idl; do not edit.
#pragma once

#include <corbel/corba.h>
#include "partC.h"

namespace _cxx_class {

constexpr const char* _cxx_delete = "words \"quoted\"";

constexpr CORBA::Char kFirst = '\'';

constexpr CORBA::LongLong kLeast = -9223372036854775807 - 1;

class _cxx_friend;
typedef _cxx_friend* _cxx_friend_ptr;
typedef corbel::cpp::ObjectVar<_cxx_friend> _cxx_friend_var;
typedef corbel::cpp::ObjectOut<_cxx_friend> _cxx_friend_out;

class _cxx_explicit;
typedef _cxx_explicit* _cxx_explicit_ptr;
typedef corbel::cpp::ObjectVar<_cxx_explicit> _cxx_explicit_var;
typedef corbel::cpp::ObjectOut<_cxx_explicit> _cxx_explicit_out;
class WORDS_API _cxx_explicit : public virtual ::Part {
 public:
  typedef _cxx_explicit_ptr _ptr_type;
  typedef _cxx_explicit_var _var_type;
  static constexpr const char* _corbel_id = "IDL:class/explicit:1.0";
  static _cxx_explicit_ptr _duplicate(_cxx_explicit_ptr object) { return corbel::cpp::duplicate(object); }
  static _cxx_explicit_ptr _narrow(CORBA::Object_ptr object);
  static _cxx_explicit_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static _cxx_explicit_ptr _nil() { return nullptr; }

  class WORDS_API _cxx_mutable : public corbel::cpp::UnboundedObjectSequence<::_cxx_class::_cxx_friend> {
   public:
    using UnboundedObjectSequence::UnboundedObjectSequence;
  };
  typedef corbel::cpp::SequenceVar<_cxx_mutable> _cxx_mutable_var;
  typedef corbel::cpp::VariableOut<_cxx_mutable, _cxx_mutable_var> _cxx_mutable_out;
  static const CORBA::TypeCode_ptr _tc_mutable;
  enum _cxx_new : CORBA::ULong { true_, false_ };
  typedef _cxx_new& _cxx_new_out;
  static const CORBA::TypeCode_ptr _tc_new;
  static constexpr ::_cxx_class::_cxx_explicit::_cxx_new kDefault = ::_cxx_class::_cxx_explicit::false_;
  ::_cxx_class::_cxx_explicit::_cxx_mutable* _cxx_operator(::_cxx_class::_cxx_explicit::_cxx_new _cxx_register);
  char* name() { return corbel::cpp::not_nil(this)->::Part::name(); }

  explicit _cxx_explicit(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  _cxx_explicit() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

class WORDS_API _cxx_friend : public virtual ::_cxx_class::_cxx_explicit {
 public:
  typedef _cxx_friend_ptr _ptr_type;
  typedef _cxx_friend_var _var_type;
  static constexpr const char* _corbel_id = "IDL:class/friend:1.0";
  static _cxx_friend_ptr _duplicate(_cxx_friend_ptr object) { return corbel::cpp::duplicate(object); }
  static _cxx_friend_ptr _narrow(CORBA::Object_ptr object);
  static _cxx_friend_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static _cxx_friend_ptr _nil() { return nullptr; }

  char* name() { return corbel::cpp::not_nil(this)->::Part::name(); }
  ::_cxx_class::_cxx_explicit::_cxx_mutable* _cxx_operator(::_cxx_class::_cxx_explicit::_cxx_new _cxx_register) {
    return corbel::cpp::not_nil(this)->::_cxx_class::_cxx_explicit::_cxx_operator(_cxx_register);
  }

  explicit _cxx_friend(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  _cxx_friend() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

struct WORDS_API _cxx_this {
  struct WORDS_API Inner {
    typedef corbel::cpp::UnboundedSequence<::_cxx_class::_cxx_this> _throw_seq;
    _throw_seq _cxx_throw;
  };
  typedef corbel::cpp::VariableVar<Inner> Inner_var;
  typedef corbel::cpp::VariableOut<Inner, Inner_var> Inner_out;
  static const CORBA::TypeCode_ptr _tc_Inner;
  corbel::cpp::StringMember _cxx_catch;
  ::_cxx_class::_cxx_this::Inner inside;
};
typedef corbel::cpp::VariableVar<_cxx_this> _cxx_this_var;
typedef corbel::cpp::VariableOut<_cxx_this, _cxx_this_var> _cxx_this_out;

}  // namespace _cxx_class

namespace corbel::cdr {

void marshal(Encoder& out, const ::_cxx_class::_cxx_explicit::_cxx_mutable& value);
bool unmarshal(Decoder& in, ::_cxx_class::_cxx_explicit::_cxx_mutable& value);
void marshal(Encoder& out, const ::_cxx_class::_cxx_this::Inner& value);
bool unmarshal(Decoder& in, ::_cxx_class::_cxx_this::Inner& value);
void marshal(Encoder& out, const ::_cxx_class::_cxx_this& value);
bool unmarshal(Decoder& in, ::_cxx_class::_cxx_this& value);

}  // namespace corbel::cdr
