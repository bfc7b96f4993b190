// Marshaling helpers of generated code.
#pragma once

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#include <corbel/cpp/string.h>

namespace corbel::cpp {

// Throws BAD_PARAM: a union's discriminator was set to a label of another member.
[[noreturn, gnu::visibility("default")]] void raise_wrong_member();

// Reads a string in place of the one that is there; the new one belongs to its holder. False if malformed.
[[gnu::visibility("default")]] bool get_string(cdr::Decoder& in, char*& result, std::uint32_t bound = 0);

inline bool get_string(cdr::Decoder& in, StringMember& result, std::uint32_t bound = 0) {
  const char* text;
  std::uint32_t length;
  return in.get_string_view(text, length, bound) && (result._corbel_assign(text, length) || in.fail());
}

inline bool get_string(cdr::Decoder& in, CORBA::String_var& result, std::uint32_t bound = 0) {
  return get_string(in, result.inout(), bound);
}

// Copies arrays of any dimensions.
template <typename T>
void copy_element(T& to, const T& from) {
  to = from;
}
template <typename T, std::size_t N>
void copy_element(T (&to)[N], const T (&from)[N]) {
  for (std::size_t i = 0; i < N; ++i) copy_element(to[i], from[i]);
}
template <typename T, std::size_t N>
void copy_elements(T (&to)[N], const T* from) {
  for (std::size_t i = 0; i < N; ++i) copy_element(to[i], from[i]);
}

constexpr std::size_t greatest_common_divisor(std::size_t a, std::size_t b) {
  return b == 0 ? a : greatest_common_divisor(b, a % b);
}

// Copies structs that lie in memory as on the wire, their padding zeroed. Whole vectors go through a mask,
// which repeats after as many structs as fill a number of them.
template <typename T>
void store_structs(const cdr::Encoder& out, char* to, const T* values, std::size_t count) {
  typedef unsigned char Vector [[gnu::vector_size(16)]];
  constexpr std::size_t vectors = sizeof(T) / greatest_common_divisor(sizeof(T), sizeof(Vector));
  constexpr std::size_t period = vectors * sizeof(Vector) / sizeof(T);
  std::size_t i = 0;
  if constexpr (vectors <= 12) {
    if (count >= 4 * period) {
      alignas(T) char ones[sizeof(T)];
      std::memset(ones, 0xff, sizeof ones);
      char mask_bytes[vectors * sizeof(Vector)];
      for (std::size_t k = 0; k < period; ++k)
        store_struct(out, mask_bytes + k * sizeof(T), reinterpret_cast<const T&>(ones));
      Vector mask[vectors];
      std::memcpy(mask, mask_bytes, sizeof mask);
      const char* from = reinterpret_cast<const char*>(values);
      for (; i + period <= count; i += period) {
        for (std::size_t v = 0; v < vectors; ++v, from += sizeof(Vector), to += sizeof(Vector)) {
          Vector bytes;
          std::memcpy(&bytes, from, sizeof bytes);
          bytes &= mask[v];
          std::memcpy(to, &bytes, sizeof bytes);
        }
      }
    }
  }
  for (; i < count; ++i, to += sizeof(T)) store_struct(out, to, values[i]);
}

// Structs that repeat on the wire as in memory: the first one is encoded for itself, because it may begin at
// another alignment; the others follow at constant offsets, padding zeroed.
template <typename T>
void put_struct_run(cdr::Encoder& out, const T* values, std::uint32_t count) {
  if (count == 0) return;
  marshal(out, values[0]);
  std::uint32_t i = 1;
  if (out.offset() % alignof(T) == 0 && count > 1 && !out.error()) {
    char* to = out.chunk<1>((count - std::size_t{1}) * sizeof(T));
    if (out.error()) return;
    return store_structs(out, to, values + 1, count - std::size_t{1});
  }
  for (; i < count; ++i) marshal(out, values[i]);
}

template <typename T>
bool get_struct_run(cdr::Decoder& in, T* values, std::uint32_t count) {
  if (count == 0) return true;
  if (!unmarshal(in, values[0])) return false;
  if (!in.swap() && !in.fragmented() && in.offset() % alignof(T) == 0) {
    const char* const p = in.chunk<1>((count - std::size_t{1}) * sizeof(T));
    if (!p) return false;
    std::memcpy(static_cast<void*>(values + 1), p, (count - std::size_t{1}) * sizeof(T));
    return true;
  }
  for (std::uint32_t i = 1; i < count; ++i)
    if (!unmarshal(in, values[i])) return false;
  return true;
}

// The same for the time of an upcall, without a copy where that is possible: the first element is put in host
// layout right before the second one, over the length that has been read. Else in the request's arena. Null
// if malformed.
template <typename T>
T* get_struct_view(cdr::Decoder& in, std::uint32_t count) {
  const cdr::Decoder start = in;
  if (count != 0 && !in.swap() && in.writable() && !in.fragmented()) {
    T first;
    const char* const begin = in.position() - sizeof(std::uint32_t);
    if (!unmarshal(in, first)) return nullptr;
    const char* const second = in.position();
    if (in.offset() % alignof(T) == 0 && reinterpret_cast<std::uintptr_t>(second) % alignof(T) == 0 &&
        static_cast<std::size_t>(second - begin) >= sizeof(T) &&
        in.chunk<1>((count - std::size_t{1}) * sizeof(T))) {
      char* const array = const_cast<char*>(second) - sizeof(T);
      std::memcpy(array, &first, sizeof(T));
      return reinterpret_cast<T*>(array);
    }
    in = start;
  }
  T* const values = static_cast<T*>(in.scratch(std::size_t{count} * sizeof(T)));
  if (!values) {
    in.fail();
    return nullptr;
  }
  return get_struct_run(in, values, count) ? values : nullptr;
}

// Eight octets of an operation's name, fewer at its end: dispatch switches on them.
constexpr std::uint64_t name_word(const char* text, std::uint32_t count) {
  std::uint64_t word = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  return word;
}
inline bool same_name(const char* a, const char* b, std::uint32_t length) {
  return std::memcmp(a, b, length) == 0;
}

}  // namespace corbel::cpp
