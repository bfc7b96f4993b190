#include "compiler/presentations/cpp/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "compiler/presentations/cpp/presentation.h"

namespace corbel::idl::cpp {
namespace {

std::string_view missing(const aoi::Type& type) {
  switch (type.kind) {
    case aoi::Type::Kind::Map:
      return "map";
    default:
      return {};
  }
}

// The run time knows CORBA::IDLType as an object, without an interface repository.
bool of_interface_repository(const aoi::Interface& interface) {
  const auto all = aoi::ancestors(interface);
  return interface.scoped_name == "::CORBA::InterfaceDef" ||
         (interface.scoped_name == "::CORBA::IDLType" && interface.complete) ||
         std::any_of(all.begin(), all.end(),
                     [](const auto* b) { return b->scoped_name == "::CORBA::IDLType"; });
}

std::string_view missing(const aoi::Decl& decl) {
  switch (decl.kind) {
    case aoi::Decl::Kind::ValueBox: {
      const aoi::Type* const boxed = aoi::resolve(static_cast<const aoi::ValueBox&>(decl).type);
      return boxed->kind == aoi::Type::Kind::Array ? "a boxed array" : "";
    }
    case aoi::Decl::Kind::Component:
      return "component";
    case aoi::Decl::Kind::Home:
      return "home";
    case aoi::Decl::Kind::PortType:
      return "porttype";
    case aoi::Decl::Kind::Connector:
      return "connector";
    case aoi::Decl::Kind::Interface:
      return of_interface_repository(static_cast<const aoi::Interface&>(decl))
                 ? "an interface of the interface repository"
                 : "";
    default:
      return {};
  }
}

class Check {
 public:
  explicit Check(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void declaration(const aoi::Decl& d) {
    if (!seen_.insert(&d).second) return;
    if (const auto what = missing(d); !what.empty()) return report(d.span, what);
    switch (d.kind) {
      case aoi::Decl::Kind::Struct:
        return fields(static_cast<const aoi::Struct&>(d).fields);
      case aoi::Decl::Kind::Exception:
        return fields(static_cast<const aoi::Exception&>(d).fields);
      case aoi::Decl::Kind::Union:
        type(static_cast<const aoi::Union&>(d).discriminator);
        for (const auto& c : static_cast<const aoi::Union&>(d).cases) type(c.field.type);
        return;
      case aoi::Decl::Kind::Typedef:
        return type(static_cast<const aoi::Typedef&>(d).type);
      case aoi::Decl::Kind::Constant:
        return type(static_cast<const aoi::Constant&>(d).type);
      case aoi::Decl::Kind::Interface:
        for (const auto& m : static_cast<const aoi::Interface&>(d).members) member(m);
        return;
      default:
        return;
    }
  }

 private:
  void fields(const std::vector<aoi::Field>& all) {
    for (const aoi::Field& f : all) type(f.type);
  }

  void member(const aoi::Interface::Member& m) {
    if (const auto* const* a = std::get_if<const aoi::Attribute*>(&m)) type((*a)->type);
    if (const auto* const* op = std::get_if<const aoi::Operation*>(&m)) {
      type((*op)->result);
      for (const aoi::Parameter& p : (*op)->parameters) type(p.type);
    }
  }

  void type(const aoi::Type* t) {
    if (!t) return;
    if (const auto what = missing(*t); !what.empty()) return report(t->span, what);
    type(t->key);
    type(t->element);
    if (t->decl && !t->decl->in_main_file) declaration(*t->decl);
  }

  void report(Span span, std::string_view construct) {
    diagnostics_.report(
        Kind::Unsupported, span,
        fmt::format("{}: corbel-idl cannot generate code for this yet; --check and --dump accept it",
                    construct));
  }

  Diagnostics& diagnostics_;
  std::set<const aoi::Decl*> seen_;
};

}  // namespace

void check_coverage(const aoi::Contract& contract, Diagnostics& diagnostics) {
  Check check(diagnostics);
  for_each_declaration(contract, [&](const aoi::Decl& d) { check.declaration(d); });
}

}  // namespace corbel::idl::cpp
