// Enums, bitmasks and bitsets.
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

// How many bits a bit field of this type can have.
std::uint32_t bits_of(aoi::Basic basic) {
  switch (basic) {
    case aoi::Basic::Boolean:
      return 1;
    case aoi::Basic::Octet:
    case aoi::Basic::Int8:
    case aoi::Basic::UInt8:
      return 8;
    case aoi::Basic::Short:
    case aoi::Basic::UShort:
      return 16;
    case aoi::Basic::Long:
    case aoi::Basic::ULong:
      return 32;
    case aoi::Basic::LongLong:
    case aoi::Basic::ULongLong:
      return 64;
    default:
      return 0;
  }
}

}  // namespace

// The number in @bit_bound(N); 32 without it.
std::uint32_t Parser::bit_bound(const std::vector<aoi::Annotation>& all, std::uint32_t most) {
  const aoi::Annotation* const a = aoi::find_standard(all, "bit_bound");
  if (!a) return 32;
  const std::int64_t bits = std::get<std::int64_t>(a->arguments[0].value);
  if (bits >= 1 && bits <= static_cast<std::int64_t>(most)) return static_cast<std::uint32_t>(bits);
  report(Kind::BadAnnotation, a->span, fmt::format("@bit_bound takes a number from 1 to {} here", most));
  return 32;
}

aoi::Bitmask* Parser::bitmask(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the bitmask's name");
  auto* const b = contract_.make<aoi::Bitmask>();
  fill(*b, name, comments);
  declare(name, Symbol::Kind::Declaration, b);
  into.push_back(b);
  b->bits = bit_bound(b->annotations, 64);
  expect("{", "to open the bitmask");
  std::set<std::uint32_t> seen;
  do flag(*b, seen);
  while (accept(",") && !peek().is("}"));
  expect("}", "to close the bitmask");
  return b;
}

// [@position(N)] NAME
void Parser::flag(aoi::Bitmask& mask, std::set<std::uint32_t>& seen) {
  annotations();
  aoi::Bitmask::Flag f;
  f.annotations = take_annotations(kFlag);
  f.position = mask.flags.empty() ? 0 : mask.flags.back().position + 1;
  if (const aoi::Annotation* const a = aoi::find_standard(f.annotations, "position"))
    f.position = static_cast<std::uint32_t>(std::get<std::int64_t>(a->arguments[0].value));
  f.comments = peek().comments;
  const Token name = identifier("a flag");
  declare(name, Symbol::Kind::Member, nullptr);
  f.name = name.text;
  f.span = name.span;
  if (f.position >= mask.bits)
    report(Kind::OutOfRange, name.span,
           fmt::format("bit {} is outside of the bitmask's {}", f.position, mask.bits));
  else if (!seen.insert(f.position).second)
    report(Kind::DuplicateLabel, name.span,
           fmt::format("bit {} has a name in the bitmask already", f.position));
  mask.flags.push_back(std::move(f));
}

aoi::Bitset* Parser::bitset(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the bitset's name");
  auto* const b = contract_.make<aoi::Bitset>();
  fill(*b, name, comments);
  declare(name, Symbol::Kind::Declaration, b);
  into.push_back(b);
  std::uint32_t all = 0;
  if (accept(":")) {
    const Span span = peek().span;
    Symbol* const s = scoped_name();
    const aoi::Decl* const d = s ? declaration_behind(*s) : nullptr;
    if (d == b)
      report(Kind::BadBase, span,
             fmt::format("'{}' is not defined yet; a base must be defined before", s->name),
             {{s->span, "declared here"}});
    else if (d && d->kind == aoi::Decl::Kind::Bitset) b->base = static_cast<const aoi::Bitset*>(d);
    else if (s)
      report(Kind::BadBase, span, fmt::format("'{}' is no bitset, so no bitset can derive from it", s->name),
             {{s->span, "declared here"}});
    for (const aoi::Bitset* i = b->base; i; i = i->base)
      for (const auto& f : i->fields) all += f.width;
  }
  expect("{", "to open the bitset");
  enter(b);
  while (peek().is("bitfield") || peek().is("@")) bits(*b, all);
  leave();
  expect("}", "to close the bitset");
  check_fields(*b);
  if (all > 64)
    report(Kind::BadBound, name.span, fmt::format("the bitset has {} bits; 64 are possible", all));
  return b;
}

// bitfield<width[, type]> names;
void Parser::bits(aoi::Bitset& b, std::uint32_t& all) {
  annotations();
  std::vector<PendingAnnotation> pending = std::exchange(annotations_, {});
  std::vector<std::string> comments = peek().comments;
  expect("bitfield", "in a bitset");
  expect("<", "and the number of bits");
  const Span span = peek().span;
  aoi::Bitset::Bits f;
  f.width = 1;
  positive(expression(), f.width, "a number of bits");
  if (accept(",")) f.type = type_spec();
  expect(">", "behind the number of bits");
  const aoi::Type* const type = aoi::resolve(f.type);
  const std::uint32_t room = type && type->kind == aoi::Type::Kind::Basic ? bits_of(type->basic) : 0;
  if (type && room == 0)
    report(Kind::NotAType, f.type->span, "a bit field is read as an integer, octet or boolean");
  else if (type && f.width > room)
    report(Kind::BadBound, span, fmt::format("the bit field has {} bits, its type {}", f.width, room));
  if (f.width > 64) {
    report(Kind::BadBound, span, "a bit field has 1 to 64 bits");
    f.width = 64;
  }
  f.annotations = attach(std::move(pending), kBitfield, f.type);
  if (peek().is(";")) {
    all += f.width;
    b.fields.push_back(f);
  }
  while (!peek().is(";")) {
    const Token name = identifier("the bit field's name");
    declare(name, Symbol::Kind::Member, nullptr);
    f.name = name.text;
    f.span = name.span;
    f.comments = std::exchange(comments, {});
    all += f.width;
    b.fields.push_back(f);
    if (!accept(",")) break;
  }
  expect(";", "behind the bit field");
}

aoi::Enum* Parser::enumeration(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the enum's name");
  auto* const e = contract_.make<aoi::Enum>();
  fill(*e, name, comments);
  const std::uint32_t bits = bit_bound(e->annotations, 32);
  declare(name, Symbol::Kind::Declaration, e);
  into.push_back(e);
  expect("{", "to open the enum");
  do enumerator(*e);
  while (accept(",") && !peek().is("}"));
  expect("}", "to close the enum");
  check_numbers(*e, bits);
  return e;
}

// [@value(N)] NAME
void Parser::enumerator(aoi::Enum& e) {
  annotations();
  aoi::Enum::Enumerator item;
  item.annotations = take_annotations(kEnumerator);
  item.comments = peek().comments;
  const Token name = identifier("an enumerator");
  item.name = name.text;
  item.span = name.span;
  item.value = static_cast<std::uint32_t>(e.enumerators.size());
  item.number = e.enumerators.empty() ? 0 : e.enumerators.back().number + 1;
  if (const aoi::Annotation* const a = aoi::find_standard(item.annotations, "value")) {
    const std::int64_t* const number = std::get_if<std::int64_t>(&a->arguments[0].value);
    const bool fits = number && *number >= INT32_MIN && *number <= UINT32_MAX;
    if (fits) item.number = *number;
    else report(Kind::BadAnnotation, a->span, "@value takes an integer of 32 bits here");
  }
  Symbol* const s = declare(name, Symbol::Kind::Enumerator, &e);
  if (s->decl == &e) s->ordinal = item.value;
  e.enumerators.push_back(std::move(item));
}

// The numbers differ and fit the bits; one enumerator at most is the default.
void Parser::check_numbers(const aoi::Enum& e, std::uint32_t bits) {
  std::map<std::int64_t, const aoi::Enum::Enumerator*> seen;
  const aoi::Enum::Enumerator* standard = nullptr;
  const std::int64_t limit = std::int64_t{1} << bits;
  for (const aoi::Enum::Enumerator& item : e.enumerators) {
    if (item.number >= limit || item.number < -limit / 2)
      report(Kind::OutOfRange, item.span,
             fmt::format("'{}' has the number {}, which {} bits do not hold", item.name, item.number, bits));
    const auto [other, fresh] = seen.emplace(item.number, &item);
    if (!fresh)
      report(
          Kind::DuplicateLabel, item.span,
          fmt::format("'{}' and '{}' both have the number {}", other->second->name, item.name, item.number),
          {{other->second->span, "declared here"}});
    if (!aoi::find_standard(item.annotations, "default_literal")) continue;
    if (standard)
      report(Kind::BadAnnotation, item.span, "an enum has one @default_literal at most",
             {{standard->span, "the first one"}});
    standard = &item;
  }
}

}  // namespace corbel::idl::omg
