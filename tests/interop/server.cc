// Serves an Everything of either ORB: prints its reference, runs until a signal ends it.
#include <iostream>

#include "tests/calls/everything.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    PortableServer::POA_var poa = TwoOrbs::activate(orb.in());
    auto* const servant = new EverythingServant;
    PortableServer::ServantBase_var owner(servant);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var everything = poa->id_to_reference(id.in());
    CORBA::String_var reference = orb->object_to_string(everything.in());
    std::cout << reference.in() << std::endl;
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "server: " << e._rep_id() << '\n';
    return 1;
  }
}
