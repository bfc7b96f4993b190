// Made by corbel-idl from programs.idl; do not edit.
#include "programs.stub.h"

#include <corbel/cpp/programs.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
namespace corbel::cpp::programs {
namespace {

constexpr Type _stubs_types[] = {
  {nullptr, nullptr, TypeOf<::Programs::Either>::construct, TypeOf<::Programs::Either>::destruct, nullptr,
      TypeOf<::Programs::Either>::choose, sizeof(::Programs::Either)},
  {nullptr, nullptr, nullptr, TypeOf<corbel::cpp::UnboundedSequence<::Programs::Tree>>::destruct,
      SequenceOf<corbel::cpp::UnboundedSequence<::Programs::Tree>>::allocate, nullptr, 0},
  {nullptr, nullptr, TypeOf<::Programs::Samples>::construct, TypeOf<::Programs::Samples>::destruct, nullptr,
      nullptr, sizeof(::Programs::Samples)},
};

constexpr RaisesEntry _stubs_exceptions[] = {
  {"IDL:Programs/Refused:1.0", &corbel::cpp::raise<::Programs::Refused>},
};

constexpr File<376> _stubs = {_stubs_types, _stubs_exceptions, {
  // 0: ::Programs::Sample
  CORBEL_W(0), Flat, CORBEL_W(0), CORBEL_W(8), End,
  // 8: ::Programs::Sample, of fixed layout
  CORBEL_W(8), CORBEL_W(16), 7, Read + Gaps, CORBEL_W(14), 0, CORBEL_W(17), 255, 255, 0, 0, 255, 255, 255,
      255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255,
      255, 255, 255, 255, Number2, CORBEL_W(0), Number4, CORBEL_W(4), Number8, CORBEL_W(8), End,
  // 61: ::Programs::Named
  CORBEL_W(61), Text4, CORBEL_W(offsetof(::Programs::Named, name)), CORBEL_L(0u),
      CORBEL_W(offsetof(::Programs::Named, number)), Texts, CORBEL_W(offsetof(::Programs::Named, others)),
      CORBEL_L(0u), CORBEL_L(0u), End,
  // 84: ::Programs::Either
  CORBEL_W(84), Union, CORBEL_W(0), CORBEL_W(92), End,
  // 92: ::Programs::Either, a union
  CORBEL_W(92), CORBEL_W(0), 1, CORBEL_W(1), CORBEL_W(119), 1, CORBEL_W(108), Boolean, CORBEL_W(0), End,
  // 108: a member
  CORBEL_W(108), Base, CORBEL_W(::Programs::Either::_corbel_at()), Inside, CORBEL_W(0), CORBEL_W(61), End,
  // 119: a member
  CORBEL_W(119), LedFlat, CORBEL_W(::Programs::Either::_corbel_at()), CORBEL_W(8), End,
  // 127: ::Programs::Tree
  CORBEL_W(127), Number4, CORBEL_W(offsetof(::Programs::Tree, label)), Many,
      CORBEL_W(offsetof(::Programs::Tree, children)), CORBEL_L(0u), CORBEL_W(148),
      CORBEL_W(sizeof(::Programs::Tree)), CORBEL_W(8), CORBEL_W(1), End,
  // 148: an element
  CORBEL_W(148), Again, CORBEL_W(0), CORBEL_W(127), End,
  // 156: ::Programs::Samples
  CORBEL_W(156), Flats, CORBEL_W(0), CORBEL_L(0u), CORBEL_W(8), End,
  // 168: ::Programs::Refused
  CORBEL_W(168), Text, CORBEL_W(offsetof(::Programs::Refused, why)), CORBEL_L(0u), End,
  // 178: Programs::Calls::ping
  CORBEL_W(178), Plain, 0, CORBEL_W(0), CORBEL_W(194), CORBEL_W(4), 'p', 'i', 'n', 'g', 0, End, End,
  // 195: Programs::Calls::add
  CORBEL_W(195), Plain, 1, CORBEL_W(0), CORBEL_W(216), CORBEL_W(3), 'a', 'd', 'd', 0, Number4, CORBEL_W(8),
      Led4, CORBEL_W(16), End, Number4, CORBEL_W(0), Led4, CORBEL_W(16), End,
  // 223: Programs::Calls::text
  CORBEL_W(223), Streams, 0, CORBEL_W(0), CORBEL_W(246), CORBEL_W(4), 't', 'e', 'x', 't', 0, Pointer,
      CORBEL_W(8), CORBEL_L(0u), End, MakeText, CORBEL_W(0), CORBEL_L(0u), MakeText, CORBEL_W(2),
      CORBEL_L(0u), End,
  // 261: Programs::Calls::all
  CORBEL_W(261), Streams, 0, CORBEL_W(0), CORBEL_W(296), CORBEL_W(3), 'a', 'l', 'l', 0, Base, CORBEL_W(8),
      Flats, CORBEL_W(0), CORBEL_L(0u), CORBEL_W(8), Base, CORBEL_W(16), Inside, CORBEL_W(0), CORBEL_W(61),
      End, Make, CORBEL_W(0), CORBEL_W(2), Flats, CORBEL_W(0), CORBEL_L(0u), CORBEL_W(8), End,
  // 311: Programs::Calls::choose
  CORBEL_W(311), Streams, 0, CORBEL_W(0), CORBEL_W(345), CORBEL_W(6), 'c', 'h', 'o', 'o', 's', 'e', 0, Base,
      CORBEL_W(8), Union, CORBEL_W(0), CORBEL_W(92), Base, CORBEL_W(16), Again, CORBEL_W(0), CORBEL_W(127),
      End, Make, CORBEL_W(0), CORBEL_W(0), Union, CORBEL_W(0), CORBEL_W(92), End,
  // 356: Programs::Calls::note
  CORBEL_W(356), Oneway, 0, CORBEL_W(0), CORBEL_W(375), CORBEL_W(4), 'n', 'o', 't', 'e', 0, Number4,
      CORBEL_W(8), End, End,
}};

}  // namespace
}  // namespace corbel::cpp::programs
#pragma GCC diagnostic pop

namespace corbel::cdr {

void marshal(Encoder& out, const ::Programs::Sample& value) {
  cpp::programs::encode_flat(out, &value, corbel::cpp::programs::_stubs.octets + 0);
}
bool unmarshal(Decoder& in, ::Programs::Sample& value) {
  return cpp::programs::decode_flat(in, &value, corbel::cpp::programs::_stubs.octets + 0);
}

void marshal(Encoder& out, const ::Programs::Named& value) {
  cpp::programs::encode(out, &value, corbel::cpp::programs::_stubs.octets + 61);
}
bool unmarshal(Decoder& in, ::Programs::Named& value) {
  return cpp::programs::decode(in, &value, corbel::cpp::programs::_stubs.octets + 61);
}

void marshal(Encoder& out, const ::Programs::Either& value) {
  cpp::programs::encode(out, &value, corbel::cpp::programs::_stubs.octets + 84);
}
bool unmarshal(Decoder& in, ::Programs::Either& value) {
  return cpp::programs::decode(in, &value, corbel::cpp::programs::_stubs.octets + 84);
}

void marshal(Encoder& out, const ::Programs::Tree& value) {
  cpp::programs::encode(out, &value, corbel::cpp::programs::_stubs.octets + 148);
}
bool unmarshal(Decoder& in, ::Programs::Tree& value) {
  return cpp::programs::decode(in, &value, corbel::cpp::programs::_stubs.octets + 148);
}

void marshal(Encoder& out, const ::Programs::Samples& value) {
  cpp::programs::encode_flats(out, &value, corbel::cpp::programs::_stubs.octets + 156);
}
bool unmarshal(Decoder& in, ::Programs::Samples& value) {
  return cpp::programs::decode_flats(in, &value, corbel::cpp::programs::_stubs.octets + 156);
}

void marshal(Encoder& out, const ::Programs::Refused& value) {
  cpp::programs::encode(out, &value, corbel::cpp::programs::_stubs.octets + 168);
}
bool unmarshal(Decoder& in, ::Programs::Refused& value) {
  return cpp::programs::decode(in, &value, corbel::cpp::programs::_stubs.octets + 168);
}

}  // namespace corbel::cdr

void Programs::Calls::ping() {
  corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::_stubs.octets + 178);
}

CORBA::Long Programs::Calls::add(CORBA::Long a, CORBA::Long& b) {
  return corbel::cpp::programs::from_word<CORBA::Long>(corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::word(a), corbel::cpp::programs::word(&b),
      corbel::cpp::programs::_stubs.octets + 195));
}

char* Programs::Calls::text(const char* a, CORBA::String_out b) {
  return corbel::cpp::programs::from_word<char*>(corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::word(a), corbel::cpp::programs::word(&b.ptr()),
      corbel::cpp::programs::_stubs.octets + 223));
}

::Programs::Samples* Programs::Calls::all(const ::Programs::Samples& some, const ::Programs::Named& one) {
  return corbel::cpp::programs::from_word<::Programs::Samples*>(corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::word(&some), corbel::cpp::programs::word(&one),
      corbel::cpp::programs::_stubs.octets + 261));
}

::Programs::Either* Programs::Calls::choose(const ::Programs::Either& one, const ::Programs::Tree& a_tree) {
  return corbel::cpp::programs::from_word<::Programs::Either*>(corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::word(&one), corbel::cpp::programs::word(&a_tree),
      corbel::cpp::programs::_stubs.octets + 311));
}

void Programs::Calls::note(CORBA::Long number) {
  corbel::cpp::programs::call(corbel::cpp::programs::target(this), corbel::cpp::programs::word(number),
      corbel::cpp::programs::_stubs.octets + 356);
}

namespace corbel::cdr {

static_assert(sizeof(::Programs::Sample) == 16, "natural alignment is what copying relies on");

}  // namespace corbel::cdr

int Programs::Either::_corbel_member(CORBA::Boolean value) {
  if (value == true) return 0;
  return 1;
}

void Programs::Either::_d(CORBA::Boolean value) {
  if (_corbel_member(value) != _corbel_member(_corbel_label)) corbel::cpp::raise_wrong_member();
  _corbel_label = value;
}

void Programs::Either::_corbel_clear() {
  switch (_corbel_member(_corbel_label)) {
    case 0: delete _corbel_u.by_name; break;
    case 1: delete _corbel_u.plain; break;
    default: break;
  }
}

void Programs::Either::_corbel_activate(CORBA::Boolean value) {
  _corbel_select(value);
  switch (_corbel_member(value)) {
    case 0: _corbel_u.by_name = new ::Programs::Named(); break;
    case 1: _corbel_u.plain = new ::Programs::Sample(); break;
    default: break;
  }
}

Programs::Either::Either(const Either& other) {
  _corbel_empty();
  *this = other;
}

Programs::Either& Programs::Either::operator=(const Either& other) {
  if (this == &other) return *this;
  const CORBA::Boolean label = other._corbel_label;
  switch (_corbel_member(label)) {
    case 0: this->by_name(*other._corbel_u.by_name); break;
    case 1: this->plain(*other._corbel_u.plain); break;
    default: _corbel_activate(label); break;
  }
  _corbel_label = label;
  return *this;
}

const Programs::Refused* Programs::Refused::_downcast(const CORBA::Exception* exception) {
  return corbel::cpp::downcast<::Programs::Refused>(exception);
}

void Programs::Refused::_marshal_members(corbel::cdr::Encoder& out) const {
  corbel::cdr::marshal(out, *this);
}

Programs::Calls_ptr Programs::Calls::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Programs::Calls>(object);
}

Programs::Calls_ptr Programs::Calls::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Programs::Calls>(object);
}

template struct corbel::cpp::ObjectTraits<::Programs::Calls>;

void* Programs::Calls::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}
