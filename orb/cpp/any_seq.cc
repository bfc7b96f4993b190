#include <corbel/cpp/any_seq.h>

namespace corbel::tc {
namespace {

using types::Kind;

constexpr CORBA::TypeCode sequence_of(const types::TypeCode& element) {
  return {Kind::Sequence, "", "", &element, nullptr, 0};
}

constinit CORBA::TypeCode of_any = sequence_of(_tc_any);
constinit CORBA::TypeCode of_boolean = sequence_of(_tc_boolean);
constinit CORBA::TypeCode of_char = sequence_of(_tc_char);
constinit CORBA::TypeCode of_wchar = sequence_of(_tc_wchar);
constinit CORBA::TypeCode of_octet = sequence_of(_tc_octet);
constinit CORBA::TypeCode of_short = sequence_of(_tc_short);
constinit CORBA::TypeCode of_ushort = sequence_of(_tc_ushort);
constinit CORBA::TypeCode of_long = sequence_of(_tc_long);
constinit CORBA::TypeCode of_ulong = sequence_of(_tc_ulong);
constinit CORBA::TypeCode of_longlong = sequence_of(_tc_longlong);
constinit CORBA::TypeCode of_ulonglong = sequence_of(_tc_ulonglong);
constinit CORBA::TypeCode of_float = sequence_of(_tc_float);
constinit CORBA::TypeCode of_double = sequence_of(_tc_double);

}  // namespace

constinit CORBA::TypeCode _tc_AnySeq{
    Kind::Alias, "IDL:omg.org/CORBA/AnySeq:1.0", "AnySeq", &of_any, nullptr, 0};
constinit CORBA::TypeCode _tc_BooleanSeq{
    Kind::Alias, "IDL:omg.org/CORBA/BooleanSeq:1.0", "BooleanSeq", &of_boolean, nullptr, 0};
constinit CORBA::TypeCode _tc_CharSeq{
    Kind::Alias, "IDL:omg.org/CORBA/CharSeq:1.0", "CharSeq", &of_char, nullptr, 0};
constinit CORBA::TypeCode _tc_WCharSeq{
    Kind::Alias, "IDL:omg.org/CORBA/WCharSeq:1.0", "WCharSeq", &of_wchar, nullptr, 0};
constinit CORBA::TypeCode _tc_OctetSeq{
    Kind::Alias, "IDL:omg.org/CORBA/OctetSeq:1.0", "OctetSeq", &of_octet, nullptr, 0};
constinit CORBA::TypeCode _tc_ShortSeq{
    Kind::Alias, "IDL:omg.org/CORBA/ShortSeq:1.0", "ShortSeq", &of_short, nullptr, 0};
constinit CORBA::TypeCode _tc_UShortSeq{
    Kind::Alias, "IDL:omg.org/CORBA/UShortSeq:1.0", "UShortSeq", &of_ushort, nullptr, 0};
constinit CORBA::TypeCode _tc_LongSeq{
    Kind::Alias, "IDL:omg.org/CORBA/LongSeq:1.0", "LongSeq", &of_long, nullptr, 0};
constinit CORBA::TypeCode _tc_ULongSeq{
    Kind::Alias, "IDL:omg.org/CORBA/ULongSeq:1.0", "ULongSeq", &of_ulong, nullptr, 0};
constinit CORBA::TypeCode _tc_LongLongSeq{
    Kind::Alias, "IDL:omg.org/CORBA/LongLongSeq:1.0", "LongLongSeq", &of_longlong, nullptr, 0};
constinit CORBA::TypeCode _tc_ULongLongSeq{
    Kind::Alias, "IDL:omg.org/CORBA/ULongLongSeq:1.0", "ULongLongSeq", &of_ulonglong, nullptr, 0};
constinit CORBA::TypeCode _tc_FloatSeq{
    Kind::Alias, "IDL:omg.org/CORBA/FloatSeq:1.0", "FloatSeq", &of_float, nullptr, 0};
constinit CORBA::TypeCode _tc_DoubleSeq{
    Kind::Alias, "IDL:omg.org/CORBA/DoubleSeq:1.0", "DoubleSeq", &of_double, nullptr, 0};
constinit CORBA::TypeCode _tc_StringValue{
    Kind::ValueBox, "IDL:omg.org/CORBA/StringValue:1.0", "StringValue", &_tc_string, nullptr, 0};
constinit CORBA::TypeCode _tc_WStringValue{
    Kind::ValueBox, "IDL:omg.org/CORBA/WStringValue:1.0", "WStringValue", &_tc_wstring, nullptr, 0};

}  // namespace corbel::tc
