// Made by corbel-idl from programs.idl; do not edit.
#include "programs.stub.h"

#include <corbel/cpp/programs.h>

namespace {

constexpr corbel::cpp::KnownBox _reply_boxes[] = {
  {::Programs::Label::_corbel_value_type.id, ::Programs::Label::_corbel_maker()},
};

}  // namespace


#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
namespace corbel::cpp::programs {
namespace {

constexpr const char* _contexts0[] = {"user", "lang*"};

constexpr Type _stubs_types[] = {
  {nullptr, nullptr, TypeOf<::Programs::Either>::construct, TypeOf<::Programs::Either>::destruct, nullptr,
      TypeOf<::Programs::Either>::choose, sizeof(::Programs::Either)},
  {nullptr, nullptr, nullptr, TypeOf<corbel::cpp::UnboundedSequence<::Programs::Tree>>::destruct,
      SequenceOf<corbel::cpp::UnboundedSequence<::Programs::Tree>>::allocate, nullptr, 0},
  {TypeOf<CORBA::Any>::put, TypeOf<CORBA::Any>::get, TypeOf<CORBA::Any>::construct,
      TypeOf<CORBA::Any>::destruct, nullptr, nullptr, sizeof(CORBA::Any)},
  {ValueOf<::Programs::Node>::put, ValueOf<::Programs::Node>::get, nullptr, nullptr, nullptr, nullptr, 0},
  {AbstractOf<::Programs::Described>::put, AbstractOf<::Programs::Described>::get, nullptr,
      AbstractOf<::Programs::Described>::destruct, nullptr, nullptr, 0},
  {TypeOf<::Programs::Bits>::put, TypeOf<::Programs::Bits>::get, nullptr, nullptr, nullptr, nullptr, 0},
  {nullptr, nullptr, TypeOf<::Programs::Holders>::construct, TypeOf<::Programs::Holders>::destruct,
      SequenceOf<::Programs::Holders>::allocate, nullptr, sizeof(::Programs::Holders)},
  {nullptr, nullptr, nullptr, nullptr, nullptr, TypeOf<::Programs::Content>::choose, 0},
  {ScopeOf<>::put, ScopeOf<>::get, nullptr, nullptr, nullptr, nullptr, 0},
  {nullptr, nullptr, TypeOf<::Programs::Samples>::construct, TypeOf<::Programs::Samples>::destruct, nullptr,
      nullptr, sizeof(::Programs::Samples)},
  {ScopeOf<_reply_boxes>::put, ScopeOf<_reply_boxes>::get, nullptr, nullptr, nullptr, nullptr, 0},
  {ValueOf<::Programs::Label>::put, ValueOf<::Programs::Label>::get, nullptr, nullptr, nullptr, nullptr, 0},
  {TypeCodeOf<CORBA::TypeCode>::put, TypeCodeOf<CORBA::TypeCode>::get, nullptr, nullptr, nullptr, nullptr, 0},
  {WrittenContext<_contexts0>::put, nullptr, nullptr, nullptr, nullptr, nullptr, 0},
};

constexpr RaisesEntry _stubs_exceptions[] = {
  {"IDL:Programs/Refused:1.0", &corbel::cpp::raise<::Programs::Refused>},
  {"IDL:Programs/Torn:1.0", &corbel::cpp::raise<::Programs::Torn>},
};

constexpr File<699> _stubs = {_stubs_types, _stubs_exceptions, {
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
  // 178: Programs::Described::describe
  CORBEL_W(178), Plain, 0, CORBEL_W(0), CORBEL_W(198), CORBEL_W(8), 'd', 'e', 's', 'c', 'r', 'i', 'b', 'e',
      0, End, MakeText, CORBEL_W(0), CORBEL_L(0u), End,
  // 206: ::Programs::Holder
  CORBEL_W(206), Typed, CORBEL_W(offsetof(::Programs::Holder, content)), CORBEL_W(2), Typed,
      CORBEL_W(offsetof(::Programs::Holder, first)), CORBEL_W(3), Typed,
      CORBEL_W(offsetof(::Programs::Holder, subject)), CORBEL_W(4), Typed,
      CORBEL_W(offsetof(::Programs::Holder, flags)), CORBEL_W(5), End,
  // 229: ::Programs::Holders
  CORBEL_W(229), Many, CORBEL_W(0), CORBEL_L(0u), CORBEL_W(206), CORBEL_W(sizeof(::Programs::Holder)),
      CORBEL_W(11), CORBEL_W(6), End,
  // 247: ::Programs::Content
  CORBEL_W(247), Union, CORBEL_W(0), CORBEL_W(255), End,
  // 255: ::Programs::Content, a union
  CORBEL_W(255), CORBEL_W(7), 4, CORBEL_W(2), CORBEL_W(kNoMember), 1, 0, 0, 0, 2, 0, 0, 0, CORBEL_W(280),
      CORBEL_W(291), Number4, CORBEL_W(0), End,
  // 280: a member
  CORBEL_W(280), Base, CORBEL_W(::Programs::Content::_corbel_at()), Typed, CORBEL_W(0), CORBEL_W(2), End,
  // 291: a member
  CORBEL_W(291), Typed, CORBEL_W(::Programs::Content::_corbel_at()), CORBEL_W(3), End,
  // 299: ::Programs::Torn
  CORBEL_W(299), Scope, CORBEL_W(8), Typed, CORBEL_W(offsetof(::Programs::Torn, what)), CORBEL_W(2), Typed,
      CORBEL_W(offsetof(::Programs::Torn, one)), CORBEL_W(3), End,
  // 315: Programs::Calls::ping
  CORBEL_W(315), Plain, 0, CORBEL_W(0), CORBEL_W(331), CORBEL_W(4), 'p', 'i', 'n', 'g', 0, End, End,
  // 332: Programs::Calls::add
  CORBEL_W(332), Plain, 1, CORBEL_W(0), CORBEL_W(353), CORBEL_W(3), 'a', 'd', 'd', 0, Number4, CORBEL_W(8),
      Led4, CORBEL_W(16), End, Number4, CORBEL_W(0), Led4, CORBEL_W(16), End,
  // 360: Programs::Calls::text
  CORBEL_W(360), Streams, 0, CORBEL_W(0), CORBEL_W(383), CORBEL_W(4), 't', 'e', 'x', 't', 0, Pointer,
      CORBEL_W(8), CORBEL_L(0u), End, MakeText, CORBEL_W(0), CORBEL_L(0u), MakeText, CORBEL_W(2),
      CORBEL_L(0u), End,
  // 398: Programs::Calls::all
  CORBEL_W(398), Streams, 0, CORBEL_W(0), CORBEL_W(433), CORBEL_W(3), 'a', 'l', 'l', 0, Base, CORBEL_W(8),
      Flats, CORBEL_W(0), CORBEL_L(0u), CORBEL_W(8), Base, CORBEL_W(16), Inside, CORBEL_W(0), CORBEL_W(61),
      End, Make, CORBEL_W(0), CORBEL_W(9), Flats, CORBEL_W(0), CORBEL_L(0u), CORBEL_W(8), End,
  // 448: Programs::Calls::choose
  CORBEL_W(448), Streams, 0, CORBEL_W(0), CORBEL_W(482), CORBEL_W(6), 'c', 'h', 'o', 'o', 's', 'e', 0, Base,
      CORBEL_W(8), Union, CORBEL_W(0), CORBEL_W(92), Base, CORBEL_W(16), Again, CORBEL_W(0), CORBEL_W(127),
      End, Make, CORBEL_W(0), CORBEL_W(0), Union, CORBEL_W(0), CORBEL_W(92), End,
  // 493: Programs::Calls::note
  CORBEL_W(493), Oneway, 0, CORBEL_W(0), CORBEL_W(512), CORBEL_W(4), 'n', 'o', 't', 'e', 0, Number4,
      CORBEL_W(8), End, End,
  // 513: Programs::Calls::pass
  CORBEL_W(513), Streams, 1, CORBEL_W(1), CORBEL_W(548), CORBEL_W(4), 'p', 'a', 's', 's', 0, Scope,
      CORBEL_W(10), Base, CORBEL_W(8), Typed, CORBEL_W(0), CORBEL_W(2), Base, CORBEL_W(16), Typed,
      CORBEL_W(0), CORBEL_W(3), End, Scope, CORBEL_W(10), Make, CORBEL_W(0), CORBEL_W(2), Typed, CORBEL_W(0),
      CORBEL_W(2), Base, CORBEL_W(16), Typed, CORBEL_W(0), CORBEL_W(3), MakeTyped, CORBEL_W(3), CORBEL_W(4),
      End,
  // 575: Programs::Calls::keep
  CORBEL_W(575), Streams, 0, CORBEL_W(0), CORBEL_W(620), CORBEL_W(4), 'k', 'e', 'e', 'p', 0, Scope,
      CORBEL_W(10), Base, CORBEL_W(8), Inside, CORBEL_W(0), CORBEL_W(206), Base, CORBEL_W(16), Union,
      CORBEL_W(0), CORBEL_W(255), Typed, CORBEL_W(24), CORBEL_W(11), Typed, CORBEL_W(32), CORBEL_W(12), End,
      Scope, CORBEL_W(10), Make, CORBEL_W(0), CORBEL_W(6), Many, CORBEL_W(0), CORBEL_L(0u), CORBEL_W(206),
      CORBEL_W(sizeof(::Programs::Holder)), CORBEL_W(11), CORBEL_W(6), End,
  // 644: Programs::Calls::told
  CORBEL_W(644), Streams, 0, CORBEL_W(0), CORBEL_W(668), CORBEL_W(4), 't', 'o', 'l', 'd', 0, Number4,
      CORBEL_W(8), Typed, CORBEL_W(16), CORBEL_W(13), End, End,
  // 669: Programs::Calls::remark
  CORBEL_W(669), Oneway |
      Streams, 0, CORBEL_W(0), CORBEL_W(698), CORBEL_W(6), 'r', 'e', 'm', 'a', 'r', 'k', 0, Scope,
      CORBEL_W(10), Base, CORBEL_W(8), Typed, CORBEL_W(0), CORBEL_W(2), End, End,
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

void marshal(Encoder& out, const ::Programs::Holder& value) {
  cpp::programs::encode(out, &value, corbel::cpp::programs::_stubs.octets + 206);
}
bool unmarshal(Decoder& in, ::Programs::Holder& value) {
  return cpp::programs::decode(in, &value, corbel::cpp::programs::_stubs.octets + 206);
}

void marshal(Encoder& out, const ::Programs::Holders& value) {
  cpp::programs::encode_many(out, &value, corbel::cpp::programs::_stubs.octets + 229);
}
bool unmarshal(Decoder& in, ::Programs::Holders& value) {
  return cpp::programs::decode_many(in, &value, corbel::cpp::programs::_stubs.octets + 229);
}

void marshal(Encoder& out, const ::Programs::Content& value) {
  cpp::programs::encode(out, &value, corbel::cpp::programs::_stubs.octets + 247);
}
bool unmarshal(Decoder& in, ::Programs::Content& value) {
  return cpp::programs::decode(in, &value, corbel::cpp::programs::_stubs.octets + 247);
}

void marshal(Encoder& out, const ::Programs::Torn& value) {
  cpp::programs::encode(out, &value, corbel::cpp::programs::_stubs.octets + 299);
}
bool unmarshal(Decoder& in, ::Programs::Torn& value) {
  return cpp::programs::decode(in, &value, corbel::cpp::programs::_stubs.octets + 299);
}

}  // namespace corbel::cdr

char* Programs::Described::_corbel_do_describe() {
  return corbel::cpp::programs::from_word<char*>(corbel::cpp::programs::call(corbel::cpp::programs::behind(this),
      corbel::cpp::programs::_stubs.octets + 178));
}

void Programs::Calls::ping() {
  corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::_stubs.octets + 315);
}

CORBA::Long Programs::Calls::add(CORBA::Long a, CORBA::Long& b) {
  return corbel::cpp::programs::from_word<CORBA::Long>(corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::word(a), corbel::cpp::programs::word(&b),
      corbel::cpp::programs::_stubs.octets + 332));
}

char* Programs::Calls::text(const char* a, CORBA::String_out b) {
  return corbel::cpp::programs::from_word<char*>(corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::word(a), corbel::cpp::programs::word(&b.ptr()),
      corbel::cpp::programs::_stubs.octets + 360));
}

::Programs::Samples* Programs::Calls::all(const ::Programs::Samples& some, const ::Programs::Named& one) {
  return corbel::cpp::programs::from_word<::Programs::Samples*>(corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::word(&some), corbel::cpp::programs::word(&one),
      corbel::cpp::programs::_stubs.octets + 398));
}

::Programs::Either* Programs::Calls::choose(const ::Programs::Either& one, const ::Programs::Tree& a_tree) {
  return corbel::cpp::programs::from_word<::Programs::Either*>(corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::word(&one), corbel::cpp::programs::word(&a_tree),
      corbel::cpp::programs::_stubs.octets + 448));
}

void Programs::Calls::note(CORBA::Long number) {
  corbel::cpp::programs::call(corbel::cpp::programs::target(this), corbel::cpp::programs::word(number),
      corbel::cpp::programs::_stubs.octets + 493);
}

CORBA::Any* Programs::Calls::pass(const CORBA::Any& a, ::Programs::Node*& b, ::Programs::Described_out c) {
  return corbel::cpp::programs::from_word<CORBA::Any*>(corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      corbel::cpp::programs::word(&a), corbel::cpp::programs::word(&b),
      corbel::cpp::programs::word(&c.ptr()), corbel::cpp::programs::_stubs.octets + 513));
}

::Programs::Holders* Programs::Calls::keep(const ::Programs::Holder& a, const ::Programs::Content& b,
    ::Programs::Label* c, CORBA::TypeCode_ptr d) {
  corbel::cpp::programs::Word _words[] = {0, corbel::cpp::programs::word(&a),
      corbel::cpp::programs::word(&b), corbel::cpp::programs::word(c), corbel::cpp::programs::word(d)};
  return corbel::cpp::programs::from_word<::Programs::Holders*>(corbel::cpp::programs::call(corbel::cpp::programs::target(this),
      _words, corbel::cpp::programs::_stubs.octets + 575));
}

void Programs::Calls::told(CORBA::Long a, CORBA::Context_ptr _ctx) {
  corbel::cpp::programs::call(corbel::cpp::programs::target(this), corbel::cpp::programs::word(a),
      corbel::cpp::programs::word(_ctx), corbel::cpp::programs::_stubs.octets + 644);
}

void Programs::Calls::remark(const CORBA::Any& what) {
  corbel::cpp::programs::call(corbel::cpp::programs::target(this), corbel::cpp::programs::word(&what),
      corbel::cpp::programs::_stubs.octets + 669);
}

namespace corbel::cdr {

static_assert(sizeof(::Programs::Sample) == 16, "natural alignment is what copying relies on");

void marshal(Encoder& out, const ::Programs::Bits& value) {
  std::uint64_t bits = 0;
  bits |= (static_cast<std::uint64_t>(value.low) & 7u) << 0;
  bits |= (static_cast<std::uint64_t>(value.high) & 127u) << 3;
  out.put(static_cast<CORBA::UShort>(bits));
}

bool unmarshal(Decoder& in, ::Programs::Bits& value) {
  CORBA::UShort bits;
  if (!in.get(bits)) return false;
  value.low = static_cast<CORBA::UInt8>(bits >> 0 & 7u);
  value.high = static_cast<CORBA::UInt8>(bits >> 3 & 127u);
  return true;
}

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

::Programs::Node* Programs::Node::_downcast(CORBA::ValueBase* value) {
  return dynamic_cast<::Programs::Node*>(value);
}

::Programs::Node* Programs::Node::_duplicate(::Programs::Node* value) { return CORBA::add_ref(value), value; }

template ::Programs::Node* corbel::cpp::ObjectTraits<::Programs::Node>::duplicate(::Programs::Node*);
template void corbel::cpp::ObjectTraits<::Programs::Node>::drop(::Programs::Node*);
template struct corbel::cpp::ValueTraits<::Programs::Node>;

void OBV_Programs::Node::_corbel_clear() {
  _corbel_next = corbel::cpp::ValueMember<::Programs::Node>();
}

CORBA::ValueBase* OBV_Programs::Node::_corbel_new() const { return new OBV_Programs::Node; }

CORBA::ValueBase* Programs::Node_init::create_for_unmarshal() { return new OBV_Programs::Node; }

Programs::Described_ptr Programs::Described::_narrow(CORBA::AbstractBase_ptr object) {
  return corbel::cpp::narrow_abstract<::Programs::Described>(object);
}

Programs::Described_ptr Programs::Described::_unchecked_narrow(CORBA::AbstractBase_ptr object) {
  return corbel::cpp::unchecked_narrow_abstract<::Programs::Described>(object);
}

Programs::Described_ptr Programs::Described::_corbel_make(corbel::core::Reference* reference) {
  return corbel::cpp::make_abstract<::Programs::Described>(reference);
}

template ::Programs::Described_ptr corbel::cpp::ObjectTraits<::Programs::Described>::duplicate(::Programs::Described_ptr);
template void corbel::cpp::ObjectTraits<::Programs::Described>::drop(::Programs::Described_ptr);
template struct corbel::cpp::AbstractTraits<::Programs::Described>;

int Programs::Content::_corbel_member(CORBA::Long value) {
  switch (value) {
    case 1: return 0;
    case 2: return 1;
    default: return -1;
  }
}

void Programs::Content::_d(CORBA::Long value) {
  if (_corbel_member(value) != _corbel_member(_corbel_label)) corbel::cpp::raise_wrong_member();
  _corbel_label = value;
}

void Programs::Content::_corbel_clear() {
  switch (_corbel_member(_corbel_label)) {
    case 0: delete _corbel_u.everything; break;
    case 1: corbel::cpp::drop(_corbel_u.single); break;
    default: break;
  }
}

void Programs::Content::_corbel_activate(CORBA::Long value) {
  _corbel_select(value);
  switch (_corbel_member(value)) {
    case 0: _corbel_u.everything = new CORBA::Any(); break;
    default: break;
  }
}

Programs::Content::Content(const Content& other) {
  _corbel_empty();
  *this = other;
}

Programs::Content& Programs::Content::operator=(const Content& other) {
  if (this == &other) return *this;
  const CORBA::Long label = other._corbel_label;
  switch (_corbel_member(label)) {
    case 0: this->everything(*other._corbel_u.everything); break;
    case 1: this->single(other._corbel_u.single); break;
    default: _corbel_activate(label); break;
  }
  _corbel_label = label;
  return *this;
}

const Programs::Torn* Programs::Torn::_downcast(const CORBA::Exception* exception) {
  return corbel::cpp::downcast<::Programs::Torn>(exception);
}

void Programs::Torn::_marshal_members(corbel::cdr::Encoder& out) const { corbel::cdr::marshal(out, *this); }

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

void OBV_Programs::Node::_corbel_put_state(corbel::cdr::Encoder& _out) const {
  _out.put<CORBA::Long>(_corbel_id);
  corbel::cpp::put_value(_out, _corbel_next);
}

bool OBV_Programs::Node::_corbel_get_state(corbel::cdr::Decoder& _in) {
  if (!_in.get(_corbel_id)) return false;
  if (!corbel::cpp::get_value(_in, _corbel_next)) return false;
  return true;
}

void Programs::Label::_corbel_put_state(corbel::cdr::Encoder& _out) const {
  const auto& _boxed = _boxed_in();
  _out.put_string(_boxed);
}

bool Programs::Label::_corbel_get_state(corbel::cdr::Decoder& _in) {
  auto&& _boxed = _boxed_inout();
  if (!corbel::cpp::get_string(_in, _boxed)) return false;
  return true;
}
