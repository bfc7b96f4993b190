// What valuetypes, structs and bitsets get from their bases must not clash (CORBA 3.4 part 1, "Valuetype
// Inheritance"; IDL 4.2, "Extended Data-Types").
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

// What a name of an operation, attribute or state member came from.
struct Origin {
  std::string name;
  std::string owner;
  Span span;
};

void add(const aoi::Interface& i, std::set<const aoi::Decl*>& seen, std::vector<Origin>& all) {
  std::vector<const aoi::Interface*> each = aoi::ancestors(i);
  each.push_back(&i);
  for (const aoi::Interface* a : each) {
    if (!seen.insert(a).second) continue;
    for (const auto& m : a->members) {
      if (const auto* op = std::get_if<const aoi::Operation*>(&m))
        all.push_back({(*op)->name, a->name, (*op)->span});
      else if (const auto* at = std::get_if<const aoi::Attribute*>(&m))
        all.push_back({(*at)->name, a->name, (*at)->span});
    }
  }
}

void add(const aoi::Value& v, std::set<const aoi::Decl*>& seen, std::vector<Origin>& all) {
  if (!seen.insert(&v).second) return;
  for (const auto& m : v.members) {
    if (const auto* op = std::get_if<const aoi::Operation*>(&m))
      all.push_back({(*op)->name, v.name, (*op)->span});
    else if (const auto* at = std::get_if<const aoi::Attribute*>(&m))
      all.push_back({(*at)->name, v.name, (*at)->span});
    else if (const auto* state = std::get_if<const aoi::Value::State*>(&m))
      all.push_back({(*state)->field.name, v.name, (*state)->field.span});
  }
  for (const aoi::Value* base : v.bases) add(*base, seen, all);
  for (const aoi::Interface* i : v.supports) add(*i, seen, all);
}

// The interface that is not abstract, of the valuetype or of the nearest base that has one.
const aoi::Interface* supported_interface(const aoi::Value* v) {
  for (; v; v = v->bases.empty() ? nullptr : v->bases[0])
    for (const aoi::Interface* i : v->supports)
      if (!i->is_abstract) return i;
  return nullptr;
}

}  // namespace

bool Parser::inherits(std::size_t more, const Span& span) {
  inherited_ += more;
  if (inherited_ <= kMostInherited) return true;
  report(Kind::NestingTooDeep, span,
         fmt::format("the types of this contract inherit more than {} bases and members; divide it",
                     kMostInherited));
  return false;
}

// With the bases and supported interfaces known, before the body.
void Parser::check_bases(const aoi::Value& v) {
  std::set<const aoi::Decl*> seen;
  std::vector<Origin> all;
  add(v, seen, all);
  if (!inherits(all.size(), v.span)) return;
  std::map<std::string, const Origin*> names;
  for (const Origin& o : all) {
    const auto [other, fresh] = names.emplace(lower(o.name), &o);
    if (!fresh)
      report(Kind::InheritedClash, v.span,
             fmt::format("'{}' inherits two different '{}', from '{}' and '{}'; rename one", v.name, o.name,
                         other->second->owner, o.owner),
             {{other->second->span, "one is declared here"}, {o.span, "the other one here"}});
  }
  const aoi::Interface* const inherited = v.bases.empty() ? nullptr : supported_interface(v.bases[0]);
  const aoi::Interface* const own = supported_interface(&v);
  if (!inherited || own == inherited) return;
  const std::vector<const aoi::Interface*> bases = aoi::ancestors(*own);
  if (std::find(bases.begin(), bases.end(), inherited) == bases.end())
    report(Kind::BadBase, v.span,
           fmt::format("the base of '{}' supports '{}', so '{}' must derive from it to be supported, too",
                       v.name, inherited->name, own->name),
           {{inherited->span, "declared here"}});
}

void Parser::check_fields(const aoi::Struct& derived) {
  std::map<std::string, const aoi::Field*> own;
  for (const aoi::Field& f : derived.fields) own.emplace(lower(f.name), &f);
  for (const aoi::Struct* s = derived.base; s && !own.empty(); s = s->base)
    for (const aoi::Field& f : s->fields)
      if (const auto i = own.find(lower(f.name)); i != own.end())
        report(Kind::InheritedClash, i->second->span,
               fmt::format("'{}' is inherited from '{}' and cannot be declared again", f.name, s->name),
               {{f.span, "declared here"}});
}

void Parser::check_fields(const aoi::Bitset& derived) {
  std::map<std::string, const aoi::Bitset::Bits*> own;
  for (const auto& f : derived.fields)
    if (!f.name.empty()) own.emplace(lower(f.name), &f);
  for (const aoi::Bitset* b = derived.base; b && !own.empty(); b = b->base)
    for (const auto& f : b->fields)
      if (const auto i = own.find(lower(f.name)); i != own.end())
        report(Kind::InheritedClash, i->second->span,
               fmt::format("'{}' is inherited from '{}' and cannot be declared again", f.name, b->name),
               {{f.span, "declared here"}});
}

}  // namespace corbel::idl::omg
