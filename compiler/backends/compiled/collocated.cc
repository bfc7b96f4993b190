#include "compiler/backends/compiled/collocated.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace corbel::idl::compiled {
namespace {

using Mode = aoi::Parameter::Mode;
using mint::Kind;
using pres::Passing;

class Ways {
 public:
  explicit Ways(const Input& input) : in_(input) {}

  // Neither side can tell whether its values have been marshaled: what is copied, or looked at by the other
  // side alone, and has no value that marshaling refuses, but for null pointers.
  bool has(const pres::Interface& interface, const pres::Operation& op) const {
    if (interface.abstract || interface.local || op.oneway || !op.contexts.empty()) return false;
    return result(*op.result_type) &&
           std::all_of(op.arguments.begin(), op.arguments.end(),
                       [&](const pres::Parameter& p) { return parameter(p); }) &&
           std::all_of(op.raises.begin(), op.raises.end(), [&](const pres::Declaration* e) {
             return std::all_of(e->members.begin(), e->members.end(),
                                [&](const pres::Member& m) { return plain(*m.type) || text(*m.type); });
           });
  }
  bool in_all(const pres::Interface& interface, const Done& done) const {
    return std::none_of(interface.operations.begin(), interface.operations.end(), [&](const auto& op) {
      return done.operations.count(&op) != 0 && has(interface, op);
    });
  }

 private:
  bool parameter(const pres::Parameter& p) const {
    const pres::Type& t = *p.type;
    if (plain(t)) return true;
    if (p.mode == Mode::InOut) return false;
    return text(t) || run(t) || (p.mode == Mode::In && t.passing == Passing::Reference && reference(t));
  }
  bool result(const pres::Type& t) const {
    return t.conversion == pres::Conversion::None || plain(t) || text(t) || run(t) ||
           (t.passing == Passing::Reference && reference(t));
  }
  const mint::Node& node(const pres::Type& t) const { return in_.graph[t.message]; }
  bool number(const pres::Type& t) const {
    switch (node(t).kind) {
      case Kind::Boolean:
      case Kind::Char:
      case Kind::Octet:
      case Kind::Integer:
      case Kind::Float:
        return t.passing == Passing::Value;
      default:
        return false;
    }
  }
  bool plain(const pres::Type& t) const {
    if (number(t)) return true;
    if (t.passing != Passing::FixedStruct || node(t).kind != Kind::Struct || !t.declaration) return false;
    if (const auto known = plain_.find(t.declaration); known != plain_.end()) return known->second;
    const bool all = std::all_of(t.declaration->members.begin(), t.declaration->members.end(),
                                 [&](const pres::Member& m) { return plain(*m.type); });
    return plain_[t.declaration] = all;
  }
  bool text(const pres::Type& t) const {
    return t.passing == Passing::String && node(t).kind == Kind::String && node(t).bound == 0;
  }
  bool run(const pres::Type& t) const {
    return t.passing == Passing::Sequence && node(t).kind == Kind::Sequence && node(t).bound == 0 &&
           t.element && number(*t.element);
  }
  bool reference(const pres::Type& t) const { return node(t).kind == Kind::Reference && !t.undefined; }

  const Input& in_;
  mutable std::map<const pres::Declaration*, bool> plain_;  // each structure is looked at once
};

// As the stub and the skeleton both say it.
std::string function_type(const pres::Interface& interface, const pres::Operation& op,
                          const std::string& name) {
  return fmt::format("{} {}({}& _stub, {}{}corbel::cpp::Collocated& _target)", op.result, name,
                     interface.target, op.parameters, op.parameters.empty() ? "" : ", ");
}

std::string names_of(const pres::Operation& op) {
  std::string names;
  for (const pres::Parameter& p : op.arguments) names += (names.empty() ? "" : ", ") + p.name;
  return names;
}

std::string flat(std::string qualified) {
  std::string name;
  for (const char c : qualified)
    if (c != ':') name += c;
    else if (!name.empty() && name.back() != '_') name += '_';
  return name;
}

std::string function_name(const pres::Interface& interface, const pres::Operation& op) {
  return "collocated_" + flat(interface.skeleton) + "_" + op.name;
}

// What calls the servant: as a skeleton does, so that what it gives is checked and the caller's variables are
// changed by calls that succeed only.
void servant_call(Writer& w, const pres::Interface& interface, const pres::Operation& op) {
  const pres::Type& result = *op.result_type;
  const bool value = result.passing == Passing::Value || result.passing == Passing::FixedStruct;
  std::string arguments;
  bool stores = false;
  for (const pres::Parameter& p : op.arguments) {
    std::string argument = p.name;
    if (p.mode != Mode::In) {
      stores = true;
      const bool given = p.ownership == pres::Ownership::Given;
      argument = "_" + p.local + "_out";
      if (given) w.line("{} {};", p.type->holder, argument);
      else
        w.line("{} {}{};", p.type->target, argument,
               p.mode == Mode::InOut ? " = " + p.name : std::string("{}"));
      if (given) argument += ".out()";
    }
    arguments += (arguments.empty() ? "" : ", ") + argument;
  }
  const std::string call =
      fmt::format("static_cast<{}*>(_skeleton)->{}({})", interface.skeleton, op.method, arguments);
  const bool none = result.conversion == pres::Conversion::None;
  const bool object = result.passing == Passing::Reference;
  if (!stores && (none || value || object)) {
    if (none) return w.line("{};", call);
    return w.line("return {};", object ? "corbel::cpp::received(" + call + ")" : call);
  }
  if (none) w.line("{};", call);
  else if (value) w.line("const {} _result = {};", op.result, call);
  else w.line("{} _result = {};", result.holder, object ? "corbel::cpp::received(" + call + ")" : call);
  if (!none && !value && !object)
    w.line("if (!_result.{}()) corbel::cpp::null_result();",
           result.passing == Passing::String ? "in" : "ptr");
  for (const pres::Parameter& p : op.arguments)
    if (p.ownership == pres::Ownership::Given)
      w.line("if (!_{}_out.{}()) corbel::cpp::null_result();", p.local,
             p.type->passing == Passing::String ? "in" : "ptr");
  for (const pres::Parameter& p : op.arguments) {
    if (p.mode == Mode::In) continue;
    w.line("{} = _{}_out{};", p.name, p.local, p.ownership == pres::Ownership::Given ? "._retn()" : "");
  }
  if (!none) w.line(value ? "return _result;" : "return _result._retn();");
}

void print_function(Writer& w, const pres::Interface& interface, const pres::Operation& op) {
  const std::string name = function_name(interface, op), call = "call_" + name;
  w.open("inline {} {}(void* _skeleton{}{}) {{", op.result, call, op.parameters.empty() ? "" : ", ",
         op.parameters);
  servant_call(w, interface, op);
  w.close("}\n");
  w.open("{} {{", function_type(interface, op, name));
  std::string raises = "{nullptr, 0}";
  if (!op.raises.empty()) {
    std::string ids;
    for (const pres::Declaration* e : op.raises)
      ids += (ids.empty() ? "" : ", ") + quoted(e->decl->repository_id);
    w.line("static constexpr const char* _ids[] = {{{}}};", ids);
    raises = fmt::format("{{_ids, {}}}", op.raises.size());
  }
  w.line("static constexpr corbel::cpp::Raises _raises{};", raises);
  const std::string names = names_of(op);
  w.line("return corbel::cpp::call_collocated(_target, _raises, {}, &{}::{}, _stub{}{});", call,
         interface.target, op.method, names.empty() ? "" : ", ", names);
  w.close("}\n");
}

}  // namespace

bool print_collocated_call(Writer& w, const Input& input, const pres::Interface& interface,
                           const pres::Operation& op, std::size_t index, const Done& done) {
  const Ways ways(input);
  if (!ways.has(interface, op) || !ways.in_all(interface, done)) return false;
  w.open("if (const auto _found = _corbel_collocated.may_be()) {{");
  w.line(
      "auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);");
  std::string test = "_target";
  for (const pres::Parameter& p : op.arguments) {
    if (p.mode != Mode::In) continue;
    if (p.type->passing == Passing::String) test += " && " + p.name;
    if (p.type->passing == Passing::Reference)
      test += fmt::format(" && corbel::cpp::travels_as_it_is({}, *this)", p.name);
  }
  const std::string names = names_of(op);
  w.line("if ({})", test);
  w.line("  return reinterpret_cast<{}>(_target->functions[{}])(*this, {}{}*_target);",
         function_type(interface, op, "(*)"), index, names, names.empty() ? "" : ", ");
  w.close();
  return true;
}

void print_collocated_functions(Writer& w, const Input& input, const pres::Interface& interface,
                                const Done& done) {
  const Ways ways(input);
  std::string functions;
  if (ways.in_all(interface, done)) {
    for (const pres::Operation& op : interface.operations)
      if (ways.has(interface, op)) functions = "_functions";
  }
  if (!functions.empty()) {
    w.line("namespace {{");
    for (const pres::Operation& op : interface.operations)
      if (ways.has(interface, op)) print_function(w, interface, op);
    w.line("}}  // namespace\n");
  }
  w.open("corbel::core::CollocatedServant {}::_corbel_collocated(const char* interface) {{",
         interface.skeleton.substr(2));
  if (!functions.empty()) {
    w.open("static const corbel::core::CollocatedFunction _functions[] = {{");
    for (const pres::Operation& op : interface.operations)
      w.line("{},", ways.has(interface, op)
                        ? fmt::format("reinterpret_cast<corbel::core::CollocatedFunction>(&{})",
                                      function_name(interface, op))
                        : "nullptr");
    w.close("};");
    w.line("if (corbel::cpp::same_id(interface, {}::_corbel_id)) return {{this, _functions}};",
           interface.target);
  }
  for (const pres::Interface* a : interface.ancestors) {
    if (a->local) continue;
    w.line("if (const auto way = {}::_corbel_collocated(interface); way.functions) return way;", a->skeleton);
  }
  w.line("return PortableServer::ServantBase::_corbel_collocated(interface);");
  w.close("}\n");
}

}  // namespace corbel::idl::compiled
