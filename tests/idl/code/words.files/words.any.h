// Made by corbel-idl from words.idl; do not edit.
#pragma once

#include <corbel/cpp/any.h>

#include "wordsC.h"
#include "part.any.h"

namespace corbel::tc::_cxx_class::_cxx_explicit {

WORDS_API extern CORBA::TypeCode _tc_mutable;
WORDS_API extern CORBA::TypeCode _tc_new;

}  // namespace corbel::tc::_cxx_class::_cxx_explicit

namespace corbel::tc::_cxx_class {

WORDS_API extern CORBA::TypeCode _tc_explicit;
WORDS_API extern CORBA::TypeCode _tc_friend;

}  // namespace corbel::tc::_cxx_class

namespace corbel::tc::_cxx_class::_cxx_this {

WORDS_API extern CORBA::TypeCode _tc_Inner;

}  // namespace corbel::tc::_cxx_class::_cxx_this

namespace corbel::tc::_cxx_class {

WORDS_API extern CORBA::TypeCode _tc_this;

}  // namespace corbel::tc::_cxx_class

namespace _cxx_class {

WORDS_API void operator<<=(CORBA::Any& any, const ::_cxx_class::_cxx_explicit::_cxx_mutable& value);
WORDS_API void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_explicit::_cxx_mutable* adopted);
WORDS_API CORBA::Boolean operator>>=(const CORBA::Any& any,
    const ::_cxx_class::_cxx_explicit::_cxx_mutable*& value);
WORDS_API CORBA::Boolean operator>>=(const CORBA::Any& any,
    ::_cxx_class::_cxx_explicit::_cxx_mutable*& value);
WORDS_API void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_explicit::_cxx_new value);
WORDS_API CORBA::Boolean operator>>=(const CORBA::Any& any, ::_cxx_class::_cxx_explicit::_cxx_new& value);
WORDS_API extern const CORBA::TypeCode_ptr _tc_explicit;
WORDS_API void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_explicit_ptr value);
WORDS_API void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_explicit_ptr* adopted);
WORDS_API CORBA::Boolean operator>>=(const CORBA::Any& any, ::_cxx_class::_cxx_explicit_ptr& value);
WORDS_API extern const CORBA::TypeCode_ptr _tc_friend;
WORDS_API void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_friend_ptr value);
WORDS_API void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_friend_ptr* adopted);
WORDS_API CORBA::Boolean operator>>=(const CORBA::Any& any, ::_cxx_class::_cxx_friend_ptr& value);
WORDS_API void operator<<=(CORBA::Any& any, const ::_cxx_class::_cxx_this::Inner& value);
WORDS_API void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_this::Inner* adopted);
WORDS_API CORBA::Boolean operator>>=(const CORBA::Any& any, const ::_cxx_class::_cxx_this::Inner*& value);
WORDS_API CORBA::Boolean operator>>=(const CORBA::Any& any, ::_cxx_class::_cxx_this::Inner*& value);
WORDS_API extern const CORBA::TypeCode_ptr _tc_this;
WORDS_API void operator<<=(CORBA::Any& any, const ::_cxx_class::_cxx_this& value);
WORDS_API void operator<<=(CORBA::Any& any, ::_cxx_class::_cxx_this* adopted);
WORDS_API CORBA::Boolean operator>>=(const CORBA::Any& any, const ::_cxx_class::_cxx_this*& value);
WORDS_API CORBA::Boolean operator>>=(const CORBA::Any& any, ::_cxx_class::_cxx_this*& value);

}  // namespace _cxx_class
