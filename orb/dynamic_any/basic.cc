// Values without components, inserted into a DynAny or its current component, and extracted.
#include <corbel/cpp/abstract.h>
#include <corbel/cpp/any_value.h>
#include <corbel/cpp/wide.h>

#include <cstring>

#include "orb/dynamic_any/dyn_any.h"
#include "orb/dynamic_any/written.h"

namespace corbel::dynamic_any {
namespace {

// The DynAny itself if it suits, else its current component.
template <typename Suits>
Node& operand(Node& node, Suits suits) {
  if (suits(node)) return node;
  if (!node.composite()) raise_type_mismatch();
  const std::int32_t at = node.position();
  if (at < 0) raise_invalid_value();
  Node& part = node.part(static_cast<std::uint32_t>(at));
  if (!suits(part)) raise_type_mismatch();
  return part;
}
Node& operand(Node& node, Kind kind) {
  return operand(node, [kind](const Node& n) { return n.kind() == kind; });
}
bool is_reference(const Node& node) {
  const Kind k = node.kind();
  return k == Kind::ObjRef || k == Kind::Component || k == Kind::Home;
}
bool is_value(const Node& node) {
  const Kind k = node.kind();
  return k == Kind::Value || k == Kind::Event || k == Kind::ValueBox;
}

template <typename T>
void put_number(Node& node, Kind kind, T value) {
  operand(node, kind).set(Octets(&value, sizeof value));
}
template <typename T>
T number(Node& node, Kind kind) {
  cdr::Decoder in = operand(node, kind).octets()->decoder(nullptr);
  T value{};
  in.get(value);
  return value;
}

// The octets of what may have been taken to pieces.
Octets whole(Node& node) {
  if (const Octets* const o = node.octets()) return *o;
  return written([&](cdr::Encoder& out) { node.write(out); });
}

// What `put` writes becomes the node's.
template <typename Put>
void replace(Node& node, Put put) {
  Octets octets;
  if (!try_written(put, octets) || !node.replace(octets)) raise_invalid_value();
}

// ---- sequences and arrays of numbers

Node& run(Node& node, Kind element) {
  return operand(node, [element](const Node& n) {
    const types::TypeCode& t = n.resolved();
    return (t.kind == Kind::Sequence || t.kind == Kind::Array) && types::resolve(t.content)->kind == element;
  });
}

template <typename Seq, typename Put>
void put_run(Node& node, Kind element, const Seq& value, Put put) {
  Node& to = run(node, element);
  const types::TypeCode& t = to.resolved();
  const CORBA::ULong n = value.length();
  if (t.kind == Kind::Array ? n != t.length : t.length != 0 && n > t.length) raise_invalid_value();
  const std::int32_t at = to.position();
  to.set(written([&](cdr::Encoder& out) {
    if (t.kind == Kind::Sequence) out.put(n);
    if (n != 0) put(out, value.get_buffer(), n);
  }));
  to.set_position(at);
}
template <typename Seq, typename Get>
Seq* get_run(Node& node, Kind element, Get get) {
  Node& from = run(node, element);
  const Octets octets = whole(from);
  cdr::Decoder in = octets.decoder(nullptr);
  const types::TypeCode& t = from.resolved();
  CORBA::ULong n = t.length;
  if (t.kind == Kind::Sequence) in.get(n);
  auto* const seq = new Seq;
  const typename corbel::cpp::SequenceVar<Seq> owned = seq;
  seq->length(n);
  if (n != 0 && !get(in, seq->get_buffer(), n)) throw CORBA::INTERNAL();
  return const_cast<corbel::cpp::SequenceVar<Seq>&>(owned)._retn();
}
template <typename Seq>
void put_numbers(Node& node, Kind element, const Seq& value) {
  put_run(node, element, value, [](cdr::Encoder& out, const auto* from, CORBA::ULong n) {
    out.copied_run<sizeof *from>(from, std::size_t{n} * sizeof *from);
  });
}
template <typename Seq>
Seq* get_numbers(Node& node, Kind element) {
  return get_run<Seq>(node, element,
                      [](cdr::Decoder& in, auto* to, CORBA::ULong n) { return in.get_run(to, n); });
}

}  // namespace

// ---- numbers

void Base::insert_boolean(CORBA::Boolean value) {
  put_number<CORBA::Octet>(node(), Kind::Boolean, value ? 1 : 0);
}
void Base::insert_octet(CORBA::Octet value) { put_number(node(), Kind::Octet, value); }
void Base::insert_char(CORBA::Char value) { put_number(node(), Kind::Char, value); }
void Base::insert_short(CORBA::Short value) { put_number(node(), Kind::Short, value); }
void Base::insert_ushort(CORBA::UShort value) { put_number(node(), Kind::UShort, value); }
void Base::insert_long(CORBA::Long value) { put_number(node(), Kind::Long, value); }
void Base::insert_ulong(CORBA::ULong value) { put_number(node(), Kind::ULong, value); }
void Base::insert_float(CORBA::Float value) { put_number(node(), Kind::Float, value); }
void Base::insert_double(CORBA::Double value) { put_number(node(), Kind::Double, value); }
void Base::insert_longlong(CORBA::LongLong value) { put_number(node(), Kind::LongLong, value); }
void Base::insert_ulonglong(CORBA::ULongLong value) { put_number(node(), Kind::ULongLong, value); }
void Base::insert_longdouble(CORBA::LongDouble value) {
  operand(node(), Kind::LongDouble).set(written([&](cdr::Encoder& out) {
    cpp::put_long_double(out, value);
  }));
}
void Base::insert_wchar(CORBA::WChar value) {
  operand(node(), Kind::WChar).set(written([&](cdr::Encoder& out) { cpp::put_wchar(out, value); }));
}

CORBA::Boolean Base::get_boolean() { return number<CORBA::Octet>(node(), Kind::Boolean) != 0; }
CORBA::Octet Base::get_octet() { return number<CORBA::Octet>(node(), Kind::Octet); }
CORBA::Char Base::get_char() { return number<CORBA::Char>(node(), Kind::Char); }
CORBA::Short Base::get_short() { return number<CORBA::Short>(node(), Kind::Short); }
CORBA::UShort Base::get_ushort() { return number<CORBA::UShort>(node(), Kind::UShort); }
CORBA::Long Base::get_long() { return number<CORBA::Long>(node(), Kind::Long); }
CORBA::ULong Base::get_ulong() { return number<CORBA::ULong>(node(), Kind::ULong); }
CORBA::Float Base::get_float() { return number<CORBA::Float>(node(), Kind::Float); }
CORBA::Double Base::get_double() { return number<CORBA::Double>(node(), Kind::Double); }
CORBA::LongLong Base::get_longlong() { return number<CORBA::LongLong>(node(), Kind::LongLong); }
CORBA::ULongLong Base::get_ulonglong() { return number<CORBA::ULongLong>(node(), Kind::ULongLong); }
CORBA::LongDouble Base::get_longdouble() {
  cdr::Decoder in = operand(node(), Kind::LongDouble).octets()->decoder(nullptr);
  CORBA::LongDouble value = 0;
  cpp::get_long_double(in, value);
  return value;
}
CORBA::WChar Base::get_wchar() {
  cdr::Decoder in = operand(node(), Kind::WChar).octets()->decoder(nullptr);
  CORBA::WChar value = 0;
  if (!cpp::get_wchar(in, value)) raise_invalid_value();
  return value;
}

// ---- strings

void Base::insert_string(const char* value) {
  Node& to = operand(node(), Kind::String);
  const types::TypeCode& t = to.resolved();
  if (!value || (t.length != 0 && std::strlen(value) > t.length)) raise_invalid_value();
  to.set(written([&](cdr::Encoder& out) { out.put_string(value); }));
}
char* Base::get_string() {
  cdr::Decoder in = operand(node(), Kind::String).octets()->decoder(nullptr);
  const char* text = "";
  in.get_string_view(text);
  return CORBA::string_dup(text);
}

void Base::insert_wstring(const CORBA::WChar* value) {
  Node& to = operand(node(), Kind::WString);
  const types::TypeCode& t = to.resolved();
  if (!value || (t.length != 0 && std::wcslen(value) > t.length)) raise_invalid_value();
  to.set(written([&](cdr::Encoder& out) { cpp::put_wstring(out, value); }));
}
CORBA::WChar* Base::get_wstring() {
  cdr::Decoder in = operand(node(), Kind::WString).octets()->decoder(nullptr);
  CORBA::WString_var text;
  if (!cpp::get_wstring(in, text)) raise_invalid_value();
  return text._retn();
}

// ---- references and TypeCodes

void Base::insert_reference(CORBA::Object_ptr value) {
  Node& to = operand(node(), is_reference);
  to.set(written([&](cdr::Encoder& out) { cpp::put_object(out, value); }));
}
CORBA::Object_ptr Base::get_reference() {
  cdr::Decoder in = operand(node(), is_reference).octets()->decoder(&tree_->orb());
  CORBA::Object_var object;
  if (!cpp::get_reference(in, object)) raise_invalid_value();
  return object._retn();
}

void Base::insert_typecode(CORBA::TypeCode_ptr value) {
  Node& to = operand(node(), Kind::TypeCode);
  if (!value || !types::is_complete(*value)) raise_invalid_value();
  to.set(written([&](cdr::Encoder& out) { types::marshal(out, *value); }));
}
CORBA::TypeCode_ptr Base::get_typecode() {
  cdr::Decoder in = operand(node(), Kind::TypeCode).octets()->decoder(nullptr);
  CORBA::TypeCode_var type;
  if (!cdr::unmarshal(in, type)) raise_invalid_value();
  return type._retn();
}

// ---- Anys

void Base::insert_any(const CORBA::Any& value) {
  replace(operand(node(), Kind::Any), [&](cdr::Encoder& out) { value._corbel_marshal(out); });
}
CORBA::Any* Base::get_any() {
  const Octets octets = whole(operand(node(), Kind::Any));
  cdr::Decoder in = octets.decoder(&tree_->orb());
  CORBA::Any_var any = new CORBA::Any;
  if (!any->_corbel_unmarshal(in)) raise_invalid_value();
  return any._retn();
}
void Base::insert_dyn_any(DynamicAny::DynAny_ptr value) {
  Node& to = operand(node(), Kind::Any);
  if (!value) throw CORBA::BAD_PARAM();
  const CORBA::Any_var any = value->to_any();
  replace(to, [&](cdr::Encoder& out) { any->_corbel_marshal(out); });
}
DynamicAny::DynAny_ptr Base::get_dyn_any() {
  const CORBA::Any_var any = get_any();
  DynamicAny::DynAny_ptr const made = create(tree_->orb(), any.in());
  if (!made) raise_invalid_value();
  return made;
}

// ---- valuetypes

namespace {

// Of the class, or of one that derives from it.
bool is_of(const types::TypeCode& t, const cpp::ValueType& type) {
  // Classes do not tell which abstract ones they implement.
  constexpr std::int32_t kAbstract = 2;
  if ((t.kind != Kind::ValueBox && t.special == kAbstract) ||
      std::strcmp(t.id, CORBA::_tc_ValueBase->id()) == 0)
    return true;
  for (const cpp::ValueType* c = &type; c; c = c->truncatable_to ? c->truncatable_to : c->base)
    if (std::strcmp(c->id, t.id) == 0) return true;
  return false;
}

}  // namespace

void Base::insert_val(CORBA::ValueBase* value) {
  const auto suits = [value](const Node& n) {
    return is_value(n) && (!value || is_of(n.resolved(), value->_corbel_type()));
  };
  if (is_value(node()) && !suits(node()) && node().position() < 0) raise_type_mismatch();
  Node& to = operand(node(), suits);
  const char* const declared = static_cast<const types::TypeCode&>(to.resolved()).id;
  replace(to, [&](cdr::Encoder& out) { cpp::put_value_base(out, value, declared); });
}
CORBA::ValueBase* Base::get_val() {
  Node& from = operand(node(), is_value);
  CORBA::Any any;
  dynamic_any::to_any(from, any);
  CORBA::ValueBase* value = nullptr;
  if (!(any >>= CORBA::Any::to_value(value))) raise_invalid_value();
  return value;
}

void Base::insert_abstract(CORBA::AbstractBase_ptr value) {
  replace(operand(node(), Kind::AbstractInterface),
          [&](cdr::Encoder& out) { cpp::put_abstract_base(out, value); });
}
CORBA::AbstractBase_ptr Base::get_abstract() {
  Node& from = operand(node(), Kind::AbstractInterface);
  CORBA::Any any;
  dynamic_any::to_any(from, any);
  CORBA::AbstractBase_ptr value = nullptr;
  if (!(any >>= CORBA::Any::to_abstract_base(value))) raise_invalid_value();
  return value;
}

// ---- sequences and arrays

void Base::insert_boolean_seq(const CORBA::BooleanSeq& value) { put_numbers(node(), Kind::Boolean, value); }
void Base::insert_octet_seq(const CORBA::OctetSeq& value) { put_numbers(node(), Kind::Octet, value); }
void Base::insert_char_seq(const CORBA::CharSeq& value) { put_numbers(node(), Kind::Char, value); }
void Base::insert_short_seq(const CORBA::ShortSeq& value) { put_numbers(node(), Kind::Short, value); }
void Base::insert_ushort_seq(const CORBA::UShortSeq& value) { put_numbers(node(), Kind::UShort, value); }
void Base::insert_long_seq(const CORBA::LongSeq& value) { put_numbers(node(), Kind::Long, value); }
void Base::insert_ulong_seq(const CORBA::ULongSeq& value) { put_numbers(node(), Kind::ULong, value); }
void Base::insert_float_seq(const CORBA::FloatSeq& value) { put_numbers(node(), Kind::Float, value); }
void Base::insert_double_seq(const CORBA::DoubleSeq& value) { put_numbers(node(), Kind::Double, value); }
void Base::insert_longlong_seq(const CORBA::LongLongSeq& value) {
  put_numbers(node(), Kind::LongLong, value);
}
void Base::insert_ulonglong_seq(const CORBA::ULongLongSeq& value) {
  put_numbers(node(), Kind::ULongLong, value);
}
void Base::insert_longdouble_seq(const CORBA::LongDoubleSeq& value) {
  put_run(node(), Kind::LongDouble, value,
          [](cdr::Encoder& out, const CORBA::LongDouble* from, CORBA::ULong n) {
            for (CORBA::ULong i = 0; i < n; ++i) cpp::put_long_double(out, from[i]);
          });
}
void Base::insert_wchar_seq(const CORBA::WCharSeq& value) {
  put_run(node(), Kind::WChar, value, [](cdr::Encoder& out, const CORBA::WChar* from, CORBA::ULong n) {
    for (CORBA::ULong i = 0; i < n; ++i) cpp::put_wchar(out, from[i]);
  });
}

CORBA::BooleanSeq* Base::get_boolean_seq() {
  return get_run<CORBA::BooleanSeq>(
      node(), Kind::Boolean,
      [](cdr::Decoder& in, CORBA::Boolean* to, CORBA::ULong n) { return in.get_boolean_run(to, n); });
}
CORBA::OctetSeq* Base::get_octet_seq() { return get_numbers<CORBA::OctetSeq>(node(), Kind::Octet); }
CORBA::CharSeq* Base::get_char_seq() { return get_numbers<CORBA::CharSeq>(node(), Kind::Char); }
CORBA::ShortSeq* Base::get_short_seq() { return get_numbers<CORBA::ShortSeq>(node(), Kind::Short); }
CORBA::UShortSeq* Base::get_ushort_seq() { return get_numbers<CORBA::UShortSeq>(node(), Kind::UShort); }
CORBA::LongSeq* Base::get_long_seq() { return get_numbers<CORBA::LongSeq>(node(), Kind::Long); }
CORBA::ULongSeq* Base::get_ulong_seq() { return get_numbers<CORBA::ULongSeq>(node(), Kind::ULong); }
CORBA::FloatSeq* Base::get_float_seq() { return get_numbers<CORBA::FloatSeq>(node(), Kind::Float); }
CORBA::DoubleSeq* Base::get_double_seq() { return get_numbers<CORBA::DoubleSeq>(node(), Kind::Double); }
CORBA::LongLongSeq* Base::get_longlong_seq() {
  return get_numbers<CORBA::LongLongSeq>(node(), Kind::LongLong);
}
CORBA::ULongLongSeq* Base::get_ulonglong_seq() {
  return get_numbers<CORBA::ULongLongSeq>(node(), Kind::ULongLong);
}
CORBA::LongDoubleSeq* Base::get_longdouble_seq() {
  return get_run<CORBA::LongDoubleSeq>(node(), Kind::LongDouble,
                                       [](cdr::Decoder& in, CORBA::LongDouble* to, CORBA::ULong n) {
                                         for (CORBA::ULong i = 0; i < n; ++i)
                                           if (!cpp::get_long_double(in, to[i])) return false;
                                         return true;
                                       });
}
CORBA::WCharSeq* Base::get_wchar_seq() {
  return get_run<CORBA::WCharSeq>(node(), Kind::WChar,
                                  [](cdr::Decoder& in, CORBA::WChar* to, CORBA::ULong n) {
                                    for (CORBA::ULong i = 0; i < n; ++i)
                                      if (!cpp::get_wchar(in, to[i])) return false;
                                    return true;
                                  });
}

}  // namespace corbel::dynamic_any
