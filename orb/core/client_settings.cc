// What is set for a call: limits of time, how far a one-way is followed, whether its reference may be bound
// anew.
#include <time.h>

#include <algorithm>

#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"

namespace corbel::core {
namespace {

// Half of what the clock can hold: sums of two do not overflow.
constexpr std::int64_t kEver = INT64_MAX / 2;

base::Deadline sooner(base::Deadline a, base::Deadline b) {
  if (a == base::kNoDeadline || b == base::kNoDeadline) return a + b;
  return std::min(a, b);
}

base::Deadline later(base::Deadline now, std::int64_t timeout) {
  return timeout <= 0 ? base::kNoDeadline : now + std::min(timeout, kEver);
}

// Of a time in nanoseconds of UTC, never kNoDeadline.
base::Deadline of_utc(base::Deadline now, std::int64_t utc) {
  timespec present;
  clock_gettime(CLOCK_REALTIME, &present);
  const std::int64_t left = utc - (present.tv_sec * std::int64_t{1'000'000'000} + present.tv_nsec);
  return std::max<base::Deadline>(now + std::clamp(left, -now, kEver), 1);
}

// What the client itself has set.
CallSettings own_settings(const Reference& target) {
  CallSettings settings = target.call_settings();
  settings.add(thread_call_settings);
  settings.add(target.orb().call_settings());
  return settings;
}

}  // namespace

SystemError settings_of_calls(Reference& target, CallSettings& settings) {
  settings = own_settings(target);
  const Reconcile reconcile = reconcile_settings.load(std::memory_order_relaxed);
  return reconcile && target.exposes_policies() ? reconcile(target, settings) : SystemError{};
}

SystemError ClientInvocation::apply_settings() {
  CallSettings settings;
  if (SystemError e = settings_of_calls(*target_, settings)) return e;
  const base::Deadline now = base::now();
  set_limits(settings, now);
  rebinding_ = static_cast<Rebinding>(settings.get(CallSetting::Rebinding));
  if (rebinding_ != Rebinding::Transparent) was_bound_ = target_->was_bound();
  if (operation_->oneway && settings.has(CallSetting::SyncScope)) {
    const auto scope = static_cast<SyncScope>(settings.get(CallSetting::SyncScope));
    never_waits_ = scope == SyncScope::None;
    if (scope == SyncScope::Server) response_ = giop::Response::Early;
    if (scope == SyncScope::Target) response_ = giop::Response::Expected;
  }
  out_of_the_ordinary_ = never_waits_ || response_ != giop::Response::Nothing ||
                         rebinding_ != Rebinding::Transparent || settings.has(CallSetting::Connect);
  if (settings.has(CallSetting::Compression)) consider_compression(settings);
  if (out_of_the_ordinary_) written_.binding = 0;
  if (send_deadline_ != base::kNoDeadline && now >= send_deadline_) return timed_out(Completion::No);
  return {};
}

void ClientInvocation::set_limits(const CallSettings& settings, base::Deadline now) {
  deadline_ = settings.get(CallSetting::Deadline, later(now, settings.get(CallSetting::Roundtrip)));
  if (settings.has(CallSetting::ReplyEnd))
    deadline_ = sooner(deadline_, of_utc(now, settings.get(CallSetting::ReplyEnd)));
  send_deadline_ = sooner(deadline_, later(now, settings.get(CallSetting::Request)));
  if (settings.has(CallSetting::RequestEnd))
    send_deadline_ = sooner(send_deadline_, of_utc(now, settings.get(CallSetting::RequestEnd)));
  connect_timeout_ = settings.get(CallSetting::Connect, kConnectTimeoutOfOrb);
}

void ClientInvocation::end_settings() {
  out_of_the_ordinary_ = never_waits_ = was_bound_ = false;
  response_ = giop::Response::Nothing;
  rebinding_ = Rebinding::Transparent;
  deadline_ = send_deadline_ = base::kNoDeadline;
  connect_timeout_ = kConnectTimeoutOfOrb;
  if (compresses_) end_compression();
}

// Whether a reference that is bound may lead elsewhere. Under NO_REBIND it may where the client cannot tell
// by the policies in force.
bool ClientInvocation::may_move(const ior::Ior& before, const ior::Ior& after) const {
  if (rebinding_ == Rebinding::Transparent || !was_bound_) return true;
  if (rebinding_ == Rebinding::NoReconnect) return false;
  const SameQuality same = same_quality.load(std::memory_order_relaxed);
  return !same || same(own_settings(*target_), before, after);
}

SystemError ClientInvocation::rebind_refused() const {
  return {SystemErrorId::REBIND, Completion::No, 0,
          "the RebindPolicy does not let the reference be bound anew; _validate_connection does it"};
}

SystemError ClientInvocation::validate(Reference& target) {
  static constexpr Operation kNone{"_validate_connection", 20, false};  // is not sent
  target.forget_bound();
  SystemError error;
  Invocation* const invocation = Invocation::begin(target, kNone, error);
  if (!invocation) return error;
  error = static_cast<ClientInvocation*>(invocation)->find_target();
  invocation->end();
  return error;
}

SystemError ClientInvocation::find_target() {
  SystemError error;
  bool again;
  do {
    again = false;
    error = binding_ ? SystemError{} : rebind();
    if (error) error = lost(error, false, again);
    else if (binding_->connection) error = locate(again);
  } while (again);
  return error;
}

}  // namespace corbel::core
