// CDR decoder (CORBA 3.4 part 2, "CDR Transfer Syntax"): reads untrusted bytes of either byte order.
//
// Every function that reads returns false (or null) at the first byte that is missing or wrong, and then the
// decoder stays failed. Lengths are checked against the bytes left before anything is allocated. One thread
// at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <corbel/cdr/arena.h>
#include <corbel/cdr/bytes.h>
#include <corbel/cdr/form.h>

namespace corbel::cdr {

// A reassembled message of GIOP 1.1, whose fragments each count alignment from a header of their own: from
// `message + starts[i]` on, as if that octet stood at offset 12. Strings, octets and arrays of primitives go
// on across the border without a gap, as omniORB sends them; what is aligned behind it is aligned anew.
struct Fragments {
  const char* message;
  const char* end;
  const std::uint32_t* starts;
  std::uint32_t count;
};

// The state of a value in chunks, each behind its length: what lies in several is put together in memory that
// `allocate` gives (null when it is exhausted). `outer`, if not null, are the fragments that the chunks lie
// in.
struct Chunks : Fragments {
  const Fragments* outer;
  char* (*allocate)(void* owner, std::size_t size);
  void* owner;
};

class [[gnu::visibility("default")]] Decoder {
 public:
  // Types that contain themselves may nest this deep.
  static constexpr std::uint32_t kMaxDepth = 1000;

  Decoder() = default;
  // Reads [begin, end); alignment counts from `origin` (at or before `begin`). `swap` tells that the bytes
  // are not in host order. The memory stays the caller's and must outlive the decoder and every view taken
  // from it.
  Decoder(const char* origin, const char* begin, const char* end, bool swap)
      : pos_(begin),
        end_(end),
        origin_(reinterpret_cast<std::uintptr_t>(origin)),
        form_(swap ? form::kSwapped : 0) {}

  // Where views are not possible, flat sequences are decoded into `arena`. `writable` allows the decoder to
  // rearrange the message in place. `context` is carried for what decodes object references. None is owned.
  void set_context(Arena* arena, bool writable, void* context) {
    arena_ = arena;
    writable_ = writable;
    context_ = context;
  }
  void* context() const { return context_; }
  // The message is read once more, by others.
  void keep_message() { writable_ = false; }
  // The message stands in the block of malloc at `*block`, which take_run() may give away: then `*block` is
  // null. Outlives the decoder.
  void lend(char** block) { block_ = block; }
  // The bytes are those of `fragments`, which must outlive the decoder; nothing has been read beyond the
  // first.
  void set_fragments(const Fragments& fragments) {
    fragments_ = &fragments;
    next_fragment_ = 0;
    end_ = fragments.message + fragments.starts[0];
  }
  // Inside a value in chunks; `chunks` outlives it. The first one begins where the decoder stands. End with
  // leave_chunks(), where the last one ends.
  void enter_chunks(Chunks& chunks);
  void leave_chunks();
  // Where the present chunk ends; what is read there comes from the next one.
  const char* chunk_end() const { return chunk_end_; }
  void set_chunk_end(const char* end);
  // Goes on at `position`, which may lie before.
  void skip_to(const char* position);
  // What values read so far share; see cpp/value.h. Not owned.
  void set_values(void* values) { values_ = values; }
  void* values() const { return values_; }
  // Values at constant distances in memory need not be so on the wire.
  bool fragmented() const { return fragments_ != nullptr; }

  // Aligns, checks that `size` bytes are left and steps over them; null if not.
  template <std::size_t Align>
  const char* chunk(std::size_t size) {
    const std::size_t pad = (origin_ - reinterpret_cast<std::uintptr_t>(pos_)) & (Align - 1);
    if (__builtin_expect(static_cast<std::uint64_t>(end_ - pos_) < std::uint64_t{pad} + size, false))
      return chunk_in_fragments(Align, size);
    const char* p = pos_ + pad;
    pos_ = p + size;
    if (size != 0 && !p) __builtin_unreachable();  // which compilers do not know
    return p;
  }

  // The next octets, if they stand here whole; else null, and nothing has happened.
  const char* chunk_here(std::size_t size) {
    if (static_cast<std::size_t>(end_ - pos_) < size) return nullptr;
    const char* const p = pos_;
    pos_ = p + size;
    return p;
  }

  bool swap() const { return (form_ & form::kSwapped) != 0; }
  // How characters stand here; see form.h.
  void set_older(std::uint32_t older) { form_ = (form_ & ~form::kOlder) | older; }
  std::uint32_t older() const { return form_ & form::kOlder; }
  void set_text(std::uint32_t text) { form_ = (form_ & ~form::kText) | text; }
  std::uint32_t text() const { return form_ & form::kText; }
  bool converts() const { return (form_ & form::kConverts) != 0; }
  bool converts_chars() const { return (form_ & form::kConvertsChars) != 0; }
  // All of it, for who keeps the octets and reads them later.
  void set_form(std::uint32_t form) { form_ = (form_ & form::kSwapped) | form; }
  std::uint32_t form() const { return form_ & ~(form::kBadText | form::kSwapped); }
  // It failed at text that cannot be converted: DATA_CONVERSION, not MARSHAL.
  bool bad_text() const { return (form_ & form::kBadText) != 0; }
  bool fail_at_text();

  // One primitive; not bool, not enum.
  template <typename T>
  bool get(T& value) {
    const char* p = chunk<sizeof(T)>(sizeof(T));
    if (__builtin_expect(!p, false)) return false;
    value = load<T>(p, swap());
    return true;
  }
  // 0 or 1; anything else is an error.
  bool get_boolean(bool& value) {
    const char* p = chunk<1>(1);
    if (__builtin_expect(!p || static_cast<unsigned char>(*p) > 1, false)) return fail();
    value = *p != 0;
    return true;
  }
  // An enum of `count` enumerators numbered from 0.
  template <typename E>
  bool get_enum(E& value, std::uint32_t count) {
    std::uint32_t ordinal;
    if (!get(ordinal) || ordinal >= count) return fail();
    value = static_cast<E>(ordinal);
    return true;
  }

  // Length of a sequence that memory is allocated for: refused if over `bound` (0 = none), if `min_size`
  // bytes per element are not left, or if the sequences read so far, each inside of the other perhaps, claim
  // several times as many as there are.
  bool get_length(std::uint32_t& length, std::size_t min_size, std::uint32_t bound = 0) noexcept;
  // One that nothing is allocated for, or nothing before its elements, octets, have been read.
  bool get_count(std::uint32_t& count, std::size_t min_size, std::uint32_t bound = 0) noexcept;
  // What sequences have claimed, for who reads something once more and gives it back behind that.
  std::size_t claimed() const { return claimed_; }
  void set_claimed(std::size_t claimed) { claimed_ = claimed; }

  // `count` primitives of type T into `to`, swapped as needed. Booleans are checked: use get_boolean_run.
  template <typename T>
  bool get_run(T* to, std::size_t count) {
    return copy_run(to, sizeof(T), count);
  }
  // The same of values of `size` octets without a copy: the block that they stand in becomes the caller's,
  // who frees it by free(), and whose address stands right before them. Null, and nothing has happened, where
  // that cannot be: nothing is lent, or they are less than half of what is left. Not worth it for few octets.
  static constexpr std::size_t kWorthTaking = 32 * 1024;
  void* take_run(std::size_t size, std::size_t count) noexcept;
  bool get_boolean_run(bool* to, std::size_t count);
  // Chars, which may have to be converted.
  bool get_char(char& value) {
    const char* const p = chunk<1>(1);
    return p && load_char(p, value);
  }
  bool get_chars(char* to, std::size_t count) {
    return get_run(to, count) && (__builtin_expect(!converts_chars(), true) || convert_chars(to, count));
  }
  // One that stands at `at`.
  bool load_char(const char* at, char& value) {
    value = *at;
    return __builtin_expect(!converts_chars(), true) || convert_chars(&value, 1);
  }
  // In place: those that were copied out of the message. False if some are not in the program's set.
  bool convert_chars(char* chars, std::size_t count);

  // `count` primitives for the time of the upcall: a view of the message where byte order and alignment
  // allow, else decoded into the arena. Null on error; never null for count 0.
  template <typename T>
  T* get_flat(std::size_t count) {
    return static_cast<T*>(view_run(sizeof(T), alignof(T), count));
  }

  char* get_flat_chars(std::size_t count) {
    char* const chars = get_flat<char>(count);
    return chars && converts_chars() && !convert_chars(chars, count) ? nullptr : chars;
  }

  // A string: a view of the message, `length` octets and a terminator. Null `data` if malformed or over
  // `bound` (0 = none). One that had to be converted stands in the arena, or without one, until the thread
  // reads the next.
  struct Text {
    const char* data;
    std::uint32_t length;
  };
  Text get_text();
  // One in our byte order that is not converted and stands whole where it is looked for; false, and nothing
  // has happened, if there is none. One comparison finds lengths of 0 and those that are not there.
  bool get_plain_text(Text& text) {
    const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(pos_) + padding(4) + 4;
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(end_);
    if (__builtin_expect(at >= end || (form_ & (form::kSwapped | form::kConverts)) != 0, false)) return false;
    const char* const data = reinterpret_cast<const char*>(at);
    const auto length = std::size_t{load<std::uint32_t>(data - 4, false)} - 1;
    if (__builtin_expect(length >= end - at || data[length] != '\0', false)) return false;
    pos_ = data + length + 1;
    text = {data, static_cast<std::uint32_t>(length)};
    return true;
  }
  Text get_text(std::uint32_t bound) {
    const Text view = get_text();
    if (bound == 0 || view.length <= bound) return view;
    fail();
    return {};
  }
  bool get_string_view(const char*& text, std::uint32_t& length, std::uint32_t bound = 0) {
    const Text view = get_text(bound);
    text = view.data;
    length = view.length;
    return view.data != nullptr;
  }
  bool get_string_view(const char*& text) {
    text = get_text().data;
    return text != nullptr;
  }
  // sequence<octet> as a view of the message.
  bool get_octets_view(const char*& data, std::uint32_t& size);

  // 16-byte aligned memory that dies with the request; null if the arena is full or missing.
  void* scratch(std::size_t size) { return arena_ ? arena_->allocate(size) : nullptr; }
  bool writable() const { return writable_; }

  // Bracket the body of a type that can contain itself.
  bool enter() { return ++depth_ <= kMaxDepth || fail(); }
  void leave() { --depth_; }

  const char* position() const { return pos_; }
  std::size_t remaining() const {
    return static_cast<std::size_t>((fragments_ ? fragments_->end : end_) - pos_);
  }
  std::size_t offset() const { return reinterpret_cast<std::uintptr_t>(pos_) - origin_; }
  bool failed() const { return failed_; }
  // Marks the decoder failed, so that whatever follows fails too; always false.
  bool fail() {
    failed_ = true;
    fragments_ = nullptr;
    pos_ = end_;
    return false;
  }

 private:
  const char* chunk_in_fragments(std::size_t align, std::size_t size) noexcept;
  bool copy_run(void* to, std::size_t size, std::size_t count) noexcept;
  void* view_run(std::size_t size, std::size_t align, std::size_t count) noexcept;
  const char* chunk_in_chunks(std::size_t align, std::size_t size);
  bool next_chunk();
  std::size_t padding(std::size_t align) const {
    return (origin_ - reinterpret_cast<std::uintptr_t>(pos_)) & (align - 1);
  }
  const Fragments* fragments() const;
  void go_on(const Fragments& fragments, std::uint32_t to);
  void settle();
  [[gnu::cold]] Text get_any_text();
  bool convert_text(const char*& text, std::uint32_t& length);

  const char* pos_ = nullptr;
  const char* end_ = nullptr;  // of the present fragment or chunk, where there are some
  std::uintptr_t origin_ = 0;
  std::uint32_t form_ = 0;
  bool writable_ = false;
  bool failed_ = false;
  std::uint32_t depth_ = 0;
  Arena* arena_ = nullptr;
  void* context_ = nullptr;
  const Fragments* fragments_ = nullptr;  // or chunks: those have no `message`
  const char* chunk_end_ = nullptr;
  std::uint32_t next_fragment_ = 0;
  void* values_ = nullptr;
  char** block_ = nullptr;
  std::size_t claimed_ = 0;    // octets that elements of sequences take at least
  std::size_t most_left_ = 0;  // at the beginning of a sequence
};

}  // namespace corbel::cdr
