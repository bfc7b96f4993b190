// methods-client --ior IOR --methods N --calls N --strategy words|active: calls the methods of an object of
// so many in turn, in the same order whatever their number, and prints the median time of a call.
#include <corbel/cpp/call.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

#include "dispatch_servants.h"
#include "support.h"

namespace {

std::vector<corbel::cpp::Operation> operations(std::uint64_t count, bool numbered) {
  std::vector<corbel::cpp::Operation> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    const char* const name = kOperationNames[i];
    const auto number = static_cast<std::uint16_t>(numbered ? i + 1 : 0);
    all.push_back({{name, static_cast<std::uint32_t>(std::strlen(name)), false, false, number}, nullptr, 0});
  }
  return all;
}

void run(CORBA::ORB_ptr orb, const bench::Options& options) {
  CORBA::Object_var object = orb->string_to_object(options.text("ior").c_str());
  const std::vector<corbel::cpp::Operation> all =
      operations(options.number("methods"), options.text("strategy") == "active");
  const std::uint64_t count = options.number("calls");
  bench::Samples samples(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = bench::now_ns();
    corbel::cpp::Call(*object, all[i % all.size()]).invoke();
    samples.add(bench::now_ns() - begin);
  }
  bench::print_results({{"us-p50", samples.percentile_us(0.5)}});
  orb->destroy();
}

}  // namespace

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  run(orb, bench::Options(argc, argv));
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "methods-client: %s\n", error._rep_id());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "methods-client: %s\n", error.what());
  return 1;
}
