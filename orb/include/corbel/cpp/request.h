// Calls of operations that are only known at run time (CORBA 3.4 part 1, "Dynamic Invocation Interface"; OMG
// C++ mapping 1.3, "Request"). The library Corbel::dynamic.
#pragma once

#include <corbel/base/deadline.h>
#include <corbel/core/invocation.h>
#include <corbel/cpp/any_exceptions.h>
#include <corbel/cpp/context.h>
#include <corbel/cpp/named_values.h>
#include <corbel/cpp/orb.h>
#include <corbel/cpp/sequence.h>

namespace corbel::dynamic {
class Outstanding;
}

namespace CORBA {

typedef Request* Request_ptr;
typedef corbel::cpp::ObjectVar<Request> Request_var;
typedef corbel::cpp::ObjectOut<Request> Request_out;

// One call after the other of an operation: a request whose reply is there may be given other values and be
// sent again, which allocates nothing but what the values themselves take.
//
// Counted; one thread at a time. How a call ended is told by env(): a user exception of the exception list as
// an UnknownUserException, anything else as a standard exception. Only what the caller has done wrong is
// thrown: BAD_INV_ORDER with the OMG's minor codes 10 (it is under way already), 11 (it has not been sent),
// 12 (its reply has been got already) and 13 (it was not sent by send_deferred), BAD_PARAM for an argument
// that has no type.
class [[gnu::visibility("default")]] Request : public corbel::cpp::PseudoObject<Request> {
 public:
  // All of these stay the request's. They are not to be changed while it is under way.
  Object_ptr target() const { return target_.in(); }
  const char* operation() const { return name_.in(); }
  NVList_ptr arguments() { return arguments_.in(); }
  // Void as long as its Any has no type.
  NamedValue_ptr result() { return result_.in(); }
  Environment_ptr env() { return environment_.in(); }
  ExceptionList_ptr exceptions() { return exceptions_.in(); }
  ContextList_ptr contexts() { return contexts_.in(); }
  // Where the values of the properties come from that contexts() names.
  void ctx(Context_ptr context) { context_ = Context::_duplicate(context); }
  Context_ptr ctx() const { return context_.in(); }

  // Each adds an argument and gives its value, which an argument that goes out needs for its type only.
  Any& add_in_arg() { return add(nullptr, ARG_IN); }
  Any& add_in_arg(const char* name) { return add(name, ARG_IN); }
  Any& add_inout_arg() { return add(nullptr, ARG_INOUT); }
  Any& add_inout_arg(const char* name) { return add(name, ARG_INOUT); }
  Any& add_out_arg() { return add(nullptr, ARG_OUT); }
  Any& add_out_arg(const char* name) { return add(name, ARG_OUT); }
  // BAD_PARAM for nil.
  void set_return_type(TypeCode_ptr type);
  Any& return_value() { return *result_->value(); }

  // Calls, and waits for the reply.
  void invoke();
  // Nobody learns how it ends.
  void send_oneway();
  // Sends; the reply is to be polled or got, here or by ORB::get_next_response. No thread waits for it. An
  // object of the same ORB is called here and now.
  void send_deferred();
  // Waits for the reply. Without effect if a poll has found it.
  void get_response();
  // Whether the reply has come. If so the results are there, without get_response().
  Boolean poll_response();

  // For the ORB. Takes nothing over; null stands for an empty one.
  Request(Object_ptr target, const char* operation, Context_ptr context, NVList_ptr arguments,
          NamedValue_ptr result, ExceptionList_ptr exceptions, ContextList_ptr contexts);
  corbel::core::Invocation* _corbel_invocation() const { return invocation_; }
  // As send_deferred(); `keep`: it lives until its reply has been got.
  void _corbel_send_deferred(Boolean keep);

 private:
  friend class corbel::cpp::PseudoObject<Request>;
  friend class corbel::dynamic::Outstanding;
  enum class State : Octet { Idle, Busy, UnderWay, Got, Ended };  // Busy: sent, or its reply taken, now
  class Busy;
  ~Request();
  Any& add(const char* name, Flags flags);
  const corbel::core::Operation& named(Boolean oneway);
  // Its reply is to be got, and nobody is at it: this thread may be inside of an upcall that it leads to.
  Boolean is_to_be_got() const { return state_ == State::UnderWay || state_ == State::Got; }
  // Whether its reply is there now, or comes until then.
  Boolean poll(corbel::base::Deadline until);
  void prepare_to_send();
  Boolean begin(Boolean oneway);
  void marshal(corbel::cdr::Encoder& out);
  corbel::SystemError send(corbel::core::ReplyKind& kind);
  void submit();
  Boolean submit_again();
  void end(const corbel::SystemError& error, corbel::core::ReplyKind kind);
  Boolean take_results(corbel::cdr::Decoder& in);
  void take_exception(corbel::cdr::Decoder& in);
  TypeCode_ptr listed_exception(corbel::cdr::Decoder in, Boolean& good);
  void fail(const corbel::SystemError& error);
  void fail(const SystemException& e);
  void let_go();
  void get();
  void leave_outstanding();
  class Told;
  void describe();

  Object_var target_;
  String_var name_;
  NVList_var arguments_;
  NamedValue_var result_;
  Environment_var environment_ = new Environment;
  ExceptionList_var exceptions_;
  ContextList_var contexts_;
  Context_var context_;
  corbel::core::Invocation* invocation_ = nullptr;  // of the call that is under way
  // By whether they are one-way; made when they are needed.
  const corbel::core::Operation* operations_[2] = {};
  corbel::core::Operation own_{};  // where the name is not kept
  Told* told_ = nullptr;           // what interceptors are told, where there are any
  State state_ = State::Idle;
  Boolean deferred_ = false;  // the last one was sent by send_deferred
  // Where it stands among those of its ORB whose replies are to be got, which guards it; null until it is
  // first one of them.
  corbel::dynamic::Outstanding* outstanding_ = nullptr;
  Request *next_ = nullptr, *previous_ = nullptr;
  ULongLong number_ = 0;  // by when it was sent; 0: it is none of them
  ULong claimed_by_ = 0;  // the thread whose business it is now
  ULong waiting_ = 0;     // threads that want it
  ULong forks_ = 0;       // when that was so
  Boolean kept_ = false;  // with a count
};

inline void release(Request* request) { corbel::cpp::drop(request); }
inline Boolean is_nil(Request* request) { return request == nullptr; }

class [[gnu::visibility("default")]] RequestSeq : public corbel::cpp::UnboundedObjectSequence<Request> {
 public:
  using UnboundedObjectSequence::UnboundedObjectSequence;
};
typedef corbel::cpp::SequenceVar<RequestSeq> RequestSeq_var;

}  // namespace CORBA
