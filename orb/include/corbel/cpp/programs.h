// Marshal programs: what interpretive stubs and skeletons are made of. Constant octets say what a message
// holds and where it stands in memory; the functions below carry them out. For generated code alone.
//
// A program is its own place in its file's octets (W), its own header if it has one, and steps up to End.
// Operands are W, two octets, and L, four, little-endian. `at` is an offset in what the step's base points
// to: the memory that the program was called with, until Base.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>

#include <corbel/cpp/call.h>
#include <corbel/cpp/codec.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/skeleton.h>
#include <corbel/cpp/value_scope.h>

namespace corbel::cpp::programs {

enum Step : unsigned char {
  End,
  Base,  // W at: the next step's value stands in what the pointer at `at` leads to; BAD_PARAM if it is null
  Number1,  // W at: 1, 2, 4, 8 octets
  Number2,
  Number4,
  Number8,
  Led1,  // W at: 1, 2, 4, 8 octets that the pointer at `at` leads to, as behind Base
  Led2,
  Led4,
  Led8,
  Char,     // W at
  Boolean,  // W at
  Enum,     // W at, L enumerators
  Run1,     // W at, L count: an array of them
  Run2,
  Run4,
  Run8,
  RunChar,
  RunBoolean,
  Text,   // W at, L bound: a StringMember
  Text4,  // W at, L bound, W at: the same and a number of 4, 8 octets behind it
  Text8,
  Pointer,   // W at, L bound: a char* that its holder owns
  Branch,    // the same; if it is null, an empty string
  Result,    // the same; BAD_PARAM if it is null
  View,      // W at, L bound: a const char* into the request
  Numbers1,  // W at, L bound: a sequence of them
  Numbers2,
  Numbers4,
  Numbers8,
  Chars,
  Booleans,
  Views1,  // W at, L bound: the same, into the request
  Views2,
  Views4,
  Views8,
  ViewsChar,
  Texts,      // W at, L bound, L bound of each: a sequence of strings
  Flat,       // W at, W program: a structure of fixed layout
  LedFlat,    // the same of one that the pointer at `at` leads to
  FlatArray,  // W at, L count, W program
  Flats,      // W at, L bound, W program: a sequence of them
  FlatViews,  // the same, into the request
  Many,       // W at, L bound, W program, W octets of each, W octets of each in a message at least, W type: a
              // sequence
  Array,      // W at, L count, W program, W octets of each
  Union,      // W at, W program
  Inside,     // W at, W program
  Again,      // the same of one that may be inside of itself
  Typed,      // W at, W type: by its functions
  Scope,      // W type: the steps up to End share their values; its functions are ScopeOf's
  // Only in replies, as they are received: the program's own memory is a stub's words. What is made belongs
  // to the caller once all has been read, and stands in word 0 (a result), or where that word leads to.
  MakeText,  // W word, L bound
  Make,      // W word, W type: the next step's value stands in it
  MakeTyped  // W word, W type: a pointer, read by the type's functions
};

// A Flat's program: its place, W size, an octet of alignment less one, an octet of Same, W octets in a
// message at least, an octet with the number of booleans that are read as they stand in memory, W of how it
// stands where it is aligned to 8 and begins 4 behind a multiple of that: twice the place in memory from
// which on it stands 4 octets earlier, or 4 later and one is added; W at of each boolean; with Gaps a mask of
// the structure, zero where nothing stands, and 16 octets of the next structure's; steps.
enum Same : unsigned char {
  No,
  Read = 1,
  Gaps = 2
};  // Read: as it stands in memory, which is always written

// A Union's program: its place, W type, an octet with the octets of its discriminator, which stands first, W
// number of labels, W program of the member that all other labels stand for, or kNoMember; the labels as
// unsigned numbers that ascend; W program for each of them; the discriminator's step.
inline constexpr unsigned kNoMember = 0xffff;

// What the octets cannot say of a type.
struct Type {
  void (*put)(cdr::Encoder& out, const void* value);
  bool (*get)(cdr::Decoder& in, void* value);
  void* (*construct)(void* memory);                // in memory that is there; null: made by its own new
  void (*destruct)(void* value, bool made);        // and deletes it; releases a reference, frees an array
  void* (*allocate)(CORBA::ULong count);           // the elements of a sequence; an array
  void (*choose)(void* value, const void* label);  // makes the member of a union anew
  std::uint32_t size;                              // 0: a reference, or an array
};

template <typename T>
struct TypeOf {
  static void put(cdr::Encoder& out, const void* value) { marshal(out, *static_cast<const T*>(value)); }
  static bool get(cdr::Decoder& in, void* value) { return unmarshal(in, *static_cast<T*>(value)); }
  static void* construct(void* memory) { return memory ? ::new (memory) T() : new T(); }
  static void destruct(void* value, bool made) {
    if (made) delete static_cast<T*>(value);
    else static_cast<T*>(value)->~T();
  }
  static void choose(void* value, const void* label) {
    typedef decltype(static_cast<T*>(value)->_d()) Label;
    static_cast<T*>(value)->_corbel_activate(*static_cast<const Label*>(label));
  }
};
template <typename T>
struct SequenceOf {
  static void* allocate(CORBA::ULong count) { return T::allocbuf(count); }
};
// An array that a pointer leads to.
template <typename Traits>
struct ArrayOf {
  static void destruct(void* value, bool) { Traits::free(static_cast<typename Traits::slice*>(value)); }
  static void* allocate(CORBA::ULong) { return Traits::alloc(); }
};
// For TypeOf: an array where it stands.
template <typename T>
struct Held {
  T array;
};
template <typename T>
struct ReferenceOf {
  static void put(cdr::Encoder& out, const void* value) { put_object(out, *static_cast<T* const*>(value)); }
  static bool get(cdr::Decoder& in, void* value) { return get_reference(in, *static_cast<T**>(value)); }
  static void destruct(void* value, bool) { drop(static_cast<T*>(value)); }
};

// Carry out what is left of a program behind a Scope; values are shared there. Generated code alone refers to
// them, so that who shares none does not link what does.
[[gnu::visibility("default")]] void put_shared(cdr::Encoder& out, const void* rest);
[[gnu::visibility("default")]] bool get_shared(cdr::Decoder& in, void* rest);
[[gnu::visibility("default")]] bool get_shared(cdr::Decoder& in, void* rest, const KnownBox* boxes,
                                               std::size_t count);
template <const auto&... Boxes>  // none or one table
struct ScopeOf {
  static constexpr void (*put)(cdr::Encoder& out, const void* rest) = put_shared;
  static constexpr bool (*get)(cdr::Decoder& in, void* rest) = get_shared;
};
template <const auto& Boxes>
struct ScopeOf<Boxes> : ScopeOf<> {
  static bool get(cdr::Decoder& in, void* rest) {
    return get_shared(in, rest, Boxes, sizeof Boxes / sizeof *Boxes);
  }
};

// All programs of a file, and what they refer to by number.
template <std::size_t N>
struct File {
  const Type* types;
  const void* raises;           // stubs: RaisesEntry; skeletons: pointers to repository ids
  unsigned char octets[N + 2];  // what stands behind a step is read before the step is known
};

#define CORBEL_W(x) static_cast<unsigned char>((x)&255), static_cast<unsigned char>((x) >> 8 & 255)
#define CORBEL_L(x) CORBEL_W((x)&65535), CORBEL_W((x) >> 16)

// A stub's argument or result: a number stands in it from its first octet on, all else is a pointer.
typedef std::uint64_t Word;
template <typename T>
Word word(T value) {
  static_assert(sizeof(T) <= sizeof(Word) && __is_trivially_copyable(T));
  Word w = 0;
  std::memcpy(&w, &value, sizeof(T));
  return w;
}
template <typename T>
T from_word(Word w) {
  T value;
  std::memcpy(static_cast<void*>(&value), &w, sizeof(T));
  return value;
}

// ---- values. `program` is a place in a File.
[[gnu::visibility("default")]] void encode(cdr::Encoder& out, const void* value,
                                           const unsigned char* program);
[[gnu::visibility("default")]] bool decode(cdr::Decoder& in, void* value, const unsigned char* program);
// The same where it is one step, at 0: Numbers1 to Numbers8, Chars, Texts, Flat, Flats, Many.
[[gnu::visibility("default")]] void encode_numbers(cdr::Encoder& out, const void* value,
                                                   const unsigned char* program);
[[gnu::visibility("default")]] bool decode_numbers(cdr::Decoder& in, void* value,
                                                   const unsigned char* program);
[[gnu::visibility("default")]] void encode_chars(cdr::Encoder& out, const void* value,
                                                 const unsigned char* program);
[[gnu::visibility("default")]] bool decode_chars(cdr::Decoder& in, void* value, const unsigned char* program);
[[gnu::visibility("default")]] void encode_texts(cdr::Encoder& out, const void* value,
                                                 const unsigned char* program);
[[gnu::visibility("default")]] bool decode_texts(cdr::Decoder& in, void* value, const unsigned char* program);
[[gnu::visibility("default")]] void encode_flat(cdr::Encoder& out, const void* value,
                                                const unsigned char* program);
[[gnu::visibility("default")]] bool decode_flat(cdr::Decoder& in, void* value, const unsigned char* program);
[[gnu::visibility("default")]] void encode_flats(cdr::Encoder& out, const void* value,
                                                 const unsigned char* program);
[[gnu::visibility("default")]] bool decode_flats(cdr::Decoder& in, void* value, const unsigned char* program);
[[gnu::visibility("default")]] void encode_many(cdr::Encoder& out, const void* value,
                                                const unsigned char* program);
[[gnu::visibility("default")]] bool decode_many(cdr::Decoder& in, void* value, const unsigned char* program);

// ---- stubs. An operation's program has a header: an octet of Flags, an octet with the number of its
// exceptions and W the first of them, W where the reply's steps begin, W octets of the name, the name and a
// zero; if it is Numbered, W of its Operation's number; the request's steps, the reply's. Arguments are words
// 1 and up, the result is word 0. Raises what the call raises; for a nil target, INV_OBJREF.
enum Flags : unsigned char { Plain, Oneway = 1, Streams = 2, Numbered = 4 };
// What calls go to; null stays null, although compilers think that `this` never is.
template <typename T>
CORBA::Object* target(T* self) {
  return is_null(self) ? nullptr : self;
}
[[gnu::visibility("default")]] Word call(CORBA::Object* target, const unsigned char* operation);
[[gnu::visibility("default")]] Word call(CORBA::Object* target, Word a, const unsigned char* operation);
[[gnu::visibility("default")]] Word call(CORBA::Object* target, Word a, Word b,
                                         const unsigned char* operation);
[[gnu::visibility("default")]] Word call(CORBA::Object* target, Word a, Word b, Word c,
                                         const unsigned char* operation);
// For a result of fixed layout.
[[gnu::visibility("default")]] void call_into(void* result, CORBA::Object* target,
                                              const unsigned char* operation);
[[gnu::visibility("default")]] void call_into(void* result, CORBA::Object* target, Word a,
                                              const unsigned char* operation);
[[gnu::visibility("default")]] void call_into(void* result, CORBA::Object* target, Word a, Word b,
                                              const unsigned char* operation);
[[gnu::visibility("default")]] void call_into(void* result, CORBA::Object* target, Word a, Word b, Word c,
                                              const unsigned char* operation);
// All words, the result's too, which a fixed structure's is a pointer for.
[[gnu::visibility("default")]] Word call(CORBA::Object* target, Word* words, const unsigned char* operation);

// ---- skeletons. An operation's program has a header: W octets of its frame, in which arguments and results
// stand while the servant runs; an octet, Replies + 4 x the number of members to be freed; W where the
// results' steps begin; an octet with the number of its exceptions and W the first of them; an
// octet of Freed, W at and W type of each member to be freed; the arguments' steps, the results'.
enum Replies : unsigned char { Copied, Sent = 1 };               // Sent: large runs from where they stand
enum Freed : unsigned char { FreeValue, FreeMade, FreeString };  // a member, what a pointer leads to, a char*
// `upcall` calls the servant with a frame. Raises MARSHAL, BAD_PARAM for a null result, and what the servant
// raises; the operation's exceptions are answered.
[[gnu::visibility("default")]] void serve(void* servant, core::Upcall& call,
                                          void (*upcall)(void* servant, void* frame),
                                          const unsigned char* operation);

}  // namespace corbel::cpp::programs
