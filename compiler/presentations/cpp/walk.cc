// The order in which a contract's declarations come.
#include <unordered_set>

#include "compiler/presentations/cpp/declarations.h"
#include "compiler/presentations/cpp/presentation.h"
#include "compiler/presentations/cpp/provided.h"

namespace corbel::idl::cpp {

bool may_be_forward(const aoi::Decl& d) {
  return d.kind == aoi::Decl::Kind::Interface || d.kind == aoi::Decl::Kind::Struct ||
         d.kind == aoi::Decl::Kind::Union || d.kind == aoi::Decl::Kind::Value;
}

bool is_forward(const aoi::Decl& d) {
  if (d.kind == aoi::Decl::Kind::Value) return static_cast<const aoi::Value&>(d).forward_declared;
  if (d.kind == aoi::Decl::Kind::Interface) return static_cast<const aoi::Interface&>(d).forward_declared;
  if (d.kind == aoi::Decl::Kind::Struct) return static_cast<const aoi::Struct&>(d).forward_declared;
  return static_cast<const aoi::Union&>(d).forward_declared;
}

bool is_complete(const aoi::Decl& d) {
  if (d.kind == aoi::Decl::Kind::Value) return static_cast<const aoi::Value&>(d).complete;
  if (d.kind == aoi::Decl::Kind::Interface) return static_cast<const aoi::Interface&>(d).complete;
  if (d.kind == aoi::Decl::Kind::Struct) return static_cast<const aoi::Struct&>(d).complete;
  return static_cast<const aoi::Union&>(d).complete;
}

namespace {

// Calls `use` for each declaration of the main file where it is defined, nested ones included.
template <typename Use>
void each(const std::vector<const aoi::Decl*>& declarations, std::unordered_set<const aoi::Decl*>& seen,
          std::unordered_set<const aoi::Decl*>& forwarded, const Use& use) {
  for (const aoi::Decl* d : declarations) {
    if (d->kind == aoi::Decl::Kind::Module) {
      each(static_cast<const aoi::Module*>(d)->declarations, seen, forwarded, use);
      continue;
    }
    if (!generated(*d)) continue;
    if (!seen.insert(d).second) {
      if (!forwarded.erase(d)) continue;
    } else if (may_be_forward(*d) && is_forward(*d) && is_complete(*d)) {
      forwarded.insert(d);
      continue;
    }
    if (d->kind == aoi::Decl::Kind::Interface) {
      std::vector<const aoi::Decl*> inner;
      for (const auto& m : static_cast<const aoi::Interface*>(d)->members)
        if (const auto* n = std::get_if<const aoi::Decl*>(&m)) inner.push_back(*n);
      each(inner, seen, forwarded, use);
    }
    if (d->kind == aoi::Decl::Kind::Value) {
      std::vector<const aoi::Decl*> inner;
      for (const auto& m : static_cast<const aoi::Value*>(d)->members)
        if (const auto* n = std::get_if<const aoi::Decl*>(&m)) inner.push_back(*n);
      each(inner, seen, forwarded, use);
    }
    if (d->kind == aoi::Decl::Kind::Struct)
      each(static_cast<const aoi::Struct*>(d)->nested, seen, forwarded, use);
    if (d->kind == aoi::Decl::Kind::Union)
      each(static_cast<const aoi::Union*>(d)->nested, seen, forwarded, use);
    if (d->kind == aoi::Decl::Kind::Exception)
      each(static_cast<const aoi::Exception*>(d)->nested, seen, forwarded, use);
    use(*d);
  }
}

}  // namespace

void for_each_declaration(const aoi::Contract& contract, const std::function<void(const aoi::Decl&)>& use) {
  std::unordered_set<const aoi::Decl*> seen, forwarded;
  each(contract.declarations, seen, forwarded, use);
}

}  // namespace corbel::idl::cpp
