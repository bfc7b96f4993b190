// Serves an Everything of either ORB: prints its reference, runs until its input ends. The object is also
// known under the plain key "Everything", and "Nobody" is a key of nothing.
#include <iostream>
#include <thread>

#include "tests/calls/everything.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    PortableServer::POA_var poa = TwoOrbs::activate(orb.in());
    auto* const servant = new EverythingServant;
    PortableServer::ServantBase_var owner(servant);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var everything = poa->id_to_reference(id.in());

    CORBA::Object_var object = orb->resolve_initial_references("omniINSPOA");
    PortableServer::POA_var named = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var manager = named->the_POAManager();
    manager->activate();
    id = PortableServer::string_to_ObjectId("Everything");
    auto* const plain = new EverythingServant;
    PortableServer::ServantBase_var plain_owner(plain);
    named->activate_object_with_id(id.in(), plain);

    CORBA::String_var reference = orb->object_to_string(everything.in());
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
