#include "compiler/presentations/cpp/made_names.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <variant>

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
    names_.emplace(d.scoped_name, d.span);
    if (d.kind == Kind::Module) return all(static_cast<const aoi::Module&>(d).declarations);
    if (d.kind == Kind::Enum)
      for (const auto& e : static_cast<const aoi::Enum&>(d).enumerators)
        names_.emplace(scope + e.name, e.span);
    if (d.kind == Kind::Bitmask)
      for (const auto& f : static_cast<const aoi::Bitmask&>(d).flags) names_.emplace(scope + f.name, f.span);
    if (d.kind == Kind::Struct) fields(static_cast<const aoi::Struct&>(d));
    if (d.kind == Kind::Exception) fields(static_cast<const aoi::Exception&>(d));
    if (d.kind == Kind::Union) {
      const auto& u = static_cast<const aoi::Union&>(d);
      all(u.nested);
      for (const auto& c : u.cases) named(d, c.field.name, c.field.span);
    }
    if (d.kind == Kind::Interface)
      for (const auto& m : static_cast<const aoi::Interface&>(d).members)
        std::visit([&](const auto* of) { member(d, *of); }, m);
    if (d.kind == Kind::Value)
      for (const auto& m : static_cast<const aoi::Value&>(d).members)
        std::visit([&](const auto* of) { member(d, *of); }, m);
  }

  template <typename Of>
  void fields(const Of& of) {
    all(of.nested);
    for (const aoi::Field& f : of.fields) named(of, f.name, f.span);
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

bool has_servants(const aoi::Decl& d) {
  return d.kind == aoi::Decl::Kind::Interface && !static_cast<const aoi::Interface&>(d).is_local;
}

// Looks among what a declaration inherits for the name of its class.
class Inherited {
 public:
  explicit Inherited(const aoi::Decl& by) : by_(by) {
    if (by.kind == aoi::Decl::Kind::Struct)
      for (const auto* s = static_cast<const aoi::Struct&>(by).base; s; s = s->base)
        for (const aoi::Field& f : s->fields) compare(f);
    if (by.kind == aoi::Decl::Kind::Interface) ancestors_of(static_cast<const aoi::Interface&>(by));
    if (by.kind == aoi::Decl::Kind::Value) bases_of(static_cast<const aoi::Value&>(by));
  }
  const Span* found() const { return found_ ? &*found_ : nullptr; }

 private:
  void ancestors_of(const aoi::Interface& i) {
    for (const aoi::Interface* a : aoi::ancestors(i)) members_of(*a);
  }
  void bases_of(const aoi::Value& v) {
    for (const aoi::Value* b : v.bases) {
      if (!seen_.insert(b).second) continue;
      members_of(*b);
      bases_of(*b);
    }
    for (const aoi::Interface* i : v.supports) {
      members_of(*i);
      ancestors_of(*i);
    }
  }
  template <typename Of>
  void members_of(const Of& of) {
    for (const auto& m : of.members) std::visit([this](const auto* one) { this->compare(*one); }, m);
  }
  void compare(const aoi::Decl&) {}            // the class of the same name hides it
  void compare(const aoi::Value::Factory&) {}  // is not inherited
  void compare(const aoi::Value::State& s) { compare(s.field); }
  template <typename Member>
  void compare(const Member& m) {
    if (m.name == by_.name) found_ = m.span;
  }

  const aoi::Decl& by_;
  std::set<const aoi::Decl*> seen_;
  std::optional<Span> found_;
};

}  // namespace

void check_made_names(const aoi::Contract& contract, Diagnostics& diagnostics, bool tie) {
  Declared declared;
  declared.all(contract.declarations);
  const auto clash = [&](const aoi::Decl& d, Span other, const std::string& made) {
    diagnostics.report(Kind::GeneratedClash, other,
                       fmt::format("the C++ mapping makes '{}' of '{}'; rename one", made.substr(2), d.name),
                       {{d.span, "it is declared here"}});
  };
  const auto check = [&](const aoi::Decl& d, const std::string& made) {
    if (const Span* const other = declared.find(made)) clash(d, *other, made);
  };
  std::map<std::string, const aoi::Decl*> skeletons;
  for_each_declaration(contract, [&](const aoi::Decl& d) {
    if (provided_by(d)) return;
    for (const std::string_view suffix : suffixes(d)) check(d, d.scoped_name + std::string(suffix));
    const std::string skeleton = "::POA_" + d.scoped_name.substr(2);
    if (has_servants(d)) {
      skeletons.emplace(skeleton, &d);
      check(d, skeleton);
    }
    if (d.kind == aoi::Decl::Kind::Value) check(d, "::OBV_" + d.scoped_name.substr(2));
    if (const Inherited inherited(d); inherited.found())
      diagnostics.report(Kind::GeneratedClash, d.span,
                         fmt::format("a C++ class '{0}' cannot inherit a member '{0}'; rename one", d.name),
                         {{*inherited.found(), "the member is declared here"}});
  });
  if (!tie) return;
  for (const auto& [skeleton, d] : skeletons) {
    if (static_cast<const aoi::Interface*>(d)->is_abstract) continue;
    const std::string made = skeleton + "_tie";
    check(*d, made);
    if (const auto other = skeletons.find(made); other != skeletons.end())
      clash(*d, other->second->span, made);
  }
}

}  // namespace corbel::idl::cpp
