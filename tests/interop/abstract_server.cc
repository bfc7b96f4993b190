// Serves a Abs::Server of either ORB: prints its reference, runs until its input ends.
#include "tests/interop/abstract.h"
#include "tests/interop/serve.h"

int main(int argc, char** argv) {
  return serve(argc, argv, [](CORBA::ORB_ptr orb, PortableServer::POA_ptr poa) {
    know_values(orb);
    CORBA::Object_var object = activated(poa, new ThingServant);
    Abs::Thing_var thing = Abs::Thing::_narrow(object.in());
    return activated(poa, new AbstractServant(thing.in()));
  });
}
