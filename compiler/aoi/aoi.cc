#include "compiler/aoi/aoi.h"

#include <algorithm>

namespace corbel::idl::aoi {

const Type* resolve(const Type* type) {
  while (type && type->kind == Type::Kind::Named && type->decl->kind == Decl::Kind::Typedef)
    type = static_cast<const Typedef*>(type->decl)->type;
  return type;
}

namespace {
void collect(const Interface& interface, std::vector<const Interface*>& all) {
  for (const Interface* base : interface.bases) {
    if (std::find(all.begin(), all.end(), base) != all.end()) continue;
    collect(*base, all);
    all.push_back(base);
  }
}
}  // namespace

std::vector<const Interface*> ancestors(const Interface& interface) {
  std::vector<const Interface*> all;
  collect(interface, all);
  return all;
}

}  // namespace corbel::idl::aoi
