// What all tie classes share (OMG C++ mapping 1.3, "Delegation-Based Interface Implementation").
#pragma once

#include <corbel/cpp/poa.h>

namespace corbel::cpp {

// A servant that hands every operation on to an object of a class that knows nothing of CORBA. The generated
// class adds the operations. As safe between threads as the tied object; _tied_object(x) and _is_owner(x) are
// not for a servant that is being called.
template <typename Skeleton, typename T>
class Tie : public Skeleton {
 public:
  explicit Tie(T& object) : object_(&object) {}
  Tie(T& object, PortableServer::POA* poa) : object_(&object), poa_(PortableServer::POA::_duplicate(poa)) {}
  explicit Tie(T* object, CORBA::Boolean release = true) : object_(object), owner_(release) {}
  Tie(T* object, PortableServer::POA* poa, CORBA::Boolean release = true)
      : object_(object), poa_(PortableServer::POA::_duplicate(poa)), owner_(release) {}
  ~Tie() override {
    if (owner_) delete object_;
  }
  Tie(const Tie&) = delete;
  Tie& operator=(const Tie&) = delete;

  T* _tied_object() { return object_; }
  void _tied_object(T& object) { replace(&object, false); }
  void _tied_object(T* object, CORBA::Boolean release = true) { replace(object, release); }
  CORBA::Boolean _is_owner() { return owner_; }
  void _is_owner(CORBA::Boolean release) { owner_ = release; }

  PortableServer::POA* _default_POA() override {
    if (!poa_.in()) return PortableServer::ServantBase::_default_POA();
    return PortableServer::POA::_duplicate(poa_.in());
  }

 private:
  void replace(T* object, bool owner) {
    if (owner_ && object_ != object) delete object_;
    object_ = object;
    owner_ = owner;
  }

  T* object_;
  PortableServer::POA_var poa_;
  bool owner_ = false;
};

}  // namespace corbel::cpp
