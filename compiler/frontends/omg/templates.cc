// Template modules (IDL 4.2, "Template Modules"): the body's tokens are kept, and read again with the
// arguments in place of the parameters at every instantiation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

constexpr auto kKinds =
    std::to_array<std::string_view>({"typename", "interface", "valuetype", "eventtype", "struct", "union",
                                     "exception", "enum", "sequence", "const"});

bool is_of_kind(const std::string& kind, const aoi::Decl& decl) {
  using K = aoi::Decl::Kind;
  if (kind == "interface") return decl.kind == K::Interface;
  if (kind == "valuetype") return decl.kind == K::Value || decl.kind == K::ValueBox;
  if (kind == "eventtype") return decl.kind == K::Value && static_cast<const aoi::Value&>(decl).is_event;
  if (kind == "struct") return decl.kind == K::Struct;
  if (kind == "union") return decl.kind == K::Union;
  if (kind == "exception") return decl.kind == K::Exception;
  if (kind == "enum") return decl.kind == K::Enum;
  if (kind != "sequence" || decl.kind != K::Typedef) return false;
  const aoi::Type* const t = aoi::resolve(static_cast<const aoi::Typedef&>(decl).type);
  return t && t->kind == aoi::Type::Kind::Sequence;
}

}  // namespace

// At "NAME <": whether a parameter follows, not an argument.
bool Parser::begins_template() {
  return std::find(kKinds.begin(), kKinds.end(), peek_at(2).text) != kKinds.end();
}

// Behind "module NAME": <parameters> { ... };
void Parser::template_module(const Token& name) {
  take();
  Template t;
  do {
    const Token kind = peek();
    if (std::find(kKinds.begin(), kKinds.end(), kind.text) == kKinds.end())
      syntax_error("'typename', 'const' or another kind of parameter");
    Token last;
    for (int depth = 0; peek().type != Token::Type::End && !peek().is(";") && !peek().is("{") &&
                        (depth > 0 || (!peek().is(",") && !peek().is(">")));) {
      depth += peek().is("<") ? 1 : peek().is(">") ? -1 : 0;
      last = take();
    }
    if (last.type != Token::Type::Identifier) syntax_error("a parameter of the template");
    if (std::find(t.parameters.begin(), t.parameters.end(), last.text) != t.parameters.end())
      report(Kind::BadTemplate, last.span, fmt::format("'{}' is a parameter twice; rename one", last.text));
    t.parameters.push_back(last.text);
    t.kinds.push_back(kind.text);
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
    const bool ends = depth == 0 && (peek().is(">") || peek().is(","));
    if (ends && arguments.back().empty()) syntax_error("an argument");
    if ((depth == 0 && peek().is(">")) || peek().is(";") || peek().is("{")) break;
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
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (fits_parameter(t->kinds[i], arguments[i])) continue;
    declare(name, Symbol::Kind::Refused, nullptr);
    return;
  }
  // module NAME { body };
  std::vector<Token> text(3, name);
  text[0].text = "module", text[0].comments = comments;
  text[2].type = Token::Type::Punctuator, text[2].text = "{";
  for (const Token& b : t->body) {
    const auto p = std::find(t->parameters.begin(), t->parameters.end(), b.text);
    const bool is_parameter = b.type == Token::Type::Identifier && p != t->parameters.end();
    const std::span<const Token> read =
        is_parameter ? std::span<const Token>(arguments[static_cast<std::size_t>(p - t->parameters.begin())])
                     : std::span(&b, 1);
    replayed_ += read.size();
    if (replayed_ > kMostTemplateTokens) {
      report(Kind::NestingTooDeep, first.span, "the instantiations of templates are too many or too long");
      throw Abandon{};
    }
    text.insert(text.end(), read.begin(), read.end());
  }
  for (const char* end : {"}", ";"}) {
    text.push_back(text[2]);
    text.back().text = end;
  }
  put_back(text);
}

// Whether an argument is what its parameter asks for; if not, it was reported.
bool Parser::fits_parameter(const std::string& kind, const std::vector<Token>& argument) {
  const Token& first = argument.front();
  if (kind == "typename" || kind == "const" || (kind == "sequence" && first.is("sequence"))) return true;
  const bool is_name = std::all_of(argument.begin(), argument.end(), [](const Token& t) {
    return t.is("::") || (t.type == Token::Type::Identifier && !is_keyword(t.text));
  });
  Symbol* s = nullptr;
  if (is_name) {
    // The name is read as any other one; the semicolon keeps what follows apart.
    Token end = first;
    end.type = Token::Type::Punctuator, end.text = ";";
    put_back({end});
    put_back(argument);
    s = scoped_name();
    expect(";", "behind the argument");
    if (!s) return false;
    const aoi::Decl* const behind = declaration_behind(*s);
    const bool right = s->kind == Symbol::Kind::Declaration && s->decl &&
                       (is_of_kind(kind, *s->decl) || (behind && is_of_kind(kind, *behind)));
    if (right) return true;
  }
  std::vector<Note> notes;
  if (s) notes.push_back({s->span, "declared here"});
  report(Kind::BadTemplate, first.span,
         fmt::format("this argument is no {}, which the template asks for", kind), std::move(notes));
  return false;
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
