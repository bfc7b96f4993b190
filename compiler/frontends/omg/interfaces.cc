#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

// The interface behind a name, typedefs followed; null if it is something else.
const aoi::Interface* interface_behind(const Symbol& symbol) {
  const aoi::Decl* target = symbol.kind == Symbol::Kind::Declaration ? symbol.decl : nullptr;
  while (target && target->kind == aoi::Decl::Kind::Typedef) {
    const aoi::Type* const t = aoi::resolve(static_cast<const aoi::Typedef*>(target)->type);
    target = t && t->kind == aoi::Type::Kind::Named ? t->decl : nullptr;
  }
  const bool is_one = target && target->kind == aoi::Decl::Kind::Interface;
  return is_one ? static_cast<const aoi::Interface*>(target) : nullptr;
}

}  // namespace

void Parser::interface(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the interface's name");
  Symbol* const known = find_here(*scope_, lower(name.text));
  const bool forwarded =
      known && known->name == name.text && known->decl && known->decl->kind == aoi::Decl::Kind::Interface;
  auto* i = forwarded ? static_cast<aoi::Interface*>(known->decl) : nullptr;
  const bool forward = peek().is(";");
  if (!i || (i->complete && !forward)) {
    i = contract_.make<aoi::Interface>();
    fill(*i, name, comments);
    declare(name, Symbol::Kind::Declaration, i);
  }
  if (forward) {
    take();
    if (!i->complete) i->forward_declared = true;
    if (!forwarded) into.push_back(i);
    return;
  }
  if (!forwarded) into.push_back(i);
  if (forwarded) {  // the definition counts: its place, its comments
    place(*i, name, comments);
    into.push_back(i);
  }
  enter(i);
  if (accept(":")) bases(*i);
  expect("{", "to open the interface");
  interface_body(*i);
  leave();
  expect("}", "to close the interface");
  expect(";", "behind the interface");
  i->complete = true;
}

void Parser::bases(aoi::Interface& interface) {
  do base(interface);
  while (accept(","));
  // No two operations or attributes of the same name may come together.
  std::map<std::string, const aoi::Interface*> seen;
  for (const aoi::Interface* a : aoi::ancestors(interface)) {
    for (const auto& m : a->members) {
      if (std::holds_alternative<const aoi::Decl*>(m)) continue;
      const bool op = std::holds_alternative<const aoi::Operation*>(m);
      const std::string& n = op ? std::get<0>(m)->name : std::get<1>(m)->name;
      const auto [at, fresh] = seen.emplace(lower(n), a);
      if (!fresh)
        report(Kind::InheritedClash, interface.span,
               fmt::format("'{}' inherits two different '{}', from '{}' and '{}'; rename one", interface.name,
                           n, at->second->name, a->name),
               {{op ? std::get<0>(m)->span : std::get<1>(m)->span, "one is declared here"}});
    }
  }
}

void Parser::base(aoi::Interface& interface) {
  const Span span = peek().span;
  Scope* const own = std::exchange(scope_, scope_->parent);  // base names are looked up outside
  Symbol* const s = scoped_name();
  scope_ = own;
  if (!s) return;
  const std::vector<Note> here{{s->span, "declared here"}};
  const aoi::Interface* const base = interface_behind(*s);
  if (!base)
    return report(Kind::BadBase, span,
                  fmt::format("'{}' is no interface, so nothing can derive from it", s->name), here);
  if (!base->complete)
    return report(Kind::BadBase, span,
                  fmt::format("'{}' is not defined yet; a base must be defined before", s->name), here);
  if (std::find(interface.bases.begin(), interface.bases.end(), base) != interface.bases.end())
    return report(Kind::BadBase, span, fmt::format("'{}' is a direct base twice; name it once", s->name));
  interface.bases.push_back(base);
  scope_->bases.push_back(scope_of(base));
  int& height = heights_[&interface];
  height = std::max(height, heights_[base] + 1);
  if (height <= kTallest) return;
  report(Kind::NestingTooDeep, span,
         fmt::format("interfaces derive from each other more than {} times; flatten them", kTallest));
  height = 0;
}

void Parser::interface_body(aoi::Interface& interface) {
  while (!peek().is("}") && peek().type != Token::Type::End) {
    Scope& scope = *scope_;
    const Token first = peek();
    const int braces = open_braces_;
    try {
      if (peek().is("const") || peek().is("exception") || peek().is("typedef") || peek().is("struct") ||
          peek().is("union") || peek().is("enum") || peek().is("typeid") || peek().is("typeprefix") ||
          peek().is("native") || peek().is("@") || peek().is(";")) {
        std::vector<const aoi::Decl*> declared;
        definition(declared);
        interface.members.insert(interface.members.end(), declared.begin(), declared.end());
      } else if (peek().is("attribute") || peek().is("readonly")) {
        attribute(interface);
      } else {
        operation(interface);
      }
    } catch (const Abandon&) {
      recover(scope, first, braces);
    }
  }
}

void Parser::check_inherited(const aoi::Interface&, const std::string& name, Span span) {
  if (Symbol* const s = find_inherited(*scope_, lower(name), span); s && s->kind == Symbol::Kind::Member)
    report(Kind::InheritedClash, span,
           fmt::format("'{}' is inherited from a base and cannot be declared again", name),
           {{s->span, "declared here"}});
}

void Parser::attribute(aoi::Interface& interface) {
  std::vector<std::string> comments = peek().comments;
  const bool readonly = accept("readonly");
  expect("attribute", "behind 'readonly'");
  const aoi::Type* const type = type_spec();
  if (type) check_complete(type, type->span);
  do {
    const Token name = identifier("the attribute's name");
    check_inherited(interface, name.text, name.span);
    declare(name, Symbol::Kind::Member, nullptr);
    auto* const a = contract_.make<aoi::Attribute>();
    a->name = name.text;
    a->type = type;
    a->readonly = readonly;
    a->span = name.span;
    a->comments = comments;
    comments.clear();
    interface.members.push_back(a);
  } while (accept(","));
  if (peek().is("raises") || peek().is("getraises") || peek().is("setraises")) {
    unsupported(peek().span, "raises of an attribute");
    skip_statement(open_braces_);
    return;
  }
  expect(";", "behind the attribute");
}

void Parser::operation(aoi::Interface& interface) {
  auto* const op = contract_.make<aoi::Operation>();
  op->comments = peek().comments;
  op->oneway = accept("oneway");
  if (!starts_name()) syntax_error("an operation, attribute or declaration");
  op->result = type_spec(true);
  if (op->result) check_complete(op->result, op->result->span);
  const Token name = identifier("the operation's name");
  op->name = name.text;
  op->span = name.span;
  check_inherited(interface, name.text, name.span);
  declare(name, Symbol::Kind::Member, nullptr);
  expect("(", "and the operation's parameters");
  // Parameters have a scope of their own: a type that is used here cannot lend its name to a parameter.
  scopes_.emplace_back();
  scopes_.back().parent = scope_;
  scope_ = &scopes_.back();
  if (!peek().is(")")) {
    do parameter(*op);
    while (accept(","));
  }
  leave();
  expect(")", "behind the parameters");
  if (peek().is("raises")) op->raises = exceptions();
  if (peek().is("context")) {
    unsupported(peek().span, "context clause");
    skip_statement(open_braces_);
    return;
  }
  expect(";", "behind the operation");
  check_oneway(*op);
  interface.members.push_back(op);
}

void Parser::parameter(aoi::Operation& op) {
  aoi::Parameter p;
  while (peek().is("@")) refuse("annotation");
  if (accept("in")) p.mode = aoi::Parameter::Mode::In;
  else if (accept("out")) p.mode = aoi::Parameter::Mode::Out;
  else if (accept("inout")) p.mode = aoi::Parameter::Mode::InOut;
  else syntax_error("'in', 'out' or 'inout'");
  p.type = type_spec();
  if (p.type) check_complete(p.type, p.type->span);
  const Token name = identifier("the parameter's name");
  declare(name, Symbol::Kind::Parameter, nullptr);
  p.name = name.text;
  p.span = name.span;
  op.parameters.push_back(std::move(p));
}

std::vector<const aoi::Exception*> Parser::exceptions() {
  std::vector<const aoi::Exception*> list;
  take();
  expect("(", "and the exceptions");
  do {
    const Span span = peek().span;
    Symbol* const s = scoped_name();
    if (!s) continue;
    if (!s->decl || s->decl->kind != aoi::Decl::Kind::Exception || s->kind != Symbol::Kind::Declaration)
      report(Kind::NotAnException, span, fmt::format("'{}' is no exception, so it cannot be raised", s->name),
             {{s->span, "declared here"}});
    else list.push_back(static_cast<const aoi::Exception*>(s->decl));
  } while (accept(","));
  expect(")", "behind the exceptions");
  return list;
}

void Parser::check_oneway(const aoi::Operation& op) {
  if (!op.oneway) return;
  const bool returns =
      op.result && !(op.result->kind == aoi::Type::Kind::Basic && op.result->basic == aoi::Basic::Void);
  const bool gives = std::any_of(op.parameters.begin(), op.parameters.end(),
                                 [](const aoi::Parameter& p) { return p.mode != aoi::Parameter::Mode::In; });
  if (returns || gives)
    report(Kind::BadOneway, op.span,
           fmt::format("'{}' is oneway, so it gives nothing back: only void and in parameters are possible",
                       op.name));
  if (!op.raises.empty())
    report(Kind::BadOneway, op.span, fmt::format("'{}' is oneway, so it cannot raise", op.name));
}

}  // namespace corbel::idl::omg
