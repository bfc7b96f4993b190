#include "orb/cdr/swap.h"

#include <corbel/cdr/bytes.h>
#include <corbel/cdr/decoder.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace corbel::cdr {

template <std::size_t Size>
[[gnu::noinline]] void swap_run_scalar(char* p, std::size_t count) {
  using Word = typename WordOf<Size>::type;
  for (std::size_t i = 0; i < count; ++i, p += Size) store(p, load<Word>(p, true));
}
template void swap_run_scalar<2>(char*, std::size_t);
template void swap_run_scalar<4>(char*, std::size_t);
template void swap_run_scalar<8>(char*, std::size_t);

#if defined(__x86_64__)
namespace {

// Where the octets of half a vector come from.
template <std::size_t Size>
[[gnu::target("avx2")]] __m256i order() {
  alignas(32) char from[32];
  for (std::size_t i = 0; i < 32; ++i) from[i] = static_cast<char>((i % 16) ^ (Size - 1));
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
}

[[gnu::target("avx2")]] std::size_t swap_avx2(char* p, std::size_t octets, __m256i order) {
  std::size_t done = 0;
  for (; octets - done >= sizeof order; done += sizeof order) {
    auto* const at = reinterpret_cast<__m256i_u*>(p + done);
    _mm256_storeu_si256(at, _mm256_shuffle_epi8(_mm256_loadu_si256(at), order));
  }
  return done;
}

[[gnu::target("avx2")]] std::size_t swap_avx2(char* p, std::size_t octets, std::size_t size) {
  return swap_avx2(p, octets, size == 2 ? order<2>() : size == 4 ? order<4>() : order<8>());
}

// Asked of the processor itself: the compiler's own function for this is several KB, which clients would
// carry.
bool find_avx2() {
  unsigned a, b, c, d;
  constexpr unsigned kSavesState = 1u << 27, kAvx = 1u << 28, kAvx2 = 1u << 5, kVectorState = 6;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & kSavesState) == 0 || (c & kAvx) == 0) return false;
  unsigned low, high;
  asm("xgetbv" : "=a"(low), "=d"(high) : "c"(0));  // does the system save the vectors?
  return (low & kVectorState) == kVectorState && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & kAvx2) != 0;
}

bool has_avx2() {
  static const bool has = find_avx2();
  return has;
}

}  // namespace

std::size_t swap_vectors(char* p, std::size_t octets, std::size_t size) {
  constexpr std::size_t kWorthIt = 64;
  return octets >= kWorthIt && has_avx2() ? swap_avx2(p, octets, size) : 0;
}

namespace {

constexpr std::size_t kShuffled = sizeof(__m128i);  // octets move within as many
constexpr std::size_t kMostShuffles = 32;           // of a period
constexpr std::size_t kLeastPeriods = 4;

// After as many vectors the structures lie in them as before.
std::size_t vectors_of(std::size_t size) {
  return size >> std::min(std::countr_zero(size), std::countr_zero(kShuffled));
}

[[gnu::target("avx2")]] void shuffle_periods(char* to, const char* from, std::size_t periods,
                                             const char* orders, std::size_t vectors) {
  for (; periods != 0; --periods)
    for (std::size_t v = 0; v < vectors; ++v, to += kShuffled, from += kShuffled) {
      const auto order = _mm_load_si128(reinterpret_cast<const __m128i*>(orders + v * kShuffled));
      const auto octets = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(octets, order));
    }
}

}  // namespace

bool shuffles(std::size_t count, std::size_t size) {
  const std::size_t vectors = vectors_of(size);
  return vectors <= kMostShuffles && count * size >= kLeastPeriods * vectors * kShuffled && has_avx2();
}

[[gnu::noinline]] std::size_t shuffle_structs(char* to, const char* from, std::size_t count, std::size_t size,
                                              const signed char* order) {
  const std::size_t vectors = vectors_of(size), period = vectors * kShuffled;
  alignas(kShuffled) char orders[kMostShuffles * kShuffled];
  for (std::size_t begin = 0; begin < period; begin += size)
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t at = begin + i, vector = at / kShuffled * kShuffled;
      const std::size_t source = begin + static_cast<std::size_t>(order[i]);
      if (order[i] >= 0 && source - vector >= kShuffled) return 0;
      orders[at] = static_cast<char>(order[i] < 0 ? -1 : source - vector);
    }
  const std::size_t periods = count * size / period;
  shuffle_periods(to, from, periods, orders, vectors);
  return periods * period / size;
}
#else
std::size_t swap_vectors(char*, std::size_t, std::size_t) { return 0; }
bool shuffles(std::size_t, std::size_t) { return false; }
std::size_t shuffle_structs(char*, const char*, std::size_t, std::size_t, const signed char*) { return 0; }
#endif

template <std::size_t Size>
void swap_run(void* data, std::size_t count) {
  char* p = static_cast<char*>(data);
  // Vectors that lie across two lines of the cache take longer: worth some steps where there are many.
  constexpr std::size_t kVector = 32, kMany = 4096;
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(p) % kVector;
  if (count * Size >= kMany && before % Size == 0) {
    swap_run_scalar<Size>(p, before / Size);
    p += before;
    count -= before / Size;
  }
  const std::size_t done = swap_vectors(p, count * Size, Size);
  swap_run_scalar<Size>(p + done, count - done / Size);
}
template void swap_run<2>(void*, std::size_t);
template void swap_run<4>(void*, std::size_t);
template void swap_run<8>(void*, std::size_t);

namespace {
constexpr std::size_t kMostOctets = 128;  // of a structure: they count in signed octets
constexpr auto kCounting = [] {
  std::array<char, kMostOctets> octets{};
  std::iota(octets.begin(), octets.end(), 0);
  return octets;
}();
}  // namespace

// What one structure whose octets count from 0 becomes tells where the octets of all go.
bool swap_structs(void* to, const char* from, std::size_t count, std::size_t size, GetStruct get,
                  const void* context) {
  std::size_t done = 0;
  if (size <= kMostOctets && shuffles(count, size)) {
    alignas(16) char order[kMostOctets];
    std::memset(order, -1, sizeof order);
    Decoder one(kCounting.data(), kCounting.data(), kCounting.data() + size, true);
    if (get(one, order, context))
      done = shuffle_structs(static_cast<char*>(to), from, count, size,
                             reinterpret_cast<const signed char*>(order));
  }
  Decoder rest(from, from + done * size, from + count * size, true);
  for (; done < count; ++done)
    if (!get(rest, static_cast<char*>(to) + done * size, context)) return false;
  return true;
}

}  // namespace corbel::cdr
