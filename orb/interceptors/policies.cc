#include "orb/interceptors/policies.h"

#include <corbel/messaging.h>

namespace corbel::interceptors {
namespace {

using namespace PortableInterceptor;

class Mode final : public ProcessingModePolicy {
 public:
  explicit Mode(ProcessingMode mode) : mode_(mode) {}
  CORBA::PolicyType policy_type() override { return PROCESSING_MODE_POLICY_TYPE; }
  CORBA::Policy_ptr copy() override { return new Mode(mode_); }
  void destroy() override {}
  ProcessingMode processing_mode() override { return mode_; }

 private:
  const ProcessingMode mode_;
};

CORBA::Policy_ptr make_mode(const CORBA::Any& value) {
  ProcessingMode mode;
  if (!(value >>= mode)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  if (mode < LOCAL_AND_REMOTE || mode > LOCAL_ONLY) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
  return new Mode(mode);
}

}  // namespace

void register_processing_mode() {
  (void)messaging::register_policy_kind(PROCESSING_MODE_POLICY_TYPE, make_mode);
}

ProcessingMode processing_mode(const CORBA::PolicyList& policies) {
  ProcessingMode mode = LOCAL_AND_REMOTE;
  for (CORBA::ULong i = 0; i < policies.length(); ++i) {
    ProcessingModePolicy_var policy = ProcessingModePolicy::_narrow(policies[i]);
    if (!policy.in()) throw CORBA::PolicyError(CORBA::BAD_POLICY);
    mode = policy->processing_mode();
  }
  return mode;
}

}  // namespace corbel::interceptors
