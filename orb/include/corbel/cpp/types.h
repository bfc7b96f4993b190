// Basic types of the classic C++ mapping (OMG C++ mapping 1.3, "Mapping for Basic Data Types").
#pragma once

#include <cstdint>

namespace CORBA {

typedef bool Boolean;
typedef unsigned char Octet;
typedef char Char;
typedef std::int16_t Short;
typedef std::uint16_t UShort;
typedef std::int32_t Long;
typedef std::uint32_t ULong;
typedef std::int64_t LongLong;
typedef std::uint64_t ULongLong;
typedef float Float;
typedef double Double;
typedef wchar_t WChar;
typedef long double LongDouble;
typedef std::int8_t Int8;  // IDL 4
typedef std::uint8_t UInt8;

// Defined by <corbel/cpp/any.h>.
class Any;
class TypeCode;
typedef TypeCode* TypeCode_ptr;

typedef Boolean& Boolean_out;
typedef Octet& Octet_out;
typedef Char& Char_out;
typedef Short& Short_out;
typedef UShort& UShort_out;
typedef Long& Long_out;
typedef ULong& ULong_out;
typedef LongLong& LongLong_out;
typedef ULongLong& ULongLong_out;
typedef Float& Float_out;
typedef Double& Double_out;
typedef Int8& Int8_out;
typedef UInt8& UInt8_out;

}  // namespace CORBA

namespace corbel::cdr {
class Decoder;
class Encoder;
}  // namespace corbel::cdr

namespace corbel::core {
class Reference;
}  // namespace corbel::core

namespace corbel::cpp {

// What is done with counted objects of class T, which must be complete where a member is instantiated. Stubs
// of T instantiate all; who only declares T leaves that to them.
template <typename T>
struct ObjectTraits {
  static T* duplicate(T* object);
  static void drop(T* object);
  static void put(cdr::Encoder& out, T* object);
  static bool get(cdr::Decoder& in, T*& result);
  // A proxy that takes over a count of the reference; null for null.
  static T* make(core::Reference* reference);
};

template <typename T>
T* ObjectTraits<T>::duplicate(T* object) {
  if (object) object->_corbel_add_ref();
  return object;
}

template <typename T>
void ObjectTraits<T>::drop(T* object) {
  if (object) object->_corbel_remove_ref();
}

// Adds a count; null is allowed.
template <typename T>
T* duplicate(T* object) {
  return ObjectTraits<T>::duplicate(object);
}

// Removes a count; null is allowed.
template <typename T>
void drop(T* object) {
  ObjectTraits<T>::drop(object);
}

}  // namespace corbel::cpp
