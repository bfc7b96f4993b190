// What goes with a request that has a context clause: names and values in turns.
#pragma once

#include <string>
#include <vector>

#include <corbel/cdr/decoder.h>

namespace corbel::dynamic {

// False if malformed, or not all that is there.
inline bool read_strings(cdr::Decoder in, std::vector<std::string>& strings) {
  std::uint32_t count;
  if (!in.get_length(count, 5)) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const char* text;
    if (!in.get_string_view(text)) return false;
    strings.emplace_back(text);
  }
  return in.remaining() == 0;
}

}  // namespace corbel::dynamic
