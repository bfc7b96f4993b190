#include <fmt/format.h>

#include <utility>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {

aoi::Union* Parser::union_type(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the union's name");
  const bool forward = peek().is(";");
  auto* u =
      forwarded<aoi::Union>(find_here(*scope_, lower(name.text)), name.text, aoi::Decl::Kind::Union, forward);
  const bool known = u != nullptr;
  if (!known) {
    u = contract_.make<aoi::Union>();
    fill(*u, name, comments);
    declare(name, Symbol::Kind::Declaration, u);
    constructed_.push_back(u);
  }
  if (forward) {
    if (!u->complete) u->forward_declared = true;
    if (!known && include_depth_ == 0) forward_.push_back(u);
    if (!known) into.push_back(u);
    return u;
  }
  into.push_back(u);
  place(*u, name, comments);
  enter(u);
  discriminator(*u);
  expect("{", "to open the union");
  const bool empty = peek().is("}");
  std::set<std::int64_t> seen;
  std::vector<aoi::Union::Case> cases;
  while (!peek().is("}") && peek().type != Token::Type::End) {
    Scope& scope = *scope_;
    const Span first = peek().span;
    const int braces = open_braces_;
    try {
      annotations();
      union_case(*u, seen, cases);
    } catch (const Abandon&) {
      recover(scope, first, braces);
    }
  }
  u->cases = std::move(cases);
  leave();
  expect("}", "to close the union");
  if (empty)
    report(Kind::EmptyType, name.span,
           fmt::format("union '{}' has no cases; it needs at least one", name.text));
  finish_union(*u, seen);
  check_ids(*u);
  u->complete = true;
  return u;
}

// "switch (TYPE)"
void Parser::discriminator(aoi::Union& u) {
  using B = aoi::Basic;
  expect("switch", "and the discriminator");
  expect("(", "and the discriminator's type");
  annotations();
  std::vector<PendingAnnotation> pending = std::exchange(annotations_, {});
  const Span span = peek().span;
  u.discriminator = peek().is("enum") ? constructed_or_simple(u.nested) : type_spec();
  u.discriminator_annotations = attach(std::move(pending), kDiscriminator, u.discriminator);
  const aoi::Type* const d = aoi::resolve(u.discriminator);
  const bool is_enum = d && d->kind == aoi::Type::Kind::Named && d->decl->kind == aoi::Decl::Kind::Enum;
  const bool is_basic = d && d->kind == aoi::Type::Kind::Basic && d->basic != B::Float &&
                        d->basic != B::Double && d->basic != B::LongDouble && d->basic != B::Void;
  if (d && !is_enum && !is_basic)
    report(Kind::BadDiscriminator, span,
           "a union is switched by an integer, character, boolean or enum; use one of these");
  if (!is_enum && !is_basic) u.discriminator = nullptr;
  expect(")", "behind the discriminator's type");
}

void Parser::union_case(aoi::Union& u, std::set<std::int64_t>& seen, std::vector<aoi::Union::Case>& cases) {
  aoi::Union::Case c;
  const aoi::Type* const d = aoi::resolve(u.discriminator);
  std::vector<std::string> comments = peek().comments;
  if (!peek().is("case") && !peek().is("default")) syntax_error("'case' or 'default'");
  while (peek().is("case") || peek().is("default")) {
    const Token word = take();
    if (word.text == "default") {
      if (u.has_default) report(Kind::DuplicateLabel, word.span, "a union has one default case at most");
      u.has_default = c.is_default = true;
      expect(":", "behind 'default'");
      continue;
    }
    const ConstantValue value = expression(u.discriminator);
    expect(":", "behind the label");
    aoi::ConstantValue converted;
    if (!d || value.kind == ConstantValue::Kind::Error) continue;
    if (!convert(value, u.discriminator, converted)) continue;
    const auto label = static_cast<std::int64_t>(value.integer);
    if (!seen.insert(label).second) {
      report(Kind::DuplicateLabel, value.span, "this label stands in the union already");
      continue;
    }
    c.labels.push_back(label);
    c.label_names.push_back(value.kind == ConstantValue::Kind::Enumerator ? value.text : "");
  }
  annotations();
  std::vector<PendingAnnotation> pending = std::exchange(annotations_, {});
  const aoi::Type* const base = constructed_or_simple(u.nested);
  c.field.annotations = attach(std::move(pending), kUnionMember, base);
  Token name;
  c.field.type = declarator(base, name);
  if (c.field.type) check_complete(c.field.type, base ? base->span : name.span);
  hold(&u, c.field.type, name.span);
  c.field.name = name.text;
  c.field.span = name.span;
  c.field.comments = std::move(comments);
  declare(name, Symbol::Kind::Member, nullptr);
  expect(";", "behind the member");
  if (c.field.type) cases.push_back(std::move(c));
}

// Finds a discriminator value that no label uses; without one there is no default.
void Parser::finish_union(aoi::Union& u, const std::set<std::int64_t>& seen) {
  const aoi::Type* const d = aoi::resolve(u.discriminator);
  if (!d) return;
  std::int64_t low = 0, high = 0;
  if (d->kind == aoi::Type::Kind::Named) {
    high = static_cast<std::int64_t>(static_cast<const aoi::Enum*>(d->decl)->enumerators.size()) - 1;
  } else {
    switch (d->basic) {
      case aoi::Basic::Boolean:
        high = 1;
        break;
      case aoi::Basic::Char:
      case aoi::Basic::Octet:
      case aoi::Basic::UInt8:
        high = 255;
        break;
      case aoi::Basic::Int8:
        low = INT8_MIN, high = INT8_MAX;
        break;
      case aoi::Basic::WChar:
        high = 0xfffd;
        break;
      case aoi::Basic::Short:
        low = INT16_MIN, high = INT16_MAX;
        break;
      case aoi::Basic::UShort:
        high = UINT16_MAX;
        break;
      case aoi::Basic::Long:
        low = INT32_MIN, high = INT32_MAX;
        break;
      case aoi::Basic::ULong:
        high = UINT32_MAX;
        break;
      default:
        low = d->basic == aoi::Basic::LongLong ? INT64_MIN : 0, high = INT64_MAX;
        break;
    }
  }
  std::int64_t free = high;
  while (free > low && seen.contains(free)) --free;
  const bool found = !seen.contains(free);
  if (found) u.default_label = free;
  if (u.has_default && !found)
    report(Kind::BadLabel, u.span,
           fmt::format("the labels of '{}' cover every value, so its default case can never be", u.name));
  u.implicit_default = found && !u.has_default;
}

}  // namespace corbel::idl::omg
