// The values that the benchmarks send.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "orb_api.h"

namespace bench {

constexpr CORBA::ULong struct_count = 9;
constexpr CORBA::ULong large_count = 128 * 1024;
constexpr std::size_t text_length = 128;

inline std::string make_text() { return std::string(text_length, 'c'); }

template <class Element>
void set(Element& element, CORBA::ULong i) {
  element = static_cast<Element>(i);
}

// Text of 7 bits.
inline void set(CORBA::Char& element, CORBA::ULong i) { element = static_cast<CORBA::Char>(i & 0x7f); }

inline void set(Bench::BinStruct& element, CORBA::ULong i) {
  element.s = static_cast<CORBA::Short>(i);
  element.c = 'b';
  element.l = static_cast<CORBA::Long>(i);
  element.o = 1;
  element.d = 0.5 * i;
}

// Strings of 12 and 6 characters.
inline void set(Bench::Record& element, CORBA::ULong i) {
  element.name = static_cast<const char*>("twelve chars");
  element.id = static_cast<CORBA::Long>(i);
  element.code = static_cast<const char*>("six-ch");
  element.value = 0.25 * i;
}

template <class Sequence>
void fill(Sequence& sequence, CORBA::ULong count) {
  sequence.length(count);
  for (CORBA::ULong i = 0; i < count; ++i) set(sequence[i], i);
}

// Structures as a program leaves them that never clears its memory: there is something in their padding.
inline void fill(Bench::StructSeq& sequence, CORBA::ULong count) {
  sequence.length(count);
  if (count != 0) std::memset(static_cast<void*>(&sequence[0]), 0xa5, count * sizeof(Bench::BinStruct));
  for (CORBA::ULong i = 0; i < count; ++i) set(sequence[i], i);
}

// Octets of payload: the elements as they lie in memory; they lie so on the wire too.
template <class Sequence>
std::uint64_t payload_size(const Sequence& sequence) {
  return sequence.length() * sizeof(sequence[0]);
}

}  // namespace bench
