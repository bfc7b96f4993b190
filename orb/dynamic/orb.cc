// What the ORB makes for dynamic requests, and several of them at once.
#include <corbel/cpp/request.h>

#include "orb/core/orb.h"
#include "orb/dynamic/outstanding.h"
#include "orb/dynamic/raise.h"

namespace CORBA {
using corbel::dynamic::check;
using corbel::dynamic::Outstanding;

void ORB::create_named_value(NamedValue_out value) {
  check(*core_);
  value = new NamedValue(nullptr, ARG_IN);
}
void ORB::create_exception_list(ExceptionList_out list) {
  check(*core_);
  list = new ExceptionList;
}
void ORB::create_context_list(ContextList_out list) {
  check(*core_);
  list = new ContextList;
}

void ORB::send_multiple_requests_oneway(const RequestSeq& requests) {
  check(*core_);
  for (ULong i = 0; i < requests.length(); ++i) corbel::cpp::not_nil(requests[i].in())->send_oneway();
}

void ORB::send_multiple_requests_deferred(const RequestSeq& requests) {
  check(*core_);
  for (ULong i = 0; i < requests.length(); ++i)
    corbel::cpp::not_nil(requests[i].in())->_corbel_send_deferred(true);
}

Boolean ORB::poll_next_response() {
  check(*core_);
  Request_var over = Outstanding::of(*core_)->next(corbel::base::now(), false);
  return over.in() != nullptr;
}

void ORB::get_next_response(Request_out request) {
  check(*core_);
  // How long to look at one of several connections, in nanoseconds.
  constexpr std::int64_t kTurn = 1'000'000;
  const corbel::base::Ref<Outstanding> outstanding = Outstanding::of(*core_);
  Request_ptr over;
  do over = outstanding->next(corbel::base::now() + kTurn, true);
  while (!over);
  request = over;
}

}  // namespace CORBA

void corbel::dynamic::refuse_if_shut_down(const core::Orb& orb) {
  if (const SystemError error = orb.check()) cpp::raise(error);
}
