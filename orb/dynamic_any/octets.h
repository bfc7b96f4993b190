// One value's octets: in host byte order, as GIOP 1.2 has them, and complete in themselves. Several share the
// memory of the one that they are parts of.
#pragma once

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#include <corbel/types/type_code.h>

#include <cstdint>
#include <memory>

namespace corbel::dynamic_any {

class Octets {
 public:
  Octets() = default;
  // What an encoder without externals has written, from `begin` on; IMP_LIMIT from 4 GiB on.
  Octets(const cdr::Encoder& out, std::size_t begin);
  // A number.
  Octets(const void* number, std::uint32_t size);

  // Alignment counts from the beginning of the memory.
  cdr::Decoder decoder(void* orb) const;
  Octets part(std::uint32_t begin, std::uint32_t end) const;
  std::uint32_t begin() const { return begin_; }
  std::uint32_t size() const { return end_ - begin_; }
  // They are a value of `type`.
  void write(cdr::Encoder& out, const types::TypeCode& type) const;
  bool same(const Octets& other) const;

 private:
  std::shared_ptr<char[]> memory_;
  std::uint32_t begin_ = 0, end_ = 0;
};

}  // namespace corbel::dynamic_any
