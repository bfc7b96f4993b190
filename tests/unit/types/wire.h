// CDR by the book, in either byte order: what a peer may send, octet by octet. Shares nothing with the run
// time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

class Wire {
 public:
  explicit Wire(bool little, std::size_t phase = 0) : little_(little) { bytes.assign(phase, '\0'); }

  std::string bytes;

  void align(std::size_t to) {
    while ((bytes.size() - origin_) % to != 0) bytes += '\0';
  }
  template <typename T>
  void put(T value) {
    align(sizeof value);
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    const bool host_is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    if (little_ != host_is_little) std::reverse(raw, raw + sizeof value);
    bytes.append(raw, sizeof value);
  }
  void text(const std::string& s) {
    put(static_cast<std::uint32_t>(s.size() + 1));
    bytes.append(s.c_str(), s.size() + 1);
  }
  // A unit of UTF-16, as in GIOP 1.1 or 1.2.
  void unit(std::uint16_t value, bool old) {
    if (old) return put(value);
    put(static_cast<std::uint8_t>(value >> 8));
    put(static_cast<std::uint8_t>(value));
  }
  void wide(std::uint16_t value, bool old) {
    if (!old) put<std::uint8_t>(2);
    unit(value, old);
  }
  // A TypeCode with parameters in an encapsulation; gives where its kind stands. To be closed.
  struct Open {
    std::size_t kind, begin, outer;
  };
  Open open(std::uint32_t kind) {
    align(4);
    Open o{bytes.size(), 0, origin_};
    put(kind);
    put<std::uint32_t>(0);
    o.begin = origin_ = bytes.size();
    bytes += little_ ? '\1' : '\0';
    return o;
  }
  void close(const Open& o) {
    Wire size(little_);
    size.put(static_cast<std::uint32_t>(bytes.size() - o.begin));
    bytes.replace(o.begin - 4, 4, size.bytes);
    origin_ = o.outer;
  }
  // To the TypeCode whose kind stands at `kind`.
  void indirection(std::size_t kind) {
    put<std::uint32_t>(0xffffffff);
    put(static_cast<std::int32_t>(static_cast<std::int64_t>(kind) - static_cast<std::int64_t>(bytes.size())));
  }
  bool little() const { return little_; }

 private:
  bool little_;
  std::size_t origin_ = 0;
};
