// Calls to an object of the same ORB, through stubs of another file: collocated STRATEGY, as
// -ORBcollocationStrategy has it, gives nanoseconds of a call without arguments, of one of two numbers and of
// one of a string each way.
#include <corbel/poa.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "calls_servant.h"
#include "support.h"

namespace {

class Servant final : public CallsServant {
 public:
  using CallsServant::CallsServant;
  void ping() override {}
  CORBA::Long echo_long(CORBA::Long value) override { return value; }
  char* echo_string(const char* text) override { return CORBA::string_dup(text); }
};

constexpr int kPieces = 200, kCalls = 5'000;

// Nanoseconds of one: those of the fastest piece of many, so that others' turns on the processor do not
// count.
template <typename Call>
double least_ns(const Call& call) {
  std::uint64_t least = UINT64_MAX;
  for (int piece = 0; piece < kPieces; ++piece) {
    const std::uint64_t begin = bench::now_ns();
    for (int i = 0; i < kCalls; ++i) call();
    least = std::min(least, bench::now_ns() - begin);
  }
  return static_cast<double>(least) / kCalls;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const char* arguments[] = {argv[0], "-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBcollocationStrategy",
                             argv[1], nullptr};
  int count = 5;
  CORBA::ORB_var orb = CORBA::ORB_init(count, const_cast<char**>(arguments));
  CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<Servant> servant = new Servant(orb);
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id.in());
  Bench::Calls_var calls = Bench::Calls::_narrow(object);
  for (int i = 0; i < 3; ++i) calls->ping();
  const double ping = least_ns([&] { calls->ping(); });
  const double number = least_ns([&] { (void)calls->echo_long(7); });
  const double text = least_ns([&] { CORBA::String_var same = calls->echo_string("a text of some size"); });
  std::printf("{\"ns\": %.2f, \"ns-long\": %.2f, \"ns-string\": %.2f}\n", ping, number, text);
  orb->destroy();
  return 0;
}
