// How an object adapter finds the objects of its requests: a policy of Corbel's own, in the library
// Corbel::poa.
#pragma once

#include <memory>
#include <vector>

#include <corbel/cpp/poa.h>

namespace corbel::poa {
class PerfectIds;
}  // namespace corbel::poa

namespace corbel {

// All but linear take the same time for any number of objects.
enum class ObjectDemultiplexing : CORBA::ULong {
  // The ids one after the other, under the adapter's lock. A yardstick.
  linear = 1,
  // A hash table that grows a little with each activation.
  hash,
  // A table without collisions, made of the ids when the policy is made.
  perfect_hash,
  // The id of an object names its slot and the slot's generation. For TRANSIENT adapters with SYSTEM_ID,
  // whose
  // default it is.
  active,
  // Object keys carry a hint, the id's hash, and the id found so is compared; ids that this start of the
  // server
  // made name their slots. The default of all other adapters.
  verified_active,
};

// Given to create_POA among the other policies. InvalidPolicy where they contradict it: any value with
// NON_RETAIN, `active` with USER_ID or PERSISTENT, `perfect_hash` with SYSTEM_ID. Immutable; any thread may
// use it.
class [[gnu::visibility("default")]] ObjectDemultiplexingPolicy : public CORBA::Policy {
 public:
  typedef ObjectDemultiplexingPolicy* _ptr_type;
  typedef cpp::ObjectVar<ObjectDemultiplexingPolicy> _var_type;
  static constexpr const char* _corbel_id = "IDL:corbel/ObjectDemultiplexingPolicy:1.0";
  static constexpr CORBA::PolicyType kType = 0x43420101;

  // BAD_PARAM for perfect_hash, which needs ids.
  explicit ObjectDemultiplexingPolicy(ObjectDemultiplexing value);
  // perfect_hash over these ids: to activate an object with another one raises BAD_PARAM. BAD_PARAM if no
  // perfect hash is found. Takes some 0.3 microseconds an id.
  explicit ObjectDemultiplexingPolicy(const std::vector<PortableServer::ObjectId>& ids);

  static ObjectDemultiplexingPolicy* _duplicate(ObjectDemultiplexingPolicy* policy) {
    return cpp::duplicate(policy);
  }
  // Nil if the object is no such policy.
  static ObjectDemultiplexingPolicy* _narrow(CORBA::Object_ptr object) {
    return cpp::narrow_local<ObjectDemultiplexingPolicy>(object);
  }
  static ObjectDemultiplexingPolicy* _nil() { return nullptr; }
  void* _corbel_widen(const char* repository_id) override;

  ObjectDemultiplexing value() const { return value_; }
  CORBA::PolicyType policy_type() override { return kType; }
  CORBA::Policy_ptr copy() override;
  void destroy() override {}
  CORBA::ULong _corbel_value() const override { return static_cast<CORBA::ULong>(value_); }
  const std::shared_ptr<const poa::PerfectIds>& _corbel_ids() const { return ids_; }

 private:
  ObjectDemultiplexingPolicy(ObjectDemultiplexing value, std::shared_ptr<const poa::PerfectIds> ids);

  const ObjectDemultiplexing value_;
  const std::shared_ptr<const poa::PerfectIds> ids_;
};
typedef ObjectDemultiplexingPolicy* ObjectDemultiplexingPolicy_ptr;
typedef cpp::ObjectVar<ObjectDemultiplexingPolicy> ObjectDemultiplexingPolicy_var;

}  // namespace corbel
