// Made by corbel-idl from ignored-annotation.idl; do not edit.
#include "ignored-annotation.stub.h"

namespace corbel::cdr {

void marshal(Encoder& out, const ::Defaults& value) {
  char* to = out.chunk<2>(4);
  store<::Same>(to, value.a);
  store<::Eight>(to + 2, value.b);
  to = out.chunk<4>(8);
  store<CORBA::ULong>(to, value.c);
  store<CORBA::ULong>(to + 4, value.d);
  out.put_string(value.e);
  out.put_boolean(value.f);
  to = out.chunk<8>(9);
  store<CORBA::Double>(to, value.g);
  out.store_char(to + 8, value.h);
  marshal(out, value.i);
  corbel::cpp::put_wstring(out, value.j);
  out.put<::Flags>(value.k);
  to = out.chunk<8>(9);
  store<CORBA::ULongLong>(to, value.l);
  store<CORBA::Octet>(to + 8, value.m);
  for (std::size_t i = 0; i < 2; ++i) {
    out.put<CORBA::ULong>(value.n[i]);
  }
  out.put<CORBA::Long>(value.o);
}

bool unmarshal(Decoder& in, ::Defaults& value) {
  const char* from = in.chunk<2>(4);
  if (!from) return false;
  value.a = load<::Same>(from, in.swap());
  value.b = load<::Eight>(from + 2, in.swap());
  from = in.chunk<4>(8);
  if (!from) return false;
  if (!load_enum(from, in.swap(), value.c, 3)) return false;
  if (!load_enum(from + 4, in.swap(), value.d, 3)) return false;
  if (!corbel::cpp::get_string(in, value.e)) return false;
  if (!in.get_boolean(value.f)) return false;
  from = in.chunk<8>(9);
  if (!from) return false;
  value.g = load<CORBA::Double>(from, in.swap());
  if (!in.load_char(from + 8, value.h)) return false;
  if (!unmarshal(in, value.i)) return false;
  if (!corbel::cpp::get_wstring(in, value.j)) return false;
  if (!in.get(value.k)) return false;
  from = in.chunk<8>(9);
  if (!from) return false;
  value.l = load<CORBA::ULongLong>(from, in.swap());
  value.m = load<CORBA::Octet>(from + 8, in.swap());
  for (std::size_t i = 0; i < 2; ++i) {
    if (!in.get_enum(value.n[i], 3)) return false;
  }
  if (!in.get(value.o)) return false;
  return true;
}

}  // namespace corbel::cdr
