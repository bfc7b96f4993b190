// Calls and the interceptors of their client.
#include <corbel/any.h>
#include <corbel/interceptors.h>

#include <bit>
#include <exception>
#include <memory>

#include "orb/core/client_invocation.h"
#include "orb/giop/reply.h"
#include "orb/interceptors/octets.h"
#include "orb/interceptors/raise.h"
#include "orb/interceptors/request_info.h"

namespace corbel::interceptors {
namespace {

using namespace PortableInterceptor;
using core::ClientInvocation;
using Kind = Outcome::Kind;

class ClientInfo final : public virtual ClientRequestInfo, public RequestInfo {
 public:
  ClientInfo(State& state, ClientInvocation& invocation)
      : RequestInfo(state, kEverywhere & ~kSendPoll, kEverywhere & ~kSendPoll), invocation_(invocation) {
    const core::Binding* const binding = invocation.binding();
    forward_ = binding ? binding->forward : invocation.target().forwarded();
    effective_ = forward_ ? forward_.get() : &invocation.target().ior();
    if (!binding) return;
    profile_ = binding->profile;
    key_ = binding->key;
  }

  char* operation() override {
    require(kEverywhere);
    return CORBA::string_dup(invocation_.operation().name);
  }
  CORBA::Boolean response_expected() override {
    require(kEverywhere);
    return invocation_.expects_reply();
  }
  Messaging::SyncScope sync_scope() override {
    require(kEverywhere & ~kSendPoll);
    return static_cast<Messaging::SyncScope>(invocation_.sync_scope());
  }
  IOP::ServiceContext* get_request_service_context(IOP::ServiceId id) override {
    require(kEverywhere & ~kSendPoll);
    return context_in(contexts_, id);
  }
  IOP::ServiceContext* get_reply_service_context(IOP::ServiceId id) override {
    require(kEnds);
    return context_in(invocation_.reply_contexts(), id);
  }

  CORBA::Object_ptr target() override {
    require(kEverywhere);
    return cpp::make_object(cpp::retain(&invocation_.target()));
  }
  CORBA::Object_ptr effective_target() override {
    require(kEverywhere);
    return forward_ ? object_of(*forward_) : target();
  }
  IOP::TaggedProfile* effective_profile() override {
    require(kEverywhere);
    std::size_t index;
    if (!find_profile(index))
      raise(SystemErrorId::NO_RESOURCES, 1, "the target has no profile that can be used");
    IOP::TaggedProfile_var profile = new IOP::TaggedProfile;
    profile->tag = effective_->profiles[index].tag;
    assign(profile->profile_data, effective_->profiles[index].data);
    return profile._retn();
  }
  CORBA::Any* received_exception() override {
    require(kReceiveException);
    return outcome().kind == Kind::SystemException ? any_of(outcome().error) : any_of_user_exception();
  }
  char* received_exception_id() override {
    require(kReceiveException);
    if (outcome().kind == Kind::SystemException) return CORBA::string_dup(repository_id(outcome().error.id));
    cdr::Decoder in = invocation_.results();
    const char* id;
    std::uint32_t length;
    return CORBA::string_dup(in.get_string_view(id, length) ? id : "");
  }
  IOP::TaggedComponent* get_effective_component(IOP::ComponentId id) override {
    IOP::TaggedComponentSeq_var all = get_effective_components(id);
    return new IOP::TaggedComponent((*all.operator->())[0]);
  }
  IOP::TaggedComponentSeq* get_effective_components(IOP::ComponentId id) override {
    require(kEverywhere & ~kSendPoll);
    IOP::TaggedComponentSeq_var found = new IOP::TaggedComponentSeq;
    std::size_t index;
    if (find_profile(index)) {
      const auto profile = ior::decode_iiop(*effective_, index);
      for (const ior::TaggedComponent& component : profile->components) {
        if (component.tag != id) continue;
        const CORBA::ULong n = found->length();
        found->length(n + 1);
        found[n].tag = id;
        assign(found[n].component_data, component.data);
      }
    }
    if (found->length() == 0) raise(SystemErrorId::BAD_PARAM, 28, "the profile has no component of this tag");
    return found._retn();
  }
  CORBA::Policy_ptr get_request_policy(CORBA::PolicyType type) override {
    require(kEverywhere & ~kSendPoll);
    CORBA::Object_var object = target();
    return object->_get_policy(type);
  }
  void add_request_service_context(const IOP::ServiceContext& context, CORBA::Boolean replace) override {
    require(kSendRequest);
    add_context(contexts_, context, replace);
  }

  // ---- for the flow
  const std::vector<giop::ServiceContext>& request_contexts() const { return contexts_; }

 private:
  cpp::DescribedCall* description() const override {
    return static_cast<cpp::DescribedCall*>(invocation_.description);
  }
  // The profile of the binding, else the first that could be one.
  bool find_profile(std::size_t& index) const {
    bool found = false;
    for (std::size_t i = 0; i < effective_->profiles.size(); ++i) {
      const auto iiop = ior::decode_iiop(*effective_, i);
      if (!iiop) continue;
      if (!found) index = i;
      found = true;
      if (profile_ != 0 ? i != static_cast<std::size_t>(std::countr_zero(profile_))
                        : iiop->object_key != key_)
        continue;
      index = i;
      break;
    }
    return found;
  }

  ClientInvocation& invocation_;
  std::vector<giop::ServiceContext> contexts_;
  // Where this attempt goes, whatever the reference is told while it runs.
  core::Forward forward_;
  const ior::Ior* effective_;  // of forward_ or the reference
  std::uint64_t profile_ = 0;  // Binding::profile
  std::string key_;
};

typedef void (ClientRequestInterceptor::*Point)(ClientRequestInfo*);

Point point_of(Points end) {
  if (end == kReceiveReply) return &ClientRequestInterceptor::receive_reply;
  return end == kReceiveException ? &ClientRequestInterceptor::receive_exception
                                  : &ClientRequestInterceptor::receive_other;
}

bool is_local(const ClientInvocation& invocation) {
  return invocation.binding() && !invocation.binding()->connection;
}

// One attempt: the points before it, the attempt itself, the points behind it in reverse. The last ones may
// be reached in another thread.
class Flow {
 public:
  Flow(State& state, ClientInvocation& invocation)
      : state_(state),
        invocation_(invocation),
        all_(state.interceptors()),
        local_(is_local(invocation)),
        info_(new ClientInfo(state, invocation)),
        owner_(info_) {
    info_->slots = slots_of_thread(state);
  }
  // Those who have been told of the begin are told of the end, whatever has happened between.
  ~Flow() {
    if (entered_ > 0 && !state_.destroyed()) abandon();
    info_->end();
  }

  // False: it is over, as error and again say.
  bool begin(SystemError& error, bool& again) {
    Outcome outcome;
    start(outcome);
    if (outcome.ended()) {
      (void)end(outcome);
      error = changed(outcome, again);
      return false;
    }
    prepare();
    return true;
  }
  SystemError finish(const SystemError& error, bool& again, core::ReplyKind kind) {
    Outcome outcome = outcome_of(error, again, kind);
    return end(outcome) ? error : changed(outcome, again);
  }

 private:
  // Nobody waits for its end, or there was no memory for the request.
  void abandon() noexcept {
    try {
      Outcome outcome;
      outcome.kind = Kind::NoReply;
      (void)end(outcome);
    } catch (const std::exception&) {
      // Nor is there any for telling.
    }
  }

  SystemError changed(Outcome& outcome, bool& again) {
    again = false;
    if (outcome.kind != Kind::Forward) return outcome.error;
    return invocation_.forwarded(std::move(outcome.target), false, again);
  }

  void start(Outcome& outcome) {
    const SlotScope scope(state_, info_->slots);
    info_->at(kSendRequest);
    for (; entered_ < all_->client.size() && !outcome.ended(); ++entered_) {
      const auto& registered = all_->client[entered_];
      if (registered.wants(local_) &&
          !call(*registered.interceptor.in(), &ClientRequestInterceptor::send_request,
                static_cast<ClientRequestInfo*>(info_), true, outcome))
        return;  // it is not on the stack
    }
  }

  void prepare() {
    if (const auto& contexts = info_->request_contexts(); !contexts.empty()) {
      const std::string octets = giop::encode_contexts(contexts);
      invocation_.set_contexts(octets.data(), static_cast<std::uint32_t>(octets.size()),
                               static_cast<std::uint32_t>(contexts.size()));
    } else {
      invocation_.set_contexts("", 0, 0);
    }
    before_ = invocation_.target().forwarded();
    identity_ = &invocation_.target().ior();
  }

  Outcome outcome_of(const SystemError& error, bool again, core::ReplyKind kind) {
    Outcome outcome;
    outcome.error = error;
    if (again) {
      const core::Forward after = invocation_.target().forwarded();
      const bool moved = !error && (after != before_ || &invocation_.target().ior() != identity_);
      outcome.kind = moved ? Kind::Forward : Kind::Retry;
      if (moved) outcome.target = after ? *after : invocation_.target().ior();
    } else if (error) {
      outcome.kind = Kind::SystemException;
    } else if (kind == core::ReplyKind::UserException) {
      outcome.kind = Kind::UserException;
    } else {
      outcome.kind = invocation_.expects_reply() ? Kind::Reply : Kind::NoReply;
    }
    return outcome;
  }

  // True if no interceptor has changed the outcome.
  bool end(Outcome& outcome) {
    const SlotScope scope(state_, info_->slots);
    bool unchanged = true;
    while (entered_ > 0) {
      const auto& registered = all_->client[--entered_];
      if (!registered.wants(local_)) continue;
      const Points end = outcome.end();
      info_->ends_as(outcome);
      info_->at(end);
      Outcome changed;
      if (call(*registered.interceptor.in(), point_of(end), static_cast<ClientRequestInfo*>(info_),
               end != kReceiveReply, changed))
        continue;
      outcome = std::move(changed);
      unchanged = false;
    }
    return unchanged;
  }

  State& state_;
  ClientInvocation& invocation_;
  const std::shared_ptr<const Interceptors> all_;
  const bool local_;
  ClientInfo* const info_;
  const ClientRequestInfo_var owner_;
  std::size_t entered_ = 0;
  core::Forward before_;                // where the target led before the attempt
  const ior::Ior* identity_ = nullptr;  // and what it was
};

}  // namespace

SystemError attempt_call(void* state, ClientInvocation& invocation, bool& again, core::ReplyKind& kind) {
  State& orbs = *static_cast<State*>(state);
  const State::InUse in_use(orbs);
  Flow flow(orbs, invocation);
  SystemError error;
  if (!flow.begin(error, again)) return error;
  error = invocation.attempt(again, kind);
  return flow.finish(error, again, kind);
}

void* begin_call(void* state, ClientInvocation& invocation, SystemError& error, bool& again,
                 core::ReplyKind&) {
  State& orbs = *static_cast<State*>(state);
  const State::InUse in_use(orbs);
  auto flow = std::make_unique<Flow>(orbs, invocation);
  return flow->begin(error, again) ? flow.release() : nullptr;
}

SystemError end_call(void* state, void* begun, ClientInvocation&, const SystemError* error, bool& again,
                     core::ReplyKind& kind) {
  State& orbs = *static_cast<State*>(state);
  const State::InUse in_use(orbs);
  const std::unique_ptr<Flow> flow(static_cast<Flow*>(begun));
  if (orbs.destroyed()) return error ? *error : SystemError{};  // with the interceptors
  return error ? flow->finish(*error, again, kind) : SystemError{};
}

}  // namespace corbel::interceptors
