// The interpreter of TypeCodes that the papers begin with, written anew from their description (Gokhale and
// Schmidt, "Principles for Optimizing CORBA Internet Inter-ORB Protocol Performance", sections 2.3 and 3.2):
// an oracle for the marshal programs, and what their speed is held against.
//
// One function, traverse, walks through a value as its TypeCode says and hands each part to one of four
// others, which its template is told: encoder, decoder, deep_copy, deep_free. Where a part stands in memory
// is computed anew at each visit. Each of the papers' steps can be switched on, with those before it. CDR is
// that of GIOP 1.2 without conversion of code sets; valuetypes are refused.
#pragma once

#include <corbel/cdr/bytes.h>
#include <corbel/types/type_code.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace original {

using corbel::types::Kind;
using corbel::types::TypeCode;

// Each includes those before.
enum class Step {
  None,
  Inlined,      // the stream's functions are inlined
  Precomputed,  // sizes are kept with the type; what holds nothing to be freed is not walked through to free
                // it
  Receiver,     // the decoder is split into functions for sequences and structs, with loops for numbers
  Sender,       // so is the encoder
};
inline constexpr Step kSteps[] = {Step::None, Step::Inlined, Step::Precomputed, Step::Receiver, Step::Sender};

// A TypeCode without aliases, with room for what the steps keep. Object references are structs here.
struct Type {
  struct Member {
    const Type* type;
    std::int64_t label;  // union
    std::size_t offset;  // struct
  };
  const TypeCode* code;
  Kind kind;
  std::uint32_t length;    // as the TypeCode's
  std::uint8_t width = 0;  // of a number; 0: no number
  bool empty = false;      // its values have no octets
  bool nothing_to_free = false;
  const Type* content = nullptr;   // element, discriminator
  const Type* fallback = nullptr;  // union: of the default
  std::vector<Member> members;     // without those that are empty, unless of a union
  std::size_t size = 0, alignment = 1;
  std::uint64_t cost;  // memory and visits that one value takes at least, behind no pointer
};

// Types by their TypeCodes, which must outlive them.
class Types {
 public:
  Types() = default;
  Types(const Types&) = delete;
  Types& operator=(const Types&) = delete;
  const Type& of(const TypeCode& code);

 private:
  void make(Type& type);
  void add_struct(Type& type);
  void add_union(Type& type);

  std::deque<Type> types_;
  std::unordered_map<const TypeCode*, Type*> known_;
};

// Bytes of a peer; alignment counts from `origin`.
class Input {
 public:
  Input(const char* origin, const char* begin, const char* end, bool swap)
      : origin_(origin), next_(begin), end_(end), swap_(swap) {}

  // Null if they are not there.
  const char* take(std::size_t size, std::size_t alignment) {
    const std::size_t pad = static_cast<std::size_t>(origin_ - next_) & (alignment - 1);
    if (remaining() < pad || remaining() - pad < size) return nullptr;
    const char* const p = next_ + pad;
    next_ = p + size;
    return p;
  }
  template <typename T>
  bool get(char* to) {
    const char* const p = take(sizeof(T), sizeof(T));
    if (p) corbel::cdr::store(to, corbel::cdr::load<T>(p, swap_));
    return p;
  }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - next_); }
  const char* position() const { return next_; }
  bool swap() const { return swap_; }
  corbel::cdr::Decoder decoder() const { return {origin_, next_, end_, swap_}; }
  void go_to(const char* position) { next_ = position; }

 private:
  const char *origin_, *next_, *end_;
  bool swap_;
};

// In host byte order, from an offset from a multiple of 8 on.
class Output {
 public:
  explicit Output(std::size_t offset = 0) { rewind(offset); }

  // Where `size` octets are to be put.
  char* room(std::size_t size, std::size_t alignment) {
    if (static_cast<std::size_t>(end_ - next_) < size + kSpare) grow(size);
    const std::size_t pad = static_cast<std::size_t>(memory_.data() - next_) & (alignment - 1);
    std::memset(next_, 0, kSpare);
    char* const p = next_ + pad;
    next_ = p + size;
    return p;
  }
  template <typename T>
  void put(const char* from) {
    std::memcpy(room(sizeof(T), sizeof(T)), from, sizeof(T));
  }
  std::size_t offset() const { return static_cast<std::size_t>(next_ - memory_.data()); }
  std::string_view written() const { return {memory_.data(), offset()}; }
  void rewind(std::size_t offset = 0) { next_ = memory_.data() + offset; }

 private:
  static constexpr std::size_t kSpare = 8;  // of which padding takes some
  [[gnu::noinline]] void grow(std::size_t size) {
    const std::size_t before = offset();
    memory_.resize(2 * (before + size + kSpare));
    next_ = memory_.data() + before;
    end_ = memory_.data() + memory_.size();
  }

  std::vector<char> memory_ = std::vector<char>(64);
  char* next_ = memory_.data();
  char* end_ = memory_.data() + memory_.size();
};

// Used by one thread at a time.
class Engine {
 public:
  static std::unique_ptr<Engine> make(Step step);
  virtual ~Engine() = default;

  // A value in memory of its own, or null if it is malformed.
  virtual void* decode(const Type& type, Input& in) = 0;
  virtual void encode(const Type& type, const void* value, Output& out) = 0;
  virtual void* copy(const Type& type, const void* value) = 0;
  virtual void free(const Type& type, void* value) = 0;
};

}  // namespace original
