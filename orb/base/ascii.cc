#include "orb/base/ascii.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace corbel::base {

int compare_without_case(std::string_view a, std::string_view b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (const int difference = lower(a[i]) - lower(b[i])) return difference;
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

bool same_without_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && compare_without_case(a, b) == 0;
}

bool begins_without_case(std::string_view text, std::string_view prefix) {
  return same_without_case(text.substr(0, prefix.size()), prefix);
}

std::string decimal(std::int64_t number) {
  char text[24];
  return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%" PRId64, number))};
}

}  // namespace corbel::base
