// The policies of module ZIOP.
#include <corbel/compression.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "orb/core/adapter_policies.h"
#include "orb/messaging/overrides.h"
#include "orb/ziop/lists.h"
#include "orb/ziop/mapping.h"

namespace corbel::ziop {
namespace {

using CORBA::Policy_ptr;
using core::CallSetting;
using core::CallSettings;

[[noreturn]] void refuse(CORBA::PolicyErrorCode reason) { throw CORBA::PolicyError(reason); }

// Immutable. `add_to` is what calls and adapters have by it.
template <typename Interface, CORBA::PolicyType Type, typename Value, void (*add_to)(Value, CallSettings&)>
class Kept : public Interface {
 public:
  explicit Kept(Value value) : value_(value) {}
  CORBA::PolicyType policy_type() override { return Type; }
  void destroy() override {}
  bool _corbel_add_to(core::AdapterPolicies& to) const override {
    add_to(value_, to.replies);
    return true;
  }

 protected:
  const Value value_;
};

void add_enabled(bool enabled, CallSettings& to) { to.put(CallSetting::Compression, enabled); }
void add_list(std::int64_t list, CallSettings& to) { to.put(CallSetting::Compressors, list); }
void add_low_value(CORBA::ULong octets, CallSettings& to) {
  to.put(CallSetting::CompressionLowValue, octets);
}
void add_ratio(float ratio, CallSettings& to) {
  to.put(CallSetting::CompressionMinRatio, std::bit_cast<std::uint32_t>(ratio));
}

class Enabling final
    : public Kept<ZIOP::CompressionEnablingPolicy, ZIOP::COMPRESSION_ENABLING_POLICY_ID, bool, add_enabled> {
 public:
  using Kept::Kept;
  CORBA::Boolean compression_enabled() override { return value_; }
  Policy_ptr copy() override { return new Enabling(value_); }
};

std::int64_t number_of(const CompressorList& list) {
  const std::int64_t number = keep_list(list);
  if (number < 0)
    cpp::raise({SystemErrorId::NO_RESOURCES, Completion::No, 0,
                "the process has made policies with too many different lists of compressors"});
  return number;
}

// Holds its list itself: peers' policies must not use up what the process keeps for what is set.
class List final : public ZIOP::CompressorIdLevelListPolicy {
 public:
  explicit List(CompressorList list) : list_(std::move(list)) {}
  CORBA::PolicyType policy_type() override { return ZIOP::COMPRESSOR_ID_LEVEL_LIST_POLICY_ID; }
  void destroy() override {}
  bool _corbel_add_to(core::AdapterPolicies& to) const override {
    add_list(number_of(list_), to.replies);
    return true;
  }
  Compression::CompressorIdLevelList* compressor_ids() override {
    Compression::CompressorIdLevelList_var ids = new Compression::CompressorIdLevelList;
    ids->length(static_cast<CORBA::ULong>(list_.size()));
    for (CORBA::ULong i = 0; i < ids->length(); ++i) ids[i] = {list_[i].id, list_[i].level};
    return ids._retn();
  }
  Policy_ptr copy() override { return new List(list_); }

 private:
  const CompressorList list_;
};

class LowValue final : public Kept<ZIOP::CompressionLowValuePolicy, ZIOP::COMPRESSION_LOW_VALUE_POLICY_ID,
                                   CORBA::ULong, add_low_value> {
 public:
  using Kept::Kept;
  CORBA::ULong low_value() override { return value_; }
  Policy_ptr copy() override { return new LowValue(value_); }
};

class MinRatio final
    : public Kept<ZIOP::CompressionMinRatioPolicy, ZIOP::COMPRESSION_MIN_RATIO_POLICY_ID, float, add_ratio> {
 public:
  using Kept::Kept;
  Compression::CompressionRatio ratio() override { return value_; }
  Policy_ptr copy() override { return new MinRatio(value_); }
};

// ---- of values

CompressorList list_of(const Compression::CompressorIdLevelList& ids) {
  CompressorList list;
  for (CORBA::ULong i = 0; i < ids.length(); ++i)
    list.push_back({ids[i].compressor_id, ids[i].compression_level});
  return list;
}

Policy_ptr make_enabling(const CORBA::Any& value) {
  CORBA::Boolean enabled;
  if (!(value >>= CORBA::Any::to_boolean(enabled))) refuse(CORBA::BAD_POLICY_TYPE);
  return new Enabling(enabled);
}

Policy_ptr make_list(const CORBA::Any& value) {
  const Compression::CompressorIdLevelList* ids;
  if (!(value >>= ids)) refuse(CORBA::BAD_POLICY_TYPE);
  CompressorList list = list_of(*ids);
  (void)number_of(list);  // it can be set
  return new List(std::move(list));
}

Policy_ptr make_low_value(const CORBA::Any& value) {
  CORBA::ULong octets;
  if (!(value >>= octets)) refuse(CORBA::BAD_POLICY_TYPE);
  return new LowValue(octets);
}

Policy_ptr make_ratio(const CORBA::Any& value) {
  CORBA::Float ratio;
  if (!(value >>= ratio)) refuse(CORBA::BAD_POLICY_TYPE);
  if (!(ratio >= 0 && ratio <= 1)) refuse(CORBA::BAD_POLICY_VALUE);
  return new MinRatio(ratio);
}

// ---- of policies, which may be the program's

template <typename Interface, typename Get>
void with(CORBA::Policy& policy, Get get) {
  const typename Interface::_var_type narrowed = Interface::_narrow(&policy);
  if (narrowed.in()) get(*narrowed.in());
}

void add_enabling(CORBA::Policy& policy, CallSettings& to) {
  with<ZIOP::CompressionEnablingPolicy>(policy, [&](auto& p) { add_enabled(p.compression_enabled(), to); });
}

// Nothing where there is none.
CompressorList list_in(Policy_ptr policy) {
  CompressorList list;
  if (policy)
    with<ZIOP::CompressorIdLevelListPolicy>(*policy, [&](auto& p) {
      const Compression::CompressorIdLevelList_var ids = p.compressor_ids();
      list = list_of(ids.in());
    });
  return list;
}

void add_list_of(CORBA::Policy& policy, CallSettings& to) {
  with<ZIOP::CompressorIdLevelListPolicy>(policy, [&](auto&) { add_list(number_of(list_in(&policy)), to); });
}

void add_low_value_of(CORBA::Policy& policy, CallSettings& to) {
  with<ZIOP::CompressionLowValuePolicy>(policy, [&](auto& p) { add_low_value(p.low_value(), to); });
}

void add_ratio_of(CORBA::Policy& policy, CallSettings& to) {
  with<ZIOP::CompressionMinRatioPolicy>(policy, [&](auto& p) { add_ratio(p.ratio(), to); });
}

// ---- of both ends

Policy_ptr decode_enabling(cdr::Decoder& in) {
  bool enabled;
  return in.get_boolean(enabled) ? new Enabling(enabled) : nullptr;
}

Policy_ptr decode_list(cdr::Decoder& in) {
  CompressorList list;
  return get_list(in, list) ? new List(std::move(list)) : nullptr;
}

// Messages are compressed where both ends want that.
Policy_ptr both_enable(Policy_ptr ours, Policy_ptr theirs) {
  CallSettings a, b;
  if (ours) add_enabling(*ours, a);
  if (theirs) add_enabling(*theirs, b);
  return new Enabling(a.get(CallSetting::Compression) != 0 && b.get(CallSetting::Compression) != 0);
}

// Those of ours that the server has, too.
Policy_ptr both_have(Policy_ptr ours, Policy_ptr theirs) {
  const CompressorList others = list_in(theirs);
  CompressorList common;
  for (const CompressorLevel& mine : list_in(ours))
    for (const CompressorLevel& other : others)
      if (other.id == mine.id) common.push_back({mine.id, std::min(mine.level, other.level)});
  return new List(std::move(common));
}

Policy_ptr ours_alone(Policy_ptr ours, Policy_ptr) { return CORBA::Policy::_duplicate(ours); }

constexpr messaging::CallPolicyKind kKinds[] = {
    {ZIOP::COMPRESSION_ENABLING_POLICY_ID, make_enabling, add_enabling, decode_enabling, both_enable},
    {ZIOP::COMPRESSOR_ID_LEVEL_LIST_POLICY_ID, make_list, add_list_of, decode_list, both_have},
    {ZIOP::COMPRESSION_LOW_VALUE_POLICY_ID, make_low_value, add_low_value_of, nullptr, ours_alone},
    {ZIOP::COMPRESSION_MIN_RATIO_POLICY_ID, make_ratio, add_ratio_of, nullptr, ours_alone}};

}  // namespace

void register_policies() {
  for (const messaging::CallPolicyKind& kind : kKinds) messaging::register_call_policy(kind);
}

}  // namespace corbel::ziop
