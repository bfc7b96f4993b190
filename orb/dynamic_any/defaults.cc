// Default values (CORBA 3.4 part 1, "DynAny Interface": creating a DynAny from a TypeCode), and what numbers
// look like.
#include <corbel/cpp/any.h>
#include <corbel/cpp/wide.h>

#include "orb/dynamic_any/tree.h"

namespace corbel::dynamic_any {
namespace {

constexpr std::size_t kMostOctets = 256 << 20;
constexpr std::size_t kMostSteps = 16 << 20;
constexpr int kDeepest = cdr::Decoder::kMaxDepth;

class Defaults {
 public:
  explicit Defaults(cdr::Encoder& out) : out_(out) {}

  bool put(const types::TypeCode& type) {
    if (++steps_ > kMostSteps || out_.size() > kMostOctets) too_large();
    const types::TypeCode& t = *types::resolve(&type);
    switch (t.kind) {
      case Kind::Null:
      case Kind::Void:
        return true;
      case Kind::LongDouble:
        return zeros<8>(16), true;
      case Kind::Enum:
        return t.member_count != 0 && (out_.put(std::uint32_t{0}), true);
      case Kind::String:
        return out_.put_string(""), true;
      case Kind::WString:
        return cpp::put_wstring(out_, L""), true;
      case Kind::WChar:
        return cpp::put_wchar(out_, L'\0'), true;
      case Kind::Fixed:
        zeros<1>(t.length / 2);
        return out_.put(std::uint8_t{0x0c}), true;
      case Kind::Any:
      case Kind::TypeCode:
        return types::marshal(out_, *CORBA::_tc_null), true;
      case Kind::ObjRef:
      case Kind::Component:
      case Kind::Home:
        out_.put_string("");
        return out_.put(std::uint32_t{0}), true;
      case Kind::AbstractInterface:
        out_.put_boolean(false);
        return out_.put(std::uint32_t{0}), true;
      case Kind::Value:
      case Kind::Event:
      case Kind::ValueBox:
      case Kind::Sequence:
        return out_.put(std::uint32_t{0}), true;
      case Kind::Except:
        out_.put_string(t.id);
        return members(t);
      case Kind::Struct:
        return members(t);
      case Kind::Union:
        return choice(t);
      case Kind::Array:
        return elements(t);
      default:
        break;
    }
    switch (width_of(t)) {
      case 1:
        return out_.put(std::uint8_t{0}), true;
      case 2:
        return out_.put(std::uint16_t{0}), true;
      case 4:
        return out_.put(std::uint32_t{0}), true;
      case 8:
        return out_.put(std::uint64_t{0}), true;
      default:
        return false;
    }
  }

 private:
  [[noreturn]] static void too_large() {
    cpp::raise({SystemErrorId::IMP_LIMIT, Completion::No, 0, "the default value of the type is too large"});
  }
  void enter() {
    if (++depth_ > kDeepest) too_large();
  }
  template <std::size_t Align>
  void zeros(std::size_t size) {
    static constexpr char kZeros[4096] = {};
    for (std::size_t some; size != 0; size -= some) {
      some = size < sizeof kZeros ? size : sizeof kZeros;
      out_.copied_run<Align>(kZeros, some);
    }
  }
  bool members(const types::TypeCode& t) {
    enter();
    for (std::uint32_t i = 0; i < t.member_count; ++i)
      if (!put(*t.members[i].type)) return false;
    --depth_;
    return true;
  }
  // The first member.
  bool choice(const types::TypeCode& t) {
    if (t.member_count == 0) return false;
    enter();
    const types::TypeCode& d = *types::resolve(t.content);
    std::int64_t label = t.members[0].label;
    if (t.special == 0) {  // any that is no other member's
      const std::uint64_t all = labels_of(*t.content);
      for (label = 0; taken(t, label);)
        if (static_cast<std::uint64_t>(++label) == all) return false;
    }
    if (d.kind == Kind::Enum && (label < 0 || label >= std::int64_t{d.member_count})) return false;
    put_label(out_, d, label);
    if (!put(*t.members[0].type)) return false;
    --depth_;
    return true;
  }
  // Labels may have a sign or not.
  bool taken(const types::TypeCode& t, std::int64_t label) {
    const std::uint32_t width = width_of(*t.content);
    const unsigned rest = width == 0 ? 0 : 64 - 8 * width;
    if ((steps_ += t.member_count) > kMostSteps) too_large();
    for (std::uint32_t i = 1; i < t.member_count; ++i)
      if (static_cast<std::uint64_t>(t.members[i].label ^ label) << rest == 0) return true;
    return false;
  }
  bool elements(const types::TypeCode& t) {
    const types::TypeCode& e = *types::resolve(t.content);
    if (const std::uint32_t width = e.kind == Kind::Enum ? 0 : width_of(e)) {
      if (std::uint64_t{width} * t.length > kMostOctets) too_large();
      const std::size_t size = std::size_t{width} * t.length;
      if (size == 0) return true;
      switch (width) {
        case 1:
          return zeros<1>(size), true;
        case 2:
          return zeros<2>(size), true;
        case 4:
          return zeros<4>(size), true;
        default:
          return zeros<8>(size), true;
      }
    }
    enter();
    for (std::uint32_t i = 0; i < t.length; ++i)
      if (!put(e)) return false;
    --depth_;
    return true;
  }

  cdr::Encoder& out_;
  std::size_t steps_ = 0;
  int depth_ = 0;
};

}  // namespace

bool put_default(cdr::Encoder& out, const types::TypeCode& type) { return Defaults(out).put(type); }

std::uint32_t width_of(const types::TypeCode& type) {
  switch (types::resolve(&type)->kind) {
    case Kind::Boolean:
    case Kind::Char:
    case Kind::Octet:
      return 1;
    case Kind::Short:
    case Kind::UShort:
      return 2;
    case Kind::Long:
    case Kind::ULong:
    case Kind::Float:
    case Kind::Enum:
      return 4;
    case Kind::LongLong:
    case Kind::ULongLong:
    case Kind::Double:
      return 8;
    case Kind::LongDouble:
      return 16;
    default:
      return 0;
  }
}

std::uint64_t labels_of(const types::TypeCode& discriminator) {
  const types::TypeCode& d = *types::resolve(&discriminator);
  switch (d.kind) {
    case Kind::Boolean:
      return 2;
    case Kind::Enum:
      return d.member_count;
    case Kind::Char:
    case Kind::Octet:
      return 256;
    case Kind::Short:
    case Kind::UShort:
      return 65536;
    default:
      return UINT64_MAX;
  }
}

void put_label(cdr::Encoder& out, const types::TypeCode& discriminator, std::int64_t label) {
  const types::TypeCode& d = *types::resolve(&discriminator);
  if (d.kind == Kind::WChar) return cpp::put_wchar(out, static_cast<CORBA::WChar>(label));
  switch (width_of(d)) {
    case 1:
      return out.put(static_cast<std::uint8_t>(label));
    case 2:
      return out.put(static_cast<std::uint16_t>(label));
    case 8:
      return out.put(label);
    default:
      return out.put(static_cast<std::uint32_t>(label));
  }
}

}  // namespace corbel::dynamic_any
