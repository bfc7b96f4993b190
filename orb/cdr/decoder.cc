#include <corbel/cdr/decoder.h>

#include <algorithm>

namespace corbel::cdr {

// A chunk that the present fragment does not hold. It begins in the next one where padding takes it there,
// else it goes on there without a gap.
const char* Decoder::chunk_in_fragments(std::size_t align, std::size_t size) {
  if (fragments_ && !fragments_->message) return chunk_in_chunks(align, size);
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

// At the end of a chunk: the length of the next one.
bool Decoder::next_chunk() {
  pos_ += (origin_ - reinterpret_cast<std::uintptr_t>(pos_)) & 3;
  const char* const end = fragments_->end;
  if (pos_ > end || end - pos_ < 4) return fail();
  const auto length = load<std::int32_t>(pos_, swap_);
  pos_ += 4;
  if (length <= 0 || length > end - pos_) return fail();
  end_ = pos_ + length;
  return true;
}

// A primitive stands in one chunk; only runs of them may go on in the next.
const char* Decoder::chunk_in_chunks(std::size_t align, std::size_t size) {
  for (;;) {
    const std::size_t pad = (origin_ - reinterpret_cast<std::uintptr_t>(pos_)) & (align - 1);
    const auto left = static_cast<std::size_t>(end_ - pos_);
    if (pad <= left && size <= left - pad) {
      const char* const p = pos_ + pad;
      pos_ = p + size;
      return p;
    }
    if (pad < left) {
      pos_ += pad;
      break;
    }
    pos_ = end_;
    if (size == 0) return pos_;
    if (!next_chunk()) return nullptr;
  }
  if (size > static_cast<std::size_t>(fragments_->end - pos_)) return fail(), nullptr;
  const auto& chunks = static_cast<const Chunks&>(*fragments_);
  char* const all = chunks.allocate(chunks.owner, size);
  if (!all) return fail(), nullptr;
  for (std::size_t have = 0; have < size;) {
    if (pos_ == end_ && !next_chunk()) return nullptr;
    const std::size_t part = std::min(size - have, static_cast<std::size_t>(end_ - pos_));
    std::memcpy(all + have, pos_, part);
    pos_ += part;
    have += part;
  }
  return all;
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
