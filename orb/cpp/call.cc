#include <corbel/cpp/call.h>

#include <cstring>

#include <corbel/cpp/skeleton.h>

#include "orb/core/reference.h"
#include "orb/core/server_request.h"
#include "orb/cpp/local_call.h"
#include "orb/ior/assigned.h"

namespace corbel::cpp {

void raise_local() {
  raise({SystemErrorId::NO_IMPLEMENT, Completion::No, 0,
         "a local object was called through an interface that is not local; call it through its own"});
}

Call::Call(const CORBA::Object& target, const Operation& operation) : operation_(operation) {
  core::Reference* const reference = target._corbel_reference();
  if (!reference) [[unlikely]]
    raise_local();
  begin(*reference);
}

inline void Call::begin(core::Reference& target) {
  SystemError error;
  invocation_ = core::Invocation::begin(target, operation_, error);
  if (!invocation_) raise(error);
}

Call::Call(core::Reference& target, const Operation& operation) : operation_(operation) { begin(target); }

namespace {

// The user exception of which the results tell.
[[noreturn, gnu::noinline]] void raise_user_exception(Call& call, const Operation& operation,
                                                      cdr::Decoder& in) {
  const char* id;
  std::uint32_t length;
  if (!in.get_string_view(id, length)) call.bad_results();
  for (std::uint32_t i = 0; i < operation.raises_count; ++i) {
    if (std::strcmp(operation.raises[i].repository_id, id) != 0) continue;
    operation.raises[i].raise(in);
    call.bad_results();
  }
  raise({SystemErrorId::UNKNOWN, Completion::Yes, 0x4f4d0001,
         "the server raised a user exception that the operation does not declare"});
}

}  // namespace

cdr::Decoder& Call::invoke() {
  core::ReplyKind kind = core::ReplyKind::NoException;
  if (SystemError e = invocation_->invoke(kind)) [[unlikely]]
    raise(e);
  cdr::Decoder& in = invocation_->results();
  if (kind != core::ReplyKind::NoException) [[unlikely]]
    raise_user_exception(*this, operation_, in);
  return in;
}

bool Call::sent() {
  core::ReplyKind kind = core::ReplyKind::NoException;
  if (SystemError e = invocation_->invoke(kind)) [[unlikely]]
    raise(e);
  if (kind == core::ReplyKind::NoException) [[likely]]
    return true;
  if (kind == core::ReplyKind::WriteAgain) return false;
  raise_user_exception(*this, operation_, invocation_->results());
}

namespace {
constexpr SystemError bad_text(Completion completed) {
  return {
      SystemErrorId::DATA_CONVERSION, completed, assigned::kOmgMinor | 1,
      "text in the message is malformed in its code set, or has characters that the program's set does not "
      "have; see -ORBnativeCharCodeSet"};
}
}  // namespace

void Call::bad_results() {
  if (invocation_->results().bad_text()) raise(bad_text(Completion::Yes));
  raise({SystemErrorId::MARSHAL, Completion::Yes, 0,
         "the results in the reply are malformed, or do not fit the IDL this client was compiled from"});
}

void bad_arguments() {
  core::ServerRequest* const request = core::ServerRequest::current();
  if (request && request->arguments().bad_text()) raise(bad_text(Completion::No));
  raise({SystemErrorId::MARSHAL, Completion::No, 0,
         "the arguments in the request are malformed, or do not fit the IDL this server was compiled from"});
}

void null_result() {
  raise({SystemErrorId::BAD_PARAM, Completion::Yes, 0,
         "the servant gave a null pointer where the mapping demands a value"});
}

}  // namespace corbel::cpp
