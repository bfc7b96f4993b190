// What the papers' engine knows of a type, and how its values stand in memory: numbers as in C++, what has no
// fixed size behind a pointer.
#include <algorithm>

#include "original_values.h"

namespace original {
namespace {

// What peers say may mean any size.
constexpr std::uint64_t kMost = std::uint64_t{1} << 40;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMost / b ? kMost : std::min(a * b, kMost);
}

constexpr TypeCode kText(Kind::String, "", "", nullptr, nullptr, 0);
constexpr TypeCode kNumber(Kind::ULong, "", "", nullptr, nullptr, 0);
constexpr TypeCode kOctet(Kind::Octet, "", "", nullptr, nullptr, 0);
constexpr TypeCode kOctets(Kind::Sequence, "", "", &kOctet, nullptr, 0);
constexpr corbel::types::Member kProfileMembers[] = {{"", &kNumber, 0, 0}, {"", &kOctets, 0, 0}};
constexpr TypeCode kProfile(Kind::Struct, "", "", nullptr, kProfileMembers, 2);
constexpr TypeCode kProfiles(Kind::Sequence, "", "", &kProfile, nullptr, 0);
constexpr corbel::types::Member kReferenceMembers[] = {{"", &kText, 0, 0}, {"", &kProfiles, 0, 0}};
constexpr TypeCode kReference(Kind::Struct, "", "", nullptr, kReferenceMembers, 2);

std::uint8_t width_of(Kind kind) {
  switch (kind) {
    case Kind::Boolean:
    case Kind::Char:
    case Kind::Octet:
      return 1;
    case Kind::Short:
    case Kind::UShort:
      return 2;
    case Kind::Long:
    case Kind::ULong:
    case Kind::Float:
    case Kind::Enum:
      return 4;
    case Kind::LongLong:
    case Kind::ULongLong:
    case Kind::Double:
      return 8;
    case Kind::LongDouble:
      return 16;
    default:
      return 0;
  }
}

bool is_reference(Kind kind) { return kind == Kind::ObjRef || kind == Kind::Component || kind == Kind::Home; }

// As a label was before its sign was extended.
std::int64_t plain(std::int64_t label, const Type& discriminator) {
  const std::size_t width = discriminator.kind == Kind::Enum ? 0 : discriminator.width;
  return width == 0 || width >= 8 ? label : label & ((std::int64_t{1} << (width * 8)) - 1);
}

}  // namespace

const Type& Types::of(const TypeCode& code) {
  const TypeCode* const plain = corbel::types::resolve(&code);
  const TypeCode* const said = is_reference(plain->kind) ? &kReference : plain;
  if (const auto known = known_.find(said); known != known_.end()) return *known->second;
  Type& type = types_.emplace_back();
  known_.emplace(said, &type);
  type.code = said;
  type.kind = said->kind;
  type.length = said->length;
  type.cost = kMost;  // until it is known: what contains itself has no end
  make(type);
  return type;
}

void Types::make(Type& type) {
  const TypeCode& code = *type.code;
  type.width = width_of(type.kind);
  const auto is = [&type](std::size_t size, std::size_t alignment) {
    type.size = size;
    type.alignment = alignment;
    type.cost = size + 1;
  };
  if (type.width != 0) {
    is(type.width, std::min<std::size_t>(type.width, 8));
    type.nothing_to_free = true;
    return;
  }
  switch (type.kind) {
    case Kind::Null:
    case Kind::Void:
      type.empty = type.nothing_to_free = true;
      return is(0, 1);
    case Kind::Fixed:
      type.nothing_to_free = true;
      return is(code.length / 2 + 1, 1);
    case Kind::WChar:
      type.nothing_to_free = true;
      return is(sizeof(WideCharacter), alignof(WideCharacter));
    case Kind::Struct:
    case Kind::Except:
      return add_struct(type);
    case Kind::Union:
      return add_union(type);
    case Kind::Array:
      type.content = &of(*code.content);
      type.nothing_to_free = type.content->nothing_to_free;
      type.size = times(type.content->size, code.length);
      type.alignment = type.content->alignment;
      type.cost = std::min(kMost, 1 + times(type.content->cost, code.length));
      return;
    case Kind::Sequence:
      type.content = &of(*code.content);
      return is(sizeof(Sequence), alignof(Sequence));
    case Kind::WString:
      return is(sizeof(Sequence), alignof(Sequence));
    case Kind::AbstractInterface:
      type.content = &of(kReference);
      return is(type.content->size, type.content->alignment);
    default:  // behind a pointer, or refused
      return is(sizeof(char*), alignof(char*));
  }
}

void Types::add_struct(Type& type) {
  const TypeCode& code = *type.code;
  const bool except = type.kind == Kind::Except;
  std::size_t at = except ? sizeof(char) : 0;  // whether its id is said
  std::uint64_t cost = 1 + at;
  type.nothing_to_free = true;
  for (std::uint32_t i = 0; i < code.member_count; ++i) {
    const Type& member = of(*code.members[i].type);
    if (member.empty) continue;
    at = aligned(at, member.alignment);
    type.members.push_back({&member, 0, at});
    at = std::min<std::uint64_t>(at + member.size, kMost);
    cost = std::min(kMost, cost + member.cost);
    type.alignment = std::max(type.alignment, member.alignment);
    if (!member.nothing_to_free) type.nothing_to_free = false;
  }
  type.size = aligned(at, type.alignment);
  type.cost = std::min(kMost, cost + type.alignment);
  type.empty = type.members.empty() && !except;
}

void Types::add_union(Type& type) {
  const TypeCode& code = *type.code;
  type.content = &of(*code.content);
  for (std::uint32_t i = 0; i < code.member_count; ++i) {
    const Type& branch = of(*code.members[i].type);
    if (static_cast<std::int32_t>(i) == code.special) type.fallback = &branch;
    else type.members.push_back({&branch, plain(code.members[i].label, *type.content), 0});
  }
  type.size = sizeof(Choice);
  type.alignment = alignof(Choice);
  type.cost = type.size + 1;
}

}  // namespace original
