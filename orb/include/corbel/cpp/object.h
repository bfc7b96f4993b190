// Object references of the classic C++ mapping (OMG C++ mapping 1.3, "Mapping for Interfaces"; CORBA 3.4 part
// 1, "ORB Interface"). References may be used by several threads at once; a _var belongs to one.
#pragma once

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#include <corbel/core/collocated.h>
#include <corbel/core/fwd.h>
#include <corbel/cpp/exception.h>
#include <corbel/cpp/types.h>

namespace CORBA {
class Object;
typedef Object* Object_ptr;
class ORB;
typedef ORB* ORB_ptr;
class InterfaceDef;
typedef InterfaceDef* InterfaceDef_ptr;
// <corbel/messaging.h>
class Policy;
typedef Policy* Policy_ptr;
typedef ULong PolicyType;
class PolicyList;
class PolicyTypeSeq;
enum SetOverrideType : ULong;
// <corbel/dynamic.h>
class Context;
class ContextList;
class ExceptionList;
class NVList;
class NamedValue;
class Request;
typedef ULong Flags;
[[gnu::visibility("default")]] void release(Object* object);
inline Boolean is_nil(Object* object) { return object == nullptr; }
}  // namespace CORBA

namespace corbel::cpp {

template <typename S>
class SequenceVar;
template <typename T, typename Var>
class VariableOut;

// True for a null reference. Unlike `p == nullptr` on `this` it is never optimised away.
inline bool is_null(const void* p) {
  asm("" : "+r"(p));
  return p == nullptr;
}

// Raises INV_OBJREF: a nil reference was called.
[[noreturn, gnu::visibility("default")]] void raise_nil();

// The pointer, if it is not nil.
template <typename T>
T* not_nil(T* object) {
  if (is_null(object)) raise_nil();
  return object;
}

// Owns a count of a reference, or holds nil. Adopts a pointer, duplicates what other holders hold: _vars,
// members and elements of the same interface or a derived one.
template <typename T>
class ObjectVar {
 public:
  typedef T _corbel_object;
  ObjectVar() = default;
  ObjectVar(T* adopted) : object_(adopted) {}
  ObjectVar(const ObjectVar& other) : object_(corbel::cpp::duplicate(other.object_)) {}
  ObjectVar(ObjectVar&& other) noexcept : object_(other._retn()) {}
  template <typename Holder, typename Held = typename Holder::_corbel_object>
  ObjectVar(const Holder& copied) : object_(corbel::cpp::duplicate<Held>(copied.in())) {}
  ~ObjectVar() { drop(object_); }
  // What is adopted carries a count of its own, even if it is the same object.
  ObjectVar& operator=(T* adopted) {
    T* const old = object_;
    object_ = adopted;
    drop(old);
    return *this;
  }
  ObjectVar& operator=(const ObjectVar& other) { return *this = corbel::cpp::duplicate(other.object_); }
  ObjectVar& operator=(ObjectVar&& other) noexcept {
    if (this != &other) *this = other._retn();
    return *this;
  }
  template <typename Holder, typename Held = typename Holder::_corbel_object>
  ObjectVar& operator=(const Holder& copied) {
    return *this = corbel::cpp::duplicate<Held>(copied.in());
  }
  operator T*() const { return object_; }
  operator T*&() { return object_; }
  T* operator->() const {
    if (!object_) raise_nil();
    return object_;
  }
  T* in() const { return object_; }
  T* ptr() const { return object_; }
  T*& inout() { return object_; }
  T*& out() {
    drop(object_);
    object_ = nullptr;
    return object_;
  }
  T* _retn() {
    T* const object = object_;
    object_ = nullptr;
    return object;
  }

 private:
  T* object_ = nullptr;
};

// A reference inside a struct, union, exception or array.
template <typename T>
using ObjectMember = ObjectVar<T>;

// An out parameter: what it refers to is released and nil at once.
template <typename T>
class ObjectOut {
 public:
  ObjectOut(T*& object) : object_(object) { object_ = nullptr; }
  ObjectOut(ObjectVar<T>& object) : object_(object.out()) {}
  ObjectOut(const ObjectOut&) = default;
  // An element of a sequence of the same interface.
  template <typename Element,
            typename = decltype(static_cast<T**>(static_cast<typename Element::_corbel_object**>(nullptr)))>
  ObjectOut(Element&& element) : object_(element.out()) {}
  ObjectOut& operator=(const ObjectOut& other) {
    object_ = other.object_;
    return *this;
  }
  ObjectOut& operator=(T* adopted) {
    object_ = adopted;
    return *this;
  }
  template <typename Holder, typename Held = typename Holder::_corbel_object>
  ObjectOut& operator=(const Holder& copied) {
    object_ = corbel::cpp::duplicate<Held>(copied.in());
    return *this;
  }
  operator T*&() { return object_; }
  T*& ptr() { return object_; }
  T* operator->() const { return object_; }

 private:
  T*& object_;
};

}  // namespace corbel::cpp

namespace CORBA {

typedef corbel::cpp::ObjectVar<Object> Object_var;
typedef corbel::cpp::ObjectOut<Object> Object_out;

// Every interface class derives from it. Counted: _duplicate adds, CORBA::release removes a count.
class [[gnu::visibility("default")]] Object {
 public:
  typedef Object_ptr _ptr_type;
  typedef Object_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/CORBA/Object:1.0";

  static Object_ptr _duplicate(Object_ptr object);
  static Object_ptr _narrow(Object_ptr object) { return _duplicate(object); }
  static Object_ptr _unchecked_narrow(Object_ptr object) { return _duplicate(object); }
  static Object_ptr _nil() { return nullptr; }

  // Answered here if it can be, else the object is asked; a positive answer is remembered.
  Boolean _is_a(const char* repository_id);
  // True if the object is known not to exist; a failure to reach it is raised.
  Boolean _non_existent();
  Boolean _not_existent() { return _non_existent(); }
  // True if both surely denote one object; false does not mean the contrary.
  Boolean _is_equivalent(Object_ptr other);
  ULong _hash(ULong maximum);
  // Most derived repository id, asked of the object if the reference does not carry it. The caller frees it.
  char* _repository_id();

  // That of the reference; of a local object the one without a name, else the oldest. OBJECT_NOT_EXIST if it
  // is destroyed. The caller releases it.
  ORB_ptr _get_orb();

  // The component that the object is a part of, or nil. The caller releases it.
  Object_ptr _get_component();
  // What the interface repository that the object's ORB knows says of its interface; INTF_REPOS if there is
  // none, or nothing in it. The class stands in <corbel/idl/ir.stub.h>, and Corbel::cos has this. The caller
  // releases it.
  InterfaceDef_ptr _get_interface();

  // ---- policies of calls; Corbel::messaging has them, <corbel/messaging.h> says more

  // Another reference to the object, whose calls have these policies too, or only these (SET_OVERRIDE).
  // Raises InvalidPolicies, NO_PERMISSION for a policy that references cannot have, BAD_PARAM for two of one
  // type.
  Object_ptr _set_policy_overrides(const PolicyList& policies, SetOverrideType set_add);
  // Those of these types that this reference was given, or all of them.
  PolicyList* _get_policy_overrides(const PolicyTypeSeq& types);
  // What calls through this reference have: by the reference, the thread, the ORB or by default; nil for
  // none.
  Policy_ptr _get_client_policy(PolicyType type);
  // The same together with what the server's reference says. INV_POLICY where the two exclude each other.
  Policy_ptr _get_policy(PolicyType type);
  // Binds the reference, anew if need be and whatever its RebindPolicy. False, with the policies that are to
  // blame, if no call could be made with those that it has; other failures are raised.
  Boolean _validate_connection(
      corbel::cpp::VariableOut<PolicyList, corbel::cpp::SequenceVar<PolicyList>> inconsistent_policies);

  // ---- calls of operations that this program has no stub for; Corbel::dynamic has them, <corbel/dynamic.h>
  // says more

  // What the request is made of is shared with it, not copied; nil stands for none. The caller releases the
  // request. BAD_PARAM for an empty name, INV_FLAG for other flags than OUT_LIST_MEMORY and IN_COPY_VALUE
  // (neither changes anything), NO_IMPLEMENT for a local object.
  void _create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                       corbel::cpp::ObjectOut<Request> request, Flags flags);
  void _create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                       ExceptionList* exceptions, ContextList* contexts,
                       corbel::cpp::ObjectOut<Request> request, Flags flags);
  // One that is still to be given its arguments. The caller releases it.
  Request* _request(const char* operation);

  // For the ORB.
  Object_ptr _corbel_interface();
  corbel::core::Reference* _corbel_reference() const { return reference_; }
  virtual void* _corbel_widen(const char* repository_id);
  // What makes two local objects the same one.
  virtual const void* _corbel_identity() const;
  virtual void _corbel_add_ref();
  virtual void _corbel_remove_ref();
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

 protected:
  Object() = default;
  // Takes over a count of `reference`.
  explicit Object(corbel::core::Reference* reference) : reference_(reference) {}
  virtual ~Object();
  ULong _corbel_count() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }

 private:
  corbel::core::Reference* reference_ = nullptr;
  ULong count_ = 1;
};

// Base of objects that exist in this process only and are called directly. Counted like references.
class [[gnu::visibility("default")]] LocalObject : public virtual Object {
 public:
  virtual void _add_ref() { _corbel_add_ref(); }
  virtual void _remove_ref() { _corbel_remove_ref(); }

 protected:
  LocalObject() = default;
};

}  // namespace CORBA

namespace corbel::cpp {

// Adds a count.
[[gnu::visibility("default")]] core::Reference* retain(core::Reference* reference);
[[gnu::visibility("default")]] bool same_id(const char* a, const char* b);

// What narrowing finds: the object itself as the class wanted, or what a proxy of it is to be made of, either
// with a count for the caller; neither if it is of another type.
struct Narrowed {
  void* object;
  core::Reference* reference;
};
// Asks the object if need be; failures of the question are raised.
[[gnu::visibility("default")]] Narrowed find_narrowed(CORBA::Object_ptr object, const char* repository_id,
                                                      bool ask);

template <typename T>
T* ObjectTraits<T>::make(core::Reference* reference) {
  return reference ? new T(reference) : nullptr;
}
template <typename T>
T* unchecked_narrow(CORBA::Object_ptr object) {
  const Narrowed found = find_narrowed(object, T::_corbel_id, false);
  return found.object ? static_cast<T*>(found.object) : ObjectTraits<T>::make(found.reference);
}
template <typename T>
T* narrow(CORBA::Object_ptr object) {
  const Narrowed found = find_narrowed(object, T::_corbel_id, true);
  return found.object ? static_cast<T*>(found.object) : ObjectTraits<T>::make(found.reference);
}

// The same of a local interface, which no reference leads to.
template <typename T>
T* narrow_local(CORBA::Object_ptr object) {
  void* const p = object ? object->_corbel_widen(T::_corbel_id) : nullptr;
  return p ? T::_duplicate(static_cast<T*>(p)) : nullptr;
}

// Writes a reference, nil included; a local object is refused with MARSHAL, OMG minor 4.
[[gnu::visibility("default")]] void put_object(cdr::Encoder& out, CORBA::Object_ptr object);
// What never travels is refused with MARSHAL, OMG minor 4.
[[gnu::visibility("default")]] void put_local(cdr::Encoder& out);
// Reads one. `reference` is null for nil; the caller takes over its count. False if malformed.
[[gnu::visibility("default")]] bool get_reference(cdr::Decoder& in, core::Reference*& reference);
[[gnu::visibility("default")]] CORBA::Object_ptr make_object(core::Reference* adopted);
template <>
inline CORBA::Object* ObjectTraits<CORBA::Object>::make(core::Reference* reference) {
  return make_object(reference);
}

template <typename T>
void ObjectTraits<T>::put(cdr::Encoder& out, T* object) {
  put_object(out, static_cast<CORBA::Object_ptr>(object));
}
template <typename T>
void put_object(cdr::Encoder& out, T* object) {
  ObjectTraits<T>::put(out, object);
}
template <typename T>
void put_object(cdr::Encoder& out, const ObjectVar<T>& object) {
  ObjectTraits<T>::put(out, object.in());
}

// A class that is local has no proxies: of its objects, only nil arrives.
template <typename T>
bool ObjectTraits<T>::get(cdr::Decoder& in, T*& result) {
  core::Reference* reference;
  if (!get_reference(in, reference)) return false;
  if constexpr (__is_constructible(T, core::Reference*)) {
    result = make(reference);
    return true;
  } else {
    result = nullptr;
    return !reference || (cpp::drop(make_object(reference)), in.fail());
  }
}
template <>
inline bool ObjectTraits<CORBA::Object>::get(cdr::Decoder& in, CORBA::Object*& result) {
  core::Reference* reference;
  if (!get_reference(in, reference)) return false;
  result = make(reference);
  return true;
}

// Reads a reference in place of the one that is there.
template <typename T>
bool get_reference(cdr::Decoder& in, T*& object) {
  T* fresh = nullptr;
  if (!ObjectTraits<T>::get(in, fresh)) return false;
  drop(object);
  object = fresh;
  return true;
}
template <typename T>
bool get_reference(cdr::Decoder& in, ObjectVar<T>& object) {
  return get_reference(in, object.inout());
}

// What resolve_initial_references gives for a name that another library implements; that library's _narrow
// makes the real object of it.
class [[gnu::visibility("default")]] Placeholder : public CORBA::LocalObject {
 public:
  static constexpr const char* _corbel_id = "corbel:placeholder";
  // Both outlive the placeholder.
  Placeholder(const char* name, core::Orb& orb);
  ~Placeholder() override;
  const char* name() const { return name_; }
  core::Orb& orb() const { return *orb_; }
  void* _corbel_widen(const char* repository_id) override;

 private:
  const char* name_;
  core::Orb* orb_;
};

}  // namespace corbel::cpp
