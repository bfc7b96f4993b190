// The sequences and boxes of CORBA's own IDL in Anys, and CORBA::AnySeq (CORBA 3.4 part 1, "Standard Types").
#pragma once

#include <corbel/cpp/any_value.h>
#include <corbel/cpp/basic_seqs.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/string_value.h>

namespace CORBA {

class [[gnu::visibility("default")]] AnySeq : public corbel::cpp::UnboundedSequence<Any> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<AnySeq> AnySeq_var;
typedef corbel::cpp::VariableOut<AnySeq, AnySeq_var> AnySeq_out;

}  // namespace CORBA

namespace corbel::tc {

[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_AnySeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_BooleanSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_CharSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_WCharSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_OctetSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_ShortSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_UShortSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_LongSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_ULongSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_LongLongSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_ULongLongSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_FloatSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_DoubleSeq;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_StringValue;
[[gnu::visibility("default")]] extern CORBA::TypeCode _tc_WStringValue;

}  // namespace corbel::tc

namespace corbel::cdr {

inline void marshal(Encoder& out, const CORBA::AnySeq& value) {
  out.put<CORBA::ULong>(value.length());
  for (CORBA::ULong i = 0; i < value.length(); ++i) marshal(out, value[i]);
}
inline bool unmarshal(Decoder& in, CORBA::AnySeq& value) {
  CORBA::ULong n;
  if (!in.get_length(n, 4)) return false;
  CORBA::Any* const to = value._corbel_overwrite(n);
  for (CORBA::ULong i = 0; i < n; ++i)
    if (!unmarshal(in, to[i])) return false;
  return true;
}

}  // namespace corbel::cdr

namespace corbel::cpp {

// The TypeCode of each, and whether there is one: compilers that look for null pointers at run time do not
// compare these with null while they compile.
template <typename T>
inline constexpr CORBA::TypeCode* kStandardType = nullptr;
template <typename T>
inline constexpr bool kIsStandard = false;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::AnySeq> = &tc::_tc_AnySeq;
template <>
inline constexpr bool kIsStandard<CORBA::AnySeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::BooleanSeq> = &tc::_tc_BooleanSeq;
template <>
inline constexpr bool kIsStandard<CORBA::BooleanSeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::CharSeq> = &tc::_tc_CharSeq;
template <>
inline constexpr bool kIsStandard<CORBA::CharSeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::WCharSeq> = &tc::_tc_WCharSeq;
template <>
inline constexpr bool kIsStandard<CORBA::WCharSeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::OctetSeq> = &tc::_tc_OctetSeq;
template <>
inline constexpr bool kIsStandard<CORBA::OctetSeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::ShortSeq> = &tc::_tc_ShortSeq;
template <>
inline constexpr bool kIsStandard<CORBA::ShortSeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::UShortSeq> = &tc::_tc_UShortSeq;
template <>
inline constexpr bool kIsStandard<CORBA::UShortSeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::LongSeq> = &tc::_tc_LongSeq;
template <>
inline constexpr bool kIsStandard<CORBA::LongSeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::ULongSeq> = &tc::_tc_ULongSeq;
template <>
inline constexpr bool kIsStandard<CORBA::ULongSeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::LongLongSeq> = &tc::_tc_LongLongSeq;
template <>
inline constexpr bool kIsStandard<CORBA::LongLongSeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::ULongLongSeq> = &tc::_tc_ULongLongSeq;
template <>
inline constexpr bool kIsStandard<CORBA::ULongLongSeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::FloatSeq> = &tc::_tc_FloatSeq;
template <>
inline constexpr bool kIsStandard<CORBA::FloatSeq> = true;
template <>
inline constexpr CORBA::TypeCode* kStandardType<CORBA::DoubleSeq> = &tc::_tc_DoubleSeq;
template <>
inline constexpr bool kIsStandard<CORBA::DoubleSeq> = true;
template <typename T, bool = kIsStandard<T>>
struct StandardOnly {};
template <typename T>
struct StandardOnly<T, true> {
  typedef T type;
};
template <typename T>
using IfStandard = typename StandardOnly<T>::type;

}  // namespace corbel::cpp

namespace CORBA {

constexpr TypeCode_ptr _tc_AnySeq = &corbel::tc::_tc_AnySeq;
constexpr TypeCode_ptr _tc_BooleanSeq = &corbel::tc::_tc_BooleanSeq;
constexpr TypeCode_ptr _tc_CharSeq = &corbel::tc::_tc_CharSeq;
constexpr TypeCode_ptr _tc_WCharSeq = &corbel::tc::_tc_WCharSeq;
constexpr TypeCode_ptr _tc_OctetSeq = &corbel::tc::_tc_OctetSeq;
constexpr TypeCode_ptr _tc_ShortSeq = &corbel::tc::_tc_ShortSeq;
constexpr TypeCode_ptr _tc_UShortSeq = &corbel::tc::_tc_UShortSeq;
constexpr TypeCode_ptr _tc_LongSeq = &corbel::tc::_tc_LongSeq;
constexpr TypeCode_ptr _tc_ULongSeq = &corbel::tc::_tc_ULongSeq;
constexpr TypeCode_ptr _tc_LongLongSeq = &corbel::tc::_tc_LongLongSeq;
constexpr TypeCode_ptr _tc_ULongLongSeq = &corbel::tc::_tc_ULongLongSeq;
constexpr TypeCode_ptr _tc_FloatSeq = &corbel::tc::_tc_FloatSeq;
constexpr TypeCode_ptr _tc_DoubleSeq = &corbel::tc::_tc_DoubleSeq;
constexpr TypeCode_ptr _tc_StringValue = &corbel::tc::_tc_StringValue;
constexpr TypeCode_ptr _tc_WStringValue = &corbel::tc::_tc_WStringValue;

template <typename S, typename = corbel::cpp::IfStandard<S>>
void operator<<=(Any& any, const S& value) {
  corbel::cpp::insert(any, *corbel::cpp::kStandardType<S>, value);
}
template <typename S, typename = corbel::cpp::IfStandard<S>>
void operator<<=(Any& any, S* adopted) {
  corbel::cpp::insert_adopted(any, *corbel::cpp::kStandardType<S>, adopted);
}
template <typename S, typename = corbel::cpp::IfStandard<S>>
Boolean operator>>=(const Any& any, const S*& value) {
  return corbel::cpp::extract(any, *corbel::cpp::kStandardType<S>, value);
}
template <typename S, typename = corbel::cpp::IfStandard<S>>
Boolean operator>>=(const Any& any, S*& value) {
  return any >>= const_cast<const S*&>(value);
}

inline void operator<<=(Any& any, StringValue* value) {
  corbel::cpp::insert_value(any, corbel::tc::_tc_StringValue, StringValue::_duplicate(value));
}
inline void operator<<=(Any& any, StringValue** adopted) {
  corbel::cpp::insert_value(any, corbel::tc::_tc_StringValue, *adopted);
}
inline Boolean operator>>=(const Any& any, StringValue*& value) {
  return corbel::cpp::extract_value(any, corbel::tc::_tc_StringValue, value);
}
inline void operator<<=(Any& any, WStringValue* value) {
  corbel::cpp::insert_value(any, corbel::tc::_tc_WStringValue, WStringValue::_duplicate(value));
}
inline void operator<<=(Any& any, WStringValue** adopted) {
  corbel::cpp::insert_value(any, corbel::tc::_tc_WStringValue, *adopted);
}
inline Boolean operator>>=(const Any& any, WStringValue*& value) {
  return corbel::cpp::extract_value(any, corbel::tc::_tc_WStringValue, value);
}

}  // namespace CORBA
