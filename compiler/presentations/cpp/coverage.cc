#include "compiler/presentations/cpp/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "compiler/presentations/cpp/presentation.h"

namespace corbel::idl::cpp {
namespace {

// std::map compares keys; strings, numbers and enumerators can be.
bool has_order(const aoi::Type* key) {
  const pres::Passing how = pres::passing(key);
  const aoi::Type* const t = aoi::resolve(key);
  return how == pres::Passing::String || how == pres::Passing::WString ||
         (how == pres::Passing::Value &&
          (t->kind == aoi::Type::Kind::Basic || t->decl->kind != aoi::Decl::Kind::Native));
}

std::string_view missing(const aoi::Type& type) {
  if (type.kind != aoi::Type::Kind::Map) return {};
  if (!has_order(type.key)) return "a map whose key is no number, enumerator or string";
  return aoi::resolve(type.element)->kind == aoi::Type::Kind::Array ? "a map of arrays" : "";
}

class Check {
 public:
  explicit Check(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void declaration(const aoi::Decl& d) {
    if (!seen_.insert(&d).second) return;
    switch (d.kind) {
      case aoi::Decl::Kind::Struct:
        return fields(static_cast<const aoi::Struct&>(d).fields);
      case aoi::Decl::Kind::Exception:
        for (const aoi::Field& f : static_cast<const aoi::Exception&>(d).fields) sent(f.type);
        return;
      case aoi::Decl::Kind::Value:
        for (const auto& m : static_cast<const aoi::Value&>(d).members)
          if (const auto* const* s = std::get_if<const aoi::Value::State*>(&m)) sent((*s)->field.type);
        return;
      case aoi::Decl::Kind::ValueBox:
        return sent(static_cast<const aoi::ValueBox&>(d).type);
      case aoi::Decl::Kind::Union:
        type(static_cast<const aoi::Union&>(d).discriminator);
        for (const auto& c : static_cast<const aoi::Union&>(d).cases) type(c.field.type);
        return;
      case aoi::Decl::Kind::Typedef:
        return type(static_cast<const aoi::Typedef&>(d).type);
      case aoi::Decl::Kind::Constant:
        return type(static_cast<const aoi::Constant&>(d).type);
      case aoi::Decl::Kind::Interface:
        for (const auto& m : static_cast<const aoi::Interface&>(d).members)
          member(m, static_cast<const aoi::Interface&>(d).is_local);
        return;
      default:
        return;
    }
  }

 private:
  void fields(const std::vector<aoi::Field>& all) {
    for (const aoi::Field& f : all) type(f.type);
  }

  void member(const aoi::Interface::Member& m, bool local) {
    const auto used = [&](const aoi::Type* t) { local ? type(t) : sent(t); };
    if (const auto* const* a = std::get_if<const aoi::Attribute*>(&m)) used((*a)->type);
    if (const auto* const* op = std::get_if<const aoi::Operation*>(&m)) {
      used((*op)->result);
      for (const aoi::Parameter& p : (*op)->parameters) used(p.type);
    }
  }

  // A type whose values travel.
  void sent(const aoi::Type* t) {
    if (!pres::holds_map(t)) return type(t);
    diagnostics_.report(
        Kind::Unsupported, t->span,
        "a map has no encoding in GIOP: what holds one stays in structs, unions and local interfaces");
  }

  void type(const aoi::Type* t) {
    if (!t) return;
    if (const auto what = missing(*t); !what.empty()) return report(t->span, what);
    type(t->key);
    type(t->element);
    if (t->decl && !t->decl->in_main_file) declaration(*t->decl);
  }

  void report(Span span, std::string_view construct) {
    diagnostics_.report(
        Kind::Unsupported, span,
        fmt::format("{}: corbel-idl cannot generate code for this yet; --check and --dump accept it",
                    construct));
  }

  Diagnostics& diagnostics_;
  std::set<const aoi::Decl*> seen_;
};

}  // namespace

void check_coverage(const aoi::Contract& contract, Diagnostics& diagnostics) {
  Check check(diagnostics);
  for_each_declaration(contract, [&](const aoi::Decl& d) { check.declaration(d); });
}

}  // namespace corbel::idl::cpp
