// The annotations of IDL 4.2, "Standardized Annotations", those of the types of DDS, and our own.
#include <algorithm>
#include <array>

#include "compiler/frontends/omg/annotation_type.h"

namespace corbel::idl::omg {
namespace {

enum class Kind { None, Boolean, UShort, ULong, String, Any, Word };

struct Member {
  std::string_view name;
  Kind kind = Kind::None;
  const char* fallback = nullptr;  // null: it must be given
};

struct Standard {
  std::string_view name;
  std::uint32_t places;
  std::array<Member, 3> members = {};
  std::string_view words = {};  // of the enum that its members of Kind::Word have
};

constexpr std::uint32_t kMembers = kMember | kUnionMember;
constexpr std::uint32_t kConstructed = kStruct | kUnion | kException | kEnum | kBitmask | kBitset | kValue;
constexpr std::uint32_t kExtensible = kConstructed | kInterface;
constexpr std::uint32_t kTypes = kConstructed | kTypedef;
constexpr std::uint32_t kCalls = kOperation | kAttribute | kParameter;
constexpr std::uint32_t kHolders = kMembers | kTypedef | kAttribute | kParameter;
constexpr std::uint32_t kMeasured = kHolders | kOperation | kElement | kDiscriminator | kBitfield;

constexpr Member kFlagMember{"value", Kind::Boolean, "TRUE"};
constexpr Member kValueMember{"value", Kind::Any};

constexpr auto kStandard = std::to_array<Standard>({
    // General purpose
    {"id", kMembers | kCalls, {{{"value", Kind::ULong}}}},
    {"autoid",
     kModule | kInterface | kStruct | kUnion | kException | kValue,
     {{{"value", Kind::Word, "HASH"}}},
     "SEQUENTIAL HASH"},
    {"optional", kMembers | kAttribute | kParameter, {{kFlagMember}}},
    {"position", kFlag, {{{"value", Kind::UShort}}}},
    {"value", kEnumerator, {{kValueMember}}},
    {"extensibility", kExtensible, {{{"kind", Kind::Word}}}, "FINAL APPENDABLE MUTABLE"},
    {"final", kExtensible},
    {"appendable", kExtensible},
    {"mutable", kExtensible},
    // Data modeling
    {"key", kMembers | kDiscriminator | kAttribute, {{kFlagMember}}},
    {"must_understand", kMembers | kDiscriminator | kParameter, {{kFlagMember}}},
    {"default_literal", kEnumerator},
    // Units and ranges
    {"default", kHolders, {{kValueMember}}},
    {"range", kMeasured, {{{"min", Kind::Any}, {"max", Kind::Any}}}},
    {"min", kMeasured, {{kValueMember}}},
    {"max", kMeasured, {{kValueMember}}},
    {"unit", kMeasured | kConstant, {{{"value", Kind::String}}}},
    // Data implementation
    {"bit_bound", kEnum | kBitmask, {{{"value", Kind::UShort}}}},
    {"external", kMembers | kElement, {{kFlagMember}}},
    {"nested", kTypes, {{kFlagMember}}},
    // Code generation
    {"verbatim",
     kAnywhere,
     {{{"language", Kind::String, "*"},
       {"placement", Kind::Word, "BEFORE_DECLARATION"},
       {"text", Kind::String}}},
     "BEGIN_FILE BEFORE_DECLARATION BEGIN_DECLARATION END_DECLARATION AFTER_DECLARATION END_FILE"},
    // Interfaces
    {"service", kInterface | kModule, {{{"platform", Kind::String, "*"}}}},
    {"oneway", kOperation, {{kFlagMember}}},
    {"ami", kModule | kInterface | kOperation | kAttribute, {{kFlagMember}}},
    // The types of DDS
    {"hashid", kMembers | kInterface | kCalls, {{{"value", Kind::String, ""}}}},
    {"default_nested", kModule, {{kFlagMember}}},
    {"ignore_literal_names", kEnum, {{kFlagMember}}},
    {"try_construct",
     kTypes | kMembers | kDiscriminator | kElement,
     {{{"value", Kind::Word, "USE_DEFAULT"}}},
     "DISCARD USE_DEFAULT TRIM"},
    {"non_serialized", kMember, {{kFlagMember}}},
    {"data_representation", kTypes | kModule, {{{"allowed_kinds", Kind::ULong}}}, "XCDR1 XML XCDR2"},
    {"topic", kTypes, {{{"name", Kind::String, ""}, {"platform", Kind::String, "*"}}}},
    // Corbel: as its options --stubs and --dispatch
    {"corbel_stubs",
     kModule | kInterface | kStruct | kUnion | kException | kTypedef | kOperation | kAttribute,
     {{{"value", Kind::Word}}},
     "compiled interpretive hybrid"},
    {"corbel_dispatch",
     kModule | kInterface,
     {{{"value", Kind::Word}}},
     "words active perfect hash binary linear"},
});

const aoi::Type* make_type(Kind kind, aoi::Contract& contract) {
  if (kind == Kind::Any) return nullptr;
  auto* const t = contract.make<aoi::Type>();
  t->kind = kind == Kind::String ? aoi::Type::Kind::String : aoi::Type::Kind::Basic;
  t->basic = kind == Kind::Boolean  ? aoi::Basic::Boolean
             : kind == Kind::UShort ? aoi::Basic::UShort
                                    : aoi::Basic::ULong;
  return t;
}

std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> all;
  while (!words.empty()) {
    const auto space = std::min(words.find(' '), words.size());
    all.emplace_back(words.substr(0, space));
    words.remove_prefix(std::min(space + 1, words.size()));
  }
  return all;
}

// The enum of the words, and their names in the scope.
const aoi::Enum* make_enum(const Standard& s, Scope& scope, aoi::Contract& contract) {
  auto* const e = contract.make<aoi::Enum>();
  e->name = s.name;
  for (const std::string& word : split(s.words)) {
    const auto ordinal = static_cast<std::uint32_t>(e->enumerators.size());
    aoi::Enum::Enumerator& item = e->enumerators.emplace_back();
    item.name = word;
    item.value = ordinal;
    item.number = ordinal;
    scope.symbols[lower(word)] = {Symbol::Kind::Enumerator, word, {}, e, ordinal};
  }
  return e;
}

// Where members are masks, the words are their bits.
void make_bits(const Standard& s, const aoi::Type* type, Scope& scope, aoi::Contract& contract) {
  std::int64_t bit = 1;
  for (const std::string& word : split(s.words)) {
    auto* const c = contract.make<aoi::Constant>();
    c->name = word;
    c->type = type;
    c->value = bit;
    bit *= 2;
    scope.symbols[lower(word)] = {Symbol::Kind::Declaration, word, {}, c, 0};
  }
}

aoi::Annotation::Argument fallback_of(const Member& member, const aoi::Enum* words) {
  aoi::Annotation::Argument a{std::string(member.name), member.fallback, {}};
  if (member.kind == Kind::Boolean) {
    a.value = true;
  } else if (member.kind == Kind::String) {
    a.value = std::string(member.fallback);
    a.text = '"' + a.text + '"';
  } else {
    for (const auto& item : words->enumerators)
      if (item.name == member.fallback) a.value = item.number;
  }
  return a;
}

}  // namespace

std::optional<AnnotationType> standard_annotation(std::string_view name, aoi::Contract& contract) {
  const auto s = std::find_if(kStandard.begin(), kStandard.end(),
                              [&](const Standard& candidate) { return candidate.name == name; });
  if (s == kStandard.end()) return std::nullopt;
  AnnotationType type;
  type.name = name;
  type.places = s->places;
  const bool bits = !s->words.empty() && s->members[0].kind == Kind::ULong;
  const aoi::Enum* const words = s->words.empty() || bits ? nullptr : make_enum(*s, type.scope, contract);
  for (const Member& m : s->members) {
    if (m.kind == Kind::None) break;
    AnnotationMember& member = type.members.emplace_back();
    member.name = m.name;
    if (m.kind == Kind::Word) {
      auto* const t = contract.make<aoi::Type>();
      t->kind = aoi::Type::Kind::Named;
      t->decl = words;
      member.type = t;
    } else {
      member.type = make_type(m.kind, contract);
    }
    if (bits) make_bits(*s, member.type, type.scope, contract);
    if (m.fallback) member.fallback = fallback_of(m, words);
  }
  return type;
}

}  // namespace corbel::idl::omg
