#include "compiler/presentations/cpp/declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/presentations/cpp/annotations.h"
#include "compiler/presentations/cpp/any_files.h"
#include "compiler/presentations/cpp/constants.h"
#include "compiler/presentations/cpp/names.h"
#include "compiler/presentations/cpp/provided.h"
#include "compiler/presentations/cpp/type_codes.h"
#include "compiler/presentations/cpp/union_class.h"
#include "compiler/presentations/cpp/value_class.h"
#include "compiler/source/writer.h"

namespace corbel::idl::cpp {
namespace {

// A class of this name would hide the member of its base.
bool is_sequence_member(const std::string& name) {
  return name == "length" || name == "maximum" || name == "release" || name == "replace" ||
         name == "get_buffer" || name == "allocbuf" || name == "freebuf";
}

class DeclarationPrinter {
 public:
  DeclarationPrinter(Writer& out, const pres::Presentation& presentation, const Options& options)
      : w_(out),
        any_(options.with_any),
        export_(options.export_macro.empty() ? "" : options.export_macro + " ") {
    for (const pres::Declaration* d : presentation.declarations) presented_[d->decl] = d;
  }

  void all(const std::vector<const aoi::Decl*>& declarations) {
    for (const aoi::Decl* d : declarations) {
      declaration(*d, false);
      if (generated(*d) && d->kind != aoi::Decl::Kind::Module) w_.line("");
    }
  }

 private:
  void comments(const std::vector<std::string>& lines) { w_.comments(lines); }

  void verbatim(const aoi::Decl& d, std::string_view placement) {
    if (d.annotations.empty()) return;
    for (const std::string& l : verbatim_lines(d, placement)) w_.line(l);
  }

  void declaration(const aoi::Decl& d, bool in_class) {
    if (d.kind == aoi::Decl::Kind::Module) {
      const auto& m = static_cast<const aoi::Module&>(d);
      if (!m.in_main_file) return included(m);
      verbatim(m, "BEFORE_DECLARATION");
      comments(m.comments);
      w_.line("namespace {} {{\n", identifier(m.name));
      verbatim(m, "BEGIN_DECLARATION");
      all(m.declarations);
      verbatim(m, "END_DECLARATION");
      w_.line("}}  // namespace {}\n", identifier(m.name));
      verbatim(m, "AFTER_DECLARATION");
      return;
    }
    if (!generated(d)) return;
    const bool again = !seen_.insert(&d).second;
    if (!again && may_be_forward(d) && is_forward(d)) return forward(d);
    verbatim(d, "BEFORE_DECLARATION");
    comments(d.comments);
    switch (d.kind) {
      case aoi::Decl::Kind::Interface:
        interface(static_cast<const aoi::Interface&>(d), again);
        break;
      case aoi::Decl::Kind::Constant:
        constant(static_cast<const aoi::Constant&>(d), in_class);
        break;
      case aoi::Decl::Kind::Struct:
        structure(static_cast<const aoi::Struct&>(d));
        break;
      case aoi::Decl::Kind::Union:
        union_type(static_cast<const aoi::Union&>(d));
        break;
      case aoi::Decl::Kind::Enum:
        enumeration(static_cast<const aoi::Enum&>(d));
        break;
      case aoi::Decl::Kind::Typedef:
        type_definition(static_cast<const aoi::Typedef&>(d));
        break;
      case aoi::Decl::Kind::Exception:
        exception(static_cast<const aoi::Exception&>(d));
        break;
      case aoi::Decl::Kind::Bitmask:
        bitmask(static_cast<const aoi::Bitmask&>(d), in_class);
        break;
      case aoi::Decl::Kind::Bitset:
        bitset(static_cast<const aoi::Bitset&>(d));
        break;
      case aoi::Decl::Kind::Native:
        native(d);
        break;
      case aoi::Decl::Kind::Value:
        value(static_cast<const aoi::Value&>(d), again);
        break;
      case aoi::Decl::Kind::ValueBox:
        print_value_box(w_, static_cast<const aoi::ValueBox&>(d), export_);
        break;
      default:
        break;
    }
    if (any_ && in_class && has_type_code(d)) w_.line("static const CORBA::TypeCode_ptr _tc_{};", d.name);
    verbatim(d, "AFTER_DECLARATION");
  }

  // What an included file declares and this one defines is not declared again.
  void included(const aoi::Module& m) {
    for (const aoi::Decl* d : m.declarations) {
      if (d->kind == aoi::Decl::Kind::Module) included(static_cast<const aoi::Module&>(*d));
      else seen_.insert(d);
    }
  }

  void forward(const aoi::Decl& d) {
    const std::string n = identifier(d.name);
    if (d.kind == aoi::Decl::Kind::Interface) return print_reference_types(w_, n);
    if (d.kind == aoi::Decl::Kind::Value) return print_value_types(w_, n);
    w_.line("{} {};", d.kind == aoi::Decl::Kind::Struct ? "struct" : "class", n);
  }

  void value(const aoi::Value& v, bool again) {
    if (!again) print_value_types(w_, identifier(v.name));
    print_value_class(w_, v, export_, [this](const aoi::Decl& d) { declaration(d, true); });
  }

  void constant(const aoi::Constant& c, bool in_class) {
    const std::string n = identifier(c.name);
    const std::string prefix = in_class ? "static constexpr " : "constexpr ";
    if (std::holds_alternative<std::string>(c.value))
      w_.line("{}const char* {} = {};", prefix, n, literal(c));
    else if (std::holds_alternative<std::u32string>(c.value))
      w_.line("{}const CORBA::WChar* {} = {};", prefix, n, literal(c));
    else if (std::holds_alternative<aoi::FixedValue>(c.value))
      w_.line("{}CORBA::Fixed {} = {};", prefix, n, literal(c));
    else w_.line("{}{} {} = {};", prefix, stored_type(c.type), n, literal(c));
  }

  void enumeration(const aoi::Enum& e) {
    std::string items;
    for (const auto& i : e.enumerators) items += (items.empty() ? "" : ", ") + identifier(i.name);
    w_.line("enum {} : CORBA::ULong {{ {} }};", identifier(e.name), items);
    w_.line("typedef {0}& {0}_out;", identifier(e.name));
  }

  void bitmask(const aoi::Bitmask& b, bool in_class) {
    const std::string n = identifier(b.name);
    w_.line("typedef {} {};", unsigned_name(b.bits), n);
    w_.line("typedef {0}& {0}_out;", n);
    for (const auto& f : b.flags) {
      comments(f.comments);
      w_.line("{}constexpr {} {} = {} << {};", in_class ? "static " : "", n, identifier(f.name),
              b.bits > 32 ? "1ull" : "1u", f.position);
    }
  }

  void bitset(const aoi::Bitset& b) {
    const std::string n = identifier(b.name);
    w_.line("struct {}{} {}{{", export_, n, b.base ? ": public " + qualified(*b.base) + " " : "");
    w_.indent();
    for (const auto& f : b.fields) {
      comments(f.comments);
      w_.line("{}{} : {};", bit_field_type(f), f.name.empty() ? "" : " " + identifier(f.name), f.width);
    }
    w_.outdent();
    w_.line("}};");
    var_types(n, false);
  }

  void var_types(const std::string& n, bool variable) {
    if (variable) {
      w_.line("typedef corbel::cpp::VariableVar<{0}> {0}_var;", n);
      w_.line("typedef corbel::cpp::VariableOut<{0}, {0}_var> {0}_out;", n);
    } else {
      w_.line("typedef corbel::cpp::FixedVar<{0}> {0}_var;", n);
      w_.line("typedef {0}& {0}_out;", n);
    }
  }

  void nested(const std::vector<const aoi::Decl*>& list) {
    for (const aoi::Decl* d : list) declaration(*d, true);
  }

  void field(const aoi::Field& f) {
    comments(member_comments(f));
    const std::string n = identifier(f.name);
    if (f.type->kind == aoi::Type::Kind::Sequence) {
      w_.line("typedef {} _{}_seq;", sequence_class(f.type), f.name);
      w_.line("_{}_seq {};", f.name, n);
      return;
    }
    if (f.type->kind == aoi::Type::Kind::Array) {
      w_.line("typedef {} _{}{};", stored_type(f.type), f.name, dimensions(f.type));
      w_.line("_{} {};", f.name, n);
      return;
    }
    const aoi::Constant initial = initial_value(f);
    if (initial.value.index() == 0) w_.line("{} {};", stored_type(f.type), n);
    else w_.line("{} {} = {};", stored_type(f.type), n, literal(initial));
  }

  void structure(const aoi::Struct& s) {
    const std::string n = identifier(s.name);
    w_.line("struct {}{} {}{{", export_, n, s.base ? ": public " + qualified(*s.base) + " " : "");
    w_.indent();
    verbatim(s, "BEGIN_DECLARATION");
    nested(s.nested);
    for (const aoi::Field& f : s.fields) field(f);
    verbatim(s, "END_DECLARATION");
    w_.outdent();
    w_.line("}};");
    aoi::Type t;
    t.kind = aoi::Type::Kind::Named;
    t.decl = &s;
    var_types(n, pres::is_variable(&t));
  }

  void union_type(const aoi::Union& u) {
    w_.line("class {}{} {{", export_, identifier(u.name));
    w_.line(" public:");
    w_.indent();
    verbatim(u, "BEGIN_DECLARATION");
    nested(u.nested);
    w_.outdent();
    print_union_class(w_, u);
    verbatim(u, "END_DECLARATION");
    w_.line("}};");
    aoi::Type t;
    t.kind = aoi::Type::Kind::Named;
    t.decl = &u;
    var_types(identifier(u.name), pres::is_variable(&t));
  }

  void type_definition(const aoi::Typedef& t) {
    const std::string n = identifier(t.name);
    const aoi::Type& type = *t.type;
    if (type.kind == aoi::Type::Kind::Sequence) {
      const std::string base = sequence_class(&type);
      if (is_sequence_member(n)) {
        w_.line("typedef {} {};", base, n);
      } else {
        const std::string bare =
            base.substr(13, base.find('<') == base.npos ? base.npos : base.find('<') - 13);
        w_.line("class {}{} : public {} {{", export_, n, base);
        w_.line(" public:");
        if (n == bare) w_.line("  typedef {} _corbel_base;\n  using _corbel_base::_corbel_base;", base);
        else w_.line("  using {}::{};", bare, bare);
        w_.line("}};");
      }
      w_.line("typedef corbel::cpp::SequenceVar<{0}> {0}_var;", n);
      w_.line("typedef corbel::cpp::VariableOut<{0}, {0}_var> {0}_out;", n);
      return;
    }
    if (type.kind == aoi::Type::Kind::Array) return array(t, n);
    if (type.kind == aoi::Type::Kind::Any) {
      w_.line("typedef CORBA::Any {};", n);
      for (const char* suffix : {"var", "out"}) w_.line("typedef CORBA::Any_{1} {0}_{1};", n, suffix);
      return;
    }
    switch (pres::passing(&type)) {
      case pres::Passing::String:
        w_.line("typedef char* {};", n);
        w_.line("typedef CORBA::String_var {}_var;", n);
        w_.line("typedef CORBA::String_out {}_out;", n);
        return;
      case pres::Passing::WString:
        w_.line("typedef CORBA::WChar* {};", n);
        w_.line("typedef CORBA::WString_var {}_var;", n);
        w_.line("typedef CORBA::WString_out {}_out;", n);
        return;
      case pres::Passing::Reference: {
        const std::string i = interface_name(&type);
        w_.line("typedef {} {};", i, n);
        for (const char* suffix : {"ptr", "var", "out"}) w_.line("typedef {0}_{2} {1}_{2};", i, n, suffix);
        return;
      }
      case pres::Passing::Value:
        w_.line("typedef {} {};", stored_type(&type), n);
        w_.line("typedef {0}& {0}_out;", n);
        return;
      default:
        break;
    }
    if (type.kind == aoi::Type::Kind::Fixed || type.kind == aoi::Type::Kind::Map) {
      w_.line("typedef {} {};", stored_type(&type), n);
      var_types(n, type.kind == aoi::Type::Kind::Map);
      return;
    }
    const std::string o = qualified(*type.decl);
    w_.line("typedef {} {};", o, n);
    const bool is_array = pres::passing(&type) == pres::Passing::FixedArray ||
                          pres::passing(&type) == pres::Passing::VariableArray;
    w_.line("typedef {0}_var {1}_var;", o, n);
    w_.line("typedef {0}_out {1}_out;", o, n);
    if (!is_array) return;
    const std::string prefix = in_class(t) ? "static " : "";
    w_.line("typedef {0}_slice {1}_slice;", o, n);
    w_.line("typedef {0}_forany {1}_forany;", o, n);
    w_.line("typedef {0}_traits {1}_traits;", o, n);
    w_.line("{2}inline {1}_slice* {1}_alloc() {{ return {0}_alloc(); }}", o, n, prefix);
    w_.line("{2}inline {1}_slice* {1}_dup(const {1}_slice* from) {{ return {0}_dup(from); }}", o, n, prefix);
    w_.line("{2}inline void {1}_copy({1}_slice* to, const {1}_slice* from) {{ {0}_copy(to, from); }}", o, n,
            prefix);
    w_.line("{2}inline void {1}_free({1}_slice* array) {{ {0}_free(array); }}", o, n, prefix);
  }

  void array(const aoi::Typedef& t, const std::string& n) {
    const aoi::Type& type = *t.type;
    const std::string stored = stored_type(&type);
    const bool variable = pres::is_variable(&type);
    const std::string prefix = in_class(t) ? "static " : "";
    w_.line("typedef {} {}{};", stored, n, dimensions(&type));
    w_.line("typedef {} {}_slice{};", stored, n, slice_dimensions(&type));
    w_.line("{}inline {}_slice* {}_alloc() {{ return new {}; }}", prefix, n, n, n);
    w_.line("{}inline void {}_free({}_slice* array) {{ delete[] array; }}", prefix, n, n);
    w_.line("{}inline void {}_copy({}_slice* to, const {}_slice* from) {{", prefix, n, n, n);
    const bool flat = type.dims.size() == 1 && aoi::resolve(type.element)->kind != aoi::Type::Kind::Array;
    if (flat) {
      w_.line("  for (std::size_t i = 0; i < {}; ++i) to[i] = from[i];", type.dims[0]);
    } else {
      const std::string scalar = array_scalar(&type);
      w_.line("  auto* const t = reinterpret_cast<{0}*>(to);", scalar);
      w_.line("  auto* const f = reinterpret_cast<const {0}*>(from);", scalar);
      w_.line("  for (std::size_t i = 0; i < sizeof({0}) / sizeof({1}); ++i) t[i] = f[i];", n, scalar);
    }
    w_.line("}}");
    w_.line("{}inline {}_slice* {}_dup(const {}_slice* from) {{", prefix, n, n, n);
    w_.line("  {0}_slice* const copy = {0}_alloc();", n);
    w_.line("  {}_copy(copy, from);", n);
    w_.line("  return copy;");
    w_.line("}}");
    w_.line("struct {}_traits {{", n);
    w_.line("  typedef {0} array;", n);
    w_.line("  typedef {0}_slice slice;", n);
    w_.line("  static slice* alloc() {{ return {}_alloc(); }}", n);
    w_.line("  static slice* dup(const slice* from) {{ return {}_dup(from); }}", n);
    w_.line("  static void copy(slice* to, const slice* from) {{ {}_copy(to, from); }}", n);
    w_.line("  static void free(slice* a) {{ {}_free(a); }}", n);
    w_.line("}};");
    if (variable) {
      w_.line("typedef corbel::cpp::VariableArrayVar<{0}_traits> {0}_var;", n);
      w_.line("typedef corbel::cpp::ArrayOut<{0}_traits> {0}_out;", n);
    } else {
      w_.line("typedef corbel::cpp::FixedArrayVar<{0}_traits> {0}_var;", n);
      w_.line("typedef {0}_slice* {0}_out;", n);
    }
    w_.line("typedef corbel::cpp::ArrayForAny<{0}_traits> {0}_forany;", n);
  }

  // The application declares it, before it includes the header; nobody can do that inside a class. Real-time
  // CORBA says what its own one is.
  void native(const aoi::Decl& d) {
    if (in_class(d) || d.scoped_name == "::CORBA::VoidData") w_.line("typedef void* {};", identifier(d.name));
    else w_.line("// native {}: to be declared before this header is included", identifier(d.name));
  }

  void exception(const aoi::Exception& e) {
    const std::string n = identifier(e.name);
    w_.line("class {}{} : public CORBA::UserException {{", export_, n);
    w_.line(" public:");
    w_.indent();
    w_.line("static constexpr const char* _corbel_id = {};", quoted(e.repository_id));
    verbatim(e, "BEGIN_DECLARATION");
    nested(e.nested);
    for (const aoi::Field& f : e.fields) field(f);
    w_.line("{}() = default;", n);
    if (!e.fields.empty()) member_constructor(e);
    w_.line("static const {0}* _downcast(const CORBA::Exception* exception);", n);
    w_.line("static {0}* _downcast(CORBA::Exception* exception) {{", n);
    w_.line("  return const_cast<{0}*>(_downcast(static_cast<const CORBA::Exception*>(exception)));", n);
    w_.line("}}");
    w_.line("static {0}* _narrow(CORBA::Exception* exception) {{ return _downcast(exception); }}", n);
    w_.line("[[noreturn]] void _raise() const override {{ throw *this; }}");
    w_.line("const char* _name() const override {{ return {}; }}", quoted(e.name));
    w_.line("const char* _rep_id() const override {{ return _corbel_id; }}");
    w_.line("CORBA::Exception* _corbel_duplicate() const override {{ return new {}(*this); }}", n);
    w_.line("void _marshal_members(corbel::cdr::Encoder& out) const override;");
    verbatim(e, "END_DECLARATION");
    w_.outdent();
    w_.line("}};");
  }

  // From a value for each member.
  void member_constructor(const aoi::Exception& e) {
    std::string args, init, end = "_";  // of parameters, none of which is to have a member's name
    const auto clashes = [&](const aoi::Field& f) {
      return std::any_of(e.fields.begin(), e.fields.end(),
                         [&](const aoi::Field& other) { return other.name == f.name + end; });
    };
    while (std::any_of(e.fields.begin(), e.fields.end(), clashes)) end += '_';
    std::vector<std::string> copies;
    for (const aoi::Field& f : e.fields) {
      const std::string parameter = f.name + end;
      const std::string type =
          f.type->kind == aoi::Type::Kind::Sequence ? fmt::format("const _{}_seq&", f.name)
          : f.type->kind == aoi::Type::Kind::Array  ? fmt::format("const _{}", f.name)
                                                    : parameter_type(f.type, aoi::Parameter::Mode::In);
      args += fmt::format("{}{} {}", args.empty() ? "" : ", ", type, parameter);
      const pres::Passing how = pres::passing(f.type);
      if (how == pres::Passing::FixedArray || how == pres::Passing::VariableArray) {
        copies.push_back(
            fmt::format("corbel::cpp::copy_elements(this->{}, {});", identifier(f.name), parameter));
        continue;
      }
      const bool pointer = how == pres::Passing::Reference || how == pres::Passing::ValueType;
      init += fmt::format("{}{}({})", init.empty() ? " : " : ", ", identifier(f.name),
                          pointer ? fmt::format("corbel::cpp::duplicate({})", parameter) : parameter);
    }
    w_.line("{}{}({}){} {{{}", e.fields.size() == 1 ? "explicit " : "", identifier(e.name), args, init,
            copies.empty() ? "}" : "");
    if (copies.empty()) return;
    for (const std::string& c : copies) w_.line("  {}", c);
    w_.line("}}");
  }

  void interface(const aoi::Interface& i, bool declared) {
    const std::string n = identifier(i.name);
    if (!declared) print_reference_types(w_, n);
    if (!i.complete) return;
    if (i.is_abstract) return abstract_interface(i, n);
    std::string bases;
    for (const aoi::Interface* b : i.bases)
      bases += (bases.empty() ? "" : ", ") + ("public virtual " + qualified(*b));
    if (i.is_local && std::none_of(i.bases.begin(), i.bases.end(), [](const auto* b) { return b->is_local; }))
      bases += (bases.empty() ? "" : ", ") + std::string("public virtual CORBA::LocalObject");
    const auto is_abstract_base = [](const aoi::Interface* b) { return b->is_abstract; };
    if (!i.is_local && std::all_of(i.bases.begin(), i.bases.end(), is_abstract_base))
      bases += (bases.empty() ? "" : ", ") + std::string("public virtual CORBA::Object");
    w_.line("class {}{} : {} {{", export_, n, bases);
    w_.line(" public:");
    w_.indent();
    w_.line("typedef {}_ptr _ptr_type;", n);
    w_.line("typedef {}_var _var_type;", n);
    w_.line("static constexpr const char* _corbel_id = {};", quoted(i.repository_id));
    w_.line("static {0}_ptr _duplicate({0}_ptr object) {{ return corbel::cpp::duplicate(object); }}", n);
    w_.line("static {0}_ptr _narrow(CORBA::Object_ptr object);", n);
    w_.line("static {0}_ptr _unchecked_narrow(CORBA::Object_ptr object);", n);
    w_.line("static {0}_ptr _nil() {{ return nullptr; }}\n", n);
    verbatim(i, "BEGIN_DECLARATION");
    for (const auto& m : i.members) {
      if (const auto* d = std::get_if<const aoi::Decl*>(&m)) declaration(**d, true);
    }
    const pres::Interface& form = *presented_.at(&i)->interface;
    if (form.local) local_operations(form);
    else proxy_operations(form);
    w_.line("");
    if (!form.local)
      w_.line("explicit {}(corbel::core::Reference* reference) : CORBA::Object(reference) {{}}", n);
    w_.line("void* _corbel_widen(const char* repository_id) override;");
    if (is_abstract(i)) {
      w_.line("void _corbel_add_ref() override {{ CORBA::Object::_corbel_add_ref(); }}");
      w_.line("void _corbel_remove_ref() override {{ CORBA::Object::_corbel_remove_ref(); }}");
      w_.line("CORBA::Object_ptr _corbel_to_object() override {{ return this; }}");
    }
    w_.line("");
    verbatim(i, "END_DECLARATION");
    w_.outdent();
    w_.line(" protected:");
    w_.line("  {}() = default;", n);
    if (!form.local) w_.line("\n private:\n  corbel::core::CollocatedSlot _corbel_collocated;");
    w_.line("}};");
  }

  // Objects and values may be of one. Its operations look for nil before they call what is virtual: the call
  // of an object, which values override.
  void abstract_interface(const aoi::Interface& i, const std::string& n) {
    std::string bases;
    for (const aoi::Interface* b : i.bases)
      bases += (bases.empty() ? "" : ", ") + ("public virtual " + qualified(*b));
    if (bases.empty()) bases = "public virtual CORBA::AbstractBase";
    w_.line("class {}{} : {} {{", export_, n, bases);
    w_.line(" public:");
    w_.indent();
    w_.line("typedef {}_ptr _ptr_type;", n);
    w_.line("typedef {}_var _var_type;", n);
    w_.line("static constexpr const char* _corbel_id = {};", quoted(i.repository_id));
    w_.line("static {0}_ptr _duplicate({0}_ptr object) {{ return corbel::cpp::duplicate(object); }}", n);
    w_.line("static {0}_ptr _narrow(CORBA::AbstractBase_ptr object);", n);
    w_.line("static {0}_ptr _unchecked_narrow(CORBA::AbstractBase_ptr object);", n);
    w_.line("static {0}_ptr _nil() {{ return nullptr; }}", n);
    w_.line("static {0}_ptr _corbel_make(corbel::core::Reference* reference);\n", n);
    for (const auto& m : i.members)
      if (const auto* d = std::get_if<const aoi::Decl*>(&m)) declaration(**d, true);
    const pres::Interface& form = *presented_.at(&i)->interface;
    for (const pres::Operation& op : form.operations) {
      comments(op.comments);
      w_.function(fmt::format("{} {}({})", op.result, op.method, op.parameters),
                  fmt::format("return corbel::cpp::not_nil(this)->{}({});", pres::virtual_name(op.method),
                              argument_names(op)));
    }
    inherited_operations(form);
    for (const pres::Operation& op : form.operations)
      w_.line("virtual {} {}({});", op.result, pres::virtual_name(op.method), op.parameters);
    w_.line("");
    verbatim(i, "END_DECLARATION");
    w_.outdent();
    w_.line(" protected:");
    w_.line("  {}() = default;", n);
    w_.line("}};");
  }

  void proxy_operations(const pres::Interface& form) {
    for (const pres::Operation& op : form.operations) {
      comments(op.comments);
      w_.line("{} {}({});", op.result, op.method, op.parameters);
    }
    inherited_operations(form);
  }

  void inherited_operations(const pres::Interface& form) {
    for (const pres::Interface* a : form.ancestors) {
      for (const pres::Operation& op : a->operations) {
        w_.function(fmt::format("{} {}({})", op.result, op.method, op.parameters),
                    fmt::format("return corbel::cpp::not_nil(this)->{}::{}({});", a->target, op.method,
                                argument_names(op)));
      }
    }
  }

  // An unconstrained base has operations that call an object elsewhere: here they are to be implemented.
  void local_operations(const pres::Interface& form) {
    const auto all = [&](const pres::Interface& from, bool overrides) {
      for (const pres::Operation& op : from.operations) {
        comments(op.comments);
        w_.line("virtual {} {}({}){} = 0;", op.result, op.method, op.parameters,
                overrides ? " override" : "");
        if (from.abstract)
          w_.function(
              fmt::format("{} {}({}) override", op.result, pres::virtual_name(op.method), op.parameters),
              fmt::format("return {}({});", op.method, argument_names(op)));
      }
    };
    all(form, false);
    for (const pres::Interface* a : form.ancestors) {
      if (a->local) continue;
      const auto declares_it = [a](const pres::Interface* b) {
        return b->local && std::find(b->ancestors.begin(), b->ancestors.end(), a) != b->ancestors.end();
      };
      all(*a, std::any_of(form.ancestors.begin(), form.ancestors.end(), declares_it));
    }
  }

  Writer& w_;
  const bool any_;
  const std::string export_;
  std::map<const aoi::Decl*, const pres::Declaration*> presented_;
  std::set<const aoi::Decl*> seen_;
};

}  // namespace

void print_reference_types(Writer& w, const std::string& n) {
  w.line("class {};", n);
  w.line("typedef {0}* {0}_ptr;", n);
  w.line("typedef corbel::cpp::ObjectVar<{0}> {0}_var;", n);
  w.line("typedef corbel::cpp::ObjectOut<{0}> {0}_out;", n);
}

void print_declarations(Writer& w, const aoi::Contract& contract, const pres::Presentation& presentation,
                        const Options& options) {
  DeclarationPrinter(w, presentation, options).all(contract.declarations);
}

}  // namespace corbel::idl::cpp
