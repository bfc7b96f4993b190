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

constexpr std::size_t kMostMade =
    16;  // results of one operation that the caller owns: Made::kMost of the run time

// Words that a stub passes as they are; more stand in an array.
constexpr std::size_t kMostPassed = 3;

std::string last_name(const std::string& qualified) { return qualified.substr(qualified.rfind(':') + 1); }

// What a word, or a variable, leads to.
enum class Kept { Number, Pointer, Text, Reference, Nothing };

Kept kept(const pres::Type& t) {
  switch (t.passing) {
    case Passing::Value:
      return Kept::Number;
    case Passing::FixedStruct:
    case Passing::VariableStruct:
    case Passing::Sequence:
      return Kept::Pointer;
    case Passing::String:
      return Kept::Text;
    case Passing::Reference:
      return Kept::Reference;
    default:
      return Kept::Nothing;
  }
}

bool given(const pres::Type& t) { return t.passing != Passing::Value && t.passing != Passing::FixedStruct; }

// All that operations of both sides must fulfil.
bool possible(const Input& input, const Programs& programs, const pres::Interface& i,
              const pres::Operation& op) {
  if (i.local || i.abstract || !op.contexts.empty() || op.name.size() > 255 || op.raises.size() > 255)
    return false;
  if (compiled::holds_values(input.graph, op.request) || compiled::holds_values(input.graph, op.reply))
    return false;
  const auto fits = [&](const pres::Type& t) {
    return kept(t) != Kept::Nothing && programs.possible(t) &&
           (t.passing != Passing::Value || t.dimensions.empty());
  };
  if (op.result_type->conversion != pres::Conversion::None && !fits(*op.result_type)) return false;
  std::size_t made = given(*op.result_type) ? 1 : 0;
  for (const pres::Parameter& p : op.arguments) {
    if (!fits(*p.type)) return false;
    if (p.ownership == Ownership::Given) ++made;
  }
  return made <= kMostMade;
}

// ---- stubs

class Stub {
 public:
  Stub(const Input& input, Programs& programs, const pres::Interface& i, const pres::Operation& op)
      : input_(input), programs_(programs), interface_(i), op_(op) {}

  void make() {
    Code code;
    code.step(op_.oneway ? "Oneway" : streams() ? "Streams" : "Plain").octet(narrow(op_.raises.size()));
    code.w(op_.raises.empty() ? 0 : programs_.raises(op_.raises));
    Code request, reply;
    request_steps(request.w(op_.name.size()).text(op_.name));
    reply_steps(reply);
    // The place of the reply's steps is the last thing before them that is not counted yet.
    code.own_place(code.size() + 2 + request.size());
    code.append(std::move(request)).append(std::move(reply));
    number_ = programs_.add(fmt::format("{}::{}", interface_.target.substr(2), op_.name), std::move(code));
  }

  void print(Writer& w) const {
    const pres::Type& result = *op_.result_type;
    w.open("{} {}::{}({}) {{", op_.result, interface_.target.substr(2), op_.method, op_.parameters);
    const bool fixed = result.passing == Passing::FixedStruct && result.conversion != pres::Conversion::None;
    if (fixed) w.line("{} _result;", result.target);
    std::vector<std::string> words;
    for (const pres::Parameter& p : op_.arguments) words.push_back(word(p));
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
        fmt::format("corbel::cpp::programs::{}corbel::cpp::programs::target(this), {}{})",
                    fixed && words.size() <= kMostPassed ? "call_into(&_result, " : "call(", passed,
                    programs_.place(number_));
    if (fixed || result.conversion == pres::Conversion::None) w.line("{};", call);
    else w.line("return corbel::cpp::programs::from_word<{}>({});", op_.result, call);
    if (fixed) w.line("return _result;");
    w.close("}\n");
  }

 private:
  static std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }
  static std::string at_word(std::size_t number) { return fmt::format("{}", 8 * number); }

  bool streams() const {
    const plan::Part& request = input_.plan[op_.request];
    return compiled::may_be_large(request);
  }

  // The word that the run time finds an argument in.
  static std::string word(const pres::Parameter& p) {
    std::string value = p.name;
    if (p.ownership == Ownership::Given) value = fmt::format("&{}.ptr()", p.name);
    else if (p.mode != Mode::In || kept(*p.type) == Kept::Pointer) value = "&" + p.name;
    return fmt::format("corbel::cpp::programs::word({})", value);
  }

  void request_steps(Code& code) {
    std::size_t number = 0;
    for (const pres::Parameter& p : op_.arguments) {
      ++number;
      if (p.mode == Mode::Out) continue;
      if (p.mode == Mode::In && kept(*p.type) != Kept::Pointer) {
        programs_.value(code, at_word(number), *p.type, Holder::Own);
        continue;
      }
      led_to(code, number, *p.type);
    }
    code.step("End");
  }

  void led_to(Code& code, std::size_t number, const pres::Type& type) {
    code.step("Base").w(at_word(number));
    programs_.value(code, "0", type, Holder::Own);
    code.step("Own");
  }

  void reply_steps(Code& code) {
    const pres::Type& result = *op_.result_type;
    if (result.conversion != pres::Conversion::None) {
      if (given(result)) made(code, 0, result);
      else if (result.passing == Passing::FixedStruct) led_to(code, 0, result);
      else programs_.value(code, "0", result, Holder::Own);
    }
    std::size_t number = 0;
    for (const pres::Parameter& p : op_.arguments) {
      ++number;
      if (p.mode == Mode::In) continue;
      if (p.ownership == Ownership::Given) made(code, number, *p.type);
      else led_to(code, number, *p.type);
    }
  }

  void made(Code& code, std::size_t number, const pres::Type& type) {
    if (kept(type) == Kept::Text) {
      code.step("MakeText").w(number).l(input_.graph[type.message].bound);
    } else if (kept(type) == Kept::Reference) {
      code.step("MakeTyped")
          .w(number)
          .w(programs_.type_entry("ReferenceOf", type.interface, Programs::Travels));
    } else {
      code.step("Make").w(number).w(programs_.type_entry("TypeOf", type.target, Programs::IsMade));
      programs_.value(code, "0", type, Holder::Own);
      code.step("Own");
    }
  }

  const Input& input_;
  Programs& programs_;
  const pres::Interface& interface_;
  const pres::Operation& op_;
  std::size_t number_ = 0;
};

// ---- skeletons

class Skeleton {
 public:
  Skeleton(const Input& input, Programs& programs, const pres::Interface& i, const pres::Operation& op,
           std::size_t number)
      : input_(input), programs_(programs), interface_(i), op_(op), frame_(fmt::format("_Frame{}", number)) {}

  // What the operation's arguments and results stand in while the servant runs.
  void print_frame(Writer& w) const {
    if (empty()) return;
    w.open("struct {} {{", frame_);
    for (const pres::Parameter& p : op_.arguments) w.line("{};", variable(p));
    const pres::Type& result = *op_.result_type;
    if (result.conversion != pres::Conversion::None) w.line("{};", member(result, given(result), "_result"));
    w.close("};\n");
  }

  void make() {
    Code request, reply;
    for (const pres::Parameter& p : op_.arguments)
      if (p.mode != Mode::Out)
        programs_.value(request, at(p.name), *p.type,
                        p.mode == Mode::In && views() ? Holder::View : Holder::Own);
    const pres::Type& result = *op_.result_type;
    if (result.conversion != pres::Conversion::None) sent(reply, "_result", result, given(result));
    for (const pres::Parameter& p : op_.arguments)
      if (p.mode != Mode::In) sent(reply, p.name, *p.type, p.ownership == Ownership::Given);
    const std::string name = fmt::format("{}::{}", interface_.target.substr(2), op_.name);
    if (request.size() != 0)
      request_ = programs_.add(name + ", arguments", std::move(request)), has_request_ = true;
    if (reply.size() != 0) reply_ = programs_.add(name + ", results", std::move(reply)), has_reply_ = true;
  }

  void print(Writer& w) const {
    const bool uses_call = has_request_ || has_reply_ || !op_.raises.empty();
    // GCC would put it into the dispatch, too.
    w.open("[[gnu::noinline]] void {}::_skel_{}({}& _servant, corbel::cpp::Upcall&{}) {{",
           interface_.skeleton.substr(2), op_.name, last_name(interface_.skeleton),
           uses_call ? " _call" : "");
    if (!empty()) w.line("corbel::cpp::programs::{} _frame{{}};", frame_);
    if (has_request_)
      w.line("corbel::cpp::programs::get_arguments(_call, &_frame, {});", programs_.place(request_));
    if (!op_.raises.empty()) w.open("try {{");
    std::string arguments;
    for (const pres::Parameter& p : op_.arguments) arguments += (arguments.empty() ? "" : ", ") + argument(p);
    const pres::Type& result = *op_.result_type;
    w.line("{}_servant.{}({});",
           result.conversion == pres::Conversion::None ? "" : place("_result", result, given(result)) + " = ",
           op_.method, arguments);
    if (has_reply_)
      w.line("corbel::cpp::programs::{}(_call, &_frame, {});",
             compiled::holds_runs(input_.graph, input_.plan, op_.reply) ? "send_results" : "put_results",
             programs_.place(reply_));
    if (!op_.raises.empty()) compiled::answer_exceptions(w, op_);
    w.close("}\n");
  }

 private:
  bool views() const { return input_.plan.options.views; }
  bool empty() const {
    return op_.arguments.empty() && op_.result_type->conversion == pres::Conversion::None;
  }
  std::string at(const std::string& member) const { return fmt::format("offsetof({}, {})", frame_, member); }

  // What is freed with the frame stands in a member of the frame's member; the rest is the member.
  static bool is_held(const pres::Type& t, bool pointer) { return pointer || given(t); }
  static std::string member(const pres::Type& t, bool pointer, const std::string& name) {
    if (kept(t) == Kept::Text) return "HeldText " + name;
    if (kept(t) == Kept::Reference) return fmt::format("HeldPointer<ReferenceOf, {}> {}", t.interface, name);
    if (pointer) return fmt::format("HeldPointer<TypeOf, {}> {}", t.target, name);
    return is_held(t, pointer) ? fmt::format("Held<{}> {}", t.target, name)
                               : fmt::format("{} {}{{}}", t.target, name);
  }
  static std::string place(const std::string& name, const pres::Type& t, bool pointer) {
    return "_frame." + name + (is_held(t, pointer) ? ".value" : "");
  }
  bool is_view(const pres::Parameter& p) const {
    return p.mode == Mode::In && kept(*p.type) == Kept::Text && views();
  }
  std::string variable(const pres::Parameter& p) const {
    return is_view(p) ? "const char* " + p.name : member(*p.type, p.ownership == Ownership::Given, p.name);
  }
  std::string argument(const pres::Parameter& p) const {
    return is_view(p) ? "_frame." + p.name : place(p.name, *p.type, p.ownership == Ownership::Given);
  }

  void sent(Code& code, const std::string& name, const pres::Type& type, bool holder) {
    if (kept(type) == Kept::Text) {
      code.step("Result").w(at(name)).l(input_.graph[type.message].bound);
    } else if (holder && kept(type) == Kept::Pointer) {
      code.step("Base").w(at(name));
      programs_.value(code, "0", type, Holder::Own);
      code.step("Own");
    } else {
      programs_.value(code, at(name), type, Holder::Own);
    }
  }

  const Input& input_;
  Programs& programs_;
  const pres::Interface& interface_;
  const pres::Operation& op_;
  const std::string frame_;
  std::size_t request_ = 0, reply_ = 0;
  bool has_request_ = false, has_reply_ = false;
};

std::string name_of(const pres::Interface& i, const pres::Operation& op) {
  return i.target.substr(2) + "::" + op.name;
}

constexpr const char* kInclude = "#include <corbel/cpp/programs.h>\n\n";

}  // namespace

Style Styles::of(const std::string& scoped_name) const {
  for (std::string name = scoped_name;;) {
    if (const auto found = scopes.find(name); found != scopes.end()) return found->second;
    const std::size_t colons = name.rfind("::");
    if (colons == std::string::npos) return usual;
    name.resize(colons);
  }
}

Part stubs(const Input& input, const Styles& styles) {
  Part part;
  if (styles.none()) return part;
  const std::set<const pres::Declaration*> here(input.presentation.declarations.begin(),
                                                input.presentation.declarations.end());
  const auto wanted = [&](const pres::Declaration& d) {
    return here.count(&d) != 0 && compiled::has_functions(d) &&
           styles.of(d.target.substr(2)) == Style::Interpretive &&
           !(d.type && compiled::holds_values(input.graph, d.type->message));
  };
  Programs programs(input, "stubs", wanted);
  std::vector<std::pair<const pres::Declaration*, std::size_t>> types;
  std::vector<Stub> operations;
  for (const pres::Declaration* d : input.presentation.declarations) {
    std::size_t number;
    if (programs.room() && programs.type(*d, number)) {
      types.emplace_back(d, number);
      part.done.types.insert(d);
    }
    if (!d->interface) continue;
    for (const pres::Operation& op : d->interface->operations) {
      if (!programs.room() || styles.of(name_of(*d->interface, op)) == Style::Compiled ||
          !possible(input, programs, *d->interface, op))
        continue;
      operations.emplace_back(input, programs, *d->interface, op).make();
      part.done.operations.insert(&op);
    }
  }
  if (programs.empty()) return part;
  Writer w;
  w.raw(kInclude);
  programs.print(w);
  if (!types.empty()) w.line("namespace corbel::cdr {{\n");
  for (const auto& [d, number] : types) {
    w.function(fmt::format("void marshal(Encoder& out, const {}& value)", d->target),
               fmt::format("cpp::programs::encode(out, &value, {});", programs.place(number)));
    w.function(fmt::format("bool unmarshal(Decoder& in, {}& value)", d->target),
               fmt::format("return cpp::programs::decode(in, &value, {});", programs.place(number)));
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
  Programs programs(input, "skeletons", [](const pres::Declaration&) { return false; });
  std::vector<Skeleton> operations;
  for (const pres::Declaration* d : input.presentation.declarations) {
    if (!d->interface || !static_cast<const aoi::Interface*>(d->decl)->complete) continue;
    for (const pres::Operation& op : d->interface->operations) {
      if (!programs.room() || styles.of(name_of(*d->interface, op)) == Style::Compiled ||
          !possible(input, programs, *d->interface, op))
        continue;
      operations.emplace_back(input, programs, *d->interface, op, operations.size()).make();
      part.done.operations.insert(&op);
    }
  }
  if (operations.empty()) return part;
  Writer w;
  if (!programs.empty()) {
    w.raw(kInclude);
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
