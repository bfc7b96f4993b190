// The wire half of a marshal program, made once from a TypeCode: what a value of it looks like in CDR, as
// steps that are taken one after another, without a look at the TypeCode.
//
// Numbers that follow each other are one step: their size is known for each of the 8 alignments at which they
// can begin, so that their bounds are checked at once. Types that are used in several places are routines,
// which the programs of all types of a block share: together they are as small as the block's types. What has
// been made does not change, so any thread may use it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <corbel/types/type_code.h>

namespace corbel::types {

// A sequence of numbers, or of structs of them that repeat on the wire as they do in memory, all of any
// value. None needs more than 8 octets' alignment.
struct Run {
  std::uint32_t bound;        // 0: none
  std::uint32_t least, size;  // of an element: octets without padding, in memory
  // Elements begin at multiples of 4 on the wire. In memory, too, or at multiples of 8: 0 and 4, or 4 and 0.
  std::uint32_t stays, moves;
  // Of an element that begins at 4 mod 8 and moves: its octets, of which those up to `head` stand as in
  // memory, and so do the last `tail` with all elements that follow.
  std::uint32_t between, head, tail;
};

class Program {
 public:
  enum class Op : std::uint8_t {
    Flat,    // flat
    String,  // of at most a characters; 0: any number
    WChar,
    WString,      // as String
    Sequence,     // of at most a (0: any number) elements of routine
    Array,        // of a elements of routine
    Choice,       // choice
    Call,         // routine
    ExceptionId,  // of type
    Reference,
    TypeCode,
    Any,
    Abstract,
    Value,   // declared as state's type
    Refuse,  // nothing of it can be sent
  };

  // What numbers of which only some values exist are held against.
  enum class Check : std::uint8_t {
    None,
    Boolean,
    Char,     // any, but of a set that may have to be converted
    Enum,     // below `limit`
    Decimal,  // packed ones of `limit` octets each
  };
  // `count` numbers of `width` octets, which is their alignment, too; those of 16 are aligned to 8.
  struct Item {
    std::uint8_t width;
    Check check;
    bool array;  // which goes on across borders of fragments without a gap
    std::uint32_t count;
    std::uint32_t limit;
    std::size_t size() const { return std::size_t{width} * count; }
    std::size_t alignment() const { return width > 8 ? 8 : width; }
  };
  struct Flat {
    const Item* items;
    std::uint32_t count;
    bool checked;            // some item is, other than Char
    std::uint32_t sizes[8];  // by the offset mod 8 where they begin; padding is included
    std::uint32_t octets;    // without padding
  };
  struct Step;
  struct Routine {
    const Step* steps;
    std::uint32_t count;
    std::uint32_t least;  // octets of the shortest value; 0 if that is not known
    std::uint8_t has;     // what its values have
  };
  static constexpr std::uint8_t kChars = 1, kFloats = 2, kReferences = 4;
  static constexpr std::uint8_t kMore = 8;  // what a type that was met inside of itself has
  struct Label {
    std::int64_t label;  // without sign extension: see normalized()
    const Routine* routine;
  };
  struct Choice {
    Kind discriminator;
    std::uint32_t enumerators;  // of an enum
    std::uint32_t count;
    const Label* labels;
    const Routine* fallback;  // may be null
    std::uint8_t has;
    // The routine of the member that the label selects, or null.
    const Routine* branch(std::int64_t label) const;
  };
  // The members of a valuetype without those that it inherits; what is in a box.
  struct State {
    const types::TypeCode* type;
    const Routine* routine;
    const State* base;  // null: none. Some derive from themselves, if a peer says so.
    std::uint8_t has;   // with the base
  };
  struct Step {
    Op op;
    std::uint32_t a;
    union {
      const Flat* flat;
      const Routine* routine;
      const Choice* choice;
      const State* state;
      const types::TypeCode* type;
    };
  };

  // That of the type, made when first asked for. May throw std::bad_alloc.
  static const Program& of(const types::TypeCode& type);

  const Routine& main() const { return *main_; }
  // Some part of it is a char (not a string). Of a type inside of itself also if one is part of another type
  // of its block; the same holds for the next two.
  bool has_chars() const { return (has_ & kChars) != 0; }
  // Some part is a floating-point number.
  bool has_floats() const { return (has_ & kFloats) != 0; }
  // Some part may refer to what is not in its octets alone: objects, values, or Anys and TypeCodes.
  bool refers() const { return (has_ & kReferences) != 0; }
  // A struct or an array, and all of it is numbers of which any value will do, perhaps chars: then their
  // layout, else null.
  const Flat* plain() const { return plain_; }
  // Of a sequence that is one, perhaps of chars; else null.
  const Run* run() const { return run_.size != 0 ? &run_ : nullptr; }

 private:
  friend class Programs;
  Program() = default;
  void find_run(const Step& sequence);

  const Routine* main_ = nullptr;
  std::uint8_t has_ = 0;
  const Flat* plain_ = nullptr;
  Run run_ = {};
};

// The programs of types that live equally long.
class Programs {
 public:
  Programs() = default;
  ~Programs();
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  // Any thread may ask. Only one of the types' own may be asked for. May throw std::bad_alloc.
  const Program& of(const types::TypeCode& type);
  // Of one that no block holds: as long as the process.
  static const Program& of_constant(const types::TypeCode& type);
  // Steps, numbers and labels: how much has been made. While no other thread makes any.
  std::size_t size() const;

 private:
  class Maker;
  class InUse;
  // Those that no thread uses, a list: most often one. Without a lock, which a process that forks might leave
  // locked in the child.
  std::atomic<Maker*> idle_{nullptr};
};

}  // namespace corbel::types
