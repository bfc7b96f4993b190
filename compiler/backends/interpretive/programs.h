// The programs of one source file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/backends/compiled/compiled.h"
#include "compiler/source/writer.h"

namespace corbel::idl::interpretive {

using compiled::Input;

// A program that is being written: octets, as expressions of C++.
class Code {
 public:
  Code& step(const std::string& name);
  Code& octet(std::uint32_t number);
  Code& w(const std::string& expression);
  Code& w(std::uint64_t number) { return w(fmt::format("{}", number)); }
  Code& l(std::uint32_t number);
  // W: where another program of the file begins.
  Code& place(std::size_t program);
  // W: where `mark` octets of this one have been written.
  Code& own_place(std::size_t mark);
  // Characters and a zero.
  Code& text(const std::string& characters);
  Code& append(Code more);
  std::size_t size() const { return size_; }

 private:
  friend class Programs;
  struct Item {
    std::string text;
    enum Kind { Plain, Program, Own } kind;
    std::size_t number;
    bool operator==(const Item&) const = default;
  };
  std::vector<Item> items_;
  std::size_t size_ = 0;
};

// What holds a value: a structure or array; a variable or sequence of its own; or a variable that may refer
// to the message.
enum class Holder { Member, Own, View };

class Programs {
 public:
  // Those of stubs may share a source with those of skeletons. `has_program` says of which declared types
  // other programs may use the program.
  Programs(const Input& input, bool skeletons, std::function<bool(const pres::Declaration&)> has_program);

  // Whether value() has steps for it.
  bool possible(const pres::Type& type) const;
  // Whether a declared type can have a program.
  bool possible(const pres::Declaration& declaration) const;
  // The steps for a value at `at`, an expression; false if there are none.
  bool value(Code& code, const std::string& at, const pres::Type& type, Holder holder);
  // The same of one that a pointer at `at` leads to.
  void led(Code& code, const std::string& at, const pres::Type& type);
  // The program of a declared type; false if it has none.
  bool type(const pres::Declaration& declaration, std::size_t& number);
  // Its program as one that may be inside of itself begins.
  std::size_t entered(const pres::Declaration& declaration, std::size_t number);
  // What names the run time's functions for a program of one step; empty if there are none for it.
  std::string only_step(std::size_t number) const;
  // A program of these steps; one that is there already serves again.
  std::size_t add(const std::string& comment, Code steps);

  // Octets that a value takes in memory at most, as a rough guess; places in programs are of 16 bits.
  std::uint64_t most_in_memory(const pres::Type& type) const;
  static constexpr std::uint64_t kMostInMemory = 32 * 1024;

  enum Use {
    IsWritten = 1,
    IsRead = 2,
    Travels = 3,
    IsMade = 4,
    IsFreed = 8,
    IsAllocated = 16,
    IsChosen = 32
  };
  // What the tables hold, by number.
  std::size_t type_entry(const std::string& traits, const std::string& target, unsigned uses);
  // Of wide strings, and of what is counted: references, TypeCodes, values.
  std::size_t wide_text_entry(const pres::Type& type, unsigned uses = Travels);
  std::size_t reference_entry(const pres::Type& type, unsigned uses = Travels);
  // Of a context that stubs write by these patterns.
  std::size_t context_entry(const std::vector<std::string>& patterns);
  // The step behind which values are shared, if the message holds any.
  void scope(Code& code, mint::Id message);
  std::size_t raises(const std::vector<const pres::Declaration*>& exceptions);

  bool empty() const { return programs_.empty(); }
  // Whether the file has room for another operation or type of the usual size.
  bool room() const { return size_ < 48 * 1024; }
  // Does what adds programs, unless it gives false or there are more octets then than places reach: what it
  // has added is gone then, and the result false.
  bool fits(const std::function<bool()>& add);
  // The tables, which must stand before what uses them.
  void print(Writer& w) const;
  // An expression for where a program stands.
  std::string place(std::size_t number) const;

 private:
  static constexpr std::size_t kMostOctets = 65535;
  using Gaps = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // offset, octets
  struct Entry {
    std::string traits, target;
    unsigned uses = 0;
  };
  struct One {
    std::string comment;
    Code code;
  };
  const plan::Part& part(const pres::Type& type) const { return input_.plan[type.message]; }
  const mint::Node& node(const pres::Type& type) const { return input_.graph[type.message]; }
  void scope(Code& code, const std::string& boxes) {
    code.step("Scope").w(type_entry("ScopeOf", boxes, Travels));
  }
  bool is_flat(const pres::Type& type) const;
  std::string size_in_memory(const pres::Type& type) const;
  void sequence(Code& code, const std::string& at, const pres::Type& type, Holder holder);
  void array(Code& code, const std::string& at, const pres::Type& type);
  void members(Code& code, const std::string& before, const pres::Declaration& declaration);
  std::size_t element(const pres::Type& type, Holder holder);
  void structure(Code& code, const std::string& at, const pres::Type& type);
  std::size_t choice(const pres::Declaration& declaration);
  void branch(Code& code, const std::string& target, const pres::Member& member);
  std::size_t flat(const pres::Type& type);
  // Booleans of a structure of fixed layout, all of whose other members may have any bits.
  struct Booleans {
    std::vector<std::uint32_t> offsets;
    bool enough = true;  // nothing else has to be looked at as it is read
  };
  // How a structure stands that is aligned to 8 and begins 4 behind a multiple of that: what is in front of
  // its first number of 8 octets as in memory, all else 4 octets earlier, where there is a gap, or later.
  struct Shift {
    bool found = false;
    std::uint32_t from = 0;
    bool later = false;
    std::uint32_t end = 0;  // of the member before
  };
  void flat_steps(Code& code, const pres::Type& type, std::uint32_t begin, Gaps& gaps, Booleans& booleans,
                  Shift& shift);
  std::size_t reserve(const std::string& comment);
  void define(std::size_t number, Code code);
  std::vector<std::size_t> places() const;

  const Input& input_;
  const bool skeletons_;
  const std::string file_, boxes_;
  const std::function<bool(const pres::Declaration&)> has_program_;
  std::vector<One> programs_;
  std::vector<Entry> entries_;
  std::vector<std::vector<const pres::Declaration*>> raises_;
  std::vector<std::vector<std::string>> contexts_;
  std::map<const pres::Declaration*, std::size_t> types_;
  std::map<const pres::Declaration*, std::size_t> flats_, choices_;
  std::size_t size_ = 0;
};

}  // namespace corbel::idl::interpretive
