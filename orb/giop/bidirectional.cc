#include "orb/giop/bidirectional.h"

#include <algorithm>
#include <string_view>

#include <corbel/cdr/encoder.h>

#include "orb/ior/assigned.h"

namespace corbel::giop {

std::string bidirectional_context(const std::vector<ior::Address>& listen_points) {
  cdr::Encoder data;
  data.reset();
  data.put<std::uint8_t>(cdr::kHostIsLittleEndian ? 1 : 0);
  const auto count = std::min<std::size_t>(listen_points.size(), kMostListenPoints);
  data.put(static_cast<std::uint32_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    data.put_string(listen_points[i].host.c_str());
    data.put(listen_points[i].port);
  }
  cdr::Encoder out;
  out.reset();
  out.put(assigned::kContextBiDirIiop);
  out.put_octets(data.data(), static_cast<std::uint32_t>(data.size()));
  return std::string(out.data(), out.size());
}

std::vector<ior::Address> offered_listen_points(const ServiceContexts& contexts) {
  std::vector<ior::Address> points;
  const char* data;
  std::uint32_t size, count;
  if (!contexts.find(assigned::kContextBiDirIiop, data, size) || size == 0) return points;
  cdr::Decoder in(data, data + 1, data + size, (*data == 1) != cdr::kHostIsLittleEndian);
  if (!in.get_length(count, 8)) return points;
  count = std::min(count, kMostListenPoints);
  for (std::uint32_t i = 0; i < count; ++i) {
    const char* host;
    std::uint16_t port;
    if (!in.get_string_view(host) || !in.get(port)) return {};
    // Port 0 is nobody's: references to what has no TCP have it.
    if (port != 0 && std::string_view(host).size() <= kLongestHost) points.push_back({host, port});
  }
  return points;
}

}  // namespace corbel::giop
