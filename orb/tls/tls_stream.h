// TLS over another stream.
#pragma once

#include <openssl/bio.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <corbel/transport/stream.h>

#include "orb/base/memory.h"
#include "orb/base/mutex.h"
#include "orb/tls/context.h"
#include "orb/tls/failure.h"
#include "orb/transport/inherited.h"

namespace corbel::tls {

// One thread may read while another writes: OpenSSL's object is used under one lock and works on memory
// alone, at most two records at a time; system calls are made outside of it. What the stream below gives is
// read ahead, so that a read costs one system call however records are cut; what is written leaves in full
// records, those of a small message in one system call.
//
// A server's stream makes its handshake while it is read. Until then nothing can be written.
//
// As everywhere, whoever was told that part of something was written goes on with the rest of it or ends the
// stream: the last octet of a write that the socket had no room for is said to be unwritten until its record
// has left.
class TlsStream final : public transport::Stream {
 public:
  // At the client's end; `host` is whom the server's certificate must be for, unless the settings relax that.
  static std::unique_ptr<TlsStream> client(std::unique_ptr<transport::Stream> below, ContextHandle context,
                                           const Settings& settings, const std::string& host);
  static std::unique_ptr<TlsStream> server(std::unique_ptr<transport::Stream> below, ContextHandle context,
                                           const Settings& settings);
  ~TlsStream() override;

  // Makes the handshake, at most until the deadline. False where it failed; failure() says why.
  bool handshake(base::Deadline deadline);
  std::string refusal() const override;
  // Why the stream has ended, if it did not end in good order. Of the thread that reads.
  const Failure& failure() const { return failure_; }
  base::Deadline opening_until() const override { return opening_until_.load(std::memory_order_relaxed); }
  bool unfinished() override;

  transport::IoResult read(char* to, std::size_t size) override { return receive(to, size, true); }
  transport::IoResult try_read(char* to, std::size_t size) override { return receive(to, size, false); }
  transport::IoResult try_write(const iovec* parts, int count) override;
  transport::Readiness wait(bool read, bool write, base::Deadline deadline) override;
  void set_read_timeout(int milliseconds) override { below_->set_read_timeout(milliseconds); }
  int descriptor() const override { return below_->descriptor(); }
  void interrupt() override { below_->interrupt(); }
  void stop_reading() override { below_->stop_reading(); }
  void finish_writing() override;
  bool delivered() const override { return below_->delivered(); }
  bool may_be_reset() const override { return below_->may_be_reset(); }
  bool more_may_come() const override;
  void let_messages_gather() override { below_->let_messages_gather(); }
  bool expect_large() override { return below_->expect_large(); }
  void keep_queue_short() override { below_->keep_queue_short(); }
  std::string peer() const override { return below_->peer(); }

  // Where nothing was read ahead, buffers are let go.
  bool arm() override;
  // Null where the peer has shown no certificate, or none was asked to be verified.
  const transport::PeerIdentity* identity() const override { return identity_.get(); }

 private:
  enum class Flushed { All, Blocked, Failed };
  enum class Progress { Done, NeedsBytes, Failed };
  class Parts;
  using Lock = std::unique_lock<base::Mutex>;

  TlsStream(std::unique_ptr<transport::Stream> below, ContextHandle context);
  bool expect(const std::string& host);

  // OpenSSL's view of the stream below.
  static const BIO_METHOD* bio_method();
  static int bio_read(BIO* bio, char* to, std::size_t size, std::size_t* done);
  static int bio_write(BIO* bio, const char* from, std::size_t size, std::size_t* done);
  static long bio_control(BIO* bio, int command, long, void*);
  // Behind the handshake: called before the keys change, or whatever else is no data.
  static void note_step(const SSL* ssl, int where, int);
  static int note_rejected(int good, X509_STORE_CTX* store);

  transport::IoResult receive(char* to, std::size_t size, bool wait);
  Progress advance();
  Progress decrypt(char* to, std::size_t size, std::size_t& got);
  bool refill(bool wait, transport::IoResult& result);
  Progress fail();
  void established();
  std::size_t encrypt(Parts& parts);
  // With the lock, which is released around system calls.
  Flushed flush(Lock& lock);
  void wait_for_flush(Lock& lock);

  const std::unique_ptr<transport::Stream> below_;
  const ContextHandle context_;
  SSL* ssl_ = nullptr;

  // ---- the reading thread's
  base::Memory in_;  // what was read ahead: [in_begin_, in_end_)
  std::size_t in_begin_ = 0, in_end_ = 0;
  bool drained_ = true;             // neither in_ nor OpenSSL has anything to give
  std::atomic<bool> heard_{false};  // the peer has sent something for the reader
  transport::Io ended_ = transport::Io::Ok;
  Failure failure_;
  RejectedCertificate rejected_;
  std::unique_ptr<transport::PeerIdentity> identity_;
  std::atomic<bool> established_{false};
  std::atomic<base::Deadline> opening_until_{base::kNoDeadline};

  base::Mutex mutex_;                                    // guards ssl_ and what follows
  std::optional<transport::HoldsUpFork> holds_up_fork_;  // until OpenSSL returns
  bool reading_ = false;                                 // OpenSSL may take from in_
  bool dry_ = false;                                     // it wanted more than there was
  bool flushing_ = false;                                // a thread is writing leaving_ to the stream below
  bool broken_ = false;                                  // nothing can be written any more
  bool said_close_ = false;
  std::size_t withheld_ = 0;  // octets (0 or 1) that are encrypted but were not said to be written
  // Octets of records up to the writer's last one that have not left; the writer alone lets them go, so that
  // it knows whether its message has left.
  std::size_t staying_ = 0;
  base::Memory queued_;  // records, in the order in which they were made
  std::size_t queued_size_ = 0;
  base::Memory leaving_;  // those that are being written: [leaving_begin_, leaving_end_)
  std::size_t leaving_begin_ = 0, leaving_end_ = 0;
};

}  // namespace corbel::tls
