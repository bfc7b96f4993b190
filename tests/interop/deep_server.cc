// Serves a Deep::Exchange: prints its reference, runs until its input ends.
#include "deep.h"
#include "serve.h"

int main(int argc, char** argv) {
  return serve(argc, argv, [](CORBA::ORB_ptr orb, PortableServer::POA_ptr poa) {
    deep::know_values(orb);
    return activated(poa, new deep::ExchangeServant);
  });
}
