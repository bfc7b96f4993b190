// Sequences of the classic C++ mapping (OMG C++ mapping 1.3, "Mapping for Sequence Types").
//
// A sequence owns its buffer if release() is true; then elements are freed with it and when they are
// overwritten. As safe as a std container between threads.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>

#include <corbel/base/copy.h>
#include <corbel/cpp/string.h>
#include <corbel/cpp/types.h>

namespace corbel::cpp {

// Throws BAD_PARAM: a length over a sequence's bound.
[[noreturn, gnu::visibility("default")]] void raise_bound_exceeded();
// Memory of sequences themselves, which come and go with calls: the thread keeps some (cpp/string_memory.h).
// Null when memory is exhausted.
[[gnu::visibility("default")]] void* allocate_sequence(std::size_t size) noexcept;
[[gnu::visibility("default")]] void free_sequence(void* memory) noexcept;
// Frees the block whose address stands right before these elements.
[[gnu::visibility("default")]] void free_taken(const void* elements);

// How a sequence treats its elements. Slot is what the buffer holds, Element what operator[] gives.
template <typename T>
struct ValueElements {
  static constexpr bool kFlat = __is_trivially_copyable(T);  // copied as memory
  typedef T Slot;
  typedef T& Element;
  typedef const T& ConstElement;
  static Slot* allocate(CORBA::ULong count) { return new T[count]; }
  static void deallocate(Slot* buffer) { delete[] buffer; }
  static void copy(Slot& to, const Slot& from) { to = from; }
  static void move(Slot& to, Slot& from) { to = static_cast<Slot&&>(from); }
  static void reset(Slot& slot) {
    if constexpr (__is_class(T)) slot = T();
  }
  static void fill(Slot* slots, CORBA::ULong count) {
    if constexpr (!__is_class(T)) std::memset(static_cast<void*>(slots), 0, sizeof(T) * count);
  }
  static Element element(Slot& slot, bool) { return slot; }
  static ConstElement element(const Slot& slot) { return slot; }
};

template <typename Traits>
struct ArrayElements {
  static constexpr bool kFlat = false;
  typedef typename Traits::array Slot;
  typedef Slot& Element;
  typedef const Slot& ConstElement;
  static Slot* allocate(CORBA::ULong count) { return new Slot[count]; }
  static void deallocate(Slot* buffer) { delete[] buffer; }
  static void copy(Slot& to, const Slot& from) { Traits::copy(to, from); }
  static void move(Slot& to, Slot& from) { Traits::copy(to, from); }
  static void reset(Slot& slot) {
    if constexpr (!__is_trivially_copyable(Slot)) reset_array(slot);
  }
  static void fill(Slot* slots, CORBA::ULong count) {
    if constexpr (__is_trivially_copyable(Slot))
      std::memset(static_cast<void*>(slots), 0, sizeof(Slot) * count);
  }
  static Element element(Slot& slot, bool) { return slot; }
  static ConstElement element(const Slot& slot) { return slot; }

 private:
  template <typename T, std::size_t N>
  static void reset_array(T (&array)[N]) {
    for (T& one : array) reset_array(one);
  }
  template <typename T>
  static void reset_array(T& one) {
    one = T();
  }
};

// Buffers of pointers remember their length in front, for freebuf.
template <typename P, typename Ownership>
struct PointerElements {
  static constexpr bool kFlat = false;
  typedef P Slot;
  static Slot* allocate(CORBA::ULong count) {
    auto* const raw =
        static_cast<std::size_t*>(::operator new((count + std::size_t{2}) * sizeof(std::size_t)));
    *raw = count;
    Slot* const buffer = reinterpret_cast<Slot*>(raw + 2);
    std::memset(static_cast<void*>(buffer), 0, count * sizeof(Slot));
    return buffer;
  }
  static void deallocate(Slot* buffer) {
    if (!buffer) return;
    auto* const raw = reinterpret_cast<std::size_t*>(buffer) - 2;
    for (std::size_t i = 0; i < *raw; ++i) Ownership::free(buffer[i]);
    ::operator delete(raw);
  }
  static void copy(Slot& to, const Slot& from) {
    Slot const fresh = Ownership::duplicate(from);
    Ownership::free(to);
    to = fresh;
  }
  static void move(Slot& to, Slot& from) {
    Slot const p = from;
    from = to;
    to = p;
  }
  static void reset(Slot& slot) {
    Ownership::free(slot);
    slot = nullptr;
  }
  static void fill(Slot* slots, CORBA::ULong count) {
    for (CORBA::ULong i = 0; i < count; ++i)
      if (!slots[i]) slots[i] = Ownership::initial();
  }
};

struct StringOwnership {
  static char* duplicate(const char* p) { return CORBA::string_dup(p); }
  static void free(char* p) { CORBA::string_free(p); }
  static char* initial() { return CORBA::string_dup(""); }
};

// An element of a string sequence: assignment frees the old string if the sequence owns it.
class StringElement {
 public:
  typedef void _corbel_string_holder;
  StringElement(char*& text, bool owned) : text_(text), owned_(owned) {}
  StringElement(const StringElement&) = default;
  StringElement& operator=(char* adopted) {
    if (owned_ && text_ != adopted) CORBA::string_free(text_);
    text_ = adopted;
    return *this;
  }
  StringElement& operator=(const char* copied) { return *this = CORBA::string_dup(copied); }
  StringElement& operator=(const StringElement& other) {
    return *this = static_cast<const char*>(other.text_);
  }
  template <typename Holder, typename = typename Holder::_corbel_string_holder>
  StringElement& operator=(const Holder& copied) {
    return *this = copied.in();
  }
  operator char*() const { return text_; }
  operator char*&() { return text_; }
  const char* in() const { return text_; }
  char*& inout() { return text_; }
  char*& out() {
    if (owned_) CORBA::string_free(text_);
    return text_ = nullptr, text_;
  }
  char* _retn() {
    char* const text = text_;
    text_ = nullptr;
    return text;
  }

  template <typename Stream>
  friend auto operator>>(Stream& in, StringElement text) -> decltype(in.width(0), (in)) {
    if (char* const word = read_word(in, CORBA::string_alloc, CORBA::string_free)) text = word;
    return in;
  }

 private:
  char*& text_;
  bool owned_;
};

// An element of a constant one.
class ConstStringElement {
 public:
  typedef void _corbel_string_holder;
  explicit ConstStringElement(const char* text) : text_(text) {}
  operator const char*() const { return text_; }
  const char* in() const { return text_; }

 private:
  const char* text_;
};

struct StringElements : PointerElements<char*, StringOwnership> {
  typedef StringElement Element;
  typedef ConstStringElement ConstElement;
  static Element element(Slot& slot, bool owned) { return Element(slot, owned); }
  static ConstElement element(const Slot& slot) { return ConstElement(slot); }
};

template <typename T>
struct ObjectOwnership {
  static T* duplicate(T* p) { return corbel::cpp::duplicate(p); }
  static void free(T* p) { drop(p); }
  static T* initial() { return nullptr; }
};

// An element of a sequence of references.
template <typename T>
class ObjectElement {
 public:
  typedef T _corbel_object;
  ObjectElement(T*& object, bool owned) : object_(object), owned_(owned) {}
  ObjectElement(const ObjectElement&) = default;
  ObjectElement& operator=(T* adopted) {
    if (owned_) drop(object_);
    object_ = adopted;
    return *this;
  }
  ObjectElement& operator=(const ObjectElement& other) {
    return *this = corbel::cpp::duplicate(other.object_);
  }
  template <typename Holder, typename Held = typename Holder::_corbel_object>
  ObjectElement& operator=(const Holder& copied) {
    return *this = corbel::cpp::duplicate<Held>(copied.in());
  }
  operator T*() const { return object_; }
  operator T*&() { return object_; }
  T* operator->() const { return object_; }
  T* in() const { return object_; }
  T*& inout() { return object_; }
  T*& out() {
    if (owned_) drop(object_);
    return object_ = nullptr, object_;
  }
  T* _retn() {
    T* const object = object_;
    object_ = nullptr;
    return object;
  }

 private:
  T*& object_;
  bool owned_;
};

template <typename T>
struct ObjectElements : PointerElements<T*, ObjectOwnership<T>> {
  typedef ObjectElement<T> Element;
  typedef const ObjectElement<T> ConstElement;
  static Element element(T*& slot, bool owned) { return Element(slot, owned); }
  static ConstElement element(T* const& slot) { return Element(const_cast<T*&>(slot), false); }
};

// What all sequences share. Bound 0 is none.
template <typename Elements, CORBA::ULong Bound>
class BasicSequence {
 public:
  typedef typename Elements::Slot _corbel_slot;

  BasicSequence() = default;
  BasicSequence(CORBA::ULong maximum, CORBA::ULong length, _corbel_slot* data, CORBA::Boolean release)
      : maximum_(maximum), length_(length), buffer_(data), release_(release) {}
  // Delegates: what is there when an element's copy throws is freed.
  BasicSequence(const BasicSequence& other) : BasicSequence() { assign(other); }
  BasicSequence(BasicSequence&& other) noexcept { swap(other); }
  BasicSequence& operator=(const BasicSequence& other) {
    if (this == &other) return *this;
    if constexpr (Elements::kFlat) {
      // What a copy would be is what there is: only the elements are other ones.
      if (maximum_ == other.maximum_ && release_ && buffer_ && other.buffer_) {
        length_ = other.length_;
        base::move_octets(buffer_, other.buffer_, length_ * sizeof(_corbel_slot));
        return *this;
      }
    }
    BasicSequence fresh(other);
    swap(fresh);
    return *this;
  }
  BasicSequence& operator=(BasicSequence&& other) noexcept {
    swap(other);
    return *this;
  }
  ~BasicSequence() {
    if (release_) free_buffer();
  }

  static void* operator new(std::size_t size) {
    if (void* const memory = allocate_sequence(size)) return memory;
    raise_no_memory();
  }
  static void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate_sequence(size);
  }
  static void* operator new(std::size_t, void* where) noexcept { return where; }
  static void operator delete(void* memory) { free_sequence(memory); }
  static void operator delete(void* memory, const std::nothrow_t&) noexcept { free_sequence(memory); }
  static void operator delete(void*, void*) noexcept {}

  CORBA::ULong maximum() const { return Bound != 0 ? Bound : maximum_; }
  CORBA::ULong length() const { return length_; }
  // New elements are zero, empty or nil; those cut off are freed.
  void length(CORBA::ULong count) {
    if (Bound != 0 && count > Bound) raise_bound_exceeded();
    if (count > length_) {
      if (count > maximum_ || !buffer_) grow(count);
      Elements::fill(buffer_ + length_, count - length_);
    } else if (release_) {
      for (CORBA::ULong i = count; i < length_; ++i) Elements::reset(buffer_[i]);
    }
    length_ = count;
  }

  typename Elements::Element operator[](CORBA::ULong index) {
    return Elements::element(buffer_[index], release_);
  }
  typename Elements::ConstElement operator[](CORBA::ULong index) const {
    return Elements::element(static_cast<const _corbel_slot&>(buffer_[index]));
  }

  CORBA::Boolean release() const { return release_; }

  // The buffer; with `orphan` the caller takes it over (null if the sequence does not own it) and the
  // sequence is empty.
  _corbel_slot* get_buffer(CORBA::Boolean orphan = false) {
    // A bounded sequence promises room for its bound, of which it may not have needed all so far.
    if (Bound != 0 && maximum_ < Bound && (buffer_ || !orphan)) grow(Bound);
    if (!orphan) {
      if (!buffer_) grow(maximum_ != 0 ? maximum_ : 1);
      return buffer_;
    }
    if (!release_) return nullptr;
    if (taken_) grow(maximum_);  // freebuf() knows its own memory only
    _corbel_slot* const buffer = buffer_;
    buffer_ = nullptr;
    length_ = 0;
    maximum_ = 0;
    return buffer;
  }
  const _corbel_slot* get_buffer() const { return buffer_; }

  static _corbel_slot* allocbuf(CORBA::ULong count) { return Elements::allocate(count); }
  static void freebuf(_corbel_slot* buffer) { Elements::deallocate(buffer); }

  // For decoders: `count` elements whose old values do not matter and whose new ones are about to be written.
  [[gnu::noinline]] _corbel_slot* _corbel_overwrite(CORBA::ULong count) {
    if (count > maximum_ || !release_ || !buffer_) {
      _corbel_slot* const fresh = Elements::allocate(count);
      if (release_) free_buffer();
      buffer_ = fresh;
      maximum_ = count;
      release_ = true;
    } else {
      for (CORBA::ULong i = count; i < length_; ++i) Elements::reset(buffer_[i]);
    }
    length_ = count;
    return buffer_;
  }
  // The same, of elements that stand in a block of malloc, whose address stands right before them.
  void _corbel_take(_corbel_slot* elements, CORBA::ULong count) {
    if (release_) free_buffer();
    buffer_ = elements;
    maximum_ = length_ = count;
    release_ = taken_ = true;
  }

 protected:
  void replace_buffer(CORBA::ULong maximum, CORBA::ULong length, _corbel_slot* data, CORBA::Boolean release) {
    if (release_ && buffer_ != data) free_buffer();
    taken_ = taken_ && release && buffer_ == data;
    maximum_ = maximum;
    length_ = length;
    buffer_ = data;
    release_ = release;
  }
  void reserve(CORBA::ULong maximum) { maximum_ = maximum; }

 private:
  void swap(BasicSequence& other) noexcept {
    BasicSequence* const a = this;
    BasicSequence* const b = &other;
    const CORBA::ULong maximum = a->maximum_, length = a->length_;
    _corbel_slot* const buffer = a->buffer_;
    const bool release = a->release_, taken = a->taken_;
    a->taken_ = b->taken_, b->taken_ = taken;
    a->maximum_ = b->maximum_, a->length_ = b->length_, a->buffer_ = b->buffer_, a->release_ = b->release_;
    b->maximum_ = maximum, b->length_ = length, b->buffer_ = buffer, b->release_ = release;
  }
  [[gnu::noinline]] void assign(const BasicSequence& other) {
    maximum_ = other.maximum_;
    if (!other.buffer_) return;
    buffer_ = Elements::allocate(maximum_);
    length_ = other.length_;
    copy_elements(buffer_, other.buffer_);
  }
  void copy_elements(_corbel_slot* to, const _corbel_slot* from) {
    if constexpr (Elements::kFlat) {
      if (length_ != 0) base::move_octets(to, from, length_ * sizeof(_corbel_slot));
    } else {
      for (CORBA::ULong i = 0; i < length_; ++i) Elements::copy(to[i], from[i]);
    }
  }
  // By half at least, so that appending one element after the other stays cheap.
  [[gnu::noinline]] void grow(CORBA::ULong count) {
    CORBA::ULong maximum = maximum_;
    if (count > maximum) {
      maximum = maximum > 0xffffffffu - maximum / 2 ? count : maximum + maximum / 2;
      if (maximum < count) maximum = count;
      if (Bound != 0 && maximum > Bound) maximum = Bound;
    }
    _corbel_slot* const fresh = Elements::allocate(maximum);
    if (release_ && !Elements::kFlat) {
      for (CORBA::ULong i = 0; i < length_; ++i) Elements::move(fresh[i], buffer_[i]);
    } else {
      copy_elements(fresh, buffer_);
    }
    if (release_) free_buffer();
    buffer_ = fresh;
    maximum_ = maximum;
    release_ = true;
  }
  // The buffer is not to be used any more.
  void free_buffer() {
    if constexpr (Elements::kFlat) {
      if (taken_) {
        free_taken(buffer_);
        taken_ = false;
        return;
      }
    }
    Elements::deallocate(buffer_);
  }

  CORBA::ULong maximum_ = 0;
  CORBA::ULong length_ = 0;
  _corbel_slot* buffer_ = nullptr;
  bool release_ = true;
  bool taken_ = false;  // with the block that it arrived in
};

template <typename Elements>
class Unbounded : public BasicSequence<Elements, 0> {
 public:
  typedef typename Elements::Slot _corbel_slot;
  Unbounded() = default;
  explicit Unbounded(CORBA::ULong maximum) { this->reserve(maximum); }
  Unbounded(CORBA::ULong maximum, CORBA::ULong length, _corbel_slot* data, CORBA::Boolean release = false)
      : BasicSequence<Elements, 0>(maximum, length, data, release) {}
  void replace(CORBA::ULong maximum, CORBA::ULong length, _corbel_slot* data,
               CORBA::Boolean release = false) {
    this->replace_buffer(maximum, length, data, release);
  }
};

template <typename Elements, CORBA::ULong Bound>
class Bounded : public BasicSequence<Elements, Bound> {
 public:
  typedef typename Elements::Slot _corbel_slot;
  Bounded() { this->reserve(0); }
  Bounded(CORBA::ULong length, _corbel_slot* data, CORBA::Boolean release = false)
      : BasicSequence<Elements, Bound>(Bound, length, data, release) {
    if (length > Bound) raise_bound_exceeded();
  }
  void replace(CORBA::ULong length, _corbel_slot* data, CORBA::Boolean release = false) {
    if (length > Bound) raise_bound_exceeded();
    this->replace_buffer(Bound, length, data, release);
  }
};

template <typename T>
class UnboundedSequence : public Unbounded<ValueElements<T>> {
 public:
  using Unbounded<ValueElements<T>>::Unbounded;
};
template <typename T, CORBA::ULong N>
class BoundedSequence : public Bounded<ValueElements<T>, N> {
 public:
  using Bounded<ValueElements<T>, N>::Bounded;
};
class UnboundedStringSequence : public Unbounded<StringElements> {
 public:
  using Unbounded::Unbounded;
};
template <CORBA::ULong N>
class BoundedStringSequence : public Bounded<StringElements, N> {
 public:
  using Bounded<StringElements, N>::Bounded;
};
template <typename T>
class UnboundedObjectSequence : public Unbounded<ObjectElements<T>> {
 public:
  using Unbounded<ObjectElements<T>>::Unbounded;
};
template <typename T, CORBA::ULong N>
class BoundedObjectSequence : public Bounded<ObjectElements<T>, N> {
 public:
  using Bounded<ObjectElements<T>, N>::Bounded;
};
template <typename Traits>
class UnboundedArraySequence : public Unbounded<ArrayElements<Traits>> {
 public:
  using Unbounded<ArrayElements<Traits>>::Unbounded;
};
template <typename Traits, CORBA::ULong N>
class BoundedArraySequence : public Bounded<ArrayElements<Traits>, N> {
 public:
  using Bounded<ArrayElements<Traits>, N>::Bounded;
};

// Those of the library, so that nobody else need compile them.
extern template class BasicSequence<ValueElements<CORBA::Boolean>, 0>;
extern template class BasicSequence<ValueElements<CORBA::Octet>, 0>;
extern template class BasicSequence<ValueElements<CORBA::Char>, 0>;
extern template class BasicSequence<ValueElements<CORBA::Short>, 0>;
extern template class BasicSequence<ValueElements<CORBA::UShort>, 0>;
extern template class BasicSequence<ValueElements<CORBA::Long>, 0>;
extern template class BasicSequence<ValueElements<CORBA::ULong>, 0>;
extern template class BasicSequence<ValueElements<CORBA::LongLong>, 0>;
extern template class BasicSequence<ValueElements<CORBA::ULongLong>, 0>;
extern template class BasicSequence<ValueElements<CORBA::Float>, 0>;
extern template class BasicSequence<ValueElements<CORBA::Double>, 0>;
extern template class BasicSequence<StringElements, 0>;

}  // namespace corbel::cpp
