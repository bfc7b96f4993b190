#include "compiler/presentations/cpp/any_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compiler/presentations/cpp/names.h"
#include "compiler/presentations/cpp/type_codes.h"
#include "compiler/source/writer.h"

namespace corbel::idl::cpp {
namespace {

enum class Form { None, Value, Exception, Enum, Bits, Reference, Array, ValueType, Abstract };

// Another name of a type is the same C++ type; only sequences and arrays become types by their name.
Form form(const pres::Declaration& p) {
  const aoi::Decl& d = *p.decl;
  if (p.local) return Form::None;
  switch (d.kind) {
    case aoi::Decl::Kind::Struct:
    case aoi::Decl::Kind::Union:
      return Form::Value;
    case aoi::Decl::Kind::Bitset:
      return Form::Bits;
    case aoi::Decl::Kind::Exception:
      return Form::Exception;
    case aoi::Decl::Kind::Enum:
      return Form::Enum;
    case aoi::Decl::Kind::Interface: {
      const auto& i = static_cast<const aoi::Interface&>(d);
      return !i.complete ? Form::None : i.is_abstract ? Form::Abstract : Form::Reference;
    }
    case aoi::Decl::Kind::Value:
      return static_cast<const aoi::Value&>(d).complete ? Form::ValueType : Form::None;
    case aoi::Decl::Kind::ValueBox:
      return Form::ValueType;
    case aoi::Decl::Kind::Typedef: {
      const aoi::Type& t = *static_cast<const aoi::Typedef&>(d).type;
      return t.kind == aoi::Type::Kind::Sequence ? Form::Value
             : t.kind == aoi::Type::Kind::Array  ? Form::Array
                                                 : Form::None;
    }
    default:
      return Form::None;
  }
}

// Where the operators of a type are found: the namespace around it.
std::string space_of(const aoi::Decl& d) {
  const aoi::Decl* scope = &d;
  while (in_class(*scope)) scope = scope->scope;
  const std::string q = qualified(*scope);
  const auto end = q.rfind("::");
  return end == 0 ? "" : q.substr(2, end - 2);
}

// Opens and closes namespaces as declarations ask for them.
class Spaces {
 public:
  explicit Spaces(Writer& w) : w_(w) {}
  void enter(const std::string& space) {
    if (space == inside_) return;
    if (!inside_.empty()) w_.line("\n}}  // namespace {}\n", inside_);
    else if (written_) w_.line("");
    if (!space.empty()) w_.line("namespace {} {{\n", space);
    inside_ = space;
    written_ = true;
  }

 private:
  Writer& w_;
  bool written_ = false;
  std::string inside_;
};

bool has_object(const pres::Declaration& p) {
  const aoi::Decl& d = *p.decl;
  if (d.kind == aoi::Decl::Kind::Interface) return static_cast<const aoi::Interface&>(d).complete;
  return has_type_code(d);
}

// A valuetype that another file may define: then that one's objects count.
bool only_declared(const aoi::Decl& d) {
  return d.kind == aoi::Decl::Kind::Value && !static_cast<const aoi::Value&>(d).complete;
}

struct Operator {
  std::string signature, body;
};

std::vector<Operator> operators(const pres::Declaration& p) {
  const std::string t = p.target, tc = type_code(*p.decl);
  const auto in = [](const std::string& type) {
    return fmt::format("void operator<<=(CORBA::Any& any, {})", type);
  };
  const auto out = [](const std::string& type) {
    return fmt::format("CORBA::Boolean operator>>=(const CORBA::Any& any, {})", type);
  };
  const auto calls = [&](const char* function, const std::string& argument) {
    return fmt::format("corbel::cpp::{}(any, {}, {});", function, tc, argument);
  };
  const auto gives = [&](const char* function) { return "return " + calls(function, "value"); };
  switch (form(p)) {
    case Form::None:
      return {};
    case Form::Value:
      return {{in("const " + t + "& value"), calls("insert", "value")},
              {in(t + "* adopted"), calls("insert_adopted", "adopted")},
              {out("const " + t + "*& value"), gives("extract")},
              {out(t + "*& value"), "return any >>= const_cast<const " + t + "*&>(value);"}};
    case Form::Exception:
      return {{in("const " + t + "& value"), calls("insert_exception", "new " + t + "(value)")},
              {in(t + "* adopted"), calls("insert_exception", "adopted")},
              {out("const " + t + "*& value"), gives("extract_exception")},
              {out(t + "*& value"), "return any >>= const_cast<const " + t + "*&>(value);"}};
    case Form::Enum:
      return {{in(t + " value"), calls("insert_enum", "value")}, {out(t + "& value"), gives("extract_enum")}};
    case Form::Bits: {
      const std::string how = "<" + p.integer + ">";
      return {{in("const " + t + "& value"), calls(("insert_bits" + how).c_str(), "value")},
              {out(t + "& value"), gives(("extract_bits" + how).c_str())}};
    }
    case Form::Reference:
      return {{in(t + "_ptr value"), calls("insert_reference", t + "::_duplicate(value)")},
              {in(t + "_ptr* adopted"), calls("insert_reference", "*adopted")},
              {out(t + "_ptr& value"), gives("extract_reference")}};
    case Form::ValueType:
      return {{in(t + "* value"), calls("insert_value", t + "::_duplicate(value)")},
              {in(t + "** adopted"), calls("insert_value", "*adopted")},
              {out(t + "*& value"), gives("extract_value")}};
    case Form::Abstract:
      return {{in(t + "_ptr value"), calls("insert_abstract", t + "::_duplicate(value)")},
              {in(t + "_ptr* adopted"), calls("insert_abstract", "*adopted")},
              {out(t + "_ptr& value"), gives("extract_abstract")}};
    case Form::Array: {
      const std::string how = "<corbel::cdr::" + any_array_class(*p.decl) + ">";
      return {{in("const " + t + "_forany& value"), calls(("insert_array" + how).c_str(), "value")},
              {out(t + "_forany& value"), gives(("extract_array" + how).c_str())}};
    }
  }
  return {};
}

}  // namespace

bool has_any_operators(const pres::Declaration& declaration) { return form(declaration) != Form::None; }

std::string any_array_class(const aoi::Decl& array) {
  std::string name = "Any" + qualified(array);
  for (auto at = name.find("::"); at != name.npos; at = name.find("::")) name.replace(at, 2, "_");
  return name;
}

std::string any_header(const aoi::Contract& contract, const pres::Presentation& presentation,
                       const Options& options, const std::string& base_name) {
  Writer w;
  w.line("// Made by corbel-idl from {}.idl; do not edit.", base_name);
  w.line("#pragma once\n");
  const auto has = [&presentation](Form f) {
    const auto& all = presentation.declarations;
    return std::any_of(all.begin(), all.end(), [f](const pres::Declaration* p) { return form(*p) == f; });
  };
  w.line("#include <corbel/cpp/any.h>");
  if (has(Form::Abstract)) w.line("#include <corbel/cpp/any_abstract.h>");
  if (has(Form::ValueType)) w.line("#include <corbel/cpp/any_value.h>");
  w.line("");
  w.line("#include \"{}{}{}\"", options.stub_include_dir, base_name, options.stub.header);
  for (const std::string& line : contract_includes(contract, options, options.any.header, ".any.h"))
    w.line("{}", line);
  w.line("");
  const std::string exported = options.any_export_macro.empty() ? "" : options.any_export_macro + " ";
  Spaces spaces(w);
  for (const pres::Declaration* p : presentation.declarations) {
    if (!has_object(*p)) continue;
    spaces.enter(type_code_namespace(*p->decl));
    w.line("{}extern CORBA::TypeCode _tc_{};", exported, p->decl->name);
  }
  for (const pres::Declaration* p : presentation.declarations) {
    if (!has_object(*p)) continue;
    const std::vector<Operator> all = operators(*p);
    if (all.empty() && in_class(*p->decl)) continue;
    spaces.enter(space_of(*p->decl));
    if (!in_class(*p->decl)) w.line("{}extern const CORBA::TypeCode_ptr _tc_{};", exported, p->decl->name);
    for (const Operator& o : all) w.line("{}{};", exported, o.signature);
  }
  spaces.enter("");
  return w.text();
}

std::string any_definitions(const pres::Presentation& presentation, const std::string& arrays) {
  Writer w;
  if (!arrays.empty()) {
    w.line("namespace corbel::cdr {{\nnamespace {{\n");
    w.raw(arrays);
    w.line("}}  // namespace\n}}  // namespace corbel::cdr\n");
  }
  Spaces spaces(w);
  TypeCodePrinter printer(w);
  for (const pres::Declaration* p : presentation.declarations) {
    if (!has_object(*p)) continue;
    spaces.enter(type_code_namespace(*p->decl));
    printer.print(*p->decl, only_declared(*p->decl));
  }
  for (const pres::Declaration* p : presentation.declarations) {
    if (!has_object(*p)) continue;
    const std::vector<Operator> all = operators(*p);
    spaces.enter(space_of(*p->decl));
    std::string name = "_tc_" + p->decl->name;
    if (in_class(*p->decl)) {
      const std::string q = qualified(*p->decl), inner = q.substr(space_of(*p->decl).size() + 2);
      name = inner.substr(inner.starts_with("::") ? 2 : 0);
      const auto last = name.rfind("::");
      name = name.substr(0, last + 2) + "_tc_" + p->decl->name;
    }
    const bool weak = only_declared(*p->decl), member = in_class(*p->decl);
    if (weak && !member) w.line("{}extern const CORBA::TypeCode_ptr {};", kWeak, name);
    w.line("{}const CORBA::TypeCode_ptr {} = &{};", weak && member ? kWeak : "", name, type_code(*p->decl));
    for (const Operator& o : all) w.function(o.signature, o.body);
  }
  spaces.enter("");
  return w.text();
}

}  // namespace corbel::idl::cpp
