#include <fmt/format.h>

#include <set>

#include "compiler/backends/compiled/coder.h"
#include "compiler/backends/compiled/collocated.h"
#include "compiler/backends/compiled/compiled.h"

namespace corbel::idl::compiled {
namespace {

using Mode = aoi::Parameter::Mode;
using pres::Passing;

void raises_table(Writer& w, const pres::Operation& op) {
  if (op.raises.empty()) return;
  w.open("static constexpr corbel::cpp::RaisesEntry _raises[] = {{");
  for (const pres::Declaration* e : op.raises)
    w.line("{{{}, &corbel::cpp::raise<{}>}},", quoted(e->decl->repository_id), e->target);
  w.close("};");
}

// Declares what holds a result or out parameter until the call is sure to succeed; gives the expression that
// is decoded into.
std::string declare(Writer& w, const std::string& name, const pres::Type& t) {
  switch (t.passing) {
    case Passing::Value:
    case Passing::FixedStruct:
      w.line("{} {}{{}};", t.target, name);
      return name;
    case Passing::String:
    case Passing::WString:
    case Passing::Reference:
    case Passing::ValueType:
      w.line("{} {};", t.holder, name);
      return name;
    case Passing::FixedArray:
    case Passing::VariableArray:
      w.line("{} {} = {}_alloc();", t.holder, name, t.target);
      return name + ".inout()";
    default:
      w.line("{} {} = new {};", t.holder, name, t.target);
      return name + ".inout()";
  }
}

class Stub {
 public:
  Stub(Writer& w, const Input& input, const Done& done, const pres::Interface& i, std::size_t index,
       bool boxes, std::uint32_t number)
      : w_(w),
        in_(input),
        done_(done),
        index_(index),
        graph_(input.graph),
        interface_(i),
        op_(i.operations[index]),
        values_in_(holds_values(input.graph, op_.request)),
        streams_(writes_again(input, op_)),
        boxes_(boxes),
        number_(number),
        coder_(w, input, in_operations("_call.bad_results();")) {}

  void print() {
    w_.open("{} {}::{}({}) {{", op_.result, interface_.target.substr(2),
            interface_.abstract ? pres::virtual_name(op_.method) : op_.method, op_.parameters);
    raises_table(w_, op_);
    const std::string more = number_ != 0 ? fmt::format(", {}, {}", streams_, number_)
                             : streams_   ? ", true"
                                          : "";
    w_.line("static constexpr corbel::cpp::Operation _operation{{{{{}, {}, {}{}}}, {}, {}}};",
            quoted(op_.name), op_.name.size(), op_.oneway, more, op_.raises.empty() ? "nullptr" : "_raises",
            op_.raises.size());
    if (!interface_.abstract) w_.line("if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();");
    const bool collocated = print_collocated_call(w_, in_, interface_, op_, index_, done_);
    w_.line("corbel::cpp::Call _call({}, _operation);", interface_.abstract ? "corbel::cpp::target_of(*this)"
                                                        : collocated        ? "*_corbel_reference()"
                                                                            : "*this");
    // What leaves while it is being written may have to be written again, and so may text.
    if (streams_) w_.open("do {{");
    arguments();
    if (streams_) w_.close("} while (!_call.sent());");
    results();
    w_.close("}\n");
  }

 private:
  void arguments() {
    std::vector<pres::Member> sent;
    for (const pres::Parameter& p : op_.arguments)
      if (p.mode != Mode::Out) sent.push_back({p.name, p.type});
    if (sent.empty() && op_.contexts.empty()) return;
    w_.line("corbel::cdr::Encoder& _out = _call.arguments();");
    if (values_in_) w_.line("corbel::cpp::WrittenValues _written(_out);");
    coder_.encode_members(op_.request, sent, [&](std::uint32_t i) { return sent[i].name; });
    if (op_.contexts.empty()) return;
    std::string patterns;
    for (const std::string& c : op_.contexts) patterns += (patterns.empty() ? "" : ", ") + quoted(c);
    w_.line("static constexpr const char* _contexts[] = {{{}}};", patterns);
    w_.line("corbel::cpp::put_context(_out, _ctx, _contexts, {});", op_.contexts.size());
  }

  void results() {
    std::vector<pres::Member> received;
    std::vector<std::string> places;
    const bool result = op_.result_type->conversion != pres::Conversion::None;
    if (result) received.push_back({"_result", op_.result_type}), places.emplace_back();
    for (const pres::Parameter& p : op_.arguments) {
      if (p.mode == Mode::In) continue;
      const bool held = p.ownership == pres::Ownership::Given;
      received.push_back({held ? "_" + p.local + "_out" : p.name, p.type});
      places.push_back(held ? "" : p.name);
    }
    if (received.empty()) {
      if (!streams_) w_.line("_call.invoke();");
      return;
    }
    w_.line("corbel::cdr::Decoder& _in = _call.{}();", streams_ ? "results" : "invoke");
    if (result && received.size() == 1 && coder_.plain_string(*op_.result_type)) return string_result();
    if (holds_values(graph_, op_.reply))
      w_.line("corbel::cpp::ReadValues _read(_in{});", boxes_ ? ", _reply_boxes" : "");
    coder_.decode_members(op_.reply, received, [&](std::uint32_t i) {
      if (places[i].empty()) places[i] = declare(w_, received[i].name, *received[i].type);
      return places[i];
    });
    for (const pres::Parameter& p : op_.arguments)
      if (p.ownership == pres::Ownership::Given) w_.line("{} = _{}_out._retn();", p.name, p.local);
    if (result) w_.line(by_value(*op_.result_type) ? "return _result;" : "return _result._retn();");
  }

  // Nothing else comes back: what has been read needs no holder.
  void string_result() {
    w_.line("char* const _result = corbel::cpp::new_string(_in);");
    coder_.check("_result");
    w_.line("return _result;");
  }

  Writer& w_;
  const Input& in_;
  const Done& done_;
  const std::size_t index_;  // of the operation
  const mint::Graph& graph_;
  const pres::Interface& interface_;
  const pres::Operation& op_;
  const bool values_in_;
  const bool streams_;
  const bool boxes_;  // there is a table of them
  const std::uint32_t number_;
  Coder coder_;
};

}  // namespace

bool writes_again(const Input& input, const pres::Operation& operation) {
  constexpr std::uint64_t small = 128 * 1024;
  const plan::Part& request = input.plan[operation.request];
  if (request.storage == plan::Storage::Unbounded || !operation.contexts.empty()) return true;
  const std::uint64_t most = request.storage == plan::Storage::Bounded ? request.most[0] : request.size[0];
  return most > small || holds_text(input.graph, operation.request);
}

std::string stubs(const Input& input, const Done& done) {
  Writer w;
  const std::string boxes = known_boxes(input, false);
  if (!done.boxes) w.raw(boxes);
  for (const pres::Declaration* d : input.presentation.declarations) {
    if (!d->interface || d->local) continue;
    const bool numbered = input.dispatch.of(*d) == Dispatch::Active;
    const std::vector<pres::Operation>& operations = d->interface->operations;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (done.operations.count(&operations[i]) != 0) continue;
      const std::uint32_t number = numbered ? operation_number(*d->interface, i) : 0;
      Stub(w, input, done, *d->interface, i, !boxes.empty(), number).print();
    }
  }
  return w.text();
}

}  // namespace corbel::idl::compiled
