// A stream through two rings of shared memory, beside a unix-domain socket.
//
// A thread that waits spins for a moment, then sleeps on a word of the memory, and where that takes longer in
// poll() on the socket, through which the peer then sends a byte. The socket carries nothing else; its
// hang-up tells that the peer is gone, at whatever instruction it ended.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include <corbel/transport/stream.h>

#include "orb/base/mutex.h"
#include "orb/transport/descriptor.h"
#include "orb/transport/shm_memory.h"
#include "orb/transport/shm_ring.h"

namespace corbel::transport::shm {

struct Settings {
  std::size_t ring_size = 256 * 1024;  // of each direction, chosen by the client
  std::int64_t spin_time = 20'000;     // nanoseconds that a thread looks for bytes before it sleeps; 0: none
  bool any_user = false;               // else both ends belong to one user
};

// What the client sends first, with the memory's descriptor.
struct Hello {
  char magic[8];  // kMagic
  std::uint32_t version;
  std::uint32_t ring_size;
};
inline constexpr char kMagic[9] = "CorbelSM";
inline constexpr std::uint32_t kVersion = 1;
// All of it at once, as nothing else is in the socket yet.
bool send_hello(int socket, int memory, std::size_t ring_size);

class ShmStream final : public Stream {
 public:
  // The client's end: it has made the memory and passed it on. `turned_away` is called when the peer has
  // ended the stream and taken nothing.
  ShmStream(Descriptor socket, SharedMemory memory, const Settings& settings,
            std::function<void()> turned_away = {});
  // The server's end: the memory comes with the first bytes.
  ShmStream(Descriptor socket, const Settings& settings);

  IoResult read(char* to, std::size_t size) override;
  IoResult try_read(char* to, std::size_t size) override;
  IoResult try_write(const iovec* parts, int count) override;
  void set_read_timeout(int milliseconds) override { read_timeout_ = milliseconds * 1'000'000LL; }
  int descriptor() const override { return socket_.get(); }
  void interrupt() override;
  void stop_reading() override;
  void finish_writing() override;
  bool expect_large() override { return true; }
  std::string peer() const override;
  const PeerIdentity* identity() const override { return &identity_; }
  bool nothing_taken() const override;
  // Without `read` the descriptor is not touched: it belongs to whoever reads.
  Readiness wait(bool read, bool write, Deadline deadline) override;
  // From now on the peer announces bytes at the descriptor.
  bool arm() override;

 private:
  enum Flag : std::uint32_t {
    kInterrupted = 1,
    kReadingStopped = 2,
    kGone = 4,      // the peer's process has ended or closed the socket
    kBroken = 8,    // the peer has broken the rules
    kFinished = 16  // the peer has said that it will not write any more
  };

  void identify();
  bool met() { return met_.load(std::memory_order_acquire) || meet(); }
  bool meet();
  void use_memory(SharedMemory memory, bool client);
  IoResult take(char* to, std::size_t size);
  std::size_t last_octets();
  bool something_to_read() const;
  bool something_to_write() const;
  struct SpinHistory {
    std::uint32_t misses = 0;  // in a row that ended in sleep
    std::uint32_t skipped = 0;
  };
  template <class Ready>
  bool spin(SpinHistory& history, Ready ready);
  bool wait_for_data(std::int64_t time);
  bool wait_for_room(std::int64_t time);
  Readiness wait_for_either(std::int64_t time);
  bool hear(std::int64_t time);
  void ask(std::atomic<std::uint32_t>& word);
  void stop_asking(std::atomic<std::uint32_t>& word);
  void disarm();
  void drain();
  void announce(std::atomic<std::uint32_t>& word);
  bool hung_up() const;
  void note_processor(std::uint32_t here);
  void set(Flag flag) { flags_.fetch_or(flag, std::memory_order_seq_cst); }
  bool has(std::uint32_t flags) const { return (flags_.load(std::memory_order_seq_cst) & flags) != 0; }
  IoResult broken() {
    set(kBroken);
    return {Io::Failed};
  }

  const Settings settings_;
  const std::function<void()> turned_away_;
  Descriptor socket_;
  PeerIdentity identity_;
  base::Mutex meeting_;
  std::atomic<bool> met_{false};
  std::atomic<std::uint32_t> flags_{0};
  std::atomic<bool> finished_{false};

  // Set once, before met_.
  SharedMemory memory_;
  Side* own_ = nullptr;
  Side* peer_ = nullptr;

  // Whoever writes.
  RingWriter writer_;
  SpinHistory write_spins_;

  // Whoever reads.
  RingReader reader_;
  std::int64_t read_timeout_ = 0;  // nanoseconds
  bool armed_ = false;
  std::size_t last_octets_ = ~std::size_t{0};  // that may be read after an interruption
  std::uint32_t rings_owed_ = 0;  // bytes that the peer may have sent, or may still send, through the socket
  SpinHistory read_spins_;
};

}  // namespace corbel::transport::shm
