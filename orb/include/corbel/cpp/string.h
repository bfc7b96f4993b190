// Strings of the classic C++ mapping (OMG C++ mapping 1.3, "Mapping for String Types").
#pragma once

#include <cstddef>
#include <cstring>

#include <corbel/cpp/types.h>

namespace corbel::cpp {

// Throws NO_MEMORY.
[[noreturn, gnu::visibility("default")]] void raise_no_memory();

// The next word of a stream, as a std::string would take it; null, and the stream has failed, if there is
// none. `alloc` and `free` are those of the string.
template <typename Char, typename Stream>
Char* read_word(Stream& in, Char* (*alloc)(CORBA::ULong), void (*free)(Char*)) {
  typedef typename Stream::traits_type Traits;
  const auto width = in.width(0);
  Char c;
  if (!(in >> c)) return nullptr;
  CORBA::ULong length = 0, room = 30;
  Char* word = alloc(room);
  while (word) {
    word[length++] = c;
    const auto next =
        Traits::eq_int_type(in.peek(), Traits::eof()) ? Char(' ') : Traits::to_char_type(in.peek());
    if (next == Char(' ') || (next >= Char('\t') && next <= Char('\r')) || length == width) {
      word[length] = Char();
      return word;
    }
    in.get(c);
    if (length < room) continue;
    Char* const longer = alloc(room *= 2);
    if (longer) std::memcpy(longer, word, length * sizeof(Char));
    free(word);
    word = longer;
  }
  raise_no_memory();
}

}  // namespace corbel::cpp

namespace CORBA {

// Memory of mapped strings; only these functions may allocate and free it. A null pointer is never an IDL
// string. string_alloc gives room for `length` octets and the terminator; null when memory is exhausted.
// Thread-safe.
[[gnu::visibility("default")]] char* string_alloc(ULong length);
// A copy; null for null.
[[gnu::visibility("default")]] char* string_dup(const char* text);
// Null is allowed.
[[gnu::visibility("default")]] void string_free(char* text);

class String_out;

// Owns a string, or holds null. Adopts a char*, copies a const char* and what other holders of strings hold:
// _vars, members, elements.
class String_var {
 public:
  typedef void _corbel_string_holder;
  String_var() = default;
  String_var(char* adopted) : text_(adopted) {}
  String_var(const char* copied) : text_(string_dup(copied)) {}
  String_var(const String_var& other) : text_(string_dup(other.text_)) {}
  String_var(String_var&& other) noexcept : text_(other._retn()) {}
  template <typename Holder, typename = typename Holder::_corbel_string_holder>
  String_var(const Holder& copied) : text_(string_dup(copied.in())) {}
  ~String_var() { string_free(text_); }

  String_var& operator=(char* adopted) {
    if (adopted != text_) {
      string_free(text_);
      text_ = adopted;
    }
    return *this;
  }
  String_var& operator=(const char* copied) {
    char* const fresh = string_dup(copied);
    string_free(text_);
    text_ = fresh;
    return *this;
  }
  String_var& operator=(const String_var& other) { return *this = static_cast<const char*>(other.text_); }
  String_var& operator=(String_var&& other) noexcept {
    if (this != &other) *this = other._retn();
    return *this;
  }
  template <typename Holder, typename = typename Holder::_corbel_string_holder>
  String_var& operator=(const Holder& copied) {
    return *this = copied.in();
  }

  operator const char*() const { return text_; }
  operator char*&() { return text_; }
  template <typename Index>
  char& operator[](Index index) {
    return text_[index];
  }
  template <typename Index>
  char operator[](Index index) const {
    return text_[index];
  }

  const char* in() const { return text_; }
  char*& inout() { return text_; }
  char*& out() {
    string_free(text_);
    text_ = nullptr;
    return text_;
  }
  char* _retn() {
    char* const text = text_;
    text_ = nullptr;
    return text;
  }

  // Reads a word from a stream of characters, standard or not.
  template <typename Stream>
  friend auto operator>>(Stream& in, String_var& text) -> decltype(in.width(0), (in)) {
    if (char* const word = corbel::cpp::read_word(in, string_alloc, string_free)) text = word;
    return in;
  }

 private:
  char* text_ = nullptr;
};

// An out parameter: what it refers to is freed and set to null at once.
class String_out {
 public:
  String_out(char*& text) : text_(text) { text_ = nullptr; }
  String_out(String_var& text) : text_(text.out()) {}
  String_out(const String_out&) = default;
  // Members and elements.
  template <typename Holder, typename = typename Holder::_corbel_string_holder>
  String_out(Holder& text) : text_(text.out()) {}
  template <typename Holder, typename = typename Holder::_corbel_string_holder>
  String_out(Holder&& text) : text_(text.out()) {}
  String_out& operator=(const String_out& other) {
    text_ = other.text_;
    return *this;
  }
  String_out& operator=(char* adopted) {
    text_ = adopted;
    return *this;
  }
  String_out& operator=(const char* copied) {
    text_ = string_dup(copied);
    return *this;
  }
  template <typename Holder, typename = typename Holder::_corbel_string_holder>
  String_out& operator=(const Holder& copied) {
    return *this = copied.in();
  }
  operator char*&() { return text_; }
  char*& ptr() { return text_; }

 private:
  char*& text_;
};

}  // namespace CORBA

namespace corbel::cpp {

// A string inside a struct, union or exception: empty at first, never null unless set so. Short ones stand in
// the member itself, so that they cost no memory of their own; what is handed out to be freed is always a
// string of string_alloc.
class StringMember {
 public:
  typedef void _corbel_string_holder;
  StringMember() = default;
  StringMember(const StringMember& other) { *this = other; }
  StringMember(StringMember&& other) noexcept { take(other); }
  StringMember(char* adopted) { *this = adopted; }
  StringMember(const char* copied) { *this = copied; }
  template <typename Holder, typename = typename Holder::_corbel_string_holder>
  StringMember(const Holder& copied) {
    *this = copied.in();
  }
  ~StringMember() { clear(); }

  StringMember& operator=(char* adopted) {
    if (adopted != text_) {
      clear();
      text_ = adopted;
    }
    return *this;
  }
  StringMember& operator=(const char* copied) {
    if (!copied || !_corbel_assign(copied, std::strlen(copied))) {
      clear();
      text_ = nullptr;
    }
    return *this;
  }
  StringMember& operator=(const StringMember& other) {
    if (other.text_ != other.here_) return *this = other.in();
    clear();
    std::memmove(here_, other.here_, sizeof here_);  // all of it: no need to know how long the string is
    text_ = here_;
    return *this;
  }
  StringMember& operator=(StringMember&& other) noexcept {
    if (this != &other) {
      clear();
      take(other);
    }
    return *this;
  }
  template <typename Holder, typename = typename Holder::_corbel_string_holder>
  StringMember& operator=(const Holder& copied) {
    return *this = copied.in();
  }

  operator const char*() const { return text_; }
  operator char*() { return text_; }
  // To char*& only: as what conversion to const char* would choose it would move each string that is read.
  template <typename T, typename = decltype(static_cast<char**>(static_cast<T*>(nullptr)))>
  operator T&() {
    return inout();
  }
  template <typename Index>
  char& operator[](Index index) {
    return text_[index];
  }
  template <typename Index>
  char operator[](Index index) const {
    return text_[index];
  }

  const char* in() const { return text_; }
  char*& inout() {
    own();
    return text_;
  }
  char*& out() {
    clear();
    text_ = nullptr;
    return text_;
  }
  char* _retn() {
    own();
    char* const text = text_;
    text_ = here_;
    *here_ = '\0';
    return text;
  }

  template <typename Stream>
  friend auto operator>>(Stream& in, StringMember& text) -> decltype(in.width(0), (in)) {
    if (char* const word = read_word(in, CORBA::string_alloc, CORBA::string_free)) text = word;
    return in;
  }

  // A copy of `length` octets, which may be the member's own. False when memory is exhausted.
  bool _corbel_assign(const char* text, std::size_t length) {
    char* to = here_;
    if (length >= sizeof here_ && !(to = CORBA::string_alloc(static_cast<CORBA::ULong>(length))))
      return false;
    std::memmove(to, text, length);
    to[length] = '\0';
    clear();
    text_ = to;
    return true;
  }

 private:
  void clear() {
    if (text_ != here_) CORBA::string_free(text_);
  }
  void own() {
    if (text_ == here_) text_ = CORBA::string_dup(here_);
  }
  void take(StringMember& other) {
    if (other.text_ == other.here_) {
      std::memcpy(here_, other.here_, sizeof here_);
      text_ = here_;
    } else {
      text_ = other.text_;
      other.text_ = other.here_;
    }
    *other.here_ = '\0';
  }

  char* text_ = here_;
  char here_[16] = {};
};

}  // namespace corbel::cpp
