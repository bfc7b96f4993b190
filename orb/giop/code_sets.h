// Code set negotiation (CORBA 3.4 part 2, "Code Set Conversion"). The program's chars and strings are of its
// native set, wide ones are code points in memory and, unless peers agree otherwise, UTF-16 in messages.
#pragma once

#include <corbel/cdr/form.h>

#include <cstdint>
#include <string_view>

#include "orb/giop/service_context.h"
#include "orb/ior/ior.h"

namespace corbel::giop {

// What a program says of itself, as numbers of cdr/char_sets.h.
struct OwnCodeSets {
  std::uint32_t native;
  std::uint32_t unsaid;                    // what a peer uses that says nothing
  std::uint32_t wide = cdr::form::kUtf16;  // what references give as the native set of wide characters
};

// Sets of wide characters, as in cdr/form.h; kNoWide if it is not known.
std::uint32_t find_wide_set(std::uint32_t id);
std::uint32_t find_wide_set(std::string_view name);

// What two peers have agreed on.
struct CodeSets {
  std::uint32_t text = 0;      // for encoders and decoders: see cdr/form.h
  std::uint32_t char_set = 0;  // that we tell the server with the first requests; 0: it named none itself
  std::uint32_t wide_set = 0;  // the same; 0: none
  // Before GIOP 1.2 each wide character has two octets.
  void restrict_to_two_octets();
  bool operator==(const CodeSets&) const = default;
};

// TAG_CODE_SETS of our references.
ior::CodeSetComponent code_set_component(const OwnCodeSets& own);

// What to send to a server that has this profile: CODESET_INCOMPATIBLE if there is no set of chars in common;
// where there is none of wide ones, those that are written raise it.
SystemError choose_code_sets(const ior::IiopProfile& profile, const OwnCodeSets& own, CodeSets& sets);

// One service context, id and data, that tells the peer.
inline constexpr std::uint32_t kCodeSetContextSize = 20;
void write_code_set_context(const CodeSets& sets, char* to);

// Where nobody has said anything.
std::uint32_t unsaid_text(const OwnCodeSets& own);

// What the requests of a connection are written in.
struct AnnouncedText {
  explicit AnnouncedText(const OwnCodeSets& own) : text(unsaid_text(own)) {}
  // What a request announces for itself and those behind it, which may be nothing: to be called in their
  // order.
  void take(const ServiceContexts& contexts, const OwnCodeSets& own);

  std::uint32_t text;  // cdr/form.h
  bool known = true;   // false: a set was announced that is not known here, and no other since
};

}  // namespace corbel::giop
