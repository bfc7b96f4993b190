// What clients' and servers' RequestInfo have in common, and how interceptors are called.
#pragma once

#include <string>
#include <vector>

#include <corbel/idl/PortableInterceptor.stub.h>

#include "orb/cpp/described_call.h"
#include "orb/giop/service_context.h"
#include "orb/interceptors/slots.h"
#include "orb/interceptors/state.h"

namespace corbel::interceptors {

using PortableInterceptor::ReplyStatus;

// Sets of points at which something may be asked, and the points themselves. Those of a client and of a
// server share the numbers.
using Points = std::uint32_t;
constexpr Points kNowhere = 0;
constexpr Points kSendRequest = 1, kSendPoll = 2, kReceiveReply = 4, kReceiveException = 8,
                 kReceiveOther = 16;
constexpr Points kReceiveContexts = 1, kReceiveRequest = 2, kSendReply = 4, kSendException = 8,
                 kSendOther = 16;
constexpr Points kEnds = 4 | 8 | 16;
constexpr Points kEverywhere = 31;

// How a request stands after a point.
struct Outcome {
  enum class Kind {
    Going,  // on its way: nothing has ended it
    Reply,
    UserException,
    SystemException,
    Forward,
    Retry,
    NoReply  // there never is one
  };
  Kind kind = Kind::Going;
  SystemError error;
  ior::Ior target;  // of a Forward

  bool ended() const { return kind != Kind::Going; }
  // Which of the last three points it leads to.
  Points end() const;
  ReplyStatus status() const;
};

// What the exception that is being handled makes of a request.
Outcome caught(bool may_forward);

// Local to the thread that runs the interceptors, but for its count.
class RequestInfo : public virtual PortableInterceptor::RequestInfo {
 public:
  CORBA::ULong request_id() override;
  Dynamic::ParameterList* arguments() override;
  Dynamic::ExceptionList* exceptions() override;
  Dynamic::ContextList* contexts() override;
  Dynamic::RequestContext* operation_context() override;
  CORBA::Any* result() override;
  ReplyStatus reply_status() override;
  CORBA::Object_ptr forward_reference() override;
  CORBA::Any* get_slot(PortableInterceptor::SlotId id) override;

  // ---- for the flow
  void at(Points point) { point_ = point; }
  void ends_as(const Outcome& outcome) { outcome_ = &outcome; }
  // Nothing can be asked any more.
  void end() { point_ = kNowhere; }
  // The request's own.
  Slots slots;

 protected:
  // `told` are the points at which the operation's types may be asked for, `context` those of its context.
  RequestInfo(State& state, Points told, Points context)
      : state_(state), request_id_(state.next_request_id()), told_(told), context_(context) {}
  // What is known of calls without stubs and requests without skeletons; null of others.
  virtual cpp::DescribedCall* description() const = 0;
  // BAD_INV_ORDER unless this is one of the points.
  void require(Points points) const;
  Points point() const { return point_; }
  State& state() const { return state_; }
  const Outcome& outcome() const { return *outcome_; }
  // Counted for the caller.
  CORBA::Object_ptr object_of(const ior::Ior& ior) const;

  // As the mapping has it; BAD_PARAM if there is none of this id.
  static IOP::ServiceContext* context_in(const giop::ServiceContexts& contexts, IOP::ServiceId id);
  static IOP::ServiceContext* context_in(const std::vector<giop::ServiceContext>& contexts,
                                         IOP::ServiceId id);
  // BAD_INV_ORDER if there is one of its id that it may not replace.
  static void add_context(std::vector<giop::ServiceContext>& contexts, const IOP::ServiceContext& added,
                          bool replace);
  // As an Any holds an exception.
  static CORBA::Any* any_of(const SystemError& error);
  // The user exception, or what stands for one for whose type nobody has a TypeCode.
  CORBA::Any* any_of_user_exception() const;

 private:
  State& state_;
  const std::uint32_t request_id_;
  const Points told_, context_;
  Points point_ = kNowhere;
  const Outcome* outcome_ = nullptr;
};

// Calls one point of one interceptor. False if it raised something, and `outcome` says what.
template <typename Interceptor, typename Info>
bool call(Interceptor& interceptor, void (Interceptor::*point)(Info*), Info* info, bool may_forward,
          Outcome& outcome) {
  try {
    (interceptor.*point)(info);
    return true;
  } catch (...) {
    outcome = caught(may_forward);
    return false;
  }
}

}  // namespace corbel::interceptors
