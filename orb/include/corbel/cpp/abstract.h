// Abstract interfaces (CORBA 3.4 part 1, "Abstract Interface Semantics"; OMG C++ mapping 1.3, "Mapping for
// Abstract Interfaces"): what is passed is an object reference or a value. Included by generated code that
// has some.
//
// The operations of a generated class call the object behind it; classes of values override them.
#pragma once

#include <corbel/cpp/value.h>

namespace CORBA {

class AbstractBase;
typedef AbstractBase* AbstractBase_ptr;
typedef corbel::cpp::ObjectVar<AbstractBase> AbstractBase_var;
typedef corbel::cpp::ObjectOut<AbstractBase> AbstractBase_out;

class [[gnu::visibility("default")]] AbstractBase {
 public:
  typedef AbstractBase_ptr _ptr_type;
  typedef AbstractBase_var _var_type;
  static AbstractBase_ptr _duplicate(AbstractBase_ptr object) { return corbel::cpp::duplicate(object); }
  static AbstractBase_ptr _narrow(AbstractBase_ptr object) { return _duplicate(object); }
  static AbstractBase_ptr _nil() { return nullptr; }

  // What it is; nil or null if it is the other. The caller releases it.
  Object_ptr _to_object();
  ValueBase* _to_value();

  // ---- for generated code; these do not count
  static AbstractBase_ptr _corbel_make(corbel::core::Reference* reference);
  virtual void _corbel_add_ref() = 0;
  virtual void _corbel_remove_ref() = 0;
  virtual Object_ptr _corbel_to_object() { return nullptr; }
  virtual ValueBase* _corbel_to_value() { return nullptr; }

 protected:
  AbstractBase() = default;
  AbstractBase(const AbstractBase&) = default;
  AbstractBase& operator=(const AbstractBase&) = delete;
  virtual ~AbstractBase() = default;
};

}  // namespace CORBA

namespace corbel::cpp {

// Neither objects nor values alone have it: those are Objects or ValueBases, too.
template <typename T, bool = __is_base_of(CORBA::AbstractBase, T) && !__is_base_of(CORBA::Object, T) &&
                             !__is_base_of(CORBA::ValueBase, T)>
struct AbstractOnly {};
template <typename T>
struct AbstractOnly<T, true> {
  typedef T type;
};
template <typename T>
using IfAbstract = typename AbstractOnly<T>::type;

// The object that an operation calls; INV_OBJREF where there is none.
[[gnu::visibility("default")]] const CORBA::Object& target_of(const CORBA::AbstractBase& object);

// An object of which only an abstract interface is known.
template <typename A>
class AbstractProxy final : public virtual A, public virtual CORBA::Object {
 public:
  explicit AbstractProxy(core::Reference* reference) : CORBA::Object(reference) {}
  void _corbel_add_ref() override { CORBA::Object::_corbel_add_ref(); }
  void _corbel_remove_ref() override { CORBA::Object::_corbel_remove_ref(); }
  CORBA::Object_ptr _corbel_to_object() override { return this; }
};
// Takes over a count.
template <typename A>
A* make_abstract(core::Reference* reference) {
  return reference ? new AbstractProxy<A>(reference) : nullptr;
}

// The reference of an object that may be of the interface, counted; null if there is none or it is not.
[[gnu::visibility("default")]] core::Reference* narrowed_reference(CORBA::AbstractBase_ptr object,
                                                                   const char* repository_id, bool ask);
template <typename A>
A* narrow_abstract(CORBA::AbstractBase_ptr object, bool ask = true) {
  if (A* const same = dynamic_cast<A*>(object)) return duplicate(same);
  return A::_corbel_make(narrowed_reference(object, A::_corbel_id, ask));
}
template <typename A>
A* unchecked_narrow_abstract(CORBA::AbstractBase_ptr object) {
  return narrow_abstract<A>(object, false);
}

// Null is allowed.
[[gnu::visibility("default")]] void put_abstract_base(cdr::Encoder& out, CORBA::AbstractBase_ptr object);
// Either may be null; the caller takes over the count. False if malformed.
[[gnu::visibility("default")]] bool get_abstract_base(cdr::Decoder& in, core::Reference*& reference,
                                                      CORBA::ValueBase*& value);

// How what may be of abstract interface A is written and read. Stubs of A instantiate it; who only declares A
// leaves that to them.
template <typename A>
struct AbstractTraits {
  static void put(cdr::Encoder& out, A* object);
  static bool get(cdr::Decoder& in, A*& object);
};

template <typename A>
void AbstractTraits<A>::put(cdr::Encoder& out, A* object) {
  put_abstract_base(out, object);
}
template <typename A>
void put_abstract(cdr::Encoder& out, A* object) {
  AbstractTraits<A>::put(out, object);
}
template <typename A>
void put_abstract(cdr::Encoder& out, const ObjectVar<A>& object) {
  AbstractTraits<A>::put(out, object.in());
}
// Replaces what is there.
template <typename A>
bool AbstractTraits<A>::get(cdr::Decoder& in, A*& object) {
  core::Reference* reference;
  CORBA::ValueBase* value;
  if (!get_abstract_base(in, reference, value)) return false;
  A* const fresh = value ? dynamic_cast<A*>(value) : A::_corbel_make(reference);
  if (value && !fresh) {
    value->_remove_ref();
    return in.fail();
  }
  drop(object);
  object = fresh;
  return true;
}
template <typename A>
bool get_abstract(cdr::Decoder& in, A*& object) {
  return AbstractTraits<A>::get(in, object);
}
template <typename A>
bool get_abstract(cdr::Decoder& in, ObjectVar<A>& object) {
  return AbstractTraits<A>::get(in, object.inout());
}

}  // namespace corbel::cpp

// What marshal programs (corbel/cpp/programs.h) do with them.
namespace corbel::cpp::programs {

template <typename A>
struct AbstractOf {
  static void put(cdr::Encoder& out, const void* value) { put_abstract(out, *static_cast<A* const*>(value)); }
  static bool get(cdr::Decoder& in, void* value) { return get_abstract(in, *static_cast<A**>(value)); }
  static void destruct(void* value, bool) { drop(static_cast<A*>(value)); }
};
// What calls of an abstract interface's operations go to.
inline CORBA::Object* behind(const CORBA::AbstractBase* self) {
  return const_cast<CORBA::Object*>(&target_of(*self));
}

}  // namespace corbel::cpp::programs

namespace CORBA {

template <typename A, typename = corbel::cpp::IfAbstract<A>>
void release(A* object) {
  corbel::cpp::drop(object);
}
template <typename A, typename = corbel::cpp::IfAbstract<A>>
Boolean is_nil(A* object) {
  return object == nullptr;
}
template <typename A, typename = corbel::cpp::IfAbstract<A>>
Boolean is_nil(const corbel::cpp::ObjectVar<A>& object) {
  return object.in() == nullptr;
}

}  // namespace CORBA
