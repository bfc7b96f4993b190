// Settings of calls: how long they may take, and what happens when they fail.
#include <omniORB4/omniORB.h>

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <type_traits>

#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/cpp/default_orb.h"

namespace omniORB {
namespace {

namespace core = corbel::core;
namespace base = corbel::base;

constexpr unsigned long kMostSeconds = 1'000'000'000;  // a clock of nanoseconds has room for them

std::int64_t nanoseconds(CORBA::ULong milliseconds) {
  return milliseconds * core::kNanosecondsPerMillisecond;
}

core::Reference& reference_of(CORBA::Object_ptr object) {
  if (!object || !object->_corbel_reference())
    corbel::cpp::raise({corbel::SystemErrorId::BAD_PARAM, corbel::Completion::No, 0,
                        "settings of calls need a reference that is neither nil nor local"});
  return *object->_corbel_reference();
}

// ---- handlers

struct Failure {
  core::Reference& target;
  const char* operation;
  CORBA::ULong retries;
};
using Handler = std::function<bool(const Failure&, const CORBA::SystemException&)>;

enum Kind { kTransient, kTimeout, kCommFailure, kOther, kKinds };
template <typename Exception>
constexpr Kind kKind = std::is_same_v<Exception, CORBA::TRANSIENT>      ? kTransient
                       : std::is_same_v<Exception, CORBA::TIMEOUT>      ? kTimeout
                       : std::is_same_v<Exception, CORBA::COMM_FAILURE> ? kCommFailure
                                                                        : kOther;

Kind kind_of(corbel::SystemErrorId id) {
  switch (id) {
    case corbel::SystemErrorId::TRANSIENT:
      return kTransient;
    case corbel::SystemErrorId::TIMEOUT:
      return kTimeout;
    case corbel::SystemErrorId::COMM_FAILURE:
      return kCommFailure;
    default:
      return kOther;
  }
}

// The handlers of one object, or those for all.
class Handlers final : public core::RetryHandler {
 public:
  void set(Kind kind, Handler handler) {
    std::lock_guard lock(mutex_);
    handlers_[kind].swap(handler);
  }

  bool retry(core::Reference& target, const core::Operation& operation, std::uint32_t retries,
             const corbel::SystemError& error) override {
    Handler handler;
    {
      std::lock_guard lock(mutex_);
      handler = handlers_[kind_of(error.id)];
    }
    if (!handler) {
      const base::Ref<core::RetryHandler> all = target.orb().retry_handler();
      return all && all.get() != this && all->retry(target, operation, retries, error);
    }
    try {
      corbel::cpp::raise(error);
    } catch (const CORBA::SystemException& exception) {
      return handler({target, operation.name, retries}, exception);
    }
  }

 private:
  base::Mutex mutex_;
  std::array<Handler, kKinds> handlers_;
};

// A null target is all.
void install(core::Reference* target, Kind kind, Handler handler) {
  const auto fresh = base::Ref<core::RetryHandler>::adopt(new Handlers);
  const base::Ref<core::RetryHandler> present =
      target ? target->set_retry_handler(fresh) : corbel::cpp::set_retry_handler(fresh);
  static_cast<Handlers*>(present.get())->set(kind, std::move(handler));
}

template <typename Exception>
void install(core::Reference* target, void* cookie,
             CORBA::Boolean (*function)(void*, CORBA::ULong, const Exception&)) {
  Handler handler;
  if (function)
    handler = [=](const Failure& failure, const CORBA::SystemException& exception) {
      return function(cookie, failure.retries, static_cast<const Exception&>(exception));
    };
  install(target, kKind<Exception>, std::move(handler));
}

template <typename Exception>
void install(core::Reference* target, void* cookie,
             CORBA::Boolean (*function)(void*, CORBA::ULong, const Exception&, CORBA::Object_ptr,
                                        const char*)) {
  Handler handler;
  if (function)
    handler = [=](const Failure& failure, const CORBA::SystemException& exception) {
      const CORBA::Object_var object = corbel::cpp::make_object(corbel::cpp::retain(&failure.target));
      return function(cookie, failure.retries, static_cast<const Exception&>(exception), object,
                      failure.operation);
    };
  install(target, kKind<Exception>, std::move(handler));
}

}  // namespace

void setClientCallTimeout(CORBA::ULong milliseconds) {
  corbel::cpp::set_call_timeout(nanoseconds(milliseconds));
}

void setClientCallTimeout(CORBA::Object_ptr object, CORBA::ULong milliseconds) {
  reference_of(object).set_call_timeout(nanoseconds(milliseconds));
}

void setClientThreadCallTimeout(CORBA::ULong milliseconds) {
  core::CallSettings limits;
  if (milliseconds != 0) limits.put(core::CallSetting::Roundtrip, nanoseconds(milliseconds));
  core::set_thread_call_settings(core::ThreadPart::Limits, limits);
}

void setClientThreadCallDeadline(unsigned long seconds, unsigned long nanoseconds) {
  if (seconds == 0 && nanoseconds == 0) {
    core::set_thread_call_settings(core::ThreadPart::Limits, {});
    return;
  }
  omni_time_t now;
  omni_thread::get_time(now);
  const omni_time_t until(seconds, nanoseconds);
  base::Deadline deadline = base::now();
  if (until > now) {
    const omni_time_t left = until - now;
    const auto seconds_left = static_cast<std::int64_t>(std::min(left.s, kMostSeconds));
    deadline += seconds_left * 1'000'000'000 + static_cast<std::int64_t>(left.ns);
  }
  core::CallSettings limits;
  limits.put(core::CallSetting::Deadline, deadline);
  core::set_thread_call_settings(core::ThreadPart::Limits, limits);
}

void setClientConnectTimeout(CORBA::ULong milliseconds) {
  corbel::cpp::set_connect_timeout(nanoseconds(milliseconds));
}

CORBA::ULong giopMaxMsgSize() {
  const CORBA::ORB_var orb = corbel::cpp::default_orb();
  const std::uint64_t size =
      orb ? orb->_corbel_core().options().max_message_size : core::Options().max_message_size;
  return static_cast<CORBA::ULong>(size);
}

void installTransientExceptionHandler(void* cookie, transientExceptionHandler_t handler) {
  install(nullptr, cookie, handler);
}
void installTransientExceptionHandler(CORBA::Object_ptr object, void* cookie,
                                      transientExceptionHandler_t handler) {
  install(&reference_of(object), cookie, handler);
}
void installTransientExceptionHandlerExt(void* cookie, transientExceptionHandlerExt_t handler) {
  install(nullptr, cookie, handler);
}
void installTransientExceptionHandlerExt(CORBA::Object_ptr object, void* cookie,
                                         transientExceptionHandlerExt_t handler) {
  install(&reference_of(object), cookie, handler);
}
void installTimeoutExceptionHandler(void* cookie, timeoutExceptionHandler_t handler) {
  install(nullptr, cookie, handler);
}
void installTimeoutExceptionHandler(CORBA::Object_ptr object, void* cookie,
                                    timeoutExceptionHandler_t handler) {
  install(&reference_of(object), cookie, handler);
}
void installTimeoutExceptionHandlerExt(void* cookie, timeoutExceptionHandlerExt_t handler) {
  install(nullptr, cookie, handler);
}
void installTimeoutExceptionHandlerExt(CORBA::Object_ptr object, void* cookie,
                                       timeoutExceptionHandlerExt_t handler) {
  install(&reference_of(object), cookie, handler);
}
void installCommFailureExceptionHandler(void* cookie, commFailureExceptionHandler_t handler) {
  install(nullptr, cookie, handler);
}
void installCommFailureExceptionHandler(CORBA::Object_ptr object, void* cookie,
                                        commFailureExceptionHandler_t handler) {
  install(&reference_of(object), cookie, handler);
}
void installCommFailureExceptionHandlerExt(void* cookie, commFailureExceptionHandlerExt_t handler) {
  install(nullptr, cookie, handler);
}
void installCommFailureExceptionHandlerExt(CORBA::Object_ptr object, void* cookie,
                                           commFailureExceptionHandlerExt_t handler) {
  install(&reference_of(object), cookie, handler);
}
void installSystemExceptionHandler(void* cookie, systemExceptionHandler_t handler) {
  install(nullptr, cookie, handler);
}
void installSystemExceptionHandler(CORBA::Object_ptr object, void* cookie, systemExceptionHandler_t handler) {
  install(&reference_of(object), cookie, handler);
}
void installSystemExceptionHandlerExt(void* cookie, systemExceptionHandlerExt_t handler) {
  install(nullptr, cookie, handler);
}
void installSystemExceptionHandlerExt(CORBA::Object_ptr object, void* cookie,
                                      systemExceptionHandlerExt_t handler) {
  install(&reference_of(object), cookie, handler);
}

}  // namespace omniORB
