#include <corbel/base/copy.h>
#include <corbel/cdr/decoder.h>

#include <algorithm>
#include <utility>

namespace corbel::cdr {

namespace {

constexpr std::size_t kMostClaims = 2;  // of each octet

const char* run_chunk(Decoder& in, std::size_t size, std::size_t count) {
  switch (size) {
    case 1:
      return in.chunk<1>(count);
    case 2:
      return in.chunk<2>(count * 2);
    case 4:
      return in.chunk<4>(count * 4);
    default:
      return in.chunk<8>(count * 8);
  }
}

void swap_values(void* values, std::size_t size, std::size_t count) {
  if (size == 2) swap_run<2>(values, count);
  if (size == 4) swap_run<4>(values, count);
  if (size == 8) swap_run<8>(values, count);
}

}  // namespace

// The least octets of all elements are different ones, unless something is read twice. A peer could let each
// of thousands of sequences inside of one another claim all that follows.
bool Decoder::get_length(std::uint32_t& length, std::size_t min_size, std::uint32_t bound) noexcept {
  if (!get(length) || (bound != 0 && length > bound)) return fail();
  const std::uint64_t claim = static_cast<std::uint64_t>(length) * min_size;
  const std::size_t left = remaining();
  if (claim > left) return fail();
  most_left_ = std::max(most_left_, left);
  claimed_ += claim;
  return claimed_ <= kMostClaims * most_left_ || fail();
}

// As the first sequence that claims anything.
bool Decoder::get_count(std::uint32_t& count, std::size_t min_size, std::uint32_t bound) noexcept {
  const std::size_t claimed = std::exchange(claimed_, 0);
  const bool good = get_length(count, min_size, bound);
  claimed_ = claimed;
  return good;
}

bool Decoder::copy_run(void* to, std::size_t size, std::size_t count) noexcept {
  if (count == 0) return true;
  if (count > remaining() / size) return fail();
  const char* const p = run_chunk(*this, size, count);
  if (!p) return false;
  base::copy(to, p, count * size);
  if (swap()) swap_values(to, size, count);
  return true;
}

void* Decoder::view_run(std::size_t size, std::size_t align, std::size_t count) noexcept {
  if (count == 0) return const_cast<char*>(pos_);
  if (count > remaining() / size) {
    fail();
    return nullptr;
  }
  if ((writable_ || !swap()) && !fragments_) {
    const char* const p = run_chunk(*this, size, count);
    if (p && (reinterpret_cast<std::uintptr_t>(p) & (align - 1)) == 0) {
      if (swap()) swap_values(const_cast<char*>(p), size, count);
      return const_cast<char*>(p);
    }
    if (!p) return nullptr;
    pos_ = p;
  }
  void* const to = scratch(count * size);
  if (!to) fail();
  return copy_run(to, size, count) ? to : nullptr;
}

// Not from inside a value: what stands before the run may be read again there.
void* Decoder::take_run(std::size_t size, std::size_t count) noexcept {
  if (!block_ || !*block_ || swap() || fragments_ || values_) return nullptr;
  const std::size_t pad = padding(size), rest = remaining();
  if (rest < pad || count > (rest - pad) / size || count * size < (rest - pad) / 2) return nullptr;
  char* const data = const_cast<char*>(pos_) + pad;
  if ((reinterpret_cast<std::uintptr_t>(data) & (size - 1)) != 0 || data < *block_ + sizeof(char*))
    return nullptr;
  std::memcpy(data - sizeof(char*), block_, sizeof(char*));
  *block_ = nullptr;
  pos_ = data + count * size;
  return data;
}

// ---- fragments and chunks

const Fragments* Decoder::fragments() const {
  return fragments_ && !fragments_->message ? static_cast<const Chunks*>(fragments_)->outer : fragments_;
}

// Into fragment `to`, counted from 0.
void Decoder::go_on(const Fragments& fragments, std::uint32_t to) {
  constexpr std::size_t kHeaderSize = 12;
  origin_ = reinterpret_cast<std::uintptr_t>(fragments.message);
  if (to > 0) origin_ += fragments.starts[to - 1] - kHeaderSize;
  next_fragment_ = to;
  end_ = to < fragments.count ? fragments.message + fragments.starts[to] : fragments.end;
}

// The position has moved on, or the chunk's end has.
void Decoder::settle() {
  const Fragments* const around = fragments();
  if (!around) {
    end_ = chunk_end_;
    return;
  }
  go_on(*around, next_fragment_);
  while (pos_ > end_) go_on(*around, next_fragment_ + 1);
  if (fragments_ != around) end_ = std::min(end_, chunk_end_);
}

void Decoder::skip_to(const char* position) {
  pos_ = position;
  const Fragments* const around = fragments();
  if (!around) return;
  const auto offset = static_cast<std::uint32_t>(position - around->message);
  const std::uint32_t* const starts = around->starts;
  next_fragment_ =
      static_cast<std::uint32_t>(std::upper_bound(starts, starts + around->count, offset) - starts);
  settle();
}

void Decoder::enter_chunks(Chunks& chunks) {
  if (failed_) return;
  chunks.message = nullptr;
  chunks.outer = fragments_;
  chunks.end = fragments_ ? fragments_->end : end_;
  fragments_ = &chunks;
  set_chunk_end(pos_);
}

void Decoder::leave_chunks() {
  if (failed_) return;
  const Chunks& chunks = static_cast<const Chunks&>(*fragments_);
  fragments_ = chunks.outer;
  end_ = chunks.end;
  if (fragments_) settle();
}

void Decoder::set_chunk_end(const char* end) {
  if (failed_) return;
  chunk_end_ = end;
  settle();
}

// A chunk that the present fragment does not hold. It begins in the next one where padding takes it there,
// else it goes on there without a gap.
const char* Decoder::chunk_in_fragments(std::size_t align, std::size_t size) noexcept {
  if (fragments_ && !fragments_->message) return chunk_in_chunks(align, size);
  while (fragments_) {
    const std::size_t pad = padding(align);
    const auto left = static_cast<std::size_t>(end_ - pos_);
    if (pad < left || (pad == left && size == 0)) {
      const char* const p = pos_ + pad;
      if (static_cast<std::size_t>(fragments_->end - p) < size) break;
      pos_ = p + size;
      while (pos_ > end_) go_on(*fragments_, next_fragment_ + 1);
      return p;
    }
    if (next_fragment_ == fragments_->count) break;
    pos_ = end_;
    go_on(*fragments_, next_fragment_ + 1);
  }
  fail();
  return nullptr;
}

// At the end of a chunk: the length of the next one.
bool Decoder::next_chunk() {
  const char* const end = fragments_->end;
  if (pos_ == end) return fail();
  set_chunk_end(end);
  std::int32_t length;
  if (!get(length) || length <= 0 || length > end - pos_) return fail();
  set_chunk_end(pos_ + length);
  return true;
}

// A primitive stands in one chunk; only runs of them may go on in the next.
const char* Decoder::chunk_in_chunks(std::size_t align, std::size_t size) {
  for (;;) {
    const std::size_t pad = padding(align);
    // Aligned anew behind the border of a fragment that padding reaches.
    const auto near = static_cast<std::size_t>(end_ - pos_);
    if (end_ != chunk_end_ && pad >= near && (pad > near || size != 0)) {
      pos_ = end_;
      go_on(*fragments(), next_fragment_ + 1);
      settle();
      continue;
    }
    const auto left = static_cast<std::size_t>(chunk_end_ - pos_);
    if (pad <= left && size <= left - pad) {
      const char* const p = pos_ + pad;
      pos_ = p + size;
      settle();
      return p;
    }
    if (pad < left) {
      pos_ += pad;
      break;
    }
    pos_ = chunk_end_;
    settle();
    if (size == 0) return pos_;
    if (!next_chunk()) return nullptr;
  }
  if (size > static_cast<std::size_t>(fragments_->end - pos_)) return fail(), nullptr;
  const auto& chunks = static_cast<const Chunks&>(*fragments_);
  char* const all = chunks.allocate(chunks.owner, size);
  if (!all) return fail(), nullptr;
  for (std::size_t have = 0; have < size;) {
    if (pos_ == chunk_end_ && !next_chunk()) return nullptr;
    const std::size_t part = std::min(size - have, static_cast<std::size_t>(chunk_end_ - pos_));
    base::copy(all + have, pos_, part);
    pos_ += part;
    have += part;
  }
  settle();
  return all;
}

bool Decoder::get_boolean_run(bool* to, std::size_t count) {
  const char* p = chunk<1>(count);
  if (!p) return false;
  unsigned char all = 0;
  for (std::size_t i = 0; i < count; ++i) all |= static_cast<unsigned char>(p[i]);
  if (all > 1) return fail();
  if (count != 0) base::copy(to, p, count);
  return true;
}

Decoder::Text Decoder::get_text() {
  Text text;
  if (get_plain_text(text)) [[likely]]
    return text;
  return get_any_text();
}

// In the other byte order, in fragments, to be converted, or malformed.
Decoder::Text Decoder::get_any_text() {
  std::uint32_t size;
  if (!get(size)) return {};
  if (size == 0) return {"", 0};  // not legal, but some ORBs send it for the empty string
  const char* text = chunk<1>(size);
  if (!text || text[size - 1] != '\0') return fail(), Text{};
  std::uint32_t length = size - 1;
  if (converts() && !convert_text(text, length)) return {};
  return {text, length};
}

bool Decoder::get_octets_view(const char*& data, std::uint32_t& size) {
  if (!get(size)) return false;
  data = chunk<1>(size);
  return data != nullptr;
}

}  // namespace corbel::cdr
