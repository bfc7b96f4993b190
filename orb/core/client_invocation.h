// One invocation as the core keeps it: the state machine bind, send, wait, forward, retry, complete.
#pragma once

#include <corbel/core/invocation.h>

#include "orb/base/futex.h"
#include "orb/base/memory.h"
#include "orb/core/client_connection.h"
#include "orb/core/hooks.h"
#include "orb/core/reference.h"
#include "orb/giop/reply.h"
#include "orb/giop/request.h"

namespace corbel::core {

class ClientInvocation final : public Invocation {
 public:
  SystemError start(Reference& target, const Operation& operation);
  SystemError run(ReplyKind& kind);
  void finish();

  bool expects_reply() const { return !operation_->oneway || locating_; }
  base::Deadline deadline() const { return deadline_; }
  void set_deadline(base::Deadline deadline) { deadline_ = deadline; }
  // Encoded service contexts (count left out, aligned as from a multiple of 8) that go with the request;
  // borrowed until the invocation ends.
  void set_contexts(const char* data, std::uint32_t size, std::uint32_t count) {
    contexts_.assign(data, size);
    contexts_count_ = count;
    header_for_ = nullptr;
  }

  // ---- between the invocation and its connection
  // The state other threads change; a thread that waits for its reply sleeps on it.
  enum State : std::uint32_t { Waiting, MayRead, Complete };
  std::atomic<std::uint32_t> state{Waiting};
  bool sleeping = false;  // guarded by the connection's mutex: it may be given the reading role
  std::uint32_t request_id = 0;
  ClientConnection::Outcome outcome = ClientConnection::Outcome::Lost;
  base::Memory reply_memory;
  Message reply{};
  // Completes the request for `request_id`; gives the message in parts.
  int prepare(iovec* parts);

 private:
  base::Deadline deadline_of_call() const;
  bool retried(const SystemError& error);
  SystemError run_once(ReplyKind& kind);
  SystemError timed_out(Completion completed) const;
  SystemError first_bind();
  bool fall_back();
  SystemError attempt(bool& again, ReplyKind& kind);
  SystemError locate(bool& again);
  ClientConnection::Outcome talk();
  SystemError failed(ClientConnection::Outcome outcome, bool& again);
  void sent_code_sets(ClientConnection::Outcome outcome);
  SystemError rebind();
  SystemError read_reply(bool& again, ReplyKind& kind);
  SystemError read_locate_reply(bool& again);
  SystemError forwarded(ior::Ior target, bool& again);
  SystemError asked_for(giop::Addressing addressing, bool& again);
  void drop_binding() {
    binding_ = nullptr;
    header_for_ = nullptr;  // another binding may come to stand at the same address
  }
  SystemError refused(const SystemError& error, bool& again);
  SystemError call_local(bool& again, ReplyKind& kind);
  SystemError lost(SystemError error, bool resendable, bool& again);
  bool reuse_header();
  giop::RequestParts header_parts();
  void write_header();
  char* header() {
    return header_offset_ > begin_ ? header_.data() : arguments_.data() + (begin_ - header_offset_);
  }
  int gather(iovec* parts, std::size_t header_size);

  base::Ref<Reference> target_;
  const Operation* operation_ = nullptr;
  base::Ref<Binding> binding_;
  base::Deadline deadline_ = base::kNoDeadline;
  const ClientHooks* hooks_ = nullptr;
  std::string contexts_;
  std::uint32_t contexts_count_ = 0;
  // The header ends where the body begins, in the arguments' memory, or stands in header_ if it is too large.
  std::uint32_t begin_ = 0;              // of the body, in the arguments' memory
  std::uint32_t header_offset_ = 0;      // of the body, in the message
  std::uint32_t header_end_ = 0;         // of the header, in the message
  std::uint32_t header_contexts_ = 0;    // octets of service contexts in the header
  const Binding* header_for_ = nullptr;  // what the header was written for
  // What the header that stands in the arguments' memory was written for by an earlier call, and can be used
  // again: all of it but request id and size.
  struct Written {
    std::uint64_t binding = 0;  // serial; 0 = nothing
    const Operation* operation = nullptr;
    std::uint32_t generation = 0;  // of the memory
    std::uint32_t begin = 0, end = 0;
  };
  Written written_;
  bool code_sets_with_it_ = false;
  int forwards_ = 0;
  int rebinds_ = 0;
  std::uint32_t retries_ = 0;  // that the RetryHandler wanted
  bool fell_back_ = false;
  Forward tried_;          // where binding has failed
  bool locating_ = false;  // a LocateRequest goes out, not yet the request
  std::string header_;
  std::string locate_request_;
  class ServerRequest* local_request_ = nullptr;  // holds the results of a call in this process
};

}  // namespace corbel::core
