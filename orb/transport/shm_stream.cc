#include "orb/transport/shm_stream.h"

#include <poll.h>
#include <sched.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "orb/base/ascii.h"
#include "orb/base/futex.h"
#include "orb/transport/close_aside.h"

namespace corbel::transport::shm {
namespace {

// Parts of a large message that the peer can take while the rest is copied.
constexpr std::size_t kPiece = 16 * 1024;
constexpr std::size_t kTakenPiece = 64 * 1024;

// A thread sleeps so long on a word before it looks whether the peer still lives, and sleeps in poll() from
// then on.
constexpr std::int64_t kFutexTime = 20'000'000;
// A peer that resets the word on which we wait must not keep us from sleeping.
constexpr int kFutexRounds = 3;

// Who waits in vain so often in a row spins only now and then, until it is worth it again.
constexpr std::uint32_t kMostMisses = 4;
constexpr std::uint32_t kRetrySpin = 32;
constexpr int kLooksPerTime = 64;

constexpr std::int64_t kNoTime = 0;  // no limit

constexpr std::size_t kMostPassed = 253;  // the kernel's limit of descriptors with a message

// What a peer has passed that is not wanted: it may be one whose closing waits.
void discard(Descriptor passed) {
  if (passed) (void)close_aside(passed);
}

// `passed` is the last one of `count` descriptors that came with the octets; the others are closed.
ssize_t receive(int socket, void* to, std::size_t size, Descriptor& passed, int& count) {
  iovec part{to, size};
  // As much as a message can bring: the kernel closes what there is no room for, which may take long.
  alignas(cmsghdr) char control[CMSG_SPACE(kMostPassed * sizeof(int))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t n = ::recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  count = 0;
  if (n < 0) return n;
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t descriptors = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < descriptors; ++i) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
      if (count++ != 0) discard(std::move(passed));
      passed = Descriptor(fd);
    }
  }
  if ((message.msg_flags & MSG_CTRUNC) != 0) ++count;
  return n;
}

void pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// What is left of a time that began at `since`: at least a nanosecond.
std::int64_t left(std::int64_t time, base::Deadline since) {
  return time == kNoTime ? kNoTime : std::max<std::int64_t>(1, time - (base::now() - since));
}

bool is_over(std::int64_t time, base::Deadline since) {
  return time != kNoTime && base::now() - since >= time;
}

std::int64_t time_until(base::Deadline deadline) {
  return deadline == base::kNoDeadline ? kNoTime : std::max<std::int64_t>(1, deadline - base::now());
}

}  // namespace

bool send_hello(int socket, int memory, std::size_t ring_size) {
  Hello hello{};
  std::memcpy(hello.magic, kMagic, sizeof hello.magic);
  hello.version = kVersion;
  hello.ring_size = static_cast<std::uint32_t>(ring_size);
  iovec part{&hello, sizeof hello};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))]{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(c), &memory, sizeof memory);
  return ::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof hello);
}

// ---- the beginning

ShmStream::ShmStream(Descriptor socket, SharedMemory memory, const Settings& settings,
                     std::function<void()> turned_away)
    : settings_(settings), turned_away_(std::move(turned_away)), socket_(std::move(socket)) {
  identify();
  use_memory(std::move(memory), true);
}

ShmStream::ShmStream(Descriptor socket, const Settings& settings)
    : settings_(settings), socket_(std::move(socket)) {
  identify();
}

void ShmStream::identify() {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(socket_.get(), SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return;
  identity_.uid = who.uid;
  identity_.gid = who.gid;
  identity_.pid = who.pid;
}

void ShmStream::use_memory(SharedMemory memory, bool client) {
  memory_ = std::move(memory);
  Shared& shared = memory_.shared();
  own_ = client ? &shared.client : &shared.server;
  peer_ = client ? &shared.server : &shared.client;
  char* const out = client ? memory_.client_ring() : memory_.server_ring();
  char* const in = client ? memory_.server_ring() : memory_.client_ring();
  writer_ = RingWriter(*own_, *peer_, out, memory_.ring_size());
  reader_ = RingReader(*own_, *peer_, in, memory_.ring_size());
  met_.store(true, std::memory_order_release);
}

// The server's end: receives the memory if it has arrived. Otherwise the stream is gone, broken or still to
// wait.
bool ShmStream::meet() {
  std::lock_guard lock(meeting_);
  if (met_.load(std::memory_order_relaxed)) return true;
  if (has(kBroken | kGone)) return false;
  Hello hello{};
  Descriptor passed;
  int count;
  const ssize_t n = receive(socket_.get(), &hello, sizeof hello, passed, count);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n <= 0) {
    set(kGone);
    return false;
  }
  refuse_descriptors(socket_.get());  // from here on
  SharedMemory memory;
  if (n == static_cast<ssize_t>(sizeof hello) && count == 1 &&
      std::memcmp(hello.magic, kMagic, sizeof hello.magic) == 0 && hello.version == kVersion)
    memory = SharedMemory::adopt(passed.get(), hello.ring_size);
  if (memory) use_memory(std::move(memory), false);
  else set(kBroken);
  if (!memory_) discard(std::move(passed));
  return static_cast<bool>(memory_);
}

// Where this end has interrupted it the peer may be there all the same, and read what it finds to the end.
bool ShmStream::nothing_taken() const {
  if (!has(kGone) || has(kInterrupted) || !writer_.nothing_taken()) return false;
  if (turned_away_) turned_away_();
  return true;
}

// ---- reading

IoResult ShmStream::read(char* to, std::size_t size) {
  for (;;) {
    const IoResult result = met() ? take(to, size) : try_read(to, size);
    if (result.status != Io::WouldBlock) return result;
    if (!wait_for_data(read_timeout_)) return {Io::TimedOut};
  }
}

IoResult ShmStream::try_read(char* to, std::size_t size) {
  if (!met()) {
    const std::uint32_t flags = flags_.load(std::memory_order_acquire);
    return {flags & kBroken ? Io::Failed : flags != 0 ? Io::Closed : Io::WouldBlock};
  }
  const IoResult result = take(to, size);
  if (result.status != Io::WouldBlock) return result;
  drain();  // tells whether the peer is there at all
  return take(to, size);
}

// What had arrived before an interruption can still be read, as from a socket that is shut down: a peer's
// goodbye, for instance. Not more, so that it comes to an end.
std::size_t ShmStream::last_octets() {
  std::size_t there;
  if (!reader_.available(there)) return 0;
  return last_octets_ = std::min(last_octets_, there);
}

IoResult ShmStream::take(char* to, std::size_t size) {
  if (size == 0) [[unlikely]]
    return {Io::Failed};  // the reader has no memory
  if (armed_) disarm();
  const std::uint32_t flags = flags_.load(std::memory_order_acquire);
  if (flags & (kInterrupted | kReadingStopped | kBroken)) [[unlikely]] {
    if (flags & kBroken) return {Io::Failed};
    size = std::min(size, last_octets());
    if (size == 0) return {Io::Closed};
    last_octets_ -= size;
  }
  std::size_t there;
  if (!reader_.available(there)) [[unlikely]]
    return broken();
  if (there == 0) {
    if ((flags & (kGone | kReadingStopped | kFinished)) == 0) {
      if (peer_->finished.load(std::memory_order_acquire) == 0) return {Io::WouldBlock};
      set(kFinished);
    }
    // What was written before the end.
    if (!reader_.available(there)) return broken();
    if (there == 0) return {Io::Closed};
  }
  const std::size_t n = std::min(there, size);
  for (std::size_t done = 0; done < n;) {
    const std::size_t piece = std::min(n - done, kTakenPiece);
    reader_.take(to + done, piece);
    done += piece;
    if (peer_->room_wait.load(std::memory_order_seq_cst) != kNobody && reader_.roomy())
      announce(peer_->room_wait);
  }
  return {Io::Ok, n};
}

// ---- writing

IoResult ShmStream::try_write(const iovec* parts, int count) {
  if (!met() || has(kInterrupted | kGone | kBroken)) return {Io::Failed};
  std::size_t room;
  if (!writer_.room(room)) [[unlikely]]
    return broken();
  if (room == 0) return {Io::WouldBlock};
  // Somebody who has died while nothing happened is found out before anything is sent.
  if (peer_->data_wait.load(std::memory_order_relaxed) == kDoorbell && hung_up()) {
    set(kGone);
    return {Io::Failed};
  }
  std::size_t sent = 0, unpublished = 0;
  for (; count != 0 && room != 0; ++parts, --count) {
    const char* from = static_cast<const char*>(parts->iov_base);
    std::size_t size = std::min(parts->iov_len, room);
    sent += size;
    room -= size;
    while (size != 0) {
      const std::size_t piece = std::min(size, kPiece - unpublished);
      writer_.copy(from, piece);
      from += piece;
      size -= piece;
      unpublished += piece;
      if (unpublished < kPiece) continue;
      writer_.publish();
      unpublished = 0;
      // It may begin, unless it would push us off the processor.
      if (peer_->data_wait.load(std::memory_order_seq_cst) != kNobody &&
          peer_->processor.load(std::memory_order_relaxed) != static_cast<std::uint32_t>(::sched_getcpu()))
        announce(peer_->data_wait);
    }
  }
  if (unpublished != 0) writer_.publish();
  if (peer_->data_wait.load(std::memory_order_seq_cst) != kNobody) announce(peer_->data_wait);
  return {Io::Ok, sent};
}

// Lets go on whom the word says to wait.
void ShmStream::announce(std::atomic<std::uint32_t>& word) {
  switch (word.exchange(kNobody, std::memory_order_seq_cst)) {
    case kFutex:
      base::shared_futex_wake(word);
      break;
    case kDoorbell: {
      const char ring = 0;
      // No room means that there are rings enough.
      if (::send(socket_.get(), &ring, 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno != EAGAIN && hung_up())
        set(kGone);
      break;
    }
    default:
      break;
  }
}

// ---- waiting

bool ShmStream::something_to_read() const {
  return reader_.changed() || peer_->finished.load(std::memory_order_seq_cst) != 0 || has(~0u);
}

bool ShmStream::something_to_write() const { return writer_.roomy() || has(kInterrupted | kGone | kBroken); }

void ShmStream::note_processor(std::uint32_t here) {
  if (own_->processor.load(std::memory_order_relaxed) != here)
    own_->processor.store(here, std::memory_order_relaxed);
}

// Looks for a moment, where that is likely to be worth it: the peer runs on another processor, and looking
// was not in vain lately.
template <class Ready>
bool ShmStream::spin(SpinHistory& history, Ready ready) {
  const auto here = static_cast<std::uint32_t>(::sched_getcpu());
  note_processor(here);
  if (settings_.spin_time == 0 || peer_->processor.load(std::memory_order_relaxed) == here) return ready();
  if (history.misses >= kMostMisses && ++history.skipped % kRetrySpin != 0) return ready();
  for (base::Deadline until = 0;;) {
    for (int i = 0; i < kLooksPerTime; ++i) {
      if (ready()) {
        history.misses = 0;
        return true;
      }
      pause_processor();
    }
    const base::Deadline now = base::now();
    if (until == 0) until = now + settings_.spin_time;
    else if (now >= until) break;
  }
  ++history.misses;
  return false;
}

// False when the time is over.
bool ShmStream::wait_for_data(std::int64_t time) {
  if (armed_) disarm();
  if (!met()) return has(~0u) || hear(time);
  if (spin(read_spins_, [this] { return something_to_read(); })) return true;
  const base::Deadline since = time == kNoTime ? 0 : base::now();
  for (int round = 0; round < kFutexRounds; ++round) {
    const std::int64_t slice = time == kNoTime ? kFutexTime : std::min(left(time, since), kFutexTime);
    own_->data_wait.store(kFutex, std::memory_order_seq_cst);
    const bool in_time = something_to_read() || base::shared_futex_wait(own_->data_wait, kFutex, slice);
    own_->data_wait.store(kNobody, std::memory_order_relaxed);
    if (something_to_read()) return true;
    if (!in_time) break;
  }
  if (is_over(time, since)) return hung_up() && (set(kGone), true);
  for (;;) {
    if (!arm()) return true;
    const bool in_time = hear(left(time, since));
    disarm();
    if (!something_to_read()) drain();
    if (something_to_read()) return true;
    if (!in_time || is_over(time, since)) return false;  // be there octets of a peer that rings without data
  }
}

// Does not touch the descriptor's bytes: they are the reader's.
bool ShmStream::wait_for_room(std::int64_t time) {
  if (spin(write_spins_, [this] { return something_to_write(); })) return true;
  const base::Deadline since = base::now();
  for (int rounds = 0;;) {
    own_->room_wait.store(kFutex, std::memory_order_seq_cst);
    if (!something_to_write()) {
      const std::int64_t slice = time == kNoTime ? kFutexTime : std::min(left(time, since), kFutexTime);
      if (rounds < kFutexRounds) {
        if (base::shared_futex_wait(own_->room_wait, kFutex, slice)) ++rounds;
      } else {
        pollfd p{socket_.get(), 0, 0};
        ::poll(&p, 1, 1);
      }
    }
    own_->room_wait.store(kNobody, std::memory_order_relaxed);
    if (something_to_write()) return true;
    if (hung_up()) set(kGone);
    else if (is_over(time, since)) return false;
  }
}

Readiness ShmStream::wait_for_either(std::int64_t time) {
  if (armed_) disarm();
  if (spin(write_spins_, [this] { return something_to_read() || something_to_write(); }))
    return {something_to_read(), something_to_write()};
  const base::Deadline since = base::now();
  for (;;) {
    bool in_time = true;
    const bool quiet = arm();
    ask(own_->room_wait);
    if (quiet && !something_to_write()) in_time = hear(left(time, since));
    stop_asking(own_->room_wait);
    if (armed_) disarm();
    if (!something_to_read()) drain();
    const Readiness ready{something_to_read(), something_to_write()};
    if (ready.readable || ready.writable || !in_time || is_over(time, since)) return ready;
  }
}

Readiness ShmStream::wait(bool read, bool write, Deadline deadline) {
  const std::int64_t time = time_until(deadline);
  if (read && write && met()) return wait_for_either(time);
  if (write && met()) return {false, wait_for_room(time)};
  return {wait_for_data(time), false};
}

// ---- the socket

// Waits for the descriptor; false when the time is over.
bool ShmStream::hear(std::int64_t time) {
  const base::Deadline deadline = time == kNoTime ? base::kNoDeadline : base::now() + time;
  return wait_ready(socket_.get(), true, false, deadline).readable;
}

bool ShmStream::arm() {
  if (!met()) return !has(~0u);  // the memory's arrival is an event of its own
  if (rings_owed_ != 0) drain();
  if (!armed_) {
    armed_ = true;
    note_processor(static_cast<std::uint32_t>(::sched_getcpu()));
    ask(own_->data_wait);
  }
  if (!something_to_read()) return true;
  disarm();
  return false;
}

void ShmStream::disarm() {
  armed_ = false;
  stop_asking(own_->data_wait);
}

void ShmStream::ask(std::atomic<std::uint32_t>& word) {
  ++rings_owed_;
  word.store(kDoorbell, std::memory_order_seq_cst);
}

void ShmStream::stop_asking(std::atomic<std::uint32_t>& word) {
  if (word.exchange(kNobody, std::memory_order_seq_cst) == kDoorbell)
    --rings_owed_;  // not rung, and will not be
  else drain();
}

// Takes what the peer has rung, no more than it was asked for: more is no peer of ours.
void ShmStream::drain() {
  char rings[64];
  Descriptor passed;
  int count;
  const ssize_t n = receive(socket_.get(), rings, sizeof rings, passed, count);
  if (n > 0) {
    const auto rung = static_cast<std::uint32_t>(n);
    if (rung > rings_owed_ || count != 0) set(kBroken);
    discard(std::move(passed));
    rings_owed_ -= std::min(rung, rings_owed_);
  } else if (n == 0 ? !has(kReadingStopped) : errno != EAGAIN && errno != EINTR) {
    set(kGone);
  }
}

bool ShmStream::hung_up() const {
  pollfd p{socket_.get(), 0, 0};
  return ::poll(&p, 1, 0) == 1 && (p.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

// ---- the end

void ShmStream::interrupt() {
  set(kInterrupted);
  finish_writing();
  ::shutdown(socket_.get(), SHUT_RDWR);
  if (!met_.load(std::memory_order_acquire)) return;
  for (auto* word : {&own_->data_wait, &own_->room_wait})
    if (word->exchange(kNobody, std::memory_order_seq_cst) == kFutex) base::shared_futex_wake(*word);
}

void ShmStream::stop_reading() {
  set(kReadingStopped);
  ::shutdown(socket_.get(), SHUT_RD);
  if (!met_.load(std::memory_order_acquire)) return;
  if (own_->data_wait.exchange(kNobody, std::memory_order_seq_cst) == kFutex)
    base::shared_futex_wake(own_->data_wait);
}

// A client whose memory has not come could not be told anything: it sees the end.
void ShmStream::finish_writing() {
  if (!met_.load(std::memory_order_acquire)) return (void)::shutdown(socket_.get(), SHUT_WR);
  if (finished_.exchange(true)) return;
  own_->finished.store(1, std::memory_order_seq_cst);
  announce(peer_->data_wait);
}

std::string ShmStream::peer() const { return "shared memory, process " + base::decimal(identity_.pid); }

}  // namespace corbel::transport::shm
