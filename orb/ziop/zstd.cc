#include <zstd.h>

#include <algorithm>

#include "orb/ziop/codec.h"

namespace corbel::ziop {
namespace {

// Higher ones want more memory than a connection is worth.
constexpr int kHighestLevel = 19;

struct Compressor {
  ~Compressor() { ZSTD_freeCCtx(context); }
  ZSTD_CCtx* const context = ZSTD_createCCtx();
};

struct Decompressor {
  ~Decompressor() { ZSTD_freeDCtx(context); }
  ZSTD_DCtx* const context = ZSTD_createDCtx();
};

class Zstd final : public Codec {
 public:
  bool compress(std::uint16_t level, const std::vector<iovec>& parts, char* to, std::size_t most,
                std::size_t& used) override {
    std::unique_ptr<Compressor> c = compressors_.take();
    if (!c) c = std::make_unique<Compressor>();
    if (!c->context) return false;
    std::size_t size = 0;
    for (const iovec& part : parts) size += part.iov_len;
    const int wanted = level == 0 ? ZSTD_CLEVEL_DEFAULT : std::min<int>(level, kHighestLevel);
    ZSTD_CCtx_reset(c->context, ZSTD_reset_session_only);
    bool fits = !ZSTD_isError(ZSTD_CCtx_setParameter(c->context, ZSTD_c_compressionLevel, wanted)) &&
                !ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(c->context, size));
    ZSTD_outBuffer out{to, most, 0};
    for (std::size_t i = 0; fits && i < parts.size(); ++i) {
      ZSTD_inBuffer in{parts[i].iov_base, parts[i].iov_len, 0};
      const ZSTD_EndDirective mode = i + 1 == parts.size() ? ZSTD_e_end : ZSTD_e_continue;
      std::size_t left;
      do {
        left = ZSTD_compressStream2(c->context, &out, &in, mode);
        fits = !ZSTD_isError(left) && out.pos < out.size;
      } while (fits && (in.pos < in.size || (mode == ZSTD_e_end && left != 0)));
    }
    used = out.pos;
    compressors_.give(std::move(c));
    return fits;
  }

  // The format lets a few octets stand for many; but each frame says how many, or that nobody knows.
  bool plausible(const char* data, std::size_t size, std::size_t expanded) const override {
    const unsigned long long said = ZSTD_getFrameContentSize(data, size);
    return said == ZSTD_CONTENTSIZE_UNKNOWN || said == expanded;
  }

  bool expand(const char* data, std::size_t size, char* to, std::size_t most, std::size_t& used) override {
    std::unique_ptr<Decompressor> d = decompressors_.take();
    if (!d) d = std::make_unique<Decompressor>();
    if (!d->context) return false;
    used = ZSTD_decompressDCtx(d->context, to, most, data, size);
    decompressors_.give(std::move(d));
    return !ZSTD_isError(used);
  }

 private:
  Idle<Compressor> compressors_;
  Idle<Decompressor> decompressors_;
};

}  // namespace

std::unique_ptr<Codec> make_zstd() { return std::make_unique<Zstd>(); }

}  // namespace corbel::ziop
