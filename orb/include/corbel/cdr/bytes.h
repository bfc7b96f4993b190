// Loads, stores and byte swaps of single values at any address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace corbel::cdr {

inline constexpr bool kHostIsLittleEndian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

template <std::size_t N>
struct WordOf;
template <>
struct WordOf<1> {
  using type = std::uint8_t;
};
template <>
struct WordOf<2> {
  using type = std::uint16_t;
};
template <>
struct WordOf<4> {
  using type = std::uint32_t;
};
template <>
struct WordOf<8> {
  using type = std::uint64_t;
};

inline std::uint8_t swapped(std::uint8_t v) { return v; }
inline std::uint16_t swapped(std::uint16_t v) { return __builtin_bswap16(v); }
inline std::uint32_t swapped(std::uint32_t v) { return __builtin_bswap32(v); }
inline std::uint64_t swapped(std::uint64_t v) { return __builtin_bswap64(v); }

// Stores a primitive (arithmetic or enum) in host byte order at any address.
template <typename T>
inline void store(char* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

// Loads a primitive at any address, swapping its bytes if `swap`. Not for bool and enums: those need a check.
template <typename T>
inline T load(const char* at, bool swap) {
  using Word = typename WordOf<sizeof(T)>::type;
  Word word;
  std::memcpy(&word, at, sizeof word);
  if (swap) word = swapped(word);
  T value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

// 0 or 1; false if it is anything else.
inline bool load_boolean(const char* at, bool& value) {
  const auto octet = static_cast<unsigned char>(*at);
  value = (octet & 1) != 0;
  return octet <= 1;
}

// An enum of `count` enumerators numbered from 0; false if it is none of them.
template <typename E>
inline bool load_enum(const char* at, bool swap, E& value, std::uint32_t count) {
  const auto ordinal = load<std::uint32_t>(at, swap);
  if (ordinal >= count) return false;
  value = static_cast<E>(ordinal);
  return true;
}

// Swaps the bytes of `count` values of `Size` bytes (2, 4 or 8) in place.
template <std::size_t Size>
[[gnu::visibility("default")]] void swap_run(void* data, std::size_t count);

class Decoder;
// Takes one structure out of a message; false if it is not good.
typedef bool (*GetStruct)(Decoder& in, void* to, const void* context);
inline constexpr std::size_t kFewStructs = 8;  // no more are better taken one by one
// Copies structures whose bytes are in the other order and which repeat, aligned, on the wire as they do in
// memory; false if `get` says so of one. Of one whose octets are made up it is asked first, to see where it
// puts them: it does nothing else, and checks no values. What it leaves out is undefined.
[[gnu::visibility("default")]] bool swap_structs(void* to, const char* from, std::size_t count,
                                                 std::size_t size, GetStruct get, const void* context);

}  // namespace corbel::cdr
