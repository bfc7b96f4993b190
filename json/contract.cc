#include "json/contract.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "compiler/aoi/equivalents.h"
#include "compiler/driver/compile.h"
#include "json/type_codes.h"

namespace corbel::json {
namespace {

namespace aoi = idl::aoi;

// What text is called in diagnostics; no file that it includes is.
constexpr const char* kText = "<contract>";

std::string without_colons(const std::string& name) {
  return name.compare(0, 2, "::") == 0 ? name.substr(2) : name;
}

CORBA::Flags flags_of(aoi::Parameter::Mode mode) {
  return mode == aoi::Parameter::Mode::In    ? CORBA::ARG_IN
         : mode == aoi::Parameter::Mode::Out ? CORBA::ARG_OUT
                                             : CORBA::ARG_INOUT;
}

// Makes the parts of a contract, declaration by declaration.
class PartsMaker {
 public:
  explicit PartsMaker(Contract::Parts& parts) : parts_(parts) {}

  void declarations(const std::vector<const aoi::Decl*>& all) {
    for (const aoi::Decl* const d : all) declaration(*d);
  }

 private:
  void declaration(const aoi::Decl& d) {
    switch (d.kind) {
      case aoi::Decl::Kind::Module:
        return declarations(static_cast<const aoi::Module&>(d).declarations);
      case aoi::Decl::Kind::Constant:
      case aoi::Decl::Kind::Component:
      case aoi::Decl::Kind::Connector:
      case aoi::Decl::Kind::PortType:
      case aoi::Decl::Kind::Home:
        return;
      default:
        break;
    }
    if (!seen_.insert(&d).second) return;
    CORBA::TypeCode_var type = types_.of(d);
    parts_.types[without_colons(d.scoped_name)] = type;
    parts_.types[d.repository_id] = type;
    switch (d.kind) {
      case aoi::Decl::Kind::Struct:
        return declarations(static_cast<const aoi::Struct&>(d).nested);
      case aoi::Decl::Kind::Union:
        return declarations(static_cast<const aoi::Union&>(d).nested);
      case aoi::Decl::Kind::Exception:
        return declarations(static_cast<const aoi::Exception&>(d).nested);
      case aoi::Decl::Kind::Value:
        for (const auto& m : static_cast<const aoi::Value&>(d).members)
          if (const auto* const* inner = std::get_if<const aoi::Decl*>(&m)) declaration(**inner);
        return;
      case aoi::Decl::Kind::Interface:
        return interface(static_cast<const aoi::Interface&>(d));
      default:
        return;
    }
  }

  void interface(const aoi::Interface& i) {
    for (const auto& m : i.members)
      if (const auto* const* inner = std::get_if<const aoi::Decl*>(&m)) declaration(**inner);
    if (i.is_local || !i.complete) return;
    Interface made{without_colons(i.scoped_name), {}};
    for (const aoi::Interface* const base : aoi::ancestors(i)) made.operations.push_back(&operations(*base));
    made.operations.push_back(&operations(i));
    parts_.places[made.name] = parts_.places[i.repository_id] = parts_.interfaces.size();
    parts_.interfaces.push_back(std::move(made));
  }

  const std::vector<Operation>& operations(const aoi::Interface& i) {
    const auto [at, fresh] = operations_.emplace(&i, nullptr);
    if (!fresh) return *at->second;
    std::vector<Operation>& made = parts_.operations.emplace_back();
    at->second = &made;
    for (const auto& m : i.members) {
      if (const auto* const* op = std::get_if<const aoi::Operation*>(&m)) {
        Operation& o = begin(made, (*op)->name, (*op)->result, (*op)->raises);
        o.oneway = (*op)->oneway;
        o.contexts = (*op)->contexts;
        for (const aoi::Parameter& p : (*op)->parameters)
          o.parameters.push_back({p.name, flags_of(p.mode), types_.of(*p.type)});
      } else if (const auto* const* attribute = std::get_if<const aoi::Attribute*>(&m)) {
        const aoi::Attribute& a = **attribute;
        begin(made, "_get_" + a.name, a.type, a.get_raises);
        if (a.readonly) continue;
        begin(made, "_set_" + a.name, nullptr, a.set_raises)
            .parameters.push_back({"value", CORBA::ARG_IN, types_.of(*a.type)});
      }
    }
    return made;
  }

  Operation& begin(std::vector<Operation>& made, std::string name, const aoi::Type* result,
                   const std::vector<const aoi::Exception*>& raises) {
    Operation& o = made.emplace_back();
    o.name = std::move(name);
    o.result = result ? types_.of(*result) : CORBA::TypeCode::_duplicate(CORBA::_tc_void);
    for (const aoi::Exception* const e : raises) o.raises.emplace_back(types_.of(*e));
    return o;
  }

  Contract::Parts& parts_;
  TypeCodes types_;
  std::set<const aoi::Decl*> seen_;
  std::map<const aoi::Interface*, const std::vector<Operation>*> operations_;
};

idl::CompileOptions compile_options(const Contract::Options& options) {
  idl::CompileOptions o;
  o.include_dirs = options.include_dirs;
  o.standard_dir = options.standard_dir;
  o.defines = options.defines;
  return o;
}

// Whether a file is in one of the directories.
bool is_below(const std::string& path, const std::vector<std::string>& directories) {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string file = fs::weakly_canonical(path, error).string();
  for (const std::string& d : directories) {
    const std::string directory = (fs::weakly_canonical(d, error) / "").string();
    if (!d.empty() && !error && file.compare(0, directory.size(), directory) == 0) return true;
  }
  return false;
}

std::shared_ptr<const Contract::Parts> compiled(const std::string& path, const idl::CompileOptions& options) {
  const std::unique_ptr<idl::Compilation> c = idl::compile(path, options);
  if (!c->readable) throw Error("", "'" + path + "' cannot be read");
  if (c->ok()) aoi::make_equivalents(c->contract, c->diagnostics);
  if (!c->ok()) throw Error("", "the contract has errors:\n" + c->messages(false));
  auto parts = std::make_shared<Contract::Parts>();
  PartsMaker(*parts).declarations(c->contract.declarations);
  return parts;
}

std::string text_of(const std::string& path, const std::string& reason) {
  return path.empty() ? reason : path + ": " + reason;
}

}  // namespace

Error::Error(std::string path, std::string reason)
    : path_(std::move(path)), reason_(std::move(reason)), text_(text_of(path_, reason_)) {}

Contract Contract::of_file(const std::string& path, const Options& options) {
  return Contract(compiled(path, compile_options(options)));
}

Contract Contract::of_text(const std::string& idl, const Options& options) {
  idl::CompileOptions how = compile_options(options);
  std::vector<std::string> allowed = options.include_dirs;
  allowed.push_back(options.standard_dir);
  how.read_file = [&idl, allowed](const std::string& path) -> std::optional<std::string> {
    if (path == kText) return idl;
    return is_below(path, allowed) ? idl::read_from_disk(path) : std::nullopt;
  };
  return Contract(compiled(kText, how));
}

std::vector<std::string> Contract::interfaces() const {
  std::vector<std::string> names;
  for (const Interface& i : parts_->interfaces) names.push_back(i.name);
  return names;
}

std::vector<std::string> Contract::operations(const std::string& interface) const {
  std::vector<std::string> names;
  for (const std::vector<Operation>* const all : parts_->interface(interface).operations)
    for (const Operation& o : *all) names.push_back(o.name);
  return names;
}

CORBA::TypeCode_ptr Contract::type(const std::string& name) const {
  const auto found = parts_->types.find(without_colons(name));
  if (found == parts_->types.end()) throw Error("", "the contract has no type '" + name + "'");
  return CORBA::TypeCode::_duplicate(found->second.in());
}

const Interface& Contract::Parts::interface(const std::string& name) const {
  const auto found = places.find(without_colons(name));
  if (found == places.end())
    throw Error("", "the contract has no interface '" + name + "' that can be called");
  return interfaces[found->second];
}

const Operation& Contract::Parts::operation(const Interface& interface, const std::string& name) const {
  for (const std::vector<Operation>* const all : interface.operations)
    for (const Operation& o : *all)
      if (o.name == name) return o;
  throw Error("", "interface '" + interface.name + "' has no operation '" + name + "'");
}

}  // namespace corbel::json
