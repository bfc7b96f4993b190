// methods-server --methods N --strategy words|active: serves an object of N methods and one whose operation
// `stop` ends it. Prints both references in a line.
#include <cstdio>
#include <exception>

#include "calls_servant.h"
#include "dispatch_servants.h"

namespace {

void serve(CORBA::ORB_ptr orb, DispatchServant served) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  const auto reference = [&](PortableServer::ServantBase* servant) {
    PortableServer::ServantBase_var owner(servant);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var made = poa->id_to_reference(id.in());
    return CORBA::String_var(orb->object_to_string(made));
  };
  const CORBA::String_var called = reference(served.servant);
  const CORBA::String_var calls = reference(new CallsServant(orb));
  std::printf("%s %s\n", called.in(), calls.in());
  std::fflush(stdout);
  manager->activate();
  orb->run();
  orb->destroy();
}

}  // namespace

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const bench::Options options(argc, argv);
  const auto methods = static_cast<std::uint32_t>(options.number("methods"));
  serve(orb, options.text("strategy") == "active" ? new_active_servant(methods) : new_words_servant(methods));
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "methods-server: %s\n", error._rep_id());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "methods-server: %s\n", error.what());
  return 1;
}
