// What DynStruct and DynValue, DynSequence and DynArray have in common: members and elements, all at once.
#pragma once

#include <cstring>

#include "orb/dynamic_any/dyn_any.h"
#include "orb/dynamic_any/written.h"

namespace corbel::dynamic_any {

// For i below `count`: name and type of a member, and what is passed for it.
inline void check_name(const char* given, const char* name) {
  if (*given != '\0' && std::strcmp(given, name) != 0) raise_type_mismatch();
}
inline void check(const CORBA::Any& value, const types::TypeCode& type) {
  if (!types::equivalent(value._corbel_type(), type)) raise_type_mismatch();
}
inline void check(DynamicAny::DynAny_ptr value, const types::TypeCode& type) {
  if (!value || !is_of_type(value, static_cast<const CORBA::TypeCode&>(type))) raise_type_mismatch();
}
inline void put_one(cdr::Encoder& out, const CORBA::Any& value) { value._corbel_marshal_value(out); }
inline void put_one(cdr::Encoder& out, DynamicAny::DynAny_ptr value) { put(out, value); }

// All or nothing; `begin` and `end` write what stands around.
template <typename Seq, typename Begin, typename Item, typename End>
void put_all(Node& node, const Seq& seq, Begin begin, Item item, End end) {
  Octets octets;
  const auto put = [&](cdr::Encoder& out) {
    begin(out);
    for (CORBA::ULong i = 0; i < seq.length() && !out.error(); ++i) put_one(out, item(seq[i]));
    end(out);
  };
  if (!try_written(put, octets) || !node.replace(octets)) raise_invalid_value();
}

inline const CORBA::Any& value_of(const DynamicAny::NameValuePair& pair) { return pair.value; }
inline DynamicAny::DynAny_ptr value_of(const DynamicAny::NameDynAnyPair& pair) { return pair.value.in(); }

template <typename Seq, typename Begin, typename End>
void put_members(Node& node, const Seq& seq, const types::Member* members, std::size_t count, Begin begin,
                 End end) {
  if (seq.length() != count) raise_invalid_value();
  for (CORBA::ULong i = 0; i < seq.length(); ++i) {
    check_name(seq[i].id.in(), members[i].name);
    check(value_of(seq[i]), *members[i].type);
  }
  put_all(
      node, seq, begin, [](const auto& pair) -> decltype(auto) { return value_of(pair); }, end);
}

inline DynamicAny::NameValuePairSeq* members_of(Node& node, const types::Member* members) {
  DynamicAny::NameValuePairSeq_var seq = new DynamicAny::NameValuePairSeq;
  seq->length(node.count());
  for (CORBA::ULong i = 0; i < seq->length(); ++i) {
    seq[i].id = members[i].name;
    node.part_to_any(i, seq[i].value);
  }
  return seq._retn();
}
inline DynamicAny::NameDynAnyPairSeq* dyn_members_of(Node& node, const types::Member* members) {
  DynamicAny::NameDynAnyPairSeq_var seq = new DynamicAny::NameDynAnyPairSeq;
  seq->length(node.count());
  for (CORBA::ULong i = 0; i < seq->length(); ++i) {
    seq[i].id = members[i].name;
    seq[i].value = dyn_any_of(node.part(i));
  }
  return seq._retn();
}
// The current one.
inline const types::Member& current(Node& node, const types::Member* members) {
  if (node.count() == 0) raise_type_mismatch();
  if (node.position() < 0) raise_invalid_value();
  return members[node.position()];
}
inline CORBA::TCKind kind_of(const types::TypeCode& type) {
  return static_cast<const CORBA::TypeCode&>(type).kind();
}

}  // namespace corbel::dynamic_any
