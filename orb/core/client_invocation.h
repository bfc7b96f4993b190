// One invocation as the core keeps it: the state machine bind, send, wait, forward, retry, complete.
#pragma once

#include <corbel/core/invocation.h>

#include "orb/base/futex.h"
#include "orb/base/memory.h"
#include "orb/core/client_connection.h"
#include "orb/core/reference.h"
#include "orb/giop/reply.h"

namespace corbel::core {

// What other rooms add to an invocation; each is one tested pointer on the way.
struct InvocationHooks {
  // Interceptors' points: before the request is sent, after its reply has come. A returned error ends the
  // invocation.
  SystemError (*send_request)(void* data, Invocation& invocation) = nullptr;
  SystemError (*receive_reply)(void* data, Invocation& invocation) = nullptr;
  void* data = nullptr;
};

class ClientInvocation final : public Invocation {
 public:
  SystemError start(Reference& target, const Operation& operation);
  SystemError run(ReplyKind& kind);
  void finish();

  const Operation& operation() const { return *operation_; }
  base::Deadline deadline() const { return deadline_; }
  void set_deadline(base::Deadline deadline) { deadline_ = deadline; }
  // Encoded service contexts (count left out) that go with the request; borrowed until the invocation ends.
  void set_contexts(const char* data, std::uint32_t size, std::uint32_t count);

  // ---- between the invocation and its connection
  // The state other threads change; a thread that waits for its reply sleeps on it.
  enum State : std::uint32_t { Waiting, MayRead, Complete };
  std::atomic<std::uint32_t> state{Waiting};
  bool sleeping = false;  // guarded by the connection's mutex: it may be given the reading role
  std::uint32_t request_id = 0;
  ClientConnection::Outcome outcome = ClientConnection::Outcome::Lost;
  base::Memory reply_memory;
  Message reply{};
  // Writes the request's header for `request_id`; gives the message in parts.
  int prepare(iovec* parts);

 private:
  SystemError attempt(bool& again, ReplyKind& kind);
  SystemError read_reply(bool& again, ReplyKind& kind);
  SystemError call_local(bool& again, ReplyKind& kind);
  SystemError lost(SystemError error, bool resendable, bool& again);

  base::Ref<Reference> target_;
  const Operation* operation_ = nullptr;
  base::Ref<Binding> binding_;
  base::Deadline deadline_ = base::kNoDeadline;
  InvocationHooks* hooks_ = nullptr;
  const char* contexts_ = nullptr;
  std::uint32_t contexts_size_ = 0;
  std::uint32_t contexts_count_ = 0;
  std::uint32_t begin_ = 0;  // where the body starts in the arguments' memory
  bool code_sets_with_it_ = false;
  int forwards_ = 0;
  int rebinds_ = 0;
  bool fell_back_ = false;
  std::string header_;                            // the header where it does not fit below begin_
  class ServerRequest* local_request_ = nullptr;  // holds the results of a call in this process
};

}  // namespace corbel::core
