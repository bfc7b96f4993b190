#include "orb/giop/code_sets.h"

#include <algorithm>

#include <corbel/cdr/bytes.h>

#include "orb/base/ascii.h"
#include "orb/cdr/char_sets.h"
#include "orb/ior/assigned.h"

namespace corbel::giop {
namespace {

// All of Unicode, in whichever form: UCS-2 and UCS-4 of three levels each, UTF-16, UTF-8.
bool is_unicode(std::uint32_t id) {
  return (id >= assigned::kCodeSetUcs2 && id <= assigned::kCodeSetUtf16) || id == assigned::kCodeSetUtf8;
}

// Those of IBM's sets that hold the characters of ISO 8859-1 at other places.
bool is_latin1_elsewhere(std::uint32_t id) {
  static constexpr std::uint16_t kPages[] = {37, 273, 277, 278, 280, 284, 285, 297, 500, 819, 871, 1047};
  return id >> 16 == assigned::kCodeSetIbm >> 16 &&
         std::find(std::begin(kPages), std::end(kPages), id & 0xffff) != std::end(kPages);
}

// Whether the registry gives them the same characters, so that both peers can be expected to know UTF-8.
bool compatible(std::uint32_t a, std::uint32_t b) {
  if (is_unicode(a)) return is_unicode(b);
  return a == assigned::kCodeSetLatin1 && is_latin1_elsewhere(b);
}

// The order of the specification: the server's own, ours, what both convert to (its order), UTF-8.
std::uint32_t choose_chars(const ior::CodeSetComponent& server, std::uint32_t native) {
  const auto can = [&](std::uint32_t id) {
    const std::uint32_t set = cdr::find_char_set(id);
    return set != 0 && cdr::convertible(native, set) ? set : 0;
  };
  if (const std::uint32_t set = can(server.char_native)) return set;
  const std::uint32_t ours = cdr::char_set(native)->id;
  std::uint32_t both = 0;
  for (const std::uint32_t id : server.char_conversions) {
    if (id == ours) return native;
    if (both == 0) both = can(id);
  }
  if (both != 0) return both;
  return compatible(ours, server.char_native) ? cdr::kUtf8 : 0;
}

struct WideSet {
  std::uint32_t form;
  std::uint32_t id;
  std::uint32_t levels;  // so many ids in a row
  const char* name;
};
// In the order in which they are offered: UTF-16 has every character, and each peer that has wide ones knows
// it.
constexpr WideSet kWideSets[] = {{cdr::form::kUtf16, assigned::kCodeSetUtf16, 1, "UTF-16"},
                                 {cdr::form::kWideUtf8, assigned::kCodeSetUtf8, 1, "UTF-8"},
                                 {cdr::form::kUcs4, assigned::kCodeSetUcs4, 3, "UCS-4"},
                                 {cdr::form::kUcs2, assigned::kCodeSetUcs2, 3, "UCS-2"}};

// As for chars, but that both peers can be expected to know UTF-16 if the server's set is Unicode.
void choose_wide(const ior::CodeSetComponent& server, CodeSets& sets) {
  std::uint32_t id = server.wchar_native;
  std::uint32_t form = id == 0 ? cdr::form::kNoWide : find_wide_set(id);
  const auto& offered = server.wchar_conversions;
  if (form == cdr::form::kNoWide && std::count(offered.begin(), offered.end(), assigned::kCodeSetUtf16) != 0)
    form = cdr::form::kUtf16, id = assigned::kCodeSetUtf16;
  for (auto next = offered.begin(); form == cdr::form::kNoWide && next != offered.end(); ++next)
    form = find_wide_set(id = *next);
  if (form == cdr::form::kNoWide && (server.wchar_native == 0 || is_unicode(server.wchar_native)))
    form = cdr::form::kUtf16, id = assigned::kCodeSetUtf16;
  sets.text |= form;
  sets.wide_set = form == cdr::form::kNoWide ? 0 : id;
}

}  // namespace

std::uint32_t find_wide_set(std::uint32_t id) {
  for (const WideSet& set : kWideSets)
    if (id >= set.id && id < set.id + set.levels) return set.form;
  return cdr::form::kNoWide;
}

std::uint32_t find_wide_set(std::string_view name) {
  for (const WideSet& set : kWideSets)
    if (base::same_without_case(set.name, name)) return set.form;
  return cdr::form::kNoWide;
}

void CodeSets::restrict_to_two_octets() {
  if ((text & cdr::form::kWide) == 0) return;
  text &= ~cdr::form::kWide;
  wide_set = assigned::kCodeSetUtf16;
}

std::uint32_t unsaid_text(const OwnCodeSets& own) { return cdr::form::of_sets(own.unsaid, own.native); }

ior::CodeSetComponent code_set_component(const OwnCodeSets& own) {
  ior::CodeSetComponent c{cdr::char_set(own.native)->id, {}, 0, {}};
  for (const WideSet& set : kWideSets) {
    if (set.form == own.wide) c.wchar_native = set.id;
    else c.wchar_conversions.push_back(set.id);
  }
  for (std::uint32_t set : {cdr::kUtf8, cdr::kLatin1})
    if (set != own.native && cdr::convertible(own.native, set))
      c.char_conversions.push_back(cdr::char_set(set)->id);
  if (own.native == cdr::kUtf8)
    for (std::uint32_t set = cdr::kAscii + 1; cdr::char_set(set); ++set)
      c.char_conversions.push_back(cdr::char_set(set)->id);
  return c;
}

SystemError choose_code_sets(const ior::IiopProfile& profile, const OwnCodeSets& own, CodeSets& sets) {
  sets = {unsaid_text(own), 0};
  for (const ior::TaggedComponent& c : profile.components) {
    if (c.tag != assigned::kComponentCodeSets) continue;
    const auto server = ior::decode_code_sets(c);
    if (!server || server->char_native == 0) return {};
    const std::uint32_t set = choose_chars(*server, own.native);
    if (set == 0)
      return {
          SystemErrorId::CODESET_INCOMPATIBLE, Completion::No, assigned::kOmgMinor | 1,
          "the server's char set cannot be converted to the program's (-ORBnativeCharCodeSet), and it offers "
          "no conversion; Corbel::codesets brings more sets"};
    sets.char_set = cdr::char_set(set)->id;
    sets.text = cdr::form::of_sets(set, own.native);
    choose_wide(*server, sets);
    return {};
  }
  return {};
}

void write_code_set_context(const CodeSets& sets, char* to) {
  const std::uint32_t words[] = {assigned::kContextCodeSets, 12, 0, sets.char_set, sets.wide_set};
  static_assert(sizeof words == kCodeSetContextSize);
  std::memcpy(to, words, sizeof words);
  to[8] = cdr::kHostIsLittleEndian ? 1 : 0;
}

void AnnouncedText::take(const ServiceContexts& contexts, const OwnCodeSets& own) {
  const char* data;
  std::uint32_t size, chars, wide = 0;
  if (!contexts.find(assigned::kContextCodeSets, data, size) || size == 0) return;
  cdr::Decoder in(data, data + 1, data + size, (*data == 1) != cdr::kHostIsLittleEndian);
  if (!in.get(chars)) return;
  std::uint32_t form = text & cdr::form::kWide;
  const bool wide_known = !in.get(wide) || wide == 0 || (form = find_wide_set(wide)) != cdr::form::kNoWide;
  const std::uint32_t set = chars == 0 ? 0 : cdr::find_char_set(chars);
  known = wide_known && (chars == 0 || set != 0);
  if (known) text = (chars == 0 ? text & ~cdr::form::kWide : cdr::form::of_sets(set, own.native)) | form;
}

}  // namespace corbel::giop
