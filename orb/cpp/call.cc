#include <corbel/cpp/call.h>

#include <cstring>

#include <corbel/cpp/skeleton.h>

#include "orb/core/reference.h"
#include "orb/core/server_request.h"
#include "orb/ior/assigned.h"

namespace corbel::cpp {

Call::Call(const CORBA::Object& target, const Operation& operation) : operation_(operation) {
  SystemError error;
  core::Reference* const reference = target._corbel_reference();
  if (!reference) [[unlikely]]
    raise({SystemErrorId::NO_IMPLEMENT, Completion::No, 0,
           "a local object was called through an interface that is not local; call it through its own"});
  invocation_ = core::Invocation::begin(*reference, operation, error);
  if (!invocation_) raise(error);
}

cdr::Decoder& Call::invoke() {
  core::ReplyKind kind = core::ReplyKind::NoException;
  if (SystemError e = invocation_->invoke(kind)) raise(e);
  cdr::Decoder& in = invocation_->results();
  if (kind == core::ReplyKind::NoException) [[likely]]
    return in;
  const char* id;
  std::uint32_t length;
  if (!in.get_string_view(id, length)) bad_results();
  for (std::uint32_t i = 0; i < operation_.raises_count; ++i) {
    if (std::strcmp(operation_.raises[i].repository_id, id) != 0) continue;
    operation_.raises[i].raise(in);
    bad_results();
  }
  raise({SystemErrorId::UNKNOWN, Completion::Yes, 0x4f4d0001,
         "the server raised a user exception that the operation does not declare"});
}

namespace {
constexpr SystemError lacks_character(Completion completed) {
  return {SystemErrorId::DATA_CONVERSION, completed, assigned::kOmgMinor | 1,
          "a string in the message has characters that ISO 8859-1 does not have"};
}
}  // namespace

void Call::bad_results() {
  if (invocation_->results().lacks_character()) raise(lacks_character(Completion::Yes));
  raise({SystemErrorId::MARSHAL, Completion::Yes, 0,
         "the results in the reply are malformed, or do not fit the IDL this client was compiled from"});
}

void bad_arguments() {
  core::ServerRequest* const request = core::ServerRequest::current();
  if (request && request->arguments().lacks_character()) raise(lacks_character(Completion::No));
  raise({SystemErrorId::MARSHAL, Completion::No, 0,
         "the arguments in the request are malformed, or do not fit the IDL this server was compiled from"});
}

void null_result() {
  raise({SystemErrorId::BAD_PARAM, Completion::Yes, 0,
         "the servant gave a null pointer where the mapping demands a value"});
}

bool reply_user_exception(Upcall& call, const CORBA::UserException& exception, const char* const* ids,
                          std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (std::strcmp(ids[i], exception._rep_id()) != 0) continue;
    exception._marshal_members(call.user_exception(ids[i]));
    return true;
  }
  return false;
}

}  // namespace corbel::cpp
