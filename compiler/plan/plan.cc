#include "compiler/plan/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace corbel::idl::plan {
namespace {

// One number where all eight states agree.
template <typename T>
std::string by_state(const std::array<T, 8>& values) {
  const bool same = std::all_of(values.begin(), values.end(), [&](T v) { return v == values[0]; });
  return same ? fmt::format("{}", values[0]) : fmt::format("{}", fmt::join(values, ","));
}

}  // namespace

std::string dump(const Plan& plan, const mint::Graph& graph) {
  static constexpr std::string_view kStorage[] = {"fixed", "bounded", "unbounded"};
  std::string out = "sizes and end states are those from offsets 0 to 7 mod 8\n";
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    const Part& p = plan.parts[i];
    const std::string& name = graph.nodes[i].name;
    out += fmt::format("%{} {}{}{}", i, name, name.empty() ? "" : " ", kStorage[static_cast<int>(p.storage)]);
    if (p.storage == Storage::Fixed) out += fmt::format(" size {} end {}", by_state(p.size), by_state(p.end));
    else out += fmt::format(" least {}", p.least);
    if (p.storage == Storage::Bounded) out += fmt::format(" most {}", by_state(p.most));
    out += fmt::format(" align {}", p.align);
    if (p.storage == Storage::Fixed && p.host_size != 0)
      out += fmt::format(" host {}/{}", p.host_size, p.host_align);
    if (p.same_as_host) out += " same-as-host";
    else if (p.encodes_as_host) out += " encodes-as-host";
    out += '\n';
    for (const Step& s : p.steps) {
      if (s.leaves.empty()) {
        out += fmt::format("  member {}\n", s.member);
        continue;
      }
      out += fmt::format("  chunk align {} size {}:", s.align, s.size);
      for (const Leaf& l : s.leaves) out += fmt::format(" {}@{}", fmt::join(l.path, "."), l.offset);
      out += '\n';
    }
  }
  for (const mint::Message& m : graph.messages) out += fmt::format("message {} = %{}\n", m.name, m.type);
  return out;
}

}  // namespace corbel::idl::plan
