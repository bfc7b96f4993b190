// Macros: their arguments, #, ## and expansion.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "compiler/source/preprocessor.h"

namespace corbel::idl {
namespace {

std::string quote(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& t : tokens) {
    if (t.space_before && !text.empty()) text += ' ';
    const bool literal = t.type == Token::Type::String || t.type == Token::Type::Char || t.is_wide();
    if (t.is_wide()) text += 'L';
    for (const char c : t.text) {
      if (literal && (c == '"' || c == '\\')) text += '\\';
      text += c;
    }
  }
  return '"' + text + '"';
}

bool in_expansion_of(const Token& token) {
  for (const Expansion* e = token.expansion.get(); e; e = e->outer.get())
    if (e->macro == token.text) return true;
  return false;
}

}  // namespace

// The tokens go through the same machine as the file's, but nothing is read from the file meanwhile.
std::vector<Token> Preprocessor::expand_all(std::vector<Token> tokens) {
  if (depth_ >= kDeepestExpansion) return tokens;  // reported where the macro stands
  std::vector<Token> saved = std::move(pending_);
  const bool was_isolated = std::exchange(isolated_, true);
  ++depth_;
  pending_.assign(std::make_move_iterator(tokens.rbegin()), std::make_move_iterator(tokens.rend()));
  std::vector<Token> result;
  while (!pending_.empty()) {
    Token t = std::move(pending_.back());
    pending_.pop_back();
    if (in_condition_ && t.is("defined")) result.push_back(is_defined(std::move(t)));
    else if (t.type != Token::Type::Identifier || !expand(t)) result.push_back(std::move(t));
  }
  --depth_;
  isolated_ = was_isolated;
  pending_ = std::move(saved);
  return result;
}

// For good: what is half expanded would only cost time.
void Preprocessor::refuse_expansion(const Token& name) {
  if (expansion_refused_) return;
  expansion_refused_ = true;
  diagnostics_.report(Kind::BadMacro, name.span,
                      fmt::format("expanding '{}' gives too much; does a macro multiply itself?", name.text));
}

bool Preprocessor::grows_too_much() const {
  return expanded_here_ > kMostExpansion || expanded_ > kMostExpansion + kMostGrowth * bytes_read_;
}

// __LINE__ and __FILE__
bool Preprocessor::expand_place(const Token& name) {
  if (!name.text.starts_with("__")) return false;
  const bool line = name.text == "__LINE__";
  if (!line && name.text != "__FILE__") return false;
  const auto position = sources_.position(name.span.file, name.span.begin);
  Token t = name;
  t.type = line ? Token::Type::Integer : Token::Type::String;
  t.text = line ? std::to_string(position.line) : '"' + std::string(position.path) + '"';
  pending_.push_back(std::move(t));
  return true;
}

bool Preprocessor::expand(const Token& name) {
  const auto found = macros_.find(name.text);
  if (found == macros_.end()) return expand_place(name);
  if (expansion_refused_ || in_expansion_of(name)) return false;
  const Macro& macro = found->second;  // nothing defines or removes a macro during its expansion
  const int depth = name.expansion ? name.expansion->depth + 1 : 1;
  expanded_here_ += macro.body.size() + 1;
  expanded_ += macro.body.size() + 1;
  if (depth > kDeepestExpansion || depth_ >= kDeepestExpansion || grows_too_much()) {
    refuse_expansion(name);
    return false;
  }
  std::vector<std::vector<Token>> args;
  if (macro.function_like && !arguments(name, macro, args)) return false;
  std::size_t grown = 0;
  for (const std::vector<Token>& a : args) grown += a.size();
  std::vector<Token> body = substitute(name, macro, args);
  grown += body.size();
  expanded_ += grown;
  expanded_here_ += grown;
  std::shared_ptr<const Expansion> inner, outer;  // neighbours mostly come from the same expansion
  for (Token& t : body) {
    t.span = name.span;
    t.comments.clear();
    if (!outer || t.expansion != inner) {
      inner = t.expansion;
      outer = std::make_shared<Expansion>(Expansion{name.text, std::max(depth, inner ? inner->depth + 1 : 1),
                                                    inner ? inner : name.expansion});
    }
    t.expansion = outer;
  }
  if (!body.empty()) {
    body.front().comments = name.comments;
    body.front().space_before = name.space_before;
  }
  pending_.insert(pending_.end(), std::make_move_iterator(body.rbegin()),
                  std::make_move_iterator(body.rend()));
  return true;
}

// The next token of a macro's arguments. #if, #else and their like are obeyed between their lines.
Token Preprocessor::argument_token() {
  for (;;) {
    const bool from_file = pending_.empty() && !isolated_ && !files_.empty();
    Token t = raw();
    if (!from_file || t.type == Token::Type::End) return t;
    File& file = files_.back();
    if (file.line_start && t.is("#")) {
      in_arguments_ = true;
      directive(t);
      in_arguments_ = false;
      file.lexer->set_quiet(skipping());
      continue;
    }
    file.line_start = t.type == Token::Type::Newline;
    if (!file.line_start && !skipping()) return t;
  }
}

// Reads "(a, b)" behind a function-like macro's name; false, with nothing consumed, if there is none.
bool Preprocessor::arguments(const Token& name, const Macro& macro, std::vector<std::vector<Token>>& args) {
  const bool open = !pending_.empty()
                        ? pending_.back().is("(")
                        : !isolated_ && !files_.empty() && files_.back().lexer->before_parenthesis();
  if (!open) return false;
  while (!argument_token().is("(")) continue;  // newlines before it
  args.emplace_back();
  for (int depth = 1;;) {
    Token t = argument_token();
    if (t.type == Token::Type::End) {
      diagnostics_.report(
          Kind::BadMacro, name.span,
          fmt::format("the arguments of macro '{}' have no end; close them with ')'", name.text));
      break;
    }
    if (t.type == Token::Type::Newline) continue;
    if (t.is("(")) ++depth;
    if (t.is(")") && --depth == 0) break;
    const bool rest = macro.variadic && args.size() == macro.parameters.size();
    if (t.is(",") && depth == 1 && !rest) args.emplace_back();
    else args.back().push_back(std::move(t));
  }
  if (args.size() == 1 && args[0].empty() && macro.parameters.empty()) args.clear();
  if (macro.variadic && args.size() + 1 == macro.parameters.size()) args.emplace_back();
  if (args.size() != macro.parameters.size()) {
    diagnostics_.report(Kind::BadMacro, name.span,
                        fmt::format("macro '{}' takes {} arguments, {} are given", name.text,
                                    macro.parameters.size(), args.size()));
    args.resize(macro.parameters.size());
  }
  return true;
}

// The body with its parameters replaced. An empty argument beside ## leaves an empty token until the end.
std::vector<Token> Preprocessor::substitute(const Token& name, const Macro& macro,
                                            const std::vector<std::vector<Token>>& args) {
  std::vector<Token> out;
  std::vector<std::optional<std::vector<Token>>> expanded(args.size());
  std::unordered_map<std::string_view, const std::vector<Token>*> by_name;
  for (std::size_t i = 0; i < args.size(); ++i) by_name.emplace(macro.parameters[i], &args[i]);
  const auto parameter = [&](const Token& t) -> const std::vector<Token>* {
    const auto i = t.type == Token::Type::Identifier ? by_name.find(t.text) : by_name.end();
    return i == by_name.end() ? nullptr : i->second;
  };
  const auto unexpanded = [&](const Token& t) {
    const std::vector<Token>* const argument = parameter(t);
    if (!argument) return std::vector<Token>{t};
    return argument->empty() ? std::vector<Token>(1) : *argument;
  };
  for (std::size_t i = 0; i < macro.body.size(); ++i) {
    if (expanded_here_ + out.size() > kMostExpansion) refuse_expansion(name);
    if (expansion_refused_) return {};
    const Token& t = macro.body[i];
    const bool last = i + 1 == macro.body.size();
    if (macro.function_like && t.is("#") && !last && parameter(macro.body[i + 1])) {
      Token s = t;
      s.type = Token::Type::String;
      s.text = quote(*parameter(macro.body[++i]));
      out.push_back(std::move(s));
    } else if (t.is("##") && !out.empty() && !last) {
      std::vector<Token> right = unexpanded(macro.body[++i]);
      const bool rest = macro.variadic && macro.body[i].text == macro.parameters.back();
      if (rest && out.back().is(",")) {  // of ", ## rest" nothing is left without further arguments
        if (right.front().text.empty()) out.pop_back();
        else out.insert(out.end(), right.begin(), right.end());
        continue;
      }
      if (out.back().text.empty()) out.back().type = right.front().type;
      out.back().text += right.front().text;
      out.insert(out.end(), right.begin() + 1, right.end());
    } else if (!last && macro.body[i + 1].is("##")) {
      const std::vector<Token> left = unexpanded(t);
      out.insert(out.end(), left.begin(), left.end());
    } else if (const std::vector<Token>* const argument = parameter(t)) {
      auto& whole = expanded[static_cast<std::size_t>(argument - args.data())];
      if (!whole) whole = expand_all(*argument);
      if (!whole->empty()) whole->front().space_before = t.space_before;
      out.insert(out.end(), whole->begin(), whole->end());
    } else {
      out.push_back(t);
    }
  }
  std::erase_if(out, [](const Token& t) { return t.text.empty(); });
  return out;
}

}  // namespace corbel::idl
