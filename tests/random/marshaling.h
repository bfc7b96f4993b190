// What a program made by program.py says of its types, and the text in which values are given and shown.
#pragma once

#include <corbel/any.h>
#include <corbel/corba.h>
#include <corbel/cpp/any_abstract.h>
#include <corbel/cpp/any_value.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

struct Entry;
const std::vector<Entry>& entries();
const char* data_file();
CORBA::ORB_ptr orb();
void add_factories(CORBA::ORB_ptr orb);

template <typename T>
constexpr long long as_integer(T value) {
  return static_cast<long long>(value);
}

// Values as tokens; program.py, Data.text says how.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : rest_(text) {}
  std::string_view next();
  bool at_end() const { return rest_.empty(); }

  long long integer();
  unsigned long long natural();
  CORBA::ULong length() { return static_cast<CORBA::ULong>(natural()); }
  template <typename T>
  void number(T& value) {
    value = static_cast<T>(std::is_unsigned_v<T> ? as_integer(natural()) : integer());
  }
  void number(CORBA::Float& value) { bits<std::uint32_t>(value); }
  void number(CORBA::Double& value) { bits<std::uint64_t>(value); }
  void number(CORBA::LongDouble& value);
  // Characters are unsigned.
  template <typename T>
  T label() {
    T value;
    number(value);
    return value;
  }
  CORBA::Fixed fixed(int scale);
  const char* text();
  const CORBA::WChar* wide_text();
  CORBA::TypeCode_ptr type();
  void any(CORBA::Any& any);
  CORBA::Object_ptr object();
  template <typename I>
  I* reference() {
    CORBA::Object_var o = object();
    return I::_unchecked_narrow(o);
  }
  // Values in the order in which they begin; `number` as in the text.
  void add_value(CORBA::ValueBase* value) { values_.push_back(value); }
  CORBA::ValueBase* value(long long number);

 private:
  template <typename Bits, typename T>
  void bits(T& value) {
    const Bits number = static_cast<Bits>(std::stoull(std::string(next().substr(1)), nullptr, 16));
    std::memcpy(&value, &number, sizeof value);
  }
  std::string_view rest_;
  std::string text_;
  std::vector<CORBA::WChar> wide_;
  std::vector<CORBA::ValueBase*> values_;
};
template <>
inline CORBA::Boolean Tokens::label<CORBA::Boolean>() {
  return integer() != 0;
}
template <>
inline void Tokens::number<CORBA::Boolean>(CORBA::Boolean& value) {
  value = integer() != 0;
}

class Text {
 public:
  void token(std::string_view text) {
    if (!text_.empty()) text_ += ' ';
    text_ += text;
  }
  template <typename T>
  void integer(T value) {
    token(std::to_string(as_integer(value)));
  }
  template <typename T>
  void number(T value) {
    token(std::to_string(value));
  }
  void number(CORBA::Char value) { number(static_cast<unsigned>(static_cast<unsigned char>(value))); }
  void number(CORBA::WChar value) { integer(value); }
  void number(CORBA::Boolean value) { integer(value); }
  void number(CORBA::Float value) { bits<std::uint32_t>(value); }
  void number(CORBA::Double value) { bits<std::uint64_t>(value); }
  void number(CORBA::LongDouble value);
  template <typename T>
  void label(T value) {
    if constexpr (std::is_enum_v<T>) integer(value);
    else number(value);
  }
  void fixed(const CORBA::Fixed& value, int scale);
  void text(const char* text);
  void wide_text(const CORBA::WChar* text);
  void type(CORBA::TypeCode_ptr type);
  void any(const CORBA::Any& any);
  void object(CORBA::Object_ptr object);
  // Whether its state follows, before end_value(): the first time.
  bool begin_value(CORBA::ValueBase* value);
  void end_value(CORBA::ValueBase* value) { open_.erase(value); }
  const std::string& all() const { return text_; }
  // Values in circles, of which changed octets make some and which nobody else frees, let go of what they
  // hold.
  void end_circles();

 private:
  template <typename Bits, typename T>
  void bits(T value) {
    Bits number;
    std::memcpy(&number, &value, sizeof number);
    hexadecimal(number, sizeof number * 2);
  }
  void hexadecimal(std::uint64_t number, std::size_t digits);
  std::string text_;
  std::vector<CORBA::ValueBase_var> values_;  // that have begun
  std::set<CORBA::ValueBase*> open_;          // of those, the ones that have not ended
  bool circles_ = false;
};

// Of whatever class.
CORBA::ValueBase* fill_value(Tokens& in);
void show_value(Text& out, CORBA::ValueBase* value);
// An object that is one is of interface I.
template <typename A, typename I>
A* fill_abstract(Tokens& in) {
  const long long which = in.integer();
  if (which == 1) return in.reference<I>();
  return which == 2 ? dynamic_cast<A*>(fill_value(in)) : nullptr;
}
void show_abstract(Text& out, CORBA::AbstractBase_ptr object);

template <typename V>
void add_factory(CORBA::ORB_ptr orb, const char* id) {
  struct Factory : CORBA::ValueFactoryBase {
    CORBA::ValueBase* create_for_unmarshal() override { return new V; }
  };
  const CORBA::ValueFactory_var made = new Factory, old = orb->register_value_factory(id, made.in());
}

// A type and what can be done with values of it, which are reached by pointers to void. What is null is not
// possible: numbers and arrays have no marshaling of their own, bitmasks and other names of numbers are only
// names.
struct Entry {
  const char* name;
  CORBA::TypeCode_ptr type;
  void* (*make)();
  void (*destroy)(void* value);
  void (*fill)(Tokens& in, void* value);
  void (*show)(Text& out, const void* value);
  void (*marshal)(corbel::cdr::Encoder& out, const void* value);
  bool (*unmarshal)(corbel::cdr::Decoder& in, void* value);
  // Copies, both by constructor and by assignment.
  void* (*copy)(const void* value);
  void (*insert)(CORBA::Any& any, const void* value);
  // Shows what is in the any; false if it is of another type.
  bool (*extract)(const CORBA::Any& any, Text& out);
};

// As the arguments of a call are written and read: what the values in one of them share stays shared. A value
// of a class that nobody knows is refused.
template <typename Write>
void marshal_whole(corbel::cdr::Encoder& out, const Write& write) {
  const corbel::cpp::WrittenValues scope(out);
  write();
}
template <typename Read>
bool unmarshal_whole(corbel::cdr::Decoder& in, const Read& read) {
  const corbel::cpp::ReadValues scope(in);
  try {
    return read();
  } catch (const CORBA::MARSHAL&) {
    return false;
  }
}

template <typename T>
void* make() {
  return new T();
}
template <typename T>
void destroy(void* value) {
  delete static_cast<T*>(value);
}
template <typename T>
void* copy(const void* value) {
  T* const other = new T();
  *other = *static_cast<const T*>(value);
  T* const result = new T(*other);
  delete other;
  return result;
}

template <typename T, void (*Fill)(Tokens&, T&), void (*Show)(Text&, const T&)>
Entry large(const char* name, CORBA::TypeCode_ptr type) {
  return {name,
          type,
          make<T>,
          destroy<T>,
          [](Tokens& in, void* value) { Fill(in, *static_cast<T*>(value)); },
          [](Text& out, const void* value) { Show(out, *static_cast<const T*>(value)); },
          [](corbel::cdr::Encoder& out, const void* value) {
            marshal_whole(out, [&] { marshal(out, *static_cast<const T*>(value)); });
          },
          [](corbel::cdr::Decoder& in, void* value) {
            return unmarshal_whole(in, [&] { return unmarshal(in, *static_cast<T*>(value)); });
          },
          copy<T>,
          [](CORBA::Any& any, const void* value) { any <<= *static_cast<const T*>(value); },
          [](const CORBA::Any& any, Text& out) {
            const T* value;
            if (!(any >>= value)) return false;
            Show(out, *value);
            return true;
          }};
}

// Enums and bitsets.
template <typename T, void (*Fill)(Tokens&, T&), void (*Show)(Text&, const T&)>
Entry small(const char* name, CORBA::TypeCode_ptr type) {
  return {name,
          type,
          make<T>,
          destroy<T>,
          [](Tokens& in, void* value) { Fill(in, *static_cast<T*>(value)); },
          [](Text& out, const void* value) { Show(out, *static_cast<const T*>(value)); },
          nullptr,
          nullptr,
          copy<T>,
          [](CORBA::Any& any, const void* value) { any <<= *static_cast<const T*>(value); },
          [](const CORBA::Any& any, Text& out) {
            T value;
            if (!(any >>= value)) return false;
            Show(out, value);
            return true;
          }};
}

template <typename ForAny, auto Fill, auto Show>
Entry array(const char* name, CORBA::TypeCode_ptr type) {
  typedef typename ForAny::_corbel_traits Traits;
  typedef typename Traits::slice Slice;
  return {name,
          type,
          []() -> void* { return Traits::alloc(); },
          [](void* value) { Traits::free(static_cast<Slice*>(value)); },
          [](Tokens& in, void* value) { Fill(in, static_cast<Slice*>(value)); },
          [](Text& out, const void* value) { Show(out, static_cast<const Slice*>(value)); },
          nullptr,
          nullptr,
          [](const void* value) -> void* { return Traits::dup(static_cast<const Slice*>(value)); },
          [](CORBA::Any& any, const void* value) {
            any <<= ForAny(const_cast<Slice*>(static_cast<const Slice*>(value)));
          },
          [](const CORBA::Any& any, Text& out) {
            ForAny value;
            if (!(any >>= value)) return false;
            Show(out, value.in());
            return true;
          }};
}

template <typename I>
Entry reference(const char* name, CORBA::TypeCode_ptr type) {
  typedef typename I::_var_type Var;
  return {name,
          type,
          make<Var>,
          destroy<Var>,
          [](Tokens& in, void* value) { *static_cast<Var*>(value) = in.reference<I>(); },
          [](Text& out, const void* value) { out.object(static_cast<const Var*>(value)->in()); },
          nullptr,
          nullptr,
          copy<Var>,
          [](CORBA::Any& any, const void* value) { any <<= static_cast<const Var*>(value)->in(); },
          [](const CORBA::Any& any, Text& out) {
            I* value;
            if (!(any >>= value)) return false;
            out.object(value);
            return true;
          }};
}

template <typename V>
Entry value(const char* name, CORBA::TypeCode_ptr type) {
  typedef typename V::_var_type Var;
  return {name,
          type,
          make<Var>,
          destroy<Var>,
          [](Tokens& in, void* value) { *static_cast<Var*>(value) = dynamic_cast<V*>(fill_value(in)); },
          [](Text& out, const void* value) { show_value(out, static_cast<const Var*>(value)->in()); },
          [](corbel::cdr::Encoder& out, const void* value) {
            marshal_whole(out, [&] { corbel::cpp::put_value(out, *static_cast<const Var*>(value)); });
          },
          [](corbel::cdr::Decoder& in, void* value) {
            return unmarshal_whole(in, [&] { return corbel::cpp::get_value(in, *static_cast<Var*>(value)); });
          },
          copy<Var>,
          [](CORBA::Any& any, const void* value) { any <<= static_cast<const Var*>(value)->in(); },
          [](const CORBA::Any& any, Text& out) {
            V* value;
            if (!(any >>= value)) return false;
            show_value(out, value);
            return true;
          }};
}

// Objects are of interface I.
template <typename A, typename I>
Entry abstract(const char* name, CORBA::TypeCode_ptr type) {
  typedef typename A::_var_type Var;
  return {name,
          type,
          make<Var>,
          destroy<Var>,
          [](Tokens& in, void* value) { *static_cast<Var*>(value) = fill_abstract<A, I>(in); },
          [](Text& out, const void* value) { show_abstract(out, static_cast<const Var*>(value)->in()); },
          [](corbel::cdr::Encoder& out, const void* value) {
            marshal_whole(out, [&] { corbel::cpp::put_abstract(out, *static_cast<const Var*>(value)); });
          },
          [](corbel::cdr::Decoder& in, void* value) {
            return unmarshal_whole(in,
                                   [&] { return corbel::cpp::get_abstract(in, *static_cast<Var*>(value)); });
          },
          copy<Var>,
          [](CORBA::Any& any, const void* value) { any <<= static_cast<const Var*>(value)->in(); },
          [](const CORBA::Any& any, Text& out) {
            A* value;
            if (!(any >>= value)) return false;
            show_abstract(out, value);
            return true;
          }};
}

Entry name_only(const char* name, CORBA::TypeCode_ptr type);
// The entries that every program has, and these.
std::vector<Entry> with_basics(const std::vector<Entry>& more);
