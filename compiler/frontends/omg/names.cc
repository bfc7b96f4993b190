#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

constexpr auto kKeywords = std::to_array<std::string_view>(
    {"abstract", "any",       "attribute",  "boolean",     "case",      "char",   "component",
     "const",    "consumes",  "context",    "custom",      "default",   "double", "emits",
     "enum",     "eventtype", "exception",  "factory",     "FALSE",     "finder", "fixed",
     "float",    "getraises", "home",       "import",      "in",        "inout",  "interface",
     "local",    "long",      "module",     "multiple",    "native",    "Object", "octet",
     "oneway",   "out",       "primarykey", "private",     "provides",  "public", "publishes",
     "raises",   "readonly",  "sequence",   "setraises",   "short",     "string", "struct",
     "supports", "switch",    "TRUE",       "truncatable", "typedef",   "typeid", "typeprefix",
     "union",    "unsigned",  "uses",       "ValueBase",   "valuetype", "void",   "wchar",
     "wstring"});

}  // namespace

std::string lower(const std::string& name) {
  std::string l = name;
  std::transform(l.begin(), l.end(), l.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return l;
}

// An identifier must differ from every keyword in more than case, unless it is escaped.
void Parser::check_spelling(const Token& name) {
  for (const std::string_view k : kKeywords) {
    if (lower(std::string(k)) != lower(name.text)) continue;
    report(Kind::KeywordClash, name.span,
           fmt::format(
               "'{}' {}; write _{} to use it as a name", name.text,
               name.text == k ? "is a keyword" : fmt::format("differs from the keyword '{}' in case only", k),
               name.text));
    throw Abandon{};
  }
}

Scope* Parser::enter(aoi::Decl* decl) {
  const std::string key = lower(decl->name);
  Scope*& slot = scope_->inner[key];
  if (!slot) {
    scopes_.emplace_back();
    slot = &scopes_.back();
    slot->parent = scope_;
    slot->name = decl->scoped_name;
  }
  slot->decl = decl;
  slot->prefix = scope_->prefix;
  return scope_ = slot;
}

void Parser::leave() { scope_ = scope_->parent; }

std::string Parser::repository_id(const Scope& scope, const std::string& name) {
  std::string path = scope.name + "::" + name;
  path.erase(0, 2);
  for (auto colon = path.find("::"); colon != path.npos; colon = path.find("::")) path.replace(colon, 2, "/");
  return "IDL:" + (scope.prefix.empty() ? "" : scope.prefix + "/") + path + ":1.0";
}

void Parser::fill(aoi::Decl& decl, const Token& name, const std::vector<std::string>& comments) {
  decl.name = name.text;
  decl.span = name.span;
  decl.scope = scope_->decl;
  decl.scoped_name = scope_->name + "::" + name.text;
  decl.repository_id = repository_id(*scope_, name.text);
  decl.comments = comments;
  decl.in_main_file = include_depth_ == 0;
}

Symbol* Parser::find_here(Scope& scope, const std::string& key) {
  const auto i = scope.symbols.find(key);
  return i == scope.symbols.end() ? nullptr : &i->second;
}

Symbol* Parser::declare(const Token& name, Symbol::Kind kind, aoi::Decl* decl) {
  const std::string key = lower(name.text);
  if (Symbol* const other = find_here(*scope_, key)) {
    const std::vector<Note> note{{other->span, fmt::format("'{}' is declared here", other->name)}};
    if (other->name == name.text)
      report(Kind::Redefinition, name.span, fmt::format("'{}' is declared twice in one scope", name.text),
             note);
    else
      report(Kind::CaseClash, name.span,
             fmt::format("'{}' and '{}' differ in case only, which IDL does not allow in one scope",
                         name.text, other->name),
             note);
    return other;
  }
  if (scope_->decl && lower(scope_->decl->name) == key && scope_->decl->kind != aoi::Decl::Kind::Module) {
    report(Kind::Redefinition, name.span,
           fmt::format("'{}' has the name of the scope that it stands in", name.text),
           {{scope_->decl->span, "the scope is declared here"}});
  } else if (const auto used = scope_->used.find(key); used != scope_->used.end()) {
    report(
        Kind::ChangedMeaning, name.span,
        fmt::format("'{}' was used above with the meaning of an outer scope, so it cannot be declared here",
                    name.text),
        {{used->second, "used here"}});
  }
  Symbol& s = scope_->symbols[key];
  s = {kind, name.text, name.span, decl, 0};
  return &s;
}

// What the bases of an interface hand down. One declaration that comes on several ways is no ambiguity.
Symbol* Parser::find_inherited(Scope& scope, const std::string& key, Span span) {
  Symbol* found = nullptr;
  for (Scope* base : scope.bases) {
    Symbol* s = find_here(*base, key);
    if (!s) s = find_inherited(*base, key, span);
    if (s && found && s != found) {
      report(Kind::AmbiguousName, span,
             fmt::format("'{}' is inherited from more than one base; qualify it", s->name),
             {{found->span, "one is declared here"}, {s->span, "another one here"}});
      return found;
    }
    if (s) found = s;
  }
  return found;
}

bool Parser::starts_name() { return peek().is("::") || peek().type == Token::Type::Identifier; }

Symbol* Parser::scoped_name() {
  const bool global = accept("::");
  Token name = identifier("a name");
  Symbol* symbol = nullptr;
  Scope* from = global ? &scopes_.front() : scope_;
  std::string key = lower(name.text);
  for (Scope* s = from; s && !symbol; s = global ? nullptr : s->parent) {
    symbol = find_here(*s, key);
    if (!symbol) symbol = find_inherited(*s, key, name.span);
    // An interface or struct is known inside itself.
    if (!symbol && s->decl && lower(s->decl->name) == key && s->parent) symbol = find_here(*s->parent, key);
  }
  if (symbol && !global && scope_->decl && scope_->decl->kind != aoi::Decl::Kind::Module &&
      !find_here(*scope_, key))
    scope_->used.emplace(key, name.span);
  std::string path = name.text;
  for (;;) {
    if (!symbol) {
      report(Kind::UnknownName, name.span,
             fmt::format("'{}' is not declared{}", name.text,
                         path == name.text ? "; is an #include missing?"
                                           : fmt::format(" in '{}'", path.substr(0, path.rfind("::")))));
      while (accept("::")) identifier("a name");
      return nullptr;
    }
    if (symbol->name != name.text)
      report(Kind::CaseClash, name.span,
             fmt::format("'{}' is declared as '{}'; names must be spelled alike everywhere", name.text,
                         symbol->name),
             {{symbol->span, "declared here"}});
    if (!peek().is("::")) return symbol->kind == Symbol::Kind::Refused ? nullptr : symbol;
    take();
    name = identifier("a name");
    path += "::" + name.text;
    if (symbol->kind == Symbol::Kind::Refused) continue;
    Scope* inner = nullptr;
    if (symbol->decl) {
      for (Scope& s : scopes_)
        if (s.decl && s.name == symbol->decl->scoped_name) inner = &s;
    }
    key = lower(name.text);
    symbol = inner ? find_here(*inner, key) : nullptr;
    if (!symbol && inner) symbol = find_inherited(*inner, key, name.span);
  }
}

}  // namespace corbel::idl::omg
