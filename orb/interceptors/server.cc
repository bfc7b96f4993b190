// Requests and the interceptors of their server.
#include <corbel/any.h>
#include <corbel/cpp/servant.h>
#include <corbel/interceptors.h>

#include "orb/core/server_request.h"
#include "orb/giop/reply.h"
#include "orb/interceptors/adapters.h"
#include "orb/interceptors/octets.h"
#include "orb/interceptors/raise.h"
#include "orb/interceptors/request_info.h"
#include "orb/poa/adapter.h"

namespace corbel::interceptors {
namespace {

using namespace PortableInterceptor;
using core::ServerRequest;
using Kind = Outcome::Kind;

constexpr Points kTargetKnown = kEverywhere & ~kReceiveContexts;

class ServerInfo final : public virtual ServerRequestInfo, public RequestInfo {
 public:
  ServerInfo(State& state, ServerRequest& request)
      : RequestInfo(state, kTargetKnown, kReceiveRequest | kSendReply),
        request_(request),
        response_expected_(request.header().response_expected),
        replies_early_(request.header().reply_early) {}

  char* operation() override {
    require(kEverywhere);
    return CORBA::string_dup(request_.operation());
  }
  CORBA::Boolean response_expected() override {
    require(kEverywhere);
    return response_expected_;
  }
  Messaging::SyncScope sync_scope() override {
    require(kEverywhere);
    if (!response_expected_) return Messaging::SYNC_WITH_TRANSPORT;
    return replies_early_ ? Messaging::SYNC_WITH_SERVER : Messaging::SYNC_WITH_TARGET;
  }
  IOP::ServiceContext* get_request_service_context(IOP::ServiceId id) override {
    require(kEverywhere);
    return context_in(request_.header().contexts, id);
  }
  IOP::ServiceContext* get_reply_service_context(IOP::ServiceId id) override {
    require(kEnds);
    return context_in(contexts_, id);
  }

  CORBA::Any* sending_exception() override {
    require(kSendException);
    return outcome().kind == Kind::SystemException ? any_of(outcome().error) : any_of_user_exception();
  }
  char* server_id() override {
    require(kTargetKnown);
    return CORBA::string_dup(state().orb().options().server_id.c_str());
  }
  char* orb_id() override {
    require(kTargetKnown);
    return CORBA::string_dup(state().orb().options().orb_id.c_str());
  }
  AdapterName* adapter_name() override { return name_of(target()); }
  ObjectId* object_id() override {
    (void)target();
    return make_octets<ObjectId>(id_);
  }
  CORBA::OctetSeq* adapter_id() override { return make_octets<CORBA::OctetSeq>(target().id()); }
  char* target_most_derived_interface() override {
    require(kReceiveRequest);
    const char* const id = servant_->functions().interface_id(*servant_);
    return CORBA::string_dup(id ? id : "");
  }
  CORBA::Boolean target_is_a(const char* id) override {
    require(kReceiveRequest);
    return id && servant_->functions().is_a(*servant_, id);
  }
  CORBA::Policy_ptr get_server_policy(CORBA::PolicyType type) override {
    require(kEverywhere);
    if (!state().has_factory(type))
      raise(SystemErrorId::INV_POLICY, 3, "no PolicyFactory has been registered for this type of policies");
    return adapter_policy(state().orb(), request_, type);
  }
  void set_slot(SlotId id, const CORBA::Any& data) override {
    require(kEverywhere);
    interceptors::set_slot(slots, id, data, state().slot_count());
    // The operation's thread has its copy already.
    if (point() == kReceiveRequest) set_slot_of_thread(state(), id, data);
  }
  void add_reply_service_context(const IOP::ServiceContext& context, CORBA::Boolean replace) override {
    require(kEverywhere);
    add_context(contexts_, context, replace);
  }

  // ---- for the flow
  void reached(const poa::UpcallTarget& target) {
    adapter_ = base::Ref<poa::Adapter>::share(target.adapter);
    servant_ = target.servant;
    id_ = target.id;
  }
  // The servant may be gone from here on.
  void left() { servant_ = nullptr; }
  const std::vector<giop::ServiceContext>& reply_contexts() const { return contexts_; }

 private:
  cpp::DescribedCall* description() const override {
    return static_cast<cpp::DescribedCall*>(request_.description.get());
  }
  // Not known where the request has not got so far.
  poa::Adapter& target() const {
    require(kTargetKnown);
    if (!adapter_) raise(SystemErrorId::NO_RESOURCES, 1, "the request has not reached an object");
    return *adapter_.get();
  }

  ServerRequest& request_;
  const bool response_expected_, replies_early_;
  base::Ref<poa::Adapter> adapter_;
  core::Servant* servant_ = nullptr;
  std::string id_;
  std::vector<giop::ServiceContext> contexts_;
};

typedef void (ServerRequestInterceptor::*Point)(ServerRequestInfo*);

Point point_of(Points end) {
  if (end == kSendReply) return &ServerRequestInterceptor::send_reply;
  return end == kSendException ? &ServerRequestInterceptor::send_exception
                               : &ServerRequestInterceptor::send_other;
}

// One request: the points before the servant is known and where it is, the operation, the points behind it in
// reverse.
class Flow {
 public:
  Flow(State& state, ServerRequest& request)
      : state_(state),
        request_(request),
        all_(state.interceptors()),
        local_(!request.connection && !request.other_running),
        info_(new ServerInfo(state, request)),
        owner_(info_) {}
  ~Flow() {
    info_->end();
    request_.description = nullptr;
  }

  void run() {
    Outcome outcome;
    {
      const SlotScope scope(state_, {});
      start(outcome);
    }
    if (outcome.ended()) {
      answer(outcome);
    } else {
      SlotScope scope(state_, info_->slots);
      serve();
      if (state_.slot_count() != 0 && !ended_) info_->slots = scope.slots();
      outcome = answered();
    }
    if (!ended_) end(outcome);
    for (const giop::ServiceContext& context : info_->reply_contexts())
      request_.add_reply_context(context.id, context.data);
  }

  // False if the operation is not to run: the request has been answered.
  bool at_target() {
    const auto& target = *static_cast<const poa::UpcallTarget*>(request_.adapter_data);
    const auto& servant = static_cast<const PortableServer::ServantBase&>(*target.servant);
    info_->reached(target);
    // One that has its types at run time only lets us know when it has the arguments.
    if (!request_.description && servant._corbel_asks_for_arguments(request_.operation())) return true;
    Outcome outcome;
    {
      const At at(*info_, kReceiveRequest);
      for (const auto& registered : all_->server)
        if (registered.wants(local_) &&
            !call(*registered.interceptor.in(), &ServerRequestInterceptor::receive_request,
                  static_cast<ServerRequestInfo*>(info_), true, outcome))
          break;
    }
    info_->left();
    if (!outcome.ended()) return true;
    answer(outcome);
    return false;
  }

  // The points behind the operation are for its thread, which has the request's slots meanwhile.
  void elsewhere(void (*run)(const void*), const void* what) {
    {
      SlotScope there(state_, info_->slots);
      run(what);
      if (state_.slot_count() != 0) info_->slots = there.slots();
    }
    Outcome outcome = answered();
    end(outcome);
  }

 private:
  // Between the points nothing can be asked, whoever keeps the info.
  class At {
   public:
    At(ServerInfo& info, Points point) : info_(info) { info_.at(point); }
    ~At() { info_.end(); }
    At(const At&) = delete;
    At& operator=(const At&) = delete;

   private:
    ServerInfo& info_;
  };

  void start(Outcome& outcome) {
    const At at(*info_, kReceiveContexts);
    for (; entered_ < all_->server.size(); ++entered_) {
      const auto& registered = all_->server[entered_];
      if (registered.wants(local_) &&
          !call(*registered.interceptor.in(), &ServerRequestInterceptor::receive_request_service_contexts,
                static_cast<ServerRequestInfo*>(info_), true, outcome))
        return;  // it is not on the stack
    }
  }

  void serve() {
    request_.hooks_data = this;
    request_.stop_at_target();
    const struct Served {
      ServerRequest& request;
      ~Served() {
        request.stop_no_more();
        request.hooks_data = nullptr;
      }
    } served{request_};
    request_.orb().dispatch_to_adapter(request_);
  }

  void answer(const Outcome& outcome) {
    if (outcome.kind == Kind::Forward) request_.forward(outcome.target);
    else request_.system_exception(outcome.error);
  }

  // What the reply says that has been started.
  Outcome answered() {
    Outcome outcome;
    outcome.kind = Kind::Reply;  // of a one-way, too: it goes nowhere
    if (!request_.reply_started()) return outcome;
    cdr::Encoder& reply = request_.reply();
    cdr::Decoder in(reply.data(), reply.data() + ServerRequest::kReplyBegin, reply.data() + reply.size(),
                    false);
    switch (request_.reply_kind()) {
      case ServerRequest::Reply::NoException:
        break;
      case ServerRequest::Reply::UserException:
        outcome.kind = Kind::UserException;
        break;
      case ServerRequest::Reply::SystemException:
        outcome.kind = Kind::SystemException;
        (void)giop::decode_system_exception(in, outcome.error);
        break;
      case ServerRequest::Reply::Forward:
      case ServerRequest::Reply::ForwardPerm:
        outcome.kind = Kind::Forward;
        (void)ior::decode(in, outcome.target);
        break;
      case ServerRequest::Reply::NeedsAddressing:
        outcome.kind = Kind::Retry;
        break;
    }
    return outcome;
  }

  void end(Outcome& outcome) {
    const SlotScope scope(state_, info_->slots);
    ended_ = true;
    while (entered_ > 0) {
      const auto& registered = all_->server[--entered_];
      if (!registered.wants(local_)) continue;
      const Points end = outcome.end();
      info_->ends_as(outcome);
      const At at(*info_, end);
      Outcome changed;
      if (call(*registered.interceptor.in(), point_of(end), static_cast<ServerRequestInfo*>(info_),
               end != kSendReply, changed))
        continue;
      outcome = std::move(changed);
      answer(outcome);
    }
  }

  State& state_;
  ServerRequest& request_;
  const std::shared_ptr<const Interceptors> all_;
  const bool local_;
  ServerInfo* const info_;
  const ServerRequestInfo_var owner_;
  std::size_t entered_ = 0;
  bool ended_ = false;
};

}  // namespace

void dispatch_request(void* state, ServerRequest& request) {
  State& orbs = *static_cast<State*>(state);
  const State::InUse in_use(orbs);
  Flow(orbs, request).run();
}

bool request_at_target(void*, ServerRequest& request) {
  return static_cast<Flow*>(request.hooks_data)->at_target();
}

void run_elsewhere(ServerRequest& request, void (*run)(const void*), const void* what) {
  static_cast<Flow*>(request.hooks_data)->elsewhere(run, what);
}

}  // namespace corbel::interceptors
