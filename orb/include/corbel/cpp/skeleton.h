// What a generated skeleton uses to serve one request.
#pragma once

#include <cstdint>
#include <cstring>

#include <corbel/core/upcall.h>
#include <corbel/cpp/dispatch.h>
#include <corbel/cpp/exception.h>

namespace corbel::cpp {

using core::Upcall;

// The arguments could not be decoded: throws MARSHAL, completed NO.
[[noreturn, gnu::visibility("default")]] void bad_arguments();

// Where an argument stands for which a server's threads may have too little stack: an array of one.
template <typename T>
struct Elsewhere {
  explicit Elsewhere(T* array_of_one) : at(array_of_one) {}
  ~Elsewhere() { delete[] at; }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

  T* const at;
};
// A null pointer where the mapping forbids one (a result, an out parameter): throws BAD_PARAM, completed YES.
[[noreturn, gnu::visibility("default")]] void null_result();

// The reply that holds nothing but a string, the result of a servant: writes it and frees the string. Throws
// BAD_PARAM for a null pointer.
[[gnu::visibility("default")]] void reply_string(Upcall& call, char* result);

template <typename Bits, typename T>
void reply_bits(Upcall& call, T number) {
  Bits bits;
  static_assert(sizeof bits == sizeof number);
  std::memcpy(&bits, &number, sizeof number);
  call.reply_number(bits);
}
// The reply that holds nothing but a number, the result of a servant.
template <typename T>
void reply_number(Upcall& call, T number) {
  if constexpr (sizeof number == 1) reply_bits<std::uint8_t>(call, number);
  else if constexpr (sizeof number == 2) reply_bits<std::uint16_t>(call, number);
  else if constexpr (sizeof number == 4) reply_bits<std::uint32_t>(call, number);
  else reply_bits<std::uint64_t>(call, number);
}

// For a skeleton of an operation with a raises clause: `body` has thrown `exception`; writes the reply if it
// is one of `ids` and returns true.
[[gnu::visibility("default")]] bool reply_user_exception(Upcall& call, const CORBA::UserException& exception,
                                                         const char* const* ids, std::uint32_t count);

}  // namespace corbel::cpp
