#include "orb/dynamic_any/octets.h"

#include <corbel/cpp/exception.h>
#include <corbel/cpp/value_scope.h>

#include <cstring>

namespace corbel::dynamic_any {

Octets::Octets(const cdr::Encoder& out, std::size_t begin) {
  if (out.size() > UINT32_MAX)
    cpp::raise({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a DynAny holds less than 4 GiB"});
  memory_ = std::make_shared_for_overwrite<char[]>(out.size());
  if (out.size() > begin) std::memcpy(memory_.get() + begin, out.data() + begin, out.size() - begin);
  begin_ = static_cast<std::uint32_t>(begin);
  end_ = static_cast<std::uint32_t>(out.size());
}

Octets::Octets(const void* number, std::uint32_t size)
    : memory_(std::make_shared_for_overwrite<char[]>(size)), end_(size) {
  std::memcpy(memory_.get(), number, size);
}

cdr::Decoder Octets::decoder(void* orb) const {
  const char* const origin = memory_.get();
  cdr::Decoder in(origin, origin + begin_, origin + end_, false);
  in.set_context(nullptr, false, orb);
  return in;
}

Octets Octets::part(std::uint32_t begin, std::uint32_t end) const {
  Octets part = *this;
  part.begin_ = begin;
  part.end_ = end;
  return part;
}

void Octets::write(cdr::Encoder& out, const types::TypeCode& type) const {
  if (size() == 0) return;
  if (out.offset() % 8 == begin_ % 8) return out.copied_run<1>(memory_.get() + begin_, size());
  cdr::Decoder in = decoder(nullptr);
  const cpp::ReadValues scope(in);
  if (!types::transcode(in, out, type))
    out.fail({SystemErrorId::MARSHAL, Completion::No, 0, "what a DynAny holds cannot be written here"});
}

bool Octets::same(const Octets& other) const {
  return size() == other.size() && begin_ % 8 == other.begin_ % 8 &&
         (size() == 0 ||
          std::memcmp(memory_.get() + begin_, other.memory_.get() + other.begin_, size()) == 0);
}

}  // namespace corbel::dynamic_any
