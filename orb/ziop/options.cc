#include <charconv>

#include "orb/ziop/compression.h"

namespace corbel::ziop {
namespace {

constexpr const char* kUsual = "zstd:3,zlib:6";

template <typename Number>
bool parse(const std::string& text, Number least, Number most, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= least && value <= most;
}

std::unique_ptr<core::Compression> make(const transport::TransportSettings& given,
                                        core::CallSettings& defaults, std::string& why) {
  Settings settings;
  if (!read_settings(given, settings, why)) return nullptr;
  if (settings.enabled) defaults.put(core::CallSetting::Compression, 1);
  return std::make_unique<OrbCompression>(std::move(settings));
}

constexpr core::CompressionLibrary kLibrary{kOptions, make};

}  // namespace

const transport::TransportOption kOptions[] = {
    {"compression", "0|1", "compress messages where the other end can, too (GIOP 1.2)"},
    {"compressors", "LIST", "what to compress with, best first, and how much (zstd:3,zlib:6)"},
    {"compressionLowValue", "N", "messages with fewer octets behind the header stay as they are"},
    {"compressionMinRatio", "R", "so do those that do not shrink to this part of their size"},
    {"zstdCompressorId", "N", "the number of zstd, which has none of the OMG's"},
    {nullptr, nullptr, nullptr}};

bool read_settings(const transport::TransportSettings& given, Settings& s, std::string& why) {
  const auto wrong = [&](const char* text) {
    why = text;
    return false;
  };
  if (const auto* v = given.find("compression")) {
    if (*v != "0" && *v != "1") return wrong("write -ORBcompression 0 or 1");
    s.enabled = *v == "1";
  }
  if (const auto* v = given.find("zstdCompressorId"); v && !parse<std::uint16_t>(*v, 16, UINT16_MAX, s.zstd))
    return wrong("write -ORBzstdCompressorId and a number from 16 on");
  const auto* list = given.find("compressors");
  if (!parse_list(list ? *list : kUsual, s.zstd, s.compressors))
    return wrong("write -ORBcompressors and names or numbers, for instance zstd:3,zlib:6");
  if (const auto* v = given.find("compressionLowValue");
      v && !parse<std::uint32_t>(*v, 0, UINT32_MAX, s.low_value))
    return wrong("write -ORBcompressionLowValue and a number of octets");
  if (const auto* v = given.find("compressionMinRatio"); v && !parse<float>(*v, 0, 1, s.ratio))
    return wrong("write -ORBcompressionMinRatio and a number from 0 to 1");
  return true;
}

void register_library() { core::compression_library.store(&kLibrary, std::memory_order_release); }

}  // namespace corbel::ziop
