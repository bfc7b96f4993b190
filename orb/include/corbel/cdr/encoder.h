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
#include <corbel/cdr/form.h>

namespace corbel::cdr {

// A run of the caller's memory that follows the first `at` bytes of the encoder's own memory on the wire.
struct External {
  std::size_t at;
  const char* data;
  std::size_t size;
};

class Encoder;

// Sends what an encoder holds while more is still being written, so that a large message needs little memory.
// No virtual functions: what only holds and drops one does not link what it does.
class Sink {
 public:
  // Sends what it can of what is settled() and says so to the encoder by sent(). False if nothing has left:
  // the encoder's memory grows. It may let the encoder fail.
  using Take = bool (*)(Sink& sink, Encoder& out);
  // It is asked when the encoder's own memory would exceed `limit` octets.
  Sink(std::size_t limit, Take how) : limit_(limit), take_(how) {}
  std::size_t limit() const { return limit_; }
  bool take(Encoder& out) { return take_(*this, out); }

 private:
  const std::size_t limit_;
  const Take take_;
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
  // reset() for a message that begins with the same bytes as the last one, whose first `begin` stay as they
  // are: after one that was_plain().
  void rewind(std::size_t begin) {
    external_count_ = 0;
    external_bytes_ = 0;
    origin_ = reinterpret_cast<std::uintptr_t>(memory_);
    pos_ = memory_ + begin;
  }
  // No error, no other form, no memory to be given back.
  bool was_plain(std::size_t keep = 256 * 1024) const {
    return !error_ && form_ == 0 && static_cast<std::size_t>(end_ - memory_) <= keep;
  }
  // How characters stand here; see form.h. Until reset().
  void set_older(std::uint32_t older) { form_ = (form_ & ~form::kOlder) | older; }
  std::uint32_t older() const { return form_ & form::kOlder; }
  void set_text(std::uint32_t text) { form_ = (form_ & form::kOlder) | text; }
  std::uint32_t text() const { return form_ & form::kText; }
  bool converts() const { return (form_ & form::kConverts) != 0; }
  bool converts_chars() const { return (form_ & form::kConvertsChars) != 0; }
  // All of it; see Decoder.
  void set_form(std::uint32_t form) { form_ = form; }
  std::uint32_t form() const { return form_; }
  // What is written may leave through `sink`, null or outliving this, whenever memory is short. Stays over
  // reset().
  void set_sink(Sink* sink) { sink_ = sink; }
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
    if (__builtin_expect(static_cast<std::size_t>(end_ - pos_) < size + 8, false))
      return chunk_slow(Align, size);
    char* const padding = pos_;
    char* const p = padding + pad;
    pos_ = p + size;
    if constexpr (Align > 1) std::memset(padding, 0, 8);
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
    run_bytes(Align, data, size, externals_allowed_);
  }
  // The same of memory that does not last.
  template <std::size_t Align>
  void copied_run(const void* data, std::size_t size) {
    if (size != 0) run_bytes(Align, data, size, false);
  }

  // ulong length counting the terminator, the octets, the terminator. A null pointer, or more than `bound`
  // octets where `bound` is not 0, is BAD_PARAM.
  void put_string(const char* s) noexcept;
  void put_string(const char* s, std::uint32_t bound) noexcept;
  // One that is neither refused nor converted, behind `pad` octets; false if there is no room for it.
  bool put_plain_string(const char* s, std::size_t length, std::size_t pad) {
    if (__builtin_expect(static_cast<std::size_t>(end_ - pos_) < length + 16, false)) return false;
    char* const padding = pos_;
    char* const p = padding + pad;
    pos_ = p + length + 5;
    if (!__builtin_constant_p(pad) || pad != 0) std::memset(padding, 0, 4);
    store(p, static_cast<std::uint32_t>(length + 1));
    std::memcpy(p + 4, s, length + 1);
    return true;
  }
  bool put_plain_string(const char* s, std::size_t length) {
    return put_plain_string(s, length, (0 - (reinterpret_cast<std::uintptr_t>(pos_) - origin_)) & 3);
  }
  // ulong `count`, then as many values of `size` bytes, which is their alignment too, as they are in memory.
  void put_run(const void* data, std::uint32_t count, std::size_t size) noexcept;
  void put_octets(const void* data, std::uint32_t size) {  // sequence<octet>
    put<std::uint32_t>(size);
    run<1>(data, size);
  }

  // Chars, which may have to be converted: one, an array, a sequence. What has no char there is
  // DATA_CONVERSION.
  void put_char(char value) { store_char(chunk<1>(1), value); }
  void run_chars(const char* chars, std::size_t count) {
    if (__builtin_expect(converts_chars(), false)) return run_converted(chars, count);
    run<1>(chars, count);
  }
  void put_chars(const char* chars, std::uint32_t count) {
    put<std::uint32_t>(count);
    run_chars(chars, count);
  }
  // Into a chunk.
  void store_char(char* to, char value) {
    *to = value;
    if (__builtin_expect(converts_chars(), false)) convert_chars(to, 1);
  }
  // In place: those that were copied into a chunk.
  void convert_chars(char* chars, std::size_t count);

  // Takes back the last `size` bytes, which are own memory.
  void drop(std::size_t size) { pos_ -= size; }
  // What values written so far share; see cpp/value.h. Not owned.
  void set_values(void* values) {
    values_ = values;
    held_ = kNotHeld;
  }
  void* values() const { return values_; }

  // What has been written from here on stays in memory until let_go(), to be filled in: the last `size`
  // octets and all that follow. Gives a mark for held(). One at a time.
  std::size_t hold(std::size_t size) { return held_ = this->size() - size + moved_; }
  char* held(std::size_t mark) { return memory_ + (mark - moved_); }
  void let_go() { held_ = kNotHeld; }

  // ---- of the sink
  // Octets of own memory that nobody fills in any more; externals that stand before their end are settled,
  // too.
  std::size_t settled() const {
    return held_ == kNotHeld || size() < held_ - moved_ ? size() : held_ - moved_;
  }
  // These have left, but for the last `rest` octets of them on the wire, fewer than 8, which stand at `tail`.
  // Own memory goes on at kSentBegin.
  void sent(std::size_t settled, const char* tail, std::size_t rest);
  static constexpr std::size_t kSentBegin = 16;

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
  // Bytes on the wire: own memory and externals, that have not left.
  std::size_t wire_size() const { return size() + external_bytes_; }
  const External* externals() const { return externals_; }
  std::size_t external_count() const { return external_count_; }
  // Takes what stands in the caller's memory into its own: that may go. False if there is no memory for it.
  bool copy_externals() noexcept;

 private:
  void reset_memory(std::size_t begin, std::size_t keep);
  char* chunk_slow(std::size_t align, std::size_t size) noexcept;
  void run_bytes(std::size_t align, const void* data, std::size_t size, bool may_stay) noexcept;
  void align_for_empty_run() {}  // CDR pads before a value, never before nothing
  bool grow(std::size_t more);
  void copy_by_pieces(const char* data, std::size_t size);
  [[gnu::cold]] void put_any_string(const char* s) noexcept;
  void put_converted(const char* s, std::size_t length);
  void run_converted(const char* chars, std::size_t count);

  char* pos_ = nullptr;
  char* end_ = nullptr;
  std::uintptr_t origin_ = 0;  // address of offset 0, moved back by the bytes of externals
  char* memory_ = nullptr;
  std::uint32_t external_count_ = 0;
  std::uint32_t form_ = 0;
  std::size_t external_bytes_ = 0;
  bool externals_allowed_ = false;
  std::uint32_t generation_ = 0;
  Sink* sink_ = nullptr;
  static constexpr std::size_t kNotHeld = SIZE_MAX;
  std::size_t held_ = kNotHeld;  // a mark: a place in own memory, and moved_
  std::size_t moved_ = 0;        // how far own memory has moved since ever, as parts of it left
  void* values_ = nullptr;
  SystemError error_;
  External externals_[kMaxExternals];
};

}  // namespace corbel::cdr
