#include "compiler/presentations/cpp/made_names.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "compiler/pres/pres.h"
#include "compiler/presentations/cpp/presentation.h"
#include "compiler/presentations/cpp/provided.h"

namespace corbel::idl::cpp {
namespace {

using Suffixes = std::vector<std::string_view>;

Suffixes suffixes(const aoi::Decl& d) {
  static const Suffixes reference = {"_ptr", "_var", "_out"}, holder = {"_var", "_out"}, out = {"_out"},
                        value = {"_var", "_out", "_init"},
                        array = {"_var",   "_out", "_slice", "_forany", "_traits",
                                 "_alloc", "_dup", "_copy",  "_free"};
  switch (d.kind) {
    case aoi::Decl::Kind::Interface:
      return reference;
    case aoi::Decl::Kind::Value:
      return static_cast<const aoi::Value&>(d).is_abstract ? holder : value;
    case aoi::Decl::Kind::ValueBox:
    case aoi::Decl::Kind::Struct:
    case aoi::Decl::Kind::Union:
    case aoi::Decl::Kind::Bitset:
      return holder;
    case aoi::Decl::Kind::Enum:
    case aoi::Decl::Kind::Bitmask:
      return out;
    case aoi::Decl::Kind::Typedef:
      switch (pres::passing(static_cast<const aoi::Typedef&>(d).type)) {
        case pres::Passing::Value:
          return out;
        case pres::Passing::Reference:
          return reference;
        case pres::Passing::FixedArray:
        case pres::Passing::VariableArray:
          return array;
        default:
          return holder;
      }
    default:
      return {};
  }
}

class Declared {
 public:
  void all(const std::vector<const aoi::Decl*>& declarations) {
    for (const aoi::Decl* d : declarations) one(*d);
  }
  // Where the name is declared.
  const Span* find(const std::string& scoped_name) const {
    const auto at = names_.find(scoped_name);
    return at == names_.end() ? nullptr : &at->second;
  }

 private:
  void one(const aoi::Decl& d) {
    using Kind = aoi::Decl::Kind;
    const std::string scope = d.scoped_name.substr(0, d.scoped_name.rfind("::") + 2);
    if (d.kind == Kind::Module) return all(static_cast<const aoi::Module&>(d).declarations);
    names_.emplace(d.scoped_name, d.span);
    if (d.kind == Kind::Enum)
      for (const auto& e : static_cast<const aoi::Enum&>(d).enumerators)
        names_.emplace(scope + e.name, e.span);
    if (d.kind == Kind::Bitmask)
      for (const auto& f : static_cast<const aoi::Bitmask&>(d).flags) names_.emplace(scope + f.name, f.span);
    if (d.kind == Kind::Struct) all(static_cast<const aoi::Struct&>(d).nested);
    if (d.kind == Kind::Union) all(static_cast<const aoi::Union&>(d).nested);
    if (d.kind == Kind::Exception) all(static_cast<const aoi::Exception&>(d).nested);
    if (d.kind == Kind::Interface)
      for (const auto& m : static_cast<const aoi::Interface&>(d).members)
        std::visit([&](const auto* of) { member(d, *of); }, m);
    if (d.kind == Kind::Value)
      for (const auto& m : static_cast<const aoi::Value&>(d).members)
        std::visit([&](const auto* of) { member(d, *of); }, m);
  }

  void member(const aoi::Decl&, const aoi::Decl& inner) { one(inner); }
  void member(const aoi::Decl& of, const aoi::Value::State& s) { named(of, s.field.name, s.field.span); }
  template <typename Member>
  void member(const aoi::Decl& of, const Member& m) {
    named(of, m.name, m.span);
  }
  void named(const aoi::Decl& of, const std::string& name, Span span) {
    names_.emplace(of.scoped_name + "::" + name, span);
  }

  std::map<std::string, Span> names_;
};

}  // namespace

void check_made_names(const aoi::Contract& contract, Diagnostics& diagnostics) {
  Declared declared;
  declared.all(contract.declarations);
  const auto check = [&](const aoi::Decl& d, const std::string& made) {
    const Span* const other = declared.find(made);
    if (!other) return;
    diagnostics.report(Kind::GeneratedClash, *other,
                       fmt::format("the C++ mapping makes '{}' of '{}'; rename one", made.substr(2), d.name),
                       {{d.span, "it is declared here"}});
  };
  for_each_declaration(contract, [&](const aoi::Decl& d) {
    if (provided_by(d)) return;
    for (const std::string_view suffix : suffixes(d)) check(d, d.scoped_name + std::string(suffix));
    const bool servant =
        d.kind == aoi::Decl::Kind::Interface && !static_cast<const aoi::Interface&>(d).is_local;
    if (servant) check(d, "::POA_" + d.scoped_name.substr(2));
    if (d.kind == aoi::Decl::Kind::Value) check(d, "::OBV_" + d.scoped_name.substr(2));
  });
}

}  // namespace corbel::idl::cpp
