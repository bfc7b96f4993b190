// Boxed arrays (C++ mapping 1.3, value boxes).
#pragma once

#include <corbel/cpp/value_box.h>
#include <corbel/cpp/var.h>

namespace corbel::cpp {

// Self is the generated class, Traits are those of the array; Variable says whether its elements are of
// variable length.
template <typename Self, typename Traits, bool Variable>
class ArrayBox : public BoxBase<Self> {
 public:
  typedef typename Traits::array array;
  typedef typename Traits::slice slice;

  ArrayBox() = default;
  explicit ArrayBox(const array value) : value_(Traits::dup(value)) {}
  ArrayBox(const ArrayBox& other)
      : CORBA::ValueBase(other), BoxBase<Self>(other), value_(Traits::dup(other.held())) {}
  ArrayBox& operator=(const ArrayBox&) = delete;
  ArrayBox& operator=(const array value) {
    _value(value);
    return *this;
  }
  const slice* _value() const { return held(); }
  slice* _value() { return held(); }
  void _value(const array value) {
    if (value != value_) Traits::copy(held(), value);
  }
  const slice& operator[](CORBA::ULong index) const { return held()[index]; }
  slice& operator[](CORBA::ULong index) { return held()[index]; }
  const slice* _boxed_in() const { return held(); }
  slice* _boxed_inout() { return held(); }
  // As the array's own out parameter: what is filled, or where a pointer to a new one goes.
  decltype(auto) _boxed_out() {
    if constexpr (Variable) {
      this->_corbel_clear();
      return (value_);
    } else {
      return held();
    }
  }
  void _corbel_clear() override {
    Traits::free(value_);
    value_ = nullptr;
  }

 protected:
  ~ArrayBox() override { Traits::free(value_); }

 private:
  // Made when it is wanted: where a value was cleared, or an operation that should have given one failed.
  slice* held() const {
    if (value_) return value_;
    value_ = Traits::alloc();
    for (std::size_t i = 0; i < sizeof(array) / sizeof(slice); ++i) clear_elements(value_[i]);
    return value_;
  }

  mutable slice* value_ = nullptr;
};

}  // namespace corbel::cpp
