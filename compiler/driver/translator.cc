#include "compiler/driver/translator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/driver/nearest.h"

namespace corbel::idl {
namespace {

// The text before the next separator, which is taken off `rest` with it.
std::string_view next_word(std::string_view& rest, char separator) {
  const std::string_view word = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  return word;
}

}  // namespace

const ForeignOption* Translator::find(ForeignOptions options, std::string_view name) {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const ForeignOption& o) { return o.name == name; });
  return found == options.end() ? nullptr : &*found;
}

void Translator::fail(std::string why) {
  if (!failed()) result_.error = std::move(why);
}

void Translator::unknown(const std::string& option, ForeignOptions options) {
  std::vector<std::string> known;
  for (const ForeignOption& o : options) known.emplace_back(o.name);
  const std::string meant = nearest(option, known);
  fail(fmt::format("{} has no option '{}'{}", program_, option,
                   meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant)));
}

void Translator::use(const ForeignOption& option, const std::string& value, const std::string& spelling) {
  if (!option.missing.empty()) result_.notes.push_back(fmt::format("{}: {}", spelling, option.missing));
  for (std::string_view rest = option.own; !rest.empty();) {
    const std::string word(next_word(rest, ' '));
    if (word.ends_with('=')) {
      add(word + value);
    } else {
      add(word);
      if (word.size() == 2 && option.takes_value) add(value);
    }
  }
}

void Translator::use_list(std::string_view list, ForeignOptions options, const std::string& prefix) {
  while (!list.empty() && !failed()) {
    const std::string item(next_word(list, ','));
    if (item.empty()) continue;
    const auto equals = item.find('=');
    std::string name = item.substr(0, equals);
    // Both spellings are understood by those who have such names.
    std::replace(name.begin(), name.end(), '-', '_');
    const ForeignOption* const option = find(options, name);
    if (!option) unknown(item.substr(0, equals), options);
    else use(*option, equals == item.npos ? "" : item.substr(equals + 1), prefix + item);
  }
}

void Translator::use_preprocessor_list(std::string_view list) {
  while (!list.empty()) {
    const std::string item(next_word(list, ','));
    const bool known = item.starts_with("-D") || item.starts_with("-I") || item.starts_with("-U");
    if (known && item.size() > 2) add(item);
    else if (!item.empty())
      result_.notes.push_back(fmt::format("{}: not an option of this preprocessor", item));
  }
}

std::string Translator::value(const std::vector<std::string>& arguments, std::size_t& i,
                              std::string_view rest) {
  if (!rest.empty()) return std::string(rest);
  if (i + 1 < arguments.size()) return arguments[++i];
  fail(fmt::format("{} needs a value", arguments[i]));
  return {};
}

bool Translator::pass_own(const std::vector<std::string>& arguments, std::size_t& i) {
  const std::string& a = arguments[i];
  const bool has_value = a == "-MF" || a == "-MT";
  if (a.size() > 1 && a[0] == '-' && a[1] != '-' && a[1] != 'M') return false;
  add(a);
  if (has_value && i + 1 < arguments.size()) add(arguments[++i]);
  return true;
}

}  // namespace corbel::idl
