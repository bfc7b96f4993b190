// What annotations hold and where they may stand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/aoi/aoi.h"
#include "compiler/frontends/omg/constant_value.h"
#include "compiler/frontends/omg/scope.h"

namespace corbel::idl::omg {

// What an annotation can belong to. Sets of these are masks.
enum Place : std::uint32_t {
  kModule = 1U << 0,
  kInterface = 1U << 1,
  kConstant = 1U << 2,
  kStruct = 1U << 3,
  kUnion = 1U << 4,
  kException = 1U << 5,
  kEnum = 1U << 6,
  kBitmask = 1U << 7,
  kBitset = 1U << 8,
  kTypedef = 1U << 9,
  kValue = 1U << 10,
  kNative = 1U << 11,
  kComponent = 1U << 12,  // homes, connectors and port types, too
  kMember = 1U << 13,     // of a struct, an exception or a valuetype
  kUnionMember = 1U << 14,
  kDiscriminator = 1U << 15,
  kEnumerator = 1U << 16,
  kFlag = 1U << 17,
  kBitfield = 1U << 18,
  kOperation = 1U << 19,
  kAttribute = 1U << 20,
  kParameter = 1U << 21,
  kPort = 1U << 22,
  kFactory = 1U << 23,
  kElement = 1U << 24  // of a sequence or map
};
constexpr std::uint32_t kAnywhere = ~0U;

Place place_of(aoi::Decl::Kind kind);
std::string_view to_string(Place place);  // "a module"

struct AnnotationMember {
  std::string name;
  const aoi::Type* type = nullptr;  // null: any
  std::optional<aoi::Annotation::Argument> fallback;
};

struct AnnotationType {
  std::string name;  // scoped; of a standard one the name alone
  Span span;         // of one that the contract declares
  std::uint32_t places = kAnywhere;
  bool declared = false;  // by the contract, not by the standard
  bool refused = false;   // its declaration was: nothing is said of its uses
  std::vector<AnnotationMember> members;
  Scope scope;  // its enums and constants; arguments may use them without qualification
};

// An annotation as it was read, before it is known what it belongs to.
struct PendingAnnotation {
  aoi::Annotation annotation;
  const AnnotationType* type = nullptr;  // null: of no known type
  std::vector<ConstantValue> values;     // of the arguments that are there, in their order
};

// The annotation of this name that IDL 4.2, the DDS types or Corbel declare; nothing if there is none.
std::optional<AnnotationType> standard_annotation(std::string_view name, aoi::Contract& contract);

}  // namespace corbel::idl::omg
