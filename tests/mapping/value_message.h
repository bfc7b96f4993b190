// Messages with values, written octet by octet in either byte order, and counted values to read from them.
#pragma once

#include <corbel/cpp/value.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace value_message {

using corbel::cdr::Decoder;

inline constexpr std::uint32_t kValue = 0x7fffff00, kUrl = 1, kOneId = 2, kIds = 6, kChunked = 8,
                               kBack = 0xffffffff;

// How many there are.
inline int alive = 0;
template <typename OBV>
struct Counted final : public virtual OBV {
  Counted() { ++alive; }
  Counted(const Counted& other) : CORBA::ValueBase(other), OBV(other) { ++alive; }
  ~Counted() override { --alive; }
};
template <typename OBV>
struct Factory final : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Counted<OBV>; }
};

class Message {
 public:
  explicit Message(bool swap) : swap_(swap) {}
  Message& number(std::uint32_t v) {
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
    if (swap_) v = __builtin_bswap32(v);
    bytes_.append(reinterpret_cast<const char*>(&v), 4);
    return *this;
  }
  Message& text(const std::string& s) {
    number(static_cast<std::uint32_t>(s.size() + 1));
    bytes_.append(s.c_str(), s.size() + 1);
    return *this;
  }
  Message& raw(const std::string& s) {
    bytes_ += s;
    return *this;
  }
  // An indirection to the offset `to`.
  Message& back(std::size_t to) {
    number(kBack);
    return number(static_cast<std::uint32_t>(to - bytes_.size()));
  }
  Message& end(std::int32_t level) { return number(static_cast<std::uint32_t>(-level)); }
  // Where the next number stands.
  std::size_t here() const { return (bytes_.size() + 3) / 4 * 4; }
  std::string bytes() const { return bytes_; }

 private:
  bool swap_;
  std::string bytes_;
};

// Aligned memory of exactly the size, so that sanitizers see who reads beyond it.
class Input {
 public:
  Input(const std::string& bytes, bool swap, CORBA::ORB_ptr orb)
      : memory_(static_cast<char*>(::operator new(bytes.size()))),
        in_(memory_, memory_, memory_ + bytes.size(), swap) {
    std::memcpy(memory_, bytes.data(), bytes.size());
    in_.set_context(nullptr, false, &orb->_corbel_core());
  }
  ~Input() { ::operator delete(memory_); }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  Decoder& operator*() { return in_; }

 private:
  char* memory_;
  Decoder in_;
};

}  // namespace value_message
