#include "compiler/source/preprocessor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <unordered_set>

#include "compiler/source/condition.h"
#include "compiler/source/standard_idl.h"

namespace corbel::idl {
namespace {

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == path.npos ? std::string() : path.substr(0, slash + 1);
}

}  // namespace

Preprocessor::Preprocessor(SourceManager& sources, Diagnostics& diagnostics, PreprocessorOptions options)
    : sources_(sources), diagnostics_(diagnostics), options_(std::move(options)) {
  for (const std::string& d : options_.defines) predefine(d);
  for (const std::string& u : options_.undefines) macros_.erase(u);
}

Preprocessor::~Preprocessor() = default;

// -DNAME is "#define NAME 1"; -DNAME=TEXT and -DNAME(A)=TEXT are as if a blank stood for the sign.
void Preprocessor::predefine(const std::string& definition) {
  std::string text = definition;
  const auto equals = text.find('=');
  if (equals == text.npos) text += " 1";
  else text[equals] = ' ';
  const std::uint32_t id = sources_.add("-D", std::move(text));
  Lexer lexer(sources_, diagnostics_, id);
  std::vector<Token> tokens;
  for (Token t = lexer.next(); t.type != Token::Type::End; t = lexer.next()) tokens.push_back(std::move(t));
  define({id, 0, static_cast<std::uint32_t>(definition.size())}, tokens);
}

bool Preprocessor::open(const std::string& path) {
  errno = 0;  // readers other than of disks leave it
  auto text = options_.read_file(path);
  if (!text) {
    const int why = errno;
    const std::uint32_t id = sources_.add(path, "");
    diagnostics_.report(Kind::FileNotFound, {id, 0, 0},
                        why == 0 || why == ENOENT
                            ? fmt::format("cannot read '{}'; is the path right?", path)
                            : fmt::format("cannot read '{}': {}", path, std::strerror(why)));
    return false;
  }
  bytes_read_ = text->size();
  if (!push_file(path, std::move(*text))) return false;
  main_file_ = files_.back().id;
  return true;
}

bool Preprocessor::within_budget(Span where, std::size_t size) {
  if (budget_spent_) return false;
  bytes_read_ += size;
  budget_spent_ = files_read_.size() >= kMostFiles || bytes_read_ > kMostBytes;
  if (budget_spent_)
    diagnostics_.report(
        Kind::IncludeDepth, where,
        fmt::format("more than {} files or {} MiB are included; do files include each other without a guard?",
                    kMostFiles, kMostBytes >> 20));
  return !budget_spent_;
}

bool Preprocessor::push_file(const std::string& path, std::string text) {
  const bool large = text.size() > std::min(options_.largest_file, SourceManager::kLargestFile);
  const std::uint32_t id = sources_.add(path, large ? std::string() : std::move(text));
  if (large) {
    diagnostics_.report(Kind::FileTooLarge, {id, 0, 0},
                        fmt::format("'{}' is larger than {} bytes; divide it, or raise --max-file-size", path,
                                    std::min(options_.largest_file, SourceManager::kLargestFile)));
    return false;
  }
  File& file = files_.emplace_back();
  file.id = id;
  file.lexer = std::make_unique<Lexer>(sources_, diagnostics_, id);
  files_read_.push_back(path);
  return true;
}

bool Preprocessor::skipping() const {
  return !files_.empty() && !files_.back().conditionals.empty() && !files_.back().conditionals.back().taken;
}

void Preprocessor::raw(Token& t) {
  if (!pending_.empty()) {
    t = std::move(pending_.back());
    pending_.pop_back();
  } else if (files_.empty() || isolated_) {
    t = {};
  } else {
    files_.back().lexer->next(t);
  }
}

Token Preprocessor::raw() {
  Token t;
  raw(t);
  return t;
}

void Preprocessor::next(Token& t) {
  while ((!files_.empty() || !pending_.empty()) && !diagnostics_.exhausted()) {
    const bool from_file = pending_.empty();
    if (from_file) expanded_here_ = 0;
    raw(t);
    if (from_file && !from_line(t)) continue;
    if (t.type == Token::Type::Newline) continue;
    if (t.type == Token::Type::Identifier && expand(t)) continue;
    return;
  }
  t = {};
}

Token Preprocessor::next() {
  Token t;
  next(t);
  return t;
}

// Minds where on its line a token of a file stands. False if it is none for the parser.
bool Preprocessor::from_line(Token& t) {
  File& file = files_.back();
  if (t.type == Token::Type::Newline) {
    // Comments behind a token explain that one; an empty line cuts comments off from what follows.
    if (file.line_start && !t.comments.empty())
      kept_comments_.insert(kept_comments_.end(), t.comments.begin(), t.comments.end());
    else kept_comments_.clear();
    file.line_start = true;
    return false;
  }
  if (t.type == Token::Type::End) {
    if (file.guard == File::Guard::Closed)
      guards_.emplace(guard_key(sources_.path(file.id)), std::move(file.guard_name));
    pop_file(t);
    return true;
  }
  if (file.line_start && t.is("#")) {
    kept_comments_.clear();
    directive(t);
    files_.back().lexer->set_quiet(skipping());
    return false;
  }
  file.line_start = false;
  if (file.guard != File::Guard::Inside) file.guard = File::Guard::None;
  if (kept_comments_.empty()) return !skipping();
  if (!skipping()) t.comments.insert(t.comments.begin(), kept_comments_.begin(), kept_comments_.end());
  kept_comments_.clear();
  return !skipping();
}

// At the end of a file: `end` is left as it is for the main file, and becomes the border of an included one.
void Preprocessor::pop_file(Token& end) {
  for (const Conditional& c : files_.back().conditionals)
    diagnostics_.report(Kind::UnbalancedConditional, c.span,
                        "this condition has no #endif in its file; add one");
  files_.pop_back();
  kept_comments_.clear();
  if (files_.empty()) return;
  end = {};
  end.type = Token::Type::FileLeave;
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
  if (File& file = files_.back(); name.text != "ifndef" && file.guard != File::Guard::Inside)
    file.guard = File::Guard::None;
  if (name.text == "if" || name.text == "ifdef" || name.text == "ifndef" || name.text == "elif" ||
      name.text == "else" || name.text == "endif")
    return conditional(hash, name);
  if (skipping()) {
    (void)lexer.rest_of_line();
    return;
  }
  if (in_arguments_) {
    diagnostics_.report(
        Kind::BadDirective, name.span,
        fmt::format("#{} has no place inside the arguments of a macro; end the macro's call before it",
                    name.text));
    (void)lexer.rest_of_line();
    return;
  }
  if (name.text == "include" || name.text == "include_next") {
    include(hash, name.text == "include_next");
  } else if (name.text == "define") {
    define(hash.span, line_tokens());
  } else if (name.text == "undef") {
    const auto tokens = line_tokens();
    if (tokens.size() != 1 || tokens[0].type != Token::Type::Identifier)
      diagnostics_.report(Kind::BadMacro, name.span, "#undef takes one name");
    else macros_.erase(tokens[0].text);
  } else if (name.text == "pragma") {
    Token t;
    t.type = Token::Type::Pragma;
    t.text = lexer.rest_of_line();
    if (t.text == "once") {
      guards_[guard_key(sources_.path(files_.back().id))].clear();
      return;
    }
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

// The same for all the ways to write a path, and all links that lead to the file.
std::string Preprocessor::guard_key(const std::string& path) const {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  return error ? path : real.string();
}

// Whether the file is guarded, and would give nothing now.
bool Preprocessor::read_before(const std::string& path) const {
  const auto found = guards_.find(guard_key(path));
  return found != guards_.end() && (found->second.empty() || macros_.contains(found->second));
}

// Follows #ifndef NAME ... #endif around all of a file. `rest` is what stands behind the directive's name.
void Preprocessor::mind_guard(const Token& directive, const std::vector<Token>& rest) {
  File& file = files_.back();
  const bool outermost = file.conditionals.size() == 1;
  if (directive.text == "ifndef" && file.conditionals.empty()) {
    const bool possible = file.guard == File::Guard::Possible && rest.size() == 1;
    file.guard = possible ? File::Guard::Inside : File::Guard::None;
    if (possible) file.guard_name = rest[0].text;
  } else if (file.guard == File::Guard::Inside && outermost) {
    if (directive.text == "endif") file.guard = File::Guard::Closed;
    else if (directive.text == "else" || directive.text == "elif") file.guard = File::Guard::None;
  }
}

void Preprocessor::include(const Token& hash, bool next) {
  Lexer& lexer = *files_.back().lexer;
  std::string name;
  bool angle = lexer.header_name(name);
  std::vector<Token> tokens = line_tokens();
  if (!angle) {
    if (!tokens.empty() && tokens[0].type == Token::Type::Identifier) tokens = expand_all(std::move(tokens));
    name = bracketed(tokens);
    angle = !name.empty();
    if (!angle && (tokens.empty() || tokens[0].type != Token::Type::String))
      return diagnostics_.report(Kind::BadDirective, hash.span, "#include takes \"FILE\" or <FILE>");
    if (!angle) name = tokens[0].text.substr(1, tokens[0].text.size() - 2);
  }
  if (files_.size() >= kDeepestInclude)
    return diagnostics_.report(
        Kind::IncludeDepth, hash.span,
        fmt::format("#include is nested deeper than {}: does '{}' include itself without a guard?",
                    kDeepestInclude, name));
  std::vector<std::string> candidates;  // the directory of the file itself, then those of -I
  if (name.starts_with('/')) candidates.push_back(name);
  else candidates.push_back(angle ? std::string() : directory_of(sources_.path(files_.back().id)) + name);
  if (!name.starts_with('/'))
    for (const std::string& dir : options_.include_dirs)
      candidates.push_back(dir.ends_with('/') ? dir + name : dir + '/' + name);
  const std::string standard = options_.standard_dir.empty() || next ? "" : standard_file(name);
  if (!standard.empty()) candidates.push_back(options_.standard_dir + '/' + standard);
  for (std::size_t i = next ? files_.back().directory + 1 : 0; i < candidates.size(); ++i) {
    const bool is_standard = !standard.empty() && i + 1 == candidates.size();
    const std::size_t depth = files_.size();
    if (candidates[i].empty() || !enter(name, candidates[i], is_standard ? standard : "", hash.span))
      continue;
    if (files_.size() > depth) files_.back().directory = i;
    return;
  }
  diagnostics_.report(Kind::FileNotFound, hash.span,
                      fmt::format("cannot find '{}'; add its directory with -I", name));
}

// Goes on with the file at `path`, unless it gives nothing a second time. False if it cannot be read. One of
// CORBA's own is called `standard` there.
bool Preprocessor::enter(const std::string& name, const std::string& path, const std::string& standard,
                         Span where) {
  const bool known = read_before(path);
  auto text = known ? std::nullopt : options_.read_file(path);
  if (!known && !text) return false;
  if (files_.size() == 1) direct_includes_.push_back(name);
  if (files_.size() == 1 && !standard.empty()) standard_includes_[name] = standard;
  if (known || !within_budget(where, text->size()) || !push_file(path, std::move(*text))) return true;
  Token t;
  t.type = Token::Type::FileEnter;
  t.span = where;
  pending_.push_back(std::move(t));
  return true;
}

bool Preprocessor::import_standard(const std::string& name, Span where) {
  if (options_.standard_dir.empty() || !pending_.empty() || files_.empty() ||
      files_.size() >= kDeepestInclude)
    return false;
  return enter(name, options_.standard_dir + '/' + name, name, where);
}

// The name in "<NAME>" that a macro gave; empty if it gave something else.
std::string Preprocessor::bracketed(const std::vector<Token>& tokens) {
  std::string name;
  if (tokens.empty() || !tokens[0].is("<")) return name;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].is(">")) return name;
    name += (tokens[i].space_before && i > 1 ? " " : "") + tokens[i].text;
  }
  return {};
}

// From behind "(" to behind ")". False if they are malformed.
bool Preprocessor::parameters(const std::vector<Token>& tokens, std::size_t& at, Macro& macro) {
  const auto is = [&](std::string_view text) { return at < tokens.size() && tokens[at].is(text); };
  if (is(")")) return ++at, true;
  std::unordered_set<std::string> seen;
  for (;;) {
    std::string name = "__VA_ARGS__";
    if (at < tokens.size() && tokens[at].type == Token::Type::Identifier) name = tokens[at++].text;
    else if (!is("...")) return false;
    if (!seen.insert(name).second) return false;
    macro.parameters.push_back(std::move(name));
    if (is("...")) macro.variadic = true, ++at;
    if (is(")")) return ++at, true;
    if (macro.variadic || !is(",")) return false;
    ++at;
  }
}

// What stands behind #define.
void Preprocessor::define(Span where, const std::vector<Token>& tokens) {
  if (tokens.empty() || tokens[0].type != Token::Type::Identifier)
    return diagnostics_.report(Kind::BadMacro, where, "#define takes a name");
  Macro macro;
  std::size_t at = 1;
  if (at < tokens.size() && tokens[at].is("(") && !tokens[at].space_before) {
    macro.function_like = true;
    ++at;
    if (!parameters(tokens, at, macro))
      return diagnostics_.report(Kind::BadMacro, tokens[0].span,
                                 fmt::format("the parameters of macro '{}' are malformed", tokens[0].text));
  }
  macro.body.assign(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end());
  macros_[tokens[0].text] = std::move(macro);
}

void Preprocessor::conditional(const Token& hash, const Token& name) {
  auto& stack = files_.back().conditionals;
  const bool outer = !skipping();
  std::vector<Token> tokens = line_tokens();
  mind_guard(name, tokens);
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
  in_condition_ = true;
  condition_is_bad_ = false;
  tokens = expand_all(std::move(tokens));
  in_condition_ = false;
  if (!condition_is_bad_) return evaluate_condition(tokens, where, diagnostics_);
  diagnostics_.report(Kind::BadDirective, where, "defined takes a name");
  return false;
}

// What `defined` stands for, whose name follows, perhaps in brackets: 1 or 0.
Token Preprocessor::is_defined(Token operation) {
  const auto next = [this](const char* is) {
    if (pending_.empty() || !pending_.back().is(is)) return false;
    pending_.pop_back();
    return true;
  };
  const bool bracket = next("(");
  operation.type = Token::Type::Integer;
  operation.text = "0";
  if (pending_.empty()) {
    condition_is_bad_ = true;
    return operation;
  }
  if (macros_.contains(pending_.back().text)) operation.text = "1";
  pending_.pop_back();
  if (bracket && !next(")")) condition_is_bad_ = true;
  return operation;
}

}  // namespace corbel::idl
