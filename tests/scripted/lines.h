// What the lines of scripted clients are made of.
#pragma once

#include <string>

#include "tests/calls/everything.h"

inline const char* completion(CORBA::CompletionStatus status) {
  return status == CORBA::COMPLETED_YES ? "YES" : status == CORBA::COMPLETED_NO ? "NO" : "MAYBE";
}

// Two digits for each octet, so that any may stand in a line.
inline std::string hex(const char* text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string digits;
  for (; *text; ++text) {
    digits += kDigits[static_cast<unsigned char>(*text) >> 4];
    digits += kDigits[static_cast<unsigned char>(*text) & 15];
  }
  return digits;
}

inline std::string unhex(const std::string& digits) {
  std::string text;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    text += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return text;
}
