// What a Context holds.
#pragma once

#include <corbel/cpp/context.h>

#include <cstring>
#include <map>
#include <string>

namespace corbel::cpp {

// A "*" at the end stands for any rest.
inline bool matches(const std::string& property, const char* pattern) {
  const std::size_t length = std::strlen(pattern);
  if (length == 0 || pattern[length - 1] != '*') return property == pattern;
  return property.compare(0, length - 1, pattern, length - 1) == 0;
}

}  // namespace corbel::cpp

struct CORBA::Context::Properties : std::map<std::string, std::string> {};
