#include "compiler/aoi/aoi.h"

#include <unordered_set>

namespace corbel::idl::aoi {

const Annotation* find_standard(const std::vector<Annotation>& all, std::string_view name) {
  for (const Annotation& a : all)
    if (a.is_standard && a.name == name) return &a;
  return nullptr;
}

const Type* resolve(const Type* type) {
  while (type && type->kind == Type::Kind::Named && type->decl->kind == Decl::Kind::Typedef)
    type = static_cast<const Typedef*>(type->decl)->type;
  return type;
}

namespace {

void collect(const Interface& interface, std::unordered_set<const Interface*>& seen,
             std::vector<const Interface*>& all) {
  for (const Interface* base : interface.bases) {
    if (!seen.insert(base).second) continue;
    collect(*base, seen, all);
    all.push_back(base);
  }
}

}  // namespace

std::vector<const Interface*> ancestors(const Interface& interface) {
  std::unordered_set<const Interface*> seen;
  std::vector<const Interface*> all;
  collect(interface, seen, all);
  return all;
}

}  // namespace corbel::idl::aoi
