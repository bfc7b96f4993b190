#include "orb/ior/ssl.h"

#include "orb/ior/assigned.h"

namespace corbel::ior {

TaggedComponent encode_ssl(const SslComponent& ssl) {
  cdr::Encoder out;
  out.reset();
  out.put<std::uint8_t>(cdr::kHostIsLittleEndian ? 1 : 0);
  out.put(ssl.target_supports);
  out.put(ssl.target_requires);
  out.put(ssl.port);
  return {assigned::kComponentSslSecTrans, {out.data(), out.size()}};
}

std::optional<SslComponent> decode_ssl(const TaggedComponent& component) {
  const std::string& data = component.data;
  if (component.tag != assigned::kComponentSslSecTrans || data.empty() ||
      static_cast<unsigned char>(data[0]) > 1)
    return {};
  cdr::Decoder in(data.data(), data.data() + 1, data.data() + data.size(),
                  (data[0] == 1) != cdr::kHostIsLittleEndian);
  SslComponent ssl;
  if (!in.get(ssl.target_supports) || !in.get(ssl.target_requires) || !in.get(ssl.port)) return {};
  return ssl;
}

}  // namespace corbel::ior
