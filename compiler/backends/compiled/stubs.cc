#include <fmt/format.h>

#include <set>

#include "compiler/backends/compiled/coder.h"
#include "compiler/backends/compiled/compiled.h"

namespace corbel::idl::compiled {
namespace {

using Mode = aoi::Parameter::Mode;
using pres::Passing;

bool by_value(const pres::Type& t) {
  return t.passing == Passing::Value || t.passing == Passing::FixedStruct;
}

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
  Stub(Writer& w, const Input& input, const pres::Interface& i, const pres::Operation& op, bool boxes)
      : w_(w),
        graph_(input.graph),
        interface_(i),
        op_(op),
        values_in_(holds_values(input.graph, op.request)),
        boxes_(boxes),
        coder_(w, input, in_operations("_call.bad_results();")) {}

  void print() {
    w_.open("{} {}::{}({}) {{", op_.result, interface_.target.substr(2), op_.method, op_.parameters);
    raises_table(w_, op_);
    w_.line("static constexpr corbel::cpp::Operation _operation{{{{{}, {}, {}}}, {}, {}}};", quoted(op_.name),
            op_.name.size(), op_.oneway, op_.raises.empty() ? "nullptr" : "_raises", op_.raises.size());
    w_.line("if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();");
    w_.line("corbel::cpp::Call _call({}, _operation);",
            interface_.abstract ? "corbel::cpp::target_of(*this)" : "*this");
    arguments();
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
    if (received.empty()) return w_.line("_call.invoke();");
    w_.line("corbel::cdr::Decoder& _in = _call.invoke();");
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

  Writer& w_;
  const mint::Graph& graph_;
  const pres::Interface& interface_;
  const pres::Operation& op_;
  const bool values_in_;
  const bool boxes_;  // there is a table of them
  Coder coder_;
};

}  // namespace

std::string stubs(const Input& input) {
  Writer w;
  const std::string boxes = known_boxes(input, false);
  w.raw(boxes);
  for (const pres::Declaration* d : input.presentation.declarations) {
    if (!d->interface || d->local) continue;
    for (const pres::Operation& op : d->interface->operations)
      Stub(w, input, *d->interface, op, !boxes.empty()).print();
  }
  return w.text();
}

}  // namespace corbel::idl::compiled
