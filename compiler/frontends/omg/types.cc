#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
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

const aoi::Type* Parser::special(aoi::Type::Kind kind, Span span) {
  auto* const t = contract_.make<aoi::Type>();
  t->kind = kind;
  t->span = span;
  return t;
}

bool Parser::is_known(const std::string& name) {
  for (Scope* s = scope_; s; s = s->parent)
    if (find_here(*s, name)) return true;
  return false;
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
  for (; type && (type->kind == aoi::Type::Kind::Sequence || type->kind == aoi::Type::Kind::Array ||
                  type->kind == aoi::Type::Kind::Map);
       type = type->element)
    ++levels;
  if (!type || type->kind != aoi::Type::Kind::Named || type->decl->kind == aoi::Decl::Kind::Interface ||
      type->decl->kind == aoi::Decl::Kind::Value)
    return levels;
  const auto known = heights_.find(type->decl);
  return levels + (known == heights_.end() ? 0 : known->second);
}

// Notes that `decl` is made of `type`.
void Parser::hold(aoi::Decl* decl, const aoi::Type* type, Span span) {
  if (is_local(type)) local_types_.insert(decl);
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
  annotations();
  if (peek().is("void")) {
    const Token t = take();
    if (!allow_void) report(Kind::NotAType, t.span, "void is the type of a result only");
    return allow_void ? basic(aoi::Basic::Void, t.span) : nullptr;
  }
  if (peek().is("sequence") || peek().is("string") || peek().is("wstring") || peek().is("fixed") ||
      (peek().is("map") && peek_second().is("<") && !is_known("map")))
    return template_type();
  return simple_type();
}

const aoi::Type* Parser::simple_type() {
  const Span span = peek().span;
  struct Word {
    std::string_view text;
    aoi::Basic basic;
  };
  static constexpr Word kWords[] = {{"boolean", aoi::Basic::Boolean}, {"octet", aoi::Basic::Octet},
                                    {"char", aoi::Basic::Char},       {"short", aoi::Basic::Short},
                                    {"float", aoi::Basic::Float},     {"double", aoi::Basic::Double},
                                    {"wchar", aoi::Basic::WChar}};
  for (const Word& w : kWords)
    if (accept(w.text)) return basic(w.basic, span);
  if (accept("long")) {
    if (accept("long")) return basic(aoi::Basic::LongLong, span);
    if (accept("double")) return basic(aoi::Basic::LongDouble, span);
    return basic(aoi::Basic::Long, span);
  }
  if (accept("unsigned")) {
    if (accept("short")) return basic(aoi::Basic::UShort, span);
    expect("long", "or 'short' behind 'unsigned'");
    return basic(accept("long") ? aoi::Basic::ULongLong : aoi::Basic::ULong, span);
  }
  if (accept("Object")) return special(aoi::Type::Kind::Object, span);
  if (accept("any")) return special(aoi::Type::Kind::Any, span);
  if (accept("ValueBase")) return special(aoi::Type::Kind::ValueBase, span);
  // Words of IDL 4 are names where something of that name is declared.
  static constexpr Word kIdl4[] = {{"int8", aoi::Basic::Int8},      {"uint8", aoi::Basic::UInt8},
                                   {"int16", aoi::Basic::Short},    {"uint16", aoi::Basic::UShort},
                                   {"int32", aoi::Basic::Long},     {"uint32", aoi::Basic::ULong},
                                   {"int64", aoi::Basic::LongLong}, {"uint64", aoi::Basic::ULongLong}};
  for (const Word& w : kIdl4) {
    if (!peek().is(w.text) || is_known(peek().text)) continue;
    take();
    return basic(w.basic, span);
  }
  if (!starts_name() || is_keyword(peek().text)) syntax_error("a type");
  Symbol* const s = scoped_name();
  if (!s) return nullptr;
  if (s->decl && s->decl->scoped_name == "::CORBA::TypeCode") return special(aoi::Type::Kind::TypeCode, span);
  const bool type = (s->kind == Symbol::Kind::Declaration || s->kind == Symbol::Kind::Builtin) && s->decl &&
                    s->decl->kind != aoi::Decl::Kind::Module && s->decl->kind != aoi::Decl::Kind::Constant &&
                    s->decl->kind != aoi::Decl::Kind::Exception;
  if (!type) {
    report(Kind::NotAType, span, fmt::format("'{}' is no type", s->name), {{s->span, "declared here"}});
    return nullptr;
  }
  return named(s->decl, span);
}

std::uint32_t Parser::bound() {
  std::uint32_t n = 0;
  positive(expression(), n, "a bound");
  return n;
}

// Annotations of an element are checked; AOI has no place for them.
const aoi::Type* Parser::element_type() {
  std::vector<PendingAnnotation> outer = std::exchange(annotations_, {});
  const aoi::Type* const type = type_spec();
  attach(std::exchange(annotations_, std::move(outer)), kElement, type);
  return type;
}

const aoi::Type* Parser::template_type() {
  const Token word = take();
  auto* const t = contract_.make<aoi::Type>();
  t->span = word.span;
  if (word.text == "string" || word.text == "wstring") {
    t->kind = word.text == "string" ? aoi::Type::Kind::String : aoi::Type::Kind::WString;
    if (accept("<")) {
      t->bound = bound();
      expect(">", "behind the bound");
    }
    return t;
  }
  if (word.text == "fixed") return fixed_type(word);
  if (word.text == "map") {
    t->kind = aoi::Type::Kind::Map;
    expect("<", "and the map's key type");
    t->key = element_type();
    expect(",", "and the map's value type");
    t->element = element_type();
    if (accept(",")) t->bound = bound();
    expect(">", "behind the value type");
    if (t->element) check_complete(t->element, t->span);
    return t->key && t->element ? t : nullptr;
  }
  t->kind = aoi::Type::Kind::Sequence;
  expect("<", "and the sequence's element type");
  t->element = element_type();
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

// fixed<digits, scale>; only a constant's type can be fixed alone.
const aoi::Type* Parser::fixed_type(const Token& word) {
  auto* const t = contract_.make<aoi::Type>();
  t->kind = aoi::Type::Kind::Fixed;
  t->span = word.span;
  expect("<", "and the digits and scale of fixed");
  const Span span = peek().span;
  const ConstantValue digits = expression();
  expect(",", "and the scale");
  const ConstantValue scale = expression();
  expect(">", "behind the scale");
  using K = ConstantValue::Kind;
  if (digits.kind == K::Error || scale.kind == K::Error) return nullptr;
  if (digits.kind != K::Integer || scale.kind != K::Integer || digits.integer < 1 ||
      digits.integer > Decimal::kMostDigits || scale.integer < 0 || scale.integer > digits.integer) {
    report(Kind::BadBound, span,
           "fixed<digits, scale> has 1 to 31 digits, of which 0 to all stand behind the point");
    return nullptr;
  }
  t->digits = static_cast<std::uint16_t>(digits.integer);
  t->scale = static_cast<std::int16_t>(scale.integer);
  return t;
}

const aoi::Type* Parser::constructed_or_simple(std::vector<const aoi::Decl*>& nested) {
  const DepthGuard guard(depth_);
  if (depth_ > kDeepest) {
    report(Kind::NestingTooDeep, peek().span, fmt::format("types are nested deeper than {}", kDeepest));
    throw Abandon{};
  }
  annotations();
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
  } else if (peek().is("bitmask") && peek_second().type == Token::Type::Identifier) {
    bitmask(into);
    expect(";", "behind the bitmask");
  } else if (peek().is("bitset") && peek_second().type == Token::Type::Identifier) {
    bitset(into);
    expect(";", "behind the bitset");
  } else {
    return false;
  }
  return true;
}

void Parser::type_declarators(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  std::vector<PendingAnnotation> pending = std::exchange(annotations_, {});
  const aoi::Type* const base = constructed_or_simple(into);
  std::move(annotations_.begin(), annotations_.end(), std::back_inserter(pending));
  annotations_.clear();
  const std::vector<aoi::Annotation> notes = attach(std::move(pending), kTypedef, base);
  do {
    auto* const t = contract_.make<aoi::Typedef>();
    Token name;
    t->type = declarator(base, name);
    if (t->type && t->type->kind == aoi::Type::Kind::Array) check_complete(t->type, name.span);
    fill(*t, name, comments);
    t->annotations = notes;
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
  const bool forward = peek().is(";");
  auto* s = forwarded<aoi::Struct>(find_here(*scope_, lower(name.text)), name.text, aoi::Decl::Kind::Struct,
                                   forward);
  const bool known = s != nullptr;
  if (!known) {
    s = contract_.make<aoi::Struct>();
    fill(*s, name, comments);
    declare(name, Symbol::Kind::Declaration, s);
    constructed_.push_back(s);
  }
  if (forward) {
    if (!s->complete) s->forward_declared = true;
    if (!known && include_depth_ == 0) forward_.push_back(s);
    if (!known) into.push_back(s);
    return s;
  }
  if (accept(":")) s->base = struct_base();
  if (s->base && (heights_[s] = heights_[s->base] + 1) > kTallest) {
    report(Kind::NestingTooDeep, name.span,
           fmt::format("structs derive from each other more than {} times; flatten them", kTallest));
    heights_[s] = 0;
    s->base = nullptr;
  }
  if (s->base && !inherits(widths_[s->base], name.span)) s->base = nullptr;
  if (local_types_.contains(s->base)) local_types_.insert(s);
  into.push_back(s);
  expect("{", "to open the struct");
  const bool empty = peek().is("}");
  place(*s, name, comments);
  enter(s);
  fields(s, s->fields, s->nested);
  leave();
  expect("}", "to close the struct");
  widths_[s] = s->fields.size() + (s->base ? widths_[s->base] : 0);
  check_fields(*s);
  check_ids(*s);
  if (empty && !s->base)
    report(Kind::EmptyType, name.span,
           fmt::format("struct '{}' has no members; it needs at least one", name.text));
  s->complete = true;
  return s;
}

void Parser::fields(aoi::Decl* owner, std::vector<aoi::Field>& fields,
                    std::vector<const aoi::Decl*>& nested) {
  while (!peek().is("}") && peek().type != Token::Type::End) {
    Scope& scope = *scope_;
    const Span first = peek().span;
    const int braces = open_braces_;
    try {
      annotations();
      field(owner, fields, nested);
    } catch (const Abandon&) {
      recover(scope, first, braces);
    }
  }
}

void Parser::field(aoi::Decl* owner, std::vector<aoi::Field>& fields, std::vector<const aoi::Decl*>& nested) {
  std::vector<std::string> comments = peek().comments;
  std::vector<PendingAnnotation> pending = std::exchange(annotations_, {});
  const aoi::Type* const base = constructed_or_simple(nested);
  std::move(annotations_.begin(), annotations_.end(), std::back_inserter(pending));
  annotations_.clear();
  const std::vector<aoi::Annotation> notes = attach(std::move(pending), kMember, base);
  do {
    aoi::Field f;
    f.annotations = notes;
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

// Behind "struct NAME :"
const aoi::Struct* Parser::struct_base() {
  const Span span = peek().span;
  Symbol* const s = scoped_name();
  if (!s) return nullptr;
  const aoi::Decl* const d = declaration_behind(*s);
  const auto* const base =
      d && d->kind == aoi::Decl::Kind::Struct ? static_cast<const aoi::Struct*>(d) : nullptr;
  if (base && base->complete) return base;
  report(Kind::BadBase, span,
         base ? fmt::format("'{}' is not defined yet; a base must be defined before", s->name)
              : fmt::format("'{}' is no struct, so no struct can derive from it", s->name),
         {{s->span, "declared here"}});
  return nullptr;
}

}  // namespace corbel::idl::omg
