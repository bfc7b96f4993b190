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

aoi::Struct* Parser::structure(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the struct's name");
  auto* s = forwarded<aoi::Struct>(find_here(*scope_, lower(name.text)), name.text, aoi::Decl::Kind::Struct);
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

}  // namespace corbel::idl::omg
