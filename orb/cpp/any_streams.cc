// What the streams of custom values say with Any, TypeCode and fixed.
#include <corbel/cpp/any_seq.h>
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/value.h>

namespace CORBA {
namespace {

// Sequences are written and read in part.
void check_written(const AnySeq& seq, ULong offset, ULong length) {
  if (offset > seq.length() || length > seq.length() - offset) throw BAD_PARAM();
}
void make_room(AnySeq& seq, ULong offset, ULong length, std::size_t size, std::size_t left) {
  if (length > left / size) DataInputStream::_corbel_malformed();
  if (length > ~ULong{0} - offset) throw BAD_PARAM();
  if (seq.length() < offset + length) seq.length(offset + length);
}

}  // namespace

void DataOutputStream::write_any(const Any& v) { v._corbel_marshal(out_); }
void DataOutputStream::write_TypeCode(TypeCode* v) { corbel::cdr::marshal(out_, v); }

void DataOutputStream::write_any_array(const AnySeq& seq, ULong offset, ULong length) {
  check_written(seq, offset, length);
  for (ULong i = 0; i < length; ++i) write_any(seq[offset + i]);
}

void DataOutputStream::write_fixed(const Any& fixed_value) {
  TypeCode_var type = fixed_value.type();
  const corbel::types::TypeCode& fixed = *corbel::types::resolve(type.in());
  if (fixed.kind != corbel::types::Kind::Fixed || fixed.special < 0) throw BAD_PARAM();
  Fixed value;
  const auto digits = static_cast<UShort>(fixed.length), scale = static_cast<UShort>(fixed.special);
  if (!(fixed_value >>= Any::to_fixed(value, digits, scale))) throw BAD_PARAM();
  corbel::cpp::put_fixed(out_, value, digits, scale);
}

void DataOutputStream::write_fixed_array(const AnySeq& seq, ULong offset, ULong length) {
  check_written(seq, offset, length);
  for (ULong i = 0; i < length; ++i) write_fixed(seq[offset + i]);
}

Any* DataInputStream::read_any() {
  Any_var any = new Any;
  if (!any->_corbel_unmarshal(in_)) _corbel_malformed();
  return any._retn();
}

TypeCode* DataInputStream::read_TypeCode() {
  TypeCode_var type;
  if (!corbel::cdr::unmarshal(in_, type)) _corbel_malformed();
  return type._retn();
}

void DataInputStream::read_any_array(AnySeq& seq, ULong offset, ULong length) {
  make_room(seq, offset, length, 4, in_.remaining());
  for (ULong i = 0; i < length; ++i)
    if (!seq[offset + i]._corbel_unmarshal(in_)) _corbel_malformed();
}

Any* DataInputStream::read_fixed(UShort digits, Short scale) {
  if (digits == 0 || digits > 31 || scale < 0 || scale > digits) throw BAD_PARAM();
  Fixed value;
  const char* const packed = in_.chunk<1>(digits / 2u + 1);
  if (!packed || !value._corbel_unpack(reinterpret_cast<const unsigned char*>(packed), digits, scale))
    _corbel_malformed();
  Any_var any = new Any;
  *any.ptr() <<= Any::from_fixed(value, digits, static_cast<UShort>(scale));
  return any._retn();
}

void DataInputStream::read_fixed_array(AnySeq& seq, ULong offset, ULong length, UShort digits, Short scale) {
  make_room(seq, offset, length, digits / 2 + std::size_t{1}, in_.remaining());
  for (ULong i = 0; i < length; ++i) {
    Any_var any = read_fixed(digits, scale);
    seq[offset + i] = any.in();
  }
}

}  // namespace CORBA
