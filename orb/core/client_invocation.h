// One invocation as the core keeps it: the state machine bind, send, wait, forward, retry, complete.
#pragma once

#include <corbel/core/invocation.h>

#include "orb/base/futex.h"
#include "orb/base/memory.h"
#include "orb/core/client_connection.h"
#include "orb/core/compression.h"
#include "orb/core/fork.h"
#include "orb/core/hooks.h"
#include "orb/core/reference.h"
#include "orb/core/streamed_message.h"
#include "orb/giop/reply.h"
#include "orb/giop/request.h"

namespace corbel::core {

class ClientInvocation final : public Invocation, private cdr::Sink {
 public:
  explicit ClientInvocation(const Options& options);
  ~ClientInvocation();
  // Starts `idle`, which it owns from here on, or a new one if that is null.
  [[gnu::noinline]] static Invocation* begin_anew(ClientInvocation* idle, Reference& target,
                                                  const Operation& operation, SystemError& error);
  bool start_again(Reference& target, const Operation& operation);
  SystemError run(ReplyKind& kind);
  void finish();
  // In the pool: keeps no connection that has ended.
  void let_go_of_ended_connection() {
    if (has_ended()) forget_call();
  }
  // Binds `target`, anew if need be and whatever its settings say, and asks where the object is.
  static SystemError validate(Reference& target);

  bool expects_reply() const {
    return !operation_->oneway || locating_ || response_ != giop::Response::Nothing;
  }
  // Nobody waits for it, not even for room to send it.
  bool never_waits() const { return never_waits_; }
  // Of the reply, and of what goes before it: connecting and sending.
  base::Deadline deadline() const { return deadline_; }
  base::Deadline send_deadline() const { return send_deadline_; }
  void set_deadline(base::Deadline deadline) {
    deadline_ = send_deadline_ = deadline;
    written_.binding = 0;
  }
  // Encoded service contexts (count left out, aligned as from a multiple of 8) that go with the request;
  // borrowed until the invocation ends.
  void set_contexts(const char* data, std::uint32_t size, std::uint32_t count) {
    contexts_.assign(data, size);
    contexts_count_ = count;
    forget_header();
  }

  // ---- in two steps: the reply is waited for later (client_deferred.cc)
  // Sends the arguments, which nothing of the caller's memory may be part of.
  void send_deferred();
  // Whether it is over, in whatever way, after taking what has arrived until then.
  bool poll_deferred(base::Deadline until);
  // Waits until it is over: as invoke().
  SystemError end_deferred(ReplyKind& kind);
  // It is over only because the arguments have to be written and sent again.
  bool wants_arguments() const {
    return settled_ && !settled_error_ && settled_kind_ == ReplyKind::WriteAgain;
  }
  // Nobody wants the reply any more.
  void abandon_deferred();
  // As poll_deferred(), but takes nothing from the connection.
  bool may_be_over() const {
    return settled_ || state.load(std::memory_order_acquire) == Complete || is_late() || is_of_parent();
  }
  // What the next call writes is written anew: its operation may be another one at the same address.
  void forget_operation() { written_.binding = 0; }

  // ---- for hooks
  // What is known of the call where its caller has types at run time only (cpp/described_call.h); else null.
  void* description = nullptr;
  Reference& target() const { return *target_; }
  const Operation& operation() const { return *operation_; }
  // Null while there is none.
  const Binding* binding() const { return binding_.get(); }
  std::size_t arguments_size() const { return arguments_.wire_size() - begin_; }
  SyncScope sync_scope() const {
    if (never_waits_) return SyncScope::None;
    if (!operation_->oneway || response_ == giop::Response::Expected) return SyncScope::Target;
    return response_ == giop::Response::Early ? SyncScope::Server : SyncScope::Transport;
  }
  // Of the last reply; valid until the next attempt.
  const giop::ServiceContexts& reply_contexts() const { return reply_contexts_; }
  // The request is sent and its reply waited for, once. With `again` it is to be tried once more: it has been
  // forwarded or, with an error, lost.
  SystemError attempt(bool& again, ReplyKind& kind);
  // It is to be tried again, where `target` says.
  SystemError forwarded(ior::Ior target, bool permanent, bool& again);

  // ---- between the invocation and its connection
  // The state other threads change; a thread that waits for its reply sleeps on it.
  enum State : std::uint32_t { Waiting, MayRead, Complete };
  std::atomic<std::uint32_t> state{Waiting};
  bool sleeping = false;  // guarded by the connection's mutex: it may be given the reading role
  std::uint32_t request_id = 0;
  ClientConnection::Outcome outcome = ClientConnection::Outcome::Lost;
  base::Memory reply_memory;
  Message reply{};
  // Ends a request that leaves in pieces before its end.
  void stop_short(ClientConnection& connection, base::Deadline deadline);
  // Completes the request for `request_id`; gives the message in parts.
  int prepare(iovec* parts) {
    if (written_.binding == 0 || arguments_.external_count() != 0 || locating_) [[unlikely]]
      return prepare_any(parts);
    char* const start = arguments_.data();
    const std::size_t end = arguments_.size();
    const std::size_t size = end != begin_ ? end : header_end_;
    cdr::store(start + giop::kHeaderSize, request_id);
    giop::set_message_size(start, size);
    parts[0] = {start, size};
    return 1;
  }

 private:
  static bool limited(const Reference& target);
  SystemError start(Reference& target, const Operation& operation);
  void begin_arguments();
  [[gnu::cold]] SystemError begin_unbound();
  void forget_call();
  bool has_ended() const { return binding_ && binding_->connection && !binding_->connection->usable(); }
  [[gnu::cold]] void finish_unlike_most();
  [[gnu::cold]] void finish_large_reply();
  [[gnu::cold]] void lend_reply();
  bool plain_call() const;
  // So large that it should not be sent in vain.
  bool is_worth_locating() const { return arguments_.wire_size() >= kLocateFirst; }
  static constexpr std::size_t kLocateFirst = 256 * 1024;
  bool plain_reply();
  static constexpr SystemError kMalformedReply{SystemErrorId::MARSHAL, Completion::Maybe, 0,
                                               "the reply is malformed"};
  [[gnu::cold]] SystemError read_refusal(giop::ReplyStatus status, bool& again);
  SystemError run_any(ReplyKind& kind);
  SystemError run_on(ClientConnection::Outcome outcome, ReplyKind& kind);
  SystemError retry(SystemError error, ReplyKind& kind);
  SystemError after(ClientConnection::Outcome outcome, bool& again, ReplyKind& kind);
  int prepare_any(iovec* parts);
  SystemError apply_settings();
  // Compressed messages: see client_compression.cc.
  [[gnu::cold]] void consider_compression(const CallSettings& settings);
  [[gnu::cold]] void end_compression();
  [[gnu::cold]] void negotiate_compression(std::string& contexts, std::uint32_t& count);
  [[gnu::cold]] int compress(iovec* parts, int count);
  [[gnu::cold]] void set_limits(const CallSettings& settings, base::Deadline now);
  void end_settings();
  [[gnu::cold]] SystemError rebind_refused() const;
  [[gnu::cold]] bool may_move(const ior::Ior& before, const ior::Ior& after) const;
  [[gnu::cold]] SystemError find_target();
  [[gnu::cold]] bool retried(const SystemError& error);
  SystemError run_once(ReplyKind& kind);
  [[gnu::cold]] SystemError timed_out(Completion completed) const;
  [[gnu::cold]] SystemError first_bind();
  [[gnu::cold]] bool fall_back();
  [[gnu::cold]] bool fail_over(const SystemError& error);
  [[gnu::cold]] SystemError locate(bool& again);
  ClientConnection::Outcome talk();
  [[gnu::cold]] SystemError failed(ClientConnection::Outcome outcome, bool& again);
  [[gnu::cold]] void sent_code_sets(ClientConnection::Outcome outcome);
  SystemError rebind();
  bool fits();
  [[gnu::cold]] bool bind_anew(ReplyKind& kind);
  SystemError read_reply(bool& again, ReplyKind& kind);
  [[gnu::cold]] SystemError read_locate_reply(bool& again);
  [[gnu::cold]] SystemError asked_for(giop::Addressing addressing, bool& again);
  void drop_binding() {
    binding_ = nullptr;
    forget_header();  // another binding may come to stand at the same address
  }
  void forget_header() {
    header_for_ = nullptr;
    written_.binding = 0;
  }
  [[gnu::cold]] SystemError refused(const SystemError& error, bool& again);
  friend class Dispatcher;
  SystemError call_local(bool& again, ReplyKind& kind);  // dispatcher.cc
  bool begin_attempt(SystemError& error, bool& again, ReplyKind& kind);
  bool send_attempt(SystemError& error, bool& again, ReplyKind& kind);
  void end_hooks(SystemError& error, bool& again, ReplyKind& kind);
  void abandon_hooks();
  void submit();
  void end_attempt(ClientConnection::Outcome outcome);
  void settle(const SystemError& error, ReplyKind kind);
  // Sent by the process that this one is a copy of, which gets the reply.
  bool is_of_parent() const { return forks_ != forks; }
  bool is_late() const { return deadline_ != base::kNoDeadline && base::now() >= deadline_; }
  // ---- requests that leave while they are being marshaled (client_streaming.cc)
  [[gnu::cold]] bool stream(cdr::Encoder& out);
  bool may_stream() const;
  bool begin_streaming();
  bool send_piece(const iovec& header, std::size_t from);
  void stop_streaming(const SystemError& error);
  void leave_stream();
  ClientConnection::Outcome end_streaming();
  [[gnu::cold]] void cancel_streaming();
  [[gnu::cold]] SystemError run_streamed(ReplyKind& kind);
  [[gnu::cold]] SystemError write_again(ReplyKind& kind);
  [[gnu::cold]] SystemError lost(SystemError error, bool resendable, bool& again);
  bool reuse_header();
  giop::RequestParts header_parts();
  [[gnu::cold]] void announce(giop::RequestParts& parts);
  [[gnu::cold]] void write_header();
  char* header() {
    return header_offset_ > begin_ ? header_.data() : arguments_.data() + (begin_ - header_offset_);
  }
  int gather(iovec* parts, std::size_t header_size);

  base::Ref<Reference> target_;
  const Operation* operation_ = nullptr;
  base::Ref<Binding> binding_;
  const ClientHooks* hooks_ = nullptr;
  void* begun_ = nullptr;  // what they have begun for a reply that is waited for later
  // What is set for the call; limits of time apart, it is as it stands here unless out_of_the_ordinary_.
  bool out_of_the_ordinary_ = false;
  bool never_waits_ = false;
  bool compresses_ = false;                            // compressed_ is of this call
  giop::Response response_ = giop::Response::Nothing;  // of a one-way
  bool was_bound_ = false;                             // before this call
  Rebinding rebinding_ = Rebinding::Transparent;
  bool lends_ = false;  // results may take reply_memory, which stands at lent_ until they do
  char* lent_ = nullptr;
  base::Deadline deadline_ = base::kNoDeadline;
  base::Deadline send_deadline_ = base::kNoDeadline;
  std::int64_t connect_timeout_ = kConnectTimeoutOfOrb;
  std::unique_ptr<CompressedCall> compressed_;
  giop::ServiceContexts reply_contexts_;  // only where there are hooks
  std::string local_contexts_;            // of a reply that came without a message
  std::string contexts_;
  std::uint32_t contexts_count_ = 0;
  // The header ends where the body begins, in the arguments' memory, or stands in header_ if it is too large.
  std::uint32_t begin_ = 0;              // of the body, in the arguments' memory
  std::uint32_t header_offset_ = 0;      // of the body, in the message
  std::uint32_t header_end_ = 0;         // of the header, in the message
  std::uint32_t header_contexts_ = 0;    // octets of service contexts in the header
  const Binding* header_for_ = nullptr;  // what the header was written for
  // What the header that stands in the arguments' memory, for this call or from the last one, was written
  // for. It can be used again, all of it but request id and size; the invocation is as start() leaves it
  // then.
  struct Written {
    std::uint64_t binding = 0;        // serial; 0 = nothing, or a call out of the ordinary
    const char* operation = nullptr;  // its name
    bool oneway = false;
    std::uint32_t generation = 0;  // of the memory
    std::uint32_t begin = 0, end = 0;
  };
  Written written_;
  bool code_sets_with_it_ = false;
  std::string announced_;  // the contexts of the first requests, where there are others than the code sets
  int forwards_ = 0;
  int rebinds_ = 0;
  std::uint32_t retries_ = 0;  // that the RetryHandler wanted
  bool fell_back_ = false;
  FailedProfiles failed_profiles_;  // the members of a group that this call has tried
  Forward tried_;                   // where binding has failed
  bool locating_ = false;           // a LocateRequest goes out, not yet the request
  SystemError bind_error_;          // of an attempt that has not begun
  std::string header_;
  std::string locate_request_;
  // The request leaves, or left till that failed, while it is marshaled: over this connection.
  base::Ref<ClientConnection> streaming_;
  StreamedMessage streamed_;
  bool stopped_ = false;         // nothing more of it leaves: `outcome` tells why, or stop_error_
  bool incomplete_ = false;      // its end has not left
  bool omniorb_ = false;         // takes it
  bool to_write_again_ = false;  // its begin is not what the present binding wants
  SystemError stop_error_;
  // A request whose reply is waited for later is over, and how.
  bool settled_ = false;
  std::uint32_t forks_ = 0;  // when it was sent
  ReplyKind settled_kind_ = ReplyKind::NoException;
  SystemError settled_error_;
  class ServerRequest* local_request_ = nullptr;  // holds the results of a call in this process
};

}  // namespace corbel::core
