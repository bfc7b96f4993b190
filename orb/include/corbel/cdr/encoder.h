// CDR encoder (CORBA 3.4 part 2, "CDR Transfer Syntax"): writes values in host byte order.
//
// Alignment counts from the encoder's origin: the first octet of the message or encapsulation. Errors are
// sticky: after one every call is harmless, and error() tells what went wrong. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <corbel/base/error.h>
#include <corbel/cdr/bytes.h>

namespace corbel::cdr {

// A run of the caller's memory that follows the first `at` bytes of the encoder's own memory on the wire.
struct External {
  std::size_t at;
  const char* data;
  std::size_t size;
};

class [[gnu::visibility("default")]] Encoder {
 public:
  static constexpr std::size_t kMaxExternals = 8;
  // Smaller runs are cheaper to copy than to gather.
  static constexpr std::size_t kExternalThreshold = 16 * 1024;

  // Memory comes from malloc, 16-byte aligned, and is kept across reset().
  Encoder() = default;
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  // Forgets what was written; the next byte is at `begin` of the memory and at alignment offset `begin`.
  // Bytes below `begin` are uninitialised and writable through data(). Memory of more than `keep` bytes is
  // given back.
  void reset(std::size_t begin = 0, std::size_t keep = 256 * 1024) {
    error_ = {};
    external_count_ = form_ = 0;
    external_bytes_ = 0;
    const auto capacity = static_cast<std::size_t>(end_ - memory_);
    if (capacity < begin + kScratch || capacity > keep) return reset_memory(begin, keep);
    origin_ = reinterpret_cast<std::uintptr_t>(memory_);
    pos_ = memory_ + begin;
  }
  // How wide characters are written: 0 as in GIOP 1.2, 1 as in 1.1, 2 as in a request of 1.0, 3 as in a reply
  // of 1.0. Until reset().
  void set_older(std::uint32_t older) { form_ = (form_ & kUtf8) | older; }
  std::uint32_t older() const { return form_ & ~kUtf8; }
  // Strings, ISO 8859-1 in the program, are written as UTF-8. Until reset().
  void set_utf8() { form_ |= kUtf8; }
  bool utf8() const { return (form_ & kUtf8) != 0; }
  // Both; see Decoder.
  void set_form(std::uint32_t form) { form_ = form; }
  std::uint32_t form() const { return form_; }
  // Lets large runs stay in the caller's memory until the message is sent.
  void allow_externals(bool allow) { externals_allowed_ = allow; }
  bool externals_allowed() const { return externals_allowed_; }

  // Aligns to `Align` (padding is zeroed), makes room for `size` bytes and steps over them. The caller must
  // store every byte of the chunk, padding included. After an error it is scratch memory of at least kScratch
  // bytes, so chunks of a fixed layout need no check; those of more than kScratch bytes use run().
  template <std::size_t Align>
  char* chunk(std::size_t size) {
    static_assert(Align == 1 || Align == 2 || Align == 4 || Align == 8);
    const std::size_t pad = (0 - (reinterpret_cast<std::uintptr_t>(pos_) - origin_)) & (Align - 1);
    if (static_cast<std::size_t>(end_ - pos_) < size + 8) return chunk_slow(Align, size);
    if constexpr (Align > 1) std::memset(pos_, 0, 8);
    char* p = pos_ + pad;
    pos_ = p + size;
    return p;
  }
  static constexpr std::size_t kScratch = 4096;

  template <typename T>
  void put(T value) {
    store(chunk<sizeof(T)>(sizeof(T)), value);
  }
  void put_boolean(bool value) { put<std::uint8_t>(value ? 1 : 0); }

  // `size` bytes, aligned, as they are in memory. Large runs may stay where they are (allow_externals).
  template <std::size_t Align>
  void run(const void* data, std::size_t size) {
    if (size == 0) return align_for_empty_run();
    run_bytes(Align, data, size);
  }

  // ulong length counting the terminator, the octets, the terminator. A null pointer, or more than `bound`
  // octets where `bound` is not 0, is BAD_PARAM.
  void put_string(const char* s) { put_string(s, 0); }
  void put_string(const char* s, std::uint32_t bound) noexcept;
  // ulong `count`, then as many values of `size` bytes, which is their alignment too, as they are in memory.
  void put_run(const void* data, std::uint32_t count, std::size_t size) noexcept;
  void put_octets(const void* data, std::uint32_t size) {  // sequence<octet>
    put<std::uint32_t>(size);
    run<1>(data, size);
  }

  // Takes back the last `size` bytes, which are own memory.
  void drop(std::size_t size) { pos_ -= size; }
  // What values written so far share; see cpp/value.h. Not owned.
  void set_values(void* values) { values_ = values; }
  void* values() const { return values_; }

  void fail(SystemError error) {
    if (!error_) error_ = error;
  }
  const SystemError& error() const { return error_; }

  // Bytes of own memory from the start of the memory, `begin` of reset() included.
  char* data() { return memory_; }
  const char* data() const { return memory_; }
  // Changes when data() does not stand where it stood, or holds nothing any more.
  std::uint32_t generation() const { return generation_; }
  std::size_t size() const { return static_cast<std::size_t>(pos_ - memory_); }
  // Where the next byte goes, counted from the origin: alignment depends on it.
  std::size_t offset() const { return reinterpret_cast<std::uintptr_t>(pos_) - origin_; }
  // Bytes on the wire: own memory and externals.
  std::size_t wire_size() const { return size() + external_bytes_; }
  const External* externals() const { return externals_; }
  std::size_t external_count() const { return external_count_; }

 private:
  void reset_memory(std::size_t begin, std::size_t keep);
  char* chunk_slow(std::size_t align, std::size_t size) noexcept;
  void run_bytes(std::size_t align, const void* data, std::size_t size) noexcept;
  void align_for_empty_run() {}  // CDR pads before a value, never before nothing
  bool grow(std::size_t more);
  void put_utf8(const char* s, std::size_t length);

  static constexpr std::uint32_t kUtf8 = 4;

  char* pos_ = nullptr;
  char* end_ = nullptr;
  std::uintptr_t origin_ = 0;  // address of offset 0, moved back by the bytes of externals
  char* memory_ = nullptr;
  std::uint32_t external_count_ = 0;
  std::uint32_t form_ = 0;
  std::size_t external_bytes_ = 0;
  bool externals_allowed_ = false;
  std::uint32_t generation_ = 0;
  void* values_ = nullptr;
  SystemError error_;
  External externals_[kMaxExternals];
};

}  // namespace corbel::cdr
