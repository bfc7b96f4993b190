// What CORBA::ORB makes TypeCodes of (CORBA 3.4 part 1, "Creating TypeCodes").
//
// There is no interface repository: the members' type_def is not looked at.
#pragma once

#include <corbel/cpp/any.h>
#include <corbel/cpp/orb.h>
#include <corbel/cpp/sequence.h>

namespace CORBA {

typedef char* Identifier;
typedef char* RepositoryId;
typedef char* VersionSpec;
typedef Object IDLType;
typedef Object_ptr IDLType_ptr;
typedef Object_var IDLType_var;

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
