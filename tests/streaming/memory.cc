// memory server | memory client IOR COUNT: what a message of so many strings takes its sender, in KiB above
// what it had before: of the client's request, of the server's reply.
#include <corbel/poa.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "tests/streaming/store.h"

namespace {

constexpr const char* kText = "a string of a sequence that is long";

long kib(const char* what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(what, 0) == 0) return std::strtol(line.c_str() + std::strlen(what) + 1, nullptr, 10);
  return -1;
}

// Forgets the peak so far; what there is now.
long begin_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
  return kib("VmRSS");
}

class Measured : public streaming::Store {
 public:
  Streams::NameSeq* names(const Streams::NameSeq&) override { return new Streams::NameSeq; }
  Streams::NameSeq* made(CORBA::ULong count, const char* text) override {
    Streams::NameSeq* const result = streaming::names(count, text);
    before_ = begin_peak();
    return result;
  }
  CORBA::Long posted() override { return static_cast<CORBA::Long>(kib("VmHWM") - before_); }

 private:
  long before_ = 0;
};

int serve(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<Measured> servant = new Measured;
  Streams::Store_var store = servant->_this();
  CORBA::String_var ior = orb->object_to_string(store);
  std::printf("%s\n", ior.in());
  std::fflush(stdout);
  orb->run();
  return 0;
}

int call(CORBA::ORB_ptr orb, const char* ior, CORBA::ULong count) {
  CORBA::Object_var object = orb->string_to_object(ior);
  Streams::Store_var store = Streams::Store::_narrow(object);
  Streams::NameSeq_var few = streaming::names(100, kText);
  Streams::NameSeq_var none = store->names(few.in());  // a first call takes memory of its own
  {
    Streams::NameSeq_var sent = streaming::names(count, kText);
    const long before = begin_peak();
    none = store->names(sent.in());
    std::printf("request %ld\n", kib("VmHWM") - before);
  }
  Streams::NameSeq_var got = store->made(count, kText);
  if (got->length() != count || std::strcmp(got[count - 1], kText) != 0) return 1;
  std::printf("reply %d\n", static_cast<int>(store->posted()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (argc == 2 && std::strcmp(argv[1], "server") == 0) return serve(orb);
  if (argc != 4) return 2;
  const int result = call(orb, argv[2], static_cast<CORBA::ULong>(std::strtoul(argv[3], nullptr, 10)));
  orb->destroy();
  return result;
}
