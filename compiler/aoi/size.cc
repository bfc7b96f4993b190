#include "compiler/aoi/size.h"

#include <algorithm>

namespace corbel::idl::aoi {
namespace {

std::uint64_t octets(Basic basic) {
  switch (basic) {
    case Basic::Void:
      return 0;
    case Basic::Boolean:
    case Basic::Octet:
    case Basic::Char:
    case Basic::WChar:
    case Basic::Int8:
    case Basic::UInt8:
      return 1;
    case Basic::Short:
    case Basic::UShort:
      return 2;
    case Basic::Long:
    case Basic::ULong:
    case Basic::Float:
      return 4;
    case Basic::LongLong:
    case Basic::ULongLong:
    case Basic::Double:
      return 8;
    case Basic::LongDouble:
      return 16;
  }
  return 0;
}

}  // namespace

std::uint64_t LeastSizes::of(const Type* type) {
  if (!type) return 0;
  std::uint64_t size = 4;  // a length, a kind, a tag
  switch (type->kind) {
    case Type::Kind::Basic:
      return octets(type->basic);
    case Type::Kind::Named:
      return of(*type->decl);
    case Type::Kind::Fixed:
      return type->digits / 2u + 1u;
    case Type::Kind::Array:
      size = of(type->element);
      // Without overflow: a factor is at most 2^32, and what reached the limit needs none.
      for (const std::uint32_t n : type->dims)
        if (size < kLargest) size = n > kLargest / std::max<std::uint64_t>(size, 1) ? kLargest : size * n;
      return size;
    default:
      return size;
  }
}

std::uint64_t LeastSizes::of(const Decl& decl) {
  if (const auto i = known_.find(&decl); i != known_.end()) return i->second;
  const std::uint64_t size = measure(decl);
  known_.emplace(&decl, size);
  return size;
}

std::uint64_t LeastSizes::sum(const std::vector<Field>& fields) {
  std::uint64_t size = 0;
  for (const Field& f : fields) size = std::min(kLargest, size + of(f.type));
  return size;
}

std::uint64_t LeastSizes::measure(const Decl& decl) {
  switch (decl.kind) {
    case Decl::Kind::Struct: {
      const auto& s = static_cast<const Struct&>(decl);
      return std::min(kLargest, (s.base ? of(*s.base) : 0) + sum(s.fields));
    }
    case Decl::Kind::Exception:
      return sum(static_cast<const Exception&>(decl).fields);
    case Decl::Kind::Union: {
      const auto& u = static_cast<const Union&>(decl);
      std::uint64_t least = u.implicit_default || u.cases.empty() ? 0 : kLargest;
      for (const Union::Case& c : u.cases) least = std::min(least, of(c.field.type));
      return std::min(kLargest, of(u.discriminator) + least);
    }
    case Decl::Kind::Typedef:
      return of(static_cast<const Typedef&>(decl).type);
    case Decl::Kind::Bitmask:
      return static_cast<const Bitmask&>(decl).bits / 8;
    case Decl::Kind::Enum:
    case Decl::Kind::Interface:
    case Decl::Kind::Value:
    case Decl::Kind::ValueBox:
      return 4;
    default:
      return 0;
  }
}

}  // namespace corbel::idl::aoi
