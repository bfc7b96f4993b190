// The interface repository's operations take and give what TypeCodes are made of.
#include <corbel/cpp/any_members.h>

namespace corbel::cdr {
namespace {

template <typename S>
void marshal_elements(Encoder& out, const S& value) {
  out.put<CORBA::ULong>(value.length());
  for (CORBA::ULong i = 0; i < value.length(); ++i) marshal(out, value.get_buffer()[i]);
}

template <typename S>
bool unmarshal_elements(Decoder& in, S& value, std::size_t least) {
  CORBA::ULong n;
  if (!in.get_length(n, least)) return false;
  auto* const v = value._corbel_overwrite(n);
  for (CORBA::ULong i = 0; i < n; ++i)
    if (!unmarshal(in, v[i])) return false;
  return true;
}

}  // namespace

void marshal(Encoder& out, const CORBA::StructMember& value) {
  out.put_string(value.name);
  marshal(out, value.type);
  corbel::cpp::put_object(out, value.type_def);
}

bool unmarshal(Decoder& in, CORBA::StructMember& value) {
  return corbel::cpp::get_string(in, value.name) && unmarshal(in, value.type) &&
         corbel::cpp::get_reference(in, value.type_def);
}

void marshal(Encoder& out, const CORBA::StructMemberSeq& value) { marshal_elements(out, value); }
bool unmarshal(Decoder& in, CORBA::StructMemberSeq& value) { return unmarshal_elements(in, value, 16); }

void marshal(Encoder& out, const CORBA::UnionMember& value) {
  out.put_string(value.name);
  marshal(out, value.label);
  marshal(out, value.type);
  corbel::cpp::put_object(out, value.type_def);
}

bool unmarshal(Decoder& in, CORBA::UnionMember& value) {
  return corbel::cpp::get_string(in, value.name) && unmarshal(in, value.label) && unmarshal(in, value.type) &&
         corbel::cpp::get_reference(in, value.type_def);
}

void marshal(Encoder& out, const CORBA::UnionMemberSeq& value) { marshal_elements(out, value); }
bool unmarshal(Decoder& in, CORBA::UnionMemberSeq& value) { return unmarshal_elements(in, value, 20); }

void marshal(Encoder& out, const CORBA::ValueMember& value) {
  out.put_string(value.name);
  out.put_string(value.id);
  out.put_string(value.defined_in);
  out.put_string(value.version);
  marshal(out, value.type);
  corbel::cpp::put_object(out, value.type_def);
  out.put<CORBA::Visibility>(value.access);
}

bool unmarshal(Decoder& in, CORBA::ValueMember& value) {
  return corbel::cpp::get_string(in, value.name) && corbel::cpp::get_string(in, value.id) &&
         corbel::cpp::get_string(in, value.defined_in) && corbel::cpp::get_string(in, value.version) &&
         unmarshal(in, value.type) && corbel::cpp::get_reference(in, value.type_def) && in.get(value.access);
}

void marshal(Encoder& out, const CORBA::ValueMemberSeq& value) { marshal_elements(out, value); }
bool unmarshal(Decoder& in, CORBA::ValueMemberSeq& value) { return unmarshal_elements(in, value, 34); }

void marshal(Encoder& out, const CORBA::EnumMemberSeq& value) {
  out.put<CORBA::ULong>(value.length());
  for (CORBA::ULong i = 0; i < value.length(); ++i) out.put_string(value[i]);
}

bool unmarshal(Decoder& in, CORBA::EnumMemberSeq& value) {
  CORBA::ULong n;
  if (!in.get_length(n, 5)) return false;
  auto* const v = value._corbel_overwrite(n);
  for (CORBA::ULong i = 0; i < n; ++i)
    if (!corbel::cpp::get_string(in, v[i])) return false;
  return true;
}

}  // namespace corbel::cdr
