#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

std::string_view kind_of(const aoi::Interface& i) {
  return i.is_abstract ? "abstract" : i.is_local ? "local" : "neither abstract nor local";
}

}  // namespace

const aoi::Decl* Parser::declaration_behind(const Symbol& symbol) {
  const aoi::Decl* target = symbol.kind == Symbol::Kind::Declaration ? symbol.decl : nullptr;
  while (target && target->kind == aoi::Decl::Kind::Typedef) {
    const aoi::Type* const t = aoi::resolve(static_cast<const aoi::Typedef*>(target)->type);
    target = t && t->kind == aoi::Type::Kind::Named ? t->decl : nullptr;
  }
  return target;
}

// To derive from or to support; null if it was reported as unfit.
const aoi::Interface* Parser::complete_interface(const Symbol& symbol, Span span) {
  const std::vector<Note> here{{symbol.span, "declared here"}};
  const aoi::Decl* const d = declaration_behind(symbol);
  const auto* const i =
      d && d->kind == aoi::Decl::Kind::Interface ? static_cast<const aoi::Interface*>(d) : nullptr;
  if (i && i->complete) return i;
  report(Kind::BadBase, span,
         i ? fmt::format("'{}' is not defined yet; a base must be defined before", symbol.name)
           : fmt::format("'{}' is no interface, so nothing can derive from it", symbol.name),
         here);
  return nullptr;
}

void Parser::interface(std::vector<const aoi::Decl*>& into, bool is_abstract, bool is_local) {
  const std::vector<std::string> comments = take().comments;
  const Token name = identifier("the interface's name");
  Symbol* const known = find_here(*scope_, lower(name.text));
  const bool forwarded =
      known && known->name == name.text && known->decl && known->decl->kind == aoi::Decl::Kind::Interface;
  auto* i = forwarded ? static_cast<aoi::Interface*>(known->decl) : nullptr;
  if (forwarded && known->kind == Symbol::Kind::Builtin) {
    *known = {Symbol::Kind::Declaration, name.text, name.span, known->decl, 0};
    fill(*known->decl, name, comments);
    into.push_back(known->decl);
  }
  const bool forward = peek().is(";");
  if (i && (i->is_abstract != is_abstract || i->is_local != is_local))
    report(
        Kind::BadBase, name.span,
        fmt::format("'{}' was declared before as an interface that is {}; write the same in all declarations",
                    name.text, kind_of(*i)),
        {{i->span, "declared here"}});
  if (!i || (i->complete && !forward)) {
    i = contract_.make<aoi::Interface>();
    fill(*i, name, comments);
    declare(name, Symbol::Kind::Declaration, i);
    i->is_abstract = is_abstract;
    i->is_local = is_local;
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
    if (!inherits(1 + a->members.size(), interface.span)) return;
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
  const aoi::Interface* const base = complete_interface(*s, span);
  if (!base) return;
  if ((interface.is_abstract && !base->is_abstract) || (!interface.is_local && base->is_local))
    return report(Kind::BadBase, span,
                  fmt::format("'{}' is {}, so an interface that is {} cannot derive from it", s->name,
                              kind_of(*base), kind_of(interface)),
                  {{s->span, "declared here"}});
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
    const Span first = peek().span;
    const int braces = open_braces_;
    try {
      annotations();
      member(interface.members);
    } catch (const Abandon&) {
      recover(scope, first, braces);
    }
  }
}

// An operation, attribute or declaration.
void Parser::member(std::vector<aoi::Interface::Member>& into) {
  if (peek().is("const") || peek().is("exception") || peek().is("typedef") || peek().is("struct") ||
      peek().is("union") || peek().is("enum") || peek().is("typeid") || peek().is("typeprefix") ||
      peek().is("native") || peek().is("bitset") || peek().is("bitmask") || peek().is("import") ||
      peek().is(";")) {
    std::vector<const aoi::Decl*> declared;
    definition(declared);
    into.insert(into.end(), declared.begin(), declared.end());
  } else if (peek().is("attribute") || peek().is("readonly")) {
    attribute(into);
  } else {
    operation(into);
  }
}

void Parser::check_inherited(const std::string& name, Span span) {
  if (Symbol* const s = find_inherited(*scope_, lower(name), span); s && s->kind == Symbol::Kind::Member)
    report(Kind::InheritedClash, span,
           fmt::format("'{}' is inherited from a base and cannot be declared again", name),
           {{s->span, "declared here"}});
}

void Parser::attribute(std::vector<aoi::Interface::Member>& into) {
  std::vector<std::string> comments = peek().comments;
  std::vector<PendingAnnotation> pending = std::exchange(annotations_, {});
  const bool readonly = accept("readonly");
  expect("attribute", "behind 'readonly'");
  const aoi::Type* const type = type_spec();
  if (type) check_complete(type, type->span);
  std::move(annotations_.begin(), annotations_.end(), std::back_inserter(pending));
  annotations_.clear();
  const std::vector<aoi::Annotation> notes = attach(std::move(pending), kAttribute, type);
  std::vector<aoi::Attribute*> all;
  do {
    const Token name = identifier("the attribute's name");
    check_inherited(name.text, name.span);
    declare(name, Symbol::Kind::Member, nullptr);
    auto* const a = contract_.make<aoi::Attribute>();
    a->name = name.text;
    a->type = type;
    a->readonly = readonly;
    a->span = name.span;
    a->comments = std::exchange(comments, {});
    a->annotations = notes;
    if (sends()) refuse_local(type, name.span, fmt::format("the type of '{}'", name.text));
    all.push_back(a);
  } while (accept(","));
  std::vector<const aoi::Exception*> get, set;
  if (readonly ? peek().is("raises") : peek().is("getraises")) get = exceptions();
  if (!readonly && peek().is("setraises")) set = exceptions();
  expect(";", "behind the attribute");
  for (aoi::Attribute* a : all) {
    a->get_raises = get;
    a->set_raises = set;
    into.push_back(a);
  }
}

void Parser::operation(std::vector<aoi::Interface::Member>& into) {
  auto* const op = contract_.make<aoi::Operation>();
  op->comments = peek().comments;
  std::vector<PendingAnnotation> pending = std::exchange(annotations_, {});
  op->oneway = accept("oneway");
  if (!starts_name()) syntax_error("an operation, attribute or declaration");
  op->result = type_spec(true);
  if (op->result) check_complete(op->result, op->result->span);
  std::move(annotations_.begin(), annotations_.end(), std::back_inserter(pending));
  annotations_.clear();
  op->annotations = attach(std::move(pending), kOperation, op->result);
  if (const aoi::Annotation* const a = aoi::find_standard(op->annotations, "oneway"))
    op->oneway = op->oneway || std::get<bool>(a->arguments[0].value);
  const Token name = identifier("the operation's name");
  op->name = name.text;
  op->span = name.span;
  check_inherited(name.text, name.span);
  declare(name, Symbol::Kind::Member, nullptr);
  op->parameters = parameters();
  if (peek().is("raises")) op->raises = exceptions();
  if (peek().is("context")) op->contexts = contexts();
  expect(";", "behind the operation");
  check_oneway(*op);
  if (sends()) check_local(*op);
  into.push_back(op);
}

std::vector<aoi::Parameter> Parser::parameters() {
  std::vector<aoi::Parameter> all;
  expect("(", "and the parameters");
  // Parameters have a scope of their own: a type that is used here cannot lend its name to a parameter.
  scopes_.emplace_back();
  scopes_.back().parent = scope_;
  scope_ = &scopes_.back();
  if (!peek().is(")")) {
    do all.push_back(parameter());
    while (accept(","));
  }
  leave();
  expect(")", "behind the parameters");
  return all;
}

aoi::Parameter Parser::parameter() {
  aoi::Parameter p;
  annotations();
  if (accept("in")) p.mode = aoi::Parameter::Mode::In;
  else if (accept("out")) p.mode = aoi::Parameter::Mode::Out;
  else if (accept("inout")) p.mode = aoi::Parameter::Mode::InOut;
  else syntax_error("'in', 'out' or 'inout'");
  p.type = type_spec();
  p.annotations = take_annotations(kParameter, p.type);
  if (p.type) check_complete(p.type, p.type->span);
  const Token name = identifier("the parameter's name");
  declare(name, Symbol::Kind::Parameter, nullptr);
  p.name = name.text;
  p.span = name.span;
  return p;
}

// context ("name", "prefix*")
std::vector<std::string> Parser::contexts() {
  std::vector<std::string> names;
  take();
  expect("(", "and the context's names");
  do {
    if (peek().type != Token::Type::String) syntax_error("a name in quotes");
    const ConstantValue name = strings();
    const bool letter = !name.text.empty() && std::isalpha(static_cast<unsigned char>(name.text[0]));
    const auto odd =
        name.text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._");
    if (!letter || (odd != name.text.npos && (name.text[odd] != '*' || odd + 1 != name.text.size())))
      report(Kind::BadLiteral, name.span,
             "a context's name has letters, digits, '.' and '_', begins with a letter and may end with '*'");
    names.push_back(name.text);
  } while (accept(","));
  expect(")", "behind the context's names");
  return names;
}

std::vector<const aoi::Exception*> Parser::exceptions() {
  std::vector<const aoi::Exception*> list;
  take();
  expect("(", "and the exceptions");
  do {
    const Span span = peek().span;
    Symbol* const s = scoped_name();
    if (!s) continue;
    // A native exception is one of the programming language: nothing that a reply could carry.
    if (s->decl && s->decl->kind == aoi::Decl::Kind::Native) continue;
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
