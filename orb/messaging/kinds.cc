// The kinds of policies: how each is made of a value, and what it says of calls.
#include <map>
#include <mutex>
#include <set>

#include <corbel/cpp/poa.h>

#include "orb/base/mutex.h"
#include "orb/core/adapter_policies.h"
#include "orb/messaging/overrides.h"

namespace corbel::messaging {
namespace {

using CORBA::Policy_ptr;
using CORBA::PolicyType;
using core::CallSetting;
using core::CallSettings;
using TimeBase::TimeT;

// ---- units

constexpr std::int64_t kUnit = 100;                  // nanoseconds of TimeT's
constexpr TimeT kUnixEpoch = 0x01b21dd213814000;     // since 15 October 1582, in units of TimeT
constexpr TimeT kMostUnits = INT64_MAX / 2 / kUnit;  // three thousand years hardly differ from more

std::int64_t nanoseconds(TimeT units) {
  return static_cast<std::int64_t>(units < kMostUnits ? units : kMostUnits) * kUnit;
}
TimeT units(std::int64_t nanoseconds) { return static_cast<TimeT>(nanoseconds / kUnit); }

// Before 1970 is long past, however long.
std::int64_t since_1970(const TimeBase::UtcT& utc) {
  return utc.time > kUnixEpoch ? nanoseconds(utc.time - kUnixEpoch) : 0;
}

// What an adapter's references say to their callers.
template <PolicyType Type, typename Put>
bool expose(core::AdapterPolicies& to, Put put) {
  to.exposed.push_back(ior::policy_value(Type, put));
  return true;
}

// ---- objects

// Immutable, like all of the ORB's.
template <typename Interface, PolicyType Type, typename Value>
class Kept : public Interface {
 public:
  explicit Kept(Value value) : value_(value) {}
  PolicyType policy_type() override { return Type; }
  void destroy() override {}

 protected:
  const Value value_;
};

template <typename Interface, PolicyType Type>
class Timeout final : public Kept<Interface, Type, TimeT> {
 public:
  using Kept<Interface, Type, TimeT>::Kept;
  TimeT relative_expiry() override { return this->value_; }
  bool _corbel_add_to(core::AdapterPolicies& to) const override {
    return expose<Type>(to, [this](cdr::Encoder& out) { out.put(this->value_); });
  }
  Policy_ptr copy() override { return new Timeout(this->value_); }
};
template <typename Interface, PolicyType Type>
class EndTime final : public Kept<Interface, Type, TimeBase::UtcT> {
 public:
  using Kept<Interface, Type, TimeBase::UtcT>::Kept;
  TimeBase::UtcT end_time() override { return this->value_; }
  bool _corbel_add_to(core::AdapterPolicies& to) const override {
    return expose<Type>(to, [this](cdr::Encoder& out) { marshal(out, this->value_); });
  }
  Policy_ptr copy() override { return new EndTime(this->value_); }
};
class Rebind final
    : public Kept<Messaging::RebindPolicy, Messaging::REBIND_POLICY_TYPE, Messaging::RebindMode> {
 public:
  using Kept::Kept;
  Messaging::RebindMode rebind_mode() override { return value_; }
  bool _corbel_add_to(core::AdapterPolicies& to) const override {
    return expose<Messaging::REBIND_POLICY_TYPE>(to, [this](cdr::Encoder& out) { out.put(value_); });
  }
  Policy_ptr copy() override { return new Rebind(value_); }
};
class Scope final
    : public Kept<Messaging::SyncScopePolicy, Messaging::SYNC_SCOPE_POLICY_TYPE, Messaging::SyncScope> {
 public:
  using Kept::Kept;
  Messaging::SyncScope synchronization() override { return value_; }
  bool _corbel_add_to(core::AdapterPolicies& to) const override {
    return expose<Messaging::SYNC_SCOPE_POLICY_TYPE>(to, [this](cdr::Encoder& out) { out.put(value_); });
  }
  Policy_ptr copy() override { return new Scope(value_); }
};
class Bidirectional final
    : public Kept<BiDirPolicy::BidirectionalPolicy, BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE,
                  BiDirPolicy::BidirectionalPolicyValue> {
 public:
  using Kept::Kept;
  BiDirPolicy::BidirectionalPolicyValue value() override { return value_; }
  Policy_ptr copy() override { return new Bidirectional(value_); }
  CORBA::ULong _corbel_value() const override { return value_; }
};
typedef Timeout<Messaging::RelativeRequestTimeoutPolicy, Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE>
    RequestTimeout;
typedef Timeout<Messaging::RelativeRoundtripTimeoutPolicy, Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE>
    RoundtripTimeout;
typedef Timeout<ConnectionTimeoutPolicy, CONNECTION_TIMEOUT_POLICY_TYPE> ConnectionTimeout;
typedef EndTime<Messaging::RequestEndTimePolicy, Messaging::REQUEST_END_TIME_POLICY_TYPE> RequestEnd;
typedef EndTime<Messaging::ReplyEndTimePolicy, Messaging::REPLY_END_TIME_POLICY_TYPE> ReplyEnd;

// ---- values

[[noreturn]] void refuse(CORBA::PolicyErrorCode reason) { throw CORBA::PolicyError(reason); }

TimeT time_in(const CORBA::Any& any) {
  TimeT time;
  if (!(any >>= time)) refuse(CORBA::BAD_POLICY_TYPE);
  return time;
}

TimeBase::UtcT utc_in(const CORBA::Any& any) {
  const TimeBase::UtcT* utc;
  if (!(any >>= utc)) refuse(CORBA::BAD_POLICY_TYPE);
  return *utc;
}

template <typename Number>
Number number_in(const CORBA::Any& any, Number most) {
  Number number;
  if (!(any >>= number)) refuse(CORBA::BAD_POLICY_TYPE);
  if (number < 0 || number > most) refuse(CORBA::BAD_POLICY_VALUE);
  return number;
}

// POA's enums: as such, or as the numbers that C++ makes of them where an Any has no operator for them.
template <typename P, typename Value>
Policy_ptr poa_policy(const CORBA::Any& any, Value most) {
  CORBA::TypeCode_var type = any.type();
  CORBA::ULong ordinal;
  CORBA::Long number;
  if (type->kind() == CORBA::tk_enum && any._corbel_get(*type, &ordinal, sizeof ordinal)) {
  } else if (any >>= number) {
    ordinal = static_cast<CORBA::ULong>(number);
  } else if (!(any >>= ordinal)) {
    refuse(CORBA::BAD_POLICY_TYPE);
  }
  if (ordinal > most) refuse(CORBA::BAD_POLICY_VALUE);
  return new P(static_cast<Value>(ordinal));
}

Policy_ptr make_poa_policy(PolicyType type, const CORBA::Any& any) {
  using namespace PortableServer;
  switch (type) {
    case 16:
      return poa_policy<ThreadPolicy>(any, MAIN_THREAD_MODEL);
    case 17:
      return poa_policy<LifespanPolicy>(any, PERSISTENT);
    case 18:
      return poa_policy<IdUniquenessPolicy>(any, MULTIPLE_ID);
    case 19:
      return poa_policy<IdAssignmentPolicy>(any, SYSTEM_ID);
    case 20:
      return poa_policy<ImplicitActivationPolicy>(any, NO_IMPLICIT_ACTIVATION);
    case 21:
      return poa_policy<ServantRetentionPolicy>(any, NON_RETAIN);
    default:
      return poa_policy<RequestProcessingPolicy>(any, USE_SERVANT_MANAGER);
  }
}

// Kinds of other libraries.
struct Registry {
  base::Mutex mutex;
  std::map<PolicyType, PolicyFactory> factories;
  std::map<PolicyType, const CallPolicyKind*> of_calls;
  std::set<PolicyType> of_programs;  // that references may have
  static Registry& instance() {
    static Registry* const registry = new Registry;
    return *registry;
  }
};

bool is_of_poa(PolicyType type) { return type >= 16 && type <= 22; }
bool is_own(PolicyType type) { return overridable(type) || is_of_poa(type); }

// Assigned by the OMG, to what is not done here.
bool is_known(PolicyType type) { return type >= 1 && type <= 67; }

}  // namespace

bool register_policy_kind(PolicyType type, PolicyFactory factory) {
  if (is_own(type)) return false;
  Registry& registry = Registry::instance();
  std::lock_guard lock(registry.mutex);
  return registry.factories.try_emplace(type, factory).first->second == factory;
}

void register_call_policy(const CallPolicyKind& kind) {
  Registry& registry = Registry::instance();
  std::lock_guard lock(registry.mutex);
  registry.of_calls[kind.type] = &kind;
}

void allow_overrides_of(PolicyType type) {
  Registry& registry = Registry::instance();
  std::lock_guard lock(registry.mutex);
  registry.of_programs.insert(type);
}

const CallPolicyKind* find_call_policy(PolicyType type) {
  Registry& registry = Registry::instance();
  std::lock_guard lock(registry.mutex);
  const auto found = registry.of_calls.find(type);
  return found == registry.of_calls.end() ? nullptr : found->second;
}

bool knows_policy(PolicyType type) {
  if (concerns_calls(type) || type == BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE || is_of_poa(type)) return true;
  Registry& registry = Registry::instance();
  std::lock_guard lock(registry.mutex);
  return registry.factories.count(type) != 0;
}

Policy_ptr make_policy(PolicyType type, const CORBA::Any& value) {
  switch (type) {
    case Messaging::REBIND_POLICY_TYPE:
      return new Rebind(number_in<CORBA::Short>(value, Messaging::NO_RECONNECT));
    case Messaging::SYNC_SCOPE_POLICY_TYPE:
      return new Scope(number_in<CORBA::Short>(value, Messaging::SYNC_WITH_TARGET));
    case Messaging::REQUEST_END_TIME_POLICY_TYPE:
      return new RequestEnd(utc_in(value));
    case Messaging::REPLY_END_TIME_POLICY_TYPE:
      return new ReplyEnd(utc_in(value));
    case Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE:
      return new RequestTimeout(time_in(value));
    case Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE:
      return new RoundtripTimeout(time_in(value));
    case CONNECTION_TIMEOUT_POLICY_TYPE:
      return new ConnectionTimeout(time_in(value));
    case BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE:
      return new Bidirectional(number_in<CORBA::UShort>(value, BiDirPolicy::BOTH));
    default:
      break;
  }
  if (const CallPolicyKind* const kind = find_call_policy(type)) return kind->make(value);
  if (is_of_poa(type)) return make_poa_policy(type, value);
  PolicyFactory factory = nullptr;
  {
    Registry& registry = Registry::instance();
    std::lock_guard lock(registry.mutex);
    const auto found = registry.factories.find(type);
    if (found != registry.factories.end()) factory = found->second;
  }
  if (!factory) refuse(is_known(type) ? CORBA::UNSUPPORTED_POLICY : CORBA::BAD_POLICY);
  return factory(value);
}

bool concerns_calls(PolicyType type) {
  return type == Messaging::REBIND_POLICY_TYPE || type == Messaging::SYNC_SCOPE_POLICY_TYPE ||
         is_time(type) || find_call_policy(type);
}

bool overridable(PolicyType type) {
  if (concerns_calls(type) || type == BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE) return true;
  Registry& registry = Registry::instance();
  std::lock_guard lock(registry.mutex);
  return registry.of_programs.count(type) != 0;
}

bool is_time(PolicyType type) {
  switch (type) {
    case Messaging::REQUEST_END_TIME_POLICY_TYPE:
    case Messaging::REPLY_END_TIME_POLICY_TYPE:
    case Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE:
    case Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE:
    case CONNECTION_TIMEOUT_POLICY_TYPE:
      return true;
    default:
      return false;
  }
}

// Of its own kind or of the program's: the interfaces say all.
void add_setting(CORBA::Policy& policy, CallSettings& settings) {
  const auto of = [&](auto narrow) { return narrow(&policy); };
  switch (policy.policy_type()) {
    case Messaging::REBIND_POLICY_TYPE:
      if (Messaging::RebindPolicy_var p = of(Messaging::RebindPolicy::_narrow); p.in())
        settings.put(CallSetting::Rebinding, p->rebind_mode());
      break;
    case Messaging::SYNC_SCOPE_POLICY_TYPE:
      if (Messaging::SyncScopePolicy_var p = of(Messaging::SyncScopePolicy::_narrow); p.in())
        settings.put(CallSetting::SyncScope, p->synchronization());
      break;
    case Messaging::REQUEST_END_TIME_POLICY_TYPE:
      if (Messaging::RequestEndTimePolicy_var p = of(Messaging::RequestEndTimePolicy::_narrow); p.in())
        settings.put(CallSetting::RequestEnd, since_1970(p->end_time()));
      break;
    case Messaging::REPLY_END_TIME_POLICY_TYPE:
      if (Messaging::ReplyEndTimePolicy_var p = of(Messaging::ReplyEndTimePolicy::_narrow); p.in())
        settings.put(CallSetting::ReplyEnd, since_1970(p->end_time()));
      break;
    case Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE:
      if (Messaging::RelativeRequestTimeoutPolicy_var p =
              of(Messaging::RelativeRequestTimeoutPolicy::_narrow);
          p.in())
        settings.put(CallSetting::Request, nanoseconds(p->relative_expiry()));
      break;
    case Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE:
      if (Messaging::RelativeRoundtripTimeoutPolicy_var p =
              of(Messaging::RelativeRoundtripTimeoutPolicy::_narrow);
          p.in())
        settings.put(CallSetting::Roundtrip, nanoseconds(p->relative_expiry()));
      break;
    case CONNECTION_TIMEOUT_POLICY_TYPE:
      if (ConnectionTimeoutPolicy_var p = of(ConnectionTimeoutPolicy::_narrow); p.in())
        settings.put(CallSetting::Connect, nanoseconds(p->relative_expiry()));
      break;
    case BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE:
      if (BiDirPolicy::BidirectionalPolicy_var p = of(BiDirPolicy::BidirectionalPolicy::_narrow); p.in())
        settings.put(CallSetting::Bidirectional, p->value() == BiDirPolicy::BOTH);
      break;
    default:
      if (const CallPolicyKind* const kind = find_call_policy(policy.policy_type()))
        kind->add(policy, settings);
      break;
  }
}

Policy_ptr policy_of_setting(PolicyType type, const CallSettings& settings) {
  switch (type) {
    case Messaging::REBIND_POLICY_TYPE:
      return settings.has(CallSetting::Rebinding)
                 ? new Rebind(static_cast<CORBA::Short>(settings.get(CallSetting::Rebinding)))
                 : nullptr;
    case Messaging::SYNC_SCOPE_POLICY_TYPE:
      return settings.has(CallSetting::SyncScope)
                 ? new Scope(static_cast<CORBA::Short>(settings.get(CallSetting::SyncScope)))
                 : nullptr;
    case Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE:
      return settings.has(CallSetting::Request)
                 ? new RequestTimeout(units(settings.get(CallSetting::Request)))
                 : nullptr;
    case Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE:
      return settings.has(CallSetting::Roundtrip)
                 ? new RoundtripTimeout(units(settings.get(CallSetting::Roundtrip)))
                 : nullptr;
    case BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE:
      return settings.has(CallSetting::Bidirectional)
                 ? new Bidirectional(static_cast<BiDirPolicy::BidirectionalPolicyValue>(
                       settings.get(CallSetting::Bidirectional)))
                 : nullptr;
    default:
      return nullptr;
  }
}

Policy_ptr default_policy(PolicyType type) {
  CallSettings settings;
  settings.put(CallSetting::Rebinding, Messaging::TRANSPARENT);
  settings.put(CallSetting::SyncScope, Messaging::SYNC_WITH_TRANSPORT);
  settings.put(CallSetting::Bidirectional, BiDirPolicy::NORMAL);
  return policy_of_setting(type, settings);
}

Policy_ptr policy_of_octets(PolicyType type, cdr::Decoder& in) {
  CORBA::Short number;
  TimeT time;
  TimeBase::UtcT utc;
  switch (type) {
    case Messaging::REBIND_POLICY_TYPE:
      return in.get(number) && number >= 0 && number <= Messaging::NO_RECONNECT ? new Rebind(number)
                                                                                : nullptr;
    case Messaging::SYNC_SCOPE_POLICY_TYPE:
      return in.get(number) && number >= 0 && number <= Messaging::SYNC_WITH_TARGET ? new Scope(number)
                                                                                    : nullptr;
    case Messaging::REQUEST_END_TIME_POLICY_TYPE:
      return unmarshal(in, utc) ? new RequestEnd(utc) : nullptr;
    case Messaging::REPLY_END_TIME_POLICY_TYPE:
      return unmarshal(in, utc) ? new ReplyEnd(utc) : nullptr;
    case Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE:
      return in.get(time) ? new RequestTimeout(time) : nullptr;
    case Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE:
      return in.get(time) ? new RoundtripTimeout(time) : nullptr;
    case CONNECTION_TIMEOUT_POLICY_TYPE:
      return in.get(time) ? new ConnectionTimeout(time) : nullptr;
    default:
      break;
  }
  const CallPolicyKind* const kind = find_call_policy(type);
  return kind && kind->decode ? kind->decode(in) : nullptr;
}

}  // namespace corbel::messaging
