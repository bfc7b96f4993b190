// The wire half of a marshal program, made once from a TypeCode: what a value of it looks like in CDR, as
// steps that are taken one after another, without a look at the TypeCode.
//
// Numbers that follow each other are one step: their size is known for each of the 8 alignments at which they
// can begin, so that their bounds are checked at once. Types that are used in several places are routines,
// which is what keeps programs as small as their TypeCodes. Immutable, so any thread may use them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

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
    Flat,    // flat(a)
    String,  // of at most a characters; 0: any number
    WChar,
    WString,      // as String
    Sequence,     // of at most a (0: any number) elements of routine b
    Array,        // of a elements of routine b
    Choice,       // choice(a)
    Call,         // routine b
    ExceptionId,  // of `type`
    Reference,
    TypeCode,
    Any,
    Abstract,
    Value,   // declared as `type`
    Refuse,  // nothing of it can be sent
  };
  struct Step {
    Op op;
    std::uint32_t a = 0, b = 0;
    const types::TypeCode* type = nullptr;
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
    std::uint32_t first, count;  // items
    bool checked;                // some item is, other than Char
    std::uint32_t sizes[8];      // by the offset mod 8 where they begin; padding is included
    std::uint32_t octets;        // without padding
  };
  struct Routine {
    std::uint32_t first, count;  // steps
    std::uint32_t least;         // octets of the shortest value; 0 if that is not known
  };
  struct Choice {
    Kind discriminator;
    std::uint32_t enumerators;   // of an enum
    std::uint32_t first, count;  // labels
    std::uint32_t fallback;      // routine, or kNone
  };
  struct Label {
    std::int64_t label;  // without sign extension: see normalized()
    std::uint32_t routine;
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  explicit Program(const types::TypeCode& type);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  // That of the type, made when first asked for.
  static const Program& of(const types::TypeCode& type);

  std::uint32_t main() const { return main_; }
  const Routine& routine(std::uint32_t i) const { return routines_[i]; }
  const Step* steps(const Routine& r) const { return steps_.data() + r.first; }
  const Item* items(const Flat& f) const { return items_.data() + f.first; }
  const Flat& flat(std::uint32_t i) const { return flats_[i]; }
  const Choice& choice(std::uint32_t i) const { return choices_[i]; }
  // The routine of the member that the label selects, or kNone.
  std::uint32_t branch(const Choice& choice, std::int64_t label) const;
  // The members of a valuetype, without those that it inherits; what is in a box.
  std::uint32_t state(const types::TypeCode& type) const { return states_.at(&type); }

  // Some part of it is a char (not a string).
  bool has_chars() const { return has_chars_; }
  // Some part is a floating-point number.
  bool has_floats() const { return has_floats_; }
  // Some part may refer to what is not in its octets alone: objects, values, or Anys and TypeCodes.
  bool refers() const { return refers_; }
  // A struct or an array, and all of it is numbers of which any value will do, perhaps chars: then their
  // layout, else null.
  const Flat* plain() const { return plain_; }
  // Of a sequence that is one, perhaps of chars; else null.
  const Run* run() const { return run_.size != 0 ? &run_ : nullptr; }
  // Of all steps of all routines; how much a program has grown.
  std::size_t size() const { return steps_.size() + items_.size() + labels_.size(); }

 private:
  friend class Block;
  class Maker;
  void find_run(const Step& sequence);

  std::vector<Step> steps_;
  std::vector<Item> items_;
  std::vector<Flat> flats_;
  std::vector<Routine> routines_;
  std::vector<Choice> choices_;
  std::vector<Label> labels_;
  std::unordered_map<const types::TypeCode*, std::uint32_t> states_;
  std::uint32_t main_ = 0;
  bool has_chars_ = false;
  bool has_floats_ = false;
  bool refers_ = false;
  const Flat* plain_ = nullptr;
  Run run_ = {};
  mutable const Program* next_ = nullptr;  // of the same block
};

}  // namespace corbel::types
