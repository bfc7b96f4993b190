// Object URLs (CORBA 3.4 part 2, "Object URLs").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orb/ior/ior.h"

namespace corbel::ior {

// A corbaloc URL: addresses in order of preference and one key. `rir` asks for an initial reference named by
// the key.
struct Corbaloc {
  struct Endpoint {
    Address address;
    std::uint8_t minor = 2;  // corbaloc's default is 1.0; what follows from it is the caller's choice
    bool version_given = false;
  };
  bool rir = false;
  std::vector<Endpoint> endpoints;
  std::string key;
};
SystemError parse_corbaloc(std::string_view text, Corbaloc& corbaloc);
// One IIOP profile per address. Without a version in the URL 1.2 is assumed: every ORB of today speaks it.
Ior to_ior(const Corbaloc& corbaloc);

// "%41" to "A"; false for a malformed escape. And back: what RFC 2396 does not reserve stays.
bool unescape(std::string_view text, std::string& bytes);
std::string escape(std::string_view bytes);

// First line of the file that a file:// URL names.
SystemError read_file_url(std::string_view url, std::string& content);

}  // namespace corbel::ior
