// Names and where they are known (CORBA 3.4 part 1, "Names and Scoping").
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/aoi/aoi.h"
#include "compiler/source/location.h"

namespace corbel::idl::omg {

// What a name stands for.
struct Symbol {
  enum class Kind {
    Declaration,  // decl
    Enumerator,   // decl is the enum, ordinal the value
    Member,       // an operation, attribute or field: a name that is taken
    Factory,      // of a valuetype: taken, too, but not inherited
    Parameter,
    Template,
    Builtin,  // decl, known without any declaration; a declaration takes its place
    Refused   // something that was reported as unsupported: uses of it are silently ignored
  };
  Kind kind = Kind::Member;
  std::string name;
  Span span;
  aoi::Decl* decl = nullptr;
  std::uint32_t ordinal = 0;
};

// A scope; identifiers are looked up without regard to case.
struct Scope {
  Scope* parent = nullptr;
  aoi::Decl* decl = nullptr;              // null for the file scope
  std::string name;                       // "::A::B", empty for the file scope
  std::string prefix;                     // repository id prefix in force
  std::string prefix_scope;               // of the pragma that set it: ids say names from there on
  std::optional<std::string> own_prefix;  // what typeprefix gave it, in force at every opening
  std::map<std::string, Symbol> symbols;
  std::map<std::string, Span> used;  // names of outer scopes used here without qualification
  std::vector<Scope*> bases;         // of an interface
  std::map<std::string, Scope*> inner;
};

// Names that differ in case only are the same key.
std::string lower(std::string_view name);

// A word that is no name as it is spelled.
bool is_keyword(const std::string& word);

// What a declaration of this kind and name goes on with: an earlier forward declaration or, if it is
// `forward` itself, the definition, too. Null if there is none.
template <typename T>
T* forwarded(Symbol* known, const std::string& name, aoi::Decl::Kind kind, bool forward) {
  if (!known || known->name != name || !known->decl || known->decl->kind != kind) return nullptr;
  auto* const t = static_cast<T*>(known->decl);
  return t->complete && !forward ? nullptr : t;
}

}  // namespace corbel::idl::omg
