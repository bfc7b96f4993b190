#include "compiler/backends/compiled/dispatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/backends/compiled/hashes.h"

namespace corbel::idl::compiled {
namespace {

// More than these, and a jump by a hash takes fewer steps than the comparisons that a switch on words
// becomes.
constexpr std::size_t kMostWords = 6;

struct Target {
  std::string name, skeleton, function;
  std::uint32_t number = 0;
};
using Targets = std::vector<Target>;

Targets targets_of(const pres::Interface& interface) {
  Targets all;
  const auto add = [&](const pres::Interface& from) {
    for (std::size_t i = 0; i < from.operations.size(); ++i) {
      const std::string& name = from.operations[i].name;
      all.push_back(
          {name, from.skeleton, fmt::format("{}::_skel_{}", from.skeleton, name), operation_number(from, i)});
    }
  };
  for (const pres::Interface* a : interface.ancestors) add(*a);
  add(interface);
  return all;
}

void call(Writer& w, const Target& t) { w.line("return {}(*this, call);", t.function); }

// Where the length is known.
void jump(Writer& w, const Target& t) {
  w.line("if (corbel::cpp::same_name(name, {}))", quoted(t.name));
  w.indent();
  call(w, t);
  w.outdent();
}

// Where it is not.
void jump_with_length(Writer& w, const Target& t) {
  w.line("if (length == {} && corbel::cpp::same_name(name, {}))", t.name.size(), quoted(t.name));
  w.indent();
  call(w, t);
  w.outdent();
}

void name_and_length(Writer& w) {
  w.line("const char* const name = call.operation();");
  w.line("const std::uint32_t length = call.operation_length();");
}

void linear(Writer& w, const Targets& targets) {
  name_and_length(w);
  for (const Target& t : targets) jump_with_length(w, t);
}

// ---- nested switches on words

using ByWord = std::map<std::string, Targets>;

ByWord by_word(const Targets& targets, std::size_t at) {
  ByWord all;
  for (const Target& t : targets) all[t.name.substr(at, 8)].push_back(t);
  return all;
}

// By slot; one slot may be that of several words.
using BySlot = std::map<std::uint32_t, Targets>;

BySlot by_slot(const ByWord& words, const WordHash& hash) {
  BySlot all;
  std::size_t i = 0;
  for (const auto& [word, targets] : words) {
    Targets& here = all[hash.slot_of[i++]];
    here.insert(here.end(), targets.begin(), targets.end());
  }
  return all;
}

// Of names of one length that agree on all words looked at so far.
void words(Writer& w, const Targets& targets) {
  constexpr std::size_t kMostInARow = 3;
  std::size_t best = 0;
  ByWord cases;
  for (std::size_t at = 0; at < targets[0].name.size() && cases.size() < targets.size(); ++at)
    if (ByWord here = by_word(targets, at); here.size() > cases.size()) {
      best = at;
      cases = std::move(here);
    }
  const std::size_t n = std::min<std::size_t>(8, targets[0].name.size() - best);
  const std::string word =
      fmt::format("corbel::cpp::name_word(name{}, {})", best == 0 ? "" : fmt::format(" + {}", best), n);
  const auto found = [&w](const Targets& candidates) {
    if (candidates.size() > kMostInARow) words(w, candidates);
    else
      for (const Target& t : candidates) jump(w, t);
    w.line("break;");
    w.outdent();
  };
  if (cases.size() <= kMostWords) {
    w.open("switch ({}) {{", word);
    for (const auto& [text, candidates] : cases) {
      w.open("case corbel::cpp::name_word({}, {}):", quoted(text), n);
      found(candidates);
    }
  } else {
    std::vector<std::string> texts;
    for (const auto& [text, candidates] : cases) texts.push_back(text);
    const WordHash hash = find_word_hash(texts);
    w.open("switch (corbel::cpp::word_slot<{}>({}, 0x{:x})) {{", hash.slots, word, hash.multiplier);
    for (const auto& [slot, candidates] : by_slot(cases, hash)) {
      w.open("case {}:", slot);
      found(candidates);
    }
  }
  w.close();
}

// Calls `print` for the names of each length.
template <typename Print>
void by_length(Writer& w, const Targets& targets, const Print& print) {
  std::map<std::size_t, Targets> all;
  for (const Target& t : targets) all[t.name.size()].push_back(t);
  w.open("switch (call.operation_length()) {{");
  for (const auto& [length, candidates] : all) {
    w.open("case {}:", length);
    print(candidates);
    w.line("break;");
    w.outdent();
  }
  w.close();
}

void words_by_length(Writer& w, const Targets& targets) {
  by_length(w, targets, [&w](const Targets& candidates) {
    if (candidates.size() == 1) jump(w, candidates[0]);
    else words(w, candidates);
  });
}

void nested_words(Writer& w, const Targets& targets) {
  w.line("const char* const name = call.operation();");
  words_by_length(w, targets);
}

// ---- numbers

// Operations of several bases have the same number.
void by_number(Writer& w, const Targets& targets) {
  std::map<std::uint32_t, Targets> all;
  for (const Target& t : targets) all[t.number].push_back(t);
  all.erase(0);
  name_and_length(w);
  w.open("switch (corbel::cpp::operation_number(call)) {{");
  for (const auto& [number, candidates] : all) {
    w.open("case {}:", number);
    for (const Target& t : candidates) jump_with_length(w, t);
    w.line("break;");
    w.outdent();
  }
  w.close();
}

void active(Writer& w, const Targets& targets) {
  by_number(w, targets);
  words_by_length(w, targets);
}

// ---- perfect hash

std::string place_text(const PerfectHash::Place& place, std::uint32_t width) {
  switch (place.from) {
    case PerfectHash::From::Length:
      return "length";
    case PerfectHash::From::End:
      return fmt::format("corbel::cpp::name_word(name + length - {}, {})", place.at, width);
    default:
      return fmt::format("corbel::cpp::name_word(name{}, {})",
                         place.at == 0 ? "" : fmt::format(" + {}", place.at), width);
  }
}

// What calls the function with a servant of the interface's own class.
std::string entry(const Target& t, const std::string& own) {
  if (t.skeleton == own) return fmt::format("{{{}, {}, {}}},", quoted(t.name), t.name.size(), t.function);
  return fmt::format("{{{}, {}, [](auto& s, auto& c) {{ {}(s, c); }}}},", quoted(t.name), t.name.size(),
                     t.function);
}

void perfect_table(Writer& w, const Targets& targets, const PerfectHash& hash, const std::string& own) {
  std::vector<const Target*> at_slot(hash.slots);
  for (std::size_t i = 0; i < targets.size(); ++i) at_slot[hash.slot_of[i]] = &targets[i];
  w.open("static constexpr corbel::cpp::OperationEntry<{}> entries[] = {{", own);
  for (const Target* t : at_slot) w.line(t ? entry(*t, own) : "{nullptr, 0, nullptr},");
  w.close("};");
  std::string turns;
  for (const std::uint32_t t : hash.turns) turns += fmt::format("{}{}", turns.empty() ? "" : ", ", t);
  w.line("static constexpr {} turns[] = {{{}}};",
         hash.slots <= 256     ? "unsigned char"
         : hash.slots <= 65536 ? "std::uint16_t"
                               : "std::uint32_t",
         turns);
  w.line("constexpr std::uint64_t multiplier = 0x{:x};", hash.multiplier);
  w.line("std::uint64_t word = {};", place_text(hash.places[0], hash.width));
  for (std::size_t i = 1; i < hash.places.size(); ++i)
    w.line("word = word * multiplier ^ {};", place_text(hash.places[i], hash.width));
  w.line("const auto& entry = entries[corbel::cpp::perfect_slot(word, multiplier, turns, {})];", hash.slots);
  w.line("if (length == entry.length && corbel::cpp::same_name(name, entry.name, length))");
  w.line("  return entry.run(*this, call);");
}

std::optional<PerfectHash> hash_of(const Targets& targets) {
  std::vector<std::string> names;
  for (const Target& t : targets) names.push_back(t.name);
  return find_perfect_hash(names);
}

// Where no places tell all names apart the length does, and places those of one length.
void perfect(Writer& w, const Targets& targets, const std::string& own) {
  name_and_length(w);
  if (const auto hash = hash_of(targets)) {
    w.open("if (length >= {}) {{", hash->least);
    perfect_table(w, targets, *hash, own);
    return w.close();
  }
  by_length(w, targets, [&](const Targets& candidates) {
    if (candidates.size() == 1) return jump(w, candidates[0]);
    w.open("{{");
    perfect_table(w, candidates, *hash_of(candidates), own);
    w.close();
  });
}

// ---- tables

void table(Writer& w, const Targets& targets) {
  w.open("static constexpr corbel::cpp::OperationName names[] = {{");
  for (const Target& t : targets) w.line("{{{}, {}}},", quoted(t.name), t.name.size());
  w.close("};");
}

void by_index(Writer& w, const Targets& targets, const char* index) {
  w.open("switch ({}) {{", index);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    w.open("case {}:", i);
    call(w, targets[i]);
    w.outdent();
  }
  w.close();
}

void binary(Writer& w, Targets targets) {
  std::sort(targets.begin(), targets.end(), [](const Target& a, const Target& b) {
    return std::pair(a.name.size(), a.name) < std::pair(b.name.size(), b.name);
  });
  table(w, targets);
  by_index(w, targets, "corbel::cpp::search_operation(names, call)");
}

void dynamic_hash(Writer& w, const Targets& targets) {
  table(w, targets);
  w.line("static std::uint32_t slots[{}];", std::bit_ceil(2 * targets.size()));
  w.line("static corbel::cpp::OperationTable table(names, slots);");
  by_index(w, targets, "table.find(call)");
}

}  // namespace

Dispatch DispatchChoice::of(const pres::Declaration& declaration) const {
  std::string name = declaration.decl->scoped_name.substr(2);
  for (;;) {
    if (const auto i = scopes.find(name); i != scopes.end()) return i->second;
    const std::size_t inner = name.rfind("::");
    if (inner == name.npos) return usual;
    name.resize(inner);
  }
}

std::uint32_t operation_number(const pres::Interface& interface, std::size_t index) {
  std::size_t number = index + 1;
  for (const pres::Interface* a : interface.ancestors) number += a->operations.size();
  return number <= 0xffff ? static_cast<std::uint32_t>(number) : 0;
}

void print_dispatch(Writer& w, const pres::Interface& interface, Dispatch dispatch) {
  const Targets targets = targets_of(interface);
  w.open("void {}::_dispatch(corbel::cpp::Upcall& call) {{", interface.skeleton.substr(2));
  if (!targets.empty()) {
    switch (dispatch) {
      case Dispatch::Linear:
        linear(w, targets);
        break;
      case Dispatch::Binary:
        binary(w, targets);
        break;
      case Dispatch::Hash:
        dynamic_hash(w, targets);
        break;
      case Dispatch::Perfect:
        perfect(w, targets, interface.skeleton);
        break;
      case Dispatch::Active:
        active(w, targets);
        break;
      case Dispatch::Words:
        nested_words(w, targets);
    }
  }
  w.line("unknown_operation(call);");
  w.close("}\n");
}

}  // namespace corbel::idl::compiled
