#include "compiler/driver/choices.h"

#include <map>
#include <string>

#include "compiler/presentations/cpp/presentation.h"

namespace corbel::idl {
namespace {

using compiled::Dispatch;
using interpretive::Style;

template <typename Choice>
using Names = std::map<std::string_view, Choice>;

const Names<Style> kStyles = {
    {"compiled", Style::Compiled}, {"interpretive", Style::Interpretive}, {"hybrid", Style::Hybrid}};

const Names<Dispatch> kDispatch = {{"active", Dispatch::Active},        {"linear", Dispatch::Linear},
                                   {"binary", Dispatch::Binary},        {"hash", Dispatch::Hash},
                                   {"perfect", Dispatch::Perfect},      {"words", Dispatch::Words},
                                   {"linear_search", Dispatch::Linear}, {"binary_search", Dispatch::Binary},
                                   {"dynamic_hash", Dispatch::Hash},    {"perfect_hash", Dispatch::Perfect}};

template <typename Choice>
std::optional<Choice> find(const Names<Choice>& names, std::string_view name) {
  const auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<Style> find_style(std::string_view name) { return find(kStyles, name); }
std::optional<Dispatch> find_dispatch(std::string_view name) { return find(kDispatch, name); }

void choose_by_annotations(const aoi::Contract& contract, interpretive::Styles& styles,
                           compiled::DispatchChoice& dispatch) {
  const auto add = [&](const std::string& scoped_name, const std::vector<aoi::Annotation>& all) {
    if (const aoi::Annotation* const a = aoi::find_standard(all, "corbel_stubs"))
      styles.scopes.emplace(scoped_name, *find_style(a->arguments[0].text));
    if (const aoi::Annotation* const a = aoi::find_standard(all, "corbel_dispatch"))
      dispatch.scopes.emplace(scoped_name, *find_dispatch(a->arguments[0].text));
  };
  cpp::for_each_declaration(contract, [&](const aoi::Decl& d) {
    for (const aoi::Decl* scope = &d; scope; scope = scope->scope)
      add(scope->scoped_name.substr(2), scope->annotations);
    if (d.kind != aoi::Decl::Kind::Interface) return;
    const std::string inside = d.scoped_name.substr(2) + "::";
    for (const auto& m : static_cast<const aoi::Interface&>(d).members) {
      if (const auto* const op = std::get_if<const aoi::Operation*>(&m))
        add(inside + (*op)->name, (*op)->annotations);
      if (const auto* const a = std::get_if<const aoi::Attribute*>(&m))
        for (const char* const access : {"_get_", "_set_"})
          add(inside + access + (*a)->name, (*a)->annotations);
    }
  });
}

}  // namespace corbel::idl
