// What applications implement for an adapter: servant managers (CORBA 3.4 part 1, "ServantManager
// Interface").
//
// Functions are called by any thread of the ORB, in an adapter that is not single-threaded by several at
// once, with no lock of the ORB held. Whatever they throw becomes a system exception of the request.
#pragma once

#include <corbel/cpp/poa.h>

namespace PortableServer {

// Thrown by a servant manager: the caller of the request goes on with that object instead.
class [[gnu::visibility("default")]] ForwardRequest : public corbel::cpp::LocalException<ForwardRequest> {
 public:
  static constexpr const char* kName = "ForwardRequest";
  static constexpr const char* kId = "IDL:omg.org/PortableServer/ForwardRequest:1.0";
  ForwardRequest() = default;
  explicit ForwardRequest(CORBA::Object_ptr reference)
      : forward_reference(CORBA::Object::_duplicate(reference)) {}
  CORBA::Object_var forward_reference;
};

// The adapter counts the manager while it exists.
class [[gnu::visibility("default")]] ServantManager : public virtual CORBA::LocalObject {
 public:
  typedef ServantManager_ptr _ptr_type;
  typedef ServantManager_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/PortableServer/ServantManager:1.0";
  static ServantManager_ptr _duplicate(ServantManager_ptr manager) { return corbel::cpp::duplicate(manager); }
  static ServantManager_ptr _narrow(CORBA::Object_ptr object) {
    return corbel::cpp::narrow_local<ServantManager>(object);
  }
  static ServantManager_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* id) override {
    return corbel::cpp::same_id(id, _corbel_id) ? this : Object::_corbel_widen(id);
  }

 protected:
  ServantManager() = default;
};

// Makes servants for adapters with RETAIN. What concerns one id never happens at the same time.
class [[gnu::visibility("default")]] ServantActivator : public virtual ServantManager {
 public:
  typedef ServantActivator_ptr _ptr_type;
  typedef ServantActivator_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/PortableServer/ServantActivator:1.0";
  static ServantActivator_ptr _duplicate(ServantActivator_ptr manager) {
    return corbel::cpp::duplicate(manager);
  }
  static ServantActivator_ptr _narrow(CORBA::Object_ptr object) {
    return corbel::cpp::narrow_local<ServantActivator>(object);
  }
  static ServantActivator_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* id) override {
    return corbel::cpp::same_id(id, _corbel_id) ? this : ServantManager::_corbel_widen(id);
  }

  // The servant comes with a count of its own. May throw ForwardRequest.
  virtual Servant incarnate(const ObjectId& oid, POA_ptr adapter) = 0;
  // Nothing runs in the object any more. Drops the adapter's count: serv->_remove_ref().
  virtual void etherealize(const ObjectId& oid, POA_ptr adapter, Servant serv,
                           CORBA::Boolean cleanup_in_progress, CORBA::Boolean remaining_activations) = 0;

 protected:
  ServantActivator() = default;
};

// Gives a servant for one request, to adapters with NON_RETAIN.
class [[gnu::visibility("default")]] ServantLocator : public virtual ServantManager {
 public:
  typedef ServantLocator_ptr _ptr_type;
  typedef ServantLocator_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/PortableServer/ServantLocator:1.0";
  static ServantLocator_ptr _duplicate(ServantLocator_ptr manager) { return corbel::cpp::duplicate(manager); }
  static ServantLocator_ptr _narrow(CORBA::Object_ptr object) {
    return corbel::cpp::narrow_local<ServantLocator>(object);
  }
  static ServantLocator_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* id) override {
    return corbel::cpp::same_id(id, _corbel_id) ? this : ServantManager::_corbel_widen(id);
  }

  typedef void* Cookie;
  // The adapter does not count the servant. May throw ForwardRequest.
  virtual Servant preinvoke(const ObjectId& oid, POA_ptr adapter, const char* operation,
                            Cookie& the_cookie) = 0;
  // By the same thread when the operation has ended, with what preinvoke left. Its exception takes the place
  // of the reply.
  virtual void postinvoke(const ObjectId& oid, POA_ptr adapter, const char* operation, Cookie the_cookie,
                          Servant the_servant) = 0;

 protected:
  ServantLocator() = default;
};

// Makes adapters when requests, or find_POA, want them.
class [[gnu::visibility("default")]] AdapterActivator : public virtual CORBA::LocalObject {
 public:
  typedef AdapterActivator_ptr _ptr_type;
  typedef AdapterActivator_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/PortableServer/AdapterActivator:1.0";
  static AdapterActivator_ptr _duplicate(AdapterActivator_ptr activator) {
    return corbel::cpp::duplicate(activator);
  }
  static AdapterActivator_ptr _narrow(CORBA::Object_ptr object) {
    return corbel::cpp::narrow_local<AdapterActivator>(object);
  }
  static AdapterActivator_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* id) override {
    return corbel::cpp::same_id(id, _corbel_id) ? this : Object::_corbel_widen(id);
  }

  // Makes the child of this name, if there is to be one, and tells whether it has. Requests for it and all
  // below it wait until this has returned. An exception: OBJ_ADAPTER for whoever wanted it.
  virtual CORBA::Boolean unknown_adapter(POA_ptr parent, const char* name) = 0;

 protected:
  AdapterActivator() = default;
};

}  // namespace PortableServer
