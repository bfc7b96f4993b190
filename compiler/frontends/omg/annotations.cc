// Annotations as they are read: their declarations and their arguments.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/aoi/dump.h"
#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

// The value in the form that AOI has for it where no type is asked for.
aoi::ConstantValue plain(const ConstantValue& value) {
  using K = ConstantValue::Kind;
  switch (value.kind) {
    case K::Integer:
      if (value.integer > INT64_MAX) return static_cast<std::uint64_t>(value.integer);
      return static_cast<std::int64_t>(value.integer);
    case K::Char:
    case K::WideChar:
    case K::Enumerator:
      return static_cast<std::int64_t>(value.integer);
    case K::Boolean:
      return value.integer != 0;
    case K::Float:
      return static_cast<double>(value.real);
    case K::String:
      return value.text;
    case K::WideString:
      return value.wide;
    case K::Fixed:
      return aoi::FixedValue{to_string(value.fixed)};
    case K::Error:
      break;
  }
  return {};
}

// As a literal or a name.
std::string text_of(const aoi::ConstantValue& value, const aoi::Type* type, const ConstantValue& read) {
  if (read.kind == ConstantValue::Kind::Enumerator) return read.text;
  aoi::Constant c;
  c.type = type;
  c.value = value;
  return aoi::to_string(c);
}

std::vector<Note> declared_note(const AnnotationType& type) {
  if (!type.declared) return {};
  return {{type.span, "declared here"}};
}

}  // namespace

// Those that stand here, kept for the declaration that follows.
void Parser::annotations() {
  while (peek().is("@")) {
    const std::vector<std::string> comments = peek().comments;  // the declaration's
    annotation();
    if (comments.empty()) continue;
    peek();
    ahead_[next_].comments.insert(ahead_[next_].comments.begin(), comments.begin(), comments.end());
  }
}

// Those of the contract by scope, from the innermost one outwards; then the standard ones.
const AnnotationType* Parser::find_annotation(const std::string& name, bool global) {
  for (const Scope* s = global ? &scopes_.front() : scope_; s; s = s->parent)
    if (const auto i = annotation_types_.find(s->name + "::" + name); i != annotation_types_.end())
      return &i->second;
  if (const auto i = annotation_types_.find(name); i != annotation_types_.end()) return &i->second;
  auto standard = standard_annotation(name, contract_);
  return standard ? &annotation_types_.emplace(name, std::move(*standard)).first->second : nullptr;
}

// @name, @a::name(value), @name(a = 1, b = 2)
void Parser::annotation() {
  const Token at = take();
  PendingAnnotation p;
  aoi::Annotation& a = p.annotation;
  const bool global = accept("::");
  do {
    // Keywords are names here: @default, @oneway.
    if (peek().type != Token::Type::Identifier) syntax_error("the annotation's name");
    a.name += (a.name.empty() ? "" : "::") + take().text;
  } while (accept("::"));
  a.span = {at.span.file, at.span.begin, last_.span.end};
  p.type = find_annotation(a.name, global);
  const bool known = p.type && !p.type->refused;
  if (!p.type && include_depth_ == 0)
    report(Kind::UnknownAnnotation, a.span,
           fmt::format("@{} is declared nowhere and no standard annotation; it is ignored", a.name));
  if (!known) {
    if (accept("(")) unknown_arguments(a);
    annotations_.push_back(std::move(p));
    return;
  }
  if (p.type->declared) a.name = p.type->name.substr(2);
  else a.is_standard = true;
  const int errors = diagnostics_.errors();
  if (accept("(")) arguments(p);
  if (diagnostics_.errors() == errors) complete_arguments(p);
  if (diagnostics_.errors() == errors) annotations_.push_back(std::move(p));
}

void Parser::unknown_arguments(aoi::Annotation& a) {
  while (!peek().is(")")) {
    std::string name;
    if (peek().type == Token::Type::Identifier && peek_second().is("=")) {
      name = take().text;
      take();
    }
    a.arguments.push_back({std::move(name), annotation_value(), {}});
    if (!accept(",")) break;
  }
  expect(")", "behind the annotation's arguments");
}

// The text up to the ',' or ')' that ends it.
std::string Parser::annotation_value() {
  std::string text;
  for (int depth = 0; peek().type != Token::Type::End; take()) {
    if (depth == 0 && (peek().is(",") || peek().is(")"))) break;
    if (peek().is(";") || peek().is("{")) syntax_error("')' behind the annotation's arguments");
    depth += peek().is("(") ? 1 : peek().is(")") ? -1 : 0;
    const bool word = peek().type == Token::Type::Identifier;
    if (word && !text.empty() && text.back() != ':' && text.back() != '(' && text.back() != '-') text += ' ';
    text += peek().text;
  }
  if (text.empty()) syntax_error("a value");
  return text;
}

// Behind "(": one value, or values by name.
void Parser::arguments(PendingAnnotation& p) {
  const AnnotationType& type = *p.type;
  // The enums and constants of the annotation hide what stands around its use.
  scopes_.emplace_back();  // stays: an #include that stands here may end behind the brackets
  Scope& names = scopes_.back();
  names.parent = scope_;
  names.name = scope_->name;
  names.decl = scope_->decl;
  names.symbols = type.scope.symbols;
  scope_ = &names;
  try {
    while (!peek().is(")")) {
      argument(p);
      if (!accept(",")) break;
    }
  } catch (const Abandon&) {
    scope_ = names.parent;
    throw;
  }
  scope_ = names.parent;
  expect(")", "behind the annotation's arguments");
}

void Parser::argument(PendingAnnotation& p) {
  const AnnotationType& type = *p.type;
  const Token first = peek();
  const AnnotationMember* member = nullptr;
  if (first.type == Token::Type::Identifier && peek_second().is("=")) {
    take();
    take();
    const auto i = std::find_if(type.members.begin(), type.members.end(),
                                [&](const AnnotationMember& m) { return m.name == first.text; });
    if (i != type.members.end()) member = &*i;
    else
      report(Kind::BadAnnotation, first.span, fmt::format("@{} has no '{}'", p.annotation.name, first.text),
             declared_note(type));
  } else if (type.members.size() == 1) {
    member = &type.members.front();
  } else {
    report(Kind::BadAnnotation, first.span,
           type.members.empty()
               ? fmt::format("@{} takes no arguments", p.annotation.name)
               : fmt::format("@{} has several members; name the one that this is for: {} = ...",
                             p.annotation.name, type.members.front().name),
           declared_note(type));
  }
  const auto same = [&](const aoi::Annotation::Argument& a) { return member && a.name == member->name; };
  if (std::any_of(p.annotation.arguments.begin(), p.annotation.arguments.end(), same)) {
    report(Kind::BadAnnotation, first.span, fmt::format("'{}' is given twice", member->name));
    member = nullptr;
  }
  // Other users of annotations write booleans in lower case.
  if (peek().is("true")) ahead_[next_].text = "TRUE";
  if (peek().is("false")) ahead_[next_].text = "FALSE";
  const ConstantValue value = expression(member ? member->type : nullptr);
  if (!member || value.kind == ConstantValue::Kind::Error) return;
  aoi::Annotation::Argument a{member->name, {}, plain(value)};
  if (member->type && !convert(value, member->type, a.value)) return;
  a.text = text_of(a.value, member->type, value);
  p.annotation.arguments.push_back(std::move(a));
  p.values.push_back(value);
}

// All members in the order of their declaration, with their defaults where nothing is said of them.
void Parser::complete_arguments(PendingAnnotation& p) {
  std::vector<aoi::Annotation::Argument> all;
  std::vector<ConstantValue> values;
  for (const AnnotationMember& m : p.type->members) {
    auto& given = p.annotation.arguments;
    const auto i = std::find_if(given.begin(), given.end(),
                                [&](const aoi::Annotation::Argument& a) { return a.name == m.name; });
    if (i != given.end()) {
      values.push_back(p.values[static_cast<std::size_t>(i - given.begin())]);
      all.push_back(*i);
    } else if (m.fallback) {
      values.emplace_back();
      all.push_back(*m.fallback);
    } else {
      report(Kind::BadAnnotation, p.annotation.span,
             p.type->members.size() == 1
                 ? fmt::format("@{} needs a value", p.annotation.name)
                 : fmt::format("@{} needs a value for '{}'", p.annotation.name, m.name),
             declared_note(*p.type));
    }
  }
  p.annotation.arguments = std::move(all);
  p.values = std::move(values);
}

// @annotation name { members, enums, constants and typedefs };
void Parser::annotation_type() {
  take();
  take();
  const Token name = identifier("the annotation's name");
  const std::string scoped = scope_->name + "::" + name.text;
  const auto [slot, fresh] = annotation_types_.try_emplace(scoped);
  AnnotationType& type = slot->second;
  if (!fresh)
    report(Kind::Redefinition, name.span, fmt::format("@{} is declared twice in one scope", name.text),
           {{type.span, "declared here"}});
  if (fresh) {
    type.name = scoped;
    type.span = name.span;
    type.declared = true;
  }
  AnnotationType& filled = fresh ? type : repeated_annotations_.emplace_back();
  filled.refused = true;  // until all of it is known
  filled.scope.parent = scope_;
  filled.scope.name = scoped;
  filled.scope.decl = scope_->decl;
  expect("{", "to open the annotation");
  scope_ = &filled.scope;
  try {
    while (!peek().is("}") && peek().type != Token::Type::End) annotation_member(filled);
  } catch (const Abandon&) {
    scope_ = filled.scope.parent;
    throw;
  }
  scope_ = filled.scope.parent;
  expect("}", "to close the annotation");
  filled.refused = false;
  expect(";", "behind the annotation");
}

void Parser::annotation_member(AnnotationType& type) {
  std::vector<const aoi::Decl*> declared;
  if (accept(";")) return;
  if (peek().is("const")) return constant(declared);
  if (peek().is("typedef")) return type_declarators(declared);
  if (peek().is("enum")) {
    enumeration(declared);
    expect(";", "behind the enum");
    return;
  }
  AnnotationMember m;
  const Span span = peek().span;
  const bool any = accept("any");
  if (!any) m.type = type_spec();
  const Token name = identifier("the member's name");
  declare(name, Symbol::Kind::Member, nullptr);
  m.name = name.text;
  if (!any && m.type && !is_constant_type(m.type)) {
    report(Kind::BadConstantType, span, "a member of an annotation has the type of a constant, or any");
    m.type = nullptr;
  }
  if (accept("default")) {
    const ConstantValue value = expression(m.type);
    aoi::Annotation::Argument a{m.name, {}, plain(value)};
    if (m.type) convert(value, m.type, a.value);
    a.text = text_of(a.value, m.type, value);
    m.fallback = std::move(a);
  }
  expect(";", "behind the member");
  type.members.push_back(std::move(m));
}

}  // namespace corbel::idl::omg
