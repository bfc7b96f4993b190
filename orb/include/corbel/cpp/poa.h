// The Portable Object Adapter (CORBA 3.4 part 1, chapter "Portable Object Adapter").
//
// Everything here is thread-safe.
#pragma once

#include <corbel/cpp/octet_seq.h>
#include <corbel/cpp/orb.h>
#include <corbel/cpp/policy.h>
#include <corbel/cpp/servant.h>

namespace corbel::poa {
class Adapter;
class Manager;
}  // namespace corbel::poa

namespace PortableServer {

class [[gnu::visibility("default")]] ObjectId : public corbel::cpp::UnboundedSequence<CORBA::Octet> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<ObjectId> ObjectId_var;
typedef corbel::cpp::VariableOut<ObjectId, ObjectId_var> ObjectId_out;

// The octets as text, BAD_PARAM if one of them is zero; and back. The caller frees the result.
[[gnu::visibility("default")]] char* ObjectId_to_string(const ObjectId& id);
[[gnu::visibility("default")]] ObjectId* string_to_ObjectId(const char* text);
// The same of wide strings, whose characters stand in the id as they do in memory.
[[gnu::visibility("default")]] CORBA::WChar* ObjectId_to_wstring(const ObjectId& id);
[[gnu::visibility("default")]] ObjectId* wstring_to_ObjectId(const CORBA::WChar* text);

enum ThreadPolicyValue { ORB_CTRL_MODEL, SINGLE_THREAD_MODEL, MAIN_THREAD_MODEL };
enum LifespanPolicyValue { TRANSIENT, PERSISTENT };
enum IdUniquenessPolicyValue { UNIQUE_ID, MULTIPLE_ID };
enum IdAssignmentPolicyValue { USER_ID, SYSTEM_ID };
enum ImplicitActivationPolicyValue { IMPLICIT_ACTIVATION, NO_IMPLICIT_ACTIVATION };
enum ServantRetentionPolicyValue { RETAIN, NON_RETAIN };
enum RequestProcessingPolicyValue { USE_ACTIVE_OBJECT_MAP_ONLY, USE_DEFAULT_SERVANT, USE_SERVANT_MANAGER };

// One kind of policy: an immutable value. Self is the policy's class.
template <typename Self, typename Value, CORBA::PolicyType Type>
class ValuePolicy : public CORBA::Policy {
 public:
  typedef Self* _ptr_type;
  typedef corbel::cpp::ObjectVar<Self> _var_type;
  explicit ValuePolicy(Value value) : value_(value) {}
  static Self* _duplicate(Self* policy) { return corbel::cpp::duplicate(policy); }
  // Nil if the object is no policy of this type.
  static Self* _narrow(CORBA::Object_ptr object) {
    CORBA::Policy_var policy = CORBA::Policy::_narrow(object);
    return policy.in() && policy->policy_type() == Type ? static_cast<Self*>(policy._retn()) : nullptr;
  }
  static Self* _nil() { return nullptr; }
  Value value() const { return value_; }
  CORBA::PolicyType policy_type() override { return Type; }
  CORBA::Policy_ptr copy() override { return new Self(value_); }
  void destroy() override {}
  CORBA::ULong _corbel_value() const override { return value_; }

 private:
  const Value value_;
};

class [[gnu::visibility("default")]] ThreadPolicy : public ValuePolicy<ThreadPolicy, ThreadPolicyValue, 16> {
 public:
  using ValuePolicy::ValuePolicy;
};
typedef ThreadPolicy* ThreadPolicy_ptr;
typedef corbel::cpp::ObjectVar<ThreadPolicy> ThreadPolicy_var;
typedef corbel::cpp::ObjectOut<ThreadPolicy> ThreadPolicy_out;

class [[gnu::visibility("default")]] LifespanPolicy
    : public ValuePolicy<LifespanPolicy, LifespanPolicyValue, 17> {
 public:
  using ValuePolicy::ValuePolicy;
};
typedef LifespanPolicy* LifespanPolicy_ptr;
typedef corbel::cpp::ObjectVar<LifespanPolicy> LifespanPolicy_var;
typedef corbel::cpp::ObjectOut<LifespanPolicy> LifespanPolicy_out;

class [[gnu::visibility("default")]] IdUniquenessPolicy
    : public ValuePolicy<IdUniquenessPolicy, IdUniquenessPolicyValue, 18> {
 public:
  using ValuePolicy::ValuePolicy;
};
typedef IdUniquenessPolicy* IdUniquenessPolicy_ptr;
typedef corbel::cpp::ObjectVar<IdUniquenessPolicy> IdUniquenessPolicy_var;
typedef corbel::cpp::ObjectOut<IdUniquenessPolicy> IdUniquenessPolicy_out;

class [[gnu::visibility("default")]] IdAssignmentPolicy
    : public ValuePolicy<IdAssignmentPolicy, IdAssignmentPolicyValue, 19> {
 public:
  using ValuePolicy::ValuePolicy;
};
typedef IdAssignmentPolicy* IdAssignmentPolicy_ptr;
typedef corbel::cpp::ObjectVar<IdAssignmentPolicy> IdAssignmentPolicy_var;
typedef corbel::cpp::ObjectOut<IdAssignmentPolicy> IdAssignmentPolicy_out;

class [[gnu::visibility("default")]] ImplicitActivationPolicy
    : public ValuePolicy<ImplicitActivationPolicy, ImplicitActivationPolicyValue, 20> {
 public:
  using ValuePolicy::ValuePolicy;
};
typedef ImplicitActivationPolicy* ImplicitActivationPolicy_ptr;
typedef corbel::cpp::ObjectVar<ImplicitActivationPolicy> ImplicitActivationPolicy_var;
typedef corbel::cpp::ObjectOut<ImplicitActivationPolicy> ImplicitActivationPolicy_out;

class [[gnu::visibility("default")]] ServantRetentionPolicy
    : public ValuePolicy<ServantRetentionPolicy, ServantRetentionPolicyValue, 21> {
 public:
  using ValuePolicy::ValuePolicy;
};
typedef ServantRetentionPolicy* ServantRetentionPolicy_ptr;
typedef corbel::cpp::ObjectVar<ServantRetentionPolicy> ServantRetentionPolicy_var;
typedef corbel::cpp::ObjectOut<ServantRetentionPolicy> ServantRetentionPolicy_out;

class [[gnu::visibility("default")]] RequestProcessingPolicy
    : public ValuePolicy<RequestProcessingPolicy, RequestProcessingPolicyValue, 22> {
 public:
  using ValuePolicy::ValuePolicy;
};
typedef RequestProcessingPolicy* RequestProcessingPolicy_ptr;
typedef corbel::cpp::ObjectVar<RequestProcessingPolicy> RequestProcessingPolicy_var;
typedef corbel::cpp::ObjectOut<RequestProcessingPolicy> RequestProcessingPolicy_out;

// See poa_callbacks.h.
class ServantManager;
typedef ServantManager* ServantManager_ptr;
typedef corbel::cpp::ObjectVar<ServantManager> ServantManager_var;
typedef corbel::cpp::ObjectOut<ServantManager> ServantManager_out;
class ServantActivator;
typedef ServantActivator* ServantActivator_ptr;
typedef corbel::cpp::ObjectVar<ServantActivator> ServantActivator_var;
typedef corbel::cpp::ObjectOut<ServantActivator> ServantActivator_out;
class ServantLocator;
typedef ServantLocator* ServantLocator_ptr;
typedef corbel::cpp::ObjectVar<ServantLocator> ServantLocator_var;
typedef corbel::cpp::ObjectOut<ServantLocator> ServantLocator_out;

class AdapterActivator;
typedef AdapterActivator* AdapterActivator_ptr;
typedef corbel::cpp::ObjectVar<AdapterActivator> AdapterActivator_var;
typedef corbel::cpp::ObjectOut<AdapterActivator> AdapterActivator_out;

class POAManager;
typedef POAManager* POAManager_ptr;
typedef corbel::cpp::ObjectVar<POAManager> POAManager_var;
typedef corbel::cpp::ObjectOut<POAManager> POAManager_out;

class [[gnu::visibility("default")]] POAManager : public CORBA::LocalObject {
 public:
  typedef POAManager_ptr _ptr_type;
  typedef POAManager_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/PortableServer/POAManager:1.0";
  static POAManager_ptr _duplicate(POAManager_ptr manager) { return corbel::cpp::duplicate(manager); }
  static POAManager_ptr _narrow(CORBA::Object_ptr object);
  static POAManager_ptr _nil() { return nullptr; }

  enum State { HOLDING, ACTIVE, DISCARDING, INACTIVE };
  class AdapterInactive : public corbel::cpp::LocalException<AdapterInactive> {
   public:
    static constexpr const char* kName = "AdapterInactive";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/POAManager/AdapterInactive:1.0";
  };

  // The waiting forms return when no request runs any more, or the state has changed again; from an upcall of
  // the ORB they raise BAD_INV_ORDER.
  void activate();
  void hold_requests(CORBA::Boolean wait_for_completion);
  void discard_requests(CORBA::Boolean wait_for_completion);
  void deactivate(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion);
  State get_state();
  // By which the factory knows it. The caller frees it.
  char* get_id();

  // Takes over a count of the manager, adds one to its ORB.
  POAManager(corbel::poa::Manager* manager, corbel::core::Orb* orb);
  ~POAManager() override;
  corbel::poa::Manager& _corbel_manager() const { return *manager_; }
  corbel::core::Orb& _corbel_orb() const { return *orb_; }
  void* _corbel_widen(const char* repository_id) override;
  const void* _corbel_identity() const override;

 private:
  corbel::poa::Manager* manager_;
  corbel::core::Orb* orb_;
};

class [[gnu::visibility("default")]] POAManagerFactory : public CORBA::LocalObject {
 public:
  typedef POAManagerFactory* _ptr_type;
  typedef corbel::cpp::ObjectVar<POAManagerFactory> _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/PortableServer/POAManagerFactory:1.0";
  static POAManagerFactory* _duplicate(POAManagerFactory* factory) { return corbel::cpp::duplicate(factory); }
  static POAManagerFactory* _narrow(CORBA::Object_ptr object) {
    return corbel::cpp::narrow_local<POAManagerFactory>(object);
  }
  static POAManagerFactory* _nil() { return nullptr; }
  void* _corbel_widen(const char* repository_id) override;

  class [[gnu::visibility("default")]] POAManagerSeq
      : public corbel::cpp::UnboundedObjectSequence<POAManager> {
   public:
    using UnboundedObjectSequence::UnboundedObjectSequence;
  };
  typedef corbel::cpp::SequenceVar<POAManagerSeq> POAManagerSeq_var;
  typedef corbel::cpp::VariableOut<POAManagerSeq, POAManagerSeq_var> POAManagerSeq_out;
  class ManagerAlreadyExists : public corbel::cpp::LocalException<ManagerAlreadyExists> {
   public:
    static constexpr const char* kName = "ManagerAlreadyExists";
    static constexpr const char* kId =
        "IDL:omg.org/PortableServer/POAManagerFactory/ManagerAlreadyExists:1.0";
  };

  // No policies of managers are known: one in the list raises PolicyError. A manager is known until the last
  // of its adapters has gone.
  POAManager_ptr create_POAManager(const char* id, const CORBA::PolicyList& policies);
  POAManagerSeq* list();
  // Nil if there is none of this id.
  POAManager_ptr find(const char* id);

  // Adds a count to the ORB.
  explicit POAManagerFactory(corbel::core::Orb* orb);
  ~POAManagerFactory() override;

 private:
  corbel::core::Orb* orb_;
};
typedef POAManagerFactory* POAManagerFactory_ptr;
typedef corbel::cpp::ObjectVar<POAManagerFactory> POAManagerFactory_var;
typedef corbel::cpp::ObjectOut<POAManagerFactory> POAManagerFactory_out;

typedef POA* POA_ptr;
typedef corbel::cpp::ObjectVar<POA> POA_var;
typedef corbel::cpp::ObjectOut<POA> POA_out;

class [[gnu::visibility("default")]] POAList : public corbel::cpp::UnboundedObjectSequence<POA> {
 public:
  using UnboundedObjectSequence::UnboundedObjectSequence;
};
typedef corbel::cpp::SequenceVar<POAList> POAList_var;
typedef corbel::cpp::VariableOut<POAList, POAList_var> POAList_out;

class [[gnu::visibility("default")]] POA : public CORBA::LocalObject {
 public:
  typedef POA_ptr _ptr_type;
  typedef POA_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/PortableServer/POA:1.0";
  static POA_ptr _duplicate(POA_ptr poa) { return corbel::cpp::duplicate(poa); }
  // Makes the adapter of a name that resolve_initial_references gave.
  static POA_ptr _narrow(CORBA::Object_ptr object);
  static POA_ptr _unchecked_narrow(CORBA::Object_ptr object) { return _narrow(object); }
  static POA_ptr _nil() { return nullptr; }

  class AdapterAlreadyExists : public corbel::cpp::LocalException<AdapterAlreadyExists> {
   public:
    static constexpr const char* kName = "AdapterAlreadyExists";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/POA/AdapterAlreadyExists:1.0";
  };
  class AdapterNonExistent : public corbel::cpp::LocalException<AdapterNonExistent> {
   public:
    static constexpr const char* kName = "AdapterNonExistent";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/POA/AdapterNonExistent:1.0";
  };
  class InvalidPolicy : public corbel::cpp::LocalException<InvalidPolicy> {
   public:
    static constexpr const char* kName = "InvalidPolicy";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/POA/InvalidPolicy:1.0";
    InvalidPolicy() = default;
    explicit InvalidPolicy(CORBA::UShort i) : index(i) {}
    CORBA::UShort index = 0;  // in the policy list
  };
  class NoServant : public corbel::cpp::LocalException<NoServant> {
   public:
    static constexpr const char* kName = "NoServant";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/POA/NoServant:1.0";
  };
  class ObjectAlreadyActive : public corbel::cpp::LocalException<ObjectAlreadyActive> {
   public:
    static constexpr const char* kName = "ObjectAlreadyActive";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/POA/ObjectAlreadyActive:1.0";
  };
  class ObjectNotActive : public corbel::cpp::LocalException<ObjectNotActive> {
   public:
    static constexpr const char* kName = "ObjectNotActive";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/POA/ObjectNotActive:1.0";
  };
  class ServantAlreadyActive : public corbel::cpp::LocalException<ServantAlreadyActive> {
   public:
    static constexpr const char* kName = "ServantAlreadyActive";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/POA/ServantAlreadyActive:1.0";
  };
  class ServantNotActive : public corbel::cpp::LocalException<ServantNotActive> {
   public:
    static constexpr const char* kName = "ServantNotActive";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/POA/ServantNotActive:1.0";
  };
  class WrongAdapter : public corbel::cpp::LocalException<WrongAdapter> {
   public:
    static constexpr const char* kName = "WrongAdapter";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/POA/WrongAdapter:1.0";
  };
  class WrongPolicy : public corbel::cpp::LocalException<WrongPolicy> {
   public:
    static constexpr const char* kName = "WrongPolicy";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/POA/WrongPolicy:1.0";
  };

  POA_ptr create_POA(const char* adapter_name, POAManager_ptr manager, const CORBA::PolicyList& policies);
  // With `activate_it` the activator is asked for one that is not there. Waits for one that it is making.
  POA_ptr find_POA(const char* adapter_name, CORBA::Boolean activate_it);
  // The children too. May be called again to wait; every other function then raises OBJECT_NOT_EXIST. With
  // waiting from an upcall of the ORB: BAD_INV_ORDER, and nothing changes.
  void destroy(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion);

  ThreadPolicy_ptr create_thread_policy(ThreadPolicyValue value) { return new ThreadPolicy(value); }
  LifespanPolicy_ptr create_lifespan_policy(LifespanPolicyValue value) { return new LifespanPolicy(value); }
  IdUniquenessPolicy_ptr create_id_uniqueness_policy(IdUniquenessPolicyValue value) {
    return new IdUniquenessPolicy(value);
  }
  IdAssignmentPolicy_ptr create_id_assignment_policy(IdAssignmentPolicyValue value) {
    return new IdAssignmentPolicy(value);
  }
  ImplicitActivationPolicy_ptr create_implicit_activation_policy(ImplicitActivationPolicyValue value) {
    return new ImplicitActivationPolicy(value);
  }
  ServantRetentionPolicy_ptr create_servant_retention_policy(ServantRetentionPolicyValue value) {
    return new ServantRetentionPolicy(value);
  }
  RequestProcessingPolicy_ptr create_request_processing_policy(RequestProcessingPolicyValue value) {
    return new RequestProcessingPolicy(value);
  }

  char* the_name();
  POA_ptr the_parent();
  POAList* the_children();
  POAManager_ptr the_POAManager();
  POAManagerFactory_ptr the_POAManagerFactory();
  // Nil if there is none.
  AdapterActivator_ptr the_activator();
  void the_activator(AdapterActivator_ptr activator);
  // Tells this adapter from every other one of the ORB.
  CORBA::OctetSeq* id();

  // A ServantActivator or, with NON_RETAIN, a ServantLocator; once only. Nil if none has been set.
  ServantManager_ptr get_servant_manager();
  void set_servant_manager(ServantManager_ptr manager);
  // The default servant; the caller of get_servant drops a count.
  Servant get_servant();
  void set_servant(Servant servant);

  ObjectId* activate_object(Servant servant);
  void activate_object_with_id(const ObjectId& id, Servant servant);
  // Returns at once; when the object's last request has ended, the servant activator etherealizes the servant
  // or, where there is none, the adapter drops its count.
  void deactivate_object(const ObjectId& id);

  CORBA::Object_ptr create_reference(const char* repository_id);
  CORBA::Object_ptr create_reference_with_id(const ObjectId& id, const char* repository_id);
  ObjectId* servant_to_id(Servant servant);
  CORBA::Object_ptr servant_to_reference(Servant servant);
  // The caller drops a count of the servant.
  Servant reference_to_servant(CORBA::Object_ptr reference);
  ObjectId* reference_to_id(CORBA::Object_ptr reference);
  Servant id_to_servant(const ObjectId& id);
  CORBA::Object_ptr id_to_reference(const ObjectId& id);

  // Takes over a count.
  explicit POA(corbel::poa::Adapter* adapter);
  ~POA() override;
  corbel::poa::Adapter& _corbel_adapter() const { return *adapter_; }
  void* _corbel_widen(const char* repository_id) override;
  const void* _corbel_identity() const override;

 private:
  corbel::poa::Adapter& live() const;
  corbel::poa::Adapter* adapter_;
  corbel::core::Orb* orb_;
};

class Current;
typedef Current* Current_ptr;
typedef corbel::cpp::ObjectVar<Current> Current_var;
typedef corbel::cpp::ObjectOut<Current> Current_out;

// Tells, inside an upcall, what it is an upcall of.
class [[gnu::visibility("default")]] Current : public CORBA::LocalObject {
 public:
  typedef Current_ptr _ptr_type;
  typedef Current_var _var_type;
  static constexpr const char* _corbel_id = "IDL:omg.org/PortableServer/Current:1.0";
  static Current_ptr _duplicate(Current_ptr current) { return corbel::cpp::duplicate(current); }
  static Current_ptr _narrow(CORBA::Object_ptr object);
  static Current_ptr _nil() { return nullptr; }
  void* _corbel_widen(const char* repository_id) override;

  // Outside of upcalls every function raises it.
  class NoContext : public corbel::cpp::LocalException<NoContext> {
   public:
    static constexpr const char* kName = "NoContext";
    static constexpr const char* kId = "IDL:omg.org/PortableServer/Current/NoContext:1.0";
  };

  POA_ptr get_POA();
  ObjectId* get_object_id();
  CORBA::Object_ptr get_reference();
  Servant get_servant();
};

}  // namespace PortableServer

namespace corbel::cpp {

// Requests for the plain key (corbaloc::HOST:PORT/KEY) are forwarded to `object` from now on; nil ends that.
// An object that is active in the omniINSPOA under the same key is hidden meanwhile.
[[gnu::visibility("default")]] void set_plain_reference(CORBA::ORB_ptr orb, const char* key,
                                                        CORBA::Object_ptr object);

}  // namespace corbel::cpp

namespace corbel::cdr {

inline void marshal(Encoder& out, const PortableServer::ObjectId& value) {
  out.put<CORBA::ULong>(value.length());
  out.run<1>(value.get_buffer(), value.length());
}
inline bool unmarshal(Decoder& in, PortableServer::ObjectId& value) {
  CORBA::ULong n;
  return in.get_length(n, 1) && in.get_run(value._corbel_overwrite(n), n);
}

}  // namespace corbel::cdr

#include <corbel/cpp/poa_callbacks.h>
