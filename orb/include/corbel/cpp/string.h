// Strings of the classic C++ mapping (OMG C++ mapping 1.3, "Mapping for String Types").
#pragma once

#include <cstddef>
#include <cstring>

#include <corbel/cpp/types.h>

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

// Owns a string, or holds null. Adopts a char*, copies a const char*.
class String_var {
 public:
  String_var() = default;
  String_var(char* adopted) : text_(adopted) {}
  String_var(const char* copied) : text_(string_dup(copied)) {}
  String_var(const String_var& other) : text_(string_dup(other.text_)) {}
  String_var(String_var&& other) noexcept : text_(other._retn()) {}
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

  operator const char*() const { return text_; }
  operator char*&() { return text_; }
  char& operator[](ULong index) { return text_[index]; }
  char operator[](ULong index) const { return text_[index]; }

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

 private:
  char* text_ = nullptr;
};

// An out parameter: what it refers to is freed and set to null at once.
class String_out {
 public:
  String_out(char*& text) : text_(text) { text_ = nullptr; }
  String_out(String_var& text) : text_(text.out()) {}
  String_out(const String_out&) = default;
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
  operator char*&() { return text_; }
  char*& ptr() { return text_; }

 private:
  char*& text_;
};

}  // namespace CORBA

namespace corbel::cpp {

// A string inside a struct, union, exception, array or sequence: empty at first, never null unless set so.
class StringMember {
 public:
  StringMember() = default;
  StringMember(const StringMember& other) { *this = other.in(); }
  StringMember(StringMember&& other) noexcept : text_(other.text_) { other.text_ = empty(); }
  StringMember(const char* copied) { *this = copied; }
  ~StringMember() { clear(); }

  StringMember& operator=(char* adopted) {
    if (adopted != text_) {
      clear();
      text_ = adopted;
    }
    return *this;
  }
  StringMember& operator=(const char* copied) {
    char* const fresh = copied && *copied == '\0' ? empty() : CORBA::string_dup(copied);
    clear();
    text_ = fresh;
    return *this;
  }
  StringMember& operator=(const StringMember& other) { return *this = other.in(); }
  StringMember& operator=(StringMember&& other) noexcept {
    char* const text = other.text_;
    other.text_ = text_;
    text_ = text;
    return *this;
  }
  StringMember& operator=(const CORBA::String_var& copied) { return *this = copied.in(); }

  operator const char*() const { return text_; }
  operator char*() { return own(); }
  char& operator[](CORBA::ULong index) { return own()[index]; }
  char operator[](CORBA::ULong index) const { return text_[index]; }

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
    char* const text = own();
    text_ = empty();
    return text;
  }

 private:
  // Shared by all empty members, so that they cost no allocation; replaced before anyone can write to it.
  [[gnu::visibility("default")]] static char kEmpty[1];
  static char* empty() { return kEmpty; }
  void clear() {
    if (text_ != empty()) CORBA::string_free(text_);
  }
  char* own() {
    if (text_ == empty()) text_ = CORBA::string_dup("");
    return text_;
  }

  char* text_ = empty();
};

}  // namespace corbel::cpp
