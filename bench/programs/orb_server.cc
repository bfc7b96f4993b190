// The server of all measurements: prints its reference, serves until `stop`, prints what it counted.
#include <cstdio>
#include <exception>

#include "calls_servant.h"
#include "orb_api.h"

namespace {

void announce(CORBA::ORB_ptr orb, CORBA::Object_ptr object) {
  const CORBA::String_var reference = orb->object_to_string(object);
  std::puts(reference.in());
  std::fflush(stdout);
}

void serve(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var manager = poa->the_POAManager();
  auto* const servant = new CallsServant(orb);
  PortableServer::ServantBase_var owner(servant);
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var reference = poa->id_to_reference(id.in());
  announce(orb, reference.in());
  manager->activate();
  orb->run();
  orb->destroy();
  bench::print_results({{"allocs-server", servant->window().allocations_per_call()},
                        {"frees-server", servant->window().releases_per_call()}});
}

}  // namespace

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  serve(orb.in());
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "server: %s\n", error._rep_id());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "server: %s\n", error.what());
  return 1;
}
