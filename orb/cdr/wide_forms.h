// Wide characters in messages of any set that peers may agree on, by way of code points. UTF-16, which is the
// rule, has shorter ways (cpp/wide.cc, types/walk.cc); this is for the others, and between them.
#pragma once

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

#include <string>

namespace corbel::cdr {

// Whether they stand otherwise than in UTF-16. GIOP 1.1 has two octets for each in any case.
inline bool has_wide_form(std::uint32_t form) {
  return (form & form::kWide) != 0 && (form & form::kOlder) == 0;
}

// One character, or a string without terminator. False, and the decoder has failed, if malformed.
bool read_wide(Decoder& in, bool single, std::wstring& points);
// The same. The encoder fails: DATA_CONVERSION where one is no code point or the set lacks it.
void write_wide(Encoder& out, bool single, const wchar_t* points, std::size_t count);

}  // namespace corbel::cdr
