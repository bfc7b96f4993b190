// Serves an Everything of either ORB: prints its reference, runs until its input ends. The object is also
// known under the plain key "Everything", and "Nobody" is a key of nothing.
#include "tests/calls/everything.h"
#include "tests/interop/serve.h"

int main(int argc, char** argv) {
  return serve(argc, argv, [](CORBA::ORB_ptr orb, PortableServer::POA_ptr poa) {
    CORBA::Object_var object = orb->resolve_initial_references("omniINSPOA");
    PortableServer::POA_var named = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var manager = named->the_POAManager();
    manager->activate();
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("Everything");
    PortableServer::ServantBase_var plain(new EverythingServant);
    named->activate_object_with_id(id.in(), plain.in());
    return activated(poa, new EverythingServant);
  });
}
