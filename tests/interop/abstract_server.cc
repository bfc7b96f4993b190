// Serves a Abs::Server of either ORB: prints its reference, runs until its input ends.
#include <iostream>
#include <thread>

#include "tests/interop/abstract.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    know_values(orb.in());
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    PortableServer::ServantBase_var inner(new ThingServant);
    PortableServer::ObjectId_var id = poa->activate_object(inner.in());
    object = poa->id_to_reference(id.in());
    Abs::Thing_var thing = Abs::Thing::_narrow(object.in());
    PortableServer::ServantBase_var servant(new AbstractServant(thing.in()));
    id = poa->activate_object(servant.in());
    object = poa->id_to_reference(id.in());
    CORBA::String_var reference = orb->object_to_string(object.in());
    std::cout << reference.in() << std::endl;
    std::thread end([&] {
      while (std::cin.get() != EOF) {
      }
      orb->shutdown(false);
    });
    try {
      orb->run();
    } catch (const CORBA::BAD_INV_ORDER&) {
      // The end came first.
    }
    end.join();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "server: " << e._rep_id() << '\n';
    return 1;
  }
}
