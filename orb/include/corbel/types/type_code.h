// What a TypeCode is made of (CORBA 3.4 part 1, "TypeCodes"), whatever the mapping.
//
// Generated code makes TypeCodes as constants: they need no initialisation, are never counted and live for
// ever. Those that come from a peer or from the ORB's create_ operations stand in a Block, with everything
// they refer to: one count for all, so that types that contain themselves are freed like any other.
// Immutable, so any thread may use them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

namespace corbel::types {

enum class Kind : std::uint32_t {
  Null,
  Void,
  Short,
  Long,
  UShort,
  ULong,
  Float,
  Double,
  Boolean,
  Char,
  Octet,
  Any,
  TypeCode,
  Principal,
  ObjRef,
  Struct,
  Union,
  Enum,
  String,
  Sequence,
  Array,
  Alias,
  Except,
  LongLong,
  ULongLong,
  LongDouble,
  WChar,
  WString,
  Fixed,
  Value,
  ValueBox,
  Native,
  AbstractInterface,
  LocalInterface,
  Component,
  Home,
  Event,
  // Never on the wire: an id that an outer type of that id is going to replace.
  Recursive = 0xfffffffe
};

struct TypeCode;

// A member of a struct, union, exception, enum (a name only) or value.
struct Member {
  const char* name;
  const TypeCode* type;
  std::int64_t label;       // union: the label's number; of several labels each is a member of its own
  std::int16_t visibility;  // value: 0 private, 1 public
};

class Block;
class Program;

struct TypeCode {
  Kind kind = Kind::Null;
  std::uint32_t length = 0;  // bound, length of an array, digits of a fixed
  std::int32_t special = 0;  // scale of a fixed, modifier of a value, index of a union's default or -1
  std::uint32_t member_count = 0;
  const char* id = "";
  const char* name = "";
  const TypeCode* content = nullptr;  // element, original type, boxed type, discriminator, concrete base
  const Member* members = nullptr;
  Block* block = nullptr;                    // null: a constant
  mutable const Program* program = nullptr;  // made when the first value of the type is met

  constexpr TypeCode() = default;
  constexpr TypeCode(Kind kind_, const char* id_, const char* name_, const TypeCode* content_,
                     const Member* members_, std::uint32_t count, std::uint32_t length_ = 0,
                     std::int32_t special_ = 0)
      : kind(kind_),
        length(length_),
        special(special_),
        member_count(count),
        id(id_),
        name(name_),
        content(content_),
        members(members_) {}
};

[[gnu::visibility("default")]] void retain(const TypeCode* type);
[[gnu::visibility("default")]] void release(const TypeCode* type);

// Without aliases in front.
[[gnu::visibility("default")]] const TypeCode* resolve(const TypeCode* type);
// "equal" compares everything, "equivalent" as the specification has it: without aliases, by repository id
// where both have one, without names.
[[gnu::visibility("default")]] bool equal(const TypeCode& a, const TypeCode& b);
[[gnu::visibility("default")]] bool equivalent(const TypeCode& a, const TypeCode& b);
// Whatever their names and ids are, values of them are the same octets.
[[gnu::visibility("default")]] bool same_layout(const TypeCode& a, const TypeCode& b);

// A copy in a block of its own, counted once; null when memory is exhausted. Recursive placeholders inside
// become the enclosing type of their id. `compact` leaves names out.
[[gnu::visibility("default")]] TypeCode* copy(const TypeCode& type, bool compact = false);
// Without placeholders.
[[gnu::visibility("default")]] bool is_complete(const TypeCode& type);
// Each value of it would contain another one.
[[gnu::visibility("default")]] bool is_endless(const TypeCode& type);

// CDR ("TypeCode" in "CDR Transfer Syntax").
[[gnu::visibility("default")]] void marshal(cdr::Encoder& out, const TypeCode& type);
// Null if malformed, too deep or too large, and the decoder has failed; else counted once.
[[gnu::visibility("default")]] TypeCode* unmarshal(cdr::Decoder& in);

// Steps over one value of the type, checking it as decoding would. False if malformed.
[[gnu::visibility("default")]] bool skip(cdr::Decoder& in, const TypeCode& type);
// Copies one value in host byte order and at the encoder's alignment. False if malformed.
[[gnu::visibility("default")]] bool transcode(cdr::Decoder& in, cdr::Encoder& out, const TypeCode& type);

// Supplied by the mapping: a TypeCode of its class at `place`, which has room for a TypeCode; and its
// constant of a kind without parameters, or of unbounded strings.
TypeCode* construct(void* place);
TypeCode& constant(Kind kind);

}  // namespace corbel::types
