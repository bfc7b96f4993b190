#include "compiler/frontends/omg/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compiler/frontends/omg/recursion.h"

namespace corbel::idl::omg {

Parser::Parser(Preprocessor& input, Diagnostics& diagnostics, aoi::Contract& contract)
    : input_(input), diagnostics_(diagnostics), contract_(contract) {
  scopes_.emplace_back();
  scope_ = &scopes_.back();
  // Known without any declaration; module CORBA may be opened all the same.
  const auto builtin = [this](aoi::Decl* decl, const char* name) {
    decl->name = name;
    decl->scope = scope_->decl;
    decl->scoped_name = scope_->name + "::" + name;
    decl->in_main_file = false;
    scope_->symbols[lower(name)] = {Symbol::Kind::Builtin, name, {}, decl, 0};
  };
  auto* const corba = contract_.make<aoi::Module>();
  builtin(corba, "CORBA");
  enter(corba);
  builtin(contract_.make<aoi::Native>(), "TypeCode");
  builtin(contract_.make<aoi::Interface>(), "InterfaceDef");
  leave();
}

void Parser::parse() {
  definitions(contract_.declarations, false);
  for (aoi::Decl* d : forward_) {
    const bool complete = d->kind == aoi::Decl::Kind::Struct ? static_cast<aoi::Struct*>(d)->complete
                                                             : static_cast<aoi::Union*>(d)->complete;
    if (!complete)
      report(Kind::IncompleteType, d->span, fmt::format("'{}' is declared here but never defined", d->name));
  }
  check_repository_ids();
  for (const aoi::Decl* d : mark_recursive(constructed_, kTallestOfAll))
    report(
        Kind::NestingTooDeep, d->span,
        fmt::format("types are made of each other through more than {} levels; flatten them", kTallestOfAll));
  if (!contract_.inline_includes) contract_.direct_includes = input_.direct_includes();
  contract_.standard_includes = input_.standard_includes();
}

// ---- tokens

// Borders of files and pragmas are dealt with on the way.
void Parser::read_token(Token& t) {
  for (;;) {
    input_.next(t);
    switch (t.type) {
      case Token::Type::FileEnter:
        ++include_depth_;
        file_prefixes_.push_back({scope_, scope_->prefix, scope_->prefix_scope});
        scope_->prefix.clear();
        scope_->prefix_scope.clear();
        continue;
      case Token::Type::FileLeave:
        --include_depth_;
        file_prefixes_.back().scope->prefix = file_prefixes_.back().prefix;
        file_prefixes_.back().scope->prefix_scope = file_prefixes_.back().prefix_scope;
        file_prefixes_.pop_back();
        continue;
      case Token::Type::Pragma:
        pragma(t);
        continue;
      default:
        return;
    }
  }
}

const Token& Parser::read_ahead() {
  ahead_.resize(1);
  next_ = 0;
  read_token(ahead_.front());
  return ahead_.front();
}

// The token behind `distance` others.
const Token& Parser::peek_at(std::size_t distance) {
  peek();
  while (ahead_.size() - next_ <= distance) {
    Token t;
    read_token(t);
    ahead_.push_back(std::move(t));
  }
  return ahead_[next_ + distance];
}

// They are read next.
void Parser::put_back(const std::vector<Token>& tokens) {
  ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(next_));
  ahead_.insert(ahead_.begin(), tokens.begin(), tokens.end());
  next_ = 0;
}

// What it gives is there until the next token is taken.
const Token& Parser::take() {
  peek();
  last_ = std::move(ahead_[next_++]);
  if (last_.type == Token::Type::Punctuator) {
    if (last_.text == "{") ++open_braces_;
    if (last_.text == "}") --open_braces_;
  }
  return last_;
}

bool Parser::accept(std::string_view text) {
  if (!peek().is(text)) return false;
  take();
  return true;
}

void Parser::syntax_error(std::string_view expected) {
  const Token& t = peek();
  report(Kind::Syntax, t.span,
         t.type == Token::Type::End ? fmt::format("expected {} before the end of the file", expected)
                                    : fmt::format("expected {}, found '{}'", expected, t.text));
  throw Abandon{};
}

// A ">>" where ">" is wanted is two of them.
const Token& Parser::expect(std::string_view text, std::string_view where) {
  if (text == ">" && peek().is(">>")) {
    Token& second = ahead_[next_];
    second.text = ">";
    last_ = second;
    --last_.span.end;
    ++second.span.begin;
    return last_;
  }
  if (peek().is(text)) return take();
  // A forgotten ';' spoils nothing when a new declaration follows.
  if (text != ";" || !begins_declaration()) syntax_error(fmt::format("'{}' {}", text, where));
  report(Kind::Syntax, {last_.span.file, last_.span.end, last_.span.end},
         fmt::format("expected ';' {}", where));
  return last_;
}

bool Parser::begins_declaration() {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"module",   "interface", "struct", "union",   "enum",   "typedef",  "const", "exception", "attribute",
       "readonly", "oneway",    "case",   "default", "void",   "boolean",  "octet", "char",      "short",
       "long",     "unsigned",  "float",  "double",  "string", "sequence", "}"});
  return std::any_of(kWords.begin(), kWords.end(), [this](std::string_view w) { return peek().is(w); });
}

// The text from one token to another, as written.
std::string Parser::source_between(const Token& first, const Token& last) const {
  if (first.span.file != last.span.file || last.span.end <= first.span.begin) return {};
  std::string text(input_.sources().slice({first.span.file, first.span.begin, last.span.end}));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return text;
}

// The escape underscore is removed; it only says that the name is no keyword.
Token Parser::identifier(std::string_view what) {
  if (peek().type != Token::Type::Identifier) syntax_error(what);
  check_spelling(peek());
  take();
  Token t = std::move(last_);
  if (t.text[0] != '_') return t;
  t.text.erase(0, 1);
  const bool letter = !t.text.empty() && t.text[0] != '_' && (t.text[0] < '0' || t.text[0] > '9');
  if (!letter)
    report(Kind::BadCharacter, t.span,
           "a name begins with a letter; one underscore before it only says that it is no keyword");
  if (t.text.empty()) throw Abandon{};
  return t;
}

// To the end of a statement that stands inside `braces` open braces: behind its ';', or before the '}' around
// it.
void Parser::skip_statement(int braces) {
  while (peek().type != Token::Type::End) {
    if (open_braces_ <= braces && peek().is("}")) return;
    take();
    if (open_braces_ > braces) continue;
    if (last_.is(";") || (last_.is("}") && begins_declaration())) return;
  }
}

// After an error: back to `scope`, behind the statement that began with `first` inside `braces` open braces.
void Parser::recover(Scope& scope, Span first, int braces) {
  scope_ = &scope;
  annotations_.clear();
  forget(scope, first);
  skip_statement(braces);
}

}  // namespace corbel::idl::omg
