// The _var and _out types of constructed types (OMG C++ mapping 1.3, "T_var types", "T_out types").
//
// A _var owns a heap value and frees it; copies are deep. T may be incomplete where the typedef stands.
#pragma once

#include <corbel/cpp/types.h>

namespace corbel::cpp {

// Throws BAD_PARAM: an empty _var was used as a value.
[[noreturn, gnu::visibility("default")]] void raise_null_var();

template <typename T>
class BasicVar {
 public:
  BasicVar() = default;
  BasicVar(T* adopted) : value_(adopted) {}
  BasicVar(const T& copied) : value_(new T(copied)) {}
  BasicVar(const BasicVar& other) : value_(other.value_ ? new T(*other.value_) : nullptr) {}
  BasicVar(BasicVar&& other) noexcept : value_(other.take()) {}
  ~BasicVar() { delete value_; }
  BasicVar& operator=(T* adopted) {
    if (adopted != value_) {
      delete value_;
      value_ = adopted;
    }
    return *this;
  }
  BasicVar& operator=(const T& copied) { return *this = new T(copied); }
  BasicVar& operator=(const BasicVar& other) {
    if (this != &other) *this = other.value_ ? new T(*other.value_) : nullptr;
    return *this;
  }
  BasicVar& operator=(BasicVar&& other) noexcept {
    if (this != &other) *this = other.take();
    return *this;
  }

  T& operator*() const { return checked(); }
  T* operator->() { return &checked(); }
  const T* operator->() const { return &checked(); }
  operator const T&() const { return checked(); }
  operator T&() { return checked(); }

  const T& in() const { return checked(); }
  T& inout() { return checked(); }
  T* ptr() const { return value_; }

 protected:
  T& checked() const {
    if (!value_) raise_null_var();
    return *value_;
  }
  T* take() {
    T* const value = value_;
    value_ = nullptr;
    return value;
  }
  T*& emptied() {
    delete value_;
    return value_ = nullptr, value_;
  }
  T*& pointer() { return value_; }

 private:
  T* value_ = nullptr;
};

// Fixed-length types are returned by value: _retn() and out() give the value.
template <typename T>
class FixedVar : public BasicVar<T> {
 public:
  using BasicVar<T>::BasicVar;
  using BasicVar<T>::operator=;
  T& out() {
    if (!this->ptr()) *this = new T();
    return this->checked();
  }
  T _retn() { return this->checked(); }
};

template <typename T>
class VariableVar : public BasicVar<T> {
 public:
  using BasicVar<T>::BasicVar;
  using BasicVar<T>::operator=;
  operator T*&() { return this->pointer(); }
  T*& out() { return this->emptied(); }
  T* _retn() { return this->take(); }
};

template <typename S>
class SequenceVar : public VariableVar<S> {
 public:
  using VariableVar<S>::VariableVar;
  using VariableVar<S>::operator=;
  template <typename Index>
  decltype(auto) operator[](Index index) {
    return this->checked()[static_cast<CORBA::ULong>(index)];
  }
  template <typename Index>
  decltype(auto) operator[](Index index) const {
    return static_cast<const S&>(this->checked())[static_cast<CORBA::ULong>(index)];
  }
};

// An out parameter of a variable-length type.
template <typename T, typename Var>
class VariableOut {
 public:
  VariableOut(T*& value) : value_(value) { value_ = nullptr; }
  VariableOut(Var& value) : value_(value.out()) {}
  VariableOut(const VariableOut&) = default;
  VariableOut& operator=(const VariableOut& other) {
    value_ = other.value_;
    return *this;
  }
  VariableOut& operator=(T* adopted) {
    value_ = adopted;
    return *this;
  }
  operator T*&() { return value_; }
  T*& ptr() { return value_; }
  T* operator->() { return value_; }
  template <typename Index>
  decltype(auto) operator[](Index index) {
    return (*value_)[static_cast<CORBA::ULong>(index)];
  }

 private:
  T*& value_;
};

// Arrays: Traits names array, slice, alloc, dup, copy and free.
template <typename Traits>
class ArrayVar {
 public:
  typedef typename Traits::slice slice;
  ArrayVar() = default;
  ArrayVar(slice* adopted) : value_(adopted) {}
  ArrayVar(const ArrayVar& other) : value_(other.value_ ? Traits::dup(other.value_) : nullptr) {}
  ArrayVar(ArrayVar&& other) noexcept : value_(other.value_) { other.value_ = nullptr; }
  ~ArrayVar() { Traits::free(value_); }
  ArrayVar& operator=(slice* adopted) {
    if (adopted != value_) {
      Traits::free(value_);
      value_ = adopted;
    }
    return *this;
  }
  ArrayVar& operator=(const ArrayVar& other) {
    if (this != &other) *this = other.value_ ? Traits::dup(other.value_) : nullptr;
    return *this;
  }
  template <typename Index>
  slice& operator[](Index index) {
    return value_[index];
  }
  template <typename Index>
  const slice& operator[](Index index) const {
    return value_[index];
  }
  operator slice*() { return value_; }
  operator const slice*() const { return value_; }
  const slice* in() const { return value_; }
  slice* inout() { return value_; }
  slice* ptr() const { return value_; }

 protected:
  slice* value_ = nullptr;
};

template <typename Traits>
class FixedArrayVar : public ArrayVar<Traits> {
 public:
  using ArrayVar<Traits>::ArrayVar;
  using ArrayVar<Traits>::operator=;
  typename Traits::slice* out() {
    if (!this->value_) this->value_ = Traits::alloc();
    return this->value_;
  }
  typename Traits::slice* _retn() {
    auto* const value = this->value_;
    this->value_ = nullptr;
    return value;
  }
};

template <typename Traits>
class VariableArrayVar : public ArrayVar<Traits> {
 public:
  using ArrayVar<Traits>::ArrayVar;
  using ArrayVar<Traits>::operator=;
  typename Traits::slice*& out() {
    Traits::free(this->value_);
    return this->value_ = nullptr, this->value_;
  }
  typename Traits::slice* _retn() {
    auto* const value = this->value_;
    this->value_ = nullptr;
    return value;
  }
};

// An array on its way into or out of an Any: which array it is, without owning it. Inserted with `nocopy` the
// Any takes the array over.
template <typename Traits>
class ArrayForAny {
 public:
  typedef typename Traits::slice slice;
  typedef Traits _corbel_traits;
  ArrayForAny() = default;
  ArrayForAny(slice* array, CORBA::Boolean nocopy = false) : value_(array), nocopy_(nocopy) {}
  ArrayForAny& operator=(slice* array) {
    value_ = array;
    nocopy_ = false;
    return *this;
  }
  template <typename Index>
  slice& operator[](Index index) {
    return value_[index];
  }
  template <typename Index>
  const slice& operator[](Index index) const {
    return value_[index];
  }
  operator slice*() { return value_; }
  operator const slice*() const { return value_; }
  const slice* in() const { return value_; }
  slice* inout() { return value_; }
  slice*& out() { return value_; }
  slice* _retn() { return value_; }
  slice* ptr() const { return value_; }
  CORBA::Boolean nocopy() const { return nocopy_; }

 private:
  slice* value_ = nullptr;
  bool nocopy_ = false;
};

// An out parameter of an array of variable-length elements.
template <typename Traits>
class ArrayOut {
 public:
  typedef typename Traits::slice slice;
  ArrayOut(slice*& value) : value_(value) { value_ = nullptr; }
  ArrayOut(VariableArrayVar<Traits>& value) : value_(value.out()) {}
  ArrayOut(const ArrayOut&) = default;
  ArrayOut& operator=(const ArrayOut& other) {
    value_ = other.value_;
    return *this;
  }
  ArrayOut& operator=(slice* adopted) {
    value_ = adopted;
    return *this;
  }
  operator slice*&() { return value_; }
  slice*& ptr() { return value_; }
  template <typename Index>
  slice& operator[](Index index) {
    return value_[index];
  }

 private:
  slice*& value_;
};

}  // namespace corbel::cpp
