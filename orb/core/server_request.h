// One request on its way through the server.
#pragma once

#include <atomic>

#include <corbel/core/upcall.h>

#include "orb/base/memory.h"
#include "orb/giop/request.h"
#include "orb/ior/ior.h"

namespace corbel::core {

class Orb;
class ServerConnection;

// A request object is reused for one request after the other; its encoder and arena stay warm.
class ServerRequest final : public Upcall {
 public:
  explicit ServerRequest(Orb& orb) : orb_(orb) {}

  Orb& orb() { return orb_; }
  const giop::RequestHeader& header() const { return header_; }
  const char* key() const { return header_.key; }
  std::uint32_t key_size() const { return header_.key_size; }

  // Answers LOCATION_FORWARD (permanent: _PERM).
  void forward(const ior::Ior& target, bool permanent = false);

  enum class Reply : std::uint32_t { NoException, UserException, SystemException, Forward, ForwardPerm };
  bool reply_started() const { return reply_started_; }
  Reply reply_kind() const { return reply_kind_; }
  // The reply, header still to be written below begin().
  cdr::Encoder& reply() { return reply_; }
  // The body of a reply without service contexts starts here in every GIOP version.
  static constexpr std::size_t kReplyBegin = 24;

  // Starts a request: `message` stays the caller's.
  void start(const giop::RequestHeader& header, const cdr::Decoder& arguments, giop::Version version,
             bool utf8 = false);
  void finish() { arena_.reset(); }
  giop::Version version() const { return version_; }

  // Requests of one thread nest: the one that this one runs inside of, or null.
  ServerRequest* outer = nullptr;
  // How many upcalls this thread is inside of, this one included.
  std::uint32_t depth = 1;
  // The adapter's own data for the time of the upcall (POACurrent reads it).
  void* adapter_data = nullptr;
  // Where the connection's memory goes if the reading role is taken away during the upcall.
  base::Memory kept_memory;
  // Null for a call from this process.
  ServerConnection* connection = nullptr;
  // Set once another thread has taken the reading role and kept_memory holds this request.
  std::atomic<bool> taken{false};
  // The connection's state word during this upcall.
  std::uint32_t upcall_state = 0;

  // The innermost upcall of the calling thread, null outside of upcalls.
  static ServerRequest* current();
  static void set_current(ServerRequest* request);

 private:
  friend class Upcall;
  void begin_reply(Reply kind);

  Orb& orb_;
  giop::RequestHeader header_{};
  giop::Version version_{1, 2};
  bool reply_started_ = false;
  Reply reply_kind_ = Reply::NoException;
  cdr::Encoder reply_;
  cdr::Arena arena_;
};

}  // namespace corbel::core
