// Bytes of a message put together by hand, in either byte order and independently of the encoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <corbel/cdr/bytes.h>
#include <corbel/cdr/decoder.h>

namespace corbel::test {

class Wire {
 public:
  explicit Wire(bool big, std::string start = {}) : big_(big), bytes_(std::move(start)) {}

  Wire& align(std::size_t to) {
    while (bytes_.size() % to != 0) bytes_ += '\0';
    return *this;
  }
  Wire& octet(unsigned value) {
    bytes_ += static_cast<char>(value);
    return *this;
  }
  Wire& u16(std::uint32_t value) { return align(2).put(value, 2); }
  Wire& u32(std::uint32_t value) { return align(4).put(value, 4); }
  Wire& raw(std::string_view data) {
    bytes_ += data;
    return *this;
  }
  Wire& octets(std::string_view data) { return u32(static_cast<std::uint32_t>(data.size())).raw(data); }
  Wire& text(std::string_view data) {
    return u32(static_cast<std::uint32_t>(data.size() + 1)).raw(data).octet(0);
  }
  bool big() const { return big_; }
  std::size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

 private:
  Wire& put(std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) octet(value >> 8 * (big_ ? size - 1 - i : i) & 255);
    return *this;
  }
  bool big_;
  std::string bytes_;
};

// An encapsulation: the byte-order octet stands first.
inline Wire encapsulation(bool big) { return Wire(big, std::string(1, big ? '\0' : '\1')); }

// A copy of bytes in memory of exactly their size, 16-byte aligned, so that a sanitizer sees every over-read.
class Received {
 public:
  Received(std::string_view bytes, bool big, std::size_t begin = 0)
      : size_(bytes.size()), memory_(new char[size_]), swap_(big == cdr::kHostIsLittleEndian), begin_(begin) {
    bytes.copy(memory_.get(), size_);
  }
  cdr::Decoder decoder() const {
    return cdr::Decoder(memory_.get(), memory_.get() + begin_, memory_.get() + size_, swap_);
  }
  const char* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }
  bool holds(const char* data, std::size_t size) const {
    return data >= memory_.get() && size <= size_ && data <= memory_.get() + size_ - size;
  }

 private:
  std::size_t size_;
  std::unique_ptr<char[]> memory_;
  bool swap_;
  std::size_t begin_;
};

inline std::string from_hex(std::string_view hex) {
  std::string bytes;
  int high = -1;
  for (const char c : hex) {
    if (c == ' ' || c == '\n') continue;
    const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    if (high < 0) {
      high = digit;
    } else {
      bytes += static_cast<char>(high << 4 | digit);
      high = -1;
    }
  }
  return bytes;
}

}  // namespace corbel::test
