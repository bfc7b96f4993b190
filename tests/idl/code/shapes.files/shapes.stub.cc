// Made by corbel-idl from shapes.idl; do not edit.
#include "shapes.stub.h"

namespace corbel::cdr {

static_assert(sizeof(::Point) == 4, "natural alignment is what copying relies on");

void marshal(Encoder& out, const ::Point& value) {
  char* to = out.chunk<2>(4);
  store<CORBA::Short>(to, value.x);
  store<CORBA::Short>(to + 2, value.y);
}

bool unmarshal(Decoder& in, ::Point& value) {
  const char* from = in.chunk<2>(4);
  if (!from) return false;
  value.x = load<CORBA::Short>(from, in.swap());
  value.y = load<CORBA::Short>(from + 2, in.swap());
  return true;
}

static_assert(sizeof(::Sample) == 40, "natural alignment is what copying relies on");

void marshal(Encoder& out, const ::Sample& value) {
  out.put<CORBA::Octet>(value.channel);
  char* to = out.chunk<8>(32);
  store<CORBA::Double>(to, value.value);
  store<CORBA::Octet>(to + 8, value.valid);
  std::memset(to + 9, 0, 3);
  std::memcpy(to + 12, value.history, 16);
  store<CORBA::Short>(to + 28, value.where.x);
  store<CORBA::Short>(to + 30, value.where.y);
}

bool unmarshal(Decoder& in, ::Sample& value) {
  if (!in.get(value.channel)) return false;
  const char* from = in.chunk<8>(9);
  if (!from) return false;
  value.value = load<CORBA::Double>(from, in.swap());
  if (!load_boolean(from + 8, value.valid)) return false;
  from = in.chunk<4>(20);
  if (!from) return false;
  std::memcpy(value.history, from, 16);
  if (in.swap()) swap_run<4>(value.history, 4);
  value.where.x = load<CORBA::Short>(from + 16, in.swap());
  value.where.y = load<CORBA::Short>(from + 18, in.swap());
  return true;
}

static_assert(sizeof(::Pixel) == 12, "natural alignment is what copying relies on");

void marshal(Encoder& out, const ::Pixel& value) {
  char* to = out.chunk<4>(12);
  store<CORBA::Float>(to, value.red);
  store<CORBA::Float>(to + 4, value.green);
  store<CORBA::Float>(to + 8, value.blue);
}

bool unmarshal(Decoder& in, ::Pixel& value) {
  const char* from = in.chunk<4>(12);
  if (!from) return false;
  value.red = load<CORBA::Float>(from, in.swap());
  value.green = load<CORBA::Float>(from + 4, in.swap());
  value.blue = load<CORBA::Float>(from + 8, in.swap());
  return true;
}

void marshal(Encoder& out, const ::Image& value) {
  const CORBA::ULong n = value.length();
  out.put<CORBA::ULong>(n);
  corbel::cpp::put_struct_run(out, value.get_buffer(), n);
}

bool unmarshal(Decoder& in, ::Image& value) {
  CORBA::ULong n;
  if (!in.get_length(n, 12)) return false;
  auto* const v = value._corbel_overwrite(n);
  if (!corbel::cpp::get_struct_run(in, v, n)) return false;
  return true;
}

void marshal(Encoder& out, const ::Shape& value) {
  out.put_char(value._d());
  switch (value._d()) {
    case 'c': {
      out.put<CORBA::Double>(value.radius());
      break;
    }
    case 'p':
    case 'q': {
      marshal(out, value.pixels());
      break;
    }
    default: {
      out.put_string(value.name());
      break;
    }
  }
}

bool unmarshal(Decoder& in, ::Shape& value) {
  CORBA::Char d{};
  if (!in.get_char(d)) return false;
  value._corbel_activate(d);
  switch (d) {
    case 'c': {
      CORBA::Double member{};
      if (!in.get(member)) return false;
      value.radius(member);
      value._d(d);
      break;
    }
    case 'p':
    case 'q': {
      auto&& member = value.pixels();
      if (!unmarshal(in, member)) return false;
      break;
    }
    default: {
      CORBA::String_var member{};
      if (!corbel::cpp::get_string(in, member)) return false;
      value.name(member._retn());
      value._d(d);
      break;
    }
  }
  return true;
}

}  // namespace corbel::cdr

int Shape::_corbel_member(CORBA::Char value) {
  switch (value) {
    case 'c': return 0;
    case 'p': return 1;
    case 'q': return 1;
    default: return 2;
  }
}

void Shape::_d(CORBA::Char value) {
  if (_corbel_member(value) != _corbel_member(_corbel_label)) corbel::cpp::raise_wrong_member();
  _corbel_label = value;
}

void Shape::_corbel_clear() {
  switch (_corbel_member(_corbel_label)) {
    case 1: delete _corbel_u.pixels; break;
    case 2: CORBA::string_free(_corbel_u.name); break;
    default: break;
  }
}

void Shape::_corbel_activate(CORBA::Char value) {
  _corbel_select(value);
  switch (_corbel_member(value)) {
    case 1: _corbel_u.pixels = new ::Image(); break;
    default: break;
  }
}

Shape::Shape(const Shape& other) {
  _corbel_empty();
  *this = other;
}

Shape& Shape::operator=(const Shape& other) {
  if (this == &other) return *this;
  const CORBA::Char label = other._corbel_label;
  switch (_corbel_member(label)) {
    case 0: this->radius(other._corbel_u.radius); break;
    case 1: this->pixels(*other._corbel_u.pixels); break;
    case 2: this->name(static_cast<const char*>(other._corbel_u.name)); break;
    default: _corbel_activate(label); break;
  }
  _corbel_label = label;
  return *this;
}

Scope_ptr Scope::_narrow(CORBA::Object_ptr object) { return corbel::cpp::narrow<::Scope>(object); }

Scope_ptr Scope::_unchecked_narrow(CORBA::Object_ptr object) {
  return corbel::cpp::unchecked_narrow<::Scope>(object);
}

template struct corbel::cpp::ObjectTraits<::Scope>;

void* Scope::_corbel_widen(const char* repository_id) {
  if (corbel::cpp::same_id(repository_id, _corbel_id)) return this;
  return CORBA::Object::_corbel_widen(repository_id);
}

::Sample Scope::measure(const ::Sample& last, const ::Point& where) {
  static constexpr corbel::cpp::Operation _operation{{"measure", 7, false}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  corbel::cdr::Encoder& _out = _call.arguments();
  corbel::cdr::marshal(_out, last);
  char* _to = _out.chunk<2>(4);
  corbel::cdr::store<CORBA::Short>(_to, where.x);
  corbel::cdr::store<CORBA::Short>(_to + 2, where.y);
  corbel::cdr::Decoder& _in = _call.invoke();
  ::Sample _result{};
  if (!corbel::cdr::unmarshal(_in, _result)) _call.bad_results();
  return _result;
}

void Scope::show(const ::Image& pixels) {
  static constexpr corbel::cpp::Operation _operation{{"show", 4, true, true}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  do {
    corbel::cdr::Encoder& _out = _call.arguments();
    corbel::cdr::marshal(_out, pixels);
  } while (!_call.sent());
}

::Row_slice* Scope::swap(const ::Row a, ::Shape& b) {
  static constexpr corbel::cpp::Operation _operation{{"swap", 4, false, true}, nullptr, 0};
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  corbel::cpp::Call _call(*this, _operation);
  do {
    corbel::cdr::Encoder& _out = _call.arguments();
    for (std::size_t _i = 0; _i < 2; ++_i) {
      for (std::size_t _i2 = 0; _i2 < 3; ++_i2) {
        corbel::cdr::marshal(_out, a[_i][_i2]);
      }
    }
    corbel::cdr::marshal(_out, b);
  } while (!_call.sent());
  corbel::cdr::Decoder& _in = _call.results();
  ::Row_var _result = ::Row_alloc();
  for (std::size_t _i = 0; _i < 2; ++_i) {
    for (std::size_t _i2 = 0; _i2 < 3; ++_i2) {
      if (!corbel::cdr::unmarshal(_in, _result.inout()[_i][_i2])) _call.bad_results();
    }
  }
  if (!corbel::cdr::unmarshal(_in, b)) _call.bad_results();
  return _result._retn();
}
