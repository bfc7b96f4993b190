#include "orb/dynamic/outstanding.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"
#include "orb/dynamic/raise.h"

namespace corbel::dynamic {

using CORBA::Request;
using core::ClientInvocation;

namespace {

// The ORB's. What it keeps has the ORB, too, which lets go of this when it ends.
struct Slot : core::LocalSlot {
  const base::Ref<Outstanding> requests = base::make_ref<Outstanding>();
  ~Slot() override { requests->clear(); }
};

// How long to wait for another thread that has a request, and for those that have all of them, before looking
// again.
constexpr std::chrono::microseconds kLookAgain{50}, kTurn{1000};

ClientInvocation* invocation_of(const Request& request) {
  return static_cast<ClientInvocation*>(request._corbel_invocation());
}

bool may_be_over(const Request& request) {
  const ClientInvocation* const invocation = invocation_of(request);
  return !invocation || invocation->may_be_over();
}

}  // namespace

base::Ref<Outstanding> Outstanding::of(core::Orb& orb) {
  constexpr const char* kName = "DeferredRequests";
  base::Ref<core::LocalSlot> slot = orb.local_slot(kName);
  if (!slot) slot = orb.set_local_slot(kName, base::Ref<core::LocalSlot>::adopt(new Slot));
  return static_cast<Slot*>(slot.get())->requests;
}

// ---- who has a request

Outstanding::Claim::Claim(Request& request)
    : Claim(request, request.outstanding_ && request.outstanding_->claim(request)) {}

Outstanding::Claim::Claim(Request& request, bool taken) : request_(request), taken_(taken) {
  Request::_duplicate(&request);
}

Outstanding::Claim::~Claim() {
  if (taken_) request_.outstanding_->give_back(request_);
  release(&request_);
}

// Who had claimed it in the parent is not in this process.
void Outstanding::forget_parent(Request& request) {
  if (std::exchange(request.forks_, core::forks) != core::forks) request.claimed_by_ = request.waiting_ = 0;
}

// Threads that look for any request leave one alone that a thread waits for.
bool Outstanding::claim(Request& request) {
  const std::uint32_t self = base::thread_id();
  for (bool waiting = false;; waiting = true) {
    {
      const std::lock_guard lock(mutex_);
      forget_parent(request);
      if (request.claimed_by_ == self) return false;
      if (request.claimed_by_ == 0) {
        request.claimed_by_ = self;
        if (waiting) --request.waiting_;
        return true;
      }
      if (!waiting) ++request.waiting_;
    }
    std::this_thread::sleep_for(kLookAgain);
  }
}

void Outstanding::give_back(Request& request) {
  const std::lock_guard lock(mutex_);
  request.claimed_by_ = 0;
}

// The first behind `behind`, which it sets, that this thread may have: counted, and claimed (`taken`) unless
// it was before. `waits`: some wait for replies.
template <typename Accept>
Request* Outstanding::claim_next(std::uint64_t& behind, bool& waits, bool& taken, Accept accept) {
  const std::uint32_t self = base::thread_id();
  const std::lock_guard lock(mutex_);
  for (Request* r = first_; r; r = r->next_) {
    forget_parent(*r);
    if (r->waiting_ != 0 || (r->claimed_by_ != 0 && r->claimed_by_ != self)) {
      waits = true;
      continue;
    }
    if (!r->is_to_be_got()) continue;  // this thread is at it, further out
    waits = true;
    if (r->number_ <= behind || !accept(*r) || !r->add_ref_unless_gone()) continue;
    taken = std::exchange(r->claimed_by_, self) == 0;
    behind = r->number_;
    return r;
  }
  return nullptr;
}

// ---- the list

void Outstanding::add(Request& request, bool keep) {
  const std::lock_guard lock(mutex_);
  request.number_ = ++sent_;
  request.kept_ = keep && !cleared_;
  if (request.kept_) Request::_duplicate(&request);
  request.next_ = nullptr;
  request.previous_ = std::exchange(last_, &request);
  (request.previous_ ? request.previous_->next_ : first_) = &request;
}

void Outstanding::unlink(Request& request) {
  request.number_ = 0;
  (request.previous_ ? request.previous_->next_ : first_) = request.next_;
  (request.next_ ? request.next_->previous_ : last_) = request.previous_;
}

void Outstanding::remove(Request& request) {
  bool kept;
  {
    const std::lock_guard lock(mutex_);
    if (request.number_ == 0) return;
    unlink(request);
    kept = std::exchange(request.kept_, false);
  }
  if (kept) release(&request);
}

void Outstanding::keep_no_longer(Request& request) {
  bool kept;
  {
    const std::lock_guard lock(mutex_);
    kept = std::exchange(request.kept_, false);
  }
  if (kept) release(&request);
}

void Outstanding::clear() {
  for (;;) {
    Request* kept = nullptr;
    {
      const std::lock_guard lock(mutex_);
      cleared_ = true;
      if (!first_) return;
      Request& request = *first_;
      unlink(request);
      if (std::exchange(request.kept_, false)) kept = &request;
    }
    if (kept) release(kept);
  }
}

// ---- any of them

CORBA::Request_ptr Outstanding::next(base::Deadline until, bool get) {
  bool waits = false;
  std::vector<const void*> connections;  // that have been looked at
  const auto is_over = [&](Request& r) { return may_be_over(r); };
  const auto is_elsewhere = [&](Request& r) {
    if (may_be_over(r)) return true;
    const void* const connection = invocation_of(r)->binding()->connection.get();
    if (std::find(connections.begin(), connections.end(), connection) != connections.end()) return false;
    connections.push_back(connection);
    return true;
  };
  for (const bool wait : {false, true}) {
    std::uint64_t behind = 0;
    for (;;) {
      bool taken;
      CORBA::Request_var one =
          wait ? claim_next(behind, waits, taken, is_elsewhere) : claim_next(behind, waits, taken, is_over);
      if (!one.in()) break;
      const Claim claim(*one.in(), taken);
      if (!one->poll(wait ? until : base::now())) continue;
      if (get) one->get_response();
      return one._retn();
    }
  }
  if (!waits) raise(SystemErrorId::BAD_INV_ORDER, 11, "no request waits for its reply");
  if (get && connections.empty()) std::this_thread::sleep_for(kTurn);
  return nullptr;
}

}  // namespace corbel::dynamic
