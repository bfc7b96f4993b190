#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
void Parser::definitions(std::vector<const aoi::Decl*>& into, bool in_module) {
  while (peek().type != Token::Type::End && !diagnostics_.exhausted()) {
    if (peek().is("}")) {
      if (in_module) return;
      report(Kind::Syntax, peek().span, "this '}' closes nothing");
      take();
      accept(";");
      continue;
    }
    Scope& scope = *scope_;
    const Span first = peek().span;
    const int braces = open_braces_;
    try {
      definition(into);
    } catch (const Abandon&) {
      recover(scope, first, braces);
    }
  }
}

void Parser::definition(std::vector<const aoi::Decl*>& into) {
  const DepthGuard guard(depth_);
  if (depth_ > kDeepest) {
    report(Kind::NestingTooDeep, peek().span,
           fmt::format("declarations are nested deeper than {}", kDeepest));
    throw Abandon{};
  }
  if (accept(";")) return;  // a stray semicolon is common and harmless
  if (peek().is("@") && peek_second().is("annotation")) return annotation_type();
  annotations();
  if (peek().is(";")) return;
  declaration(into, peek());
  annotations_.clear();
}

// By its first word.
void Parser::declaration(std::vector<const aoi::Decl*>& into, const Token t) {
  const bool named = peek_second().type == Token::Type::Identifier;
  if (t.is("module")) return module(into);
  if (t.is("interface")) return interface(into);
  if (t.is("import")) return import();
  if (named && t.is("alias")) {
    take();
    return instantiate(t.comments);
  }
  if (named && t.is("component")) return component(into, aoi::Decl::Kind::Component);
  if (named && t.is("connector")) return component(into, aoi::Decl::Kind::Connector);
  if (named && t.is("porttype")) return component(into, aoi::Decl::Kind::PortType);
  if (named && t.is("home")) return home(into);
  if (named && t.is("native")) return native(into);
  if (named && (t.is("valuetype") || t.is("eventtype"))) return value(into, false, false);
  if (named && (t.is("abstract") || t.is("local") || t.is("custom"))) {
    const std::vector<std::string> comments = t.comments;
    take();
    peek();
    ahead_[next_].comments = comments;
    if (t.text != "custom" && peek().is("interface")) return interface(into, t.is("abstract"), t.is("local"));
    if (t.text != "local" && (peek().is("valuetype") || peek().is("eventtype")))
      return value(into, t.is("abstract"), t.is("custom"));
    syntax_error(fmt::format("'interface' or 'valuetype' behind '{}'", t.text));
  }
  if (t.is("const")) return constant(into);
  if (t.is("exception")) return exception(into);
  if (t.is("typeid")) return type_id();
  if (t.is("typeprefix")) return type_prefix();
  if (!type_definition(into))
    syntax_error("a declaration (module, interface, struct, union, enum, typedef, const, exception)");
}

// What an abandoned declaration declared is not to be complained about again.
void Parser::forget(Scope& scope, Span from) {
  for (auto& [key, symbol] : scope.symbols)
    if (symbol.span.file == from.file && symbol.span.begin >= from.begin) symbol.kind = Symbol::Kind::Refused;
}

void Parser::module(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  if (peek_second().is("::")) return instantiate(comments);
  if (peek_second().is("<")) {
    const Symbol* const known = find_here(*scope_, lower(peek().text));
    const bool is_new = !known || (known->kind != Symbol::Kind::Template && begins_template());
    return is_new && !is_template(peek().text) ? template_module(identifier("the module's name"))
                                               : instantiate(comments);
  }
  const Token name = identifier("the module's name");
  Symbol* const known = find_here(*scope_, lower(name.text));
  const bool reopened =
      known && known->name == name.text && known->decl && known->decl->kind == aoi::Decl::Kind::Module;
  auto* const m = contract_.make<aoi::Module>();
  fill(*m, name, comments);
  if (reopened && known->kind != Symbol::Kind::Builtin) m->repository_id = known->decl->repository_id;
  else declare(name, Symbol::Kind::Declaration, m);
  into.push_back(m);
  expect("{", "to open the module");
  enter(m);
  definitions(m->declarations, true);
  leave();
  expect("}", "to close the module");
  expect(";", "behind the module");
}

void Parser::constant(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Span type_span = peek().span;
  const bool plain_fixed = peek().is("fixed") && !peek_second().is("<");
  const aoi::Type* const type = plain_fixed ? special(aoi::Type::Kind::Fixed, take().span) : type_spec();
  const Token name = identifier("the constant's name");
  expect("=", "and the constant's value");
  const Token first = peek();
  const ConstantValue value = expression(type);
  const Token last = last_;
  expect(";", "behind the constant");
  auto* const c = contract_.make<aoi::Constant>();
  fill(*c, name, comments, type);
  c->type = type;
  c->source = source_between(first, last);
  if (type) {
    const aoi::Type* const real = aoi::resolve(type);
    const bool is_enum = real->kind == aoi::Type::Kind::Named && real->decl->kind == aoi::Decl::Kind::Enum;
    using K = aoi::Type::Kind;
    if (real->kind != K::Basic && real->kind != K::String && real->kind != K::WString &&
        real->kind != K::Fixed && !is_enum)
      report(Kind::BadConstantType, type_span, "a constant has a basic, string, fixed or enum type");
    else if (convert(value, type, c->value) && is_enum)
      c->enum_type = static_cast<const aoi::Enum*>(real->decl);
  }
  Symbol* const s = declare(name, Symbol::Kind::Declaration, c);
  if (!type && s->decl == c) s->kind = Symbol::Kind::Refused;
  into.push_back(c);
}

void Parser::exception(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the exception's name");
  auto* const e = contract_.make<aoi::Exception>();
  fill(*e, name, comments);
  declare(name, Symbol::Kind::Declaration, e);
  expect("{", "to open the exception");
  enter(e);
  fields(e, e->fields, e->nested);
  leave();
  expect("}", "to close the exception");
  expect(";", "behind the exception");
  into.push_back(e);
}

// import ::A::B; what it names must have been seen, or be a module of CORBA's own IDL: there is no repository
// to look into.
void Parser::import() {
  const Span where = take().span;
  if (import_standard(where)) return;
  if (peek().type == Token::Type::String) take();
  else scoped_name();
  expect(";", "behind import");
}

// A module whose file has its name, and is read next; files without capitals hold none. Nothing behind the
// ';' may have been read.
bool Parser::import_standard(Span where) {
  if (scope_ != &scopes_.front()) return false;
  const std::size_t at = peek().is("::") ? 1 : 0;
  const Token name = peek_at(at);
  if (name.type != Token::Type::Identifier || lower(name.text) == name.text || !peek_at(at + 1).is(";") ||
      ahead_.size() != next_ + at + 2 || find_here(*scope_, lower(name.text)) ||
      !input_.import_standard(name.text + ".idl", where))
    return false;
  while (!accept(";")) take();
  return true;
}

}  // namespace corbel::idl::omg
