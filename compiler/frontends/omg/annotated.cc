// Whether annotations fit what they belong to.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/aoi/dump.h"
#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

constexpr auto kPlaces = std::to_array<std::string_view>(
    {"a module",        "an interface",  "a constant",  "a struct",    "a union",
     "an exception",    "an enum",       "a bitmask",   "a bitset",    "a typedef",
     "a valuetype",     "a native type", "a component", "a member",    "a union's member",
     "a discriminator", "an enumerator", "a flag",      "a bit field", "an operation",
     "an attribute",    "a parameter",   "a port",      "a factory",   "an element"});

// Of a numeric type, or of a sequence or array of one.
const aoi::Type* number_type(const aoi::Type* type) {
  const aoi::Type* t = aoi::resolve(type);
  while (t && (t->kind == aoi::Type::Kind::Array || t->kind == aoi::Type::Kind::Sequence))
    t = aoi::resolve(t->element);
  if (!t || t->kind == aoi::Type::Kind::Fixed) return t;
  const bool number = t->kind == aoi::Type::Kind::Basic && t->basic != aoi::Basic::Void &&
                      t->basic != aoi::Basic::Boolean && t->basic != aoi::Basic::Char &&
                      t->basic != aoi::Basic::WChar;
  return number ? t : nullptr;
}

// -1, 0, 1; 0 for what cannot be compared.
int compare(const ConstantValue& a, const ConstantValue& b) {
  using K = ConstantValue::Kind;
  const auto sign = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (a.kind == K::Integer && b.kind == K::Integer) return sign(a.integer, b.integer);
  const auto real = [](const ConstantValue& v) {
    return v.kind == K::Integer ? static_cast<long double>(v.integer) : v.real;
  };
  const auto comparable = [](const ConstantValue& v) { return v.kind == K::Integer || v.kind == K::Float; };
  return comparable(a) && comparable(b) ? sign(real(a), real(b)) : 0;
}

const PendingAnnotation* find(const std::vector<PendingAnnotation>& all, std::string_view name) {
  for (const PendingAnnotation& p : all)
    if (p.type && !p.type->declared && p.annotation.name == name) return &p;
  return nullptr;
}

bool is_set(const PendingAnnotation* p) {
  const bool* const value = p ? std::get_if<bool>(&p->annotation.arguments[0].value) : nullptr;
  return value && *value;
}

}  // namespace

Place place_of(aoi::Decl::Kind kind) {
  using K = aoi::Decl::Kind;
  switch (kind) {
    case K::Module:
      return kModule;
    case K::Interface:
      return kInterface;
    case K::Constant:
      return kConstant;
    case K::Struct:
      return kStruct;
    case K::Union:
      return kUnion;
    case K::Enum:
      return kEnum;
    case K::Typedef:
      return kTypedef;
    case K::Exception:
      return kException;
    case K::Native:
      return kNative;
    case K::Value:
    case K::ValueBox:
      return kValue;
    case K::Bitmask:
      return kBitmask;
    case K::Bitset:
      return kBitset;
    case K::Component:
    case K::Connector:
    case K::PortType:
    case K::Home:
      return kComponent;
  }
  return kModule;
}

std::string_view to_string(Place place) {
  std::size_t bit = 0;
  while (!((place >> bit) & 1U)) ++bit;
  return kPlaces[bit];
}

bool Parser::is_constant_type(const aoi::Type* type) {
  using K = aoi::Type::Kind;
  const aoi::Type* const resolved = aoi::resolve(type);
  if (!resolved) return false;
  const aoi::Type& t = *resolved;
  return t.kind == K::Basic || t.kind == K::String || t.kind == K::WString || t.kind == K::Fixed ||
         (t.kind == K::Named && t.decl->kind == aoi::Decl::Kind::Enum);
}

// The annotations that were read, as those of what stands at `place` and has this type. What does not fit is
// reported and left out.
std::vector<aoi::Annotation> Parser::attach(std::vector<PendingAnnotation> pending, Place place,
                                            const aoi::Type* type) {
  std::vector<PendingAnnotation> fitting;
  for (PendingAnnotation& p : pending) {
    if (p.type && !(p.type->places & place)) {
      report(Kind::BadAnnotation, p.annotation.span,
             fmt::format("@{} has no meaning for {}", p.annotation.name, to_string(place)));
      continue;
    }
    const PendingAnnotation* const other = find(fitting, p.annotation.name);
    if (other && p.annotation.name != "verbatim") {
      report(Kind::BadAnnotation, p.annotation.span,
             fmt::format("@{} stands here twice; remove one", p.annotation.name),
             {{other->annotation.span, "the first one"}});
      continue;
    }
    if (p.type && !p.type->declared && !fits(p, type)) continue;
    fitting.push_back(std::move(p));
  }
  check_together(fitting);
  std::vector<aoi::Annotation> all;
  for (PendingAnnotation& p : fitting) all.push_back(std::move(p.annotation));
  return all;
}

std::vector<aoi::Annotation> Parser::take_annotations(Place place, const aoi::Type* type) {
  return attach(std::exchange(annotations_, {}), place, type);
}

// The values of @default, @min, @max and @range are of the annotated type.
bool Parser::fits(PendingAnnotation& p, const aoi::Type* type) {
  const std::string& name = p.annotation.name;
  const bool range = name == "min" || name == "max" || name == "range";
  if (!type || (!range && name != "default")) return true;
  const aoi::Type* wanted = range ? number_type(type) : aoi::resolve(type);
  // A bitmask is given as the integer that holds it.
  if (!range && wanted && wanted->kind == aoi::Type::Kind::Named &&
      wanted->decl->kind == aoi::Decl::Kind::Bitmask)
    wanted = basic(
        static_cast<const aoi::Bitmask*>(wanted->decl)->bits > 32 ? aoi::Basic::ULongLong : aoi::Basic::ULong,
        p.annotation.span);
  if (!is_constant_type(wanted)) {
    report(Kind::BadAnnotation, p.annotation.span,
           range ? fmt::format("@{} needs a numeric type", name)
                 : "@default needs a basic, string, fixed or enum type");
    return false;
  }
  for (std::size_t i = 0; i < p.values.size(); ++i) {
    aoi::Annotation::Argument& a = p.annotation.arguments[i];
    if (!convert(p.values[i], wanted, a.value)) return false;
    if (p.values[i].kind == ConstantValue::Kind::Enumerator) continue;
    aoi::Constant typed;
    typed.type = wanted;
    typed.value = a.value;
    a.text = aoi::to_string(typed);
  }
  return true;
}

void Parser::check_together(const std::vector<PendingAnnotation>& all) {
  if (all.empty()) return;
  const auto both = [&](std::string_view one, std::string_view two, std::string_view why) {
    const PendingAnnotation *const a = find(all, one), *const b = find(all, two);
    if (a && b)
      report(Kind::BadAnnotation, b->annotation.span, fmt::format("@{} and @{}: {}", one, two, why),
             {{a->annotation.span, fmt::format("@{} stands here", one)}});
  };
  static constexpr auto kKinds =
      std::to_array<std::string_view>({"extensibility", "final", "appendable", "mutable"});
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    for (std::size_t k = i + 1; k < kKinds.size(); ++k)
      both(kKinds[i], kKinds[k], "a type has one extensibility");
  both("id", "hashid", "a member has one id");
  if (is_set(find(all, "key")) && is_set(find(all, "optional")))
    both("key", "optional", "what belongs to the key is always there");
  both("range", "min", "the range has a minimum already");
  both("range", "max", "the range has a maximum already");
  const PendingAnnotation* const range = find(all, "range");
  const PendingAnnotation* const low = range ? range : find(all, "min");
  const PendingAnnotation* const high = range ? range : find(all, "max");
  const PendingAnnotation* const standing = find(all, "default");
  if (low && high && compare(high->values.back(), low->values.front()) < 0)
    report(Kind::OutOfRange, high->values.back().span, "the maximum is less than the minimum");
  if (standing && ((low && compare(standing->values[0], low->values.front()) < 0) ||
                   (high && compare(high->values.back(), standing->values[0]) < 0)))
    report(Kind::OutOfRange, standing->values[0].span, "the default is outside of the range");
}

void Parser::check_ids(const aoi::Struct& structure) {
  std::vector<const aoi::Field*> members;
  for (const aoi::Struct* s = &structure; s; s = s->base)
    for (auto f = s->fields.rbegin(); f != s->fields.rend(); ++f) members.push_back(&*f);
  std::reverse(members.begin(), members.end());
  check_ids(members);
}

void Parser::check_ids(const aoi::Union& u) {
  std::vector<const aoi::Field*> members;
  for (const aoi::Union::Case& c : u.cases) members.push_back(&c.field);
  check_ids(members);
}

// No two members have one @id.
void Parser::check_ids(const std::vector<const aoi::Field*>& members) {
  std::map<std::string, const aoi::Field*> ids;
  for (const aoi::Field* f : members) {
    const aoi::Annotation* const id = aoi::find_standard(f->annotations, "id");
    if (!id) continue;
    const auto [other, fresh] = ids.emplace(id->arguments[0].text, f);
    if (!fresh)
      report(Kind::BadAnnotation, id->span,
             fmt::format("'{}' has the id {} already", other->second->name, other->first),
             {{other->second->span, "declared here"}});
  }
}

}  // namespace corbel::idl::omg
