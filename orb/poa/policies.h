// The policies of an adapter (CORBA 3.4 part 1, "POA Policy Objects").
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <corbel/core/key_format.h>

#include "orb/core/options.h"
#include "orb/ior/assigned.h"

namespace corbel::poa {

// OMG's policy types and, in the order of their enumerators, values.
enum class PolicyType : std::uint32_t {
  Thread = 16,
  Lifespan = 17,
  IdUniqueness = 18,
  IdAssignment = 19,
  ImplicitActivation = 20,
  ServantRetention = 21,
  RequestProcessing = 22,
  Bidirectional = 37,
  ObjectDemultiplexing = assigned::kPolicyObjectDemultiplexing,
  KeyFormat = assigned::kPolicyKeyFormat,
};
enum class Thread : std::uint32_t { OrbControlled, SingleThread, MainThread };
enum class Lifespan : std::uint32_t { Transient, Persistent };
enum class IdUniqueness : std::uint32_t { Unique, Multiple };
enum class IdAssignment : std::uint32_t { User, System };
enum class ImplicitActivation : std::uint32_t { Yes, No };
enum class ServantRetention : std::uint32_t { Retain, NonRetain };
enum class Bidirectional : std::uint32_t { Normal, Both };
enum class RequestProcessing : std::uint32_t { ActiveObjectMapOnly, DefaultServant, ServantManager };

// How objects are found. Default is Active for transient objects with system ids, VerifiedActive for others.
using core::ObjectDemultiplexing;
class PerfectIds;

struct PolicyValue {
  PolicyType type;
  std::uint32_t value;
};

// What an adapter does; false everywhere but `retain` is what an empty policy list means.
struct Policies {
  bool persistent = false;
  bool user_id = false;
  bool multiple_id = false;
  bool retain = true;
  bool implicit_activation = false;
  bool default_servant = false;
  bool bidirectional = false;
  bool servant_manager = false;
  Thread thread = Thread::OrbControlled;
  ObjectDemultiplexing demultiplexing = ObjectDemultiplexing::Default;
  std::shared_ptr<const PerfectIds> perfect_ids{};  // with PerfectHash
  KeyFormat key_format = KeyFormat::Corbel;         // of a persistent one
  bool operator==(const Policies&) const = default;
};

// True: `policies` is what the list says; the format of keys it keeps where the list says nothing. False: the
// list contradicts itself; `bad_index` is the place of a policy that is to blame.
bool read_policies(const std::vector<PolicyValue>& list, Policies& policies, std::uint16_t& bad_index);

// Whether adapters with these policies can find their objects so.
bool allows(const Policies& policies, ObjectDemultiplexing how);
// The same policies, with `how` where they say nothing and allow it.
Policies with_default(Policies policies, ObjectDemultiplexing how);

}  // namespace corbel::poa
