// The streams of custom values; what is about Any stands in any_streams.cc.
#include <corbel/cpp/abstract.h>
#include <corbel/cpp/basic_seqs.h>
#include <corbel/cpp/value.h>

#include <cstring>

namespace CORBA {
namespace {

// Whether [offset, offset + length) can be indices.
bool within(ULong offset, ULong length, ULong most) { return offset <= most && length <= most - offset; }

template <typename S>
const auto* elements(const S& seq, ULong offset, ULong length) {
  if (!within(offset, length, seq.length())) throw BAD_PARAM();
  return seq.get_buffer() + offset;
}

// Text that is wrong may be so because it cannot be converted.
[[noreturn]] void bad_text(const corbel::cdr::Decoder& in) {
  if (in.bad_text()) throw DATA_CONVERSION(0x4f4d0001, COMPLETED_MAYBE);
  DataInputStream::_corbel_malformed();
}

// Room for what is going to be read: not more than `left` octets of the message can fill.
template <typename S>
auto* room(S& seq, ULong offset, ULong length, std::size_t size, std::size_t left) {
  if (length > left / size) DataInputStream::_corbel_malformed();
  if (!within(offset, length, ~ULong{0})) throw BAD_PARAM();
  if (seq.length() < offset + length) seq.length(offset + length);
  return seq.get_buffer() + offset;
}

template <typename S>
void write_run(corbel::cdr::Encoder& out, const S& seq, ULong offset, ULong length) {
  const auto* const from = elements(seq, offset, length);
  out.run<sizeof *from>(from, std::size_t{length} * sizeof *from);
}
template <typename S>
void read_run(corbel::cdr::Decoder& in, S& seq, ULong offset, ULong length) {
  auto* const to = room(seq, offset, length, sizeof *seq.get_buffer(), in.remaining());
  if (!in.get_run(to, length)) DataInputStream::_corbel_malformed();
}

}  // namespace

void DataOutputStream::write_wchar(WChar v) { corbel::cpp::put_wchar(out_, v); }
void DataOutputStream::write_longdouble(LongDouble v) { corbel::cpp::put_long_double(out_, v); }
void DataOutputStream::write_wstring(const WChar* v) { corbel::cpp::put_wstring(out_, v); }
void DataOutputStream::write_Abstract(AbstractBase* v) { corbel::cpp::put_abstract_base(out_, v); }
void DataOutputStream::write_Value(ValueBase* v) { corbel::cpp::put_value_base(out_, v); }

void DataOutputStream::write_wchar_array(const WCharSeq& seq, ULong offset, ULong length) {
  const WChar* const from = elements(seq, offset, length);
  for (ULong i = 0; i < length; ++i) write_wchar(from[i]);
}
void DataOutputStream::write_boolean_array(const BooleanSeq& seq, ULong offset, ULong length) {
  write_run(out_, seq, offset, length);
}
void DataOutputStream::write_char_array(const CharSeq& seq, ULong offset, ULong length) {
  out_.run_chars(elements(seq, offset, length), length);
}
void DataOutputStream::write_octet_array(const OctetSeq& seq, ULong offset, ULong length) {
  write_run(out_, seq, offset, length);
}
void DataOutputStream::write_short_array(const ShortSeq& seq, ULong offset, ULong length) {
  write_run(out_, seq, offset, length);
}
void DataOutputStream::write_ushort_array(const UShortSeq& seq, ULong offset, ULong length) {
  write_run(out_, seq, offset, length);
}
void DataOutputStream::write_long_array(const LongSeq& seq, ULong offset, ULong length) {
  write_run(out_, seq, offset, length);
}
void DataOutputStream::write_ulong_array(const ULongSeq& seq, ULong offset, ULong length) {
  write_run(out_, seq, offset, length);
}
void DataOutputStream::write_longlong_array(const LongLongSeq& seq, ULong offset, ULong length) {
  write_run(out_, seq, offset, length);
}
void DataOutputStream::write_ulonglong_array(const ULongLongSeq& seq, ULong offset, ULong length) {
  write_run(out_, seq, offset, length);
}
void DataOutputStream::write_float_array(const FloatSeq& seq, ULong offset, ULong length) {
  write_run(out_, seq, offset, length);
}
void DataOutputStream::write_double_array(const DoubleSeq& seq, ULong offset, ULong length) {
  write_run(out_, seq, offset, length);
}

void DataInputStream::_corbel_malformed() { throw MARSHAL(0, COMPLETED_MAYBE); }

Boolean DataInputStream::read_boolean() {
  Boolean v;
  if (!in_.get_boolean(v)) _corbel_malformed();
  return v;
}

WChar DataInputStream::read_wchar() {
  WChar v;
  if (!corbel::cpp::get_wchar(in_, v)) bad_text(in_);
  return v;
}

LongDouble DataInputStream::read_longdouble() {
  LongDouble v;
  if (!corbel::cpp::get_long_double(in_, v)) _corbel_malformed();
  return v;
}

char* DataInputStream::read_string() {
  const char* text;
  std::uint32_t length;
  if (!in_.get_string_view(text, length)) bad_text(in_);
  char* const copy = string_alloc(length);
  if (!copy) throw NO_MEMORY();
  std::memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

WChar* DataInputStream::read_wstring() {
  WString_var text;
  if (!corbel::cpp::get_wstring(in_, text)) bad_text(in_);
  return text._retn();
}

Object_ptr DataInputStream::read_Object() {
  Object_ptr object = nullptr;
  if (!corbel::cpp::get_reference(in_, object)) _corbel_malformed();
  return object;
}

AbstractBase* DataInputStream::read_Abstract() {
  AbstractBase* object = nullptr;
  if (!corbel::cpp::get_abstract(in_, object)) _corbel_malformed();
  return object;
}

ValueBase* DataInputStream::read_Value() {
  ValueBase* value = nullptr;
  if (!corbel::cpp::get_value(in_, value)) _corbel_malformed();
  return value;
}

void DataInputStream::read_boolean_array(BooleanSeq& seq, ULong offset, ULong length) {
  Boolean* const to = room(seq, offset, length, 1, in_.remaining());
  if (!in_.get_boolean_run(to, length)) _corbel_malformed();
}
void DataInputStream::read_wchar_array(WCharSeq& seq, ULong offset, ULong length) {
  WChar* const to = room(seq, offset, length, 2, in_.remaining());
  for (ULong i = 0; i < length; ++i) to[i] = read_wchar();
}
void DataInputStream::read_char_array(CharSeq& seq, ULong offset, ULong length) {
  if (!in_.get_chars(room(seq, offset, length, 1, in_.remaining()), length)) bad_text(in_);
}
void DataInputStream::read_octet_array(OctetSeq& seq, ULong offset, ULong length) {
  read_run(in_, seq, offset, length);
}
void DataInputStream::read_short_array(ShortSeq& seq, ULong offset, ULong length) {
  read_run(in_, seq, offset, length);
}
void DataInputStream::read_ushort_array(UShortSeq& seq, ULong offset, ULong length) {
  read_run(in_, seq, offset, length);
}
void DataInputStream::read_long_array(LongSeq& seq, ULong offset, ULong length) {
  read_run(in_, seq, offset, length);
}
void DataInputStream::read_ulong_array(ULongSeq& seq, ULong offset, ULong length) {
  read_run(in_, seq, offset, length);
}
void DataInputStream::read_longlong_array(LongLongSeq& seq, ULong offset, ULong length) {
  read_run(in_, seq, offset, length);
}
void DataInputStream::read_ulonglong_array(ULongLongSeq& seq, ULong offset, ULong length) {
  read_run(in_, seq, offset, length);
}
void DataInputStream::read_float_array(FloatSeq& seq, ULong offset, ULong length) {
  read_run(in_, seq, offset, length);
}
void DataInputStream::read_double_array(DoubleSeq& seq, ULong offset, ULong length) {
  read_run(in_, seq, offset, length);
}

}  // namespace CORBA
