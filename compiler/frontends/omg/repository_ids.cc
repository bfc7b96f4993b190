// Repository ids: pragmas, typeid and typeprefix (CORBA 3.4 part 1, "Repository Identity Related
// Declarations").
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

// What typeprefix can stand for.
bool has_prefix(const aoi::Decl& decl) {
  using K = aoi::Decl::Kind;
  return decl.kind == K::Module || decl.kind == K::Interface || decl.kind == K::Value ||
         decl.kind == K::Component || decl.kind == K::Home;
}

std::string unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

// From the first character that is no blank, from `at` on.
std::string rest_of(const std::string& text, std::size_t at) {
  const auto begin = at == text.npos ? at : text.find_first_not_of(" \t", at);
  return begin == text.npos ? std::string() : text.substr(begin);
}

// Operations, attributes and members have ids that only an interface repository tells; nothing here does.
bool has_own_id(const Symbol& symbol) {
  return symbol.kind == Symbol::Kind::Member || symbol.kind == Symbol::Kind::Factory;
}

bool is_version(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == text.npos &&
         std::count(text.begin(), text.end(), '.') == 1 && text.front() != '.' && text.back() != '.';
}

}  // namespace

std::string Parser::repository_id(const Scope& scope, const std::string& name, std::string_view version) {
  std::string id = "IDL:" + scope.prefix;
  if (!scope.prefix.empty()) id += '/';
  // "::A::B" gives "A/B/".
  const std::string_view path = std::string_view(scope.name).substr(scope.prefix_scope.size());
  for (std::size_t i = 2; i < path.size(); ++i) {
    id += path[i] == ':' ? '/' : path[i];
    if (path[i] == ':') ++i;
  }
  if (!path.empty()) id += '/';
  id += name;
  id += ':';
  return id += version;
}

// prefix, ID and version; others belong to other compilers.
void Parser::pragma(const Token& token) {
  const std::string& text = token.text;
  const auto space = text.find_first_of(" \t\"");
  const std::string word = text.substr(0, space);
  std::string rest = rest_of(text, space);
  // Some write a semicolon behind it.
  while (!rest.empty() && (rest.back() == ';' || rest.back() == ' ' || rest.back() == '\t')) rest.pop_back();
  if (word == "prefix") {
    if (rest.size() < 2 || rest.front() != '"' || rest.back() != '"')
      return bad_pragma(token, "prefix \"TEXT\"");
    scope_->prefix = unquoted(rest);
    scope_->prefix_scope = scope_->name;
    return;
  }
  if (word != "ID" && word != "version") return;
  const auto gap = rest.find_first_of(" \t");
  const std::string name = rest.substr(0, gap), value = unquoted(rest_of(rest, gap));
  if (word == "ID" ? value.empty() : !is_version(value))
    return bad_pragma(token, word == "ID" ? "ID NAME \"IDL:...\"" : "version NAME MAJOR.MINOR");
  Symbol* const found = find_declared(name);
  if (found && (found->kind == Symbol::Kind::Refused || has_own_id(*found))) return;
  if (found && found->kind == Symbol::Kind::Enumerator)
    return report(Kind::BadPragma, token.span,
                  fmt::format("'{}' is an enumerator, which has no repository id", name),
                  {{found->span, "declared here"}});
  if (!found || !found->decl)
    return report(Kind::BadPragma, token.span,
                  fmt::format("'{}' is not declared here; the pragma follows its declaration", name));
  if (word == "version") return set_version(*found, value, token.span);
  if (value.find(':') == value.npos) return bad_pragma(token, "ID NAME \"FORMAT:...\"");
  set_repository_id(*found, value, token.span);
}

void Parser::bad_pragma(const Token& token, std::string_view form) {
  report(Kind::BadPragma, token.span,
         fmt::format("this pragma is malformed; it is written #pragma {}", form));
}

// What a name in a pragma stands for: nothing is marked as used, and nothing reported.
Symbol* Parser::find_declared(const std::string& name) {
  for (Scope* s = scope_; s; s = s->parent) {
    Scope* in = s;
    std::string tail = name;
    if (tail.starts_with("::")) {
      in = &scopes_.front();
      tail.erase(0, 2);
    }
    for (auto colon = tail.find("::"); in && colon != tail.npos; colon = tail.find("::")) {
      const auto inner = in->inner.find(lower(tail.substr(0, colon)));
      in = inner == in->inner.end() ? nullptr : inner->second;
      tail.erase(0, colon + 2);
    }
    if (Symbol* const found = in ? find_here(*in, lower(tail)) : nullptr) return found;
  }
  return nullptr;
}

void Parser::set_repository_id(const Symbol& symbol, const std::string& id, Span where) {
  aoi::Decl& decl = *symbol.decl;
  const auto known = explicit_ids_.find(&decl);
  if (known != explicit_ids_.end() && decl.repository_id != id)
    return report(Kind::RepositoryIdClash, where,
                  fmt::format("'{}' has the repository id {} already", symbol.name, decl.repository_id),
                  {{known->second, "given here"}});
  explicit_ids_.emplace(&decl, where);
  decl.repository_id = id;
}

// Once; and an id that was given says the version already.
void Parser::set_version(const Symbol& symbol, const std::string& version, Span where) {
  aoi::Decl& decl = *symbol.decl;
  const std::string before = decl.repository_id.substr(0, decl.repository_id.rfind(':') + 1);
  const auto id = explicit_ids_.find(&decl);
  const auto [known, fresh] = versions_.emplace(&decl, where);
  const bool fixed = id != explicit_ids_.end() || !fresh;
  if (fixed && decl.repository_id != before + version)
    return report(Kind::RepositoryIdClash, where,
                  fmt::format("'{}' has the repository id {} already", symbol.name, decl.repository_id),
                  {{id != explicit_ids_.end() ? id->second : known->second, "given here"}});
  decl.repository_id = before + version;
}

void Parser::type_id() {
  const Token word = take();
  Symbol* const s = scoped_name();
  const Token id = take();
  if (id.type != Token::Type::String) {
    report(Kind::Syntax, id.span, "expected a repository id in quotes");
    throw Abandon{};
  }
  expect(";", "behind typeid");
  if (s && s->kind == Symbol::Kind::Enumerator)
    return report(Kind::NotAType, word.span,
                  fmt::format("'{}' is an enumerator, which has no repository id", s->name),
                  {{s->span, "declared here"}});
  if (!s || !s->decl) return;
  const std::string text = unquoted(id.text);
  if (text.find(':') == text.npos) {
    bad_literal(id, "a repository id has a format, a colon and a name");
    return;
  }
  set_repository_id(*s, text, word.span);
}

void Parser::type_prefix() {
  take();
  Scope* target = &scopes_.front();
  const bool file = peek().is("::") && peek_second().type == Token::Type::String;
  if (file) {
    take();
  } else {
    const Span span = peek().span;
    Symbol* const s = scoped_name();
    const bool declared = s && (s->kind == Symbol::Kind::Declaration || s->kind == Symbol::Kind::Builtin);
    target = declared && has_prefix(*s->decl) ? scope_of(s->decl) : nullptr;
    if (s && !target)
      report(
          Kind::NotAType, span,
          fmt::format("'{}' is no module, interface, valuetype or component, so it has no prefix", s->name),
          {{s->span, "declared here"}});
  }
  const Token prefix = take();
  if (prefix.type != Token::Type::String) {
    report(Kind::Syntax, prefix.span, "expected a prefix in quotes");
    throw Abandon{};
  }
  expect(";", "behind typeprefix");
  if (!target) return;
  target->own_prefix = unquoted(prefix.text);
  take_prefix(*target, *target->own_prefix);
}

// What is declared already follows, too; its version stays.
void Parser::take_prefix(Scope& scope, const std::string& prefix) {
  scope.prefix = prefix;
  scope.prefix_scope.clear();
  for (auto& [key, s] : scope.symbols) {
    if (s.kind != Symbol::Kind::Declaration || explicit_ids_.contains(s.decl)) continue;
    std::string& id = s.decl->repository_id;
    id = repository_id(scope, s.name, std::string_view(id).substr(id.rfind(':') + 1));
  }
  for (auto& [key, inner] : scope.inner) take_prefix(*inner, inner->own_prefix.value_or(prefix));
}

// An id that was given to one declaration belongs to no other one. Of those that follow from names two can be
// the same only where prefixes leave modules out; other compilers say nothing of that either.
void Parser::check_repository_ids() {
  if (explicit_ids_.empty()) return;
  const auto place = [&](const aoi::Decl* decl) {
    const Span where = explicit_ids_.at(decl);
    return std::pair(where.file, where.begin);
  };
  std::map<std::string, const aoi::Decl*> owners;  // by id: the first one that it was given to
  for (const auto& [decl, where] : explicit_ids_) {
    const auto [owner, fresh] = owners.emplace(decl->repository_id, decl);
    if (!fresh && place(decl) < place(owner->second)) owner->second = decl;
  }
  for (const Scope& scope : scopes_) {
    for (const auto& [key, symbol] : scope.symbols) {
      if (symbol.kind != Symbol::Kind::Declaration || !symbol.decl) continue;
      const auto owner = owners.find(symbol.decl->repository_id);
      if (owner == owners.end() || owner->second == symbol.decl) continue;
      const auto given = explicit_ids_.find(symbol.decl);
      report(Kind::RepositoryIdClash, given == explicit_ids_.end() ? symbol.decl->span : given->second,
             fmt::format("'{}' and '{}' have the same repository id {}", owner->second->name, symbol.name,
                         owner->first),
             {{explicit_ids_.at(owner->second), "given here"}});
    }
  }
}

}  // namespace corbel::idl::omg
