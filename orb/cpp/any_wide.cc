// Wide characters and strings, long double and fixed in Anys.
#include <corbel/cpp/any.h>
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/wide.h>

namespace CORBA {
namespace {

using corbel::cpp::AnyOperations;
using corbel::types::Kind;

template <typename T, void (*Put)(corbel::cdr::Encoder&, T), bool (*Get)(corbel::cdr::Decoder&, T&)>
constexpr AnyOperations kNumberOperations = {
    [](const void* value) -> void* { return new T(*static_cast<const T*>(value)); },
    [](void* value) { delete static_cast<T*>(value); },
    [](corbel::cdr::Encoder& out, const void* value) { Put(out, *static_cast<const T*>(value)); },
    [](corbel::cdr::Decoder& in) -> void* {
      T value;
      return Get(in, value) ? new T(value) : nullptr;
    }};
constexpr const AnyOperations& kWCharOperations =
    kNumberOperations<WChar, corbel::cpp::put_wchar, corbel::cpp::get_wchar>;
constexpr const AnyOperations& kLongDoubleOperations =
    kNumberOperations<LongDouble, corbel::cpp::put_long_double, corbel::cpp::get_long_double>;

constexpr AnyOperations kWStringOperations = {
    [](const void* value) -> void* { return wstring_dup(static_cast<const WChar*>(value)); },
    [](void* value) { wstring_free(static_cast<WChar*>(value)); },
    [](corbel::cdr::Encoder& out, const void* value) {
      corbel::cpp::put_wstring(out, static_cast<const WChar*>(value));
    },
    [](corbel::cdr::Decoder& in) -> void* {
      WChar* text = nullptr;
      return corbel::cpp::get_wstring(in, text) ? text : nullptr;
    }};

// Counted for the caller.
TypeCode_ptr made(const corbel::types::TypeCode& type) {
  auto* const copy = corbel::types::copy(type);
  if (!copy) throw NO_MEMORY();
  return static_cast<TypeCode_ptr>(copy);
}
TypeCode_ptr wstring_type(ULong bound) {
  if (bound == 0) return _tc_wstring;
  return made({Kind::WString, "", "", nullptr, nullptr, 0, bound});
}
TypeCode_ptr fixed_type(UShort digits, UShort scale) {
  return made({Kind::Fixed, "", "", nullptr, nullptr, 0, digits, scale});
}

}  // namespace

void Any::operator<<=(from_wchar from) { _corbel_adopt(*_tc_wchar, new WChar(from.val), kWCharOperations); }
Boolean Any::operator>>=(to_wchar to) const {
  const void* const found = _corbel_extract(*_tc_wchar, kWCharOperations);
  if (found) to.ref = *static_cast<const WChar*>(found);
  return found != nullptr;
}

void Any::operator<<=(from_wstring from) {
  if (!from.val) throw BAD_PARAM();
  WString_var text = from.take ? from.val : wstring_dup(from.val);
  if (!text.in()) throw NO_MEMORY();
  ULong length = 0;
  while (text.in()[length] != 0) ++length;
  if (from.bound != 0 && length > from.bound) throw BAD_PARAM();
  TypeCode_var type = wstring_type(from.bound);
  _corbel_adopt(*type.in(), text._retn(), kWStringOperations);
}
Boolean Any::operator>>=(to_wstring to) const {
  TypeCode type(Kind::WString, "", "", nullptr, nullptr, 0, to.bound);
  const void* const found = _corbel_extract(type, kWStringOperations);
  if (found) to.val = static_cast<const WChar*>(found);
  return found != nullptr;
}

void operator<<=(Any& any, LongDouble v) {
  any._corbel_adopt(*_tc_longdouble, new LongDouble(v), kLongDoubleOperations);
}
Boolean operator>>=(const Any& any, LongDouble& v) {
  const void* const found = any._corbel_extract(*_tc_longdouble, kLongDoubleOperations);
  if (found) v = *static_cast<const LongDouble*>(found);
  return found != nullptr;
}

// A fixed is packed decimals at once: single octets, so of no byte order or alignment.
void Any::operator<<=(from_fixed from) {
  if (from.digits == 0 || from.digits > Fixed::kMostDigits || from.scale > from.digits) throw BAD_PARAM();
  unsigned char packed[Fixed::kMostDigits / 2 + 1];
  from.val._corbel_fitted(from.digits, from.scale)._corbel_pack(packed, from.digits, from.scale);
  TypeCode_var type = fixed_type(from.digits, from.scale);
  _corbel_put(*type.in(), packed, from.digits / 2u + 1);
}
Boolean Any::operator>>=(to_fixed to) const {
  TypeCode type(Kind::Fixed, "", "", nullptr, nullptr, 0, to.digits, to.scale);
  if (!bytes_ || !type_->equivalent(&type)) return false;
  corbel::cdr::Decoder in = decoder();
  const char* const packed = in.chunk<1>(to.digits / 2u + 1);
  return packed && to.val._corbel_unpack(reinterpret_cast<const unsigned char*>(packed), to.digits, to.scale);
}

}  // namespace CORBA
