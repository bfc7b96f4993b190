// Marshaling helpers of generated code.
#pragma once

#include <corbel/base/copy.h>
#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#include <corbel/cpp/string.h>

namespace corbel::cpp {

// Throws BAD_PARAM: a union's discriminator was set to a label of another member.
[[noreturn, gnu::visibility("default")]] void raise_wrong_member();

// Reads a string; the caller frees it. Null if malformed.
[[gnu::visibility("default")]] char* new_string(cdr::Decoder& in);

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

// Numbers or octets of a sequence. Many take over the memory that they arrived in, where that can be had.
template <typename Sequence>
bool get_run(cdr::Decoder& in, Sequence& value, std::uint32_t count) {
  typedef typename Sequence::_corbel_slot Slot;
  constexpr std::uint32_t kWorthTaking = cdr::Decoder::kWorthTaking / sizeof(Slot);
  if (count >= kWorthTaking) {
    if (void* const taken = in.take_run(sizeof(Slot), count)) {
      value._corbel_take(static_cast<Slot*>(taken), count);
      return true;
    }
  }
  return in.get_run(value._corbel_overwrite(count), count);
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

// Copies structs of `each` octets through a mask, which stands at `mask` with 16 octets of its repetition and
// comes round after so many vectors. They are at least a vector. Whole vectors go to aligned places: a store
// that crosses a line of the cache takes twice as long. The first and the last one overlap their neighbours.
template <std::size_t Vectors>
[[gnu::noinline]] void copy_masked(char* to, const char* from, std::size_t size, const char* mask,
                                   std::size_t each) {
  typedef unsigned char Vector [[gnu::vector_size(16)]];
  constexpr std::size_t kVector = sizeof(Vector), kPeriod = Vectors * kVector;
  const auto load = [](const char* at) {
    Vector octets;
    std::memcpy(&octets, at, kVector);
    return octets;
  };
  const auto put = [&](std::size_t at, Vector ones) {
    const Vector octets = load(from + at) & ones;
    std::memcpy(to + at, &octets, kVector);
  };
  const std::size_t step = each > kVector ? kVector : kVector % each;
  put(0, load(mask));
  put(size - kVector, load(mask + each - step));
  std::size_t at = -reinterpret_cast<std::uintptr_t>(to) % kVector, phase = at;
  while (phase >= each) phase -= each;
  Vector masks[Vectors];
  for (Vector& one : masks) {
    one = load(mask + phase);
    phase += step;
    if (phase >= each) phase -= each;
  }
  for (; size - at >= kPeriod; at += kPeriod)
    for (std::size_t v = 0; v < Vectors; ++v) put(at + v * kVector, masks[v]);
  for (std::size_t v = 0; size - at >= kVector; at += kVector, ++v) put(at, masks[v]);
}

// Copies structs that lie in memory as on the wire, their padding zeroed. Many go through a mask, which
// repeats after as many structs as fill a number of vectors.
template <typename T>
void store_structs(const cdr::Encoder& out, char* to, const T* values, std::size_t count) {
  constexpr std::size_t vectors = sizeof(T) / greatest_common_divisor(sizeof(T), 16);
  constexpr std::size_t period = vectors * 16 / sizeof(T);
  if constexpr (vectors <= 12) {
    if (count >= 4 * period) {
      alignas(T) char ones[sizeof(T)];
      std::memset(ones, 0xff, sizeof ones);
      constexpr std::size_t masks = 1 + (15 + sizeof(T)) / sizeof(T);
      char mask[masks * sizeof(T)];
      for (std::size_t k = 0; k < masks; ++k)
        store_struct(out, mask + k * sizeof(T), reinterpret_cast<const T&>(ones));
      return copy_masked<vectors>(to, reinterpret_cast<const char*>(values), count * sizeof(T), mask,
                                  sizeof(T));
    }
  }
  for (std::size_t i = 0; i < count; ++i, to += sizeof(T)) store_struct(out, to, values[i]);
}

inline constexpr std::size_t kStructsAtOnce = 64 * 1024;  // octets of them

// Structs that repeat on the wire as in memory: the first one is encoded for itself, because it may begin at
// another alignment; the others follow at constant offsets, padding zeroed. Where chars are converted each
// one is encoded for itself.
template <typename T>
void put_struct_run(cdr::Encoder& out, const T* values, std::uint32_t count) {
  if (count == 0) return;
  marshal(out, values[0]);
  std::uint32_t i = 1;
  if (out.offset() % alignof(T) == 0 && count > 1 && !out.error() && !out.converts_chars()) {
    // In pieces, which may leave one by one where the message is large.
    constexpr std::size_t most = kStructsAtOnce / sizeof(T) + 1;
    std::size_t left = count - std::size_t{1};
    for (const T* from = values + 1;;) {
      const std::size_t now = left < most ? left : most;
      char* to = out.chunk<1>(now * sizeof(T));
      if (out.error()) return;
      store_structs(out, to, from, now);
      if ((left -= now) == 0) return;
      from += now;
    }
  }
  for (; i < count; ++i) marshal(out, values[i]);
}

template <typename T>
bool get_struct_run(cdr::Decoder& in, T* values, std::uint32_t count) {
  if (count == 0) return true;
  if (!unmarshal(in, values[0])) return false;
  if (!in.fragmented() && !in.converts_chars() && in.offset() % alignof(T) == 0 &&
      (!in.swap() || count > cdr::kFewStructs)) {
    const std::size_t others = count - std::size_t{1};
    const char* const p = in.chunk<1>(others * sizeof(T));
    if (!p) return false;
    if (in.swap()) {
      const auto get = [](cdr::Decoder& one, void* to, const void*) {
        return unmarshal(one, *static_cast<T*>(to));
      };
      return cdr::swap_structs(values + 1, p, others, sizeof(T), get, nullptr) || in.fail();
    }
    base::copy(values + 1, p, others * sizeof(T));
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
  if (count != 0 && !in.swap() && in.writable() && !in.fragmented() && !in.converts_chars()) {
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

}  // namespace corbel::cpp
