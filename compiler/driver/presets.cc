#include "compiler/driver/presets.h"

#include <fmt/format.h>

#include <string_view>

#include "compiler/driver/translator.h"

namespace corbel::idl {

Translation translate(const std::vector<std::string>& arguments) {
  constexpr std::string_view option = "--preset", assigned = "--preset=";
  Translation result;
  std::vector<std::string> others;
  std::string preset;
  bool chosen = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    if (a == option && i + 1 < arguments.size()) preset = arguments[++i];
    else if (a.starts_with(assigned)) preset = a.substr(assigned.size());
    else {
      others.push_back(a);
      continue;
    }
    chosen = true;
  }
  if (!chosen) return {arguments, {}, {}};
  if (preset == "omniidl") translate_omniidl(others, result);
  else if (preset == "tao") translate_tao(others, result);
  else result.error = fmt::format("there is no preset '{}'; there are omniidl and tao", preset);
  return result;
}

std::string presets_with(const std::string& option) {
  std::string names;
  if (is_omniidl_option(option)) names = "--preset omniidl";
  if (is_tao_option(option)) names += names.empty() ? "--preset tao" : " or --preset tao";
  return names;
}

}  // namespace corbel::idl
