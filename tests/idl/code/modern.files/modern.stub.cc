// Made by corbel-idl from modern.idl; do not edit.
#include "modern.stub.h"

namespace corbel::cdr {

void marshal(Encoder& out, const ::Plant::Broken& value) {
  out.put_string(value.part);
}

bool unmarshal(Decoder& in, ::Plant::Broken& value) {
  if (!corbel::cpp::get_string(in, value.part)) return false;
  return true;
}

static_assert(sizeof(::Plant::Place) == 8, "natural alignment is what copying relies on");

void marshal(Encoder& out, const ::Plant::Place& value) {
  char* to = out.chunk<4>(8);
  store<CORBA::Long>(to, value.x);
  store<CORBA::Long>(to + 4, value.y);
}

bool unmarshal(Decoder& in, ::Plant::Place& value) {
  const char* from = in.chunk<4>(8);
  if (!from) return false;
  value.x = load<CORBA::Long>(from, in.swap());
  value.y = load<CORBA::Long>(from + 4, in.swap());
  return true;
}

void marshal(Encoder& out, const ::Plant::Shaft& value) {
  char* to = out.chunk<4>(9);
  store<CORBA::Long>(to, value.x);
  store<CORBA::Long>(to + 4, value.y);
  store<CORBA::Octet>(to + 8, value.depth);
}

bool unmarshal(Decoder& in, ::Plant::Shaft& value) {
  const char* from = in.chunk<4>(9);
  if (!from) return false;
  value.x = load<CORBA::Long>(from, in.swap());
  value.y = load<CORBA::Long>(from + 4, in.swap());
  value.depth = load<CORBA::Octet>(from + 8, in.swap());
  return true;
}

void marshal(Encoder& out, const ::Plant::Switches& value) {
  std::uint64_t bits = 0;
  bits |= (static_cast<std::uint64_t>(value.level) & 7u) << 0;
  bits |= (static_cast<std::uint64_t>(value.on) & 1u) << 3;
  bits |= (static_cast<std::uint64_t>(value.drift) & 63u) << 8;
  out.put(static_cast<CORBA::UShort>(bits));
}

bool unmarshal(Decoder& in, ::Plant::Switches& value) {
  CORBA::UShort bits;
  if (!in.get(bits)) return false;
  value.level = static_cast<CORBA::UInt8>(bits >> 0 & 7u);
  value.on = static_cast<CORBA::Boolean>(bits >> 3 & 1u);
  value.drift = static_cast<CORBA::Short>(bits >> 8 & 63u);
  return true;
}

void marshal(Encoder& out, const ::Plant::Others& value) {
  const CORBA::ULong n = value.length();
  out.put<CORBA::ULong>(n);
  const auto* const v = value.get_buffer();
  for (CORBA::ULong i = 0; i < n; ++i) {
    corbel::cpp::put_object(out, v[i]);
  }
}

bool unmarshal(Decoder& in, ::Plant::Others& value) {
  CORBA::ULong n;
  if (!in.get_length(n, 8)) return false;
  auto* const v = value._corbel_overwrite(n);
  for (CORBA::ULong i = 0; i < n; ++i) {
    if (!corbel::cpp::get_reference(in, v[i])) return false;
  }
  return true;
}

}  // namespace corbel::cdr

const Plant::Broken* Plant::Broken::_downcast(const CORBA::Exception* exception) {
  return corbel::cpp::downcast<::Plant::Broken>(exception);
}

void Plant::Broken::_marshal_members(corbel::cdr::Encoder& out) const { corbel::cdr::marshal(out, *this); }

Plant::Pump_ptr Plant::Pump::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Plant::Pump>(object);
}

Plant::Pump_ptr Plant::Pump::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Plant::Pump>(object);
}

template struct corbel::cpp::ObjectTraits<::Plant::Pump>;

void* Plant::Pump::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}

Plant::Watcher_ptr Plant::Watcher::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow_local<::Plant::Watcher>(object);
}

Plant::Watcher_ptr Plant::Watcher::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow_local<::Plant::Watcher>(object);
}

template ::Plant::Watcher_ptr corbel::cpp::ObjectTraits<::Plant::Watcher>::duplicate(::Plant::Watcher_ptr);
template void corbel::cpp::ObjectTraits<::Plant::Watcher>::drop(::Plant::Watcher_ptr);

void* Plant::Watcher::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}

CORBA::Any* Plant::Pump::setting() {
  static constexpr corbel::cpp::RaisesEntry _raises[] = {
    {"IDL:Plant/Broken:1.0", &corbel::cpp::raise<::Plant::Broken>},
  };
  static constexpr corbel::cpp::Operation _operation{{"_get_setting", 12, false}, _raises, 1};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  corbel::cdr::Decoder& _in = _call.invoke();
  corbel::cpp::ReadValues _read(_in);
  CORBA::Any_var _result = new CORBA::Any;
  if (!corbel::cdr::unmarshal(_in, _result.inout())) _call.bad_results();
  return _result._retn();
}

void Plant::Pump::setting(const CORBA::Any& _value) {
  static constexpr corbel::cpp::RaisesEntry _raises[] = {
    {"IDL:Plant/Broken:1.0", &corbel::cpp::raise<::Plant::Broken>},
  };
  static constexpr corbel::cpp::Operation _operation{{"_set_setting", 12, false, true}, _raises, 1};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  do {
    corbel::cdr::Encoder& _out = _call.arguments();
    corbel::cpp::WrittenValues _written(_out);
    corbel::cdr::marshal(_out, _value);
  } while (!_call.sent());
}

::Plant::Rights Plant::Pump::allow(const char* who, ::Plant::Switches& all, CORBA::Context_ptr _ctx) {
  static constexpr corbel::cpp::Operation _operation{{"allow", 5, false, true}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  do {
    corbel::cdr::Encoder& _out = _call.arguments();
    _out.put_string(who);
    corbel::cdr::marshal(_out, all);
    static constexpr const char* _contexts[] = {"user", "group*"};
    corbel::cpp::put_context(_out, _ctx, _contexts, 2);
  } while (!_call.sent());
  corbel::cdr::Decoder& _in = _call.results();
  ::Plant::Rights _result{};
  if (!_in.get(_result)) _call.bad_results();
  if (!corbel::cdr::unmarshal(_in, all)) _call.bad_results();
  return _result;
}

CORBA::TypeCode_ptr Plant::Pump::kind() {
  static constexpr corbel::cpp::Operation _operation{{"kind", 4, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  corbel::cdr::Decoder& _in = _call.invoke();
  corbel::cpp::ObjectVar<CORBA::TypeCode> _result;
  if (!corbel::cdr::unmarshal(_in, _result)) _call.bad_results();
  return _result._retn();
}
