#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

constexpr std::uint64_t kMostElements = 0x7fffffff;  // of an array: larger ones fit no message

bool is_incomplete(const aoi::Decl* decl) {
  if (decl->kind == aoi::Decl::Kind::Struct) return !static_cast<const aoi::Struct*>(decl)->complete;
  if (decl->kind == aoi::Decl::Kind::Union) return !static_cast<const aoi::Union*>(decl)->complete;
  return false;
}

}  // namespace

const aoi::Type* Parser::basic(aoi::Basic basic, Span span) {
  auto* const t = contract_.make<aoi::Type>();
  t->basic = basic;
  t->span = span;
  return t;
}

const aoi::Type* Parser::named(aoi::Decl* decl, Span span) {
  auto* const t = contract_.make<aoi::Type>();
  t->kind = aoi::Type::Kind::Named;
  t->decl = decl;
  t->span = span;
  return t;
}

// A struct or union can hold itself only through a sequence, and must be defined before it is used as a
// value.
void Parser::check_complete(const aoi::Type* type, Span span) {
  type = aoi::resolve(type);
  while (type && type->kind == aoi::Type::Kind::Array) type = aoi::resolve(type->element);
  if (!type || type->kind != aoi::Type::Kind::Named || !is_incomplete(type->decl)) return;
  for (const Scope* s = scope_; s; s = s->parent) {
    if (s->decl == type->decl)
      return report(Kind::RecursiveType, span,
                    fmt::format("'{}' would hold itself; a type can hold itself only through a sequence",
                                type->decl->name),
                    {{type->decl->span, "declared here"}});
  }
  report(Kind::IncompleteType, span,
         fmt::format("'{}' is not defined yet; define it before, or hold it in a sequence", type->decl->name),
         {{type->decl->span, "declared here"}});
}

int Parser::height(const aoi::Type* type) const {
  int levels = 0;
  for (; type && (type->kind == aoi::Type::Kind::Sequence || type->kind == aoi::Type::Kind::Array);
       type = type->element)
    ++levels;
  if (!type || type->kind != aoi::Type::Kind::Named || type->decl->kind == aoi::Decl::Kind::Interface)
    return levels;
  const auto known = heights_.find(type->decl);
  return levels + (known == heights_.end() ? 0 : known->second);
}

// Notes that `decl` is made of `type`.
void Parser::hold(aoi::Decl* decl, const aoi::Type* type, Span span) {
  int& own = heights_[decl];
  own = std::max(own, height(type) + 1);
  if (own <= kTallest) return;
  report(Kind::NestingTooDeep, span,
         fmt::format("types are made of each other through more than {} levels; flatten them", kTallest));
  own = 0;
}

// ---- type specifications

const aoi::Type* Parser::type_spec(bool allow_void) {
  const DepthGuard guard(depth_);
  if (depth_ > kDeepest) {
    report(Kind::NestingTooDeep, peek().span, fmt::format("types are nested deeper than {}", kDeepest));
    throw Abandon{};
  }
  while (peek().is("@")) refuse("annotation");
  if (peek().is("void")) {
    const Token t = take();
    if (!allow_void) report(Kind::NotAType, t.span, "void is the type of a result only");
    return allow_void ? basic(aoi::Basic::Void, t.span) : nullptr;
  }
  if (peek().is("sequence") || peek().is("string") || peek().is("wstring") || peek().is("fixed"))
    return template_type();
  return simple_type();
}

const aoi::Type* Parser::simple_type() {
  const Token t = peek();
  const auto refused = [&](std::string_view name) -> const aoi::Type* {
    unsupported(t.span, name);
    return nullptr;
  };
  struct Word {
    std::string_view text;
    aoi::Basic basic;
  };
  static constexpr Word kWords[] = {{"boolean", aoi::Basic::Boolean}, {"octet", aoi::Basic::Octet},
                                    {"char", aoi::Basic::Char},       {"short", aoi::Basic::Short},
                                    {"float", aoi::Basic::Float},     {"double", aoi::Basic::Double}};
  for (const Word& w : kWords)
    if (accept(w.text)) return basic(w.basic, t.span);
  if (accept("long")) {
    if (accept("long")) return basic(aoi::Basic::LongLong, t.span);
    if (accept("double")) return refused("long double");
    return basic(aoi::Basic::Long, t.span);
  }
  if (accept("unsigned")) {
    if (accept("short")) return basic(aoi::Basic::UShort, t.span);
    expect("long", "or 'short' behind 'unsigned'");
    return basic(accept("long") ? aoi::Basic::ULongLong : aoi::Basic::ULong, t.span);
  }
  if (accept("Object")) {
    auto* const o = contract_.make<aoi::Type>();
    o->kind = aoi::Type::Kind::Object;
    o->span = t.span;
    return o;
  }
  for (const std::string_view w : {"any", "wchar", "ValueBase"}) {
    if (!peek().is(w)) continue;
    take();
    return refused(w);
  }
  static const std::set<std::string_view> kIdl4 = {"int8",   "uint8", "int16",  "uint16", "int32",
                                                   "uint32", "int64", "uint64", "map"};
  if (kIdl4.contains(t.text)) {
    bool known = false;
    for (Scope* s = scope_; s; s = s->parent) known = known || find_here(*s, t.text);
    if (!known) {
      take();
      if (accept("<"))
        for (int depth = 1; depth > 0 && peek().type != Token::Type::End && !peek().is(";");) {
          const Token x = take();
          depth += x.is("<") ? 1 : x.is(">") ? -1 : x.is(">>") ? -2 : 0;
        }
      return refused(t.text);
    }
  }
  if (!starts_name()) syntax_error("a type");
  Symbol* const s = scoped_name();
  if (!s) return nullptr;
  const bool type = s->kind == Symbol::Kind::Declaration && s->decl &&
                    s->decl->kind != aoi::Decl::Kind::Module && s->decl->kind != aoi::Decl::Kind::Constant &&
                    s->decl->kind != aoi::Decl::Kind::Exception;
  if (!type) {
    report(Kind::NotAType, t.span, fmt::format("'{}' is no type", s->name), {{s->span, "declared here"}});
    return nullptr;
  }
  return named(s->decl, t.span);
}

std::uint32_t Parser::bound() {
  std::uint32_t n = 0;
  positive(expression(), n, "a bound");
  return n;
}

const aoi::Type* Parser::template_type() {
  const Token word = take();
  auto* const t = contract_.make<aoi::Type>();
  t->span = word.span;
  if (word.text == "string" || word.text == "wstring") {
    t->kind = aoi::Type::Kind::String;
    if (accept("<")) {
      t->bound = bound();
      expect(">", "behind the bound");
    }
    if (word.text == "string") return t;
    unsupported(word.span, "wstring");
    return nullptr;
  }
  if (word.text == "fixed") {
    unsupported(word.span, "fixed");
    if (accept("<")) {
      bound();
      expect(",", "and the scale");
      expression();
      expect(">", "behind the scale");
    }
    return nullptr;
  }
  t->kind = aoi::Type::Kind::Sequence;
  expect("<", "and the sequence's element type");
  t->element = type_spec();
  if (accept(",")) t->bound = bound();
  expect(">", "behind the element type");
  if (!t->element) return nullptr;
  const aoi::Type* const element = aoi::resolve(t->element);
  if (element->kind == aoi::Type::Kind::Array) {
    const aoi::Type* inner = element;
    while (inner->kind == aoi::Type::Kind::Array) inner = aoi::resolve(inner->element);
    check_complete(inner, t->span);
  }
  return t;
}

const aoi::Type* Parser::constructed_or_simple(std::vector<const aoi::Decl*>& nested) {
  const DepthGuard guard(depth_);
  if (depth_ > kDeepest) {
    report(Kind::NestingTooDeep, peek().span, fmt::format("types are nested deeper than {}", kDeepest));
    throw Abandon{};
  }
  while (peek().is("@")) refuse("annotation");
  const Span span = peek().span;
  if (peek().is("struct") && (peek_second().type == Token::Type::Identifier)) {
    aoi::Struct* const s = structure(nested);
    return s ? named(s, span) : nullptr;
  }
  if (peek().is("union")) {
    aoi::Union* const u = union_type(nested);
    return u ? named(u, span) : nullptr;
  }
  if (peek().is("enum")) return named(enumeration(nested), span);
  return type_spec();
}

const aoi::Type* Parser::declarator(const aoi::Type* base, Token& name, bool arrays) {
  name = identifier("a name");
  if (!peek().is("[") || !arrays) return base;
  auto* const t = contract_.make<aoi::Type>();
  t->kind = aoi::Type::Kind::Array;
  t->element = base;
  t->span = name.span;
  std::uint64_t all = 1;
  while (accept("[")) {
    std::uint32_t n = 1;
    const Span span = peek().span;
    positive(expression(), n, "a dimension");
    t->dims.push_back(n);
    all *= n;
    if (all > kMostElements) {
      report(Kind::BadBound, span, "this array has more elements than a message can hold");
      all = 1;
    }
    expect("]", "behind the dimension");
  }
  return base ? t : nullptr;
}

// ---- type declarations

bool Parser::type_definition(std::vector<const aoi::Decl*>& into) {
  if (peek().is("typedef")) {
    type_declarators(into);
  } else if (peek().is("struct")) {
    structure(into);
    expect(";", "behind the struct");
  } else if (peek().is("union")) {
    union_type(into);
    expect(";", "behind the union");
  } else if (peek().is("enum")) {
    enumeration(into);
    expect(";", "behind the enum");
  } else {
    return false;
  }
  return true;
}

void Parser::type_declarators(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const aoi::Type* const base = constructed_or_simple(into);
  do {
    auto* const t = contract_.make<aoi::Typedef>();
    Token name;
    t->type = declarator(base, name);
    if (t->type && t->type->kind == aoi::Type::Kind::Array) check_complete(t->type, name.span);
    fill(*t, name, comments);
    hold(t, t->type, name.span);
    Symbol* const s = declare(name, Symbol::Kind::Declaration, t);
    if (!t->type && s->decl == t) s->kind = Symbol::Kind::Refused;
    into.push_back(t);
  } while (accept(","));
  expect(";", "behind the typedef");
}

namespace {
// The earlier forward declaration of this kind and name, if any.
template <typename T>
T* forwarded(Symbol* known, const Token& name, aoi::Decl::Kind kind) {
  if (!known || known->name != name.text || !known->decl || known->decl->kind != kind) return nullptr;
  auto* const t = static_cast<T*>(known->decl);
  return t->complete ? nullptr : t;
}
}  // namespace

aoi::Struct* Parser::structure(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the struct's name");
  auto* s = forwarded<aoi::Struct>(find_here(*scope_, lower(name.text)), name, aoi::Decl::Kind::Struct);
  const bool known = s != nullptr;
  if (!known) {
    s = contract_.make<aoi::Struct>();
    fill(*s, name, comments);
    declare(name, Symbol::Kind::Declaration, s);
    constructed_.push_back(s);
  }
  if (peek().is(";")) {
    s->forward_declared = true;
    if (!known && include_depth_ == 0) forward_.push_back(s);
    if (!known) into.push_back(s);
    return s;
  }
  if (peek().is(":")) {
    unsupported(peek().span, "struct inheritance");
    throw Abandon{};
  }
  into.push_back(s);
  expect("{", "to open the struct");
  const bool empty = peek().is("}");
  place(*s, name, comments);
  enter(s);
  fields(s, s->fields, s->nested);
  leave();
  expect("}", "to close the struct");
  if (empty)
    report(Kind::EmptyType, name.span,
           fmt::format("struct '{}' has no members; it needs at least one", name.text));
  s->complete = true;
  return s;
}

void Parser::fields(aoi::Decl* owner, std::vector<aoi::Field>& fields,
                    std::vector<const aoi::Decl*>& nested) {
  while (!peek().is("}") && peek().type != Token::Type::End) {
    Scope& scope = *scope_;
    const Token first = peek();
    const int braces = open_braces_;
    try {
      if (peek().is("@")) refuse("annotation");
      else field(owner, fields, nested);
    } catch (const Abandon&) {
      recover(scope, first, braces);
    }
  }
}

void Parser::field(aoi::Decl* owner, std::vector<aoi::Field>& fields, std::vector<const aoi::Decl*>& nested) {
  std::vector<std::string> comments = peek().comments;
  const aoi::Type* const base = constructed_or_simple(nested);
  do {
    aoi::Field f;
    Token name;
    f.type = declarator(base, name);
    if (f.type) check_complete(f.type, base ? base->span : name.span);
    hold(owner, f.type, name.span);
    f.name = name.text;
    f.span = name.span;
    f.comments = std::exchange(comments, {});
    declare(name, Symbol::Kind::Member, nullptr);
    if (f.type) fields.push_back(std::move(f));
  } while (accept(","));
  expect(";", "behind the member");
}

aoi::Enum* Parser::enumeration(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the enum's name");
  auto* const e = contract_.make<aoi::Enum>();
  fill(*e, name, comments);
  declare(name, Symbol::Kind::Declaration, e);
  into.push_back(e);
  expect("{", "to open the enum");
  do {
    if (peek().is("@")) refuse("annotation");
    std::vector<std::string> notes = peek().comments;
    const Token item = identifier("an enumerator");
    const auto ordinal = static_cast<std::uint32_t>(e->enumerators.size());
    Symbol* const s = declare(item, Symbol::Kind::Enumerator, e);
    if (s->decl == e) s->ordinal = ordinal;
    e->enumerators.push_back({item.text, ordinal, item.span, std::move(notes)});
  } while (accept(",") && !peek().is("}"));
  expect("}", "to close the enum");
  return e;
}

// ---- unions

aoi::Union* Parser::union_type(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the union's name");
  auto* u = forwarded<aoi::Union>(find_here(*scope_, lower(name.text)), name, aoi::Decl::Kind::Union);
  const bool known = u != nullptr;
  if (!known) {
    u = contract_.make<aoi::Union>();
    fill(*u, name, comments);
    declare(name, Symbol::Kind::Declaration, u);
    constructed_.push_back(u);
  }
  if (peek().is(";")) {
    u->forward_declared = true;
    if (!known && include_depth_ == 0) forward_.push_back(u);
    if (!known) into.push_back(u);
    return u;
  }
  into.push_back(u);
  place(*u, name, comments);
  enter(u);
  expect("switch", "and the discriminator");
  expect("(", "and the discriminator's type");
  const Span span = peek().span;
  u->discriminator = peek().is("enum") ? constructed_or_simple(u->nested) : type_spec();
  const aoi::Type* const d = aoi::resolve(u->discriminator);
  const bool fits = d && ((d->kind == aoi::Type::Kind::Basic && d->basic != aoi::Basic::Float &&
                           d->basic != aoi::Basic::Double && d->basic != aoi::Basic::Octet &&
                           d->basic != aoi::Basic::Void) ||
                          (d->kind == aoi::Type::Kind::Named && d->decl->kind == aoi::Decl::Kind::Enum));
  if (d && !fits)
    report(Kind::BadDiscriminator, span, "a union is switched by an integer, char, boolean or enum");
  if (!fits) u->discriminator = nullptr;
  expect(")", "behind the discriminator's type");
  expect("{", "to open the union");
  const bool empty = peek().is("}");
  std::set<std::int64_t> seen;
  std::vector<aoi::Union::Case> cases;
  while (!peek().is("}") && peek().type != Token::Type::End) {
    Scope& scope = *scope_;
    const Token first = peek();
    const int braces = open_braces_;
    try {
      if (peek().is("@")) refuse("annotation");
      else union_case(*u, seen, cases);
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
  u->complete = true;
  return u;
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
    aoi::Value converted;
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
  while (peek().is("@")) refuse("annotation");
  const aoi::Type* const base = constructed_or_simple(u.nested);
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
        high = 255;
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
