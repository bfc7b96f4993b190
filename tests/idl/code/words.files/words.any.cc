// Made by corbel-idl from words.idl; do not edit.
#include "words.any.h"

namespace corbel::tc::_cxx_class::_cxx_explicit {

static CORBA::TypeCode _type_1{corbel::types::Kind::Sequence, "", "", &::corbel::tc::_cxx_class::_tc_friend,
    nullptr, 0, 0};
CORBA::TypeCode _tc_mutable{corbel::types::Kind::Alias, "IDL:class/explicit/mutable:1.0", "mutable",
    &_type_1, nullptr, 0};
static const corbel::types::Member _members_new[] = {
  {"true_", nullptr, 0, 0},
  {"false_", nullptr, 0, 0},
};
CORBA::TypeCode _tc_new{corbel::types::Kind::Enum, "IDL:class/explicit/new:1.0", "new", nullptr,
    _members_new, 2};

}  // namespace corbel::tc::_cxx_class::_cxx_explicit

namespace corbel::tc::_cxx_class {

CORBA::TypeCode _tc_explicit{corbel::types::Kind::ObjRef, "IDL:class/explicit:1.0", "explicit", nullptr,
    nullptr, 0};
CORBA::TypeCode _tc_friend{corbel::types::Kind::ObjRef, "IDL:class/friend:1.0", "friend", nullptr, nullptr,
    0};

}  // namespace corbel::tc::_cxx_class

namespace corbel::tc::_cxx_class::_cxx_this {

static CORBA::TypeCode _type_2{corbel::types::Kind::Sequence, "", "", &::corbel::tc::_cxx_class::_tc_this,
    nullptr, 0, 0};
static const corbel::types::Member _members_Inner[] = {
  {"throw", &_type_2, 0, 0},
};
CORBA::TypeCode _tc_Inner{corbel::types::Kind::Struct, "IDL:class/this/Inner:1.0", "Inner", nullptr,
    _members_Inner, 1};

}  // namespace corbel::tc::_cxx_class::_cxx_this

namespace corbel::tc::_cxx_class {

static const corbel::types::Member _members_this[] = {
  {"catch", &corbel::tc::_tc_string, 0, 0},
  {"inside", &::corbel::tc::_cxx_class::_cxx_this::_tc_Inner, 0, 0},
};
CORBA::TypeCode _tc_this{corbel::types::Kind::Struct, "IDL:class/this:1.0", "this", nullptr, _members_this,
    2};

}  // namespace corbel::tc::_cxx_class

namespace _cxx_class {

const CORBA::TypeCode_ptr _cxx_explicit::_tc_mutable = &::corbel::tc::_cxx_class::_cxx_explicit::_tc_mutable;
void operator<<=(CORBA::Any& any, const ::_cxx_class::_cxx_explicit::_cxx_mutable& value) {
  corbel::cpp::insert(any, ::corbel::tc::_cxx_class::_cxx_explicit::_tc_mutable, value);
}
void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_explicit::_cxx_mutable* adopted) {
  corbel::cpp::insert_adopted(any, ::corbel::tc::_cxx_class::_cxx_explicit::_tc_mutable, adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::_cxx_class::_cxx_explicit::_cxx_mutable*& value) {
  return corbel::cpp::extract(any, ::corbel::tc::_cxx_class::_cxx_explicit::_tc_mutable, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::_cxx_class::_cxx_explicit::_cxx_mutable*& value) {
  return any >>= const_cast<const ::_cxx_class::_cxx_explicit::_cxx_mutable*&>(value);
}
const CORBA::TypeCode_ptr _cxx_explicit::_tc_new = &::corbel::tc::_cxx_class::_cxx_explicit::_tc_new;
void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_explicit::_cxx_new value) {
  corbel::cpp::insert_enum(any, ::corbel::tc::_cxx_class::_cxx_explicit::_tc_new, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::_cxx_class::_cxx_explicit::_cxx_new& value) {
  return corbel::cpp::extract_enum(any, ::corbel::tc::_cxx_class::_cxx_explicit::_tc_new, value);
}
const CORBA::TypeCode_ptr _tc_explicit = &::corbel::tc::_cxx_class::_tc_explicit;
void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_explicit_ptr value) {
  corbel::cpp::insert_reference(any, ::corbel::tc::_cxx_class::_tc_explicit,
      ::_cxx_class::_cxx_explicit::_duplicate(value));
}
void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_explicit_ptr* adopted) {
  corbel::cpp::insert_reference(any, ::corbel::tc::_cxx_class::_tc_explicit, *adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::_cxx_class::_cxx_explicit_ptr& value) {
  return corbel::cpp::extract_reference(any, ::corbel::tc::_cxx_class::_tc_explicit, value);
}
const CORBA::TypeCode_ptr _tc_friend = &::corbel::tc::_cxx_class::_tc_friend;
void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_friend_ptr value) {
  corbel::cpp::insert_reference(any, ::corbel::tc::_cxx_class::_tc_friend,
      ::_cxx_class::_cxx_friend::_duplicate(value));
}
void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_friend_ptr* adopted) {
  corbel::cpp::insert_reference(any, ::corbel::tc::_cxx_class::_tc_friend, *adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::_cxx_class::_cxx_friend_ptr& value) {
  return corbel::cpp::extract_reference(any, ::corbel::tc::_cxx_class::_tc_friend, value);
}
const CORBA::TypeCode_ptr _cxx_this::_tc_Inner = &::corbel::tc::_cxx_class::_cxx_this::_tc_Inner;
void operator<<=(CORBA::Any& any, const ::_cxx_class::_cxx_this::Inner& value) {
  corbel::cpp::insert(any, ::corbel::tc::_cxx_class::_cxx_this::_tc_Inner, value);
}
void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_this::Inner* adopted) {
  corbel::cpp::insert_adopted(any, ::corbel::tc::_cxx_class::_cxx_this::_tc_Inner, adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::_cxx_class::_cxx_this::Inner*& value) {
  return corbel::cpp::extract(any, ::corbel::tc::_cxx_class::_cxx_this::_tc_Inner, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::_cxx_class::_cxx_this::Inner*& value) {
  return any >>= const_cast<const ::_cxx_class::_cxx_this::Inner*&>(value);
}
const CORBA::TypeCode_ptr _tc_this = &::corbel::tc::_cxx_class::_tc_this;
void operator<<=(CORBA::Any& any, const ::_cxx_class::_cxx_this& value) {
  corbel::cpp::insert(any, ::corbel::tc::_cxx_class::_tc_this, value);
}
void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_this* adopted) {
  corbel::cpp::insert_adopted(any, ::corbel::tc::_cxx_class::_tc_this, adopted);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, const ::_cxx_class::_cxx_this*& value) {
  return corbel::cpp::extract(any, ::corbel::tc::_cxx_class::_tc_this, value);
}
CORBA::Boolean operator>>=(const CORBA::Any& any, ::_cxx_class::_cxx_this*& value) {
  return any >>= const_cast<const ::_cxx_class::_cxx_this*&>(value);
}

}  // namespace _cxx_class
