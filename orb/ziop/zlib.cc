#include <zlib.h>

#include <algorithm>

#include "orb/ziop/codec.h"

namespace corbel::ziop {
namespace {

constexpr int kWindow = 15, kGzip = 16;  // bits of the window, and what asks for a header of gzip's
constexpr int kMemory = 8;
constexpr int kUsualLevel = 6;
// No code of deflate stands for more than 258 octets, and none is shorter than a bit, two for a pair.
constexpr std::size_t kMostRatio = 1032;

struct Deflater {
  explicit Deflater(int bits) {
    good = deflateInit2(&z, kUsualLevel, Z_DEFLATED, bits, kMemory, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~Deflater() {
    if (good) deflateEnd(&z);
  }
  z_stream z{};
  bool good;
};

struct Inflater {
  explicit Inflater(int bits) { good = inflateInit2(&z, bits) == Z_OK; }
  ~Inflater() {
    if (good) inflateEnd(&z);
  }
  z_stream z{};
  bool good;
};

class Zlib final : public Codec {
 public:
  explicit Zlib(int bits) : bits_(bits) {}

  bool compress(std::uint16_t level, const std::vector<iovec>& parts, char* to, std::size_t most,
                std::size_t& used) override {
    std::unique_ptr<Deflater> d = deflaters_.take();
    if (!d) d = std::make_unique<Deflater>(bits_);
    if (!d->good || deflateReset(&d->z) != Z_OK) return false;
    z_stream& z = d->z;
    z.next_out = reinterpret_cast<Bytef*>(to);
    z.avail_out = static_cast<uInt>(most);
    const int wanted = level == 0 ? kUsualLevel : std::min<int>(level, Z_BEST_COMPRESSION);
    bool fits = deflateParams(&z, wanted, Z_DEFAULT_STRATEGY) == Z_OK;
    for (std::size_t i = 0; fits && i < parts.size(); ++i) {
      z.next_in = static_cast<Bytef*>(parts[i].iov_base);
      z.avail_in = static_cast<uInt>(parts[i].iov_len);
      fits = deflate(&z, Z_NO_FLUSH) == Z_OK && z.avail_in == 0;
    }
    fits = fits && deflate(&z, Z_FINISH) == Z_STREAM_END;
    used = most - z.avail_out;
    deflaters_.give(std::move(d));
    return fits;
  }

  bool plausible(const char*, std::size_t size, std::size_t expanded) const override {
    return expanded / kMostRatio <= size;
  }

  bool expand(const char* data, std::size_t size, char* to, std::size_t most, std::size_t& used) override {
    std::unique_ptr<Inflater> i = inflaters_.take();
    if (!i) i = std::make_unique<Inflater>(bits_);
    if (!i->good || inflateReset(&i->z) != Z_OK) return false;
    z_stream& z = i->z;
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data));
    z.avail_in = static_cast<uInt>(size);
    z.next_out = reinterpret_cast<Bytef*>(to);
    z.avail_out = static_cast<uInt>(most);
    const bool whole = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_in == 0;
    used = most - z.avail_out;
    inflaters_.give(std::move(i));
    return whole;
  }

 private:
  const int bits_;
  Idle<Deflater> deflaters_;
  Idle<Inflater> inflaters_;
};

}  // namespace

std::unique_ptr<Codec> make_zlib() { return std::make_unique<Zlib>(kWindow); }
std::unique_ptr<Codec> make_gzip() { return std::make_unique<Zlib>(kWindow + kGzip); }

}  // namespace corbel::ziop
