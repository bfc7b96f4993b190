// Calls without stubs: dynamic-client --ior IOR --mode MODE [...] [-ORB...]. Modes:
//   calls --operation NAME --calls N [--new 1]        nothing but the calls, with a new value each time;
//   counts
//                                                     allocations of calls 10,001 to 20,000
//   flood --type octet|struct --size N --total N      two-way calls; the argument stays in the request,
//   unless
//                                                     --values new inserts it before each
// A request is used again where the ORB allows it (omniORB does not), unless --new asks for new ones.
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

#include "dynamic_api.h"
#include "samples_of_data.h"
#include "support.h"

namespace {

#ifdef BENCH_OMNIORB
constexpr bool may_be_reused = false;
#else
constexpr bool may_be_reused = true;
#endif

// The calls of one operation.
class Calls {
 public:
  using Fill = std::function<void(CORBA::Any& argument)>;
  using Take = std::function<void(CORBA::Any& result)>;

  // Without `fill` there is no argument; `result` may be void.
  Calls(CORBA::Object_ptr object, const char* operation, bool reuse, CORBA::TypeCode_ptr result, Fill fill,
        Take take)
      : object_(CORBA::Object::_duplicate(object)),
        operation_(operation),
        reuse_(reuse),
        result_(CORBA::TypeCode::_duplicate(result)),
        fill_(fill),
        take_(take) {}

  void call() {
    if (!reuse_ || CORBA::is_nil(request_.in())) make();
    if (fill_) fill_(*argument_);
    again();
  }
  // The same with the values of the last call.
  void again() {
    request_->invoke();
    if (request_->env()->exception()) throw std::runtime_error("a call failed");
    if (take_) take_(request_->return_value());
  }

 private:
  void make() {
    request_ = object_->_request(operation_);
    if (fill_) argument_ = &request_->add_in_arg();
    if (take_) request_->set_return_type(result_.in());
  }

  CORBA::Object_var object_;
  const char* operation_;
  bool reuse_;
  CORBA::TypeCode_var result_;
  Fill fill_;
  Take take_;
  CORBA::Request_var request_;
  CORBA::Any* argument_ = nullptr;
};

Calls calls_of(CORBA::Object_ptr object, const std::string& operation, bool reuse) {
  if (operation == "ping") return {object, "ping", reuse, CORBA::_tc_void, nullptr, nullptr};
  if (operation == "echo_long") {
    static CORBA::Long value = 0;
    return {object,
            "echo_long",
            reuse,
            CORBA::_tc_long,
            [](CORBA::Any& a) { a <<= value + 1; },
            [](CORBA::Any& a) {
              if (!(a >>= value)) throw std::runtime_error("no long");
            }};
  }
  if (operation == "echo_string") {
    static const std::string text = bench::make_text();
    return {object,
            "echo_string",
            reuse,
            CORBA::_tc_string,
            [](CORBA::Any& a) { a <<= text.c_str(); },
            [](CORBA::Any& a) {
              const char* echoed;
              if (!(a >>= echoed)) throw std::runtime_error("no string");
            }};
  }
  if (operation == "push_struct") {
    static Bench::BinStruct value{};
    bench::set(value, 1);
    return {object,
            "push_struct",
            reuse,
            CORBA::_tc_void,
            [](CORBA::Any& a) {
              ++value.l;
              a <<= value;
            },
            nullptr};
  }
  if (operation == "structs_in") {
    static Bench::StructSeq values;
    bench::fill(values, bench::struct_count);
    return {object,
            "structs_in",
            reuse,
            CORBA::_tc_void,
            [](CORBA::Any& a) {
              ++values[0].l;
              a <<= values;
            },
            nullptr};
  }
  throw std::runtime_error("no operation " + operation);
}

void make_calls(CORBA::Object_ptr object, const bench::Options& options) {
  const bool reuse = may_be_reused && options.number("new", 0) == 0;
  Calls calls = calls_of(object, options.text("operation"), reuse);
  bench::AllocationWindow window;
  for (std::uint64_t i = options.number("calls"); i > 0; --i) {
    calls.call();
    window.call_done();
  }
  bench::print_results(
      {{"allocs-client", window.allocations_per_call()}, {"frees-client", window.releases_per_call()}});
}

template <class Sequence>
void flood(CORBA::Object_ptr object, const char* operation, const bench::Options& options) {
  Sequence data;
  bench::fill(data, static_cast<CORBA::ULong>(options.number("size") / sizeof(data[0])));
  const std::uint64_t buffers = options.number("total") / options.number("size");
  Calls calls(
      object, operation, may_be_reused, CORBA::_tc_void, [&](CORBA::Any& a) { a <<= data; }, nullptr);
  const bool stays = may_be_reused && options.text("values", "same") != "new";
  const auto send = [&] { stays ? calls.again() : calls.call(); };
  calls.call();
  for (int i = 0; i < 64; ++i) send();
  const std::uint64_t begin = bench::now_ns();
  for (std::uint64_t i = 0; i < buffers; ++i) send();
  const auto ns = static_cast<double>(bench::now_ns() - begin);
  bench::print_results({{"MB/s", static_cast<double>(bench::payload_size(data) * buffers) * 1e3 / ns}});
}

void run(CORBA::ORB_ptr orb, const bench::Options& options) {
  CORBA::Object_var object = orb->string_to_object(options.text("ior").c_str());
  if (options.text("mode") == "calls") make_calls(object.in(), options);
  else if (options.text("type") == "octet") flood<Bench::OctetSeq>(object.in(), "push_octet", options);
  else flood<Bench::StructSeq>(object.in(), "push_structs", options);
}

}  // namespace

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  run(orb.in(), bench::Options(argc, argv));
  orb->destroy();
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "dynamic-client: %s\n", error._rep_id());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "dynamic-client: %s\n", error.what());
  return 1;
}
