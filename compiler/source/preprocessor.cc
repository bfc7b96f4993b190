#include "compiler/source/preprocessor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "compiler/source/condition.h"

namespace corbel::idl {
namespace {

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == path.npos ? std::string() : path.substr(0, slash + 1);
}

std::string quote(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& t : tokens) {
    if (t.space_before && !text.empty()) text += ' ';
    for (const char c : t.text) {
      if ((c == '"' || c == '\\') && (t.type == Token::Type::String || t.type == Token::Type::Char))
        text += '\\';
      text += c;
    }
  }
  return '"' + text + '"';
}

}  // namespace

Preprocessor::Preprocessor(SourceManager& sources, Diagnostics& diagnostics, PreprocessorOptions options)
    : sources_(sources), diagnostics_(diagnostics), options_(std::move(options)) {
  for (const std::string& d : options_.defines) predefine(d);
  for (const std::string& u : options_.undefines) macros_.erase(u);
}

Preprocessor::~Preprocessor() = default;

void Preprocessor::predefine(const std::string& definition) {
  const auto equals = definition.find('=');
  const std::uint32_t id =
      sources_.add("<command line>", equals == definition.npos ? "1" : definition.substr(equals + 1));
  Lexer lexer(sources_, diagnostics_, id);
  Macro macro;
  for (Token t = lexer.next(); t.type != Token::Type::End; t = lexer.next())
    macro.body.push_back(std::move(t));
  macros_[definition.substr(0, equals)] = std::move(macro);
}

bool Preprocessor::open(const std::string& path) {
  auto text = options_.read_file(path);
  if (!text) {
    const std::uint32_t id = sources_.add(path, "");
    diagnostics_.report(Kind::FileNotFound, {id, 0, 0},
                        fmt::format("cannot read '{}'; is the path right?", path));
    return false;
  }
  if (!push_file(path, std::move(*text))) return false;
  main_file_ = files_.back().id;
  return true;
}

bool Preprocessor::push_file(const std::string& path, std::string text) {
  const bool large = text.size() > SourceManager::kLargestFile;
  const std::uint32_t id = sources_.add(path, large ? std::string() : std::move(text));
  if (large) {
    diagnostics_.report(Kind::FileTooLarge, {id, 0, 0}, fmt::format("'{}' is larger than 16 MiB", path));
    return false;
  }
  files_.push_back({id, std::make_unique<Lexer>(sources_, diagnostics_, id), {}, true});
  files_read_.push_back(path);
  return true;
}

bool Preprocessor::skipping() const {
  return !files_.empty() && !files_.back().conditionals.empty() && !files_.back().conditionals.back().taken;
}

Token Preprocessor::raw() {
  if (!pending_.empty()) {
    Token t = std::move(pending_.back());
    pending_.pop_back();
    return t;
  }
  if (files_.empty()) return {};
  return files_.back().lexer->next();
}

Token Preprocessor::next() {
  for (;;) {
    if (files_.empty() && pending_.empty()) return {};
    const bool from_file = pending_.empty();
    Token t = raw();
    if (from_file) {
      File& file = files_.back();
      if (t.type == Token::Type::Newline) {
        // Comments behind a token explain that one; an empty line cuts comments off from what follows.
        if (file.line_start && !t.comments.empty())
          kept_comments_.insert(kept_comments_.end(), t.comments.begin(), t.comments.end());
        else kept_comments_.clear();
        file.line_start = true;
        continue;
      }
      if (t.type == Token::Type::End) {
        for (const Conditional& c : file.conditionals)
          diagnostics_.report(Kind::UnbalancedConditional, c.span,
                              "this condition has no #endif in its file");
        const bool main = files_.size() == 1;
        files_.pop_back();
        kept_comments_.clear();
        if (main) return t;
        t = {};
        t.type = Token::Type::FileLeave;
        return t;
      }
      if (file.line_start && t.is("#")) {
        kept_comments_.clear();
        directive(t);
        if (!pending_.empty() &&
            (pending_.back().type == Token::Type::Pragma || pending_.back().type == Token::Type::FileEnter)) {
          Token special = std::move(pending_.back());
          pending_.pop_back();
          return special;
        }
        continue;
      }
      file.line_start = false;
      if (skipping()) {
        kept_comments_.clear();
        continue;
      }
      if (!kept_comments_.empty()) {
        t.comments.insert(t.comments.begin(), kept_comments_.begin(), kept_comments_.end());
        kept_comments_.clear();
      }
    }
    if (t.type == Token::Type::Newline) continue;
    if (t.type == Token::Type::Identifier && !t.no_expand && expand(t)) continue;
    return t;
  }
}

std::vector<Token> Preprocessor::line_tokens() {
  std::vector<Token> tokens;
  for (;;) {
    Token t = files_.back().lexer->next();
    if (t.type == Token::Type::Newline || t.type == Token::Type::End) break;
    tokens.push_back(std::move(t));
  }
  files_.back().line_start = true;
  return tokens;
}

void Preprocessor::directive(const Token& hash) {
  Lexer& lexer = *files_.back().lexer;
  Token name = lexer.next();
  if (name.type == Token::Type::Newline) return;
  if (name.text == "if" || name.text == "ifdef" || name.text == "ifndef" || name.text == "elif" ||
      name.text == "else" || name.text == "endif")
    return conditional(hash, name);
  if (skipping()) {
    (void)lexer.rest_of_line();
    return;
  }
  if (name.text == "include") {
    include(hash);
  } else if (name.text == "define") {
    define(hash);
  } else if (name.text == "undef") {
    const auto tokens = line_tokens();
    if (tokens.size() != 1 || tokens[0].type != Token::Type::Identifier)
      diagnostics_.report(Kind::BadMacro, name.span, "#undef takes one name");
    else macros_.erase(tokens[0].text);
  } else if (name.text == "pragma") {
    Token t;
    t.type = Token::Type::Pragma;
    t.text = lexer.rest_of_line();
    t.span = {hash.span.file, hash.span.begin, name.span.end};
    pending_.push_back(std::move(t));
  } else if (name.text == "error") {
    diagnostics_.report(Kind::UserError, name.span, "#error " + lexer.rest_of_line());
  } else if (name.text == "warning") {
    diagnostics_.report(Kind::UserWarning, name.span, "#warning " + lexer.rest_of_line());
  } else if (name.text == "line" || name.type == Token::Type::Integer) {
    line_mark(name);
  } else if (name.text == "ident") {
    (void)lexer.rest_of_line();
  } else {
    diagnostics_.report(Kind::BadDirective, name.span, fmt::format("there is no directive #{}", name.text));
    (void)lexer.rest_of_line();
  }
}

// #line 7 "a.idl", or # 7 "a.idl" as preprocessors write it.
void Preprocessor::line_mark(const Token& name) {
  std::vector<Token> tokens = expand_all(line_tokens());
  if (name.type == Token::Type::Integer) tokens.insert(tokens.begin(), name);
  const bool named = tokens.size() > 1 && tokens[1].type == Token::Type::String;
  std::uint32_t line = 0;
  const std::string digits = tokens.empty() ? "" : tokens[0].text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (error != std::errc() || *end != '\0' || (tokens.size() > 1 && !named))
    return diagnostics_.report(Kind::BadDirective, name.span,
                               "#line takes a number and perhaps a file name in quotes");
  const std::uint32_t file = files_.back().id, here = files_.back().lexer->offset();
  const std::string path = named ? tokens[1].text.substr(1, tokens[1].text.size() - 2)
                                 : std::string(sources_.position(file, name.span.begin).path);
  sources_.mark_line(file, here, line, path);
}

void Preprocessor::include(const Token& hash) {
  Lexer& lexer = *files_.back().lexer;
  std::string name;
  const bool angle = lexer.header_name(name);
  std::vector<Token> tokens = line_tokens();
  if (!angle) {
    if (!tokens.empty() && tokens[0].type == Token::Type::Identifier) tokens = expand_all(std::move(tokens));
    if (tokens.empty() || tokens[0].type != Token::Type::String)
      return diagnostics_.report(Kind::BadDirective, hash.span, "#include takes \"FILE\" or <FILE>");
    name = tokens[0].text.substr(1, tokens[0].text.size() - 2);
  }
  if (files_.size() >= kDeepestInclude)
    return diagnostics_.report(
        Kind::IncludeDepth, hash.span,
        fmt::format("#include is nested deeper than {}: does '{}' include itself without a guard?",
                    kDeepestInclude, name));
  std::vector<std::string> candidates;
  if (name.starts_with('/')) candidates.push_back(name);
  else if (!angle) candidates.push_back(directory_of(sources_.path(files_.back().id)) + name);
  if (!name.starts_with('/'))
    for (const std::string& dir : options_.include_dirs)
      candidates.push_back(dir.ends_with('/') ? dir + name : dir + '/' + name);
  for (const std::string& path : candidates) {
    auto text = options_.read_file(path);
    if (!text) continue;
    if (files_.size() == 1) direct_includes_.push_back(name);
    if (!push_file(path, std::move(*text))) return;
    Token t;
    t.type = Token::Type::FileEnter;
    t.span = hash.span;
    pending_.push_back(std::move(t));
    return;
  }
  diagnostics_.report(Kind::FileNotFound, hash.span,
                      fmt::format("cannot find '{}'; add its directory with -I", name));
}

void Preprocessor::define(const Token& hash) {
  std::vector<Token> tokens = line_tokens();
  if (tokens.empty() || tokens[0].type != Token::Type::Identifier)
    return diagnostics_.report(Kind::BadMacro, hash.span, "#define takes a name");
  Macro macro;
  std::size_t at = 1;
  if (at < tokens.size() && tokens[at].is("(") && !tokens[at].space_before) {
    macro.function_like = true;
    ++at;
    while (at < tokens.size() && tokens[at].type == Token::Type::Identifier) {
      macro.parameters.push_back(tokens[at++].text);
      if (at < tokens.size() && tokens[at].is(",")) ++at;
    }
    if (at >= tokens.size() || !tokens[at].is(")"))
      return diagnostics_.report(Kind::BadMacro, tokens[0].span,
                                 fmt::format("the parameters of macro '{}' are malformed", tokens[0].text));
    ++at;
  }
  macro.body.assign(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end());
  macros_[tokens[0].text] = std::move(macro);
}

void Preprocessor::conditional(const Token& hash, const Token& name) {
  auto& stack = files_.back().conditionals;
  const bool outer = !skipping();
  std::vector<Token> tokens = line_tokens();
  if (name.text == "if" || name.text == "ifdef" || name.text == "ifndef") {
    bool value = false;
    if (outer && name.text == "if") {
      value = evaluate(std::move(tokens), name.span);
    } else if (outer) {
      if (tokens.empty())
        diagnostics_.report(Kind::BadDirective, name.span, fmt::format("#{} takes a name", name.text));
      value = !tokens.empty() && macros_.contains(tokens[0].text) == (name.text == "ifdef");
    }
    stack.push_back({hash.span, value, value, false, outer});
    return;
  }
  if (stack.empty())
    return diagnostics_.report(Kind::UnbalancedConditional, name.span,
                               fmt::format("#{} without #if", name.text));
  Conditional& c = stack.back();
  if (name.text == "endif") {
    stack.pop_back();
  } else if (c.seen_else) {
    diagnostics_.report(Kind::UnbalancedConditional, name.span, fmt::format("#{} after #else", name.text));
  } else if (name.text == "else") {
    c.seen_else = true;
    c.taken = c.parent_taken && !c.any_taken;
  } else {
    c.taken = c.parent_taken && !c.any_taken && evaluate(std::move(tokens), name.span);
    c.any_taken = c.any_taken || c.taken;
  }
}

bool Preprocessor::evaluate(std::vector<Token> tokens, Span where) {
  std::vector<Token> prepared;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is("defined")) {
      prepared.push_back(tokens[i]);
      continue;
    }
    const bool bracket = i + 1 < tokens.size() && tokens[i + 1].is("(");
    const std::size_t at = i + (bracket ? 2 : 1);
    if (at >= tokens.size() || (bracket && (at + 1 >= tokens.size() || !tokens[at + 1].is(")")))) {
      diagnostics_.report(Kind::BadDirective, where, "defined takes a name");
      return false;
    }
    Token t = tokens[at];
    t.type = Token::Type::Integer;
    t.text = macros_.contains(tokens[at].text) ? "1" : "0";
    prepared.push_back(std::move(t));
    i = at + (bracket ? 1 : 0);
  }
  return evaluate_condition(expand_all(std::move(prepared)), where, diagnostics_);
}

std::vector<Token> Preprocessor::expand_all(std::vector<Token> tokens) {
  // The tokens are read through the same machine, ended by a mark; nothing is read from the file meanwhile.
  std::vector<Token> saved = std::move(pending_);
  pending_.assign(std::make_move_iterator(tokens.rbegin()), std::make_move_iterator(tokens.rend()));
  std::vector<Token> result;
  while (!pending_.empty()) {
    Token t = std::move(pending_.back());
    pending_.pop_back();
    if (t.type == Token::Type::Identifier && !t.no_expand && !pending_.empty() && expand(t)) continue;
    if (t.type == Token::Type::Identifier && !t.no_expand && pending_.empty()) {
      const auto m = macros_.find(t.text);
      if (m != macros_.end() && !m->second.function_like && expand(t)) continue;
    }
    result.push_back(std::move(t));
  }
  pending_ = std::move(saved);
  return result;
}

bool Preprocessor::expand(const Token& name) {
  const auto found = macros_.find(name.text);
  if (found == macros_.end()) return false;
  const Macro& macro = found->second;
  std::vector<std::vector<Token>> args;
  if (macro.function_like && !arguments(name, macro, args)) return false;
  expanded_ += macro.body.size() + 1;
  if (expanded_ > kMostExpansion) {
    if (expanded_ < 2 * kMostExpansion)
      diagnostics_.report(
          Kind::BadMacro, name.span,
          fmt::format("expanding '{}' gives too much; does a macro multiply itself?", name.text));
    expanded_ = 2 * kMostExpansion;
    return false;
  }
  std::vector<Token> body = substitute(macro, args, name.span, name.text);
  if (!body.empty()) body.front().comments = name.comments;
  pending_.insert(pending_.end(), std::make_move_iterator(body.rbegin()),
                  std::make_move_iterator(body.rend()));
  return true;
}

// Reads "(a, b)" behind a function-like macro's name; false, with nothing consumed, if there is none.
bool Preprocessor::arguments(const Token& name, const Macro& macro, std::vector<std::vector<Token>>& args) {
  std::vector<Token> read;
  Token t;
  do {
    t = raw();
    read.push_back(t);
  } while (t.type == Token::Type::Newline);
  const auto undo = [&] { pending_.insert(pending_.end(), read.rbegin(), read.rend()); };
  if (!t.is("(")) {
    undo();
    return false;
  }
  args.emplace_back();
  for (int depth = 1;;) {
    t = raw();
    if (t.type == Token::Type::End) {
      diagnostics_.report(Kind::BadMacro, name.span,
                          fmt::format("the arguments of macro '{}' have no end", name.text));
      return true;
    }
    if (t.type == Token::Type::Newline) continue;
    if (t.is("(")) ++depth;
    if (t.is(")") && --depth == 0) break;
    if (t.is(",") && depth == 1) args.emplace_back();
    else args.back().push_back(std::move(t));
  }
  if (args.size() == 1 && args[0].empty() && macro.parameters.empty()) args.clear();
  if (args.size() != macro.parameters.size()) {
    diagnostics_.report(Kind::BadMacro, name.span,
                        fmt::format("macro '{}' takes {} arguments, {} are given", name.text,
                                    macro.parameters.size(), args.size()));
    args.resize(macro.parameters.size());
  }
  return true;
}

std::vector<Token> Preprocessor::substitute(const Macro& macro, const std::vector<std::vector<Token>>& args,
                                            Span site, const std::string& name) {
  std::vector<Token> out;
  const auto parameter = [&](const Token& t) -> const std::vector<Token>* {
    const auto i = std::find(macro.parameters.begin(), macro.parameters.end(), t.text);
    return t.type == Token::Type::Identifier && i != macro.parameters.end()
               ? &args[static_cast<std::size_t>(i - macro.parameters.begin())]
               : nullptr;
  };
  for (std::size_t i = 0; i < macro.body.size(); ++i) {
    const Token& t = macro.body[i];
    const bool pasted = i + 1 < macro.body.size() && macro.body[i + 1].is("##");
    if (macro.function_like && t.is("#") && i + 1 < macro.body.size() && parameter(macro.body[i + 1])) {
      Token s = t;
      s.type = Token::Type::String;
      s.text = quote(*parameter(macro.body[++i]));
      out.push_back(std::move(s));
    } else if (t.is("##") && !out.empty() && i + 1 < macro.body.size()) {
      const Token& right = macro.body[++i];
      const std::vector<Token>* const arg = parameter(right);
      std::vector<Token> tail = arg ? *arg : std::vector<Token>{right};
      if (!tail.empty()) {
        out.back().text += tail.front().text;
        out.insert(out.end(), tail.begin() + 1, tail.end());
      }
    } else if (const std::vector<Token>* const arg = parameter(t)) {
      const std::vector<Token> expanded = pasted ? *arg : expand_all(*arg);
      out.insert(out.end(), expanded.begin(), expanded.end());
    } else {
      out.push_back(t);
    }
  }
  for (Token& t : out) {
    t.span = site;
    t.comments.clear();
    if (t.text == name) t.no_expand = true;
  }
  return out;
}

}  // namespace corbel::idl
