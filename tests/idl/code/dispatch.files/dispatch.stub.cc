// Made by corbel-idl from dispatch.idl; do not edit.
#include "dispatch.stub.h"

Ways::Base_ptr Ways::Base::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Ways::Base>(object);
}

Ways::Base_ptr Ways::Base::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Ways::Base>(object);
}

template struct corbel::cpp::ObjectTraits<::Ways::Base>;

void* Ways::Base::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}

Ways::Active_ptr Ways::Active::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Ways::Active>(object);
}

Ways::Active_ptr Ways::Active::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Ways::Active>(object);
}

template struct corbel::cpp::ObjectTraits<::Ways::Active>;

void* Ways::Active::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  if (void* const p = ::Ways::Base::_corbel_widen(repository_id)) return p;
  return nullptr;
}

Ways::Binary_ptr Ways::Binary::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Ways::Binary>(object);
}

Ways::Binary_ptr Ways::Binary::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Ways::Binary>(object);
}

template struct corbel::cpp::ObjectTraits<::Ways::Binary>;

void* Ways::Binary::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  if (void* const p = ::Ways::Base::_corbel_widen(repository_id)) return p;
  return nullptr;
}

Ways::Hash_ptr Ways::Hash::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Ways::Hash>(object);
}

Ways::Hash_ptr Ways::Hash::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Ways::Hash>(object);
}

template struct corbel::cpp::ObjectTraits<::Ways::Hash>;

void* Ways::Hash::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  if (void* const p = ::Ways::Base::_corbel_widen(repository_id)) return p;
  return nullptr;
}

Ways::Linear_ptr Ways::Linear::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Ways::Linear>(object);
}

Ways::Linear_ptr Ways::Linear::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Ways::Linear>(object);
}

template struct corbel::cpp::ObjectTraits<::Ways::Linear>;

void* Ways::Linear::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  if (void* const p = ::Ways::Base::_corbel_widen(repository_id)) return p;
  return nullptr;
}

Ways::Perfect_ptr Ways::Perfect::_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::narrow<::Ways::Perfect>(object);
}

Ways::Perfect_ptr Ways::Perfect::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Ways::Perfect>(object);
}

template struct corbel::cpp::ObjectTraits<::Ways::Perfect>;

void* Ways::Perfect::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  if (void* const p = ::Ways::Base::_corbel_widen(repository_id)) return p;
  return nullptr;
}

Words_ptr Words::_narrow(CORBA::Object_ptr object) { return corbel::cpp::narrow<::Words>(object); }

Words_ptr Words::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Words>(object);
}

template struct corbel::cpp::ObjectTraits<::Words>;

void* Words::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}

void Ways::Base::reset() {
  static constexpr corbel::cpp::Operation _operation{{"reset", 5, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Ways::Base& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[0])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

CORBA::Long Ways::Base::level() {
  static constexpr corbel::cpp::Operation _operation{{"_get_level", 10, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<CORBA::Long (*)(::Ways::Base& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[1])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  corbel::cdr::Decoder& _in = _call.invoke();
  CORBA::Long _result{};
  if (!_in.get(_result)) _call.bad_results();
  return _result;
}

void Ways::Active::start() {
  static constexpr corbel::cpp::Operation _operation{{"start", 5, false, false, 3}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Ways::Active& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[0])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Ways::Active::store() {
  static constexpr corbel::cpp::Operation _operation{{"store", 5, false, false, 4}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Ways::Active& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[1])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Ways::Binary::start() {
  static constexpr corbel::cpp::Operation _operation{{"start", 5, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Ways::Binary& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[0])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Ways::Binary::store() {
  static constexpr corbel::cpp::Operation _operation{{"store", 5, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Ways::Binary& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[1])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Ways::Hash::start() {
  static constexpr corbel::cpp::Operation _operation{{"start", 5, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Ways::Hash& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[0])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Ways::Hash::store() {
  static constexpr corbel::cpp::Operation _operation{{"store", 5, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Ways::Hash& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[1])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Ways::Linear::start() {
  static constexpr corbel::cpp::Operation _operation{{"start", 5, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Ways::Linear& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[0])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Ways::Linear::store() {
  static constexpr corbel::cpp::Operation _operation{{"store", 5, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Ways::Linear& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[1])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Ways::Perfect::start() {
  static constexpr corbel::cpp::Operation _operation{{"start", 5, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Ways::Perfect& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[0])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Ways::Perfect::store() {
  static constexpr corbel::cpp::Operation _operation{{"store", 5, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Ways::Perfect& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[1])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Words::start_one() {
  static constexpr corbel::cpp::Operation _operation{{"start_one", 9, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Words& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[0])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Words::start_two() {
  static constexpr corbel::cpp::Operation _operation{{"start_two", 9, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Words& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[1])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}

void Words::stop_one() {
  static constexpr corbel::cpp::Operation _operation{{"stop_one", 8, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (const auto _found = _corbel_collocated.may_be()) {
    auto* const _target = corbel::cpp::find_collocated(_found, _corbel_collocated, *this, _corbel_id);
    if (_target)
      return reinterpret_cast<void (*)(::Words& _stub,
          corbel::cpp::Collocated& _target)>(_target->functions[2])(*this, *_target);
  }
  corbel::cpp::Call _call(*_corbel_reference(), _operation);
  _call.invoke();
}
