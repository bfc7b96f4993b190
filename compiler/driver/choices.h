// How operations and types are marshaled, and operations found, as options and annotations of contracts say.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/aoi/aoi.h"
#include "compiler/driver/generate.h"

namespace corbel::idl {

// By the names that options and annotations have for them; nothing for others.
std::optional<interpretive::Style> find_style(std::string_view name);
// tao_idl's names, too.
std::optional<compiled::Dispatch> find_dispatch(std::string_view name);

// Adds what @corbel_stubs and @corbel_dispatch say of scopes of which nothing has been said.
void choose_by_annotations(const aoi::Contract& contract, interpretive::Styles& styles,
                           compiled::DispatchChoice& dispatch);

}  // namespace corbel::idl
