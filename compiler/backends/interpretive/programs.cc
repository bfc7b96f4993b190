#include "compiler/backends/interpretive/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "compiler/backends/compiled/coder.h"

namespace corbel::idl::interpretive {
namespace {

using mint::Kind;

// The step for one number, or for many of them.
std::string of_width(const char* name, std::uint32_t octets) { return fmt::format("{}{}", name, octets); }

// Members of a structure whose steps stand where it is a member itself.
constexpr std::size_t kMostInlined = 4;

// Of a structure that is read as it stands in memory.
constexpr std::size_t kMostBooleans = 16;

// Long double, which is converted.
bool is_wide(const mint::Node& n) { return n.kind == Kind::Float && n.bits > 64; }

// Octets of a union's discriminator in memory, as its labels stand in a program.
std::uint32_t octets_in_memory(const mint::Node& n) {
  switch (n.kind) {
    case Kind::Integer:
      return n.bits / 8;
    case Kind::Enum:
    case Kind::WChar:
      return 4;
    default:
      return 1;
  }
}

// Each program begins with the place where it stands.
constexpr std::size_t kPlace = 2;

}  // namespace

// ---- code

Code& Code::step(const std::string& name) {
  items_.push_back({name, Item::Plain, 0});
  size_ += 1;
  return *this;
}

Code& Code::octet(std::uint32_t number) { return step(fmt::format("{}", number)); }

Code& Code::w(const std::string& expression) {
  items_.push_back({fmt::format("CORBEL_W({})", expression), Item::Plain, 0});
  size_ += 2;
  return *this;
}

Code& Code::l(std::uint32_t number) {
  items_.push_back({fmt::format("CORBEL_L({}u)", number), Item::Plain, 0});
  size_ += 4;
  return *this;
}

Code& Code::place(std::size_t program) {
  items_.push_back({"", Item::Program, program});
  size_ += 2;
  return *this;
}

Code& Code::own_place(std::size_t mark) {
  items_.push_back({"", Item::Own, mark});
  size_ += 2;
  return *this;
}

Code& Code::append(Code more) {
  for (Item& item : more.items_) items_.push_back(std::move(item));
  size_ += more.size_;
  return *this;
}

Code& Code::text(const std::string& characters) {
  std::string all;
  for (const char c : characters) all += fmt::format("'{}', ", c);
  items_.push_back({all + "0", Item::Plain, 0});
  size_ += characters.size() + 1;
  return *this;
}

// ---- the file

Programs::Programs(const Input& input, bool skeletons,
                   std::function<bool(const pres::Declaration&)> has_program)
    : input_(input),
      skeletons_(skeletons),
      file_(skeletons ? "skeletons" : "stubs"),
      boxes_(compiled::known_boxes(input, skeletons).empty() ? ""
             : skeletons                                     ? "_request_boxes"
                                                             : "_reply_boxes"),
      has_program_(std::move(has_program)) {}

std::size_t Programs::reserve(const std::string& comment) {
  programs_.push_back({comment, {}});
  return programs_.size() - 1;
}

void Programs::define(std::size_t number, Code code) {
  size_ += kPlace + code.size();
  programs_[number].code = std::move(code);
}

std::size_t Programs::add(const std::string& comment, Code steps) {
  steps.step("End");
  for (std::size_t i = 0; i < programs_.size(); ++i)
    if (programs_[i].code.items_ == steps.items_) return i;
  const std::size_t number = reserve(comment);
  define(number, std::move(steps));
  return number;
}

bool Programs::fits(const std::function<bool()>& add) {
  const std::size_t programs = programs_.size(), entries = entries_.size(), lists = raises_.size();
  const std::size_t contexts = contexts_.size(), size = size_;
  if (add() && size_ <= kMostOctets) return true;
  programs_.resize(programs);
  entries_.resize(entries);
  raises_.resize(lists);
  contexts_.resize(contexts);
  size_ = size;
  for (auto* const known : {&types_, &flats_, &choices_})
    std::erase_if(*known, [&](const auto& one) { return one.second >= programs; });
  return false;
}

std::size_t Programs::type_entry(const std::string& traits, const std::string& target, unsigned uses) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].traits != traits || entries_[i].target != target) continue;
    entries_[i].uses |= uses;
    return i;
  }
  entries_.push_back({traits, target, uses});
  return entries_.size() - 1;
}

std::size_t Programs::wide_text_entry(const pres::Type& type, unsigned uses) {
  return type_entry("WideTextOf", fmt::format("{}", node(type).bound), uses);
}

std::size_t Programs::reference_entry(const pres::Type& type, unsigned uses) {
  const Kind kind = node(type).kind;
  const char* const traits = kind == Kind::TypeCode   ? "TypeCodeOf"
                             : kind == Kind::Value    ? "ValueOf"
                             : kind == Kind::Abstract ? "AbstractOf"
                                                      : "ReferenceOf";
  return type_entry(traits, type.interface, uses);
}

std::size_t Programs::context_entry(const std::vector<std::string>& patterns) {
  std::size_t list = 0;
  while (list < contexts_.size() && contexts_[list] != patterns) ++list;
  if (list == contexts_.size()) contexts_.push_back(patterns);
  return type_entry("WrittenContext", fmt::format("_contexts{}", list), IsWritten);
}

void Programs::scope(Code& code, mint::Id message) {
  if (compiled::holds_values(input_.graph, message)) scope(code, boxes_);
}

std::size_t Programs::raises(const std::vector<const pres::Declaration*>& exceptions) {
  std::size_t first = 0;
  for (const auto& list : raises_) {
    if (list == exceptions) return first;
    first += list.size();
  }
  raises_.push_back(exceptions);
  return first;
}

std::vector<std::size_t> Programs::places() const {
  std::vector<std::size_t> all;
  std::size_t at = 0;
  for (const One& p : programs_) {
    all.push_back(at);
    at += kPlace + p.code.size();
  }
  return all;
}

std::string Programs::only_step(std::size_t number) const {
  static constexpr struct {
    const char *step, *name;
    std::size_t size;  // of the program
  } kSteps[] = {{"Numbers1", "_numbers", 8}, {"Numbers2", "_numbers", 8}, {"Numbers4", "_numbers", 8},
                {"Numbers8", "_numbers", 8}, {"Chars", "_chars", 8},      {"Texts", "_texts", 12},
                {"Flat", "_flat", 6},        {"Flats", "_flats", 10},     {"Many", "_many", 16}};
  const Code& code = programs_[number].code;
  for (const auto& [step, name, size] : kSteps)
    if (code.items_[0].text == step && code.items_[1].text == "CORBEL_W(0)" && code.size() == size)
      return name;
  return "";
}

std::string Programs::place(std::size_t number) const {
  return fmt::format("corbel::cpp::programs::_{}.octets + {}", file_, places()[number]);
}

void Programs::print(Writer& w) const {
  w.line("#pragma GCC diagnostic push");
  w.line("#pragma GCC diagnostic ignored \"-Winvalid-offsetof\"");
  w.open("namespace corbel::cpp::programs {{\nnamespace {{\n");
  w.outdent();
  std::string types = "nullptr", raised = "nullptr";
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    std::string patterns;
    for (const std::string& one : contexts_[i]) patterns += (patterns.empty() ? "" : ", ") + quoted(one);
    w.line("constexpr const char* _contexts{}[] = {{{}}};\n", i, patterns);
  }
  if (!entries_.empty()) {
    types = fmt::format("_{}_types", file_);
    w.open("constexpr Type {}[] = {{", types);
    for (const Entry& e : entries_) {
      const std::string of = fmt::format("{}<{}>", e.traits, e.target);
      const auto one = [&](unsigned use, const char* functions) {
        return (e.uses & use) != 0 ? fmt::format("{}::{}", of, functions) : "nullptr";
      };
      w.line("{{{}, {}, {}, {}, {}, {}, {}}},", one(IsWritten, "put"), one(IsRead, "get"),
             one(IsMade, "construct"), one(IsMade | IsFreed | IsAllocated, "destruct"),
             (e.uses & IsAllocated) == 0 ? "nullptr"
             : e.traits != "TypeOf"      ? of + "::allocate"
                                         : fmt::format("SequenceOf<{}>::allocate", e.target),
             one(IsChosen, "choose"), (e.uses & IsMade) != 0 ? fmt::format("sizeof({})", e.target) : "0");
    }
    w.close("};\n");
  }
  if (!raises_.empty()) {
    raised = fmt::format("_{}_exceptions", file_);
    w.open("constexpr {} {}[] = {{", std::string(skeletons_ ? "const char*" : "RaisesEntry"), raised);
    for (const auto& list : raises_)
      for (const pres::Declaration* e : list)
        if (skeletons_) w.line("{},", quoted(e->decl->repository_id));
        else w.line("{{{}, &corbel::cpp::raise<{}>}},", quoted(e->decl->repository_id), e->target);
    w.close("};\n");
  }
  const std::vector<std::size_t> places = this->places();
  w.open("constexpr File<{}> _{} = {{{}, {}, {{", size_, file_, types, raised);
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    w.line("// {}: {}", places[i], programs_[i].comment);
    std::string line = fmt::format("CORBEL_W({}), ", places[i]);
    for (const Code::Item& item : programs_[i].code.items_) {
      if (item.kind == Code::Item::Plain) line += item.text;
      else if (item.kind == Code::Item::Program) line += fmt::format("CORBEL_W({})", places[item.number]);
      else line += fmt::format("CORBEL_W({})", places[i] + kPlace + item.number);
      line += ", ";
    }
    line.pop_back();
    w.line(line);
  }
  w.close("}};\n");
  w.line("}}  // namespace\n}}  // namespace corbel::cpp::programs");
  w.line("#pragma GCC diagnostic pop\n");
}

// ---- types

// A mask of gaps is as large as its structure, and begins anew behind it: so many octets of that stand there.
constexpr std::size_t kMaskRepeats = 16;

// One that is shifted by 4 fits into a chunk of any size that needs no check.
constexpr std::uint32_t kMostPacked = 4092;

// Structures that lie in memory as on the wire where they begin aligned.
bool Programs::is_flat(const pres::Type& type) const {
  const plan::Part& p = part(type);
  return node(type).kind == Kind::Struct && type.declaration && p.encodes_as_host && p.host_size != 0 &&
         p.host_size <= (p.packed ? kMostPacked : 256);
}

std::uint64_t Programs::most_in_memory(const pres::Type& type) const {
  const plan::Part& p = part(type);
  if (p.storage == plan::Storage::Fixed && p.host_size != 0) return p.host_size;
  const mint::Node& n = node(type);
  if (n.kind == Kind::Array) return n.bound * most_in_memory(*type.element);
  std::uint64_t octets = 64;
  if ((n.kind == Kind::Struct || n.kind == Kind::Union) && type.declaration)
    for (const pres::Member& m : type.declaration->members) {
      if (octets > kMostInMemory) break;  // the others, perhaps many through many levels, change nothing
      octets = std::min(octets + most_in_memory(*m.type), kMostInMemory + 1);
    }
  return octets;
}

bool Programs::possible(const pres::Type& type) const {
  if (most_in_memory(type) > kMostInMemory) return false;
  const mint::Node& n = node(type);
  switch (n.kind) {
    case Kind::Boolean:
    case Kind::Char:
    case Kind::Octet:
    case Kind::Integer:
    case Kind::Enum:
    case Kind::String:
    case Kind::WChar:
    case Kind::WString:
    case Kind::Any:
    case Kind::Float:
    case Kind::TypeCode:
      return true;
    case Kind::Reference:
    case Kind::Value:
    case Kind::Abstract:
      return !type.interface.empty();
    case Kind::Struct:
    case Kind::Union:
    case Kind::Fixed:
    case Kind::Bits:
      return type.functions || n.kind == Kind::Fixed;
    case Kind::Sequence:
    case Kind::Array:
      return possible(*type.element);
    default:
      return false;
  }
}

void Programs::led(Code& code, const std::string& at, const pres::Type& type) {
  if (is_flat(type)) {
    code.step("LedFlat").w(at).place(flat(type));
    return;
  }
  const mint::Node& n = node(type);
  if (n.kind == Kind::Octet || n.kind == Kind::Integer || (n.kind == Kind::Float && !is_wide(n))) {
    code.step(of_width("Led", n.kind == Kind::Octet ? 1 : n.bits / 8)).w(at);
    return;
  }
  code.step("Base").w(at);
  value(code, "0", type, Holder::Own);
}

bool Programs::value(Code& code, const std::string& at, const pres::Type& type, Holder holder) {
  if (!possible(type)) return false;
  const mint::Node& n = node(type);
  switch (n.kind) {
    case Kind::Boolean:
      code.step("Boolean").w(at);
      return true;
    case Kind::Char:
      code.step("Char").w(at);
      return true;
    case Kind::Octet:
      code.step("Number1").w(at);
      return true;
    case Kind::Float:
      if (is_wide(n)) {
        code.step("Typed").w(at).w(type_entry("WideNumberOf", "CORBA::LongDouble", Travels));
        return true;
      }
      [[fallthrough]];
    case Kind::Integer:
      code.step(of_width("Number", n.bits / 8)).w(at);
      return true;
    case Kind::Enum:
      code.step("Enum").w(at).l(n.bound);
      return true;
    case Kind::String:
      code.step(holder == Holder::Member ? "Text"
                : holder == Holder::View ? "View"
                                         : "Pointer")
          .w(at)
          .l(n.bound);
      return true;
    case Kind::Reference:
    case Kind::TypeCode:
    case Kind::Value:
    case Kind::Abstract:
      code.step("Typed").w(at).w(reference_entry(type));
      return true;
    case Kind::WChar:
      code.step("Typed").w(at).w(type_entry("WideCharacterOf", "CORBA::WChar", Travels));
      return true;
    case Kind::WString:
      code.step("Typed").w(at).w(wide_text_entry(type));
      return true;
    case Kind::Sequence:
      sequence(code, at, type, holder);
      return true;
    case Kind::Array:
      array(code, at, type);
      return true;
    case Kind::Struct:
    case Kind::Union:
      structure(code, at, type);
      return true;
    default:
      code.step("Typed").w(at).w(type_entry("TypeOf", type.target, Travels));
      return true;
  }
}

void Programs::structure(Code& code, const std::string& at, const pres::Type& type) {
  std::size_t number;
  if (is_flat(type)) {
    code.step("Flat").w(at).place(flat(type));
  } else if (type.declaration && this->type(*type.declaration, number)) {
    if (node(type).recursive) code.step("Again").w(at).place(number);
    else if (node(type).kind == Kind::Union) code.step("Union").w(at).place(choice(*type.declaration));
    else code.step("Inside").w(at).place(number);
  } else {
    code.step("Typed").w(at).w(type_entry("TypeOf", type.target, Travels));
  }
}

std::string Programs::size_in_memory(const pres::Type& type) const {
  const plan::Part& p = part(type);
  switch (node(type).kind) {
    case Kind::Array:
      return fmt::format("{} * {}", node(type).bound, size_in_memory(*type.element));
    case Kind::String:
      return "sizeof(corbel::cpp::StringMember)";
    case Kind::WString:
    case Kind::Reference:
    case Kind::TypeCode:
    case Kind::Value:
    case Kind::Abstract:
      return "sizeof(void*)";
    case Kind::Struct:  // what stands behind a base is the target's affair
      return fmt::format("sizeof({})", type.target);
    default:
      return p.storage == plan::Storage::Fixed && p.host_size != 0 ? fmt::format("{}", p.host_size)
                                                                   : fmt::format("sizeof({})", type.target);
  }
}

void Programs::sequence(Code& code, const std::string& at, const pres::Type& type, Holder holder) {
  const pres::Type& e = *type.element;
  const mint::Node& n = node(e);
  const std::uint32_t bound = node(type).bound;
  const bool view = holder == Holder::View;
  const char* const numbers = view ? "Views" : "Numbers";
  switch (n.kind) {
    case Kind::Octet:
      code.step(of_width(numbers, 1)).w(at).l(bound);
      return;
    case Kind::Integer:
    case Kind::Float:
      if (is_wide(n)) break;
      code.step(of_width(numbers, n.bits / 8)).w(at).l(bound);
      return;
    case Kind::Char:
      code.step(view ? "ViewsChar" : "Chars").w(at).l(bound);
      return;
    case Kind::Boolean:
      code.step("Booleans").w(at).l(bound);
      return;
    case Kind::String:
      code.step("Texts").w(at).l(bound).l(n.bound);
      return;
    default:
      break;
  }
  if (is_flat(e)) {
    const bool in_message = view && part(e).same_as_host;
    code.step(in_message ? "FlatViews" : "Flats").w(at).l(bound).place(flat(e));
    return;
  }
  // Of what its elements are made a skeleton has no programs: the stub's function knows them.
  if (skeletons_ && type.functions) {
    code.step("Typed").w(at).w(type_entry("TypeOf", type.target, Travels));
    return;
  }
  code.step("Many").w(at).l(bound).place(element(e, Holder::Own)).w(size_in_memory(e));
  code.w(std::min(65535u, std::max(1u, part(e).least))).w(type_entry("TypeOf", type.target, IsAllocated));
}

void Programs::array(Code& code, const std::string& at, const pres::Type& type) {
  const pres::Type& e = *type.element;
  const mint::Node& n = node(e);
  const std::uint32_t count = node(type).bound;
  switch (n.kind) {
    case Kind::Octet:
      code.step(of_width("Run", 1)).w(at).l(count);
      return;
    case Kind::Integer:
    case Kind::Float:
      if (is_wide(n)) break;
      code.step(of_width("Run", n.bits / 8)).w(at).l(count);
      return;
    case Kind::Char:
      code.step("RunChar").w(at).l(count);
      return;
    case Kind::Boolean:
      code.step("RunBoolean").w(at).l(count);
      return;
    default:
      break;
  }
  if (is_flat(e)) {
    code.step("FlatArray").w(at).l(count).place(flat(e));
    return;
  }
  code.step("Array").w(at).l(count).place(element(e, Holder::Member)).w(size_in_memory(e));
}

// The program of an element: a structure's own one is that, too.
std::size_t Programs::element(const pres::Type& type, Holder holder) {
  std::size_t number;
  if (node(type).kind == Kind::Struct && !node(type).recursive && type.declaration &&
      this->type(*type.declaration, number))
    return number;
  Code code;
  value(code, "0", type, holder);
  return add("an element", std::move(code));
}

bool Programs::possible(const pres::Declaration& d) const {
  if (!has_program_(d) || !d.type || d.local || !d.bits.empty()) return false;
  const Kind kind = node(*d.type).kind;
  if (most_in_memory(*d.type) > kMostInMemory) return false;
  if (kind == Kind::Sequence ? !possible(*d.type) : kind != Kind::Struct && kind != Kind::Union) return false;
  for (const pres::Member& m : d.members)
    if (!possible(*m.type)) return false;
  for (const pres::Case& c : d.cases)
    if (!possible(*c.member.type)) return false;
  return true;
}

bool Programs::type(const pres::Declaration& d, std::size_t& number) {
  if (!has_program_(d)) return false;
  if (const auto known = types_.find(&d); known != types_.end()) {
    number = known->second;
    return true;
  }
  if (!possible(d)) return false;
  const Kind kind = node(*d.type).kind;
  number = types_[&d] = reserve(d.target);
  Code code;
  if (compiled::shares_values(d, input_)) scope(code, "");
  if (kind == Kind::Sequence) {
    sequence(code, "0", *d.type, Holder::Own);
  } else if (kind == Kind::Union) {
    code.step("Union").w(0).place(choice(d));
  } else if (is_flat(*d.type)) {
    code.step("Flat").w(0).place(flat(*d.type));
  } else {
    members(code, "", d);
  }
  define(number, std::move(code.step("End")));
  return true;
}

// Those of small structures inside of it, too, which saves the way there.
void Programs::members(Code& code, const std::string& before, const pres::Declaration& d) {
  const auto place = [&](const pres::Member& m) {
    return fmt::format("{}offsetof({}, {})", before, d.target, m.name);
  };
  for (std::size_t i = 0; i < d.members.size(); ++i) {
    const pres::Member& m = d.members[i];
    const std::string at = place(m);
    if (node(*m.type).kind == Kind::String && i + 1 < d.members.size()) {
      const pres::Member& next = d.members[i + 1];
      const mint::Node& n = node(*next.type);
      if ((n.kind == Kind::Integer || n.kind == Kind::Float) && (n.bits == 32 || n.bits == 64)) {
        code.step(of_width("Text", n.bits / 8)).w(at).l(node(*m.type).bound).w(place(next));
        ++i;
        continue;
      }
    }
    const pres::Declaration* const inner = m.type->declaration;
    std::size_t number;
    if (node(*m.type).kind == Kind::Struct && !is_flat(*m.type) && !node(*m.type).recursive && inner &&
        inner->members.size() <= kMostInlined && type(*inner, number))
      members(code, at + " + ", *inner);
    else value(code, at, *m.type, Holder::Member);
  }
}

std::size_t Programs::entered(const pres::Declaration& d, std::size_t number) {
  if (!node(*d.type).recursive) return number;
  Code code;
  code.step("Again").w(0).place(number);
  return add(d.target + ", entered", std::move(code));
}

// ---- unions

std::size_t Programs::choice(const pres::Declaration& d) {
  if (const auto known = choices_.find(&d); known != choices_.end()) return known->second;
  const std::size_t number = choices_[&d] = reserve(d.target + ", a union");
  const std::uint32_t octets = octets_in_memory(node(*d.discriminator));
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * octets);
  std::map<std::uint64_t, std::size_t> labels;  // to their members' programs
  std::optional<std::size_t> otherwise;
  const mint::Node& n = node(*d.type);
  for (std::size_t i = 0; i < d.cases.size(); ++i) {
    Code steps;
    branch(steps, d.target, d.cases[i].member);
    const std::size_t program = add("a member", std::move(steps));
    for (const std::int64_t label : n.cases[i].labels)
      labels[static_cast<std::uint64_t>(label) & mask] = program;
    if (d.cases[i].is_default) otherwise = program;
  }
  Code code;
  code.w(type_entry("TypeOf", d.target, IsChosen)).octet(octets).w(labels.size());
  if (otherwise) code.place(*otherwise);
  else code.w("kNoMember");
  for (const auto& [label, program] : labels)
    for (std::uint32_t i = 0; i < octets; ++i) code.octet(static_cast<std::uint32_t>(label >> 8 * i & 255));
  for (const auto& [label, program] : labels) code.place(program);
  value(code, "0", *d.discriminator, Holder::Own);
  define(number, std::move(code.step("End")));
  return number;
}

// Numbers, strings and references stand in the union, to all else it has a pointer. A string may be null
// there, which is an empty one.
void Programs::branch(Code& code, const std::string& target, const pres::Member& member) {
  const std::string at = target + "::_corbel_at()";
  const mint::Node& n = node(*member.type);
  if (n.kind == Kind::String) {
    code.step("Branch").w(at).l(n.bound);
  } else if (n.kind == Kind::WString) {
    code.step("Typed").w(at).w(type_entry("WideBranchOf", fmt::format("{}", n.bound), Travels));
  } else if (member.type->passing == pres::Passing::Value ||
             member.type->passing == pres::Passing::Reference ||
             member.type->passing == pres::Passing::ValueType) {
    value(code, at, *member.type, Holder::Own);
  } else {
    led(code, at, *member.type);
  }
}

// ---- structures of fixed layout

// Its members one by one, at the offsets that natural alignment gives them, and the gaps between them.
void Programs::flat_steps(Code& code, const pres::Type& type, std::uint32_t begin, Gaps& gaps,
                          Booleans& booleans, Shift& shift) {
  std::uint32_t at = begin;
  const auto gap = [&](std::uint32_t until) {
    if (until > at) gaps.push_back({at, until - at});
  };
  for (const pres::Member& m : type.declaration->members) {
    const plan::Part& p = part(*m.type);
    const std::uint32_t offset = (at + p.host_align - 1) / p.host_align * p.host_align;
    gap(offset);
    const pres::Type* one = m.type;
    while (node(*one).kind == Kind::Array) one = one->element;
    if (node(*one).kind == Kind::Struct) {
      // Those of an array follow one another, whatever its dimensions.
      const std::uint32_t size = part(*one).host_size;
      for (std::uint32_t i = 0; i < p.host_size; i += size)
        flat_steps(code, *one, offset + i, gaps, booleans, shift);
    } else {
      value(code, fmt::format("{}", offset), *m.type, Holder::Member);
      if (p.host_align == 8 && !shift.found) shift = {true, offset, offset - shift.end < 4};
      shift.end = offset + p.host_size;
      if (node(*one).kind == Kind::Boolean)
        for (std::uint32_t i = 0; i < p.host_size && booleans.offsets.size() <= kMostBooleans; ++i)
          booleans.offsets.push_back(offset + i);
      else if (!p.same_as_host) booleans.enough = false;
    }
    at = offset + p.host_size;
  }
  gap(begin + part(type).host_size);
}

std::size_t Programs::flat(const pres::Type& type) {
  const auto known = flats_.find(type.declaration);
  if (known != flats_.end()) return known->second;
  const plan::Part& p = part(type);
  Code steps;
  Gaps gaps;
  Booleans booleans;
  Shift shift;
  flat_steps(steps, type, 0, gaps, booleans, shift);
  const bool checked = booleans.enough && booleans.offsets.size() <= kMostBooleans;
  if (!checked) booleans.offsets.clear();
  std::vector<std::uint32_t> mask(p.host_size, 255);
  std::uint32_t least = p.host_size;
  for (const auto& [at, octets] : gaps) {
    std::fill_n(mask.begin() + at, octets, 0);
    least -= octets;
  }
  std::string same = p.same_as_host || checked ? "Read" : "No";
  if (!gaps.empty()) same += " + Gaps";
  Code code;
  code.w(p.host_size).octet(p.host_align - 1).step(same).w(least);
  code.octet(static_cast<std::uint32_t>(booleans.offsets.size()));
  code.w(2 * shift.from + (shift.later ? 1 : 0));
  for (const std::uint32_t at : booleans.offsets) code.w(at);
  if (!gaps.empty())
    for (std::size_t at = 0; at < p.host_size + kMaskRepeats; ++at) code.octet(mask[at % p.host_size]);
  code.append(std::move(steps));
  return flats_[type.declaration] = add(type.target + ", of fixed layout", std::move(code));
}

}  // namespace corbel::idl::interpretive
