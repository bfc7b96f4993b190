// Valuetypes (CORBA 3.4 part 1, "Value Type Semantics"; part 2, "Value Types"; OMG C++ mapping 1.3, "Mapping
// for Valuetypes"). Included by generated code that has some.
//
// Values are counted and passed by pointer; null is a value. A value belongs to one thread at a time, its
// count may be changed by several. Within the arguments or the results of one call, and within one Any, a
// value that is referred to several times arrives once, cycles included.
#pragma once

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#include <corbel/cpp/object.h>
#include <corbel/cpp/orb.h>
#include <corbel/cpp/string.h>
#include <corbel/cpp/types.h>
#include <corbel/cpp/value_scope.h>

namespace corbel::cpp {

// What the wire says of a value's type. Constant, one for each generated class.
struct ValueType {
  const char* id;
  const ValueType* truncatable_to;  // the base that a receiver may make do with, or null
  bool custom;
  const ValueType* base = nullptr;  // the concrete one, where it is not truncatable_to
};

// Owns a count of a value, or holds null. Adopts a pointer.
template <typename V>
using ValueVar = ObjectVar<V>;
template <typename V>
using ValueMember = ObjectVar<V>;
template <typename V>
using ValueOut = ObjectOut<V>;

}  // namespace corbel::cpp

namespace CORBA {

class AbstractBase;
class Any;
class AnySeq;
class BooleanSeq;
class CharSeq;
class DoubleSeq;
class FloatSeq;
class LongLongSeq;
class LongSeq;
class OctetSeq;
class ShortSeq;
class TypeCode;
class ULongLongSeq;
class ULongSeq;
class UShortSeq;
class WCharSeq;

class ValueBase;
typedef corbel::cpp::ValueVar<ValueBase> ValueBase_var;
typedef corbel::cpp::ValueOut<ValueBase> ValueBase_out;

// Base of all.
class [[gnu::visibility("default")]] ValueBase {
 public:
  typedef ValueBase* _ptr_type;
  typedef ValueBase_var _var_type;
  virtual void _add_ref() = 0;
  virtual void _remove_ref() = 0;
  virtual ULong _refcount_value() = 0;
  // A deep copy that belongs to the caller, within which values are shared as they are here. Those of classes
  // that the application has written are made by their factories, if they do not override this.
  virtual ValueBase* _copy_value();
  static ValueBase* _downcast(ValueBase* value) { return value; }

  // ---- for the ORB and generated code
  virtual const corbel::cpp::ValueType& _corbel_type() const = 0;
  virtual void _corbel_put_state(corbel::cdr::Encoder& out) const = 0;
  // False if malformed.
  virtual bool _corbel_get_state(corbel::cdr::Decoder& in) = 0;
  // An empty one of the same class, null if only the application can make it.
  virtual ValueBase* _corbel_new() const { return nullptr; }
  // Lets go of the values inside, so that those in a circle are freed.
  virtual void _corbel_clear() {}
  static ValueBase* _duplicate(ValueBase* value) {
    if (value) value->_add_ref();
    return value;
  }
  void _corbel_add_ref() { _add_ref(); }
  void _corbel_remove_ref() { _remove_ref(); }

 protected:
  ValueBase() = default;
  ValueBase(const ValueBase&) = default;
  ValueBase& operator=(const ValueBase&) = delete;
  virtual ~ValueBase() = default;
};

inline void add_ref(ValueBase* value) {
  if (value) value->_add_ref();
}
inline void remove_ref(ValueBase* value) {
  if (value) value->_remove_ref();
}

// Counting for classes of values; mixed in by the application. A copy begins at 1. However many values each
// hold the last count of the next one, to destroy them takes little of the stack.
class [[gnu::visibility("default")]] DefaultValueRefCountBase : public virtual ValueBase {
 public:
  void _add_ref() override { __atomic_add_fetch(&count_, 1, __ATOMIC_RELAXED); }
  void _remove_ref() override {
    if (__atomic_sub_fetch(&count_, 1, __ATOMIC_ACQ_REL) == 0) destroy(this);
  }
  ULong _refcount_value() override { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }

 protected:
  DefaultValueRefCountBase() = default;
  DefaultValueRefCountBase(const DefaultValueRefCountBase&) : ValueBase() {}
  ~DefaultValueRefCountBase() override = default;

 private:
  static void destroy(DefaultValueRefCountBase* value);
  ULong count_ = 1;
};

// Makes values of one type for the ORB; registered by repository id.
class [[gnu::visibility("default")]] ValueFactoryBase {
 public:
  virtual void _add_ref() { __atomic_add_fetch(&count_, 1, __ATOMIC_RELAXED); }
  virtual void _remove_ref() {
    if (__atomic_sub_fetch(&count_, 1, __ATOMIC_ACQ_REL) == 0) delete this;
  }
  static ValueFactoryBase* _downcast(ValueFactoryBase* factory) { return factory; }
  static ValueFactoryBase* _duplicate(ValueFactoryBase* factory) {
    if (factory) factory->_add_ref();
    return factory;
  }
  void _corbel_remove_ref() { _remove_ref(); }
  // A value whose state is going to be read. It belongs to the caller.
  ValueBase* _corbel_create() { return create_for_unmarshal(); }

 protected:
  ValueFactoryBase() = default;
  virtual ~ValueFactoryBase() = default;
  virtual ValueBase* create_for_unmarshal() = 0;

 private:
  ULong count_ = 1;
};
typedef ValueFactoryBase* ValueFactory;
typedef corbel::cpp::ObjectVar<ValueFactoryBase> ValueFactoryBase_var;
typedef ValueFactoryBase_var ValueFactory_var;

// Streams of values that marshal themselves. They raise MARSHAL where bytes are missing or wrong, and
// BAD_PARAM where a sequence does not hold the elements [offset, offset + length) that are to be written; one
// that is read into grows. What is about Any, TypeCode and fixed is part of the library of Any.
class [[gnu::visibility("default")]] DataOutputStream {
 public:
  explicit DataOutputStream(corbel::cdr::Encoder& out) : out_(out) {}
  void write_any(const Any& v);
  void write_boolean(Boolean v) { out_.put_boolean(v); }
  void write_char(Char v) { out_.put_char(v); }
  void write_wchar(WChar v);
  void write_octet(Octet v) { out_.put(v); }
  void write_short(Short v) { out_.put(v); }
  void write_ushort(UShort v) { out_.put(v); }
  void write_long(Long v) { out_.put(v); }
  void write_ulong(ULong v) { out_.put(v); }
  void write_longlong(LongLong v) { out_.put(v); }
  void write_ulonglong(ULongLong v) { out_.put(v); }
  void write_float(Float v) { out_.put(v); }
  void write_double(Double v) { out_.put(v); }
  void write_longdouble(LongDouble v);
  void write_string(const char* v) { out_.put_string(v); }
  void write_wstring(const WChar* v);
  void write_Object(Object_ptr v) { corbel::cpp::put_object(out_, v); }
  void write_Abstract(AbstractBase* v);
  void write_Value(ValueBase* v);
  void write_TypeCode(TypeCode* v);
  void write_any_array(const AnySeq& seq, ULong offset, ULong length);
  void write_boolean_array(const BooleanSeq& seq, ULong offset, ULong length);
  void write_char_array(const CharSeq& seq, ULong offset, ULong length);
  void write_wchar_array(const WCharSeq& seq, ULong offset, ULong length);
  void write_octet_array(const OctetSeq& seq, ULong offset, ULong length);
  void write_short_array(const ShortSeq& seq, ULong offset, ULong length);
  void write_ushort_array(const UShortSeq& seq, ULong offset, ULong length);
  void write_long_array(const LongSeq& seq, ULong offset, ULong length);
  void write_ulong_array(const ULongSeq& seq, ULong offset, ULong length);
  void write_longlong_array(const LongLongSeq& seq, ULong offset, ULong length);
  void write_ulonglong_array(const ULongLongSeq& seq, ULong offset, ULong length);
  void write_float_array(const FloatSeq& seq, ULong offset, ULong length);
  void write_double_array(const DoubleSeq& seq, ULong offset, ULong length);
  // Holds a fixed.
  void write_fixed(const Any& fixed_value);
  void write_fixed_array(const AnySeq& seq, ULong offset, ULong length);
  corbel::cdr::Encoder& _corbel_encoder() { return out_; }

 private:
  corbel::cdr::Encoder& out_;
};

class [[gnu::visibility("default")]] DataInputStream {
 public:
  explicit DataInputStream(corbel::cdr::Decoder& in) : in_(in) {}
  // The caller frees or releases what these give.
  Any* read_any();
  Boolean read_boolean();
  Char read_char() {
    Char v;
    if (!in_.get_char(v)) _corbel_malformed();
    return v;
  }
  WChar read_wchar();
  Octet read_octet() { return get<Octet>(); }
  Short read_short() { return get<Short>(); }
  UShort read_ushort() { return get<UShort>(); }
  Long read_long() { return get<Long>(); }
  ULong read_ulong() { return get<ULong>(); }
  LongLong read_longlong() { return get<LongLong>(); }
  ULongLong read_ulonglong() { return get<ULongLong>(); }
  Float read_float() { return get<Float>(); }
  Double read_double() { return get<Double>(); }
  LongDouble read_longdouble();
  char* read_string();
  WChar* read_wstring();
  Object_ptr read_Object();
  AbstractBase* read_Abstract();
  ValueBase* read_Value();
  TypeCode* read_TypeCode();
  void read_any_array(AnySeq& seq, ULong offset, ULong length);
  void read_boolean_array(BooleanSeq& seq, ULong offset, ULong length);
  void read_char_array(CharSeq& seq, ULong offset, ULong length);
  void read_wchar_array(WCharSeq& seq, ULong offset, ULong length);
  void read_octet_array(OctetSeq& seq, ULong offset, ULong length);
  void read_short_array(ShortSeq& seq, ULong offset, ULong length);
  void read_ushort_array(UShortSeq& seq, ULong offset, ULong length);
  void read_long_array(LongSeq& seq, ULong offset, ULong length);
  void read_ulong_array(ULongSeq& seq, ULong offset, ULong length);
  void read_longlong_array(LongLongSeq& seq, ULong offset, ULong length);
  void read_ulonglong_array(ULongLongSeq& seq, ULong offset, ULong length);
  void read_float_array(FloatSeq& seq, ULong offset, ULong length);
  void read_double_array(DoubleSeq& seq, ULong offset, ULong length);
  Any* read_fixed(UShort digits, Short scale);
  void read_fixed_array(AnySeq& seq, ULong offset, ULong length, UShort digits, Short scale);
  corbel::cdr::Decoder& _corbel_decoder() { return in_; }
  [[noreturn]] static void _corbel_malformed();

 private:
  template <typename T>
  T get() {
    T v;
    if (!in_.get(v)) _corbel_malformed();
    return v;
  }
  corbel::cdr::Decoder& in_;
};

// Values that are declared custom.
class [[gnu::visibility("default")]] CustomMarshal {
 public:
  virtual void marshal(DataOutputStream& out) = 0;
  virtual void unmarshal(DataInputStream& in) = 0;

 protected:
  virtual ~CustomMarshal() = default;
};

}  // namespace CORBA

namespace corbel::cpp {

// Null is allowed. Where a receiver knows the type `declared` only, values of others stand in chunks.
[[gnu::visibility("default")]] void put_value_base(cdr::Encoder& out, const CORBA::ValueBase* value,
                                                   const char* declared = nullptr);
// A value that the caller owns, or null. Without an id on the wire it is of type `expected` (may be null),
// and so are boxes, which `make` makes. False if malformed or if there is no factory (MARSHAL, OMG minor 1).
[[gnu::visibility("default")]] bool get_value_base(cdr::Decoder& in, CORBA::ValueBase*& value,
                                                   const ValueType* expected, CORBA::ValueBase* (*make)());

// How values of class V are written and read. Stubs of V instantiate it; who only declares V leaves that to
// them.
template <typename V>
struct ValueTraits {
  static void put(cdr::Encoder& out, const V* value);
  static bool get(cdr::Decoder& in, V*& value);
};

template <typename V>
void ValueTraits<V>::put(cdr::Encoder& out, const V* value) {
  put_value_base(out, value);
}
template <typename V>
void put_value(cdr::Encoder& out, const V* value) {
  ValueTraits<V>::put(out, value);
}
template <typename V>
void put_value(cdr::Encoder& out, const ObjectVar<V>& value) {
  ValueTraits<V>::put(out, value.in());
}

// Replaces what is there.
template <typename V>
bool ValueTraits<V>::get(cdr::Decoder& in, V*& value) {
  CORBA::ValueBase* base = nullptr;
  if (!get_value_base(in, base, V::_corbel_expected(), V::_corbel_maker())) return false;
  V* const fresh = V::_downcast(base);
  if (base && !fresh) {
    base->_remove_ref();
    return in.fail();
  }
  drop(value);
  value = fresh;
  return true;
}
template <>
inline bool ValueTraits<CORBA::ValueBase>::get(cdr::Decoder& in, CORBA::ValueBase*& value) {
  CORBA::ValueBase* fresh = nullptr;
  if (!get_value_base(in, fresh, nullptr, nullptr)) return false;
  drop(value);
  value = fresh;
  return true;
}
template <typename V>
bool get_value(cdr::Decoder& in, V*& value) {
  return ValueTraits<V>::get(in, value);
}
template <typename V>
bool get_value(cdr::Decoder& in, ObjectVar<V>& value) {
  return ValueTraits<V>::get(in, value.inout());
}

// The state of custom values.
[[gnu::visibility("default")]] void put_custom(cdr::Encoder& out, const CORBA::ValueBase* value);
[[gnu::visibility("default")]] bool get_custom(cdr::Decoder& in, CORBA::ValueBase* value);

// What an array in a value's state holds.
template <typename T>
void clear_elements(T& element) {
  element = T();
}
template <typename T, std::size_t N>
void clear_elements(T (&array)[N]) {
  for (T& element : array) clear_elements(element);
}

}  // namespace corbel::cpp

// What marshal programs (corbel/cpp/programs.h) do with them.
namespace corbel::cpp::programs {

template <typename V>
struct ValueOf {
  static void put(cdr::Encoder& out, const void* value) { put_value(out, *static_cast<V* const*>(value)); }
  static bool get(cdr::Decoder& in, void* value) { return get_value(in, *static_cast<V**>(value)); }
  static void destruct(void* value, bool) { drop(static_cast<V*>(value)); }
};

}  // namespace corbel::cpp::programs
