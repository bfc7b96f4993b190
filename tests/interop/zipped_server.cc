// Serves a Zipped::Server of either ORB: prints its reference, runs until its input ends.
#include "tests/interop/zipped.h"

#include "tests/interop/serve.h"

#include <zipped_values.h>

int main(int argc, char** argv) {
  return serve(argc, argv, [](CORBA::ORB_ptr, PortableServer::POA_ptr poa) {
    set_values();
    return activated(poa, new zipped::Servant);
  });
}
