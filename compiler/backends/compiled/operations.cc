#include <fmt/format.h>

#include <map>

#include "compiler/backends/compiled/coder.h"
#include "compiler/backends/compiled/compiled.h"
#include "compiler/presentations/cpp/names.h"

namespace corbel::idl::compiled {
namespace {

using cpp::Writer;
using Mode = aoi::Parameter::Mode;
using pres::Passing;

bool array(Passing p) { return p == Passing::FixedArray || p == Passing::VariableArray; }
// Held by pointer in the mapping: results and out parameters.
bool by_pointer(Passing p) { return p == Passing::VariableStruct || p == Passing::Sequence; }

std::string var_type(const aoi::Type* type) {
  switch (pres::passing(type)) {
    case Passing::String:
      return "CORBA::String_var";
    case Passing::Reference:
      return fmt::format("corbel::cpp::ObjectVar<{}>", cpp::interface_name(type));
    default:
      return cpp::stored_type(type) + "_var";
  }
}

template <typename Use>
void each_interface(const aoi::Contract& contract, const Use& use) {
  cpp::for_each_declaration(contract, [&](const aoi::Decl& d) {
    if (d.kind == aoi::Decl::Kind::Interface && static_cast<const aoi::Interface&>(d).complete)
      use(static_cast<const aoi::Interface&>(d));
  });
}

// ---- stubs

// A place for a result or out parameter, and the expression that is decoded into.
std::string result_place(Writer& w, const std::string& name, const aoi::Type* type) {
  const Passing p = pres::passing(type);
  if (p == Passing::Value || p == Passing::FixedStruct) {
    w.line("{} {}{{}};", cpp::stored_type(type), name);
    return name;
  }
  if (by_pointer(p)) w.line("{}_var {} = new {};", cpp::stored_type(type), name, cpp::stored_type(type));
  else if (array(p)) w.line("{}_var {} = {}_alloc();", cpp::stored_type(type), name, cpp::stored_type(type));
  else w.line("{} {};", var_type(type), name);
  return by_pointer(p) || array(p) ? name + ".inout()" : name;
}

void raises_table(Writer& w, const aoi::Operation& op) {
  if (op.raises.empty()) return;
  w.line("static constexpr corbel::cpp::RaisesEntry _raises[] = {{");
  for (const aoi::Exception* e : op.raises) {
    w.line("    {{{}, [](corbel::cdr::Decoder& in) -> bool {{", cpp::quoted(e->repository_id));
    w.line("       {} exception;", cpp::qualified(*e));
    w.line("       if (!corbel::cdr::unmarshal(in, exception)) return false;");
    w.line("       throw exception;");
    w.line("     }}}},");
  }
  w.line("}};");
}

void stub(Writer& w, const Input& input, const aoi::Interface& i, const aoi::Operation& op) {
  w.line("{} {}::{}({}) {{", cpp::result_type(op.result), cpp::qualified(i).substr(2), cpp::method_name(op),
         cpp::parameters(op));
  w.indent();
  raises_table(w, op);
  w.line("static constexpr corbel::cpp::Operation _operation{{{{{}, {}, {}}}, {}, {}}};",
         cpp::quoted(op.name), op.name.size(), op.oneway, op.raises.empty() ? "nullptr" : "_raises",
         op.raises.size());
  w.line("if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();");
  w.line("corbel::cpp::Call _call(*this, _operation);");
  bool sends = false, receives = !cpp::is_void(op.result);
  for (const aoi::Parameter& p : op.parameters) {
    sends = sends || p.mode != Mode::Out;
    receives = receives || p.mode != Mode::In;
  }
  Coder c(w, input, "_call.bad_results();");
  if (sends) w.line("corbel::cdr::Encoder& out = _call.arguments();");
  for (const aoi::Parameter& p : op.parameters)
    if (p.mode != Mode::Out) c.encode(cpp::identifier(p.name), p.type);
  w.line(receives ? "corbel::cdr::Decoder& in = _call.invoke();" : "_call.invoke();");
  if (!cpp::is_void(op.result)) c.decode(result_place(w, "_result", op.result), op.result);
  std::string handed_over;
  for (const aoi::Parameter& p : op.parameters) {
    const std::string n = cpp::identifier(p.name);
    const Passing how = pres::passing(p.type);
    const bool direct = p.mode == Mode::InOut || how == Passing::Value || how == Passing::FixedStruct ||
                        how == Passing::FixedArray;
    if (p.mode == Mode::In) continue;
    if (direct) {
      c.decode(n, p.type);
      continue;
    }
    c.decode(result_place(w, "_" + p.name, p.type), p.type);
    handed_over += fmt::format("{0} = _{1}._retn();\n", n, p.name);
  }
  while (!handed_over.empty()) {
    const auto newline = handed_over.find('\n');
    w.line(handed_over.substr(0, newline));
    handed_over.erase(0, newline + 1);
  }
  if (!cpp::is_void(op.result)) {
    const Passing how = pres::passing(op.result);
    w.line(how == Passing::Value || how == Passing::FixedStruct ? "return _result;"
                                                                : "return _result._retn();");
  }
  w.outdent();
  w.line("}}\n");
}

// ---- skeletons

// Declares and decodes an argument; gives what the servant is called with.
std::string argument(Writer& w, Coder& c, const Input& input, const aoi::Parameter& p) {
  const std::string n = cpp::identifier(p.name), stored = pres::passing(p.type) == Passing::String ||
                                                                  pres::passing(p.type) == Passing::Reference
                                                              ? ""
                                                              : cpp::stored_type(p.type);
  const Passing how = pres::passing(p.type);
  const aoi::Type* const t = aoi::resolve(p.type);
  if (p.mode == Mode::Out) {
    if (how == Passing::Value || how == Passing::FixedStruct) w.line("{} {}{{}};", stored, n);
    else if (how == Passing::FixedArray) w.line("{} {};", stored, n);
    else {
      w.line("{} {};", var_type(p.type), n);
      return n + ".out()";
    }
    return n;
  }
  if (how == Passing::String && p.mode == Mode::In) {
    w.line("const char* {};", n);
    if (t->bound != 0) {
      w.line("std::uint32_t _{}_length;", p.name);
      w.line("if (!in.get_string_view({0}, _{1}_length, {2})) corbel::cpp::bad_arguments();", n, p.name,
             t->bound);
    } else {
      w.line("if (!in.get_string_view({})) corbel::cpp::bad_arguments();", n);
    }
    return n;
  }
  const bool flat = how == Passing::Sequence && p.mode == Mode::In && input.options.views &&
                    (c.copyable(t->element) || c.struct_run(t->element));
  if (flat) {
    const std::string element = cpp::stored_type(t->element),
                      bound = t->bound != 0 ? fmt::format(", {}", t->bound) : "";
    w.line("std::uint32_t _{}_length;", p.name);
    w.line("if (!in.get_length(_{0}_length, {1}{2})) corbel::cpp::bad_arguments();", p.name,
           std::max(1u, c.part(t->element).least), bound);
    if (c.copyable(t->element))
      w.line("{0}* const _{1}_data = in.get_flat<{0}>(_{1}_length);", element, p.name);
    else
      w.line("{0}* const _{1}_data = corbel::cpp::get_struct_view<{0}>(in, _{1}_length);", element, p.name);
    w.line("if (!_{}_data) corbel::cpp::bad_arguments();", p.name);
    w.line("const {0} {1}({2}_{3}_length, _{3}_data, false);", stored, n,
           t->bound != 0 ? "" : fmt::format("_{}_length, ", p.name), p.name);
    return n;
  }
  if (how == Passing::String || how == Passing::Reference) w.line("{} {};", var_type(p.type), n);
  else if (how == Passing::Value) w.line("{} {}{{}};", stored, n);
  else w.line("{} {};", stored, n);
  c.decode(n, p.type);
  if (how == Passing::String || how == Passing::Reference)
    return n + (p.mode == Mode::In ? ".in()" : ".inout()");
  return n;
}

void skeleton(Writer& w, const Input& input, const aoi::Interface& i, const aoi::Operation& op) {
  const std::string cls = cpp::skel_class(i),
                    local = cls.substr(cls.rfind("::") == cls.npos ? 0 : cls.rfind("::") + 2);
  bool receives = false, sends = !cpp::is_void(op.result);
  for (const aoi::Parameter& p : op.parameters) {
    receives = receives || p.mode != Mode::Out;
    sends = sends || p.mode != Mode::In;
  }
  const bool uses_call = receives || sends || !op.raises.empty();
  w.line("void {}::_skel_{}({}& _servant, corbel::cpp::Upcall&{}) {{", cls, op.name, local,
         uses_call ? " _call" : "");
  w.indent();
  Coder c(w, input, "corbel::cpp::bad_arguments();");
  if (receives) w.line("corbel::cdr::Decoder& in = _call.arguments();");
  std::string arguments;
  for (const aoi::Parameter& p : op.parameters) {
    const std::string a = argument(w, c, input, p);
    arguments += (arguments.empty() ? "" : ", ") + a;
  }
  if (!op.raises.empty()) {
    w.line("try {{");
    w.indent();
  }
  const std::string call = fmt::format("_servant.{}({})", cpp::method_name(op), arguments);
  const Passing result = pres::passing(op.result);
  if (cpp::is_void(op.result)) {
    w.line("{};", call);
  } else {
    const bool value = result == Passing::Value || result == Passing::FixedStruct;
    w.line("{} _result{} = {};", value ? cpp::stored_type(op.result) : var_type(op.result), "", call);
    if (result == Passing::String) w.line("if (!_result.in()) corbel::cpp::null_result();");
    else if (!value && result != Passing::Reference)
      w.line("if (!_result.ptr()) corbel::cpp::null_result();");
  }
  for (const aoi::Parameter& p : op.parameters) {
    const Passing how = pres::passing(p.type);
    if (p.mode == Mode::Out && how == Passing::String)
      w.line("if (!{}.in()) corbel::cpp::null_result();", cpp::identifier(p.name));
    if (p.mode == Mode::Out && (by_pointer(how) || how == Passing::VariableArray))
      w.line("if (!{}.ptr()) corbel::cpp::null_result();", cpp::identifier(p.name));
  }
  if (sends) {
    w.line("corbel::cdr::Encoder& out = _call.results();");
    if (!cpp::is_void(op.result))
      c.encode(result == Passing::Value || result == Passing::FixedStruct ? "_result" : "_result.in()",
               op.result);
    for (const aoi::Parameter& p : op.parameters) {
      if (p.mode == Mode::In) continue;
      const Passing how = pres::passing(p.type);
      const bool var = how == Passing::String || how == Passing::Reference ||
                       (p.mode == Mode::Out && (by_pointer(how) || how == Passing::VariableArray));
      c.encode(cpp::identifier(p.name) + (var ? ".in()" : ""), p.type);
    }
  }
  if (!op.raises.empty()) {
    w.outdent();
    w.line("}} catch (const CORBA::UserException& exception) {{");
    std::string ids;
    for (const aoi::Exception* e : op.raises)
      ids += (ids.empty() ? "" : ", ") + cpp::quoted(e->repository_id);
    w.line("  static constexpr const char* ids[] = {{{}}};", ids);
    w.line("  if (!corbel::cpp::reply_user_exception(_call, exception, ids, {})) throw;", op.raises.size());
    w.line("}}");
  }
  w.outdent();
  w.line("}}\n");
}

// Switches on the length of the operation's name, then on the eight octets that tell its candidates apart.
void dispatch(Writer& w, const aoi::Interface& i) {
  struct Target {
    std::string name, cls;
  };
  std::map<std::size_t, std::vector<Target>> by_length;
  const auto add = [&](const aoi::Interface& from) {
    for (const aoi::Operation& op : cpp::operations(from))
      by_length[op.name.size()].push_back({op.name, "::" + cpp::skel_class(from)});
  };
  for (const aoi::Interface* a : aoi::ancestors(i)) add(*a);
  add(i);
  w.line("void {}::_dispatch(corbel::cpp::Upcall& call) {{", cpp::skel_class(i));
  w.indent();
  if (!by_length.empty()) {
    w.line("const char* const name = call.operation();");
    w.line("switch (call.operation_length()) {{");
    for (const auto& [length, targets] : by_length) {
      w.line("  case {}:", length);
      const auto jump = [&](const Target& t, const std::string& indent) {
        w.line("{}if (corbel::cpp::same_name(name, {}, {})) return {}::_skel_{}(*this, call);", indent,
               cpp::quoted(t.name), length, t.cls, t.name);
      };
      std::size_t at = length;
      for (std::size_t k = 0; k < length && at == length && targets.size() > 1; ++k) {
        std::map<std::string, int> seen;
        for (const Target& t : targets) ++seen[t.name.substr(k, 8)];
        if (seen.size() == targets.size()) at = k;
      }
      if (at == length) {
        for (const Target& t : targets) jump(t, "    ");
      } else {
        const std::size_t n = std::min<std::size_t>(8, length - at);
        w.line("    switch (corbel::cpp::name_word(name + {}, {})) {{", at, n);
        for (const Target& t : targets) {
          w.line("      case corbel::cpp::name_word({}, {}):", cpp::quoted(t.name.substr(at, n)), n);
          jump(t, "        ");
          w.line("        break;");
        }
        w.line("    }}");
      }
      w.line("    break;");
    }
    w.line("}}");
  }
  w.line("unknown_operation(call);");
  w.outdent();
  w.line("}}\n");
}

}  // namespace

std::string stubs(const Input& input) {
  Writer w;
  each_interface(input.contract, [&](const aoi::Interface& i) {
    for (const aoi::Operation& op : cpp::operations(i)) stub(w, input, i, op);
  });
  return w.text();
}

std::string skeletons(const Input& input) {
  Writer w;
  each_interface(input.contract, [&](const aoi::Interface& i) {
    for (const aoi::Operation& op : cpp::operations(i)) skeleton(w, input, i, op);
    dispatch(w, i);
  });
  return w.text();
}

}  // namespace corbel::idl::compiled
