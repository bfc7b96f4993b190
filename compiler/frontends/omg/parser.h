// OMG IDL to AOI in one pass: names must be declared before they are used, so parsing and checking go
// together.
//
// Errors are reported and parsing goes on behind the faulty definition or member, so one run finds several.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/aoi/aoi.h"
#include "compiler/frontends/omg/annotation_type.h"
#include "compiler/frontends/omg/constant_value.h"
#include "compiler/frontends/omg/scope.h"
#include "compiler/source/preprocessor.h"

namespace corbel::idl::omg {

class Parser {
 public:
  Parser(Preprocessor& input, Diagnostics& diagnostics, aoi::Contract& contract);
  void parse();

 private:
  // Thrown inside the parser where a construct cannot be made sense of; caught at the next definition or
  // member.
  struct Abandon {};
  static constexpr int kDeepest = 128;  // stops contracts that would overflow the stack
  static constexpr std::size_t kMostTemplateTokens = 200'000;  // stops templates that multiply each other
  // What all types of a contract inherit together, bases and members; stops few that each inherit many.
  static constexpr std::size_t kMostInherited = 1'000'000;
  static constexpr int kTallest = 256;  // types in types and bases of bases; stops the same in later stages
  // Of types that are used before they are defined; those that reach each other all count.
  static constexpr std::size_t kTallestOfAll = 1024;

  // ---- tokens (parser.cc); a reference to one is good until the next call of these
  const Token& peek() { return next_ < ahead_.size() ? ahead_[next_] : read_ahead(); }
  const Token& read_ahead();
  const Token& peek_at(std::size_t distance);
  const Token& peek_second() { return peek_at(1); }
  void put_back(const std::vector<Token>& tokens);
  const Token& take();
  bool accept(std::string_view text);
  const Token& expect(std::string_view text, std::string_view where);
  Token identifier(std::string_view what);
  [[noreturn]] void syntax_error(std::string_view expected);
  void skip_statement(int braces);
  void recover(Scope& scope, Span first, int braces);
  bool begins_declaration();
  std::string source_between(const Token& first, const Token& last) const;
  void report(Kind kind, Span span, std::string message, std::vector<Note> notes = {}) {
    diagnostics_.report(kind, span, std::move(message), std::move(notes));
  }
  void read_token(Token& token);

  // ---- definitions (definitions.cc)
  void definitions(std::vector<const aoi::Decl*>& into, bool in_module);
  void definition(std::vector<const aoi::Decl*>& into);
  void declaration(std::vector<const aoi::Decl*>& into, const Token first);
  void forget(Scope& scope, Span from);
  void module(std::vector<const aoi::Decl*>& into);
  void constant(std::vector<const aoi::Decl*>& into);
  void exception(std::vector<const aoi::Decl*>& into);
  void import();
  bool import_standard(Span where);

  // ---- repository ids (repository_ids.cc)
  static std::string repository_id(const Scope& scope, const std::string& name,
                                   std::string_view version = "1.0");
  void pragma(const Token& token);
  void bad_pragma(const Token& token, std::string_view form);
  Symbol* find_declared(const std::string& name);
  void set_repository_id(const Symbol& symbol, const std::string& id, Span where);
  void set_version(const Symbol& symbol, const std::string& version, Span where);
  void type_id();
  void type_prefix();
  void take_prefix(Scope& scope, const std::string& prefix);
  void check_repository_ids();

  // ---- local types (local_types.cc)
  bool is_local(const aoi::Type* type) const;
  bool sends() const;
  void refuse_local(const aoi::Type* type, Span span, std::string_view what);
  void check_local(const aoi::Operation& operation);

  // ---- interfaces (interfaces.cc)
  void interface(std::vector<const aoi::Decl*>& into, bool is_abstract = false, bool is_local = false);
  void interface_body(aoi::Interface& interface);
  void bases(aoi::Interface& interface);
  void base(aoi::Interface& interface);
  void member(std::vector<aoi::Interface::Member>& into);
  void operation(std::vector<aoi::Interface::Member>& into);
  void attribute(std::vector<aoi::Interface::Member>& into);
  std::vector<aoi::Parameter> parameters();
  aoi::Parameter parameter();
  std::vector<std::string> contexts();
  std::vector<const aoi::Exception*> exceptions();
  void check_oneway(const aoi::Operation& operation);
  void check_inherited(const std::string& name, Span span);
  // Typedefs followed; null if it is no declaration.
  static const aoi::Decl* declaration_behind(const Symbol& symbol);
  const aoi::Interface* complete_interface(const Symbol& symbol, Span span);

  // ---- valuetypes and native types (values.cc)
  void value(std::vector<const aoi::Decl*>& into, bool is_abstract, bool is_custom);
  void value_box(std::vector<const aoi::Decl*>& into, const Token& name,
                 const std::vector<std::string>& comments);
  void value_header(aoi::Value& value);
  void value_base(aoi::Value& value);
  void value_supports(aoi::Value& value);
  void value_body(aoi::Value& value);
  void value_member(aoi::Value& value);
  void state(aoi::Value& value);
  void factory(aoi::Value& value);
  void native(std::vector<const aoi::Decl*>& into);

  // ---- what comes together by inheritance (inheritance.cc)
  // So many bases and members; false, and reported, if all types inherit too many.
  bool inherits(std::size_t more, const Span& span);
  void check_bases(const aoi::Value& value);
  void check_fields(const aoi::Struct& derived);
  void check_fields(const aoi::Bitset& derived);

  // ---- components (components.cc)
  void component(std::vector<const aoi::Decl*>& into, aoi::Decl::Kind kind);
  const aoi::Decl* complete(aoi::Decl::Kind kind);
  void supported(std::vector<const aoi::Interface*>& into);
  void port(aoi::Component& component);
  const aoi::Decl* port_type(aoi::Port::Kind kind);
  void home(std::vector<const aoi::Decl*>& into);
  void home_operation(aoi::Home& home);

  // ---- template modules (templates.cc)
  struct Template {
    std::vector<std::string> parameters;
    std::vector<std::string> kinds;  // of the parameters: their first words
    std::vector<Token> body;
  };
  bool fits_parameter(const std::string& kind, const std::vector<Token>& argument);
  void template_module(const Token& name);
  void instantiate(const std::vector<std::string>& comments);
  bool begins_template();
  bool is_template(const std::string& name);
  const Template* find_template(const Symbol& symbol) const;

  // ---- annotations (annotations.cc)
  void annotations();
  const AnnotationType* find_annotation(const std::string& name, bool global);
  void annotation();
  void arguments(PendingAnnotation& pending);
  void argument(PendingAnnotation& pending);
  void complete_arguments(PendingAnnotation& pending);
  void unknown_arguments(aoi::Annotation& annotation);
  std::string annotation_value();
  void annotation_type();
  void annotation_member(AnnotationType& type);

  // ---- what they belong to (annotated.cc)
  std::vector<aoi::Annotation> attach(std::vector<PendingAnnotation> pending, Place place,
                                      const aoi::Type* type = nullptr);
  std::vector<aoi::Annotation> take_annotations(Place place, const aoi::Type* type = nullptr);
  bool fits(PendingAnnotation& pending, const aoi::Type* type);
  void check_together(const std::vector<PendingAnnotation>& all);
  void check_ids(const aoi::Struct& structure);
  void check_ids(const aoi::Union& u);
  void check_ids(const std::vector<const aoi::Field*>& members);
  static bool is_constant_type(const aoi::Type* type);

  // ---- types (types.cc)
  bool type_definition(std::vector<const aoi::Decl*>& into);
  void type_declarators(std::vector<const aoi::Decl*>& into);
  const aoi::Type* type_spec(bool allow_void = false);
  const aoi::Type* simple_type();
  const aoi::Type* element_type();
  const aoi::Type* template_type();
  const aoi::Type* constructed_or_simple(std::vector<const aoi::Decl*>& nested);
  const aoi::Type* declarator(const aoi::Type* base, Token& name, bool arrays = true);
  aoi::Struct* structure(std::vector<const aoi::Decl*>& into);
  const aoi::Struct* struct_base();
  void fields(aoi::Decl* owner, std::vector<aoi::Field>& fields, std::vector<const aoi::Decl*>& nested);
  void field(aoi::Decl* owner, std::vector<aoi::Field>& fields, std::vector<const aoi::Decl*>& nested);
  void check_complete(const aoi::Type* type, Span span);
  std::uint32_t bound();
  const aoi::Type* fixed_type(const Token& word);
  const aoi::Type* basic(aoi::Basic basic, Span span);
  const aoi::Type* special(aoi::Type::Kind kind, Span span);
  bool is_known(const std::string& name);
  const aoi::Type* named(aoi::Decl* decl, Span span);
  void hold(aoi::Decl* decl, const aoi::Type* type, Span span);
  int height(const aoi::Type* type) const;

  // ---- enums, bitmasks and bitsets (enums.cc)
  aoi::Enum* enumeration(std::vector<const aoi::Decl*>& into);
  void enumerator(aoi::Enum& e);
  void check_numbers(const aoi::Enum& e, std::uint32_t bits);
  aoi::Bitmask* bitmask(std::vector<const aoi::Decl*>& into);
  void flag(aoi::Bitmask& mask, std::set<std::uint32_t>& seen);
  aoi::Bitset* bitset(std::vector<const aoi::Decl*>& into);
  void bits(aoi::Bitset& bitset, std::uint32_t& all);
  std::uint32_t bit_bound(const std::vector<aoi::Annotation>& all, std::uint32_t most);

  // ---- unions (unions.cc)
  aoi::Union* union_type(std::vector<const aoi::Decl*>& into);
  void discriminator(aoi::Union& u);
  void union_case(aoi::Union& u, std::set<std::int64_t>& seen, std::vector<aoi::Union::Case>& cases);
  void finish_union(aoi::Union& u, const std::set<std::int64_t>& seen);

  // ---- constant expressions (expressions.cc)
  ConstantValue expression(const aoi::Type* wanted = nullptr);
  ConstantValue binary(int least);
  ConstantValue unary();
  ConstantValue primary();
  ConstantValue named_constant();
  ConstantValue apply_to_fixed(const Token& op, const ConstantValue& a, const ConstantValue& b);
  ConstantValue apply_to_floats(const Token& op, const ConstantValue& a, const ConstantValue& b);
  ConstantValue apply_to_integers(const Token& op, const ConstantValue& a, const ConstantValue& b);
  ConstantValue apply(const Token& op, const ConstantValue& a, const ConstantValue& b);
  ConstantValue integer_result(Integer value, Span span);
  bool convert_fixed(const ConstantValue& value, const aoi::Type& type, aoi::ConstantValue& out);
  bool convert_text(const ConstantValue& value, const aoi::Type& type, aoi::ConstantValue& out);
  bool convert(const ConstantValue& value, const aoi::Type* type, aoi::ConstantValue& out);
  bool positive(const ConstantValue& value, std::uint32_t& out, std::string_view what);

  // ---- literals (literals.cc)
  ConstantValue literal(const Token& token);
  ConstantValue bad_literal(const Token& token, std::string_view why);
  ConstantValue integer_literal(const Token& token);
  ConstantValue float_literal(const Token& token);
  ConstantValue text_literal(const Token& token);
  ConstantValue fixed_literal(const Token& token);
  ConstantValue wide_literal(const Token& token);
  ConstantValue strings();

  // ---- names (names.cc)
  Scope* enter(aoi::Decl* decl);
  void leave();
  void fill(aoi::Decl& decl, const Token& name, const std::vector<std::string>& comments,
            const aoi::Type* type = nullptr);
  void place(aoi::Decl& decl, const Token& name, const std::vector<std::string>& comments);
  Symbol* declare(const Token& name, Symbol::Kind kind, aoi::Decl* decl);
  void check_spelling(const Token& name);
  void warn_of_reserved(const Token& name);
  Symbol* find_here(Scope& scope, const std::string& key);
  Symbol* find_inherited(Scope& scope, const std::string& key, Span span);
  // The symbol of a scoped name that comes next, null if it was reported or refused.
  Symbol* scoped_name();
  Scope* scope_of(const aoi::Decl* decl);
  Symbol* look_up(const Token& name);
  Symbol* look_into(const Symbol& outer, const Token& name);
  void unknown(const Token& name, const std::string& path);
  bool starts_name();

  Preprocessor& input_;
  Diagnostics& diagnostics_;
  aoi::Contract& contract_;
  std::vector<Token> ahead_;  // read and not taken: those from next_ on
  std::size_t next_ = 0;
  Token last_;
  int depth_ = 0;
  int open_braces_ = 0;    // of the tokens taken
  Integer all_ones_ = -1;  // what ~0 is in the expression being read; -1 for signed types
  int include_depth_ = 0;
  struct FilePrefix {
    Scope* scope;
    std::string prefix, prefix_scope;
  };
  std::vector<FilePrefix> file_prefixes_;  // what holds again behind an #include
  std::deque<Scope> scopes_;
  std::unordered_map<std::string, Scope*> by_name_;
  std::size_t inherited_ = 0;
  std::unordered_map<const aoi::Struct*, std::size_t> widths_;  // members, with those of bases
  std::unordered_map<const aoi::Decl*, int> heights_;           // levels of what a declaration is made of
  std::map<std::string, Template> templates_;                   // by scoped name
  std::size_t replayed_ = 0;                                    // tokens of templates
  std::vector<PendingAnnotation> annotations_;                  // of the declaration that comes
  std::map<std::string, AnnotationType>
      annotation_types_;                             // by scoped name; standard ones by name, when used
  std::deque<AnnotationType> repeated_annotations_;  // reported; an #include may still end in their scopes
  Scope* scope_ = nullptr;
  std::vector<aoi::Decl*> constructed_;            // structs and unions, in order
  std::vector<aoi::Decl*> forward_;                // forward declarations in the main file
  std::map<const aoi::Decl*, Span> explicit_ids_;  // where they were given
  std::map<const aoi::Decl*, Span> versions_;
  std::set<const aoi::Decl*>
      local_types_;  // structs, unions, exceptions and typedefs that hold local interfaces
};

// Levels of nesting of types, expressions and scopes.
class DepthGuard {
 public:
  explicit DepthGuard(int& depth) : depth_(++depth) {}
  ~DepthGuard() { --depth_; }

 private:
  int& depth_;
};

}  // namespace corbel::idl::omg
