// PRES: ties each declaration of the contract to its form in the target language.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/aoi/aoi.h"
#include "compiler/mint/mint.h"

namespace corbel::idl::pres {

// How a value is passed and who owns its memory; decided by the type behind all typedefs.
enum class Passing : std::uint8_t {
  Value,
  Reference,
  FixedStruct,
  VariableStruct,
  String,
  Sequence,
  FixedArray,
  VariableArray
};

struct Declaration {
  const aoi::Decl* decl = nullptr;
  std::string target;  // "::M::S"
  mint::Id message = 0;
  Passing passing = Passing::Value;
};

// The complete list of the main file's declarations of types, interfaces and exceptions, in order.
struct Presentation {
  std::vector<Declaration> declarations;
};

Passing passing(const aoi::Type* type);
// Holds memory beyond its own bytes.
bool is_variable(const aoi::Type* type);

std::string dump(const Presentation& presentation);

}  // namespace corbel::idl::pres
