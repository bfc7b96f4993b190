// Made by corbel-idl from hybrid.idl; do not edit.
#include "hybrid.stub.h"

#include <corbel/cpp/programs.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
namespace corbel::cpp::programs {
namespace {

constexpr Type _stubs_types[] = {
  {TypeOf<::Hybrid::Named>::put, TypeOf<::Hybrid::Named>::get, TypeOf<::Hybrid::Named>::construct,
      TypeOf<::Hybrid::Named>::destruct, nullptr, nullptr, sizeof(::Hybrid::Named)},
};

constexpr File<61> _stubs = {_stubs_types, nullptr, {
  // 0: Hybrid::Calls::ping
  CORBEL_W(0), Plain, 0, CORBEL_W(0), CORBEL_W(16), CORBEL_W(4), 'p', 'i', 'n', 'g', 0, End, End,
  // 17: Hybrid::Calls::look
  CORBEL_W(17), Streams, 0, CORBEL_W(0), CORBEL_W(50), CORBEL_W(4), 'l', 'o', 'o', 'k', 0, Pointer,
      CORBEL_W(8), CORBEL_L(0u), Base, CORBEL_W(16), Numbers4, CORBEL_W(0), CORBEL_L(0u), End, Make,
      CORBEL_W(0), CORBEL_W(0), Typed, CORBEL_W(0), CORBEL_W(0), End,
}};

}  // namespace
}  // namespace corbel::cpp::programs
#pragma GCC diagnostic pop

void Hybrid::Calls::ping() {
  corbel::cpp::programs::call(corbel::cpp::programs::target(this), corbel::cpp::programs::_stubs.octets + 0);
}

::Hybrid::Named* Hybrid::Calls::look(const char* name,
    const corbel::cpp::UnboundedSequence<CORBA::Long>& numbers) {
  return corbel::cpp::programs::from_word<::Hybrid::Named*>(corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::word(name), corbel::cpp::programs::word(&numbers),
      corbel::cpp::programs::_stubs.octets + 17));
}

namespace corbel::cdr {

void marshal(Encoder& out, const ::Hybrid::Named& value) {
  out.put_string(value.name);
  out.put<CORBA::Long>(value.number);
}

bool unmarshal(Decoder& in, ::Hybrid::Named& value) {
  if (!corbel::cpp::get_string(in, value.name)) return false;
  if (!in.get(value.number)) return false;
  return true;
}

}  // namespace corbel::cdr

Hybrid::Calls_ptr Hybrid::Calls::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Hybrid::Calls>(object);
}

Hybrid::Calls_ptr Hybrid::Calls::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Hybrid::Calls>(object);
}

template struct corbel::cpp::ObjectTraits<::Hybrid::Calls>;

void* Hybrid::Calls::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}
