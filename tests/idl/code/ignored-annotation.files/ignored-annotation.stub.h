// Made by corbel-idl from ignored-annotation.idl; do not edit.
#pragma once

#include <corbel/corba.h>
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/wide.h>

// first
// Annotations that the C++ follows, and those that it cannot follow.
typedef CORBA::Short Eight;
typedef Eight& Eight_out;

typedef ::Eight Same;
typedef Same& Same_out;

enum Color : CORBA::ULong { red, green, blue };
typedef Color& Color_out;

typedef CORBA::ULong Flags;
typedef Flags& Flags_out;
constexpr Flags one = 1u << 0;
constexpr Flags two = 1u << 1;

// before
// it
struct Defaults {
  ::Same a = 8;
  ::Eight b = -3;
  ::Color c = ::green;
  ::Color d = ::red;
  corbel::cpp::StringMember e = "x\"y";
  CORBA::Boolean f = true;
  CORBA::Double g = 1.5;
  CORBA::Char h = 'q';
  corbel::cpp::Fixed<5, 2> i = CORBA::Fixed(25u, 0u, 1, false);
  corbel::cpp::WStringMember j = L"w";
  ::Flags k = 3;
  CORBA::ULongLong l = 18446744073709551615u;
  CORBA::Octet m = 1;
  typedef ::Color _n[2];
  _n n;
  CORBA::Long o;
};
typedef corbel::cpp::VariableVar<Defaults> Defaults_var;
typedef corbel::cpp::VariableOut<Defaults, Defaults_var> Defaults_out;
// behind it

namespace M {

// inside
constexpr CORBA::Long K = 1;

}  // namespace M

namespace corbel::cdr {

void marshal(Encoder& out, const ::Defaults& value);
bool unmarshal(Decoder& in, ::Defaults& value);

}  // namespace corbel::cdr
