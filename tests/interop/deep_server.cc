// Serves a Deep::Exchange: prints its reference, runs until its input ends.
#include <iostream>
#include <thread>

#include "deep.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    deep::know_values(orb.in());
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    auto* const servant = new deep::ExchangeServant;
    PortableServer::ServantBase_var owner(servant);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
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
