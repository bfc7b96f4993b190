// Serves an Everything of either ORB that can call its clients back on their own connections.
#include "tests/calls/everything.h"
#include "tests/interop/serve.h"

#include <bidir_adapter.h>

int main(int argc, char** argv) {
  return serve(argc, argv, [](CORBA::ORB_ptr orb, PortableServer::POA_ptr root) {
    PortableServer::POA_var poa = bidirectional_adapter(orb, root);
    return activated(poa.in(), new EverythingServant);
  });
}
