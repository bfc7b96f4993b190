#include "orb/types/flat.h"

#include <algorithm>
#include <cstring>

namespace corbel::types {
namespace {

using Check = Program::Check;
using Item = Program::Item;

constexpr std::size_t kFew = 4;       // numbers that are copied faster than memcpy is called
constexpr std::size_t kBatch = 2048;  // octets at once; less than encoders' scratch memory

template <typename T>
void copy_run(char* to, const char* from, std::size_t count, bool swap) {
  for (std::size_t i = 0; i < count * sizeof(T); i += sizeof(T))
    cdr::store(to + i, cdr::load<T>(from + i, swap));
}

void copy(char* to, const char* from, const Item& item, std::size_t count, bool swap) {
  if (count > kFew && (!swap || item.width == 1)) {
    std::memcpy(to, from, item.width * count);
    return;
  }
  switch (item.width) {
    case 1:
      return copy_run<std::uint8_t>(to, from, count, false);
    case 2:
      return copy_run<std::uint16_t>(to, from, count, swap);
    case 4:
      return copy_run<std::uint32_t>(to, from, count, swap);
    case 8:
      return copy_run<std::uint64_t>(to, from, count, swap);
    default:
      for (std::size_t i = 0; i < count * 16; i += 16)
        for (std::size_t k = 0; k < 16; ++k) to[i + k] = from[swap ? i + 15 - k : i + k];
  }
}

bool is_decimal(const char* packed, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const int high = static_cast<unsigned char>(packed[i]) >> 4, low = packed[i] & 15;
    if (high > 9 || (i + 1 < size ? low > 9 : low != 0xc && low != 0xd)) return false;
  }
  return true;
}

bool good(const char* at, const Item& item, std::size_t count, bool swap) {
  switch (item.check) {
    case Check::None:
    case Check::Char:
      return true;
    case Check::Boolean: {
      unsigned char any = 0;
      for (std::size_t i = 0; i < count; ++i) any |= static_cast<unsigned char>(at[i]);
      return any <= 1;
    }
    case Check::Enum:
      for (std::size_t i = 0; i < count; ++i)
        if (cdr::load<std::uint32_t>(at + i * 4, swap) >= item.limit) return false;
      return true;
    case Check::Decimal:
      for (std::size_t i = 0; i < count; i += item.limit)
        if (!is_decimal(at + i, item.limit)) return false;
      return true;
  }
  return false;
}

// Chars that have been copied, from the set of one message to that of another.
bool recode(cdr::Decoder& in, cdr::Encoder& out, char* chars, std::size_t count) {
  if (in.converts_chars() && !in.convert_chars(chars, count)) return false;
  if (out.converts_chars()) out.convert_chars(chars, count);
  return true;
}
bool recodes(const cdr::Decoder& in, const cdr::Encoder* out, const Item& item) {
  return item.check == Check::Char && out && in.text() != out->text() &&
         (in.converts_chars() || out->converts_chars());
}

template <std::size_t Align>
void put(cdr::Encoder& out, const char* from, const Item& item, std::size_t count, bool swap) {
  if (!swap || item.width == 1) return out.run<Align>(from, item.width * count);
  const std::size_t batch = kBatch / item.width;
  for (std::size_t i = 0; i < count; i += batch) {
    const std::size_t now = std::min(batch, count - i);
    copy(out.chunk<Align>(now * item.width), from + i * item.width, item, now, true);
  }
}

// Fragments of GIOP 1.1: an array lies there without a gap, other numbers are aligned each by itself.
template <std::size_t Align>
bool run(cdr::Decoder& in, cdr::Encoder* out, const Item& item, std::size_t count, bool array) {
  if (count > in.remaining() / item.width) return in.fail();
  std::size_t now = count;
  if (in.fragmented() && !array) now = item.check == Check::Decimal ? item.limit : 1;
  for (std::size_t left = count; left != 0; left -= now) {
    const char* const from = in.chunk<Align>(now * item.width);
    if (!from) return false;
    if (!good(from, item, now, in.swap())) return in.fail();
    if (!recodes(in, out, item)) {
      if (out) put<Align>(*out, from, item, now, in.swap());
      continue;
    }
    for (std::size_t i = 0; i < now; i += kBatch) {
      const std::size_t size = std::min(kBatch, now - i);
      char* const to = out->chunk<1>(size);
      std::memcpy(to, from + i, size);
      if (!recode(in, *out, to, size)) return false;
    }
  }
  return true;
}

bool run(cdr::Decoder& in, cdr::Encoder* out, const Item& item, std::size_t count, bool array) {
  switch (item.width) {
    case 1:
      return run<1>(in, out, item, count, array);
    case 2:
      return run<2>(in, out, item, count, array);
    case 4:
      return run<4>(in, out, item, count, array);
    default:
      return run<8>(in, out, item, count, array);
  }
}

// Octets of `count` values that begin at `start` mod 8: the pattern of alignments repeats after 8 at most.
std::size_t size_of(const Program::Flat& flat, std::size_t start, std::uint32_t count) {
  std::size_t at = start % 8, total = 0;
  constexpr std::uint32_t kUnseen = 0xffffffff;
  std::uint32_t seen[8];
  std::size_t until[8];
  std::fill(std::begin(seen), std::end(seen), kUnseen);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (seen[at] != kUnseen) {
      const std::uint32_t period = i - seen[at], periods = (count - i) / period;
      total += (total - until[at]) * periods;
      for (i += period * periods; i < count; ++i) {
        total += flat.sizes[at];
        at = (at + flat.sizes[at]) % 8;
      }
      return total;
    }
    seen[at] = i;
    until[at] = total;
    total += flat.sizes[at];
    at = (at + flat.sizes[at]) % 8;
  }
  return total;
}

// Whether values from here on are copied as they stand.
bool stands_alike(const cdr::Decoder& in, const cdr::Encoder* out, const Program::Flat& flat) {
  return out && !flat.checked && !in.swap() && !in.fragmented() && in.text() == out->text() &&
         in.offset() % 8 == out->offset() % 8;
}

}  // namespace

bool flat_value(cdr::Decoder& in, cdr::Encoder* out, const Program::Flat& flat) {
  const Item* const items = flat.items;
  if (in.fragmented()) {
    for (std::uint32_t i = 0; i < flat.count; ++i)
      if (!run(in, out, items[i], items[i].count, items[i].array)) return false;
    return true;
  }
  const std::size_t from_start = in.offset() % 8;
  const char* const from = in.chunk<1>(flat.sizes[from_start]);
  if (!from) return false;
  if (!out && !flat.checked) return true;
  const std::size_t to_start = out ? out->offset() % 8 : 0;
  char* const to = out ? out->chunk<1>(flat.sizes[to_start]) : nullptr;
  std::size_t at = from_start, to_at = to_start;
  for (std::uint32_t i = 0; i < flat.count; ++i) {
    const Item& item = items[i];
    const std::size_t align = item.alignment() - 1;
    at = (at + align) & ~align;
    const char* const number = from + (at - from_start);
    if (item.check != Check::None && !good(number, item, item.count, in.swap())) return in.fail();
    if (to) {
      for (; (to_at & align) != 0; ++to_at) to[to_at - to_start] = 0;
      copy(to + (to_at - to_start), number, item, item.count, in.swap());
      if (recodes(in, out, item) && !recode(in, *out, to + (to_at - to_start), item.count)) return false;
      to_at += item.size();
    }
    at += item.size();
  }
  return true;
}

bool flat_values(cdr::Decoder& in, cdr::Encoder* out, const Program::Flat& flat, std::uint32_t count) {
  if (count == 0) return true;
  const Item& item = *flat.items;
  const bool numbers = flat.count == 1 && item.count == 1;
  if (numbers || (flat.count == 1 && !in.fragmented()))
    return run(in, out, item, std::size_t{item.count} * count, item.width <= 8 && item.check != Check::Enum);
  if (!out && !flat.checked && !in.fragmented())
    return in.chunk<1>(size_of(flat, in.offset(), count)) != nullptr;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (stands_alike(in, out, flat)) {
      const std::size_t size = size_of(flat, in.offset(), count - i);
      const char* const rest = in.chunk<1>(size);
      if (rest) out->run<1>(rest, size);
      return rest != nullptr;
    }
    if (!flat_value(in, out, flat)) return false;
  }
  return true;
}

}  // namespace corbel::types
