#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {

// [custom | abstract] valuetype, behind those words.
void Parser::value(std::vector<const aoi::Decl*>& into, bool is_abstract, bool is_custom) {
  const Token word = take();
  const Token name = identifier("the valuetype's name");
  const bool event = word.text == "eventtype";
  if (!event && !is_abstract && !is_custom && !peek().is(";") && !peek().is(":") && !peek().is("supports") &&
      !peek().is("{"))
    return value_box(into, name, word.comments);

  const bool forward = accept(";");
  auto* v =
      forwarded<aoi::Value>(find_here(*scope_, lower(name.text)), name.text, aoi::Decl::Kind::Value, forward);
  const bool known = v != nullptr;
  if (known && v->is_abstract != is_abstract)
    report(Kind::BadValue, name.span,
           fmt::format("'{}' is abstract in one of its declarations only; write the same in all", name.text),
           {{v->span, "declared here"}});
  if (!known) {
    v = contract_.make<aoi::Value>();
    fill(*v, name, word.comments);
    declare(name, Symbol::Kind::Declaration, v);
    v->is_abstract = is_abstract;
    v->is_event = event;
  }
  if (forward) {
    if (!v->complete) v->forward_declared = true;
    if (!known) into.push_back(v);
    return;
  }
  into.push_back(v);
  if (known) place(*v, name, word.comments);
  v->is_custom = is_custom;
  enter(v);
  value_header(*v);
  expect("{", "to open the valuetype");
  value_body(*v);
  leave();
  expect("}", "to close the valuetype");
  expect(";", "behind the valuetype");
  v->complete = true;
}

void Parser::value_box(std::vector<const aoi::Decl*>& into, const Token& name,
                       const std::vector<std::string>& comments) {
  auto* const b = contract_.make<aoi::ValueBox>();
  fill(*b, name, comments);
  const Span span = peek().span;
  b->type = constructed_or_simple(into);
  if (const aoi::Type* const t = aoi::resolve(b->type)) {
    check_complete(t, span);
    if (t->kind == aoi::Type::Kind::ValueBase ||
        (t->kind == aoi::Type::Kind::Named &&
         (t->decl->kind == aoi::Decl::Kind::Value || t->decl->kind == aoi::Decl::Kind::ValueBox)))
      report(Kind::BadValue, span, "a valuetype is boxed already; a box holds any other type");
  }
  hold(b, b->type, name.span);
  Symbol* const s = declare(name, Symbol::Kind::Declaration, b);
  if (!b->type && s->decl == b) s->kind = Symbol::Kind::Refused;
  expect(";", "behind the boxed valuetype");
  into.push_back(b);
}

// [: [truncatable] bases] [supports interfaces]
void Parser::value_header(aoi::Value& v) {
  if (accept(":")) {
    const Span truncatable = peek().span;
    v.is_truncatable = accept("truncatable");
    do value_base(v);
    while (accept(","));
    if (v.is_truncatable && (v.is_custom || v.is_abstract || v.bases.empty() || v.bases[0]->is_abstract))
      report(Kind::BadValue, truncatable,
             "truncatable leads to a base with state; abstract and custom valuetypes cannot be it");
  }
  if (accept("supports")) value_supports(v);
  check_bases(v);
}

void Parser::value_supports(aoi::Value& v) {
  do {
    const Span span = peek().span;
    Scope* const own = std::exchange(scope_, scope_->parent);
    Symbol* const s = scoped_name();
    scope_ = own;
    if (!s) continue;
    const aoi::Interface* const i = complete_interface(*s, span);
    if (!i) continue;
    if (std::find(v.supports.begin(), v.supports.end(), i) != v.supports.end()) {
      report(Kind::BadBase, span, fmt::format("'{}' is supported twice; name it once", s->name));
      continue;
    }
    const bool concrete = std::any_of(v.supports.begin(), v.supports.end(),
                                      [](const aoi::Interface* other) { return !other->is_abstract; });
    if (!i->is_abstract && concrete)
      report(Kind::BadBase, span, "a valuetype supports one interface that is not abstract at most");
    v.supports.push_back(i);
    scope_->bases.push_back(scope_of(i));
  } while (accept(","));
}

void Parser::value_base(aoi::Value& v) {
  const Span span = peek().span;
  Scope* const own = std::exchange(scope_, scope_->parent);
  Symbol* const s = scoped_name();
  scope_ = own;
  if (!s) return;
  const std::vector<Note> here{{s->span, "declared here"}};
  const aoi::Decl* const d = declaration_behind(*s);
  if (!d || d->kind != aoi::Decl::Kind::Value)
    return report(Kind::BadBase, span,
                  fmt::format("'{}' is no valuetype, so no valuetype can derive from it", s->name), here);
  const auto* const base = static_cast<const aoi::Value*>(d);
  if (!base->complete)
    return report(Kind::BadBase, span,
                  fmt::format("'{}' is not defined yet; a base must be defined before", s->name), here);
  if (std::find(v.bases.begin(), v.bases.end(), base) != v.bases.end())
    return report(Kind::BadBase, span, fmt::format("'{}' is a direct base twice; name it once", s->name));
  if (!base->is_abstract && v.is_abstract)
    return report(Kind::BadBase, span,
                  fmt::format("'{}' has state, so the abstract '{}' cannot derive from it", s->name, v.name),
                  here);
  if (!base->is_abstract && !v.bases.empty())
    return report(Kind::BadBase, span,
                  fmt::format("'{}' is not abstract: one such base is possible, and it comes first", s->name),
                  here);
  v.bases.push_back(base);
  scope_->bases.push_back(scope_of(base));
  int& height = heights_[&v];
  height = std::max(height, heights_[base] + 1);
  if (height <= kTallest) return;
  report(Kind::NestingTooDeep, span,
         fmt::format("valuetypes derive from each other more than {} times; flatten them", kTallest));
  height = 0;
}

void Parser::value_body(aoi::Value& v) {
  while (!peek().is("}") && peek().type != Token::Type::End) {
    Scope& scope = *scope_;
    const Span first = peek().span;
    const int braces = open_braces_;
    try {
      annotations();
      if (peek().is("public") || peek().is("private")) state(v);
      else if (peek().is("factory") && peek_second().type == Token::Type::Identifier) factory(v);
      else value_member(v);
    } catch (const Abandon&) {
      recover(scope, first, braces);
    }
  }
}

// What an interface may have, too.
void Parser::value_member(aoi::Value& v) {
  std::vector<aoi::Interface::Member> members;
  member(members);
  for (const aoi::Interface::Member& m : members)
    std::visit([&v](auto* of_either) { v.members.emplace_back(of_either); }, m);
}

void Parser::state(aoi::Value& v) {
  const Token word = take();
  if (v.is_abstract)
    report(Kind::BadValue, word.span, fmt::format("'{}' is abstract, so it has no state", v.name));
  std::vector<aoi::Field> members;
  std::vector<const aoi::Decl*> nested;
  field(&v, members, nested);
  v.members.insert(v.members.end(), nested.begin(), nested.end());
  if (!members.empty()) members.front().comments = word.comments;
  for (aoi::Field& f : members) {
    auto* const s = contract_.make<aoi::Value::State>();
    s->field = std::move(f);
    s->is_public = word.text == "public";
    check_inherited(s->field.name, s->field.span);
    refuse_local(s->field.type, s->field.span, fmt::format("the type of '{}'", s->field.name));
    v.members.push_back(s);
  }
}

void Parser::factory(aoi::Value& v) {
  auto* const f = contract_.make<aoi::Value::Factory>();
  f->comments = take().comments;
  f->annotations = take_annotations(kFactory);
  const Token name = identifier("the factory's name");
  f->name = name.text;
  f->span = name.span;
  if (v.is_abstract)
    report(Kind::BadValue, name.span, fmt::format("'{}' is abstract, so it has no factories", v.name));
  declare(name, Symbol::Kind::Factory, nullptr);
  f->parameters = parameters();
  for (const aoi::Parameter& p : f->parameters)
    if (p.mode != aoi::Parameter::Mode::In)
      report(Kind::BadValue, p.span, "a factory has in parameters only");
  if (peek().is("raises")) f->raises = exceptions();
  expect(";", "behind the factory");
  v.members.push_back(f);
}

void Parser::native(std::vector<const aoi::Decl*>& into) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the native type's name");
  auto* const n = contract_.make<aoi::Native>();
  fill(*n, name, comments);
  declare(name, Symbol::Kind::Declaration, n);
  expect(";", "behind the native type");
  into.push_back(n);
}

}  // namespace corbel::idl::omg
