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
    enum class Kind : std::uint8_t { Iiop, Ssl, Unix } kind = Kind::Iiop;
    Address address;
    std::string path;        // of a unix socket
    std::uint8_t minor = 2;  // corbaloc's default is 1.0; what follows from it is the caller's choice
    bool version_given = false;
  };
  bool rir = false;
  std::vector<Endpoint> endpoints;
  std::string key;
};
// "corbaloc:" or, in any case, what TAO's users write: "iioploc://" and "iiop://". omniORB's protocols ssliop
// and omniunix are known.
bool is_corbaloc(std::string_view url);
SystemError parse_corbaloc(std::string_view text, Corbaloc& corbaloc);
// One profile per address. Without a version in the URL 1.2 is assumed: every ORB of today speaks it.
// `host_id` goes before the paths of unix sockets.
Ior to_ior(const Corbaloc& corbaloc, const std::string& host_id);

// A name of the naming service.
struct NameComponent {
  std::string id, kind;
  bool operator==(const NameComponent&) const = default;
};
// "corbaname:ADDRESSES/KEY#NAME": where the naming context is, and the name in it, which may be empty.
struct Corbaname {
  Corbaloc context;
  std::vector<NameComponent> name;
};
SystemError parse_corbaname(std::string_view text, Corbaname& corbaname);
// "id.kind/id", a backslash before what is no delimiter (Naming Service 1.3, "Stringified Names").
bool parse_name(std::string_view text, std::vector<NameComponent>& name);

// "%41" to "A"; false for a malformed escape. And back: what RFC 2396 does not reserve stays.
bool unescape(std::string_view text, std::string& bytes);
std::string escape(std::string_view bytes);

// First line of the file that a file:// URL names.
SystemError read_file_url(std::string_view url, std::string& content);

}  // namespace corbel::ior
