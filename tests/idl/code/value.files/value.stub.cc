// Made by corbel-idl from value.idl; do not edit.
#include "value.stub.h"

::Shop::Item* Shop::Item::_downcast(CORBA::ValueBase* value) { return dynamic_cast<::Shop::Item*>(value); }

::Shop::Item* Shop::Item::_duplicate(::Shop::Item* value) { return CORBA::add_ref(value), value; }

template ::Shop::Item* corbel::cpp::ObjectTraits<::Shop::Item>::duplicate(::Shop::Item*);
template void corbel::cpp::ObjectTraits<::Shop::Item>::drop(::Shop::Item*);
template struct corbel::cpp::ValueTraits<::Shop::Item>;

void OBV_Shop::Item::_corbel_clear() {
  _corbel_name = corbel::cpp::StringMember();
}

::Shop::Offer* Shop::Offer::_downcast(CORBA::ValueBase* value) { return dynamic_cast<::Shop::Offer*>(value); }

::Shop::Offer* Shop::Offer::_duplicate(::Shop::Offer* value) { return CORBA::add_ref(value), value; }

template ::Shop::Offer* corbel::cpp::ObjectTraits<::Shop::Offer>::duplicate(::Shop::Offer*);
template void corbel::cpp::ObjectTraits<::Shop::Offer>::drop(::Shop::Offer*);
template struct corbel::cpp::ValueTraits<::Shop::Offer>;

void OBV_Shop::Offer::_corbel_clear() {
  OBV_Shop::Item::_corbel_clear();
  _corbel_instead_of = corbel::cpp::ValueMember<::Shop::Item>();
}

Shop::Till_ptr Shop::Till::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Shop::Till>(object);
}

Shop::Till_ptr Shop::Till::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Shop::Till>(object);
}

template struct corbel::cpp::ObjectTraits<::Shop::Till>;

void* Shop::Till::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}

void OBV_Shop::Item::_corbel_put_state(corbel::cdr::Encoder& _out) const {
  _out.put_string(_corbel_name);
  _out.put<CORBA::LongLong>(_corbel_cents);
}

bool OBV_Shop::Item::_corbel_get_state(corbel::cdr::Decoder& _in) {
  if (!corbel::cpp::get_string(_in, _corbel_name)) return false;
  if (!_in.get(_corbel_cents)) return false;
  return true;
}

void OBV_Shop::Offer::_corbel_put_state(corbel::cdr::Encoder& _out) const {
  OBV_Shop::Item::_corbel_put_state(_out);
  corbel::cpp::put_value(_out, _corbel_instead_of);
}

bool OBV_Shop::Offer::_corbel_get_state(corbel::cdr::Decoder& _in) {
  if (!OBV_Shop::Item::_corbel_get_state(_in)) return false;
  if (!corbel::cpp::get_value(_in, _corbel_instead_of)) return false;
  return true;
}

void Shop::Label::_corbel_put_state(corbel::cdr::Encoder& _out) const {
  const auto& _boxed = _boxed_in();
  _out.put_string(_boxed);
}

bool Shop::Label::_corbel_get_state(corbel::cdr::Decoder& _in) {
  auto&& _boxed = _boxed_inout();
  if (!corbel::cpp::get_string(_in, _boxed)) return false;
  return true;
}

void Shop::Prices::_corbel_put_state(corbel::cdr::Encoder& _out) const {
  const auto& _boxed = _boxed_in();
  _out.run<8>(_boxed, 48);
}

bool Shop::Prices::_corbel_get_state(corbel::cdr::Decoder& _in) {
  auto&& _boxed = _boxed_inout();
  if (!_in.get_run(&_boxed[0][0], 6)) return false;
  return true;
}

namespace {

constexpr corbel::cpp::KnownBox _reply_boxes[] = {
  {::Shop::Label::_corbel_value_type.id, ::Shop::Label::_corbel_maker()},
  {::Shop::Prices::_corbel_value_type.id, ::Shop::Prices::_corbel_maker()},
};

}  // namespace

::Shop::Item* Shop::Till::ring_up(::Shop::Item* what, ::Shop::Offer*& best) {
  static constexpr corbel::cpp::Operation _operation{{"ring_up", 7, false, true}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  do {
    corbel::cdr::Encoder& _out = _call.arguments();
    corbel::cpp::WrittenValues _written(_out);
    corbel::cpp::put_value(_out, what);
    corbel::cpp::put_value(_out, best);
  } while (!_call.sent());
  corbel::cdr::Decoder& _in = _call.results();
  corbel::cpp::ReadValues _read(_in, _reply_boxes);
  ::Shop::Item_var _result;
  if (!corbel::cpp::get_value(_in, _result)) _call.bad_results();
  if (!corbel::cpp::get_value(_in, best)) _call.bad_results();
  return _result._retn();
}
