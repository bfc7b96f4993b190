#include <corbel/cpp/request.h>

#include <cstring>

#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"
#include "orb/cpp/described_call.h"
#include "orb/dynamic/any_kind.h"
#include "orb/dynamic/operations.h"
#include "orb/dynamic/outstanding.h"
#include "orb/dynamic/raise.h"
#include "orb/dynamic/strings.h"

namespace CORBA {

using corbel::Completion;
using corbel::SystemError;
using corbel::SystemErrorId;
using corbel::core::ClientInvocation;
using corbel::core::ReplyKind;
using corbel::dynamic::is_void;
using corbel::dynamic::Outstanding;
using corbel::dynamic::raise;

namespace {

ClientInvocation& core_of(corbel::core::Invocation& invocation) {
  return static_cast<ClientInvocation&>(invocation);
}

Exception* made(const SystemError& error) {
  try {
    corbel::cpp::raise(error);
  } catch (const SystemException& e) {
    return e._corbel_duplicate();
  }
}

}  // namespace

Request::Request(Object_ptr target, const char* operation, Context_ptr context, NVList_ptr arguments,
                 NamedValue_ptr result, ExceptionList_ptr exceptions, ContextList_ptr contexts)
    : target_(Object::_duplicate(target)),
      name_(operation),
      arguments_(arguments ? NVList::_duplicate(arguments) : NVList::_corbel_make()),
      result_(result ? NamedValue::_duplicate(result) : new NamedValue(nullptr, ARG_OUT)),
      exceptions_(exceptions ? ExceptionList::_duplicate(exceptions) : new ExceptionList),
      contexts_(contexts ? ContextList::_duplicate(contexts) : new ContextList),
      context_(Context::_duplicate(context)) {}

Any& Request::add(const char* name, Flags flags) { return *arguments_->add_item(name, flags)->value(); }

void Request::set_return_type(TypeCode_ptr type) {
  if (!type) throw BAD_PARAM();
  return_value().replace(type, nullptr);
}

const corbel::core::Operation& Request::named(Boolean oneway) {
  const corbel::core::Operation*& operation = operations_[oneway];
  if (!operation) operation = corbel::dynamic::kept_operation(name_.in(), oneway);
  if (operation) return *operation;
  own_ = {name_.in(), static_cast<ULong>(std::strlen(name_.in())), oneway};
  own_.rewrites = true;
  return own_;
}

// While a request is sent or its reply is taken, upcalls of this thread may come upon it: they may neither
// use it again nor free it.
class Request::Busy {
 public:
  Busy(Request& request, State then) : request_(request), then_(then) {
    _duplicate(&request);
    request_.state_ = State::Busy;
  }
  ~Busy() {
    request_.state_ = then_;
    release(&request_);
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  void then(State state) { then_ = state; }

 private:
  Request& request_;
  State then_;
};

// What has to hold before it may be sent; a reply that was polled is got by nobody then.
void Request::prepare_to_send() {
  if (state_ == State::UnderWay || state_ == State::Busy)
    raise(SystemErrorId::BAD_INV_ORDER, 10, "the request is under way already");
  const ULong count = arguments_->count();
  for (ULong i = 0; i < count; ++i)
    if (is_void(*arguments_->_corbel_item(i).value()))
      raise(SystemErrorId::BAD_PARAM, 0, "an argument of a request has no type");
  leave_outstanding();
}

// This thread has claimed it.
void Request::leave_outstanding() {
  if (outstanding_) outstanding_->remove(*this);
}

// Begins a call. False: it has ended.
Boolean Request::begin(Boolean oneway) {
  environment_->clear();
  deferred_ = false;
  SystemError error;
  invocation_ = corbel::core::Invocation::begin(*target_.in()->_corbel_reference(), named(oneway), error);
  if (!invocation_) {
    fail(error);
  } else if (core_of(*invocation_).target().orb().client_hooks()) {
    try {
      describe();
    } catch (...) {
      let_go();
      throw;
    }
  }
  return invocation_ != nullptr;
}

void Request::marshal(corbel::cdr::Encoder& out) {
  const ULong count = arguments_->count();
  const ULong contexts = contexts_->count();
  const auto put = [&](const NamedValue& argument) {
    if ((argument.flags() & ARG_IN) != 0) argument.value()->_corbel_marshal_value(out);
  };
  if (count == 1) {
    put(arguments_->_corbel_item(0));  // shares its values with no other
  } else if (count != 0) {
    const corbel::cpp::WrittenValues scope(out);
    for (ULong i = 0; i < count; ++i) put(arguments_->_corbel_item(i));
  }
  if (contexts != 0) corbel::cpp::put_context(out, context_.in(), contexts_->_corbel_names(), contexts);
}

SystemError Request::send(ReplyKind& kind) {
  SystemError error;
  do {
    marshal(invocation_->arguments());
    error = invocation_->invoke(kind);
  } while (!error && kind == ReplyKind::WriteAgain);
  return error;
}

// Sends the arguments so that they may be sent once more when they have changed.
void Request::submit() {
  corbel::cdr::Encoder& out = invocation_->arguments();
  const bool allowed = out.externals_allowed();
  out.allow_externals(false);
  marshal(out);
  out.allow_externals(allowed);
  core_of(*invocation_).send_deferred();
}

void Request::invoke() {
  const Outstanding::Claim claim(*this);
  prepare_to_send();
  const Busy busy(*this, State::Ended);
  if (!begin(false)) return;
  ReplyKind kind = ReplyKind::NoException;
  try {
    const SystemError error = send(kind);
    end(error, kind);
  } catch (const SystemException& e) {
    fail(e);
  } catch (...) {
    let_go();
    throw;
  }
}

void Request::send_oneway() {
  const Outstanding::Claim claim(*this);
  prepare_to_send();
  const Busy busy(*this, State::Ended);
  if (!begin(true)) return;
  ReplyKind kind = ReplyKind::NoException;
  try {
    if (const SystemError error = send(kind)) fail(error);
  } catch (const SystemException& e) {
    return fail(e);
  } catch (...) {
    let_go();
    throw;
  }
  let_go();
}

void Request::send_deferred() { _corbel_send_deferred(false); }

void Request::_corbel_send_deferred(Boolean keep) {
  if (!outstanding_) outstanding_ = Outstanding::of(target_.in()->_corbel_reference()->orb()).release();
  const Outstanding::Claim claim(*this);
  prepare_to_send();
  Busy busy(*this, State::Ended);
  Boolean begun = begin(false);
  deferred_ = true;
  if (begun) {
    try {
      submit();
      while (submit_again()) continue;
    } catch (const SystemException& e) {
      fail(e);
      begun = false;
    } catch (...) {
      let_go();
      throw;
    }
  }
  busy.then(begun ? State::UnderWay : State::Got);
  outstanding_->add(*this, keep);
}

void Request::get_response() {
  const Outstanding::Claim claim(*this);
  switch (state_) {
    case State::UnderWay: {
      const Busy busy(*this, State::Ended);
      leave_outstanding();
      return get();
    }
    case State::Got:
      state_ = State::Ended;
      return leave_outstanding();
    case State::Idle:
      raise(SystemErrorId::BAD_INV_ORDER, 11, "the request has not been sent");
    case State::Busy:
    case State::Ended:
      break;
  }
  if (deferred_) raise(SystemErrorId::BAD_INV_ORDER, 12, "the reply has been got already");
  raise(SystemErrorId::BAD_INV_ORDER, 13, "the request was not sent by send_deferred");
}

Boolean Request::poll_response() {
  const Outstanding::Claim claim(*this);
  if (!is_to_be_got()) get_response();  // raises what is wrong
  if (!poll(corbel::base::now())) return false;
  outstanding_->keep_no_longer(*this);
  return true;
}

// This thread has claimed it.
Boolean Request::poll(corbel::base::Deadline until) {
  if (state_ != State::UnderWay) return state_ == State::Got;
  Busy busy(*this, State::UnderWay);
  try {
    do {
      if (!core_of(*invocation_).poll_deferred(until)) return false;
    } while (submit_again());
    get();
  } catch (const SystemException& e) {
    if (invocation_) fail(e);
  } catch (...) {
    if (invocation_) let_go();
    busy.then(State::Ended);
    leave_outstanding();
    throw;
  }
  busy.then(State::Got);
  return true;
}

// Its reply is there, or is waited for.
void Request::get() {
  ReplyKind kind = ReplyKind::NoException;
  try {
    SystemError error;
    do error = core_of(*invocation_).end_deferred(kind);
    while (submit_again());
    end(error, kind);
  } catch (const SystemException& e) {
    fail(e);
  } catch (...) {
    let_go();
    throw;
  }
}

// Another server may want the arguments otherwise.
Boolean Request::submit_again() {
  if (!core_of(*invocation_).wants_arguments()) return false;
  submit();
  return true;
}

void Request::let_go() {
  ClientInvocation& invocation = core_of(*invocation_);
  if (&invocation.operation() == &own_) invocation.forget_operation();
  invocation.description = nullptr;
  invocation_->end();
  invocation_ = nullptr;
}

void Request::end(const SystemError& error, ReplyKind kind) try {
  if (error) {
    fail(error);
  } else if (kind == ReplyKind::NoException) {
    if (!take_results(invocation_->results())) {
      if (invocation_->results().bad_text())
        fail({SystemErrorId::DATA_CONVERSION, Completion::Yes, 0x4f4d0001,
              "text in the reply is malformed in its code set, or has characters that the program's set does "
              "not have"});
      else
        fail({SystemErrorId::MARSHAL, Completion::Yes, 0,
              "the results in the reply are malformed, or are not of the types that the request expects"});
    }
  } else {
    take_exception(invocation_->results());
  }
  let_go();
} catch (const SystemException& e) {  // of what a value's factory or reading made of the reply
  fail(e);
}

Boolean Request::take_results(corbel::cdr::Decoder& in) {
  const ULong count = arguments_->count();
  Any& result = *result_->value();
  const auto take_result = [&] {
    return is_void(result) || result._corbel_unmarshal_value(in, result._corbel_type());
  };
  bool comes_alone = true;  // and shares its values with no argument
  for (ULong i = 0; i < count; ++i) comes_alone &= (arguments_->_corbel_item(i).flags() & ARG_OUT) == 0;
  // What stands behind values is of another operation; where none is expected nobody looks.
  if (comes_alone) return take_result() && (is_void(result) || in.remaining() == 0);
  const corbel::cpp::ReadValues scope(in);
  bool good = take_result();
  for (ULong i = 0; good && i < count; ++i) {
    const NamedValue& argument = arguments_->_corbel_item(i);
    Any& value = *argument.value();
    if ((argument.flags() & ARG_OUT) != 0) good = value._corbel_unmarshal_value(in, value._corbel_type());
  }
  return good && in.remaining() == 0;
}

// The type of the one that the reply holds; null if it is not in the list.
TypeCode_ptr Request::listed_exception(corbel::cdr::Decoder in, Boolean& good) {
  const char* id;
  good = in.get_string_view(id);
  for (ULong i = 0; good && i < exceptions_->count(); ++i) {
    TypeCode_ptr const type = exceptions_->item(i);
    if (std::strcmp(corbel::types::resolve(type)->id, id) == 0) return type;
  }
  return nullptr;
}

void Request::take_exception(corbel::cdr::Decoder& in) {
  bool good;
  if (TypeCode_ptr const type = listed_exception(in, good)) {
    Any_var held = new Any;
    const corbel::cpp::ReadValues scope(in);
    good = held->_corbel_unmarshal_value(in, *type) && in.remaining() == 0;
    if (good) {
      environment_->exception(new UnknownUserException(held._retn()));
      return;
    }
  }
  if (good)
    fail({SystemErrorId::UNKNOWN, Completion::Yes, 0x4f4d0001,
          "the server raised a user exception that is not in the request's list"});
  else fail({SystemErrorId::MARSHAL, Completion::Yes, 0, "the exception in the reply is malformed"});
}

void Request::fail(const SystemError& error) { environment_->exception(made(error)); }

// What classes of values raise while theirs are written or read.
void Request::fail(const SystemException& e) {
  environment_->exception(e._corbel_duplicate());
  let_go();
}

// ---- what interceptors are told

class Request::Told final : public corbel::cpp::DescribedCall {
 public:
  explicit Told(Request& request) : request_(request) {}

  bool tell_arguments(bool replied, std::vector<Argument>& told) override {
    for (ULong i = 0; i < request_.arguments_->count(); ++i) {
      const NamedValue& one = request_.arguments_->_corbel_item(i);
      told.push_back({(one.flags() & ARG_IN) != 0 ? *one.value() : Any(), one.flags()});
    }
    Any result;
    return !replied || tell_reply(result, told);
  }
  bool tell_result(Any& told) override {
    std::vector<Argument> none;
    return tell_reply(told, none);
  }
  bool tell_exception(Any& told) override {
    corbel::cdr::Decoder in = request_.invocation_->results();
    bool good;
    TypeCode_ptr const type = request_.listed_exception(in, good);
    const corbel::cpp::ReadValues scope(in);
    return type && told._corbel_unmarshal_value(in, *type);
  }
  bool tell_exceptions(std::vector<TypeCode_ptr>& told) override {
    for (ULong i = 0; i < request_.exceptions_->count(); ++i) told.push_back(request_.exceptions_->item(i));
    return true;
  }
  bool tell_contexts(std::vector<std::string>& told) override {
    const char* const* const names = request_.contexts_->_corbel_names();
    told.assign(names, names + request_.contexts_->count());
    return true;
  }
  bool tell_context(std::vector<std::string>& told) override {
    corbel::cdr::Encoder out;
    out.reset();
    corbel::cpp::put_context(out, request_.context_.in(), request_.contexts_->_corbel_names(),
                             request_.contexts_->count());
    return corbel::dynamic::read_strings({out.data(), out.data(), out.data() + out.size(), false}, told);
  }

 private:
  // Reads the reply without taking it.
  bool tell_reply(Any& result, std::vector<Argument>& arguments) {
    corbel::cdr::Decoder in = request_.invocation_->results();
    const corbel::cpp::ReadValues scope(in);
    const Any& declared = *request_.result_->value();
    bool good = is_void(declared) || result._corbel_unmarshal_value(in, declared._corbel_type());
    for (ULong i = 0; good && i < arguments.size(); ++i) {
      const NamedValue& one = request_.arguments_->_corbel_item(i);
      if ((one.flags() & ARG_OUT) != 0)
        good = arguments[i].value._corbel_unmarshal_value(in, one.value()->_corbel_type());
    }
    return good;
  }

  Request& request_;
};

void Request::describe() {
  if (!told_) told_ = new Told(*this);
  core_of(*invocation_).description = static_cast<corbel::cpp::DescribedCall*>(told_);
}

Request::~Request() {
  leave_outstanding();
  if (invocation_) {
    core_of(*invocation_).abandon_deferred();
    let_go();
  }
  if (outstanding_) outstanding_->remove_ref();
  delete told_;
}

// ---- where they come from

void Object::_create_request(Context_ptr context, const char* operation, NVList_ptr arguments,
                             NamedValue_ptr result, Request_out request, Flags flags) {
  _create_request(context, operation, arguments, result, nullptr, nullptr, request, flags);
}

void Object::_create_request(Context_ptr context, const char* operation, NVList_ptr arguments,
                             NamedValue_ptr result, ExceptionList_ptr exceptions, ContextList_ptr contexts,
                             Request_out request, Flags flags) {
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (!reference_)
    raise(SystemErrorId::NO_IMPLEMENT, 4,
          "a local object has no requests; call it through its own interface");
  if (!operation || *operation == '\0')
    raise(SystemErrorId::BAD_PARAM, 0, "a request needs the name of an operation");
  if ((flags & ~(OUT_LIST_MEMORY | IN_COPY_VALUE)) != 0)
    raise(SystemErrorId::INV_FLAG, 0, "a request has no such flag");
  request = new Request(this, operation, context, arguments, result, exceptions, contexts);
}

Request_ptr Object::_request(const char* operation) {
  Request_ptr request;
  _create_request(nullptr, operation, nullptr, nullptr, request, 0);
  return request;
}

}  // namespace CORBA
