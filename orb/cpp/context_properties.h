// What a Context holds.
#pragma once

#include <corbel/cpp/context.h>

#include <cstring>
#include <map>
#include <string>

#include "orb/base/ascii.h"

namespace corbel::cpp {

// Upper and lower case do not differ.
struct LessWithoutCase {
  bool operator()(const std::string& a, const std::string& b) const {
    return base::compare_without_case(a, b) < 0;
  }
};

// A "*" at the end stands for any rest.
inline bool matches(const std::string& property, const char* pattern) {
  const std::size_t length = std::strlen(pattern);
  if (length == 0 || pattern[length - 1] != '*') return base::same_without_case(property, pattern);
  return base::begins_without_case(property, {pattern, length - 1});
}

}  // namespace corbel::cpp

struct CORBA::Context::Properties : std::map<std::string, std::string, corbel::cpp::LessWithoutCase> {};
