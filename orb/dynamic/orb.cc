// What the ORB makes for dynamic requests, and several of them at once.
#include <corbel/cpp/request.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "orb/base/mutex.h"
#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/dynamic/raise.h"

namespace CORBA {
namespace {

using corbel::SystemErrorId;
using corbel::core::ClientInvocation;
using corbel::dynamic::check;

// Those that send_multiple_requests_deferred has sent and whose replies nobody has got, of an ORB. The list
// is guarded; what stands in it is the business of one thread at a time.
struct Sent : corbel::core::LocalSlot {
  struct One {
    Request_var request;
    std::uint32_t thread = 0;  // that looks after it now
  };
  corbel::base::Mutex mutex;
  std::vector<One> requests;
};

// All that no other thread looks after. An upcall in the middle of it may look after the same.
class Looking {
 public:
  explicit Looking(Sent& sent) : sent_(sent) {
    std::lock_guard lock(sent.mutex);
    std::erase_if(sent.requests, [this](const Sent::One& one) {
      return (one.thread == 0 || one.thread == self_) && one.request->_corbel_is_done();
    });
    for (Sent::One& one : sent.requests) {
      if (one.thread != 0 && one.thread != self_) {
        others_look_ = true;
      } else if (one.request->_corbel_waits()) {
        all.push_back(one.request);
        if (std::exchange(one.thread, self_) == 0) taken_.push_back(one.request.in());
      }
    }
  }
  ~Looking() {
    std::lock_guard lock(sent_.mutex);
    for (Sent::One& one : sent_.requests)
      if (std::find(taken_.begin(), taken_.end(), one.request.in()) != taken_.end()) one.thread = 0;
  }
  Looking(const Looking&) = delete;
  Looking& operator=(const Looking&) = delete;
  bool others_look() const { return others_look_; }

  std::vector<Request_var> all;

 private:
  Sent& sent_;
  const std::uint32_t self_ = corbel::base::thread_id();
  std::vector<const Request*> taken_;
  bool others_look_ = false;
};

corbel::base::Ref<Sent> sent_of(corbel::core::Orb& orb) {
  constexpr const char* kName = "DeferredRequests";
  corbel::base::Ref<corbel::core::LocalSlot> slot = orb.local_slot(kName);
  if (!slot) slot = orb.set_local_slot(kName, corbel::base::Ref<corbel::core::LocalSlot>::adopt(new Sent));
  return corbel::base::Ref<Sent>::share(static_cast<Sent*>(slot.get()));
}

// How long to look at one of several connections, in nanoseconds.
constexpr std::int64_t kTurn = 1'000'000;

bool may_be_over(const Request& request) {
  corbel::core::Invocation* const invocation = request._corbel_invocation();
  return !invocation || static_cast<ClientInvocation*>(invocation)->may_be_over();
}

// Of those that are over, the first, whose reply is got if `get`. What has come until then is taken, from
// each connection in turn.
Request_ptr next_over(Sent& sent, corbel::base::Deadline until, bool get) {
  const Looking looking(sent);
  if (looking.all.empty() && !looking.others_look())
    corbel::dynamic::raise(SystemErrorId::BAD_INV_ORDER, 11, "no request waits for its reply");
  const auto found = [get](const Request_var& r) {
    if (get) r->get_response();
    return Request::_duplicate(r.in());
  };
  for (const Request_var& r : looking.all)
    if (may_be_over(*r.in()) && r->_corbel_poll(corbel::base::now())) return found(r);
  std::vector<const void*> looked_at;
  for (const Request_var& r : looking.all) {
    if (!r->_corbel_invocation()) continue;  // an upcall within those polls has got it
    const void* const connection =
        static_cast<ClientInvocation*>(r->_corbel_invocation())->binding()->connection.get();
    if (std::find(looked_at.begin(), looked_at.end(), connection) != looked_at.end()) continue;
    looked_at.push_back(connection);
    if (r->_corbel_poll(until)) return found(r);
  }
  if (get && looking.all.empty()) std::this_thread::sleep_for(std::chrono::nanoseconds(kTurn));
  return nullptr;
}

}  // namespace

// Whoever calls has a count of its own.
void Request::leave_list() {
  if (!std::exchange(listed_, false)) return;
  const auto sent = sent_of(target_.in()->_corbel_reference()->orb());
  std::lock_guard lock(sent->mutex);
  std::erase_if(sent->requests, [this](const Sent::One& one) { return one.request.in() == this; });
}

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
  const auto sent = sent_of(*core_);
  for (ULong i = 0; i < requests.length(); ++i) {
    Request_ptr const request = corbel::cpp::not_nil(requests[i].in());
    request->send_deferred();
    request->_corbel_list();
    std::lock_guard lock(sent->mutex);
    sent->requests.push_back({Request::_duplicate(request)});
  }
}

Boolean ORB::poll_next_response() {
  check(*core_);
  Request_var over = next_over(*sent_of(*core_), corbel::base::now(), false);
  return over.in() != nullptr;
}

void ORB::get_next_response(Request_out request) {
  check(*core_);
  const auto sent = sent_of(*core_);
  for (;;) {
    Request_var over = next_over(*sent, corbel::base::now() + kTurn, true);
    if (!over.in()) continue;
    request = over._retn();
    return;
  }
}

}  // namespace CORBA

void corbel::dynamic::refuse_if_shut_down(const core::Orb& orb) {
  if (const SystemError error = orb.check()) cpp::raise(error);
}
