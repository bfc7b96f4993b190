// How programs are read: numbers, places and what stands around them in their File.
#pragma once

#include <corbel/cpp/programs.h>

namespace corbel::cpp::programs {

typedef const unsigned char* Place;

inline std::uint32_t w(Place p) {
  return cdr::load<std::uint16_t>(reinterpret_cast<const char*>(p), !cdr::kHostIsLittleEndian);
}
inline std::uint32_t l(Place p) {
  return cdr::load<std::uint32_t>(reinterpret_cast<const char*>(p), !cdr::kHostIsLittleEndian);
}

// The File that a program is part of. All that a File<N> has before its octets is the same for every N.
struct Around {
  Place octets;
  const File<1>& file() const {
    return *reinterpret_cast<const File<1>*>(octets - offsetof(File<1>, octets));
  }
  const Type& type(std::uint32_t number) const { return file().types[number]; }
  Place program(std::uint32_t place) const { return octets + place; }
};
inline Around around(Place program) { return {program - w(program)}; }

// Carry out steps.
void write(cdr::Encoder& out, const void* value, Around around, Place steps);
bool read(cdr::Decoder& in, void* value, Around around, Place steps);

// What is left behind a Scope.
struct Rest {
  void* interpreter;
  Place steps;
  char* own;
};
void write(const Rest& rest);
bool read(const Rest& rest);

// Frees what a pointer leads to.
inline void free_made(const Type& type, void* value) { type.destruct(value, true); }

}  // namespace corbel::cpp::programs
