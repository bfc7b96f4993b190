// One way to compress.
#pragma once

#include <sys/uio.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "orb/base/mutex.h"

namespace corbel::ziop {

// Thread-safe. It never throws.
class Codec {
 public:
  virtual ~Codec() = default;
  // False where the octets of the parts do not become `most` or fewer.
  virtual bool compress(std::uint16_t level, const std::vector<iovec>& parts, char* to, std::size_t most,
                        std::size_t& used) = 0;
  // Whether data may stand for so many octets. Costs no more than a look at them.
  virtual bool plausible(const char* data, std::size_t size, std::size_t expanded) const = 0;
  // False unless all of the data stand for `most` octets or fewer. Never writes more.
  virtual bool expand(const char* data, std::size_t size, char* to, std::size_t most, std::size_t& used) = 0;
};

// Of the formats with and without a header of gzip's.
std::unique_ptr<Codec> make_zlib();
std::unique_ptr<Codec> make_gzip();
std::unique_ptr<Codec> make_zstd();

// States of a compressor that are used again: they are large. As many are kept as can work at a time; more
// are only out at once where a thread is interrupted.
template <typename T>
class Idle {
 public:
  std::unique_ptr<T> take() {
    std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    std::unique_ptr<T> one = std::move(idle_.back());
    idle_.pop_back();
    return one;
  }
  void give(std::unique_ptr<T> one) {
    std::lock_guard lock(mutex_);
    if (idle_.size() < most_) idle_.push_back(std::move(one));
  }

 private:
  const std::size_t most_ = std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
  base::Mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace corbel::ziop
