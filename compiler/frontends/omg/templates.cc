// Template modules (IDL 4.2, "Template Modules"): the body's tokens are kept, and read again with the
// arguments in place of the parameters at every instantiation.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {

// Behind "module NAME": <parameters> { ... };
void Parser::template_module(const Token& name) {
  take();
  Template t;
  do {
    Token last;
    for (int depth = 0;
         peek().type != Token::Type::End && (depth > 0 || (!peek().is(",") && !peek().is(">")));) {
      depth += peek().is("<") ? 1 : peek().is(">") ? -1 : 0;
      last = take();
    }
    if (last.type != Token::Type::Identifier) syntax_error("a parameter of the template");
    t.parameters.push_back(last.text);
  } while (accept(","));
  expect(">", "behind the parameters");
  declare(name, Symbol::Kind::Template, nullptr);
  expect("{", "to open the module");
  const int inside = open_braces_;
  while (peek().type != Token::Type::End) {
    if (peek().is("}") && open_braces_ == inside) break;
    t.body.push_back(take());
    if (t.body.size() > kMostTemplateTokens) {
      report(Kind::NestingTooDeep, name.span, "this template is too long");
      throw Abandon{};
    }
  }
  expect("}", "to close the module");
  expect(";", "behind the module");
  templates_[scope_->name + "::" + name.text] = std::move(t);
}

// Behind "module" or "alias": TEMPLATE <arguments> NAME;
void Parser::instantiate(const std::vector<std::string>& comments) {
  const Token first = peek();
  Symbol* const s = scoped_name();
  const Template* const t = s && s->kind == Symbol::Kind::Template ? find_template(*s) : nullptr;
  if (s && !t)
    report(Kind::NotAType, first.span, fmt::format("'{}' is no template module", s->name),
           {{s->span, "declared here"}});
  expect("<", "and the template's arguments");
  std::vector<std::vector<Token>> arguments(1);
  for (int depth = 0; peek().type != Token::Type::End; arguments.back().push_back(take())) {
    if (depth == 0 && peek().is(">")) break;
    if (depth == 0 && accept(",")) arguments.emplace_back();
    if (depth == 1 && peek().is(">>")) {
      arguments.back().push_back(expect(">", ""));
      break;
    }
    depth += peek().is("<") ? 1 : peek().is(">") ? -1 : peek().is(">>") ? -2 : 0;
  }
  expect(">", "behind the arguments");
  const Token name = identifier("the module's name");
  expect(";", "behind the module");
  if (!t) {
    declare(name, Symbol::Kind::Refused, nullptr);
    return;
  }
  if (t->parameters.size() != arguments.size()) {
    report(Kind::BadTemplate, first.span,
           fmt::format("'{}' has {} parameters, these are {} arguments", s->name, t->parameters.size(),
                       arguments.size()),
           {{s->span, "declared here"}});
    declare(name, Symbol::Kind::Refused, nullptr);
    return;
  }
  replayed_ += t->body.size();
  if (replayed_ > kMostTemplateTokens) {
    report(Kind::NestingTooDeep, first.span, "the instantiations of templates are too many or too long");
    throw Abandon{};
  }
  // module NAME { body };
  std::vector<Token> text(3, name);
  text[0].text = "module", text[0].comments = comments;
  text[2].type = Token::Type::Punctuator, text[2].text = "{";
  for (const Token& b : t->body) {
    const auto p = std::find(t->parameters.begin(), t->parameters.end(), b.text);
    if (b.type != Token::Type::Identifier || p == t->parameters.end()) {
      text.push_back(b);
      continue;
    }
    const auto& a = arguments[static_cast<std::size_t>(p - t->parameters.begin())];
    text.insert(text.end(), a.begin(), a.end());
  }
  for (const char* end : {"}", ";"}) {
    text.push_back(text[2]);
    text.back().text = end;
  }
  ahead_.insert(ahead_.begin(), text.begin(), text.end());
}

// The innermost meaning of the name.
bool Parser::is_template(const std::string& name) {
  for (Scope* s = scope_; s; s = s->parent)
    if (const Symbol* const found = find_here(*s, lower(name))) return found->kind == Symbol::Kind::Template;
  return false;
}

const Parser::Template* Parser::find_template(const Symbol& symbol) const {
  for (const Scope& s : scopes_) {
    const auto i = s.symbols.find(lower(symbol.name));
    if (i == s.symbols.end() || &i->second != &symbol) continue;
    const auto t = templates_.find(s.name + "::" + symbol.name);
    return t == templates_.end() ? nullptr : &t->second;
  }
  return nullptr;
}

}  // namespace corbel::idl::omg
