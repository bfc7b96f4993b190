// A message with values in chunks and Anys, written octet by octet, in one piece or in fragments of GIOP 1.1.
#pragma once

#include <corbel/any.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "value_message.h"

namespace value_message {

inline constexpr std::size_t kHeader = 12;

// Writes what follows a message's header, as a peer does that sends what it has whenever a fragment is full:
// numbers and text go on in the next one, what padding takes there is aligned anew.
class Written {
 public:
  explicit Written(bool swap, std::vector<std::size_t> cuts = {}) : swap_(swap), cuts_(std::move(cuts)) {}
  Written& number(std::uint32_t v) {
    if (swap_) v = __builtin_bswap32(v);
    return put(&v, 4, 4);
  }
  Written& number64(std::uint64_t v) {
    if (swap_) v = __builtin_bswap64(v);
    return put(&v, 8, 8);
  }
  Written& real(double v) {
    std::uint64_t bits;
    std::memcpy(&bits, &v, 8);
    return number64(bits);
  }
  Written& raw(const std::string& s) { return put(s.data(), s.size(), 1); }
  // Tells where it stands.
  std::size_t text(const std::string& s) {
    number(static_cast<std::uint32_t>(s.size() + 1));
    const std::size_t at = bytes_.size() - 4;
    raw(std::string(s.c_str(), s.size() + 1));
    return at;
  }
  std::size_t tag(std::uint32_t form) {
    number(kValue | form);
    return bytes_.size() - 4;
  }
  Written& back(std::size_t to) {
    number(kBack);
    align(4);
    return number(static_cast<std::uint32_t>(to - bytes_.size()));
  }
  Written& open() {
    number(0);
    chunk_ = bytes_.size();
    return *this;
  }
  Written& close() {
    auto length = static_cast<std::uint32_t>(bytes_.size() - chunk_);
    if (swap_) length = __builtin_bswap32(length);
    std::memcpy(bytes_.data() + chunk_ - 4, &length, 4);
    return *this;
  }
  Written& end(std::int32_t level) { return number(static_cast<std::uint32_t>(-level)); }
  // The encapsulation says its own byte order.
  Written& type(CORBA::TypeCode_ptr type) {
    corbel::cdr::Encoder out;
    out.reset();
    corbel::cdr::marshal(out, type);
    std::uint32_t kind, size;
    std::memcpy(&kind, out.data(), 4);
    std::memcpy(&size, out.data() + 4, 4);
    return number(kind).number(size).raw(std::string(out.data() + 8, size));
  }

  std::string bytes_ = std::string(kHeader, '\0');
  std::vector<std::uint32_t> starts_;

 private:
  void enter() {
    origin_ = cuts_[next_] - kHeader;
    starts_.push_back(static_cast<std::uint32_t>(cuts_[next_++]));
  }
  void align(std::size_t alignment) {
    for (;;) {
      const std::size_t pad = (origin_ - bytes_.size()) & (alignment - 1);
      if (next_ == cuts_.size() || bytes_.size() + pad < cuts_[next_]) {
        bytes_.resize(bytes_.size() + pad, '\x77');
        return;
      }
      bytes_.resize(cuts_[next_], '\x77');
      enter();
    }
  }
  Written& put(const void* data, std::size_t size, std::size_t alignment) {
    align(alignment);
    bytes_.append(static_cast<const char*>(data), size);
    while (next_ < cuts_.size() && bytes_.size() > cuts_[next_]) enter();
    return *this;
  }

  const bool swap_;
  const std::vector<std::size_t> cuts_;
  std::size_t next_ = 0, origin_ = 0, chunk_ = 0;
};

}  // namespace value_message
