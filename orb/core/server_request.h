// One request on its way through the server.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <utility>

#include <corbel/core/collocated.h>
#include <corbel/core/upcall.h>

#include "orb/base/futex.h"
#include "orb/base/memory.h"
#include "orb/core/held_message.h"
#include "orb/core/message_reader.h"
#include "orb/core/streamed_message.h"
#include "orb/giop/request.h"
#include "orb/ior/ior.h"

namespace corbel::core {

class Orb;
class RunningRequests;
class ServerConnection;

// A request object is reused for one request after the other; its encoder and arena stay warm.
class ServerRequest final : public Upcall, private cdr::Sink {
 public:
  explicit ServerRequest(Orb& orb);
  ~ServerRequest();

  Orb& orb() { return orb_; }
  const giop::RequestHeader& header() const { return header_; }
  const char* key() const { return header_.key; }
  std::uint32_t key_size() const { return header_.key_size; }

  // The servant is known, adapter_data set, and the operation about to run; called where the header says
  // reply_early. False if it is not to run: the reply has been started.
  bool reach_target();
  // In place of its operation, which has none: reach_target() is called and runs this. Null ends that.
  void run_at_target(void (*run)(void* data), void* data) {
    run_at_target_ = run;
    at_target_data_ = data;
    header_.reply_early = run != nullptr;
  }
  // For hooks: lets reach_target() be called, once. Then, or when the request has not got so far, it is over.
  void stop_at_target();
  void stop_no_more();
  // For the profile of calls: reach_target() says there what the target is, once. Null ends that.
  void tell_interface(std::string* interface);
  void* hooks_data = nullptr;
  // For hooks, too: what a servant knows of the request that has its types at run time only
  // (cpp/described_call.h). It outlives the servant's part.
  std::shared_ptr<void> description;
  // Answers LOCATION_FORWARD or, where it is permanent and the client's version knows that, ..._PERM.
  void forward(const ior::Ior& target, bool permanent = false);

  // Goes with the reply; for hooks (hooks.h), until that is sent.
  void add_reply_context(std::uint32_t id, std::string data) {
    reply_contexts_.push_back({id, std::move(data)});
    special_ |= kContexts;
  }
  const std::vector<giop::ServiceContext>& reply_contexts() const { return reply_contexts_; }
  void clear_reply_contexts() { reply_contexts_.clear(); }
  // Something is to be done for the reply that is not done for others.
  bool replies_specially() const { return special_ != 0; }
  // What the request's client has said about compressed replies, here or, where an offer stands, before.
  bool compression_offer(const char*& data, std::uint32_t& size) const;
  // Until it is started anew. The offer stays where it is.
  void set_standing_offer(const std::string& offer) {
    standing_offer_ = &offer;
    special_ |= kStandingOffer;
  }

  // Answers NEEDS_ADDRESSING_MODE: the target is to be named by its key.
  void ask_for_key();

  enum class Reply : std::uint32_t {
    NoException,
    UserException,
    SystemException,
    Forward,
    ForwardPerm,
    NeedsAddressing
  };
  bool reply_started() const { return reply_started_; }
  Reply reply_kind() const { return reply_kind_; }
  // The same as results().
  cdr::Encoder& begin_results() { return begin_reply(Reply::NoException); }
  // Begins what begin_results() does; null, and nothing is done, where that takes more than most replies do.
  cdr::Encoder* begin_plain_results() {
    return begins_otherwise() ? nullptr : &begin_plain_reply(Reply::NoException);
  }
  // The whole results. There is room for a number.
  template <typename T>
  void reply_number(T number) {
    static_assert(kReplyBegin % sizeof number == 0);
    if (begins_otherwise()) [[unlikely]]
      return begin_other_reply(Reply::NoException).put(number);
    begin_plain_reply(Reply::NoException, sizeof number);
    std::memcpy(const_cast<char*>(reply_.data()) + kReplyBegin, &number, sizeof number);
  }
  // The reply, header still to be written below begin().
  cdr::Encoder& reply() { return reply_; }
  // The body of a reply without service contexts starts here in every GIOP version.
  static constexpr std::size_t kReplyBegin = 24;

  // Starts the request of a message, which stays the caller's. False if it is malformed.
  bool start(const Message& message) {
    arguments_ = message.decoder();
    if (!giop::decode_request(arguments_, message.header.version, header_)) [[unlikely]]
      return false;
    start(message.header.version);
    return true;
  }
  // A request that comes without a message: what it says of itself, before start(). As its arguments, it may
  // point to the caller's memory.
  giop::RequestHeader& header() { return header_; }
  void start(const cdr::Decoder& arguments) {
    arguments_ = arguments;
    start(giop::Version{1, 2});
  }
  void finish() {
    arena_.reset();
    if (!reply_.was_plain(reply_kept_)) [[unlikely]]
      end_reply();
  }
  // The same of one that came from this process.
  void finish_local() {
    arena_.reset();
    if (!reply_.was_plain()) [[unlikely]]
      reply_.reset(kReplyBegin);  // a pool keeps no large memory
  }
  giop::Version version() const { return version_; }

  // Requests of one thread nest: the one that this one runs inside of, or null.
  ServerRequest* outer = nullptr;
  // How many upcalls this thread is inside of, this one included.
  std::uint32_t depth = 1;
  // The waits, one inside the other, that it is in: while there are any it does not count as one that runs.
  std::uint32_t waits = 0;
  // The adapter's own data for the time of the upcall (POACurrent reads it).
  void* adapter_data = nullptr;
  // Where the connection's memory goes if the reading role is taken away during the upcall.
  base::Memory kept_memory;
  // Octets of the message if values may be had in its memory: it is large, and so is its part of that; else
  // 0.
  std::size_t may_hold = 0;
  // Whoever has some. Null until somebody asks; of the request's own thread.
  HeldMessage* held = nullptr;
  // Null for a call from this process, and for a callback over a connection of this process's own.
  ServerConnection* connection = nullptr;
  // That of a callback; else null.
  transport::Stream* callback_stream = nullptr;
  // Set once another thread has taken the reading role and kept_memory holds this request.
  std::atomic<bool> taken{false};
  // Whether its client no longer waits for the reply. Only a request that the connection no longer waits for
  // can be cancelled, so that the others pay nothing for this.
  bool cancelled() const {
    return taken.load(std::memory_order_acquire) && cancelled_.load(std::memory_order_acquire);
  }
  // The connection's state word during this upcall.
  std::uint32_t upcall_state = 0;

  // The innermost upcall of the calling thread, null outside of upcalls.
  static ServerRequest* current() {
    return static_cast<ServerRequest*>(const_cast<void*>(calling_thread.request));
  }
  static void set_current(ServerRequest* request) { calling_thread.request = request; }

  // What a request waits for that has not been dispatched; `waits_for` is guarded by its connection.
  base::Condition* waits_for = nullptr;
  // Among these it runs, or null: they tell which are cancelled.
  RunningRequests* running() const;
  // The same of a request without a ServerConnection that came from another process.
  RunningRequests* other_running = nullptr;
  // Where another thread runs it than the one that has brought it: the one that it runs inside of there.
  ServerRequest* below = nullptr;

 private:
  // The caller waits until its request has reached the object, not until that is done: answers it now, before
  // the operation begins; callbacks over a client's connection are answered behind it all the same.
  void reply_early();
  friend class KeepsReply;
  friend class RunningRequests;
  friend class Upcall;
  void start(giop::Version version) {
    version_ = version;
    operation_ = header_.operation;
    operation_length_ = header_.operation_length;
    response_expected_ = header_.response_expected;
    arguments_.set_context(&arena_, true, &orb_);
    reply_started_ = false;
    special_ = header_.contexts.count() != 0 ? kContexts : 0;
    adapter_data = nullptr;
  }
  [[gnu::cold]] bool stream(cdr::Encoder& out);
  bool may_stream() const;
  [[gnu::cold]] void end_reply();
  // False where others write now and this thread keeps a single-threaded adapter from its clients.
  [[gnu::cold]] bool end_streamed();
  [[gnu::cold]] void send_later();
  bool begins_otherwise() const { return reply_started_ || version_.minor < 2 || arguments_.text() != 0; }
  cdr::Encoder& begin_reply(Reply kind) {
    if (begins_otherwise()) [[unlikely]]
      return begin_other_reply(kind);
    return begin_plain_reply(kind);
  }
  cdr::Encoder& begin_plain_reply(Reply kind, std::size_t results = 0) {
    reply_kind_ = kind;
    reply_started_ = true;
    reply_.rewind(kReplyBegin + results);  // finish() has left it so
    reply_.allow_externals(false);
    return reply_;
  }
  [[gnu::cold]] cdr::Encoder& begin_other_reply(Reply kind);

  Orb& orb_;
  giop::RequestHeader header_{};
  giop::Version version_{1, 2};
  bool reply_started_ = false;
  static constexpr std::uint8_t kContexts = 1, kStandingOffer = 2;
  std::uint8_t special_ = 0;
  const std::string* standing_offer_ = nullptr;  // meaningful only where special_ says so
  void (*run_at_target_)(void* data) = nullptr;
  void* at_target_data_ = nullptr;
  bool keeps_reply_ = false;
  bool stops_at_target_ = false;  // and whether it is answered early, too
  bool replies_early_ = false;
  std::string* interface_ = nullptr;  // where to tell it
  bool early_when_told_ = false;      // whether it is answered early, too
  Reply reply_kind_ = Reply::NoException;
  Reply streamed_kind_ = Reply::NoException;
  std::atomic<bool> cancelled_{false};
  ServerRequest* next_running_ = nullptr;
  std::vector<giop::ServiceContext> reply_contexts_;
  static constexpr std::size_t kKeepReply = 256 * 1024;
  cdr::Encoder reply_;
  // A reply that leaves while it is being marshaled. So long finish() must not take it for a plain one.
  StreamedMessage streamed_;
  std::size_t reply_kept_ = kKeepReply;  // octets of memory that a plain one may have
  cdr::Arena arena_;
};

// No part of a request's reply leaves while this lives, however large it is: something else may take its
// place.
class KeepsReply {
 public:
  explicit KeepsReply(ServerRequest& request)
      : request_(request), kept_(std::exchange(request.keeps_reply_, true)) {}
  ~KeepsReply() { request_.keeps_reply_ = kept_; }
  KeepsReply(const KeepsReply&) = delete;
  KeepsReply& operator=(const KeepsReply&) = delete;

 private:
  ServerRequest& request_;
  const bool kept_;
};

// A request that the calling thread runs, inside of those that it runs already, for as long as this lives.
class RunsHere {
 public:
  explicit RunsHere(ServerRequest& request) : request_(request) {
    request.outer = ServerRequest::current();
    request.depth = request.outer ? request.outer->depth + 1 : 1;
    ServerRequest::set_current(&request);
  }
  ~RunsHere() { ServerRequest::set_current(request_.outer); }
  RunsHere(const RunsHere&) = delete;
  RunsHere& operator=(const RunsHere&) = delete;

 private:
  ServerRequest& request_;
};

}  // namespace corbel::core
