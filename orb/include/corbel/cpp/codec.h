// Marshaling of strings and string sequences, for generated code.
#pragma once

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#include <corbel/cpp/string.h>

namespace corbel::cpp {

// Reads a string into memory of its own, which the caller takes over. False if malformed.
inline bool get_string(cdr::Decoder& in, char*& result, std::uint32_t bound = 0) {
  const char* text;
  std::uint32_t length;
  if (!in.get_string_view(text, length, bound)) return false;
  result = CORBA::string_alloc(length);
  if (!result) return in.fail();
  std::memcpy(result, text, length + std::size_t{1});
  return true;
}

inline bool get_string(cdr::Decoder& in, StringMember& result, std::uint32_t bound = 0) {
  const char* text;
  std::uint32_t length;
  if (!in.get_string_view(text, length, bound)) return false;
  if (length == 0) {
    result = "";
    return true;
  }
  char* const copy = CORBA::string_alloc(length);
  if (!copy) return in.fail();
  std::memcpy(copy, text, length + std::size_t{1});
  result = copy;
  return true;
}

// An inout string: the old one is freed.
inline bool get_string(cdr::Decoder& in, CORBA::String_var& result, std::uint32_t bound = 0) {
  return get_string(in, result.out(), bound);
}

}  // namespace corbel::cpp
