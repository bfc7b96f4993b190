// The repository id that stands before an exception's members in an Any, and that omniORB leaves out.
#pragma once

#include <cstdint>
#include <cstring>

#include <corbel/cdr/decoder.h>
#include <corbel/types/type_code.h>

namespace corbel::types {

// One for all exceptions of a value.
class ExceptionIds {
 public:
  // Whether the exception's id stands next, as it was sent. False, and so is the decoder, where another's
  // stands there, and where octets that nothing reads were looked at again and again: only types that nobody
  // writes down have exceptions side by side.
  bool look(cdr::Decoder& in, const TypeCode& exception, bool& stands_next) {
    stands_next = false;
    cdr::Decoder ahead = in;
    std::uint32_t length;
    if (!ahead.get(length) || length == 0) return true;
    looked_at_ += length;
    if (looked_at_ > in.offset() + length + kMostInVain) return in.fail();
    // Long ones are not looked at for nothing: across chunks of a value that would be a copy.
    if (strnlen(exception.id, length) != length - 1 &&
        (length > kLongestOther || !begins_with_number(exception)))
      return true;
    const char* const p = ahead.chunk<1>(length);
    if (!p || strnlen(p, length) != length - 1) return true;
    stands_next = std::strcmp(p, exception.id) == 0;
    return stands_next || !begins_with_number(exception) ||
           (std::strncmp(p, "IDL:", 4) != 0 && std::strncmp(p, "RMI:", 4) != 0) || in.fail();
  }
  bool step_over(cdr::Decoder& in, const TypeCode& exception) {
    bool stands_next;
    std::uint32_t length;
    if (!look(in, exception, stands_next)) return false;
    return !stands_next || (in.get(length) && in.chunk<1>(length)) || in.fail();
  }

 private:
  // Its members without an id do not look like one. Where they begin with text, or there are none and text
  // may follow, they can.
  static bool begins_with_number(const TypeCode& exception) {
    if (exception.member_count == 0) return false;
    switch (resolve(exception.members[0].type)->kind) {
      case Kind::Short:
      case Kind::Long:
      case Kind::UShort:
      case Kind::ULong:
      case Kind::Float:
      case Kind::Double:
      case Kind::Boolean:
      case Kind::Char:
      case Kind::Octet:
      case Kind::Enum:
      case Kind::LongLong:
      case Kind::ULongLong:
      case Kind::LongDouble:
        return true;
      default:
        return false;
    }
  }

  static constexpr std::uint32_t kLongestOther = 1024;
  static constexpr std::size_t kMostInVain = 1 << 20;
  std::size_t looked_at_ = 0;
};

}  // namespace corbel::types
