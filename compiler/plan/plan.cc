#include "compiler/plan/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace corbel::idl::plan {

std::string dump(const Plan& plan) {
  static constexpr std::string_view kStorage[] = {"fixed", "bounded", "unbounded"};
  std::string out;
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    const Part& p = plan.parts[i];
    out +=
        fmt::format("%{} {} align {} least {}", i, kStorage[static_cast<int>(p.storage)], p.align, p.least);
    if (p.storage == Storage::Fixed)
      out += fmt::format(" size {} end {} host {}/{}", fmt::join(p.size, ","), fmt::join(p.end, ","),
                         p.host_size, p.host_align);
    if (p.same_as_host) out += " same-as-host";
    else if (p.encodes_as_host) out += " encodes-as-host";
    out += '\n';
  }
  return out;
}

}  // namespace corbel::idl::plan
