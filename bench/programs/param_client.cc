// param-client --ior IOR --mode calls --operation NAME --calls N: makes so many calls of one operation of the
// papers' contract and prints how many a second. --mode stop: ends the server.
#include <corbel/corba.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "param.stub.h"
#include "param_values.h"
#include "support.h"

namespace {

// Calls with the same values each time; results replace those of the call before.
template <class T, class Out, class Var>
std::function<void()> calls_of(Param_Calls_ptr target, T* (Param_Test::*operation)(const T&, T&, Out)) {
  struct State {
    T in, inout;
    Var out, result;
  };
  const auto state = std::make_shared<State>();
  bench::set(state->in);
  bench::set(state->inout);
  return [target, operation, state] {
    state->result = (target->*operation)(state->in, state->inout, state->out.out());
  };
}

std::function<void()> calls_of(Param_Calls_ptr target, const std::string& name) {
  if (name == "ping") return [target] { target->ping(); };
  if (name == "test_short")
    return [target] {
      CORBA::Short inout = 2, out;
      target->test_short(1, inout, out);
    };
  if (name == "test_unbounded_string")
    return [target, in = std::string(128, 'c')] {
      CORBA::String_var inout = in.c_str(), out;
      const CORBA::String_var result = target->test_unbounded_string(in.c_str(), inout.inout(), out.out());
    };
  if (name == "test_fixed_struct")
    return [target] {
      Param_Test::Fixed_Struct in, inout, out;
      bench::set(in);
      bench::set(inout);
      target->test_fixed_struct(in, inout, out);
    };
  if (name == "test_strseq")
    return calls_of<Param_Test::StrSeq, Param_Test::StrSeq_out, Param_Test::StrSeq_var>(
        target, &Param_Test::test_strseq);
  if (name == "test_var_struct")
    return calls_of<Param_Test::Var_Struct, Param_Test::Var_Struct_out, Param_Test::Var_Struct_var>(
        target, &Param_Test::test_var_struct);
  if (name == "test_nested_struct")
    return calls_of<Param_Test::Nested_Struct, Param_Test::Nested_Struct_out, Param_Test::Nested_Struct_var>(
        target, &Param_Test::test_nested_struct);
  if (name == "test_struct_sequence")
    return calls_of<Param_Test::StructSeq, Param_Test::StructSeq_out, Param_Test::StructSeq_var>(
        target, &Param_Test::test_struct_sequence);
  throw std::runtime_error("no operation " + name);
}

void make_calls(Param_Calls_ptr target, const bench::Options& options) {
  const std::function<void()> call = calls_of(target, options.text("operation"));
  const std::uint64_t count = options.number("calls");
  const std::uint64_t begin = bench::now_ns();
  for (std::uint64_t i = 0; i < count; ++i) call();
  bench::print_results(
      {{"calls/s", static_cast<double>(count) * 1e9 / static_cast<double>(bench::now_ns() - begin)}});
}

void run(CORBA::ORB_ptr orb, const bench::Options& options) {
  const CORBA::Object_var object = orb->string_to_object(options.text("ior").c_str());
  const Param_Calls_var target = Param_Calls::_narrow(object.in());
  if (options.text("mode") == "stop") target->stop();
  else make_calls(target.in(), options);
  orb->destroy();
}

}  // namespace

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  run(orb.in(), bench::Options(argc, argv));
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "param-client: %s\n", error._rep_id());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "param-client: %s\n", error.what());
  return 1;
}
