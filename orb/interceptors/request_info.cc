#include "orb/interceptors/request_info.h"

#include <algorithm>

#include <corbel/any.h>

#include "orb/core/reference.h"
#include "orb/interceptors/octets.h"
#include "orb/interceptors/raise.h"

namespace corbel::interceptors {

using namespace PortableInterceptor;
using Kind = Outcome::Kind;

Points Outcome::end() const {
  switch (kind) {
    case Kind::Reply:
      return kReceiveReply;
    case Kind::UserException:
    case Kind::SystemException:
      return kReceiveException;
    default:
      return kReceiveOther;
  }
}

ReplyStatus Outcome::status() const {
  switch (kind) {
    case Kind::UserException:
      return USER_EXCEPTION;
    case Kind::SystemException:
      return SYSTEM_EXCEPTION;
    case Kind::Forward:
      return LOCATION_FORWARD;
    case Kind::Retry:
      return TRANSPORT_RETRY;
    default:
      return SUCCESSFUL;
  }
}

Outcome caught(bool may_forward) {
  Outcome outcome;
  outcome.kind = Kind::SystemException;
  try {
    throw;
  } catch (const ForwardRequest& request) {
    CORBA::Object_ptr const target = request.forward.in();
    if (may_forward && target && target->_corbel_reference()) {
      outcome.kind = Kind::Forward;
      outcome.target = target->_corbel_reference()->ior();
    } else {
      outcome.error = {SystemErrorId::BAD_PARAM, Completion::No, 0,
                       "an interceptor forwards a request to an object that is nil or local, or where it "
                       "must not"};
    }
  } catch (const CORBA::SystemException& exception) {
    outcome.error = exception._corbel_error();
  } catch (...) {
    outcome.error = {SystemErrorId::UNKNOWN, Completion::Maybe, assigned::kOmgMinor | 1,
                     "an interceptor raised something that is no standard exception"};
  }
  return outcome;
}

void RequestInfo::require(Points points) const {
  if ((point_ & points) == 0) raise_not_here();
}

namespace {

using cpp::DescribedCall;

// Asks for it, where there is something to ask.
template <typename... Parameters, typename... Arguments>
void ask(DescribedCall* call, bool (DescribedCall::*what)(Parameters...), Arguments&&... arguments) {
  if (!call || !(call->*what)(std::forward<Arguments>(arguments)...))
    raise(SystemErrorId::NO_RESOURCES, 1,
          "nobody tells this to interceptors; static stubs and skeletons never do");
}

CORBA::StringSeq* make_strings(const std::vector<std::string>& from) {
  CORBA::StringSeq_var list = new CORBA::StringSeq;
  list->length(static_cast<CORBA::ULong>(from.size()));
  for (CORBA::ULong i = 0; i < from.size(); ++i) list[i] = from[i].c_str();
  return list._retn();
}

}  // namespace

CORBA::ULong RequestInfo::request_id() {
  require(kEverywhere);
  return request_id_;
}

Dynamic::ParameterList* RequestInfo::arguments() {
  require(told_ & (kSendRequest | kReceiveRequest | kReceiveReply));
  std::vector<DescribedCall::Argument> told;
  ask(description(), &DescribedCall::tell_arguments, point_ == kReceiveReply, told);
  Dynamic::ParameterList_var list = new Dynamic::ParameterList;
  list->length(static_cast<CORBA::ULong>(told.size()));
  for (CORBA::ULong i = 0; i < told.size(); ++i) {
    list[i].argument.swap(told[i].value);
    list[i].mode = static_cast<CORBA::ParameterMode>((told[i].flags & 3) - 1);
  }
  return list._retn();
}

Dynamic::ExceptionList* RequestInfo::exceptions() {
  require(told_);
  std::vector<CORBA::TypeCode_ptr> told;
  ask(description(), &DescribedCall::tell_exceptions, told);
  Dynamic::ExceptionList_var list = new Dynamic::ExceptionList;
  list->length(static_cast<CORBA::ULong>(told.size()));
  for (CORBA::ULong i = 0; i < told.size(); ++i) list[i] = CORBA::TypeCode::_duplicate(told[i]);
  return list._retn();
}

Dynamic::ContextList* RequestInfo::contexts() {
  require(told_);
  std::vector<std::string> told;
  ask(description(), &DescribedCall::tell_contexts, told);
  return make_strings(told);
}

Dynamic::RequestContext* RequestInfo::operation_context() {
  require(context_);
  std::vector<std::string> told;
  ask(description(), &DescribedCall::tell_context, told);
  return make_strings(told);
}

CORBA::Any* RequestInfo::result() {
  require(kReceiveReply);
  CORBA::Any_var told = new CORBA::Any;
  ask(description(), &DescribedCall::tell_result, told.inout());
  CORBA::TypeCode_var type = told->type();
  if (type->kind() == CORBA::tk_null) told->replace(CORBA::_tc_void, nullptr);
  return told._retn();
}

ReplyStatus RequestInfo::reply_status() {
  require(kEnds);
  return outcome_->status();
}

CORBA::Object_ptr RequestInfo::forward_reference() {
  require(kReceiveOther);
  if (outcome_->kind != Kind::Forward) raise_not_here();
  return object_of(outcome_->target);
}

CORBA::Any* RequestInfo::get_slot(SlotId id) {
  require(kEverywhere);
  return interceptors::get_slot(slots, id, state_.slot_count());
}

CORBA::Object_ptr RequestInfo::object_of(const ior::Ior& ior) const {
  return cpp::make_object(state_.orb().import(ior).release());
}

namespace {

IOP::ServiceContext* make_context(IOP::ServiceId id, std::string_view data) {
  IOP::ServiceContext_var context = new IOP::ServiceContext;
  context->context_id = id;
  assign(context->context_data, data);
  return context._retn();
}

[[noreturn]] void raise_no_context() {
  raise(SystemErrorId::BAD_PARAM, 26, "the message has no service context of this id");
}

auto find(std::vector<giop::ServiceContext>& contexts, IOP::ServiceId id) {
  return std::find_if(contexts.begin(), contexts.end(), [id](const auto& c) { return c.id == id; });
}

}  // namespace

IOP::ServiceContext* RequestInfo::context_in(const giop::ServiceContexts& contexts, IOP::ServiceId id) {
  const char* data;
  std::uint32_t size;
  if (contexts.count() == 0 || !contexts.find(id, data, size)) raise_no_context();
  return make_context(id, {data, size});
}

IOP::ServiceContext* RequestInfo::context_in(const std::vector<giop::ServiceContext>& contexts,
                                             IOP::ServiceId id) {
  for (const giop::ServiceContext& context : contexts)
    if (context.id == id) return make_context(id, context.data);
  raise_no_context();
}

void RequestInfo::add_context(std::vector<giop::ServiceContext>& contexts, const IOP::ServiceContext& added,
                              bool replace) {
  const auto present = find(contexts, added.context_id);
  if (present == contexts.end()) return contexts.push_back({added.context_id, text(added.context_data)});
  if (!replace)
    raise(SystemErrorId::BAD_INV_ORDER, 15,
          "the message has a service context of this id already, which was not to be replaced");
  present->data = text(added.context_data);
}

CORBA::Any* RequestInfo::any_of(const SystemError& error) {
  CORBA::Any_var any = new CORBA::Any;
  try {
    cpp::raise(error);
  } catch (const CORBA::SystemException& exception) {
    *any.operator->() <<= exception;
  }
  return any._retn();
}

CORBA::Any* RequestInfo::any_of_user_exception() const {
  CORBA::Any_var told = new CORBA::Any;
  if (DescribedCall* const call = description(); call && call->tell_exception(told.inout()))
    return told._retn();
  return any_of({SystemErrorId::UNKNOWN, Completion::Yes, assigned::kOmgMinor | 3, nullptr});
}

}  // namespace corbel::interceptors
