// Wide characters and strings, and long double (OMG C++ mapping 1.3, "Mapping for Wide String Types";
// CORBA 3.4 part 2, "CDR Transfer Syntax"). Included by generated code that needs them.
//
// A WChar of the host is a code point; on the wire stands UTF-16, unless the server's reference asks for
// another set (CODESET_INCOMPATIBLE where none is agreed on): in GIOP 1.2 octets behind their count, big
// endian; in 1.1 two octets each in the message's byte order, strings with a terminator; 1.0 has no wide
// characters (MARSHAL). What is no code point or half a surrogate pair is DATA_CONVERSION.
#pragma once

#include <cstddef>

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/types.h>

namespace CORBA {

typedef WChar& WChar_out;
typedef LongDouble& LongDouble_out;

// Memory of mapped wide strings, as string_alloc and its like for strings.
[[gnu::visibility("default")]] WChar* wstring_alloc(ULong length);
[[gnu::visibility("default")]] WChar* wstring_dup(const WChar* text);
[[gnu::visibility("default")]] void wstring_free(WChar* text);

// Owns a wide string, or holds null. Adopts a WChar*, copies a const WChar* and what other holders hold.
class WString_var {
 public:
  typedef void _corbel_wstring_holder;
  WString_var() = default;
  WString_var(WChar* adopted) : text_(adopted) {}
  WString_var(const WChar* copied) : text_(wstring_dup(copied)) {}
  WString_var(const WString_var& other) : text_(wstring_dup(other.text_)) {}
  WString_var(WString_var&& other) noexcept : text_(other._retn()) {}
  template <typename Holder, typename = typename Holder::_corbel_wstring_holder>
  WString_var(const Holder& copied) : text_(wstring_dup(copied.in())) {}
  ~WString_var() { wstring_free(text_); }
  WString_var& operator=(WChar* adopted) {
    if (adopted != text_) {
      wstring_free(text_);
      text_ = adopted;
    }
    return *this;
  }
  WString_var& operator=(const WChar* copied) { return *this = wstring_dup(copied); }
  WString_var& operator=(const WString_var& other) { return *this = wstring_dup(other.text_); }
  WString_var& operator=(WString_var&& other) noexcept {
    if (this != &other) *this = other._retn();
    return *this;
  }
  template <typename Holder, typename = typename Holder::_corbel_wstring_holder>
  WString_var& operator=(const Holder& copied) {
    return *this = wstring_dup(copied.in());
  }
  operator const WChar*() const { return text_; }
  operator WChar*&() { return text_; }
  template <typename Index>
  WChar& operator[](Index index) {
    return text_[index];
  }
  template <typename Index>
  WChar operator[](Index index) const {
    return text_[index];
  }
  const WChar* in() const { return text_; }
  WChar*& inout() { return text_; }
  WChar*& out() {
    wstring_free(text_);
    text_ = nullptr;
    return text_;
  }
  WChar* _retn() {
    WChar* const text = text_;
    text_ = nullptr;
    return text;
  }

  // On streams of wide characters, standard or not; a word is read.
  template <typename Stream>
  friend auto operator<<(Stream& out, const WString_var& text) -> decltype(out << L"") {
    return out << text.in();
  }
  template <typename Stream>
  friend auto operator>>(Stream& in, WString_var& text) -> decltype(in.width(0), (in)) {
    if (WChar* const word = corbel::cpp::read_word(in, wstring_alloc, wstring_free)) text = word;
    return in;
  }

 private:
  WChar* text_ = nullptr;
};

// An out parameter: what it refers to is freed and set to null at once.
class WString_out {
 public:
  WString_out(WChar*& text) : text_(text) { text_ = nullptr; }
  WString_out(WString_var& text) : text_(text.out()) {}
  WString_out(const WString_out&) = default;
  // Members and elements.
  template <typename Holder, typename = typename Holder::_corbel_wstring_holder>
  WString_out(Holder& text) : text_(text.out()) {}
  template <typename Holder, typename = typename Holder::_corbel_wstring_holder>
  WString_out(Holder&& text) : text_(text.out()) {}
  WString_out& operator=(const WString_out& other) {
    text_ = other.text_;
    return *this;
  }
  WString_out& operator=(WChar* adopted) {
    text_ = adopted;
    return *this;
  }
  WString_out& operator=(const WChar* copied) {
    text_ = wstring_dup(copied);
    return *this;
  }
  template <typename Holder, typename = typename Holder::_corbel_wstring_holder>
  WString_out& operator=(const Holder& copied) {
    return *this = copied.in();
  }
  operator WChar*&() { return text_; }
  WChar*& ptr() { return text_; }

 private:
  WChar*& text_;
};

}  // namespace CORBA

namespace corbel::cpp {

// A wide string inside a struct, union or exception: empty at first, never null unless set so.
class WStringMember {
 public:
  typedef void _corbel_wstring_holder;
  WStringMember() : text_(CORBA::wstring_dup(L"")) {}
  WStringMember(const WStringMember& other) : text_(other.text_) {}
  WStringMember(WStringMember&& other) noexcept : text_(other.text_._retn()) {}
  WStringMember(CORBA::WChar* adopted) : text_(adopted) {}
  WStringMember(const CORBA::WChar* copied) : text_(copied) {}
  template <typename Holder, typename = typename Holder::_corbel_wstring_holder>
  WStringMember(const Holder& copied) : text_(copied) {}
  WStringMember& operator=(CORBA::WChar* adopted) {
    text_ = adopted;
    return *this;
  }
  WStringMember& operator=(const CORBA::WChar* copied) {
    text_ = copied;
    return *this;
  }
  WStringMember& operator=(const WStringMember& other) {
    text_ = other.text_;
    return *this;
  }
  WStringMember& operator=(WStringMember&& other) noexcept {
    if (this != &other) text_ = other.text_._retn();
    return *this;
  }
  template <typename Holder, typename = typename Holder::_corbel_wstring_holder>
  WStringMember& operator=(const Holder& copied) {
    text_ = copied;
    return *this;
  }
  operator const CORBA::WChar*() const { return text_.in(); }
  operator CORBA::WChar*&() { return text_.inout(); }
  template <typename Index>
  CORBA::WChar& operator[](Index index) {
    return text_[index];
  }
  template <typename Index>
  CORBA::WChar operator[](Index index) const {
    return text_[index];
  }
  const CORBA::WChar* in() const { return text_.in(); }
  CORBA::WChar*& inout() { return text_.inout(); }
  CORBA::WChar*& out() { return text_.out(); }
  CORBA::WChar* _retn() { return text_._retn(); }

  template <typename Stream>
  friend auto operator<<(Stream& out, const WStringMember& text) -> decltype(out << L"") {
    return out << text.in();
  }
  template <typename Stream>
  friend auto operator>>(Stream& in, WStringMember& text) -> decltype(in.width(0), (in)) {
    return in >> text.text_;
  }

 private:
  CORBA::WString_var text_;
};

struct WStringOwnership {
  static CORBA::WChar* duplicate(const CORBA::WChar* p) { return CORBA::wstring_dup(p); }
  static void free(CORBA::WChar* p) { CORBA::wstring_free(p); }
  static CORBA::WChar* initial() { return CORBA::wstring_dup(L""); }
};

// An element of a sequence of wide strings: assignment frees the old one if the sequence owns it.
class WStringElement {
 public:
  typedef void _corbel_wstring_holder;
  WStringElement(CORBA::WChar*& text, bool owned) : text_(text), owned_(owned) {}
  WStringElement(const WStringElement&) = default;
  WStringElement& operator=(CORBA::WChar* adopted) {
    if (owned_ && text_ != adopted) CORBA::wstring_free(text_);
    text_ = adopted;
    return *this;
  }
  WStringElement& operator=(const CORBA::WChar* copied) { return *this = CORBA::wstring_dup(copied); }
  WStringElement& operator=(const WStringElement& other) { return *this = CORBA::wstring_dup(other.text_); }
  template <typename Holder, typename = typename Holder::_corbel_wstring_holder>
  WStringElement& operator=(const Holder& copied) {
    return *this = CORBA::wstring_dup(copied.in());
  }
  operator CORBA::WChar*() const { return text_; }
  operator CORBA::WChar*&() { return text_; }
  const CORBA::WChar* in() const { return text_; }
  CORBA::WChar*& inout() { return text_; }
  CORBA::WChar*& out() {
    if (owned_) CORBA::wstring_free(text_);
    return text_ = nullptr, text_;
  }
  CORBA::WChar* _retn() {
    CORBA::WChar* const text = text_;
    text_ = nullptr;
    return text;
  }

  template <typename Stream>
  friend auto operator<<(Stream& out, const WStringElement& text) -> decltype(out << L"") {
    return out << text.in();
  }
  template <typename Stream>
  friend auto operator>>(Stream& in, WStringElement text) -> decltype(in.width(0), (in)) {
    if (CORBA::WChar* const word = read_word(in, CORBA::wstring_alloc, CORBA::wstring_free)) text = word;
    return in;
  }

 private:
  CORBA::WChar*& text_;
  bool owned_;
};

// An element of a constant one.
class ConstWStringElement {
 public:
  typedef void _corbel_wstring_holder;
  explicit ConstWStringElement(const CORBA::WChar* text) : text_(text) {}
  operator const CORBA::WChar*() const { return text_; }
  const CORBA::WChar* in() const { return text_; }

  template <typename Stream>
  friend auto operator<<(Stream& out, const ConstWStringElement& text) -> decltype(out << L"") {
    return out << text.in();
  }

 private:
  const CORBA::WChar* text_;
};

struct WStringElements : PointerElements<CORBA::WChar*, WStringOwnership> {
  typedef WStringElement Element;
  typedef ConstWStringElement ConstElement;
  static Element element(Slot& slot, bool owned) { return Element(slot, owned); }
  static ConstElement element(const Slot& slot) { return ConstElement(slot); }
};

class UnboundedWStringSequence : public Unbounded<WStringElements> {
 public:
  using Unbounded::Unbounded;
};
template <CORBA::ULong N>
class BoundedWStringSequence : public Bounded<WStringElements, N> {
 public:
  using Bounded<WStringElements, N>::Bounded;
};

// ---- encoding; errors are the encoder's
[[gnu::visibility("default")]] void put_wchar(cdr::Encoder& out, CORBA::WChar value);
// Null, or more than `bound` characters where it is not 0, is BAD_PARAM.
[[gnu::visibility("default")]] void put_wstring(cdr::Encoder& out, const CORBA::WChar* text,
                                                std::uint32_t bound = 0);
// An element of an array, of whose two conversions the one above would take one.
inline void put_wstring(cdr::Encoder& out, WStringMember& text, std::uint32_t bound = 0) {
  put_wstring(out, text.in(), bound);
}
// IEEE 754 binary128, whatever the host has.
[[gnu::visibility("default")]] void put_long_double(cdr::Encoder& out, CORBA::LongDouble value);

// ---- decoding; false if malformed
[[gnu::visibility("default")]] bool get_wchar(cdr::Decoder& in, CORBA::WChar& value);
// Replaces what is there.
[[gnu::visibility("default")]] bool get_wstring(cdr::Decoder& in, CORBA::WChar*& text,
                                                std::uint32_t bound = 0);
inline bool get_wstring(cdr::Decoder& in, WStringMember& text, std::uint32_t bound = 0) {
  return get_wstring(in, text.inout(), bound);
}
inline bool get_wstring(cdr::Decoder& in, CORBA::WString_var& text, std::uint32_t bound = 0) {
  return get_wstring(in, text.inout(), bound);
}
[[gnu::visibility("default")]] bool get_long_double(cdr::Decoder& in, CORBA::LongDouble& value);

}  // namespace corbel::cpp

// What marshal programs (corbel/cpp/programs.h) do with them: a wide character where it stands, and a wide
// string, of at most Bound characters where that is not 0, that the pointer there leads to.
namespace corbel::cpp::programs {

template <typename T>
struct WideCharacterOf {
  static void put(cdr::Encoder& out, const void* value) { put_wchar(out, *static_cast<const T*>(value)); }
  static bool get(cdr::Decoder& in, void* value) { return get_wchar(in, *static_cast<T*>(value)); }
};
template <CORBA::ULong Bound>
struct WideTextOf {
  static void put(cdr::Encoder& out, const void* value) {
    put_wstring(out, *static_cast<CORBA::WChar* const*>(value), Bound);
  }
  static bool get(cdr::Decoder& in, void* value) {
    return get_wstring(in, *static_cast<CORBA::WChar**>(value), Bound);
  }
  static void destruct(void* text, bool) { CORBA::wstring_free(static_cast<CORBA::WChar*>(text)); }
};
// In a union: no string is an empty one.
template <CORBA::ULong Bound>
struct WideBranchOf : WideTextOf<Bound> {
  static void put(cdr::Encoder& out, const void* value) {
    const CORBA::WChar* const text = *static_cast<CORBA::WChar* const*>(value);
    put_wstring(out, text ? text : L"", Bound);
  }
};
// A long double where it stands.
template <typename T>
struct WideNumberOf {
  static void put(cdr::Encoder& out, const void* value) {
    put_long_double(out, *static_cast<const T*>(value));
  }
  static bool get(cdr::Decoder& in, void* value) { return get_long_double(in, *static_cast<T*>(value)); }
};
static_assert(sizeof(WStringMember) == sizeof(CORBA::WChar*), "programs take a member for a pointer");

}  // namespace corbel::cpp::programs
