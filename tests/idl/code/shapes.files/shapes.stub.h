// Made by corbel-idl from shapes.idl; do not edit.
#pragma once

#include <corbel/corba.h>

// options: --no-any
// Types of fixed layout: chunks, copy runs, padding, arrays, unions.
struct Point {
  CORBA::Short x;
  CORBA::Short y;
};
typedef corbel::cpp::FixedVar<Point> Point_var;
typedef Point& Point_out;

struct Sample {
  CORBA::Octet channel;
  CORBA::Double value;
  CORBA::Boolean valid;
  typedef CORBA::Long _history[4];
  _history history;
  ::Point where;
};
typedef corbel::cpp::FixedVar<Sample> Sample_var;
typedef Sample& Sample_out;

struct Pixel {
  CORBA::Float red;
  CORBA::Float green;
  CORBA::Float blue;
};
typedef corbel::cpp::FixedVar<Pixel> Pixel_var;
typedef Pixel& Pixel_out;

class Image : public corbel::cpp::UnboundedSequence<::Pixel> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<Image> Image_var;
typedef corbel::cpp::VariableOut<Image, Image_var> Image_out;

typedef ::Pixel Row[2][3];
typedef ::Pixel Row_slice[3];
inline Row_slice* Row_alloc() { return new Row; }
inline void Row_free(Row_slice* array) { delete[] array; }
inline void Row_copy(Row_slice* to, const Row_slice* from) {
  auto* const t = reinterpret_cast<::Pixel*>(to);
  auto* const f = reinterpret_cast<const ::Pixel*>(from);
  for (std::size_t i = 0; i < sizeof(Row) / sizeof(::Pixel); ++i) t[i] = f[i];
}
inline Row_slice* Row_dup(const Row_slice* from) {
  Row_slice* const copy = Row_alloc();
  Row_copy(copy, from);
  return copy;
}
struct Row_traits {
  typedef Row array;
  typedef Row_slice slice;
  static slice* alloc() { return Row_alloc(); }
  static slice* dup(const slice* from) { return Row_dup(from); }
  static void copy(slice* to, const slice* from) { Row_copy(to, from); }
  static void free(slice* a) { Row_free(a); }
};
typedef corbel::cpp::FixedArrayVar<Row_traits> Row_var;
typedef Row_slice* Row_out;
typedef corbel::cpp::ArrayForAny<Row_traits> Row_forany;

class Shape {
 public:
  Shape() { _corbel_empty(), _corbel_activate('c'); }
  Shape(const Shape& other);
  Shape& operator=(const Shape& other);
  ~Shape() { _corbel_clear(); }

  CORBA::Char _d() const { return _corbel_label; }
  // Only between labels of one member, else BAD_PARAM.
  void _d(CORBA::Char value);
  void radius(CORBA::Double value) { _corbel_select('c'), _corbel_u.radius = value; }
  CORBA::Double radius() const { return _corbel_u.radius; }
  void pixels(const ::Image& value) {
    auto* const copy = new ::Image(value);
    _corbel_select('p');
    _corbel_u.pixels = copy;
  }
  const ::Image& pixels() const { return *_corbel_u.pixels; }
  ::Image& pixels() { return *_corbel_u.pixels; }
  void name(char* adopted) { _corbel_select('\377'), _corbel_u.name = adopted; }
  void name(const char* copied) { this->name(CORBA::string_dup(copied)); }
  template <typename _corbel_t, typename = typename _corbel_t::_corbel_string_holder>
  void name(const _corbel_t& copied) {
    this->name(copied.in());
  }
  const char* name() const { return _corbel_u.name ? _corbel_u.name : ""; }

  // For decoders: frees the member, selects another one and makes its first value.
  void _corbel_activate(CORBA::Char value);
  // Where members stand, or the pointers to them.
  static constexpr std::size_t _corbel_at() { return offsetof(Shape, _corbel_u); }

 private:
  static int _corbel_member(CORBA::Char value);
  void _corbel_empty() { std::memset(static_cast<void*>(&_corbel_u), 0, sizeof _corbel_u); }
  void _corbel_clear();
  void _corbel_select(CORBA::Char value) { _corbel_clear(), _corbel_empty(), _corbel_label = value; }
  CORBA::Char _corbel_label{};
  union {
    CORBA::Double radius;
    ::Image* pixels;
    char* name;
  } _corbel_u;
};
typedef corbel::cpp::VariableVar<Shape> Shape_var;
typedef corbel::cpp::VariableOut<Shape, Shape_var> Shape_out;

class Scope;
typedef Scope* Scope_ptr;
typedef corbel::cpp::ObjectVar<Scope> Scope_var;
typedef corbel::cpp::ObjectOut<Scope> Scope_out;
class Scope : public virtual CORBA::Object {
 public:
  typedef Scope_ptr _ptr_type;
  typedef Scope_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Scope:1.0";
  static Scope_ptr _duplicate(Scope_ptr object) { return corbel::cpp::duplicate(object); }
  static Scope_ptr _narrow(CORBA::Object_ptr object);
  static Scope_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Scope_ptr _nil() { return nullptr; }

  ::Sample measure(const ::Sample& last, const ::Point& where);
  void show(const ::Image& pixels);
  ::Row_slice* swap(const ::Row a, ::Shape& b);

  explicit Scope(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Scope() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

namespace corbel::cdr {

void marshal(Encoder& out, const ::Point& value);
bool unmarshal(Decoder& in, ::Point& value);
inline void store_struct([[maybe_unused]] const Encoder& out, char* to, const ::Point& value) {
  std::memcpy(to, &value, 4);
}
void marshal(Encoder& out, const ::Sample& value);
bool unmarshal(Decoder& in, ::Sample& value);
inline void store_struct([[maybe_unused]] const Encoder& out, char* to, const ::Sample& value) {
  std::memcpy(to + 0, &value.channel, 1);
  std::memset(to + 1, 0, 7);
  std::memcpy(to + 8, &value.value, 8);
  std::memcpy(to + 16, &value.valid, 1);
  std::memset(to + 17, 0, 3);
  std::memcpy(to + 20, &value.history, 16);
  std::memcpy(to + 36, &value.where, 4);
}
void marshal(Encoder& out, const ::Pixel& value);
bool unmarshal(Decoder& in, ::Pixel& value);
inline void store_struct([[maybe_unused]] const Encoder& out, char* to, const ::Pixel& value) {
  std::memcpy(to, &value, 12);
}
void marshal(Encoder& out, const ::Image& value);
bool unmarshal(Decoder& in, ::Image& value);
void marshal(Encoder& out, const ::Shape& value);
bool unmarshal(Decoder& in, ::Shape& value);

}  // namespace corbel::cdr
