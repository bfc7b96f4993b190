#include "orb/tls/tls_stream.h"

#include <arpa/inet.h>
#include <corbel/base/copy.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sched.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "orb/tls/peer_identity.h"

namespace corbel::tls {
namespace {

using transport::Io;
using transport::IoResult;

constexpr std::size_t kRecord = SSL3_RT_MAX_PLAIN_LENGTH;
// Encrypted before it leaves: the receiver decrypts while the next is encrypted.
constexpr std::size_t kAtOnce = 2 * kRecord;
constexpr std::size_t kReadAhead = 4 * (kRecord + 256);
// Answers that a peer can make this end queue without reading them (to key updates): beyond, it is not read
// on.
constexpr std::size_t kMostQueued = 4 * kAtOnce;
// Pieces of the stream below without an octet of the peer's for the reader: stops a peer that sends nothing
// but headers from keeping a thread for ever.
constexpr int kMostPieces = 64;
constexpr std::size_t kLeastBuffer = 4096;

// What OpenSSL keeps for each thread it makes and ends with locks.
class OfThread {
 public:
  OfThread() {
    const transport::HoldsUpFork inside;
    (void)ERR_peek_error();  // makes it
  }
  ~OfThread() {
    const transport::HoldsUpFork inside;
    OPENSSL_thread_stop();
  }
  OfThread(const OfThread&) = delete;
  OfThread& operator=(const OfThread&) = delete;
};

void note_thread() { static thread_local const OfThread of_thread; }

bool is_address(const std::string& host) {
  unsigned char bytes[16];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

bool reserve(base::Memory& memory, std::size_t used, std::size_t size) {
  if (size <= memory.size()) return true;
  base::Memory larger(std::max({size, memory.size() * 2, kLeastBuffer}));
  if (!larger) return false;
  if (used != 0) std::memcpy(larger.data(), memory.data(), used);
  memory = std::move(larger);
  return true;
}

}  // namespace

// What is still to be written.
class TlsStream::Parts {
 public:
  Parts(const iovec* parts, int count) : part_(parts), count_(count) { next(); }
  bool done() const { return count_ == 0; }
  void skip(std::size_t size) {
    while (size != 0 && !done()) {
      const std::size_t n = std::min(size, part_->iov_len - offset_);
      offset_ += n;
      size -= n;
      next();
    }
  }
  // The next record's text: where it stands, or gathered into `room`.
  const char* record(char* room, std::size_t& size) {
    const char* const at = static_cast<const char*>(part_->iov_base) + offset_;
    const std::size_t here = part_->iov_len - offset_;
    if (here >= kRecord || count_ == 1) {
      size = std::min(here, kRecord);
      skip(size);
      return at;
    }
    size = 0;
    while (size < kRecord && !done()) {
      const std::size_t n = std::min(kRecord - size, part_->iov_len - offset_);
      base::copy(room + size, static_cast<const char*>(part_->iov_base) + offset_, n);
      size += n;
      skip(n);
    }
    return room;
  }

 private:
  void next() {
    while (count_ != 0 && offset_ == part_->iov_len) {
      ++part_;
      --count_;
      offset_ = 0;
    }
  }
  const iovec* part_;
  int count_;
  std::size_t offset_ = 0;
};

// ---- beginning and end

TlsStream::TlsStream(std::unique_ptr<transport::Stream> below, ContextHandle context)
    : below_(std::move(below)), context_(std::move(context)) {
  note_thread();
  const transport::HoldsUpFork inside;
  if (!context_ || !bio_method()) return;
  ssl_ = SSL_new(context_.get());
  BIO* const bio = ssl_ ? BIO_new(bio_method()) : nullptr;
  if (!bio) {
    SSL_free(ssl_);
    ssl_ = nullptr;
    return;
  }
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_, bio, bio);
  SSL_set_app_data(ssl_, this);
  SSL_set_info_callback(ssl_, note_step);
}

TlsStream::~TlsStream() {
  if (!ssl_) return;
  note_thread();
  if (established_.load(std::memory_order_relaxed)) finish_writing();
  const transport::HoldsUpFork inside;
  SSL_free(ssl_);
}

std::unique_ptr<TlsStream> TlsStream::client(std::unique_ptr<transport::Stream> below, ContextHandle context,
                                             const Settings& settings, const std::string& host) {
  std::unique_ptr<TlsStream> stream(new TlsStream(std::move(below), std::move(context)));
  if (!stream->ssl_) return nullptr;
  SSL_set_connect_state(stream->ssl_);
  SSL_set_verify(stream->ssl_, settings.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, note_rejected);
  if (!is_address(host)) SSL_set_tlsext_host_name(stream->ssl_, host.c_str());
  if (settings.verify && settings.check_host &&
      !stream->expect(settings.server_name.empty() ? host : settings.server_name))
    return nullptr;
  return stream;
}

std::unique_ptr<TlsStream> TlsStream::server(std::unique_ptr<transport::Stream> below, ContextHandle context,
                                             const Settings& settings) {
  std::unique_ptr<TlsStream> stream(new TlsStream(std::move(below), std::move(context)));
  if (!stream->ssl_) return nullptr;
  SSL_set_accept_state(stream->ssl_);
  int mode = SSL_VERIFY_NONE;
  if (settings.verify && settings.clients != ClientCertificates::None) mode = SSL_VERIFY_PEER;
  if (settings.verify && settings.clients == ClientCertificates::Require)
    mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  SSL_set_verify(stream->ssl_, mode, note_rejected);
  stream->opening_until_.store(base::now() + settings.handshake_timeout_ms * 1'000'000LL);
  return stream;
}

bool TlsStream::expect(const std::string& host) {
  if (is_address(host)) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_), host.c_str()) == 1;
  SSL_set_hostflags(ssl_, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set1_host(ssl_, host.c_str()) == 1;
}

void TlsStream::finish_writing() {
  {
    Lock lock(mutex_);
    if (established_.load(std::memory_order_relaxed) && !said_close_ && !broken_) {
      said_close_ = true;
      if (SSL_shutdown(ssl_) < 0) ERR_clear_error();
      holds_up_fork_.reset();
      if (!flushing_ && staying_ == 0) (void)flush(lock);
    }
  }
  below_->finish_writing();
}

// ---- OpenSSL's view of the stream below

const BIO_METHOD* TlsStream::bio_method() {
  static const BIO_METHOD* const method = [] {
    BIO_METHOD* const m = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "corbel");
    if (m) {
      BIO_meth_set_read_ex(m, bio_read);
      BIO_meth_set_write_ex(m, bio_write);
      BIO_meth_set_ctrl(m, bio_control);
    }
    return m;
  }();
  return method;
}

int TlsStream::bio_read(BIO* bio, char* to, std::size_t size, std::size_t* done) {
  auto& self = *static_cast<TlsStream*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  if (!self.reading_ || self.in_begin_ == self.in_end_) {
    self.dry_ = true;
    BIO_set_retry_read(bio);
    return 0;
  }
  *done = std::min(size, self.in_end_ - self.in_begin_);
  base::copy(to, self.in_.data() + self.in_begin_, *done);
  self.in_begin_ += *done;
  return 1;
}

int TlsStream::bio_write(BIO* bio, const char* from, std::size_t size, std::size_t* done) {
  auto& self = *static_cast<TlsStream*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  if (!reserve(self.queued_, self.queued_size_, self.queued_size_ + size)) return 0;
  base::copy(self.queued_.data() + self.queued_size_, from, size);
  self.queued_size_ += size;
  *done = size;
  return 1;
}

long TlsStream::bio_control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

void TlsStream::note_step(const SSL* ssl, int where, int) {
  auto& self = *static_cast<TlsStream*>(SSL_get_app_data(ssl));
  if ((where & SSL_CB_LOOP) != 0 && self.established_.load(std::memory_order_relaxed) && !self.holds_up_fork_)
    self.holds_up_fork_.emplace();
}

int TlsStream::note_rejected(int good, X509_STORE_CTX* store) {
  if (good) return good;
  SSL* const ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  if (SSL_get_verify_mode(ssl) == SSL_VERIFY_NONE) return good;  // nobody minds
  auto& self = *static_cast<TlsStream*>(SSL_get_app_data(ssl));
  self.rejected_.error = X509_STORE_CTX_get_error(store);
  self.rejected_.depth = X509_STORE_CTX_get_error_depth(store);
  try {
    if (X509* const certificate = X509_STORE_CTX_get_current_cert(store))
      self.rejected_.subject = subject_of(certificate);
  } catch (const std::bad_alloc&) {  // the library is in C; the certificate is rejected without its name
  }
  return good;
}

// ---- the handshake

// One step of it with what has been read.
TlsStream::Progress TlsStream::advance() {
  const transport::HoldsUpFork inside;
  Lock lock(mutex_);
  reading_ = true;
  dry_ = false;
  const int done = SSL_do_handshake(ssl_);
  reading_ = false;
  Progress progress = Progress::Done;
  if (done != 1) progress = dry_ ? Progress::NeedsBytes : Progress::Failed;
  if (progress == Progress::Failed) fail();
  wait_for_flush(lock);
  const Flushed flushed = flush(lock);  // an alert, too
  if (progress != Progress::Failed && flushed == Flushed::Failed) {
    failure_ = {FailureKind::Broken, "the connection ended during the TLS handshake"};
    return Progress::Failed;
  }
  if (progress != Progress::Done) drained_ = true;
  else established();
  return progress;
}

// Whose it is not known for want of memory ends.
void TlsStream::established() try {
  if (SSL_get_verify_mode(ssl_) != SSL_VERIFY_NONE && SSL_get_verify_result(ssl_) == X509_V_OK)
    identity_ = identity_of(ssl_);
  drained_ = in_begin_ == in_end_ && SSL_has_pending(ssl_) == 0;
  opening_until_.store(base::kNoDeadline, std::memory_order_relaxed);
  established_.store(true, std::memory_order_release);
} catch (const std::bad_alloc&) {
  broken_ = true;
  ended_ = Io::Failed;
  throw;
}

TlsStream::Progress TlsStream::fail() {
  broken_ = true;  // before anything that takes memory
  failure_ = take_failure(rejected_, SSL_get0_certificate_types(ssl_, nullptr) != 0);
  return Progress::Failed;
}

bool TlsStream::handshake(base::Deadline deadline) {
  for (;;) {
    const Progress progress = advance();
    if (progress != Progress::NeedsBytes) return progress == Progress::Done;
    bool blocked;
    {
      Lock lock(mutex_);
      blocked = flush(lock) == Flushed::Blocked;
    }
    const auto ready = below_->wait(true, blocked, deadline);
    // Nor does a peer get longer that always has something to say.
    const bool late = deadline != base::kNoDeadline && base::now() >= deadline;
    if (late || (!ready.readable && !ready.writable)) {
      failure_ = {FailureKind::TimedOut, "the peer did not finish the TLS handshake in time"};
      return false;
    }
    IoResult result{Io::Ok};
    if (ready.readable && !refill(false, result) && result.status != Io::WouldBlock) {
      failure_ = {FailureKind::Broken,
                  "the peer closed the connection during the TLS handshake: is it a plain port?"};
      return false;
    }
  }
}

// ---- reading

// Takes what the stream below has; false, with the result for the reader, if that is nothing.
bool TlsStream::refill(bool wait, IoResult& result) {
  if (!in_) in_ = base::Memory(kReadAhead);
  if (!in_) {
    result = {Io::Failed};
    return false;
  }
  result = wait ? below_->read(in_.data(), in_.size()) : below_->try_read(in_.data(), in_.size());
  if (result.status != Io::Ok) return false;
  in_begin_ = 0;
  in_end_ = result.bytes;
  drained_ = false;
  return true;
}

IoResult TlsStream::receive(char* to, std::size_t size, bool wait) {
  if (ended_ != Io::Ok) return {ended_};
  if (size == 0) [[unlikely]]
    return {Io::Failed};  // the reader has no memory
  note_thread();
  std::size_t got = 0;
  for (int piece = 0;; ++piece) {
    if (!drained_ || !established_.load(std::memory_order_relaxed)) {
      Progress progress = Progress::Done;
      if (!established_.load(std::memory_order_relaxed)) progress = advance();
      if (progress == Progress::Done) progress = decrypt(to, size, got);
      if (progress == Progress::Failed && ended_ == Io::Ok) ended_ = Io::Failed;
      if (got != 0) return {Io::Ok, got};
      if (ended_ != Io::Ok) return {ended_};
    }
    // All that has come has gone through OpenSSL, which knows whether it is in the middle of a record.
    if (piece == kMostPieces) return {wait ? Io::TimedOut : Io::WouldBlock};
    IoResult result{Io::Ok};
    if (refill(wait, result)) continue;
    if (result.status == Io::Closed) {  // without close_notify: anybody on the way may have done that
      if (failure_.kind == FailureKind::None)
        failure_ = {FailureKind::Broken, "the TLS connection was cut off without a goodbye"};
      result.status = Io::Failed;
    }
    if (result.status == Io::Failed) ended_ = Io::Failed;
    return result;
  }
}

// Fills `to` as far as whole records are here. NeedsBytes means that nothing more is.
TlsStream::Progress TlsStream::decrypt(char* to, std::size_t size, std::size_t& got) {
  while (got < size && !drained_) {
    Lock lock(mutex_);
    if (ERR_peek_error() != 0) [[unlikely]]
      ERR_clear_error();  // the application's, which would be taken for this connection's
    std::size_t n = 0;
    reading_ = true;
    dry_ = false;
    const int done = SSL_read_ex(ssl_, to + got, size - got, &n);
    reading_ = false;
    if (holds_up_fork_) [[unlikely]]
      holds_up_fork_.reset();
    got += n;
    Progress progress = Progress::Done;
    if (done == 1) {
      heard_.store(true, std::memory_order_relaxed);
      drained_ = in_begin_ == in_end_ && SSL_has_pending(ssl_) == 0;
    } else if (dry_) {
      drained_ = true;
    } else if ((SSL_get_shutdown(ssl_) & SSL_RECEIVED_SHUTDOWN) != 0 && ERR_peek_error() == 0) {
      ended_ = Io::Closed;
      progress = Progress::Failed;
    } else {
      progress = fail();
    }
    if (queued_size_ != 0) [[unlikely]] {
      if (!flushing_ && staying_ == 0) (void)flush(lock);
      if (queued_size_ > kMostQueued && progress == Progress::Done) {
        failure_ = {FailureKind::Broken, "the peer asks for answers and does not read them"};
        progress = Progress::Failed;
      }
    }
    if (progress == Progress::Failed) return progress;
  }
  return drained_ ? Progress::NeedsBytes : Progress::Done;
}

transport::Readiness TlsStream::wait(bool read, bool write, base::Deadline deadline) {
  if (read && (!drained_ || ended_ != Io::Ok)) {
    if (!write) return {true, false};
    return {true, below_->wait(false, true, base::now()).writable};
  }
  return below_->wait(read, write, deadline);
}

std::string TlsStream::refusal() const {
  return failure_.kind == FailureKind::SelfRefused && !heard_.load(std::memory_order_relaxed) ? failure_.text
                                                                                              : std::string();
}

// Servers send session tickets right behind the handshake (RFC 8446, 4.6.1), of which they are a part
// before 1.3.
bool TlsStream::more_may_come() const {
  return !SSL_is_server(ssl_) && SSL_version(ssl_) >= TLS1_3_VERSION &&
         !heard_.load(std::memory_order_relaxed);
}

bool TlsStream::unfinished() {
  if (ended_ != Io::Ok) return false;
  if (!established_.load(std::memory_order_relaxed)) return true;
  if (!drained_) return false;
  Lock lock(mutex_);
  return SSL_has_pending(ssl_) != 0;  // of a record
}

bool TlsStream::arm() {
  if (ended_ != Io::Ok) return true;  // the stream below announces its end
  if (!drained_) return false;
  in_ = base::Memory();
  in_begin_ = in_end_ = 0;
  if (!established_.load(std::memory_order_relaxed)) return true;
  Lock lock(mutex_);
  SSL_free_buffers(ssl_);
  if (!flushing_ && queued_size_ == 0 && leaving_begin_ == leaving_end_) {
    queued_ = base::Memory();
    leaving_ = base::Memory();
  }
  return true;
}

// ---- writing

IoResult TlsStream::try_write(const iovec* parts, int count) {
  note_thread();
  if (count == 0) {
    // What is queued, as a handshake's rest. Another thread may be in the middle of a message.
    Lock lock(mutex_, std::try_to_lock);
    if (!lock || flushing_) return {Io::WouldBlock};
    const Flushed flushed = broken_ || said_close_ ? Flushed::Failed : flush(lock);
    if (flushed == Flushed::Failed) return {Io::Failed};
    return {flushed == Flushed::All && established_.load(std::memory_order_relaxed) ? Io::Ok
                                                                                    : Io::WouldBlock};
  }
  if (!established_.load(std::memory_order_acquire)) return {Io::WouldBlock};
  Lock lock(mutex_);
  wait_for_flush(lock);
  if (broken_ || said_close_) return {Io::Failed};
  Flushed flushed = flush(lock);
  std::size_t written = staying_ == 0 ? std::exchange(withheld_, 0) : 0;
  Parts rest(parts, count);
  rest.skip(written);
  while (flushed == Flushed::All && !rest.done()) {
    const std::size_t n = encrypt(rest);
    if (n == 0) flushed = Flushed::Failed;
    else flushed = flush(lock);
    // What failed before all of it has left was not written, but what went before was. What a reader has
    // queued behind it meanwhile may fail, or stay, for itself.
    if (staying_ == 0) {
      written += n;
    } else if (flushed == Flushed::Blocked) {
      withheld_ = written + n > 1 ? 1 : 0;
      written += n - withheld_;
    }
  }
  if (written != 0 || flushed == Flushed::All) return {Io::Ok, written};
  return {flushed == Flushed::Blocked ? Io::WouldBlock : Io::Failed};
}

// Makes records of the next octets, at most kAtOnce; returns how many. With the lock.
std::size_t TlsStream::encrypt(Parts& parts) {
  char room[kRecord];
  std::size_t written = 0;
  while (!parts.done() && written < kAtOnce) {
    std::size_t size;
    const char* const text = parts.record(room, size);
    std::size_t n = 0;
    const int done = SSL_write_ex(ssl_, text, size, &n);
    if (holds_up_fork_) [[unlikely]]
      holds_up_fork_.reset();
    if (done != 1) {
      ERR_clear_error();
      broken_ = true;
      written = 0;
      break;
    }
    written += n;
  }
  staying_ = queued_size_;
  return written;
}

// By another thread: the reader's answer to a key update, or what was left of a handshake.
void TlsStream::wait_for_flush(Lock& lock) {
  while (flushing_) {
    lock.unlock();
    sched_yield();
    lock.lock();
  }
}

// Writes what is queued to the stream below.
TlsStream::Flushed TlsStream::flush(Lock& lock) {
  for (;;) {
    if (leaving_begin_ == leaving_end_) {
      if (queued_size_ == 0) return Flushed::All;
      std::swap(queued_, leaving_);
      leaving_begin_ = 0;
      leaving_end_ = std::exchange(queued_size_, 0);
    }
    flushing_ = true;
    const iovec part{leaving_.data() + leaving_begin_, leaving_end_ - leaving_begin_};
    lock.unlock();
    const IoResult result = below_->try_write(&part, 1);
    lock.lock();
    flushing_ = false;
    if (result.status == Io::WouldBlock) return Flushed::Blocked;
    if (result.status != Io::Ok) {
      broken_ = true;
      return Flushed::Failed;
    }
    leaving_begin_ += result.bytes;
    staying_ -= std::min(staying_, result.bytes);
    if (result.bytes < part.iov_len) return Flushed::Blocked;
  }
}

}  // namespace corbel::tls
