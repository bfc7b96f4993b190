// How generated skeletons find the operation that a request names. Names come from the wire and may hold
// anything; each function here reads the octets of the name and no others, and is thread-safe.
#pragma once

#include <corbel/core/upcall.h>

namespace corbel::cpp {

// `count` octets of an operation's name, 8 at most, as a number: the same on every host.
[[gnu::always_inline]] constexpr std::uint64_t name_word(const char* text, std::uint32_t count) {
  std::uint64_t word = 0;
  if (cdr::kHostIsLittleEndian && !__builtin_is_constant_evaluated()) {
    __builtin_memcpy(&word, text, count);
    return word;
  }
  for (std::uint32_t i = 0; i < count; ++i)
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  return word;
}

// Whether `Length` octets are the same: by words, the last of which may hold octets of the one before; that
// costs less than a call, where they are not too many.
template <std::uint32_t Length>
[[gnu::always_inline]] inline bool same_octets(const char* a, const char* b) {
  constexpr std::uint32_t kWord = Length >= 8 ? 8 : Length >= 4 ? 4 : Length >= 2 ? 2 : Length;
  constexpr std::uint32_t kLast = Length - kWord;
  if constexpr (Length > 32) return __builtin_memcmp(a, b, Length) == 0;
  else if constexpr (kLast > kWord)
    return name_word(a, kWord) == name_word(b, kWord) && same_octets<kLast>(a + kWord, b + kWord);
  else if constexpr (kLast > 0)
    return name_word(a, kWord) == name_word(b, kWord) &&
           name_word(a + kLast, kWord) == name_word(b + kLast, kWord);
  else return name_word(a, kWord) == name_word(b, kWord);
}
// Whether a name that is as long as `literal` is the same.
template <std::size_t Size>
[[gnu::always_inline]] inline bool same_name(const char* name, const char (&literal)[Size]) {
  return same_octets<Size - 1>(name, literal);
}

// The same where the length is known at run time only.
inline bool same_name(const char* a, const char* b, std::uint32_t length) {
  if (length < 8) return __builtin_memcmp(a, b, length) == 0;
  const char* const last = a + length - 8;
  for (; a < last; a += 8, b += 8)
    if (name_word(a, 8) != name_word(b, 8)) return false;
  return name_word(last, 8) == name_word(b + (last - a), 8);
}

// An operation in a table of perfect hashing; an empty slot has no name.
template <typename Skeleton>
struct OperationEntry {
  const char* name;
  std::uint32_t length;
  void (*run)(Skeleton& servant, core::Upcall& call);
};

// A slot for a word of a name, by a hash function that the compiler has made. `Slots` is a power of two.
template <std::uint32_t Slots>
constexpr std::uint32_t word_slot(std::uint64_t word, std::uint64_t multiplier) {
  return static_cast<std::uint32_t>((word * multiplier) >> (__builtin_clzll(Slots) + 1));
}

// The upper 64 bits of a product of 128.
constexpr std::uint64_t upper_half(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ typedef unsigned __int128 Product;
  return static_cast<std::uint64_t>((Product{a} * b) >> 64);
#else
  const std::uint64_t low = (a & 0xffffffff) * (b & 0xffffffff);
  const std::uint64_t middle = (a >> 32) * (b & 0xffffffff) + (low >> 32);
  const std::uint64_t other = (a & 0xffffffff) * (b >> 32) + (middle & 0xffffffff);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
#endif
}

// Where a perfect hash function that the compiler has made leads: each name of the interface to a slot of its
// own, any other name to some slot. `word` has been made of octets of the name; the numbers of turns and
// slots are powers of two.
template <typename Turn, std::size_t Turns>
constexpr std::uint32_t perfect_slot(std::uint64_t word, std::uint64_t multiplier, const Turn (&turns)[Turns],
                                     std::uint32_t slots) {
  static_assert(Turns > 1 && (Turns & (Turns - 1)) == 0);
  constexpr int kBelow = __builtin_clzll(Turns) + 1;
  return (static_cast<std::uint32_t>(upper_half(word, multiplier)) ^ turns[(word * multiplier) >> kBelow]) &
         (slots - 1);
}

// The number that the client says the operation has, from 1 on; 0 if it says nothing. Any number may come
// with any name.
[[gnu::visibility("default")]] std::uint32_t operation_number(const core::Upcall& call);

// One name of a table, which is constant data of a skeleton.
struct OperationName {
  const char* name;
  std::uint32_t length;
};
constexpr std::uint32_t kNoOperation = 0xffffffffu;

// Binary search for the operation of `call` among names that are sorted by length, then by their octets.
// Gives its index or kNoOperation.
[[gnu::visibility("default")]] std::uint32_t search_operation(const OperationName* names, std::uint32_t count,
                                                              const core::Upcall& call);
template <std::uint32_t Count>
std::uint32_t search_operation(const OperationName (&names)[Count], const core::Upcall& call) {
  return search_operation(names, Count, call);
}

// A hash table of names, constant-initialised and filled when it is first used. It needs no memory but what
// it is given: the names, which stay where they are, and slots, which hold 0 until then.
class [[gnu::visibility("default")]] OperationTable {
 public:
  // More slots than names, and a power of two.
  template <std::uint32_t Count, std::uint32_t Slots>
  constexpr OperationTable(const OperationName (&names)[Count], std::uint32_t (&slots)[Slots])
      : names_(names), slots_(slots), count_(Count), shift_(__builtin_clzll(Slots) + 1) {
    static_assert(Slots > Count && Slots > 1 && (Slots & (Slots - 1)) == 0);
  }
  // The index of the operation of `call`, or kNoOperation.
  std::uint32_t find(const core::Upcall& call);

 private:
  void fill();
  std::uint32_t find_otherwise(const core::Upcall& call);
  std::uint32_t probe(std::uint64_t hash, const char* name, std::uint32_t length) const;
  std::uint32_t next(std::uint32_t slot) const {
    return (slot + 1) & static_cast<std::uint32_t>(~0ull >> shift_);
  }
  const OperationName* const names_;
  std::uint32_t* const slots_;  // 0, or 1 and an index; what is taken belongs into the next one
  const std::uint32_t count_;
  const std::uint8_t shift_;
  bool filled_ = false;
};

}  // namespace corbel::cpp
