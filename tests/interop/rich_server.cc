// Serves a Rich::Server of either ORB: prints its reference, runs until its input ends.
#include "tests/interop/rich.h"
#include "tests/interop/serve.h"

int main(int argc, char** argv) {
  return serve(argc, argv, [](CORBA::ORB_ptr orb, PortableServer::POA_ptr poa) {
    know_values(orb);
    return activated(poa, new RichServant);
  });
}
