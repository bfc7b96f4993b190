// Made by corbel-idl from notes.idl; do not edit.
#include "notes.stub.h"

namespace corbel::cdr {

void marshal(Encoder& out, const ::Notes::Ship& value) {
  out.put<CORBA::Long>(value.masts);
  char* to = out.chunk<8>(9);
  store<CORBA::Double>(to, value.draught);
  store<CORBA::Octet>(to + 8, value.afloat);
  out.put_string(value.name);
  out.put_string(value.owner);
  out.put_char(value.mark);
  out.put<CORBA::Short>(value.crew);
  to = out.chunk<4>(5);
  store<CORBA::ULong>(to, value.paint);
  store<CORBA::Octet>(to + 4, value.flags);
  to = out.chunk<8>(12);
  store<CORBA::Double>(to, value.speed);
  store<CORBA::Long>(to + 8, value.expression);
  out.put_string(value.nickname);
  to = out.chunk<4>(12);
  store<CORBA::Long>(to, value.rank);
  store<CORBA::Long>(to + 4, value.least);
  store<CORBA::Long>(to + 8, value.far);
}

bool unmarshal(Decoder& in, ::Notes::Ship& value) {
  if (!in.get(value.masts)) return false;
  const char* from = in.chunk<8>(9);
  if (!from) return false;
  value.draught = load<CORBA::Double>(from, in.swap());
  if (!load_boolean(from + 8, value.afloat)) return false;
  if (!corbel::cpp::get_string(in, value.name)) return false;
  if (!corbel::cpp::get_string(in, value.owner)) return false;
  if (!in.get_char(value.mark)) return false;
  if (!in.get(value.crew)) return false;
  from = in.chunk<4>(5);
  if (!from) return false;
  if (!load_enum(from, in.swap(), value.paint, 2)) return false;
  value.flags = load<CORBA::Octet>(from + 4, in.swap());
  from = in.chunk<8>(12);
  if (!from) return false;
  value.speed = load<CORBA::Double>(from, in.swap());
  value.expression = load<CORBA::Long>(from + 8, in.swap());
  if (!corbel::cpp::get_string(in, value.nickname)) return false;
  from = in.chunk<4>(12);
  if (!from) return false;
  value.rank = load<CORBA::Long>(from, in.swap());
  value.least = load<CORBA::Long>(from + 4, in.swap());
  value.far = load<CORBA::Long>(from + 8, in.swap());
  return true;
}

void marshal(Encoder& out, const ::Notes::Sunk& value) {
  out.put<CORBA::Long>(value.depth);
}

bool unmarshal(Decoder& in, ::Notes::Sunk& value) {
  if (!in.get(value.depth)) return false;
  return true;
}

void marshal(Encoder& out, const ::Notes::Cargo& value) {
  out.put<CORBA::Long>(value._d());
  switch (value._d()) {
    case 1: {
      out.put<CORBA::Long>(value.crates());
      break;
    }
    default: break;
  }
}

bool unmarshal(Decoder& in, ::Notes::Cargo& value) {
  CORBA::Long d{};
  if (!in.get(d)) return false;
  value._corbel_activate(d);
  switch (d) {
    case 1: {
      CORBA::Long member{};
      if (!in.get(member)) return false;
      value.crates(member);
      value._d(d);
      break;
    }
    default: break;
  }
  return true;
}

static_assert(sizeof(::Notes::Last) == 4, "natural alignment is what copying relies on");

void marshal(Encoder& out, const ::Notes::Last& value) {
  out.put<CORBA::Long>(value.n);
}

bool unmarshal(Decoder& in, ::Notes::Last& value) {
  if (!in.get(value.n)) return false;
  return true;
}

}  // namespace corbel::cdr

const Notes::Sunk* Notes::Sunk::_downcast(const CORBA::Exception* exception) {
  return corbel::cpp::downcast<::Notes::Sunk>(exception);
}

void Notes::Sunk::_marshal_members(corbel::cdr::Encoder& out) const { corbel::cdr::marshal(out, *this); }

int Notes::Cargo::_corbel_member(CORBA::Long value) {
  switch (value) {
    case 1: return 0;
    default: return -1;
  }
}

void Notes::Cargo::_d(CORBA::Long value) {
  if (_corbel_member(value) != _corbel_member(_corbel_label)) corbel::cpp::raise_wrong_member();
  _corbel_label = value;
}

void Notes::Cargo::_corbel_clear() {
  switch (_corbel_member(_corbel_label)) {
    default: break;
  }
}

void Notes::Cargo::_corbel_activate(CORBA::Long value) {
  _corbel_select(value);
  switch (_corbel_member(value)) {
    default: break;
  }
}

Notes::Cargo::Cargo(const Cargo& other) {
  _corbel_empty();
  *this = other;
}

Notes::Cargo& Notes::Cargo::operator=(const Cargo& other) {
  if (this == &other) return *this;
  const CORBA::Long label = other._corbel_label;
  switch (_corbel_member(label)) {
    case 0: this->crates(other._corbel_u.crates); break;
    default: _corbel_activate(label); break;
  }
  _corbel_label = label;
  return *this;
}

Notes::Harbour_ptr Notes::Harbour::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Notes::Harbour>(object);
}

Notes::Harbour_ptr Notes::Harbour::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Notes::Harbour>(object);
}

template struct corbel::cpp::ObjectTraits<::Notes::Harbour>;

void* Notes::Harbour::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}

CORBA::Long Notes::Harbour::berths() {
  static constexpr corbel::cpp::Operation _operation{{"_get_berths", 11, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<CORBA::Long (*)(::Notes::Harbour& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[0])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  corbel::cdr::Decoder& _in = _call.invoke();
  CORBA::Long _result{};
  if (!_in.get(_result)) _call.bad_results();
  return _result;
}

void Notes::Harbour::berths(CORBA::Long _value) {
  static constexpr corbel::cpp::Operation _operation{{"_set_berths", 11, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Notes::Harbour& _stub, CORBA::Long _value,
          corbel::cpp::Collocated& _target)>(_target->functions[1])(*this, _value, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  corbel::cdr::Encoder& _out = _call.arguments();
  _out.put<CORBA::Long>(_value);
  _call.invoke();
}
