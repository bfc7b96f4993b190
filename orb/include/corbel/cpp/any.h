// Any (CORBA 3.4 part 1, "Any"; OMG C++ mapping 1.3, "Mapping for the Any Type").
//
// Holds a TypeCode and, of that type, the octets that came from a peer or a value of the program. What came
// stays octets until it is asked for, and may be passed on without being understood. An Any is as safe as a
// standard container: several threads may read one, and >>= counts as reading.
//
// <<= of a reference or of a const pointer copies, <<= of a pointer takes the value over. >>= into a pointer
// or reference lends what the Any holds, until it is changed or destroyed.
#pragma once

#include <corbel/cpp/codec.h>
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/object.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/string.h>
#include <corbel/cpp/type_code.h>
#include <corbel/cpp/types.h>
#include <corbel/cpp/value_scope.h>
#include <corbel/cpp/var.h>
#include <corbel/cpp/wide.h>

namespace CORBA {
class AbstractBase;
class ValueBase;
}  // namespace CORBA
namespace corbel::core {
class HeldMessage;
}  // namespace corbel::core
namespace corbel::types {
struct Run;
}  // namespace corbel::types

namespace corbel::cpp {

// What an Any does with a value of some C++ type. One constant object a type.
struct AnyOperations {
  void* (*copy)(const void* value);
  void (*destroy)(void* value);
  void (*marshal)(cdr::Encoder& out, const void* value);
  void* (*unmarshal)(cdr::Decoder& in);  // null if malformed
  // References: the object, not counted. Null for other types.
  CORBA::Object_ptr (*object)(const void* value) = nullptr;
  // Values: the value, not counted. Null for other types.
  CORBA::ValueBase* (*value)(const void* value) = nullptr;
  // Structs that lie in memory as on the wire: their size and alignment. 0 for other types.
  std::uint32_t lent_size = 0, lent_alignment = 0;
  // Sequences of such structs or of numbers: makes one, in kSequenceSize octets, of elements that stay
  // another's. It is not destroyed. Null for other types.
  void (*view)(void* place, void* elements, std::uint32_t count) = nullptr;
  // Abstract interfaces: the value or object, not counted. Null for other types.
  CORBA::AbstractBase* (*abstract)(const void* value) = nullptr;
};
inline constexpr std::size_t kSequenceSize = 24;

}  // namespace corbel::cpp

namespace CORBA {

class [[gnu::visibility("default")]] Any {
 public:
  Any() = default;
  Any(const Any& other);
  Any(Any&& other) noexcept { swap(other); }
  // See replace().
  Any(TypeCode_ptr type, void* value, Boolean release = false);
  ~Any() {
    if (holds_more(*type_)) end();
  }
  Any& operator=(const Any& other);
  Any& operator=(Any&& other) noexcept {
    swap(other);
    return *this;
  }

  // Types that C++ cannot tell apart.
  struct from_boolean {
    explicit from_boolean(Boolean v) : val(v) {}
    Boolean val;
  };
  struct from_octet {
    explicit from_octet(Octet v) : val(v) {}
    Octet val;
  };
  struct from_char {
    explicit from_char(Char v) : val(v) {}
    Char val;
  };
  // With `nocopy` the Any takes the string over.
  struct from_string {
    from_string(char* s, ULong b, Boolean nocopy = false) : val(s), bound(b), take(nocopy) {}
    from_string(const char* s, ULong b) : val(const_cast<char*>(s)), bound(b), take(false) {}
    char* val;
    ULong bound;
    Boolean take;
  };
  struct from_wchar {
    explicit from_wchar(WChar v) : val(v) {}
    WChar val;
  };
  struct from_wstring {
    from_wstring(WChar* s, ULong b, Boolean nocopy = false) : val(s), bound(b), take(nocopy) {}
    from_wstring(const WChar* s, ULong b) : val(const_cast<WChar*>(s)), bound(b), take(false) {}
    WChar* val;
    ULong bound;
    Boolean take;
  };
  // As fixed<digits, scale>: see there what does not fit.
  struct from_fixed {
    from_fixed(const Fixed& v, UShort d, UShort s) : val(v), digits(d), scale(s) {}
    const Fixed& val;
    UShort digits, scale;
  };
  struct to_boolean {
    explicit to_boolean(Boolean& v) : ref(v) {}
    Boolean& ref;
  };
  struct to_octet {
    explicit to_octet(Octet& v) : ref(v) {}
    Octet& ref;
  };
  struct to_char {
    explicit to_char(Char& v) : ref(v) {}
    Char& ref;
  };
  struct to_string {
    to_string(const char*& s, ULong b) : val(s), bound(b) {}
    to_string(char*& s, ULong b) : val(const_cast<const char*&>(s)), bound(b) {}
    const char*& val;
    ULong bound;
  };
  struct to_wchar {
    explicit to_wchar(WChar& v) : ref(v) {}
    WChar& ref;
  };
  struct to_wstring {
    to_wstring(const WChar*& s, ULong b) : val(s), bound(b) {}
    to_wstring(WChar*& s, ULong b) : val(const_cast<const WChar*&>(s)), bound(b) {}
    const WChar*& val;
    ULong bound;
  };
  struct to_fixed {
    to_fixed(Fixed& v, UShort d, UShort s) : val(v), digits(d), scale(s) {}
    Fixed& val;
    UShort digits, scale;
  };
  // The caller releases what it gets.
  struct to_object {
    explicit to_object(Object_ptr& o) : ref(o) {}
    explicit to_object(Object_var& o) : ref(o.out()) {}
    Object_ptr& ref;
  };
  struct to_value {
    explicit to_value(ValueBase*& v) : ref(v) {}
    ValueBase*& ref;
  };
  struct to_abstract_base {
    explicit to_abstract_base(AbstractBase*& a) : ref(a) {}
    AbstractBase*& ref;
  };

  void operator<<=(from_boolean from);
  void operator<<=(from_octet from);
  void operator<<=(from_char from);
  void operator<<=(from_string from);
  void operator<<=(from_wchar from);
  void operator<<=(from_wstring from);
  void operator<<=(from_fixed from);
  Boolean operator>>=(to_boolean to) const;
  Boolean operator>>=(to_octet to) const;
  Boolean operator>>=(to_char to) const;
  Boolean operator>>=(to_string to) const;
  Boolean operator>>=(to_wchar to) const;
  Boolean operator>>=(to_wstring to) const;
  Boolean operator>>=(to_fixed to) const;
  // References of any interface; local ones where replace() has put them in.
  Boolean operator>>=(to_object to) const;
  // Values of any valuetype and boxes; MARSHAL, OMG minor 1, if its class has no factory.
  Boolean operator>>=(to_value to) const;
  // Objects and values that were put in as ones of an abstract interface.
  Boolean operator>>=(to_abstract_base to) const;

  // The caller releases it.
  TypeCode_ptr type() const { return TypeCode::_duplicate(type_); }
  // Another name of the same type; BAD_TYPECODE if it is not equivalent, or values of it look otherwise.
  void type(TypeCode_ptr type);
  void swap(Any& other) noexcept;

  // Deprecated by the mapping: `value` is the address of a variable of the type, and nobody checks that. It
  // is an Object_ptr for references of whatever interface, component or home, local ones, too, and an
  // AbstractBase_ptr for abstract interfaces: not a pointer of their own classes. With `release` what a
  // string's or reference's variable points to is taken over, and other variables are deleted, also where it
  // throws; else it is copied. Without an address there is a type and no value. Only numbers, characters,
  // enums, strings, fixed, Any, TypeCode, references: else NO_IMPLEMENT takes nothing.
  void replace(TypeCode_ptr type, void* value, Boolean release = false) {
    if (value || !type || !takes_at_once(*type)) return replace_all(type, value, release);
    type_ = type;
    number_size_ = 0;
  }
  // Deprecated, too: the address of such a variable, which is the Any's. Null if there is no value, a
  // fixed, or one that was received, no number and no string, and that nobody has extracted yet.
  const void* value() const;

  // ---- for generated code and the ORB
  // Takes over `value`, also when it throws.
  void _corbel_adopt(TypeCode& type, void* value, const corbel::cpp::AnyOperations& operations);
  // What it holds, if that was put in as a value of this very type and may be overwritten; else null.
  void* _corbel_inserted(TypeCode& type, const corbel::cpp::AnyOperations& operations) const {
    return type_ == &type ? overwritable(operations) : nullptr;
  }
  // Null if the Any holds another type. What it gives is the Any's.
  const void* _corbel_extract(TypeCode& type, const corbel::cpp::AnyOperations& operations) const;
  // A value, not counted, decoded by `operations` if it has not been; null is one, too. False if the Any
  // holds another type.
  bool _corbel_value(TypeCode& type, const corbel::cpp::AnyOperations& operations, ValueBase*& value) const;
  // What an abstract interface's value in it is, not counted; false if nothing has made it yet.
  bool _corbel_abstract(AbstractBase*& value) const;
  // Numbers: `size` octets in host order. Those of a fixed, and a wide character as it is sent, count as
  // such.
  void _corbel_put(TypeCode& type, const void* number, ULong size);
  bool _corbel_get(TypeCode& type, void* number, ULong size) const;
  // The same where the type is known to be that of such numbers.
  template <typename Number>
  void _corbel_put(TypeCode& type, Number number) {
    if (!takes_at_once(type)) return _corbel_put(type, &number, sizeof number);
    type_ = &type;
    number_size_ = sizeof number;
    __builtin_memcpy(number_, &number, sizeof number);
  }
  template <typename Number>
  bool _corbel_get(TypeCode& type, Number& number) const {
    if (type_ != &type || number_size_ != sizeof number) return _corbel_get(type, &number, sizeof number);
    __builtin_memcpy(&number, number_, sizeof number);
    return true;
  }
  // A string, copied; one that is lent.
  void _corbel_put_text(const char* text);
  bool _corbel_get_text(const char*& text) const;
  // A value of a union's discriminator.
  void _corbel_label(TypeCode& type, LongLong label);
  void _corbel_marshal(corbel::cdr::Encoder& out) const;
  bool _corbel_unmarshal(corbel::cdr::Decoder& in);
  // The value without its type. Where one is read in vain the Any has the type and no value.
  void _corbel_marshal_value(corbel::cdr::Encoder& out) const;
  bool _corbel_unmarshal_value(corbel::cdr::Decoder& in, TypeCode& type);
  // The same for a run of its own type, of `least` octets at least, that may stay in its message, `spare`
  // octets before which nobody reads any more. False, and nothing has happened, where it may not. `held` is
  // made when it is null.
  bool _corbel_hold_run(corbel::cdr::Decoder& in, std::size_t least, std::size_t spare,
                        corbel::core::HeldMessage*& held);
  // The value's octets as they are kept, in their own form and byte order; false if there are none.
  bool _corbel_octets(corbel::cdr::Decoder& in) const;
  // Whether the type does not describe all of them: in another form they may be cut off, or have to be
  // refused.
  bool _corbel_opaque() const;
  // Not counted.
  TypeCode& _corbel_type() const { return *type_; }

 private:
  friend class NVList;
  struct Bytes;
  struct Native;
  void clear();
  void give_up() {
    if (holds_more(*type_)) return clear();
    type_ = CORBA::_tc_null;
    number_size_ = 0;
  }
  [[gnu::noinline]] void end_natives();
  [[gnu::noinline]] void clear_all();
  void end();
  void replace_all(TypeCode_ptr type, void* value, Boolean release);
  void become(TypeCode& type);
  // It has nothing to give up for the type, and that needs no count.
  bool takes_at_once(const TypeCode& type) const { return !holds_more(type) && !type_->block; }
  // Than a number of this type; one test of all.
  bool holds_more(const TypeCode& type) const {
    return (reinterpret_cast<std::uintptr_t>(bytes_) | reinterpret_cast<std::uintptr_t>(natives_) |
            reinterpret_cast<std::uintptr_t>(type.block)) != 0;
  }
  void begin(TypeCode& type);
  Bytes* octets_at_once(TypeCode& type, std::size_t size, std::uint8_t start, bool text = false);
  Bytes& octets(TypeCode& type, std::size_t size, std::uint8_t start);
  [[gnu::noinline]] Bytes& octets_again(TypeCode& type, std::size_t size, std::uint8_t start);
  bool put_text(TypeCode& type, const char* text, std::size_t length);
  [[gnu::noinline]] bool put_text_again(TypeCode& type, const char* text, std::size_t length);
  void put_other_text(const from_string& from);
  [[gnu::noinline]] void put_own_text(const char* text);
  static Native* made(const corbel::cpp::AnyOperations& operations, void* value);
  Native* publish(Native* fresh) const;
  const Native* inserted() const;
  void* overwritable(const corbel::cpp::AnyOperations& operations) const;
  const void* sequence_lent(const corbel::cpp::AnyOperations& operations) const;
  [[gnu::noinline]] const void* make_sequence(const corbel::cpp::AnyOperations& operations) const;
  [[gnu::noinline]] bool text_made(ULong bound, const char*& to) const;
  [[gnu::noinline]] const void* extract_made(TypeCode& type,
                                             const corbel::cpp::AnyOperations& operations) const;
  bool has_form_of(const corbel::cdr::Encoder& out) const;
  corbel::cdr::Decoder decoder() const;
  void use_links(corbel::cdr::Decoder& in) const;
  const char* text(std::size_t& length) const;
  void marshal_number(corbel::cdr::Encoder& out) const;
  void marshal_bytes(corbel::cdr::Encoder& out) const;
  void marshal_native(corbel::cdr::Encoder& out) const;
  [[gnu::noinline]] bool refuse(corbel::cdr::Decoder& in, TypeCode& type);
  [[gnu::noinline]] bool unmarshal_text(corbel::cdr::Decoder& in, TypeCode& type);
  [[gnu::noinline]] bool unmarshal_any_text(corbel::cdr::Decoder& in, TypeCode& type, ULong bound);
  [[gnu::noinline]] bool unmarshal_number(corbel::cdr::Decoder& in, TypeCode& type,
                                          const corbel::types::TypeCode& resolved, Octet size);
  [[gnu::noinline]] bool unmarshal_any_number(corbel::cdr::Decoder& in, TypeCode& type,
                                              const corbel::types::TypeCode& resolved, Octet size);
  [[gnu::noinline]] bool unmarshal_flat(corbel::cdr::Decoder& in, TypeCode& type, std::size_t size);
  [[gnu::noinline]] bool put_flat_again(const corbel::cdr::Decoder& in, TypeCode& type, const char* from,
                                        std::size_t size);
  [[gnu::noinline]] bool unmarshal_run(corbel::cdr::Decoder& in, TypeCode& type,
                                       const corbel::types::Run& run);
  [[gnu::noinline]] bool unmarshal_other(corbel::cdr::Decoder& in, TypeCode& type);
  [[gnu::noinline]] bool unmarshal_plain(corbel::cdr::Decoder& in, TypeCode& type,
                                         const corbel::types::Program& program);
  [[gnu::noinline]] bool unmarshal_octets(corbel::cdr::Decoder& in, TypeCode& type);

  TypeCode_ptr type_ = CORBA::_tc_null;
  // The value: a number, octets, or what was put in.
  Octet number_size_ = 0;              // 0: it is none
  alignas(8) char number_[8];          // in host order
  Bytes* bytes_ = nullptr;             // counted
  mutable Native* natives_ = nullptr;  // the value, or what the octets were decoded into; newest first
};

typedef Any* Any_ptr;
typedef corbel::cpp::VariableVar<Any> Any_var;
typedef corbel::cpp::VariableOut<Any, Any_var> Any_out;

// The operators that are members, of what a _var holds: the others find it by conversion.
template <typename From>
auto operator<<=(Any_var& any, From from) -> decltype(any->operator<<=(from)) {
  return any->operator<<=(from);
}
template <typename To>
auto operator>>=(const Any_var& any, To to) -> decltype(any->operator>>=(to)) {
  return any->operator>>=(to);
}

}  // namespace CORBA

namespace corbel::cpp {

// What a _var holds is copied. It would suit the operator that takes a pointer over, too.
template <typename T>
auto operator<<=(CORBA::Any& any, const VariableVar<T>& value) -> decltype(any <<= value.in()) {
  any <<= value.in();
}

}  // namespace corbel::cpp

namespace corbel::cdr {

inline void marshal(Encoder& out, const CORBA::Any& any) { any._corbel_marshal(out); }
inline bool unmarshal(Decoder& in, CORBA::Any& any) { return any._corbel_unmarshal(in); }

}  // namespace corbel::cdr

namespace corbel::cpp {

// A T for functions that take nothing else: not one of what T is derived from.
template <typename T>
struct Exactly {
  template <typename U, typename = std::enable_if_t<std::is_same_v<U, T>>>
  operator const U&() const;
};
// See AnyOperations: which types lie in memory as on the wire.
constexpr bool lies_as_sent(...) { return false; }
template <typename T>
constexpr auto lies_as_sent(const T*) -> decltype(store_struct(*static_cast<const cdr::Encoder*>(nullptr),
                                                               static_cast<char*>(nullptr), Exactly<T>()),
                                                  true) {
  return true;
}
// Sequences of them.
constexpr decltype(AnyOperations::view) viewer(...) { return nullptr; }
template <typename S, typename T>
constexpr decltype(AnyOperations::view) viewer(const S*, const UnboundedSequence<T>*) {
  if constexpr (lies_as_sent(static_cast<T*>(nullptr)) || !(__is_class(T) || __is_union(T) || __is_enum(T)))
    return [](void* place, void* elements, std::uint32_t count) {
      static_assert(sizeof(S) <= kSequenceSize);
      new (place) S(count, count, static_cast<T*>(elements), false);
    };
  else return nullptr;
}
template <typename S, typename T, CORBA::ULong N>
constexpr decltype(AnyOperations::view) viewer(const S*, const BoundedSequence<T, N>*) {
  if constexpr (lies_as_sent(static_cast<T*>(nullptr)) || !(__is_class(T) || __is_union(T) || __is_enum(T)))
    return [](void* place, void* elements, std::uint32_t count) {
      static_assert(sizeof(S) <= kSequenceSize);
      new (place) S(count, static_cast<T*>(elements), false);
    };
  else return nullptr;
}
// Structs, unions, sequences.
// What is read into memory of its own, until it is kept: a value's class may throw.
template <typename T>
struct Fresh {
  T* value = new T();
  Fresh() = default;
  Fresh(const Fresh&) = delete;
  Fresh& operator=(const Fresh&) = delete;
  ~Fresh() { delete value; }
  T* keep() {
    T* const kept = value;
    value = nullptr;
    return kept;
  }
};

template <typename T>
inline constexpr AnyOperations kAnyOperations = {
    [](const void* value) -> void* { return new T(*static_cast<const T*>(value)); },
    [](void* value) { delete static_cast<T*>(value); },
    [](cdr::Encoder& out, const void* value) { marshal(out, *static_cast<const T*>(value)); },
    [](cdr::Decoder& in) -> void* {
      Fresh<T> fresh;
      return unmarshal(in, *fresh.value) ? fresh.keep() : nullptr;
    },
    nullptr,
    nullptr,
    lies_as_sent(static_cast<T*>(nullptr)) ? sizeof(T) : 0,
    alignof(T),
    viewer(static_cast<T*>(nullptr), static_cast<T*>(nullptr))};

// No value of the type can be part of another one.
constexpr bool is_flat_sequence(const void*) { return false; }
template <typename T>
constexpr bool is_flat_sequence(const UnboundedSequence<T>*) {
  return __is_trivially_copyable(T);
}
template <typename T>
inline constexpr bool kIsFlat = __is_trivially_copyable(T) || is_flat_sequence(static_cast<T*>(nullptr));

template <typename T>
void insert(CORBA::Any& any, CORBA::TypeCode& type, const T& value) {
  // Memory is kept for the next value, which may not be of what that holds.
  if constexpr (kIsFlat<T>) {
    if (void* const held = any._corbel_inserted(type, kAnyOperations<T>)) {
      *static_cast<T*>(held) = value;
      return;
    }
  }
  any._corbel_adopt(type, new T(value), kAnyOperations<T>);
}
// A null pointer is BAD_PARAM.
template <typename T>
void insert_adopted(CORBA::Any& any, CORBA::TypeCode& type, T* value) {
  any._corbel_adopt(type, value, kAnyOperations<T>);
}
template <typename T>
bool extract(const CORBA::Any& any, CORBA::TypeCode& type, const T*& value) {
  const void* const found = any._corbel_extract(type, kAnyOperations<T>);
  if (found) value = static_cast<const T*>(found);
  return found != nullptr;
}

// Exceptions: their repository id stands before their members.
template <typename E>
inline constexpr AnyOperations kExceptionOperations = {
    [](const void* value) -> void* { return new E(*static_cast<const E*>(value)); },
    [](void* value) { delete static_cast<E*>(value); },
    [](cdr::Encoder& out, const void* value) {
      out.put_string(static_cast<const E*>(value)->_rep_id());
      static_cast<const E*>(value)->_marshal_members(out);
    },
    [](cdr::Decoder& in) -> void* {
      Fresh<E> fresh;
      const cdr::Decoder start = in;
      const char* id;
      if (!in.get_string_view(id) || !same_id(id, fresh.value->_rep_id()))
        in = start;  // omniORB leaves it out
      return unmarshal(in, *fresh.value) ? fresh.keep() : nullptr;
    }};

template <typename E>
void insert_exception(CORBA::Any& any, CORBA::TypeCode& type, E* adopted) {
  any._corbel_adopt(type, adopted, kExceptionOperations<E>);
}
template <typename E>
bool extract_exception(const CORBA::Any& any, CORBA::TypeCode& type, const E*& value) {
  const void* const found = any._corbel_extract(type, kExceptionOperations<E>);
  if (found) value = static_cast<const E*>(found);
  return found != nullptr;
}

// References. Nil is one, too: it is kept as a pointer to a holder.
template <typename I>
inline constexpr AnyOperations kReferenceOperations = {
    [](const void* value) -> void* { return new ObjectVar<I>(*static_cast<const ObjectVar<I>*>(value)); },
    [](void* value) { delete static_cast<ObjectVar<I>*>(value); },
    [](cdr::Encoder& out, const void* value) {
      put_object(out, static_cast<const ObjectVar<I>*>(value)->in());
    },
    [](cdr::Decoder& in) -> void* {
      auto* const value = new ObjectVar<I>();
      if (get_reference(in, *value)) return value;
      delete value;
      return nullptr;
    },
    [](const void* value) -> CORBA::Object_ptr { return static_cast<const ObjectVar<I>*>(value)->in(); }};

// Takes over a count.
template <typename I>
void insert_reference(CORBA::Any& any, CORBA::TypeCode& type, I* adopted) {
  any._corbel_adopt(type, new ObjectVar<I>(adopted), kReferenceOperations<I>);
}
template <typename I>
bool extract_reference(const CORBA::Any& any, CORBA::TypeCode& type, I*& value) {
  const void* const found = any._corbel_extract(type, kReferenceOperations<I>);
  if (found) value = static_cast<const ObjectVar<I>*>(found)->in();
  return found != nullptr;
}

// Arrays, by their traits.
template <typename Traits>
inline constexpr AnyOperations kArrayOperations = {
    [](const void* value) -> void* { return Traits::dup(static_cast<const typename Traits::slice*>(value)); },
    [](void* value) { Traits::free(static_cast<typename Traits::slice*>(value)); },
    [](cdr::Encoder& out, const void* value) {
      Traits::marshal(out, static_cast<const typename Traits::slice*>(value));
    },
    [](cdr::Decoder& in) -> void* {
      struct FreshArray {
        typename Traits::slice* value = Traits::alloc();
        ~FreshArray() { Traits::free(value); }
      } fresh;
      if (!Traits::unmarshal(in, fresh.value)) return nullptr;
      typename Traits::slice* const kept = fresh.value;
      fresh.value = nullptr;
      return kept;
    }};

// ArrayForAny tells which array a pointer to a slice is of; Traits add marshal() and unmarshal() to its own.
template <typename Traits, typename Array>
void insert_array(CORBA::Any& any, CORBA::TypeCode& type, const Array& array) {
  auto* const slice = const_cast<typename Traits::slice*>(array.in());
  any._corbel_adopt(type, array.nocopy() ? slice : Traits::dup(slice), kArrayOperations<Traits>);
}
template <typename Traits, typename Array>
bool extract_array(const CORBA::Any& any, CORBA::TypeCode& type, Array& array) {
  const void* const found = any._corbel_extract(type, kArrayOperations<Traits>);
  if (found) array = const_cast<typename Traits::slice*>(static_cast<const typename Traits::slice*>(found));
  return found != nullptr;
}

// Enums.
template <typename E>
void insert_enum(CORBA::Any& any, CORBA::TypeCode& type, E value) {
  const CORBA::ULong ordinal = value;
  any._corbel_put(type, &ordinal, sizeof ordinal);
}
template <typename E>
bool extract_enum(const CORBA::Any& any, CORBA::TypeCode& type, E& value) {
  CORBA::ULong ordinal;
  // A peer's enum of the same id may have more enumerators.
  if (!any._corbel_get(type, &ordinal, sizeof ordinal) || ordinal >= types::resolve(&type)->member_count)
    return false;
  value = static_cast<E>(ordinal);
  return true;
}

// Bitsets are numbers.
template <typename Number, typename B>
void insert_bits(CORBA::Any& any, CORBA::TypeCode& type, const B& value) {
  cdr::Encoder out;
  out.reset();
  marshal(out, value);
  Number number;
  std::memcpy(&number, out.data(), sizeof number);
  any._corbel_put(type, &number, sizeof number);
}
template <typename Number, typename B>
bool extract_bits(const CORBA::Any& any, CORBA::TypeCode& type, B& value) {
  alignas(8) char number[sizeof(Number)];
  if (!any._corbel_get(type, number, sizeof number)) return false;
  cdr::Decoder in(number, number, number + sizeof number, false);
  return unmarshal(in, value);
}

}  // namespace corbel::cpp

namespace CORBA {

inline void operator<<=(Any& any, Short v) { any._corbel_put(corbel::tc::_tc_short, v); }
inline void operator<<=(Any& any, UShort v) { any._corbel_put(corbel::tc::_tc_ushort, v); }
inline void operator<<=(Any& any, Long v) { any._corbel_put(corbel::tc::_tc_long, v); }
inline void operator<<=(Any& any, ULong v) { any._corbel_put(corbel::tc::_tc_ulong, v); }
inline void operator<<=(Any& any, LongLong v) { any._corbel_put(corbel::tc::_tc_longlong, v); }
inline void operator<<=(Any& any, ULongLong v) { any._corbel_put(corbel::tc::_tc_ulonglong, v); }
inline void operator<<=(Any& any, Float v) { any._corbel_put(corbel::tc::_tc_float, v); }
inline void operator<<=(Any& any, Double v) { any._corbel_put(corbel::tc::_tc_double, v); }
inline Boolean operator>>=(const Any& any, Short& v) { return any._corbel_get(corbel::tc::_tc_short, v); }
inline Boolean operator>>=(const Any& any, UShort& v) { return any._corbel_get(corbel::tc::_tc_ushort, v); }
inline Boolean operator>>=(const Any& any, Long& v) { return any._corbel_get(corbel::tc::_tc_long, v); }
inline Boolean operator>>=(const Any& any, ULong& v) { return any._corbel_get(corbel::tc::_tc_ulong, v); }
inline Boolean operator>>=(const Any& any, LongLong& v) {
  return any._corbel_get(corbel::tc::_tc_longlong, v);
}
inline Boolean operator>>=(const Any& any, ULongLong& v) {
  return any._corbel_get(corbel::tc::_tc_ulonglong, v);
}
inline Boolean operator>>=(const Any& any, Float& v) { return any._corbel_get(corbel::tc::_tc_float, v); }
inline Boolean operator>>=(const Any& any, Double& v) { return any._corbel_get(corbel::tc::_tc_double, v); }
// These are wrapped: see Any::from_boolean and the like.
void operator<<=(Any&, Boolean) = delete;
void operator<<=(Any&, Octet) = delete;
void operator<<=(Any&, Char) = delete;
void operator<<=(Any&, WChar) = delete;

// Copied.
inline void operator<<=(Any& any, const char* s) { any._corbel_put_text(s); }
inline Boolean operator>>=(const Any& any, const char*& s) { return any._corbel_get_text(s); }
inline Boolean operator>>=(const Any& any, char*& s) {
  return any._corbel_get_text(const_cast<const char*&>(s));
}
inline void operator<<=(Any& any, const WChar* s) { any <<= Any::from_wstring(s, 0); }
inline Boolean operator>>=(const Any& any, const WChar*& s) { return any >>= Any::to_wstring(s, 0); }
inline Boolean operator>>=(const Any& any, WChar*& s) { return any >>= Any::to_wstring(s, 0); }
[[gnu::visibility("default")]] void operator<<=(Any& any, LongDouble v);
[[gnu::visibility("default")]] Boolean operator>>=(const Any& any, LongDouble& v);
inline void operator<<=(Any& any, const Any& value) { corbel::cpp::insert(any, corbel::tc::_tc_any, value); }
inline void operator<<=(Any& any, Any* value) {
  corbel::cpp::insert_adopted(any, corbel::tc::_tc_any, value);
}
inline Boolean operator>>=(const Any& any, const Any*& value) {
  return corbel::cpp::extract(any, corbel::tc::_tc_any, value);
}
inline Boolean operator>>=(const Any& any, Any*& value) { return any >>= const_cast<const Any*&>(value); }
[[gnu::visibility("default")]] void operator<<=(Any& any, TypeCode_ptr type);
[[gnu::visibility("default")]] void operator<<=(Any& any, TypeCode_ptr* type);
[[gnu::visibility("default")]] Boolean operator>>=(const Any& any, TypeCode_ptr& type);
inline void operator<<=(Any& any, Object_ptr object) {
  corbel::cpp::insert_reference(any, corbel::tc::_tc_Object, Object::_duplicate(object));
}
inline void operator<<=(Any& any, Object_ptr* object) {
  corbel::cpp::insert_reference(any, corbel::tc::_tc_Object, *object);
}
inline Boolean operator>>=(const Any& any, Object_ptr& object) {
  return corbel::cpp::extract_reference(any, corbel::tc::_tc_Object, object);
}

}  // namespace CORBA
