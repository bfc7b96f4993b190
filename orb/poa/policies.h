// The policies of an adapter (CORBA 3.4 part 1, "POA Policy Objects").
#pragma once

#include <cstdint>
#include <vector>

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
};
enum class Thread : std::uint32_t { OrbControlled, SingleThread, MainThread };
enum class Lifespan : std::uint32_t { Transient, Persistent };
enum class IdUniqueness : std::uint32_t { Unique, Multiple };
enum class IdAssignment : std::uint32_t { User, System };
enum class ImplicitActivation : std::uint32_t { Yes, No };
enum class ServantRetention : std::uint32_t { Retain, NonRetain };
enum class RequestProcessing : std::uint32_t { ActiveObjectMapOnly, DefaultServant, ServantManager };

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
  bool operator==(const Policies&) const = default;
};

// True: `policies` is what the list says. False: the list contradicts itself, or asks for what there is not
// (servant managers, threads other than ORB_CTRL_MODEL); `bad_index` is the place of a policy that is to
// blame.
bool read_policies(const std::vector<PolicyValue>& list, Policies& policies, std::uint16_t& bad_index);

}  // namespace corbel::poa
