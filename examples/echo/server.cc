// Serves one Echo object; prints its reference and runs until a signal ends it.
#include <corbel/poa.h>

#include <iostream>

#include "echo.skel.h"

class EchoServant : public POA_Echo {
 public:
  char* echo_string(const char* text) override { return CORBA::string_dup(text); }
  void ping() override {}
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);

    PortableServer::Servant_var<EchoServant> servant = new EchoServant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    Echo_var echo = servant->_this();
    CORBA::String_var reference = orb->object_to_string(echo);
    std::cout << reference.in() << std::endl;

    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
