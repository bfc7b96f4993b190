#include <corbel/cpp/server_request.h>

#include <cstring>
#include <memory>
#include <utility>

#include "orb/core/orb.h"
#include "orb/core/server_request.h"
#include "orb/cpp/described_call.h"
#include "orb/dynamic/any_kind.h"
#include "orb/dynamic/raise.h"
#include "orb/dynamic/strings.h"
#include "orb/poa/adapter.h"

namespace CORBA {

using corbel::SystemErrorId;
using corbel::dynamic::is_void;
using corbel::dynamic::raise;
using corbel::types::Kind;

namespace {

constexpr std::size_t kWorthHolding = 8 * 1024;

Kind kind_of(const Any& value) { return corbel::types::resolve(&value._corbel_type())->kind; }

// The reply that says a user exception which only an Any holds. Its id may stand before its members there, or
// not.
void reply_user_exception(corbel::core::Upcall& call, const Any& exception) {
  const corbel::types::TypeCode& type = exception._corbel_type();
  const char* const id = corbel::types::resolve(&type)->id;
  corbel::cdr::Encoder value;
  value.reset();
  exception._corbel_marshal_value(value);
  corbel::cdr::Encoder& out = call.user_exception(id);
  if (value.error()) return out.fail(value.error());
  corbel::cdr::Decoder in(value.data(), value.data(), value.data() + value.size(), false);
  in.set_context(nullptr, false, call.arguments().context());
  corbel::cdr::Decoder ahead = in;
  const char* first;
  if (ahead.get_string_view(first) && std::strcmp(first, id) == 0)  // it is written with the rest
    out.drop(out.size() - corbel::core::ServerRequest::kReplyBegin);
  const corbel::cpp::WrittenValues written(out);
  const corbel::cpp::ReadValues read(in);
  if (!corbel::types::transcode(in, out, type))
    out.fail({SystemErrorId::MARSHAL, corbel::Completion::Maybe, 0, "an exception cannot be sent"});
}

}  // namespace

// What interceptors are told. The servant does not say which exceptions and contexts there may be.
class ServerRequest::Told final : public corbel::cpp::DescribedCall {
 public:
  bool tell_arguments(bool replied, std::vector<Argument>& told) override {
    for (ULong i = 0; arguments.in() && i < arguments->count(); ++i) {
      const NamedValue& one = arguments->_corbel_item(i);
      told.push_back({replied || (one.flags() & ARG_IN) != 0 ? *one.value() : Any(), one.flags()});
    }
    return arguments.in() != nullptr;
  }
  bool tell_result(Any& told) override {
    told = result;
    return true;
  }
  bool tell_exception(Any& told) override { return tell_result(told); }
  bool tell_exceptions(std::vector<TypeCode_ptr>&) override { return false; }
  bool tell_contexts(std::vector<std::string>&) override { return false; }
  bool tell_context(std::vector<std::string>& told) override {
    told = context;
    return arguments.in() != nullptr;
  }

  NVList_var arguments;  // once they have been read
  Any result;            // or exception
  std::vector<std::string> context;
  bool met = false;
};

inline ServerRequest::ServerRequest(corbel::core::Upcall& call) : call_(call) {
  if (static_cast<corbel::core::ServerRequest&>(call).hooks_data) [[unlikely]]
    tell();
}

void ServerRequest::tell() {
  auto& request = static_cast<corbel::core::ServerRequest&>(call_);
  const auto told = std::make_shared<Told>();
  told_ = told.get();
  request.description = std::shared_ptr<corbel::cpp::DescribedCall>(told);
}

Boolean ServerRequest::_corbel_meet() {
  if (told_ && !std::exchange(told_->met, true)) {
    auto& request = static_cast<corbel::core::ServerRequest&>(call_);
    const corbel::core::ServerHooks* const hooks = request.orb().server_hooks();
    if (!hooks->at_target(hooks->data, request)) state_ = State::Refused;
  }
  return state_ != State::Refused;
}

// What most of a large message is stays there.
bool ServerRequest::hold(Any& value, bool is_first) {
  auto& request = static_cast<corbel::core::ServerRequest&>(call_);
  if (!request.may_hold || !request.connection) return false;
  // Where the header ends with the number of its contexts, none, or with padding behind that.
  const bool spare = is_first && request.version().minor >= 2 && request.header().contexts.count() == 0;
  return value._corbel_hold_run(call_.arguments(), request.may_hold / 2, spare ? sizeof(ULong) : 0,
                                request.held);
}

inline void ServerRequest::take(const NamedValue& parameter, bool is_first) {
  Any& value = *parameter.value();
  if (is_void(value)) raise(SystemErrorId::BAD_PARAM, 0, "a parameter has no type");
  if ((parameter.flags() & ARG_OUT) != 0) gives_results_only_ = false;
  if ((parameter.flags() & ARG_IN) == 0) return;
  if (call_.arguments().remaining() >= kWorthHolding && hold(value, is_first)) return;
  if (!value._corbel_unmarshal_value(call_.arguments(), value._corbel_type())) corbel::cpp::bad_arguments();
}

void ServerRequest::arguments(NVList_ptr& parameters) {
  if (state_ != State::Begun) raise(SystemErrorId::BAD_INV_ORDER, 7, "arguments() was called already");
  if (!parameters) raise(SystemErrorId::BAD_PARAM, 0, "the request's parameters need a list");
  const NVList& list = *(arguments_ = parameters);
  state_ = State::HasArguments;
  const ULong count = list.count();
  if (count == 1) take(list._corbel_item(0), true);  // shares its values with no other
  else if (count != 0) take_all(list);
  // Only a context may follow; where no arguments are expected nobody looks.
  if (count != 0 && call_.arguments().remaining() != 0) [[unlikely]] {
    std::vector<std::string> context;
    if (!corbel::dynamic::read_strings(call_.arguments(), context)) {
      if (call_.arguments().bad_text()) corbel::cpp::bad_arguments();
      raise(SystemErrorId::MARSHAL, 3, "the request holds more arguments than the servant's list says");
    }
  }
  if (told_) [[unlikely]]
    tell_arguments();
}

void ServerRequest::take_all(const NVList& parameters) {
  const corbel::cpp::ReadValues scope(call_.arguments());
  for (ULong i = 0; i < parameters.count(); ++i) take(parameters._corbel_item(i), i == 0);
}

void ServerRequest::tell_arguments() {
  const corbel::cdr::Decoder& in = call_.arguments();
  if (in.remaining() != 0 && !corbel::dynamic::read_strings(in, told_->context)) told_->context.clear();
  told_->arguments = NVList::_duplicate(arguments_);
  if (!_corbel_meet()) raise(SystemErrorId::TRANSIENT, 0, "an interceptor has answered the request");
}

Context_ptr ServerRequest::ctx() {
  if (state_ != State::HasArguments)
    raise(SystemErrorId::BAD_INV_ORDER, 8, "ctx() goes between arguments() and the results");
  state_ = State::HasContext;
  corbel::cdr::Decoder& in = call_.arguments();
  if (in.remaining() != 0 && (!corbel::cpp::get_context(in, context_) || in.remaining() != 0))
    corbel::cpp::bad_arguments();
  return context_.in();
}

void ServerRequest::set_result(const Any& value) {
  if (state_ == State::Refused) return;
  if (state_ != State::HasArguments && state_ != State::HasContext)
    raise(SystemErrorId::BAD_INV_ORDER, 9, "a result is set once, after arguments()");
  if (told_) told_->result = value;
  if (!gives_results_only_) {
    keep(value);
    state_ = State::HasResult;
    return;
  }
  state_ = State::Replied;
  auto& request = static_cast<corbel::core::ServerRequest&>(call_);
  if (is_void(value)) return;
  const corbel::core::KeepsReply keeps(request);  // set_exception() may follow
  value._corbel_marshal_value(request.begin_results());
}

void ServerRequest::set_exception(const Any& value) {
  if (kind_of(value) != Kind::Except)
    raise(SystemErrorId::BAD_PARAM, 21, "what set_exception() is given is no exception");
  if (!_corbel_meet()) return;
  if (told_) told_->result = value;
  keep(value);
  state_ = State::HasException;
}

void ServerRequest::keep(const Any& result) {
  if (has_result_) {
    result_ = result;
    return;
  }
  new (&result_) Any(result);
  has_result_ = true;
}

void ServerRequest::reply() {
  const SystemException* standard;
  switch (state_) {
    case State::Replied:
    case State::Refused:
      return;
    case State::Begun:
      if (!_corbel_meet()) return;
      raise(SystemErrorId::BAD_INV_ORDER, 7, "a dynamic servant has not asked for the arguments");
    case State::HasException:
      if (result_ >>= standard) call_.system_exception(standard->_corbel_error());
      else reply_user_exception(call_, result_);
      return;
    case State::HasArguments:
    case State::HasContext:
      if (gives_results_only_) return;  // there are none: the reply is empty already
      break;
    case State::HasResult:
      break;
  }
  corbel::cdr::Encoder& out = call_.results_in_place();
  {
    const corbel::cpp::WrittenValues scope(out);
    if (has_result_ && !is_void(result_)) result_._corbel_marshal_value(out);
    for (ULong i = 0; i < arguments_->count(); ++i) {
      const NamedValue& parameter = arguments_->_corbel_item(i);
      if ((parameter.flags() & ARG_OUT) != 0) parameter.value()->_corbel_marshal_value(out);
    }
  }
  call_.send();
}

}  // namespace CORBA

namespace PortableServer {
namespace {

// What it is an upcall of, if that is of this servant.
const corbel::poa::UpcallTarget* own_target(const DynamicImplementation& servant) {
  const corbel::poa::UpcallTarget* const target = corbel::poa::current_target();
  const ServantBase& base = servant;
  return target && target->servant == &base ? target : nullptr;
}

bool every_object_has(const char* operation) {
  for (const char* const name :
       {"_is_a", "_non_existent", "_not_existent", "_repository_id", "_component", "_interface"})
    if (std::strcmp(operation, name) == 0) return true;
  return false;
}

}  // namespace

CORBA::Object_ptr DynamicImplementation::_this() {
  if (!own_target(*this)) throw POA::WrongPolicy();
  return corbel::cpp::servant_reference(this);
}

CORBA::Boolean DynamicImplementation::_is_a(const char* repository_id) {
  const char* const own = _interface_repository_id();
  return own && corbel::cpp::same_id(own, repository_id);
}

const char* DynamicImplementation::_interface_repository_id() const {
  if (!own_target(*this)) return nullptr;
  // It is used up before the thread can ask again.
  static thread_local CORBA::String_var last;
  Current_var current = new Current;
  ObjectId_var id = current->get_object_id();
  POA_var poa = current->get_POA();
  last = const_cast<DynamicImplementation*>(this)->_primary_interface(id.in(), poa.in());
  return last.in();
}

CORBA::Boolean DynamicImplementation::_corbel_asks_for_arguments(const char* operation) const {
  return operation[0] != '_' || !every_object_has(operation);
}

char* DynamicImplementation::_corbel_interface_of(const ObjectId& id, POA* poa) {
  return _primary_interface(id, poa);
}

void DynamicImplementation::_dispatch(corbel::cpp::Upcall& call) {
  if (!DynamicImplementation::_corbel_asks_for_arguments(call.operation())) return unknown_operation(call);
  CORBA::ServerRequest request(call);
  try {
    invoke(&request);
  } catch (...) {
    if (!request._corbel_meet()) return;  // the reply is an interceptor's
    throw;
  }
  request._corbel_reply();
}

}  // namespace PortableServer
