// Servants (OMG C++ mapping 1.3, "Mapping of PortableServer").
#pragma once

#include <corbel/cpp/object.h>
#include <corbel/cpp/skeleton.h>

namespace PortableServer {

class ObjectId;
class POA;

// Base of all skeletons. Counted from 1: the adapter holds a count while the servant is active, _remove_ref()
// drops the maker's. Operations may run in several threads at once.
class [[gnu::visibility("default")]] ServantBase : public corbel::core::Servant {
 public:
  virtual ~ServantBase();

  virtual void _add_ref();
  virtual void _remove_ref();
  virtual CORBA::ULong _refcount_value() const;

  // Adapter of implicit activation: the root adapter unless overridden. The caller releases it.
  virtual POA* _default_POA();
  virtual CORBA::Boolean _is_a(const char* repository_id) = 0;
  virtual CORBA::Boolean _non_existent() { return false; }
  // Null if that depends on the object, and the servant is not serving one.
  virtual const char* _interface_repository_id() const = 0;

  // For the ORB and generated code.
  virtual void _dispatch(corbel::cpp::Upcall& call) = 0;
  // The repository id of this object where _interface_repository_id() is null. The caller frees it.
  virtual char* _corbel_interface_of(const ObjectId& id, POA* poa);
  virtual corbel::core::CollocatedServant _corbel_collocated(const char* interface);
  // Whether interceptors are to wait until it has asked for the operation's arguments (ServerRequest).
  virtual CORBA::Boolean _corbel_asks_for_arguments(const char* operation) const;
  // Answers _is_a, _non_existent and the like; else raises BAD_OPERATION.
  void unknown_operation(corbel::cpp::Upcall& call);

 protected:
  ServantBase();
  ServantBase(const ServantBase&);
  ServantBase& operator=(const ServantBase&) { return *this; }

 private:
  CORBA::ULong count_ = 1;
};

typedef ServantBase* Servant;

// Counting is on in every servant; the name is there for code written when it was not.
class RefCountServantBase : public virtual ServantBase {};

// Owns a count of a servant.
template <typename T>
class Servant_var {
 public:
  Servant_var() = default;
  Servant_var(T* adopted) : servant_(adopted) {}
  Servant_var(const Servant_var& other) : servant_(_duplicate(other.servant_)) {}
  template <typename Derived>
  Servant_var(const Servant_var<Derived>& other) : servant_(_duplicate(other.in())) {}
  ~Servant_var() {
    if (servant_) servant_->_remove_ref();
  }
  Servant_var& operator=(T* adopted) {
    T* const old = servant_;
    servant_ = adopted;
    if (old) old->_remove_ref();
    return *this;
  }
  Servant_var& operator=(const Servant_var& other) { return *this = _duplicate(other.servant_); }
  template <typename Derived>
  Servant_var& operator=(const Servant_var<Derived>& other) {
    return *this = _duplicate(other.in());
  }
  // Adds a count; null is allowed.
  static T* _duplicate(T* servant) {
    if (servant) servant->_add_ref();
    return servant;
  }
  T* operator->() const { return servant_; }
  T& operator*() const { return *servant_; }
  operator T*() const { return servant_; }
  operator T*&() { return servant_; }
  T* in() const { return servant_; }
  T*& inout() { return servant_; }
  T*& out() {
    *this = static_cast<T*>(nullptr);
    return servant_;
  }
  T* _retn() {
    T* const servant = servant_;
    servant_ = nullptr;
    return servant;
  }

 private:
  T* servant_ = nullptr;
};
typedef Servant_var<ServantBase> ServantBase_var;

}  // namespace PortableServer

namespace corbel::cpp {

// The reference behind _this(): inside an upcall of the servant its target, else by the default adapter,
// which activates the servant if its policies say so. The caller releases it.
[[gnu::visibility("default")]] CORBA::Object_ptr servant_reference(PortableServer::ServantBase* servant);

template <typename T>
T* servant_this(PortableServer::ServantBase* servant) {
  CORBA::Object_var object = servant_reference(servant);
  return unchecked_narrow<T>(object.in());
}

}  // namespace corbel::cpp
