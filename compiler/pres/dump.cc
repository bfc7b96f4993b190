#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/pres/pres.h"

namespace corbel::idl::pres {
namespace {

constexpr std::string_view kPassing[] = {"value",   "reference", "fixed-struct", "variable-struct",
                                         "string",  "sequence",  "fixed-array",  "variable-array",
                                         "wstring", "valuetype"};
constexpr std::string_view kConversion[] = {"none",      "copy",     "check",   "text",
                                            "reference", "elements", "members", "functions"};
constexpr std::string_view kOwnership[] = {"held", "lent", "filled", "replaced", "given"};
constexpr std::string_view kMode[] = {"in", "out", "inout"};

// Target type, MINT node, conversion, ownership.
std::string tie(const Type& t, Ownership ownership) {
  std::string text = t.target;
  for (const auto d : t.dimensions) text += fmt::format("[{}]", d);
  return fmt::format("{} = %{}, {}, {}", text, t.message, kConversion[static_cast<int>(t.conversion)],
                     kOwnership[static_cast<int>(ownership)]);
}

void dump(std::string& out, const Operation& op) {
  out += fmt::format("  operation {} -> {}({}), request %{}", op.name, op.method, op.parameters, op.request);
  out += op.oneway ? ", oneway\n" : fmt::format(", reply %{}\n", op.reply);
  if (op.result_type->conversion != Conversion::None)
    out += fmt::format("    result {}: {}\n", op.result,
                       tie(*op.result_type, result_ownership(op.result_type->passing)));
  for (const Parameter& p : op.arguments)
    out += fmt::format("    {} {}: {}\n", kMode[static_cast<int>(p.mode)], p.name, tie(*p.type, p.ownership));
  for (const Declaration* e : op.raises)
    out += fmt::format("    raises {} = %{}\n", e->target, e->type->message);
}

void dump(std::string& out, const Declaration& d) {
  if (d.interface) {
    out += fmt::format("{} -> {}, skeleton {}\n", d.decl->scoped_name, d.target, d.interface->skeleton);
    for (const Interface* a : d.interface->ancestors) out += fmt::format("  is a {}\n", a->target);
    for (const Operation& op : d.interface->operations) dump(out, op);
    return;
  }
  out += fmt::format("{} -> {}", d.decl->scoped_name, d.target);
  if (d.type)
    out += fmt::format(
        " = %{}, {}, {}, held by {}{}", d.type->message, kConversion[static_cast<int>(d.type->conversion)],
        kPassing[static_cast<int>(d.type->passing)], d.type->holder, d.type->functions ? ", functions" : "");
  out += '\n';
  if (d.type && d.type->element && !d.discriminator)
    out += fmt::format("  element: {}\n", tie(*d.type->element, Ownership::Held));
  for (const Member& m : d.members) out += fmt::format("  {}: {}\n", m.name, tie(*m.type, Ownership::Held));
  if (d.discriminator) out += fmt::format("  switch _d: {}\n", tie(*d.discriminator, Ownership::Held));
  for (const Case& c : d.cases)
    out += fmt::format("  case {}{}{}: {}: {}\n", fmt::join(c.labels, ", "),
                       c.is_default && !c.labels.empty() ? ", " : "", c.is_default ? "default" : "",
                       c.member.name, tie(*c.member.type, Ownership::Held));
}

}  // namespace

std::string dump(const Presentation& presentation) {
  std::string out;
  for (const Declaration* d : presentation.declarations) dump(out, *d);
  return out;
}

}  // namespace corbel::idl::pres
