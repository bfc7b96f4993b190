// What a generated stub uses to make one call.
#pragma once

#include <corbel/core/invocation.h>
#include <corbel/cpp/collocated.h>
#include <corbel/cpp/exception.h>
#include <corbel/cpp/object.h>

namespace corbel::cpp {

// One entry of an operation's raises clause.
struct RaisesEntry {
  const char* repository_id;
  // Reads the members and throws the exception, or returns (false) when the members are malformed.
  bool (*raise)(cdr::Decoder& in);
};

template <typename E>
bool raise(cdr::Decoder& in) {
  E exception;
  if (!unmarshal(in, exception)) return false;
  throw exception;
}

// Constant data of one operation in the stub.
struct Operation : core::Operation {
  const RaisesEntry* raises;
  std::uint32_t raises_count;
};

// The body of a stub: construct, marshal into arguments(), invoke(), unmarshal from results(). Every function
// may throw CORBA::SystemException. Belongs to the calling thread.
class [[gnu::visibility("default")]] Call {
 public:
  Call(const CORBA::Object& target, const Operation& operation);
  // Of a stub that has found the target to be a reference.
  Call(core::Reference& target, const Operation& operation);
  ~Call() { invocation_->end(); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  cdr::Encoder& arguments() { return invocation_->arguments(); }
  // Sends; for a two-way call waits for the reply and throws what it says.
  cdr::Decoder& invoke();
  // The same of an operation that `streams`: false if the arguments have to be written again. True:
  // results().
  bool sent();
  cdr::Decoder& results() { return invocation_->results(); }
  // The results could not be decoded: MARSHAL, completed YES.
  [[noreturn]] void bad_results();

 private:
  void begin(core::Reference& target);
  core::Invocation* invocation_;
  const Operation& operation_;
};

}  // namespace corbel::cpp
