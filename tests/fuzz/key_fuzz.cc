// Feeds arbitrary bytes to what takes object keys apart: Corbel's two forms and those of other ORBs. What was
// read must be what is read of the key that is made of it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "orb/poa/foreign_key.h"
#include "orb/poa/key.h"

namespace {

using namespace corbel;
using namespace corbel::poa;

void require(bool condition) {
  if (!condition) std::abort();
}

void read_foreign(KeyFormat format, const std::string& key, bool retain) {
  ForeignKey parts;
  if (!parse_foreign_key(format, key, parts)) return;
  if (!take_id_hint(format, retain, parts)) return;
  const std::string again = make_foreign_key(format, parts.path, parts.id, parts.user_id, retain);
  if (again.empty()) return require(!parts.user_id && !retain);
  ForeignKey second;
  require(parse_foreign_key(format, again, second) && take_id_hint(format, retain, second));
  require(second.path == parts.path && second.id == parts.id && second.user_id == parts.user_id);
  if (format == KeyFormat::OmniOrb) require(again == key);
  std::vector<std::string> names;
  for (const std::string_view name : names_of(parts.path)) names.emplace_back(name);
  std::vector<const std::string*> pointers;
  for (const std::string& name : names) pointers.push_back(&name);
  std::string path;
  if (foreign_path(format, pointers, path)) require(path == parts.path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string key(reinterpret_cast<const char*>(data), size);
  if (TransientKey parts; parts.parse(key)) require(parts.text() == key);
  if (PersistentKey parts; parts.parse(key)) {
    require(parts.text() == key);
    std::string_view path = parts.path;
    std::string again;
    for (std::string_view name; take_from_path(path, name);) require(add_to_path(again, name));
    require(parts.path.starts_with(again));
  }
  for (const KeyFormat format : kForeignFormats)
    for (const bool retain : {false, true}) read_foreign(format, key, retain);
  return 0;
}
