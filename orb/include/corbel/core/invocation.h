// The public face of one invocation: where a stub writes arguments and reads results.
#pragma once

#include <corbel/base/error.h>
#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#include <corbel/core/fwd.h>
#include <corbel/core/operation.h>

namespace corbel::core {

// How a two-way call ended where no system error did. WriteAgain: it did not; the request has to go
// elsewhere, and arguments() is empty again. Only of operations that say `streams` or `rewrites`.
enum class ReplyKind { NoException, UserException, WriteAgain };

// One invocation: bind, send, wait, forward, retry, complete. It owns its request until it is complete, so it
// can be sent again elsewhere without the stub's help. Taken from a pool by begin(), given back by end(). One
// thread at a time.
class [[gnu::visibility("default")]] Invocation {
 public:
  // Null with `error` set when the invocation cannot start (shut down, no memory). Keeps a count on `target`.
  static Invocation* begin(Reference& target, const Operation& operation, SystemError& error);
  void end();

  // Arguments; the body starts at a multiple of 8.
  cdr::Encoder& arguments() { return arguments_; }
  // Sends and, unless one-way, waits. On success `kind` tells what results() holds: the results, or a user
  // exception's repository id followed by its members. The arguments' memory must stay until it returns.
  SystemError invoke(ReplyKind& kind);
  cdr::Decoder& results() { return results_; }

 protected:
  Invocation() = default;
  ~Invocation() = default;
  cdr::Encoder arguments_;
  cdr::Decoder results_;
};

}  // namespace corbel::core
