// Boxed values (OMG C++ mapping 1.3, "Value Box Classes"): one class for each way of holding what is boxed.
// Arrays have array_box.h. The generated class Self adds how the state is marshaled, and the members of
// structs and unions.
#pragma once

#include <corbel/cpp/string.h>
#include <corbel/cpp/value.h>
#include <corbel/cpp/wide.h>

namespace corbel::cpp {

template <typename Self>
class BoxBase : public CORBA::DefaultValueRefCountBase {
 public:
  typedef Self* _ptr_type;
  typedef ValueVar<Self> _var_type;
  static const ValueType* _corbel_expected() { return &Self::_corbel_value_type; }
  static constexpr CORBA::ValueBase* (*_corbel_maker())() {
    return [] { return static_cast<CORBA::ValueBase*>(new Self); };
  }
  static Self* _downcast(CORBA::ValueBase* value) { return dynamic_cast<Self*>(value); }
  static Self* _duplicate(Self* value) {
    if (value) value->_add_ref();
    return value;
  }
  CORBA::ValueBase* _corbel_new() const override { return new Self; }
  const ValueType& _corbel_type() const override { return Self::_corbel_value_type; }

 protected:
  BoxBase() = default;
  BoxBase(const BoxBase& other) : CORBA::ValueBase(other), CORBA::DefaultValueRefCountBase(other) {}
};

// Numbers, characters, booleans, enums.
template <typename Self, typename T>
class BasicBox : public BoxBase<Self> {
 public:
  BasicBox() = default;
  explicit BasicBox(T value) : value_(value) {}
  BasicBox(const BasicBox& other) : CORBA::ValueBase(other), BoxBase<Self>(other), value_(other.value_) {}
  BasicBox& operator=(const BasicBox&) = delete;
  BasicBox& operator=(T value) {
    value_ = value;
    return *this;
  }
  T _value() const { return value_; }
  void _value(T value) { value_ = value; }
  T _boxed_in() const { return value_; }
  T& _boxed_inout() { return value_; }
  T& _boxed_out() { return value_; }

 private:
  T value_{};
};

// References of objects, abstract interfaces and TypeCodes. Counts those that it is given.
template <typename Self, typename I>
class ReferenceBox : public BoxBase<Self> {
 public:
  ReferenceBox() = default;
  explicit ReferenceBox(I* object) : object_(duplicate(object)) {}
  ReferenceBox(const ReferenceBox& other)
      : CORBA::ValueBase(other), BoxBase<Self>(other), object_(other.object_) {}
  ReferenceBox& operator=(const ReferenceBox&) = delete;
  ReferenceBox& operator=(I* object) {
    object_ = duplicate(object);
    return *this;
  }
  I* _value() const { return object_.in(); }
  void _value(I* object) { object_ = duplicate(object); }
  I* _boxed_in() const { return object_.in(); }
  I*& _boxed_inout() { return object_.inout(); }
  I*& _boxed_out() { return object_.out(); }
  void _corbel_clear() override { object_ = static_cast<I*>(nullptr); }

 private:
  ObjectVar<I> object_;
};

// Adopts a Char*, copies a const Char* and what _vars hold. Var is that of the text.
template <typename Self, typename Char, typename Var>
class TextBox : public BoxBase<Self> {
 public:
  TextBox() : text_(kEmpty) {}
  explicit TextBox(Char* adopted) : text_(adopted) {}
  explicit TextBox(const Char* copied) : text_(copied) {}
  explicit TextBox(const Var& copied) : text_(copied) {}
  TextBox(const TextBox& other) : CORBA::ValueBase(other), BoxBase<Self>(other), text_(other._value()) {}
  TextBox& operator=(const TextBox&) = delete;
  TextBox& operator=(Char* adopted) {
    text_ = adopted;
    return *this;
  }
  TextBox& operator=(const Char* copied) {
    text_ = copied;
    return *this;
  }
  TextBox& operator=(const Var& copied) {
    text_ = copied;
    return *this;
  }
  // Empty where an operation that should have given one has failed.
  const Char* _value() const { return text_.in() ? text_.in() : kEmpty; }
  void _value(Char* adopted) { text_ = adopted; }
  void _value(const Char* copied) { text_ = copied; }
  void _value(const Var& copied) { text_ = copied; }
  template <typename Index>
  Char& operator[](Index index) {
    return text_.inout()[index];
  }
  template <typename Index>
  Char operator[](Index index) const {
    return _value()[index];
  }
  const Char* _boxed_in() const { return _value(); }
  Char*& _boxed_inout() {
    if (!text_.in()) text_ = kEmpty;
    return text_.inout();
  }
  Char*& _boxed_out() { return text_.out(); }

 private:
  static constexpr Char kEmpty[1] = {};
  Var text_;
};
template <typename Self>
using StringBox = TextBox<Self, char, CORBA::String_var>;
template <typename Self>
using WStringBox = TextBox<Self, CORBA::WChar, CORBA::WString_var>;

// Structs, unions, sequences, fixed and any; Variable says whether their out parameters are pointers.
template <typename Self, typename T, bool Variable>
class AggregateBox : public BoxBase<Self> {
 public:
  AggregateBox() = default;
  explicit AggregateBox(const T& value) : value_(value) {}
  AggregateBox(const AggregateBox& other)
      : CORBA::ValueBase(other), BoxBase<Self>(other), value_(other._value()) {}
  AggregateBox& operator=(const AggregateBox&) = delete;
  AggregateBox& operator=(const T& value) {
    _value() = value;
    return *this;
  }
  const T& _value() const { return value_.get(); }
  T& _value() { return value_.get(); }
  void _value(const T& value) { _value() = value; }
  const T& _boxed_in() const { return _value(); }
  T& _boxed_inout() { return _value(); }
  decltype(auto) _boxed_out() { return value_.out(); }
  void _corbel_clear() override { value_.out(); }

 private:
  template <bool Pointer, typename = void>
  struct Held {
    Held() = default;
    explicit Held(const T& value) : value_(value) {}
    const T& get() const { return value_; }
    T& get() { return value_; }
    T& out() {
      value_ = T();
      return value_;
    }
    T value_{};
  };
  // Made when it is wanted: where a value was cleared, or an operation that should have given one failed.
  template <typename Unused>
  struct Held<true, Unused> {
    Held() = default;
    explicit Held(const T& value) : value_(new T(value)) {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() { delete value_; }
    T& get() const {
      if (!value_) value_ = new T();
      return *value_;
    }
    T*& out() {
      delete value_;
      value_ = nullptr;
      return value_;
    }
    mutable T* value_ = nullptr;
  };
  Held<Variable> value_;
};

// A sequence; S says which of the constructors it has.
template <typename Self, typename S>
class SequenceBox : public AggregateBox<Self, S, true> {
  typedef AggregateBox<Self, S, true> Base;

 public:
  using Base::Base;
  using Base::operator=;
  SequenceBox() = default;
  SequenceBox(const SequenceBox& other) : CORBA::ValueBase(other), Base(other) {}
  SequenceBox& operator=(const SequenceBox&) = delete;
  explicit SequenceBox(CORBA::ULong maximum) : Base(S(maximum)) {}
  // Of unbounded ones; `buffer` is the new sequence's if `release` is set.
  template <typename T>
  SequenceBox(CORBA::ULong maximum, CORBA::ULong length, T* buffer, CORBA::Boolean release = false) {
    this->_value().replace(maximum, length, buffer, release);
  }
  // Of bounded ones.
  template <typename T>
  SequenceBox(CORBA::ULong length, T* buffer, CORBA::Boolean release = false) {
    this->_value().replace(length, buffer, release);
  }
  CORBA::ULong maximum() const { return this->_value().maximum(); }
  CORBA::ULong length() const { return this->_value().length(); }
  void length(CORBA::ULong length) { this->_value().length(length); }
  template <typename Index>
  decltype(auto) operator[](Index index) {
    return this->_value()[static_cast<CORBA::ULong>(index)];
  }
  template <typename Index>
  decltype(auto) operator[](Index index) const {
    return this->_value()[static_cast<CORBA::ULong>(index)];
  }
};

}  // namespace corbel::cpp
