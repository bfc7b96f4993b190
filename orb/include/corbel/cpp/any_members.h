// What CORBA::ORB makes TypeCodes of (CORBA 3.4 part 1, "Creating TypeCodes").
//
// The members' type_def is not looked at. Its class is that of the interface repository's stubs.
#pragma once

#include <corbel/cpp/any.h>
#include <corbel/cpp/orb.h>
#include <corbel/cpp/sequence.h>

namespace CORBA {

typedef char* Identifier;
typedef char* RepositoryId;
typedef char* VersionSpec;
class IDLType;
typedef IDLType* IDLType_ptr;
typedef corbel::cpp::ObjectVar<IDLType> IDLType_var;
}  // namespace CORBA
extern template struct corbel::cpp::ObjectTraits<CORBA::IDLType>;

namespace CORBA {

struct StructMember {
  corbel::cpp::StringMember name;
  TypeCode_var type;
  IDLType_var type_def;
};
typedef corbel::cpp::VariableVar<StructMember> StructMember_var;
class [[gnu::visibility("default")]] StructMemberSeq : public corbel::cpp::UnboundedSequence<StructMember> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<StructMemberSeq> StructMemberSeq_var;

struct UnionMember {
  corbel::cpp::StringMember name;
  Any label;
  TypeCode_var type;
  IDLType_var type_def;
};
typedef corbel::cpp::VariableVar<UnionMember> UnionMember_var;
class [[gnu::visibility("default")]] UnionMemberSeq : public corbel::cpp::UnboundedSequence<UnionMember> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<UnionMemberSeq> UnionMemberSeq_var;

struct ValueMember {
  corbel::cpp::StringMember name;
  corbel::cpp::StringMember id;
  corbel::cpp::StringMember defined_in;
  corbel::cpp::StringMember version;
  TypeCode_var type;
  IDLType_var type_def;
  Visibility access = PRIVATE_MEMBER;
};
typedef corbel::cpp::VariableVar<ValueMember> ValueMember_var;
class [[gnu::visibility("default")]] ValueMemberSeq : public corbel::cpp::UnboundedSequence<ValueMember> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<ValueMemberSeq> ValueMemberSeq_var;

class [[gnu::visibility("default")]] EnumMemberSeq : public corbel::cpp::UnboundedStringSequence {
 public:
  using UnboundedStringSequence::UnboundedStringSequence;
};
typedef corbel::cpp::SequenceVar<EnumMemberSeq> EnumMemberSeq_var;

}  // namespace CORBA

namespace corbel::cdr {

[[gnu::visibility("default")]] void marshal(Encoder& out, const CORBA::StructMember& value);
[[gnu::visibility("default")]] bool unmarshal(Decoder& in, CORBA::StructMember& value);
[[gnu::visibility("default")]] void marshal(Encoder& out, const CORBA::StructMemberSeq& value);
[[gnu::visibility("default")]] bool unmarshal(Decoder& in, CORBA::StructMemberSeq& value);
[[gnu::visibility("default")]] void marshal(Encoder& out, const CORBA::UnionMember& value);
[[gnu::visibility("default")]] bool unmarshal(Decoder& in, CORBA::UnionMember& value);
[[gnu::visibility("default")]] void marshal(Encoder& out, const CORBA::UnionMemberSeq& value);
[[gnu::visibility("default")]] bool unmarshal(Decoder& in, CORBA::UnionMemberSeq& value);
[[gnu::visibility("default")]] void marshal(Encoder& out, const CORBA::ValueMember& value);
[[gnu::visibility("default")]] bool unmarshal(Decoder& in, CORBA::ValueMember& value);
[[gnu::visibility("default")]] void marshal(Encoder& out, const CORBA::ValueMemberSeq& value);
[[gnu::visibility("default")]] bool unmarshal(Decoder& in, CORBA::ValueMemberSeq& value);
[[gnu::visibility("default")]] void marshal(Encoder& out, const CORBA::EnumMemberSeq& value);
[[gnu::visibility("default")]] bool unmarshal(Decoder& in, CORBA::EnumMemberSeq& value);

}  // namespace corbel::cdr
