#include "orb/giop/service_context.h"

namespace corbel::giop {

bool ServiceContexts::decode_rest(cdr::Decoder& in) {
  list_ = in;
  for (std::uint32_t i = 0; i < count_; ++i) {
    std::uint32_t id, size;
    const char* data;
    if (!in.get(id) || !in.get_octets_view(data, size)) return false;
  }
  return true;
}

bool ServiceContexts::find(std::uint32_t id, const char*& data, std::uint32_t& size) const {
  cdr::Decoder in = list_;
  for (std::uint32_t i = 0; i < count_; ++i) {
    std::uint32_t this_id;
    if (!in.get(this_id) || !in.get_octets_view(data, size)) return false;
    if (this_id == id) return true;
  }
  return false;
}

}  // namespace corbel::giop
