// Components, homes, port types and connectors (CORBA 3.4 part 3; IDL 4.2, "Components").
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

using PortKind = aoi::Port::Kind;

struct PortWord {
  std::string_view text;
  PortKind kind;
};
constexpr PortWord kPorts[] = {{"provides", PortKind::Provides},    {"uses", PortKind::Uses},
                               {"emits", PortKind::Emits},          {"publishes", PortKind::Publishes},
                               {"consumes", PortKind::Consumes},    {"port", PortKind::Port},
                               {"mirrorport", PortKind::MirrorPort}};

std::string_view word_of(aoi::Decl::Kind kind) {
  switch (kind) {
    case aoi::Decl::Kind::Component:
      return "component";
    case aoi::Decl::Kind::Connector:
      return "connector";
    case aoi::Decl::Kind::PortType:
      return "port type";
    default:
      return "home";
  }
}

}  // namespace

// component, connector or porttype NAME [: base] [supports interfaces] { ports };
void Parser::component(std::vector<const aoi::Decl*>& into, aoi::Decl::Kind kind) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("a name");
  const bool forward = accept(";");
  auto* c = forwarded<aoi::Component>(find_here(*scope_, lower(name.text)), name.text, kind, forward);
  const bool known = c != nullptr;
  if (!known) {
    c = contract_.make<aoi::Component>(kind);
    fill(*c, name, comments);
    declare(name, Symbol::Kind::Declaration, c);
  }
  if (forward) {
    if (!c->complete) c->forward_declared = true;
    if (!known) into.push_back(c);
    return;
  }
  into.push_back(c);
  if (known) place(*c, name, comments);
  enter(c);
  if (accept(":")) c->base = static_cast<const aoi::Component*>(complete(kind));
  if (c->base) scope_->bases.push_back(scope_of(c->base));
  supported(c->supports);
  expect("{", fmt::format("to open the {}", word_of(kind)));
  while (!peek().is("}") && peek().type != Token::Type::End) {
    Scope& scope = *scope_;
    const Span first = peek().span;
    const int braces = open_braces_;
    try {
      port(*c);
    } catch (const Abandon&) {
      recover(scope, first, braces);
    }
  }
  leave();
  expect("}", fmt::format("to close the {}", word_of(kind)));
  expect(";", fmt::format("behind the {}", word_of(kind)));
  c->complete = true;
}

// What is named next, defined and of that kind; null if it was reported.
const aoi::Decl* Parser::complete(aoi::Decl::Kind kind) {
  const Span span = peek().span;
  Scope* const own = std::exchange(scope_, scope_->parent);
  Symbol* const s = scoped_name();
  scope_ = own;
  if (!s) return nullptr;
  const aoi::Decl* const d = declaration_behind(*s);
  const bool right = d && d->kind == kind;
  const bool defined =
      right && (kind == aoi::Decl::Kind::Home ? static_cast<const aoi::Home*>(d)->complete
                                              : static_cast<const aoi::Component*>(d)->complete);
  if (defined) return d;
  report(Kind::BadBase, span,
         right ? fmt::format("'{}' is not defined yet; it must be defined before", s->name)
               : fmt::format("'{}' is no {}", s->name, word_of(kind)),
         {{s->span, "declared here"}});
  return nullptr;
}

void Parser::supported(std::vector<const aoi::Interface*>& into) {
  if (!accept("supports")) return;
  do {
    const Span span = peek().span;
    Scope* const own = std::exchange(scope_, scope_->parent);
    Symbol* const s = scoped_name();
    scope_ = own;
    const aoi::Interface* const i = s ? complete_interface(*s, span) : nullptr;
    if (!i) continue;
    into.push_back(i);
    scope_->bases.push_back(scope_of(i));
  } while (accept(","));
}

void Parser::port(aoi::Component& c) {
  annotations();
  if (accept(";")) return;
  if (peek().is("attribute") || peek().is("readonly")) {
    std::vector<aoi::Interface::Member> members;
    attribute(members);
    for (const auto& m : members) c.attributes.push_back(std::get<const aoi::Attribute*>(m));
    return;
  }
  const PortWord* word = nullptr;
  for (const PortWord& w : kPorts)
    if (peek().is(w.text)) word = &w;
  if (!word) syntax_error("a port or an attribute");
  aoi::Port p;
  p.kind = word->kind;
  p.comments = take().comments;
  p.annotations = take_annotations(kPort);
  if (p.kind == PortKind::Uses && accept("multiple")) p.kind = PortKind::UsesMultiple;
  p.type = port_type(p.kind);
  const Token name = identifier("the port's name");
  check_inherited(name.text, name.span);
  declare(name, Symbol::Kind::Member, nullptr);
  p.name = name.text;
  p.span = name.span;
  expect(";", "behind the port");
  c.ports.push_back(std::move(p));
}

// Null for Object, or if it was reported.
const aoi::Decl* Parser::port_type(aoi::Port::Kind kind) {
  const Span span = peek().span;
  const bool facet = kind == PortKind::Provides || kind == PortKind::Uses || kind == PortKind::UsesMultiple;
  if (facet && accept("Object")) return nullptr;
  Symbol* const s = scoped_name();
  if (!s) return nullptr;
  const aoi::Decl* const d = declaration_behind(*s);
  const bool extended = kind == PortKind::Port || kind == PortKind::MirrorPort;
  const bool right =
      d && (facet      ? d->kind == aoi::Decl::Kind::Interface
            : extended ? d->kind == aoi::Decl::Kind::PortType
                       : d->kind == aoi::Decl::Kind::Value && static_cast<const aoi::Value*>(d)->is_event);
  if (right) return d;
  report(Kind::NotAType, span,
         fmt::format("'{}' is no {}", s->name,
                     facet      ? "interface"
                     : extended ? "port type"
                                : "eventtype"),
         {{s->span, "declared here"}});
  return nullptr;
}

// home NAME [: base] [supports interfaces] manages COMPONENT [primarykey VALUE] { body };
void Parser::home(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the home's name");
  auto* const h = contract_.make<aoi::Home>();
  fill(*h, name, comments);
  declare(name, Symbol::Kind::Declaration, h);
  into.push_back(h);
  enter(h);
  if (accept(":")) h->base = static_cast<const aoi::Home*>(complete(aoi::Decl::Kind::Home));
  if (h->base) scope_->bases.push_back(scope_of(h->base));
  supported(h->supports);
  expect("manages", "and the component that the home manages");
  h->manages = static_cast<const aoi::Component*>(complete(aoi::Decl::Kind::Component));
  if (h->base && h->base->manages && h->manages) {
    const aoi::Component* c = h->manages;
    while (c && c != h->base->manages) c = c->base;
    if (!c)
      report(Kind::BadBase, name.span,
             fmt::format("the base of '{}' manages '{}', so '{}' must be it or derive from it", h->name,
                         h->base->manages->name, h->manages->name),
             {{h->base->manages->span, "declared here"}});
  }
  if (accept("primarykey")) {
    const Span span = peek().span;
    Symbol* const s = scoped_name();
    const aoi::Decl* const d = s ? declaration_behind(*s) : nullptr;
    if (d && d->kind == aoi::Decl::Kind::Value) h->primary_key = static_cast<const aoi::Value*>(d);
    else if (s)
      report(Kind::NotAType, span, fmt::format("'{}' is no valuetype; a primary key is one", s->name),
             {{s->span, "declared here"}});
  }
  expect("{", "to open the home");
  while (!peek().is("}") && peek().type != Token::Type::End) {
    Scope& scope = *scope_;
    const Span first = peek().span;
    const int braces = open_braces_;
    try {
      annotations();
      if (peek().is("factory") || peek().is("finder")) home_operation(*h);
      else member(h->members);
    } catch (const Abandon&) {
      recover(scope, first, braces);
    }
  }
  leave();
  expect("}", "to close the home");
  expect(";", "behind the home");
  h->complete = true;
}

// factory or finder NAME (parameters) [raises]; both give the managed component.
void Parser::home_operation(aoi::Home& h) {
  const Token word = take();
  aoi::Home::Maker m;
  m.annotations = take_annotations(kFactory);
  m.is_finder = word.text == "finder";
  m.comments = word.comments;
  const Token name = identifier("a name");
  declare(name, Symbol::Kind::Member, nullptr);
  m.name = name.text;
  m.span = name.span;
  m.parameters = parameters();
  for (const aoi::Parameter& p : m.parameters)
    if (p.mode != aoi::Parameter::Mode::In)
      report(Kind::BadValue, p.span, fmt::format("a {} has in parameters only", word.text));
  if (peek().is("raises")) m.raises = exceptions();
  expect(";", fmt::format("behind the {}", word.text));
  h.makers.push_back(std::move(m));
}

}  // namespace corbel::idl::omg
