#include <corbel/cdr/decoder.h>

namespace corbel::cdr {

// A chunk that the present fragment does not hold. It begins in the next one where padding takes it there,
// else it goes on there without a gap.
const char* Decoder::chunk_in_fragments(std::size_t align, std::size_t size) {
  constexpr std::size_t kHeaderSize = 12;
  const auto go_on = [this] {
    origin_ = reinterpret_cast<std::uintptr_t>(fragments_->message) + fragments_->starts[next_fragment_] -
              kHeaderSize;
    ++next_fragment_;
    end_ = next_fragment_ < fragments_->count ? fragments_->message + fragments_->starts[next_fragment_]
                                              : fragments_->end;
  };
  while (fragments_) {
    const std::size_t pad = (origin_ - reinterpret_cast<std::uintptr_t>(pos_)) & (align - 1);
    const auto left = static_cast<std::size_t>(end_ - pos_);
    const bool last = next_fragment_ == fragments_->count;
    if (pad < left || (pad == left && size == 0)) {
      const char* const p = pos_ + pad;
      if (static_cast<std::size_t>(fragments_->end - p) < size) break;
      pos_ = p + size;
      while (pos_ > end_) go_on();
      return p;
    }
    if (last) break;
    pos_ = end_;
    go_on();
  }
  fail();
  return nullptr;
}

bool Decoder::get_boolean_run(bool* to, std::size_t count) {
  const char* p = chunk<1>(count);
  if (!p) return false;
  unsigned char all = 0;
  for (std::size_t i = 0; i < count; ++i) all |= static_cast<unsigned char>(p[i]);
  if (all > 1) return fail();
  if (count != 0) std::memcpy(to, p, count);
  return true;
}

bool Decoder::get_octets_view(const char*& data, std::uint32_t& size) {
  if (!get(size)) return false;
  data = chunk<1>(size);
  return data != nullptr;
}

}  // namespace corbel::cdr
