// Feeds arbitrary bytes to what reads references: IOR strings, their CDR form, corbaloc URLs, escapes. What
// was read must survive being written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "orb/cdr/char_sets.h"
#include "orb/giop/code_sets.h"
#include "orb/ior/group.h"
#include "orb/ior/ior.h"
#include "orb/ior/url.h"

namespace {

using namespace corbel;
using namespace corbel::ior;

void require(bool condition) {
  if (!condition) std::abort();
}

void read_profiles(const Ior& ior) {
  for (const TaggedProfile& profile : ior.profiles) {
    const auto iiop = decode_iiop(profile);
    if (!iiop) continue;
    require(iiop->minor <= 2 && !addresses(*iiop).empty());
    (void)is_primary(*iiop);
    giop::CodeSets sets;
    for (const std::uint32_t native : {cdr::kLatin1, cdr::kUtf8})
      (void)giop::choose_code_sets(*iiop, {native, cdr::kLatin1}, sets);
    const auto again = decode_iiop(encode_iiop(*iiop));
    require(again && again->address == iiop->address && again->object_key == iiop->object_key &&
            again->components == iiop->components);
  }
}

void read_group(const Ior& ior) {
  const auto group = group_of(ior);
  if (!group) return;
  const auto again = decode_group(encode_group(*group));
  require(again && again->domain == group->domain && again->id == group->id &&
          again->version == group->version);
}

void round_trip(const Ior& ior) {
  Ior again;
  require(!parse_ior(to_string(ior), again));
  require(again.type_id == ior.type_id && again.profiles == ior.profiles);
  read_profiles(ior);
  read_group(ior);
}

void read_cdr(const std::string& bytes, bool swap) {
  cdr::Decoder in(bytes.data(), bytes.data(), bytes.data() + bytes.size(), swap);
  Ior ior;
  if (decode(in, ior)) round_trip(ior);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Ior ior;
  if (!parse_ior(bytes, ior)) round_trip(ior);
  read_cdr(bytes, false);
  read_cdr(bytes, true);
  read_profiles({"", {{0, bytes}}});

  for (const char* scheme : {"corbaloc:", "iioploc://"}) {
    Corbaloc corbaloc;
    if (parse_corbaloc(scheme + bytes, corbaloc)) continue;
    require(corbaloc.rir != !corbaloc.endpoints.empty());
    read_profiles(to_ior(corbaloc, "host"));
  }
  Corbaname corbaname;
  if (!parse_corbaname("corbaname:" + bytes, corbaname))
    require(corbaname.context.rir != !corbaname.context.endpoints.empty());
  std::vector<NameComponent> name;
  (void)parse_name(bytes, name);
  std::string plain;
  require(unescape(escape(bytes), plain) && plain == bytes);
  (void)unescape(bytes, plain);
  return 0;
}
