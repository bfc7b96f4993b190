#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

// Keywords of CORBA 2.2: no name, in whatever case.
constexpr auto kKeywords = std::to_array<std::string_view>(
    {"any",       "attribute", "boolean",   "case",   "char",   "const",  "context", "default",
     "double",    "enum",      "exception", "FALSE",  "fixed",  "float",  "in",      "inout",
     "interface", "long",      "module",    "Object", "octet",  "oneway", "out",     "raises",
     "readonly",  "sequence",  "short",     "string", "struct", "switch", "TRUE",    "typedef",
     "union",     "unsigned",  "void",      "wchar",  "wstring"});

// Later ones are keywords as they are spelled; in another case contracts of older date use them as names.
constexpr auto kLaterKeywords =
    std::to_array<std::string_view>({"abstract", "custom", "local", "native", "private", "public", "supports",
                                     "truncatable", "ValueBase", "valuetype"});

// Those of components are keywords only where their constructs stand: OMG's own services use them as names.
constexpr auto kComponentKeywords = std::to_array<std::string_view>(
    {"component", "consumes", "emits", "eventtype", "factory", "finder", "getraises", "home", "import",
     "multiple", "primarykey", "provides", "publishes", "setraises", "typeid", "typeprefix", "uses"});

constexpr char lower(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); }

// Without regard to case. Every name is looked for among the keywords, so this does not copy.
constexpr bool is_before(std::string_view a, std::string_view b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](char x, char y) { return lower(x) < lower(y); });
}
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end(), is_before));
static_assert(std::is_sorted(kLaterKeywords.begin(), kLaterKeywords.end(), is_before));
static_assert(std::is_sorted(kComponentKeywords.begin(), kComponentKeywords.end(), is_before));

// For each first letter, a bit for each length that a keyword has: most names are seen here to be none.
constexpr auto kLengths = [] {
  std::array<std::uint32_t, 256> lengths{};
  const auto add = [&](const auto& words) {
    for (const std::string_view w : words)
      lengths[static_cast<unsigned char>(lower(w[0]))] |= std::uint32_t{1} << w.size();
  };
  add(kKeywords);
  add(kLaterKeywords);
  add(kComponentKeywords);
  return lengths;
}();

bool may_be_keyword(std::string_view name) {
  return name.size() < 32 && (kLengths[static_cast<unsigned char>(lower(name[0]))] >> name.size() & 1) != 0;
}

// The keyword that `name` is, but for case.
template <std::size_t N>
std::string_view match(const std::array<std::string_view, N>& words, std::string_view name) {
  const auto i = std::lower_bound(words.begin(), words.end(), name, is_before);
  return i == words.end() || is_before(name, *i) ? std::string_view() : *i;
}

}  // namespace

std::string lower(std::string_view name) {
  std::string l(name);
  std::transform(l.begin(), l.end(), l.begin(), [](char c) { return lower(c); });
  return l;
}

bool is_keyword(const std::string& word) {
  return match(kKeywords, word) == word || match(kLaterKeywords, word) == word;
}

// An identifier must differ from every keyword in more than case, unless it is escaped.
void Parser::check_spelling(const Token& name) {
  if (!may_be_keyword(name.text)) return;
  std::string_view word = match(kKeywords, name.text);
  if (word.empty() && match(kLaterKeywords, name.text) == name.text) word = name.text;
  if (word.empty()) return;
  const std::string why =
      name.text == word ? "is a keyword" : fmt::format("differs from the keyword '{}' in case only", word);
  report(Kind::KeywordClash, name.span,
         fmt::format("'{}' {}; write _{} to use it as a name", name.text, why, name.text));
  throw Abandon{};
}

// Names that other compilers may take for keywords.
void Parser::warn_of_reserved(const Token& name) {
  if (include_depth_ > 0 || !may_be_keyword(name.text)) return;
  std::string_view word = match(kLaterKeywords, name.text);
  if (word.empty()) word = match(kComponentKeywords, name.text);
  const bool escaped = input_.sources().text(name.span.file).substr(name.span.begin).starts_with('_');
  if (!word.empty() && !escaped)
    report(
        Kind::ReservedWord, name.span,
        fmt::format("compilers of CORBA 3 take '{}' for the keyword '{}'; write _{} to be understood by all",
                    name.text, word, name.text));
}

Scope* Parser::enter(aoi::Decl* decl) {
  const std::string key = lower(decl->name);
  Scope*& slot = scope_->inner[key];
  if (!slot) {
    scopes_.emplace_back();
    slot = &scopes_.back();
    slot->parent = scope_;
    slot->name = decl->scoped_name;
    by_name_.emplace(slot->name, slot);
  }
  slot->used.clear();  // what a name means is fixed within one opening of a module only
  slot->decl = decl;
  slot->prefix = slot->own_prefix.value_or(scope_->prefix);
  slot->prefix_scope = slot->own_prefix ? std::string() : scope_->prefix_scope;
  return scope_ = slot;
}

void Parser::leave() { scope_ = scope_->parent; }

void Parser::fill(aoi::Decl& decl, const Token& name, const std::vector<std::string>& comments,
                  const aoi::Type* type) {
  decl.name = name.text;
  decl.span = name.span;
  decl.scope = scope_->decl;
  decl.scoped_name = scope_->name + "::" + name.text;
  decl.repository_id = repository_id(*scope_, name.text);
  decl.comments = comments;
  decl.annotations = take_annotations(place_of(decl.kind), type);
  decl.in_main_file = include_depth_ == 0 || contract_.inline_includes;
}

// A definition replaces its forward declaration's place.
void Parser::place(aoi::Decl& decl, const Token& name, const std::vector<std::string>& comments) {
  decl.span = name.span;
  decl.comments = comments;
  const std::vector<aoi::Annotation> more = take_annotations(place_of(decl.kind));
  decl.annotations.insert(decl.annotations.end(), more.begin(), more.end());
  decl.in_main_file = include_depth_ == 0 || contract_.inline_includes;
}

Symbol* Parser::find_here(Scope& scope, const std::string& key) {
  const auto i = scope.symbols.find(key);
  return i == scope.symbols.end() ? nullptr : &i->second;
}

Symbol* Parser::declare(const Token& name, Symbol::Kind kind, aoi::Decl* decl) {
  std::string key = lower(name.text);
  Symbol* const other = find_here(*scope_, key);
  if (other && other->kind != Symbol::Kind::Builtin) {
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
  const bool nested =
      scope_->decl && scope_->decl->name.size() == key.size() && lower(scope_->decl->name) == key;
  if (nested && kind != Symbol::Kind::Parameter) {
    report(Kind::Redefinition, name.span,
           fmt::format("'{}' has the name of the scope that it stands in; rename one", name.text),
           {{scope_->decl->span, "the scope is declared here"}});
  } else if (const auto used = scope_->used.find(key); used != scope_->used.end()) {
    report(
        Kind::ChangedMeaning, name.span,
        fmt::format("'{}' was used above with the meaning of an outer scope, so it cannot be declared here",
                    name.text),
        {{used->second, "used here (case does not count): name it with its scope, as A::B, or rename one"}});
    key += '\'';  // uses of the outer one go on finding it
  }
  if (kind != Symbol::Kind::Refused) warn_of_reserved(name);
  Symbol& s = scope_->symbols[key];
  s = {kind, name.text, name.span, decl, 0};
  return &s;
}

namespace {

// What the bases of an interface hand down: the nearest declaration on every way, each once.
void inherited(const Scope& scope, const std::string& key, std::set<const Scope*>& seen,
               std::vector<Symbol*>& found) {
  for (Scope* const base : scope.bases) {
    if (!seen.insert(base).second) continue;
    const auto own = base->symbols.find(key);
    const bool passed_on = own != base->symbols.end() && own->second.kind != Symbol::Kind::Factory;
    if (!passed_on) inherited(*base, key, seen, found);
    else found.push_back(&own->second);
  }
}

}  // namespace

Symbol* Parser::find_inherited(Scope& scope, const std::string& key, Span span) {
  std::set<const Scope*> seen;
  std::vector<Symbol*> found;
  inherited(scope, key, seen, found);
  if (found.size() > 1)
    report(Kind::AmbiguousName, span,
           fmt::format("'{}' is inherited from more than one base; qualify it", found[0]->name),
           {{found[0]->span, "one is declared here"}, {found[1]->span, "another one here"}});
  return found.empty() ? nullptr : found.front();
}

Scope* Parser::scope_of(const aoi::Decl* decl) {
  const auto i = decl ? by_name_.find(decl->scoped_name) : by_name_.end();
  return i == by_name_.end() ? nullptr : i->second;
}

bool Parser::starts_name() { return peek().is("::") || peek().type == Token::Type::Identifier; }

// The innermost meaning of a name without qualification.
Symbol* Parser::look_up(const Token& name) {
  const std::string key = lower(name.text);
  Symbol* symbol = nullptr;
  for (Scope* s = scope_; s && !symbol; s = s->parent) {
    symbol = find_here(*s, key);
    if (!symbol) symbol = find_inherited(*s, key, name.span);
  }
  if (symbol && !find_here(*scope_, key)) scope_->used.emplace(key, name.span);
  return symbol;
}

// A name of another declaration's scope.
Symbol* Parser::look_into(const Symbol& outer, const Token& name) {
  const bool declared = outer.kind == Symbol::Kind::Declaration || outer.kind == Symbol::Kind::Builtin;
  Scope* const inner = declared ? scope_of(outer.decl) : nullptr;
  if (!inner) return nullptr;
  const std::string key = lower(name.text);
  Symbol* const own = find_here(*inner, key);
  return own ? own : find_inherited(*inner, key, name.span);
}

void Parser::unknown(const Token& name, const std::string& path) {
  const bool first = path.rfind("::") == path.npos || path.rfind("::") == 0;
  report(Kind::UnknownName, name.span,
         first ? fmt::format("'{}' is not declared; is it spelled right, is an #include missing?", name.text)
               : fmt::format("'{}' is not declared in '{}'", name.text, path.substr(0, path.rfind("::"))));
}

Symbol* Parser::scoped_name() {
  const bool global = accept("::");
  Token name = identifier("a name");
  std::string path = (global ? "::" : "") + name.text;
  Symbol* symbol = global ? find_here(scopes_.front(), lower(name.text)) : look_up(name);
  for (;;) {
    if (!symbol) {
      while (accept("::")) name = identifier("a name"), path += "::" + name.text;
      unknown(name, path);
      return nullptr;
    }
    if (symbol->kind == Symbol::Kind::Refused) {
      while (accept("::")) identifier("a name");
      return nullptr;
    }
    if (symbol->name != name.text)
      report(Kind::CaseClash, name.span,
             fmt::format("'{}' is declared as '{}'; spell a name alike everywhere", name.text, symbol->name),
             {{symbol->span, "declared here"}});
    if (!peek().is("::")) return symbol;
    take();
    name = identifier("a name");
    path += "::" + name.text;
    symbol = look_into(*symbol, name);
  }
}

}  // namespace corbel::idl::omg
