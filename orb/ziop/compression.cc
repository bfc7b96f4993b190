#include "orb/ziop/compression.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <new>

#include "orb/ior/assigned.h"

namespace corbel::ziop {
namespace {

using core::CallSetting;
using core::CallSettings;
using core::Compressing;

// Behind the message's header: compressor, two octets of padding, the body's size, the data's size, the data.
constexpr std::size_t kId = giop::kHeaderSize;
constexpr std::size_t kOriginal = core::Compression::kOriginal;
constexpr std::size_t kDataSize = kOriginal + 4;
constexpr std::size_t kData = kDataSize + 4;
constexpr std::size_t kOverhead = kData - giop::kHeaderSize;

}  // namespace

OrbCompression::OrbCompression(Settings settings) : settings_(std::move(settings)) {
  codecs_[settings_.zstd] = make_zstd();
  codecs_[assigned::kCompressorGzip] = make_gzip();
  codecs_[assigned::kCompressorZlib] = make_zlib();
}

std::shared_ptr<Codec> OrbCompression::find(std::uint16_t id) {
  std::lock_guard lock(mutex_);
  const auto found = codecs_.find(id);
  return found == codecs_.end() ? nullptr : found->second;
}

bool OrbCompression::add(std::uint16_t id, std::shared_ptr<Codec> codec) {
  std::lock_guard lock(mutex_);
  return id != 0 && codecs_.try_emplace(id, std::move(codec)).second;
}

bool OrbCompression::remove(std::uint16_t id) {
  std::shared_ptr<Codec> last;  // it may be the program's: it ends outside of the lock
  std::lock_guard lock(mutex_);
  const auto found = codecs_.find(id);
  if (found == codecs_.end()) return false;
  last = std::move(found->second);
  codecs_.erase(found);
  return true;
}

std::vector<std::uint16_t> OrbCompression::ids() {
  std::lock_guard lock(mutex_);
  std::vector<std::uint16_t> all;
  for (const auto& [id, codec] : codecs_) all.push_back(id);
  return all;
}

core::Compression::Expanded OrbCompression::expand(const giop::Header& header, const char* message,
                                                   std::size_t size, std::size_t most, base::Memory& memory,
                                                   std::size_t& expanded) try {
  if (size < kData) return Expanded::Malformed;
  const auto id = cdr::load<std::uint16_t>(message + kId, header.swap);
  expanded = claimed(header, message, size);
  const std::size_t original = expanded - giop::kHeaderSize;
  const std::size_t data_size = cdr::load<std::uint32_t>(message + kDataSize, header.swap);
  const char* const data = message + kData;
  const std::shared_ptr<Codec> codec = find(id);
  if (data_size > size - kData || !codec) return Expanded::Malformed;
  if (expanded > most) return Expanded::TooLarge;
  if (!codec->plausible(data, data_size, original)) return Expanded::Malformed;
  base::Memory to(expanded);
  if (!to) return Expanded::TooLarge;
  std::size_t used;
  if (!codec->expand(data, data_size, to.data() + giop::kHeaderSize, original, used) || used != original)
    return Expanded::Malformed;
  std::memcpy(to.data(), message, giop::kHeaderSize);
  const auto body = static_cast<std::uint32_t>(original);
  to.data()[0] = 'G';
  cdr::store(to.data() + 8, header.swap ? cdr::swapped(body) : body);
  memory = std::move(to);
  return Expanded::Yes;
} catch (const std::bad_alloc&) {
  return Expanded::TooLarge;
}

bool OrbCompression::compress(const Compressing& how, const iovec* parts, int count, base::Memory& memory,
                              std::size_t& size) try {
  std::vector<iovec> body(parts, parts + count);
  std::size_t original = 0;
  for (const iovec& part : body) original += part.iov_len;
  if (body.empty() || body[0].iov_len < giop::kHeaderSize) return false;
  original -= giop::kHeaderSize;
  // It has to be worth its own overhead, too.
  if (original < how.low_value || original <= kOverhead + 1 || original > UINT32_MAX) return false;
  const auto wanted = static_cast<std::size_t>(static_cast<double>(original) * how.ratio);
  const std::size_t most = std::min(wanted, original - kOverhead - 1);
  const std::shared_ptr<Codec> codec = find(how.compressor);
  base::Memory to(kData + most);
  if (!codec || !to) return false;
  const char* const header = static_cast<const char*>(parts[0].iov_base);
  body[0].iov_base = static_cast<char*>(body[0].iov_base) + giop::kHeaderSize;
  body[0].iov_len -= giop::kHeaderSize;
  if (body[0].iov_len == 0) body.erase(body.begin());
  std::size_t used;
  if (!codec->compress(how.level, body, to.data() + kData, most, used)) return false;
  std::memcpy(to.data(), header, giop::kHeaderSize);
  to.data()[0] = 'Z';
  cdr::store(to.data() + kId, how.compressor);
  cdr::store(to.data() + kId + 2, std::uint16_t{0});
  cdr::store(to.data() + kOriginal, static_cast<std::uint32_t>(original));
  cdr::store(to.data() + kDataSize, static_cast<std::uint32_t>(used));
  size = kData + used;
  giop::set_message_size(to.data(), size);
  memory = std::move(to);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

CompressorList OrbCompression::compressors(const CallSettings& own) const {
  return own.has(CallSetting::Compressors) ? kept_list(own.get(CallSetting::Compressors))
                                           : settings_.compressors;
}

// The first of ours that they have, too; of the levels the lower.
Compressing OrbCompression::choose(const CallSettings& own, const CompressorList& ours, const Offer& theirs) {
  Compressing how;
  if (own.get(CallSetting::Compression) == 0 || !theirs.enabled) return how;
  for (const CompressorLevel& mine : ours) {
    const auto same = std::find_if(theirs.compressors.begin(), theirs.compressors.end(),
                                   [&](const CompressorLevel& one) { return one.id == mine.id; });
    if (same == theirs.compressors.end() || !find(mine.id)) continue;
    how.compressor = mine.id;
    how.level = std::min(mine.level, same->level);
    how.low_value =
        static_cast<std::uint32_t>(own.get(CallSetting::CompressionLowValue, settings_.low_value));
    how.ratio =
        own.has(CallSetting::CompressionMinRatio)
            ? std::bit_cast<float>(static_cast<std::uint32_t>(own.get(CallSetting::CompressionMinRatio)))
            : settings_.ratio;
    break;
  }
  return how;
}

// The server takes the one that was chosen to be the client's first.
Compressing OrbCompression::for_request(const CallSettings& own, const std::string& theirs,
                                        std::string& context) {
  Offer mine{true, compressors(own)};
  const Compressing how = choose(own, mine.compressors, get_offer(theirs.data(), theirs.size()));
  if (!how) return how;
  const auto chosen = std::find_if(mine.compressors.begin(), mine.compressors.end(),
                                   [&](const CompressorLevel& one) { return one.id == how.compressor; });
  chosen->level = how.level;
  std::rotate(mine.compressors.begin(), chosen, chosen + 1);
  std::vector<ior::PolicyValue> policies;
  put_offer(mine, policies);
  context = ior::encode_policies(policies);
  expected_.store(true, std::memory_order_relaxed);
  return how;
}

Compressing OrbCompression::for_reply(const CallSettings& own, const char* context, std::size_t size) {
  return choose(own, compressors(own), get_offer(context, size));
}

void OrbCompression::expose(const CallSettings& own, std::vector<ior::PolicyValue>& policies) {
  if (own.get(CallSetting::Compression) == 0) return;
  put_offer({true, compressors(own)}, policies);
  expected_.store(true, std::memory_order_relaxed);
}

}  // namespace corbel::ziop
