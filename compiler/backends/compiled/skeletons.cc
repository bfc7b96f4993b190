#include <fmt/format.h>

#include <algorithm>

#include "compiler/backends/compiled/coder.h"
#include "compiler/backends/compiled/collocated.h"
#include "compiler/backends/compiled/compiled.h"
#include "compiler/backends/compiled/dispatch.h"

namespace corbel::idl::compiled {
namespace {

using Mode = aoi::Parameter::Mode;
using pres::Ownership;
using pres::Passing;

constexpr std::uint32_t kLarge = 64 * 1024;  // octets in messages; few types take much more in memory
constexpr const char* kFail = "corbel::cpp::bad_arguments();";

bool text(const pres::Type& t) { return t.passing == Passing::String || t.passing == Passing::WString; }
bool pointer(const pres::Type& t) {
  return t.passing == Passing::Reference || t.passing == Passing::ValueType;
}
bool counted(const pres::Type& t) { return text(t) || pointer(t); }

std::string last_name(const std::string& qualified) { return qualified.substr(qualified.rfind(':') + 1); }

class Skeleton {
 public:
  Skeleton(Writer& w, const Input& input, const pres::Interface& i, const pres::Operation& op, bool boxes)
      : w_(w), in_(input), interface_(i), op_(op), boxes_(boxes), coder_(w, input, in_operations(kFail)) {}

  void print() {
    std::vector<pres::Member> received, sent;
    if (op_.result_type->conversion != pres::Conversion::None) sent.push_back({"_result", op_.result_type});
    for (const pres::Parameter& p : op_.arguments) {
      if (p.mode != Mode::Out) received.push_back({p.name, p.type});
      if (p.mode != Mode::In) sent.push_back({p.name, p.type});
    }
    string_only_ = sent.size() == 1 && coder_.plain_string(*op_.result_type);
    number_only_ = sent.size() == 1 && coder_.number(*op_.result_type);
    const bool in = !received.empty() || !op_.contexts.empty();
    const bool uses_call = in || !sent.empty() || !op_.raises.empty();
    w_.open("void {}::_skel_{}({}& _servant, corbel::cpp::Upcall&{}) {{", interface_.skeleton.substr(2),
            op_.name, last_name(interface_.skeleton), uses_call ? " _call" : "");
    if (in) w_.line("corbel::cdr::Decoder& _in = _call.arguments();");
    const bool values = holds_values(in_.graph, op_.request);
    if (values) w_.line("corbel::cpp::ReadValues _read(_in{});", boxes_ ? ", _request_boxes" : "");
    arguments(received);
    if (values) w_.line("_read.done();");
    if (!op_.contexts.empty()) {
      w_.line("CORBA::Context_var _ctx;");
      coder_.check("corbel::cpp::get_context(_in, _ctx)");
    }
    if (!op_.raises.empty()) w_.open("try {{");
    call();
    if (!sent.empty() && !string_only_ && !number_only_) results(sent);
    if (!op_.raises.empty()) answer_exceptions(w_, op_);
    w_.close("}\n");
  }

 private:
  // Declares and decodes what the servant is called with.
  void arguments(const std::vector<pres::Member>& received) {
    std::vector<const pres::Parameter*> in;
    for (const pres::Parameter& p : op_.arguments)
      if (p.mode != Mode::Out) in.push_back(&p);
    std::vector<bool> declared(in.size());
    const pres::Member* const members = received.data();
    coder_.decode_members(
        op_.request, received,
        [&](std::uint32_t i) {
          const pres::Type& t = *members[i].type;
          if (!declared[i]) variable(t, t.target, members[i].name, t.dimensions.empty() ? "{}" : "");
          declared[i] = true;
          return members[i].name;
        },
        [&](std::uint32_t i) { argument(*in[i]); });
    for (const pres::Parameter& p : op_.arguments) {
      if (p.mode != Mode::Out) continue;
      const pres::Type& t = *p.type;
      if (p.ownership == Ownership::Given) w_.line("{} {};", t.holder, p.name);
      else variable(t, t.target, p.name, t.dimensions.empty() ? "{}" : "");
    }
  }

  // Declares what is large outside of the stack: a server's threads have little of it.
  void variable(const pres::Type& t, const std::string& type, const std::string& name,
                const std::string& initial) {
    if (coder_.part(t).least < kLarge) return w_.line("{} {}{};", type, name, initial);
    const std::string memory = (name.starts_with('_') ? "" : "_") + name + "_memory";
    w_.line("const corbel::cpp::Elsewhere<{0}> {1}(new {0}[1]{2});", type, memory, initial);
    w_.line("{}& {} = *{}.at;", type, name, memory);
  }

  // One that stands for itself in the message.
  void argument(const pres::Parameter& p) {
    const pres::Type& t = *p.type;
    const bool in = p.mode == Mode::In;
    if (t.passing == Passing::String && in && in_.plan.options.views) return string_view(p);
    if (t.passing == Passing::Sequence && in && in_.plan.options.views &&
        (coder_.copyable(*t.element) || coder_.struct_run(*t.element)))
      return sequence_view(p);
    variable(t, counted(t) ? t.holder : t.target, p.name, t.passing == Passing::Value ? "{}" : "");
    coder_.decode(p.name, t);
  }

  void string_view(const pres::Parameter& p) {
    const std::uint32_t bound = coder_.node(*p.type).bound;
    w_.line("const char* {};", p.name);
    if (bound == 0) return coder_.check(fmt::format("_in.get_string_view({})", p.name));
    w_.line("std::uint32_t _{}_length;", p.local);
    coder_.check(fmt::format("_in.get_string_view({}, _{}_length, {})", p.name, p.local, bound));
  }

  void sequence_view(const pres::Parameter& p) {
    const pres::Type& element = *p.type->element;
    const std::uint32_t bound = coder_.node(*p.type).bound;
    w_.line("std::uint32_t _{}_length;", p.local);
    coder_.check(fmt::format("_in.get_length(_{}_length, {}{})", p.local,
                             std::max(1u, coder_.part(element).least),
                             bound != 0 ? fmt::format(", {}", bound) : ""));
    if (coder_.character(element))
      w_.line("{}* const _{}_data = _in.get_flat_chars(_{}_length);", element.target, p.local, p.local);
    else if (coder_.copyable(element))
      w_.line("{0}* const _{1}_data = _in.get_flat<{0}>(_{1}_length);", element.target, p.local);
    else
      w_.line("{0}* const _{1}_data = corbel::cpp::get_struct_view<{0}>(_in, _{1}_length);", element.target,
              p.local);
    coder_.check(fmt::format("_{}_data", p.local));
    w_.line("const {0} {1}({2}_{3}_length, _{3}_data, false);", p.type->target, p.name,
            bound != 0 ? "" : fmt::format("_{}_length, ", p.local), p.local);
  }

  void call() {
    std::string arguments;
    for (const pres::Parameter& p : op_.arguments) {
      const bool view = p.mode == Mode::In && p.type->passing == Passing::String && in_.plan.options.views;
      arguments += (arguments.empty() ? "" : ", ") + p.name;
      if (p.ownership == Ownership::Given) arguments += ".out()";
      else if (counted(*p.type) && !view) arguments += p.mode == Mode::In ? ".in()" : ".inout()";
    }
    if (!op_.contexts.empty()) arguments += arguments.empty() ? "_ctx.in()" : ", _ctx.in()";
    const std::string call = fmt::format("_servant.{}({})", op_.method, arguments);
    const pres::Type& result = *op_.result_type;
    if (string_only_) return w_.line("corbel::cpp::reply_string(_call, {});", call);
    if (number_only_) return w_.line("corbel::cpp::reply_number<{}>(_call, {});", result.target, call);
    if (result.conversion == pres::Conversion::None) w_.line("{};", call);
    else if (coder_.part(result).least < kLarge || !by_value(result))
      w_.line("{} _result = {};", by_value(result) ? result.target : result.holder, call);
    else variable(result, result.target, "_result", "{" + call + "}");
    if (text(result)) w_.line("if (!_result.in()) corbel::cpp::null_result();");
    else if (!by_value(result) && !counted(result))
      w_.line("if (!_result.ptr()) corbel::cpp::null_result();");
    for (const pres::Parameter& p : op_.arguments) {
      if (p.ownership != Ownership::Given || pointer(*p.type)) continue;
      w_.line("if (!{}.{}()) corbel::cpp::null_result();", p.name, counted(*p.type) ? "in" : "ptr");
    }
  }

  void results(const std::vector<pres::Member>& sent) {
    std::vector<std::string> places;
    if (op_.result_type->conversion != pres::Conversion::None)
      places.push_back(by_value(*op_.result_type) ? "_result" : "_result.in()");
    for (const pres::Parameter& p : op_.arguments)
      if (p.mode != Mode::In)
        places.push_back(counted(*p.type) || p.ownership == Ownership::Given ? p.name + ".in()" : p.name);
    const bool in_place = holds_runs(in_.graph, in_.plan, op_.reply);
    w_.line("corbel::cdr::Encoder& _out = _call.results{}();", in_place ? "_in_place" : "");
    if (holds_values(in_.graph, op_.reply)) w_.line("corbel::cpp::WrittenValues _written(_out);");
    coder_.encode_members(op_.reply, sent, [&](std::uint32_t i) { return places[i]; });
    if (in_place) w_.line("_call.send();");
  }

  Writer& w_;
  const Input& in_;
  const pres::Interface& interface_;
  const pres::Operation& op_;
  const bool boxes_;          // there is a table of them
  bool string_only_ = false;  // the reply holds nothing but a string as result
  bool number_only_ = false;  // but a number
  Coder coder_;
};

}  // namespace

void answer_exceptions(Writer& w, const pres::Operation& op) {
  w.outdent();
  w.open("}} catch (const CORBA::UserException& _exception) {{");
  std::string ids;
  for (const pres::Declaration* e : op.raises)
    ids += (ids.empty() ? "" : ", ") + quoted(e->decl->repository_id);
  w.line("static constexpr const char* _ids[] = {{{}}};", ids);
  w.line("if (!corbel::cpp::reply_user_exception(_call, _exception, _ids, {})) throw;", op.raises.size());
  w.close();
}

std::string skeletons(const Input& input, const Done& done) {
  Writer w;
  const std::string boxes = known_boxes(input, true);
  if (!done.boxes) w.raw(boxes);
  for (const pres::Declaration* d : input.presentation.declarations) {
    if (!d->interface || d->local || !static_cast<const aoi::Interface*>(d->decl)->complete) continue;
    for (const pres::Operation& op : d->interface->operations)
      if (done.operations.count(&op) == 0) Skeleton(w, input, *d->interface, op, !boxes.empty()).print();
    print_dispatch(w, *d->interface, input.dispatch.of(*d));
    print_collocated_functions(w, input, *d->interface, done);
  }
  return w.text();
}

}  // namespace corbel::idl::compiled
