#include <corbel/keys.h>

#include "orb/ior/assigned.h"

namespace corbel {
namespace {

static_assert(kKeyFormatPolicyType == assigned::kPolicyKeyFormat);

class KeyFormatPolicy final : public CORBA::Policy {
 public:
  explicit KeyFormatPolicy(KeyFormat format) : format_(format) {}
  CORBA::PolicyType policy_type() override { return kKeyFormatPolicyType; }
  CORBA::Policy_ptr copy() override { return new KeyFormatPolicy(format_); }
  void destroy() override {}
  CORBA::ULong _corbel_value() const override { return static_cast<CORBA::ULong>(format_); }

 private:
  const KeyFormat format_;
};

}  // namespace

CORBA::Policy_ptr create_key_format_policy(KeyFormat format) { return new KeyFormatPolicy(format); }

}  // namespace corbel
