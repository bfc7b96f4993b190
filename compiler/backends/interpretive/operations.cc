// Stubs and skeletons whose operations are programs, and the functions of types that are.
#include <fmt/format.h>

#include <algorithm>

#include "compiler/backends/compiled/coder.h"
#include "compiler/backends/interpretive/interpretive.h"
#include "compiler/backends/interpretive/programs.h"

namespace corbel::idl::interpretive {
namespace {

using Mode = aoi::Parameter::Mode;
using mint::Kind;
using pres::Ownership;
using pres::Passing;

// Results of one operation that the caller owns: Made::kMost of the run time.
constexpr std::size_t kMostMade = 16;
// Arguments and results, so that what a skeleton frees can be counted in an octet.
constexpr std::size_t kMostArguments = 62;

// Words that a stub passes as they are; more stand in an array.
constexpr std::size_t kMostPassed = 3;

std::string last_name(const std::string& qualified) { return qualified.substr(qualified.rfind(':') + 1); }

// Bits of a word; a long double has more.
constexpr std::uint32_t kWord = 64;

// What a word, or a variable, leads to.
enum class Kept { Number, Pointer, Text, WideText, Reference, Nothing };

Kept kept(const mint::Graph& graph, const pres::Type& t) {
  switch (t.passing) {
    case Passing::Value:
      return graph[t.message].bits > kWord ? Kept::Pointer : Kept::Number;
    case Passing::FixedStruct:
    case Passing::VariableStruct:
    case Passing::Sequence:
    case Passing::FixedArray:
    case Passing::VariableArray:
      return Kept::Pointer;
    case Passing::String:
      return Kept::Text;
    case Passing::WString:
      return Kept::WideText;
    case Passing::Reference:
    case Passing::ValueType:
      return Kept::Reference;
  }
  return Kept::Nothing;
}

bool is_array(const pres::Type& t) {
  return t.passing == Passing::FixedArray || t.passing == Passing::VariableArray;
}

// Whether a result is the caller's to free; arrays are, whatever they hold.
bool given(const pres::Type& t) { return t.passing != Passing::Value && t.passing != Passing::FixedStruct; }

// What is made of a type where a pointer leads to it.
std::size_t made_entry(Programs& programs, const pres::Type& t) {
  if (is_array(t)) return programs.type_entry("ArrayOf", t.target + "_traits", Programs::IsAllocated);
  return programs.type_entry("TypeOf", t.target, Programs::IsMade);
}

// All that operations of both sides must fulfil.
bool possible(const Input& input, const Programs& programs, const pres::Interface& i,
              const pres::Operation& op) {
  if (i.local || op.name.size() > 255 || op.raises.size() > 255 ||
      op.arguments.size() + (op.contexts.empty() ? 0 : 1) > kMostArguments)
    return false;
  const auto fits = [&](const pres::Type& t) {
    return kept(input.graph, t) != Kept::Nothing && programs.possible(t);
  };
  if (op.result_type->conversion != pres::Conversion::None && !fits(*op.result_type)) return false;
  std::size_t made = given(*op.result_type) ? 1 : 0;
  std::uint64_t frame = 64;
  for (const pres::Parameter& p : op.arguments) {
    if (!fits(*p.type) || (frame += programs.most_in_memory(*p.type) + 64) > Programs::kMostInMemory)
      return false;
    if (p.ownership == Ownership::Given) ++made;
  }
  return made <= kMostMade;
}

// ---- stubs

class Stub {
 public:
  // `sent` is the number by which servers may find the operation, or 0.
  Stub(const Input& input, Programs& programs, const pres::Interface& i, const pres::Operation& op,
       std::uint32_t sent)
      : input_(input), programs_(programs), interface_(i), op_(op), sent_(sent) {}

  void make() {
    Code code;
    std::string flags;
    const auto flag = [&](bool wanted, const char* name) {
      if (wanted) flags += (flags.empty() ? "" : " | ") + std::string(name);
    };
    flag(op_.oneway, "Oneway");
    flag(compiled::writes_again(input_, op_), "Streams");
    flag(sent_ != 0, "Numbered");
    code.step(flags.empty() ? "Plain" : flags).octet(narrow(op_.raises.size()));
    code.w(op_.raises.empty() ? 0 : programs_.raises(op_.raises));
    Code request, reply;
    request.w(op_.name.size()).text(op_.name);
    if (sent_ != 0) request.w(sent_);
    request_steps(request);
    reply_steps(reply);
    // The place of the reply's steps is the last thing before them that is not counted yet.
    code.own_place(code.size() + 2 + request.size());
    code.append(std::move(request)).append(std::move(reply));
    number_ = programs_.add(fmt::format("{}::{}", interface_.target.substr(2), op_.name), std::move(code));
  }

  void print(Writer& w) const {
    const pres::Type& result = *op_.result_type;
    w.open("{} {}::{}({}) {{", op_.result, interface_.target.substr(2),
           interface_.abstract ? pres::virtual_name(op_.method) : op_.method, op_.parameters);
    const bool fixed = result.conversion != pres::Conversion::None && is_filled(result);
    if (fixed) w.line("{} _result;", result.target);
    std::vector<std::string> words;
    for (const pres::Parameter& p : op_.arguments) words.push_back(word(p));
    if (!op_.contexts.empty()) words.push_back("corbel::cpp::programs::word(_ctx)");
    std::string passed;
    if (words.size() > kMostPassed) {
      std::string all = fixed ? "corbel::cpp::programs::word(&_result)" : "0";
      for (const std::string& each : words) all += ", " + each;
      w.line("corbel::cpp::programs::Word _words[] = {{{}}};", all);
      passed = "_words, ";
    } else {
      for (const std::string& each : words) passed += each + ", ";
    }
    const std::string call =
        fmt::format("corbel::cpp::programs::{}corbel::cpp::programs::{}(this), {}{})",
                    fixed && words.size() <= kMostPassed ? "call_into(&_result, " : "call(",
                    interface_.abstract ? "behind" : "target", passed, programs_.place(number_));
    if (fixed || result.conversion == pres::Conversion::None) w.line("{};", call);
    else w.line("return corbel::cpp::programs::from_word<{}>({});", op_.result, call);
    if (fixed) w.line("return _result;");
    w.close("}\n");
  }

 private:
  static constexpr unsigned kMadeAndRead = Programs::IsRead | Programs::IsFreed;
  static std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }
  static std::string at_word(std::size_t number) { return fmt::format("{}", 8 * number); }

  Kept kept(const pres::Type& t) const { return interpretive::kept(input_.graph, t); }
  // A result that the caller has room for, to which word 0 leads.
  bool is_filled(const pres::Type& t) const { return !given(t) && kept(t) == Kept::Pointer; }

  // The word that the run time finds an argument in.
  std::string word(const pres::Parameter& p) const {
    std::string value = p.name;
    if (p.ownership == Ownership::Given) value = fmt::format("&{}.ptr()", p.name);
    else if (is_array(*p.type)) value = p.name;  // a pointer already
    else if (p.mode != Mode::In || kept(*p.type) == Kept::Pointer) value = "&" + p.name;
    return fmt::format("corbel::cpp::programs::word({})", value);
  }

  void request_steps(Code& code) {
    programs_.scope(code, op_.request);
    std::size_t number = 0;
    for (const pres::Parameter& p : op_.arguments) {
      ++number;
      if (p.mode == Mode::Out) continue;
      if (p.mode == Mode::In && kept(*p.type) != Kept::Pointer) {
        programs_.value(code, at_word(number), *p.type, Holder::Own);
        continue;
      }
      programs_.led(code, at_word(number), *p.type);
    }
    if (!op_.contexts.empty())
      code.step("Typed").w(at_word(number + 1)).w(programs_.context_entry(op_.contexts));
    code.step("End");
  }

  void reply_steps(Code& code) {
    programs_.scope(code, op_.reply);
    const pres::Type& result = *op_.result_type;
    if (result.conversion != pres::Conversion::None) {
      if (given(result)) made(code, 0, result);
      else if (is_filled(result)) programs_.led(code, at_word(0), result);
      else programs_.value(code, "0", result, Holder::Own);
    }
    std::size_t number = 0;
    for (const pres::Parameter& p : op_.arguments) {
      ++number;
      if (p.mode == Mode::In) continue;
      if (p.ownership == Ownership::Given) made(code, number, *p.type);
      else programs_.led(code, at_word(number), *p.type);
    }
  }

  void made(Code& code, std::size_t number, const pres::Type& type) {
    if (kept(type) == Kept::Text) {
      code.step("MakeText").w(number).l(input_.graph[type.message].bound);
    } else if (kept(type) == Kept::WideText) {
      code.step("MakeTyped").w(number).w(programs_.wide_text_entry(type, kMadeAndRead));
    } else if (kept(type) == Kept::Reference) {
      code.step("MakeTyped").w(number).w(programs_.reference_entry(type, kMadeAndRead));
    } else {
      code.step("Make").w(number).w(made_entry(programs_, type));
      programs_.value(code, "0", type, Holder::Own);
    }
  }

  const Input& input_;
  Programs& programs_;
  const pres::Interface& interface_;
  const pres::Operation& op_;
  std::size_t number_ = 0;
  const std::uint32_t sent_;
};

// ---- skeletons

class Skeleton {
 public:
  Skeleton(const Input& input, Programs& programs, const pres::Interface& i, const pres::Operation& op,
           std::size_t number)
      : input_(input), programs_(programs), interface_(i), op_(op), number_(number) {}

  // Whether a frame is of any use.
  bool is_served() const { return !empty() || !op_.raises.empty(); }

  // What the operation's arguments and results stand in while the servant runs, and the function that calls
  // the servant with them.
  void print_frame(Writer& w) const {
    if (!is_served()) return;
    if (!empty()) {
      w.open("struct _Frame{} {{", number_);
      for (const pres::Parameter& p : op_.arguments)
        w.line("{} {};", is_view(p) ? "const char*" : member(*p.type, p.ownership == Ownership::Given),
               p.name);
      const pres::Type& result = *op_.result_type;
      if (!op_.contexts.empty()) w.line("CORBA::Context* _ctx;");
      if (has_result()) w.line("{} _result;", member(result, given(result)));
      w.close("};\n");
    }
    w.open("void _upcall{}(void* _servant, void*{}) {{", number_, empty() ? "" : " _memory");
    if (!empty()) w.line("_Frame{0}& _frame = *static_cast<_Frame{0}*>(_memory);", number_);
    w.line("{}static_cast<{}*>(_servant)->{}({});", has_result() ? "_frame._result = " : "",
           interface_.skeleton, op_.method, arguments("_frame."));
    w.close("}\n");
  }

  void make() {
    if (!is_served()) return;
    const pres::Type& result = *op_.result_type;
    Code request, reply, freed;
    programs_.scope(request, op_.request);
    programs_.scope(reply, op_.reply);
    for (const pres::Parameter& p : op_.arguments)
      if (p.mode != Mode::Out)
        programs_.value(request, at(p.name), *p.type,
                        p.mode == Mode::In && views() ? Holder::View : Holder::Own);
    if (!op_.contexts.empty()) {
      const std::size_t entry =
          programs_.type_entry("ReadContext", "CORBA::Context", Programs::IsRead | Programs::IsFreed);
      request.step("Typed").w(at("_ctx")).w(entry);
      freed.step("FreeMade").w(at("_ctx")).w(entry);
      ++freed_;
    }
    if (has_result()) sent(reply, "_result", result, given(result));
    for (const pres::Parameter& p : op_.arguments) {
      const bool pointer = p.ownership == Ownership::Given;
      if (p.mode != Mode::In) sent(reply, p.name, *p.type, pointer);
      if (!is_view(p)) free(freed, p.name, *p.type, pointer);
    }
    if (has_result()) free(freed, "_result", result, given(result));
    Code code;
    code.w(empty() ? "0" : fmt::format("sizeof(_Frame{})", number_));
    code.step(fmt::format("{} + 4 * {}",
                          compiled::holds_runs(input_.graph, input_.plan, op_.reply) ? "Sent" : "Copied",
                          freed_));
    Code before;
    before.octet(static_cast<std::uint32_t>(op_.raises.size()));
    before.w(op_.raises.empty() ? 0 : programs_.raises(op_.raises));
    before.append(std::move(freed)).append(std::move(request.step("End")));
    code.own_place(code.size() + 2 + before.size());
    code.append(std::move(before)).append(std::move(reply));
    program_ = programs_.add(fmt::format("{}::{}", interface_.target.substr(2), op_.name), std::move(code));
  }

  void print(Writer& w) const {
    // GCC would put it into the dispatch, too.
    w.open("[[gnu::noinline]] void {}::_skel_{}({}& _servant, corbel::cpp::Upcall&{}) {{",
           interface_.skeleton.substr(2), op_.name, last_name(interface_.skeleton),
           is_served() ? " _call" : "");
    if (is_served())
      w.line("corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall{}, {});", number_,
             programs_.place(program_));
    else w.line("_servant.{}();", op_.method);
    w.close("}\n");
  }

 private:
  Kept kept(const pres::Type& t) const { return interpretive::kept(input_.graph, t); }
  bool views() const { return input_.plan.options.views; }
  bool has_result() const { return op_.result_type->conversion != pres::Conversion::None; }
  bool empty() const { return op_.arguments.empty() && op_.contexts.empty() && !has_result(); }
  std::string at(const std::string& member) const {
    return fmt::format("offsetof(_Frame{}, {})", number_, member);
  }
  std::string member(const pres::Type& t, bool pointer) const {
    if (kept(t) == Kept::Text) return "char*";
    if (kept(t) == Kept::WideText) return "CORBA::WChar*";
    if (kept(t) == Kept::Reference) return t.interface + "*";
    return t.target + (!pointer ? "" : is_array(t) ? "_slice*" : "*");
  }
  bool is_view(const pres::Parameter& p) const {
    return p.mode == Mode::In && kept(*p.type) == Kept::Text && views();
  }
  std::string arguments(const std::string& frame) const {
    std::string all;
    for (const pres::Parameter& p : op_.arguments) all += (all.empty() ? "" : ", ") + frame + p.name;
    if (!op_.contexts.empty()) all += (all.empty() ? "" : ", ") + frame + "_ctx";
    return all;
  }

  void free(Code& code, const std::string& name, const pres::Type& type, bool pointer) {
    if (kept(type) == Kept::Text) {
      code.step("FreeString").w(at(name)).w(0);
    } else if (kept(type) == Kept::WideText) {
      code.step("FreeMade").w(at(name)).w(programs_.wide_text_entry(type, Programs::IsFreed));
    } else if (kept(type) == Kept::Reference) {
      code.step("FreeMade").w(at(name)).w(programs_.reference_entry(type, Programs::IsFreed));
    } else if (pointer) {
      code.step("FreeMade").w(at(name)).w(made_entry(programs_, type));
    } else if ((given(type) && type.passing != Passing::FixedArray) ||
               compiled::holds_unions(input_.graph, type.message)) {
      const std::string held = is_array(type) ? fmt::format("Held<{}>", type.target) : type.target;
      code.step("FreeValue").w(at(name)).w(programs_.type_entry("TypeOf", held, Programs::IsMade));
    } else {
      return;
    }
    ++freed_;
  }

  void sent(Code& code, const std::string& name, const pres::Type& type, bool holder) {
    if (kept(type) == Kept::Text) {
      code.step("Result").w(at(name)).l(input_.graph[type.message].bound);
    } else if (holder && kept(type) == Kept::Pointer) {
      programs_.led(code, at(name), type);
    } else {
      programs_.value(code, at(name), type, Holder::Own);
    }
  }

  const Input& input_;
  Programs& programs_;
  const pres::Interface& interface_;
  const pres::Operation& op_;
  const std::size_t number_;
  std::size_t program_ = 0;
  std::uint32_t freed_ = 0;
};

std::string name_of(const pres::Declaration& d) { return d.decl->scoped_name.substr(2); }

void begin(Writer& w, compiled::Done& done, const std::string& boxes) {
  w.raw("#include <corbel/cpp/programs.h>\n\n" + boxes);
  if (!boxes.empty()) w.line("");
  done.boxes = !boxes.empty();
}

}  // namespace

Style Styles::of(const std::string& scoped_name) const {
  for (std::string name = scoped_name;;) {
    if (const auto found = scopes.find(name); found != scopes.end()) return found->second;
    const std::size_t colons = name.rfind("::");
    if (colons == std::string::npos) return loaded.count(scoped_name) != 0 ? Style::Compiled : usual;
    name.resize(colons);
  }
}

Part stubs(const Input& input, const Styles& styles) {
  Part part;
  if (styles.none()) return part;
  const std::set<const pres::Declaration*> here(input.presentation.declarations.begin(),
                                                input.presentation.declarations.end());
  std::set<const pres::Declaration*> code;  // what has no program
  const auto wanted = [&](const pres::Declaration& d) {
    return here.count(&d) != 0 && code.count(&d) == 0 && compiled::has_functions(d) &&
           styles.of(name_of(d)) == Style::Interpretive;
  };
  Programs programs(input, false, wanted);
  std::vector<std::pair<const pres::Declaration*, std::size_t>> types;
  std::vector<Stub> operations;
  for (const pres::Declaration* d : input.presentation.declarations) {
    std::size_t number;
    const auto made = [&] {
      if (!programs.type(*d, number)) return false;
      number = programs.entered(*d, number);
      return true;
    };
    if (programs.room() && programs.fits(made)) {
      types.emplace_back(d, number);
      part.done.types.insert(d);
    } else {
      if (programs.possible(*d)) ++part.crowded_out;
      code.insert(d);
    }
    if (!d->interface) continue;
    const bool numbered = input.dispatch.of(*d) == compiled::Dispatch::Active;
    const std::vector<pres::Operation>& all = d->interface->operations;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const pres::Operation& op = all[i];
      if (styles.of(name_of(*d) + "::" + op.name) == Style::Compiled ||
          !possible(input, programs, *d->interface, op))
        continue;
      const std::uint32_t sent = numbered ? compiled::operation_number(*d->interface, i) : 0;
      Stub stub(input, programs, *d->interface, op, sent);
      if (!programs.room() || !programs.fits([&] { return stub.make(), true; })) {
        ++part.crowded_out;
        continue;
      }
      operations.push_back(stub);
      part.done.operations.insert(&op);
    }
  }
  if (programs.empty()) return part;
  Writer w;
  begin(w, part.done, compiled::known_boxes(input, false));
  programs.print(w);
  if (!types.empty()) w.line("namespace corbel::cdr {{\n");
  for (const auto& [d, number] : types) {
    const std::string step = programs.only_step(number), program = programs.place(number);
    w.function(fmt::format("void marshal(Encoder& out, const {}& value)", d->target),
               fmt::format("cpp::programs::encode{}(out, &value, {});", step, program));
    w.function(fmt::format("bool unmarshal(Decoder& in, {}& value)", d->target),
               fmt::format("return cpp::programs::decode{}(in, &value, {});", step, program));
    w.line("");
  }
  if (!types.empty()) w.line("}}  // namespace corbel::cdr\n");
  for (const Stub& s : operations) s.print(w);
  part.text = w.text();
  return part;
}

Part skeletons(const Input& input, const Styles& styles) {
  Part part;
  if (styles.none()) return part;
  Programs programs(input, true, [](const pres::Declaration&) { return false; });
  std::vector<Skeleton> operations;
  for (const pres::Declaration* d : input.presentation.declarations) {
    if (!d->interface || !static_cast<const aoi::Interface*>(d->decl)->complete) continue;
    for (const pres::Operation& op : d->interface->operations) {
      if (styles.of(name_of(*d) + "::" + op.name) == Style::Compiled ||
          !possible(input, programs, *d->interface, op))
        continue;
      Skeleton skeleton(input, programs, *d->interface, op, operations.size());
      if (!programs.room() || !programs.fits([&] { return skeleton.make(), true; })) {
        ++part.crowded_out;
        continue;
      }
      operations.push_back(skeleton);
      part.done.operations.insert(&op);
    }
  }
  if (operations.empty()) return part;
  Writer w;
  if (std::any_of(operations.begin(), operations.end(), [](const Skeleton& s) { return s.is_served(); })) {
    begin(w, part.done, compiled::known_boxes(input, true));
    w.line("namespace corbel::cpp::programs {{\nnamespace {{\n");
    for (const Skeleton& s : operations) s.print_frame(w);
    w.line("}}  // namespace\n}}  // namespace corbel::cpp::programs\n");
    programs.print(w);
  }
  for (const Skeleton& s : operations) s.print(w);
  part.text = w.text();
  return part;
}

}  // namespace corbel::idl::interpretive
