#include "orb/ziop/lists.h"

#include <algorithm>
#include <charconv>
#include <mutex>

#include "orb/base/mutex.h"
#include "orb/ior/assigned.h"

namespace corbel::ziop {
namespace {

constexpr std::size_t kMostLists = 4096;        // of a program that makes policies without end
constexpr std::uint32_t kMostCompressors = 64;  // that a peer may name

struct Lists {
  base::Mutex mutex;
  std::vector<CompressorList> all;
  static Lists& instance() {
    static Lists* const lists = new Lists;
    return *lists;
  }
};

bool parse_number(std::string_view text, std::uint16_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_id(std::string_view name, std::uint16_t zstd, std::uint16_t& id) {
  if (name == "zlib") id = assigned::kCompressorZlib;
  else if (name == "gzip") id = assigned::kCompressorGzip;
  else if (name == "zstd") id = zstd;
  else return parse_number(name, id) && id != 0;
  return true;
}

cdr::Decoder open(const std::string& value) {
  const char* const begin = value.data();
  return {begin, begin + 1, begin + value.size(), (*begin == 1) != cdr::kHostIsLittleEndian};
}

}  // namespace

bool get_list(cdr::Decoder& in, CompressorList& list) {
  std::uint32_t count;
  list.clear();
  if (!in.get_length(count, 4, kMostCompressors)) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    CompressorLevel one;
    if (!in.get(one.id) || !in.get(one.level)) return false;
    list.push_back(one);
  }
  return true;
}

std::int64_t keep_list(const CompressorList& list) {
  Lists& lists = Lists::instance();
  std::lock_guard lock(lists.mutex);
  const auto found = std::find(lists.all.begin(), lists.all.end(), list);
  if (found != lists.all.end()) return found - lists.all.begin();
  if (lists.all.size() == kMostLists) return -1;
  lists.all.push_back(list);
  return static_cast<std::int64_t>(lists.all.size() - 1);
}

CompressorList kept_list(std::int64_t number) {
  Lists& lists = Lists::instance();
  std::lock_guard lock(lists.mutex);
  return number >= 0 && number < static_cast<std::int64_t>(lists.all.size())
             ? lists.all[static_cast<std::size_t>(number)]
             : CompressorList{};
}

bool parse_list(std::string_view text, std::uint16_t zstd, CompressorList& list) {
  list.clear();
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    const auto colon = std::min(one.find(':'), one.size());
    CompressorLevel entry;
    if (!parse_id(one.substr(0, colon), zstd, entry.id) ||
        (colon < one.size() && !parse_number(one.substr(colon + 1), entry.level)))
      return false;
    list.push_back(entry);
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return !list.empty();
}

// The compressors come first: others take what omniORB writes for all that follows (core/standing_offer.h).
void put_offer(const Offer& offer, std::vector<ior::PolicyValue>& policies) {
  policies.push_back(ior::policy_value(assigned::kPolicyCompressors, [&](cdr::Encoder& out) {
    out.put(static_cast<std::uint32_t>(offer.compressors.size()));
    for (const CompressorLevel& one : offer.compressors) {
      out.put(one.id);
      out.put(one.level);
    }
  }));
  policies.push_back(ior::policy_value(assigned::kPolicyCompressionEnabling,
                                       [&](cdr::Encoder& out) { out.put_boolean(offer.enabled); }));
}

Offer get_offer(const char* data, std::size_t size) {
  Offer offer;
  std::vector<ior::PolicyValue> policies;
  if (!ior::decode_policies(data, size, policies)) return offer;
  for (const ior::PolicyValue& policy : policies) {
    if (policy.value.empty() || static_cast<unsigned char>(policy.value[0]) > 1) continue;
    if (policy.type == assigned::kPolicyCompressors) {
      cdr::Decoder in = open(policy.value);
      if (!get_list(in, offer.compressors)) offer.compressors.clear();
    } else if (policy.type == assigned::kPolicyCompressionEnabling) {
      cdr::Decoder in = open(policy.value);
      if (!in.get_boolean(offer.enabled)) offer.enabled = false;
    }
  }
  return offer;
}

}  // namespace corbel::ziop
