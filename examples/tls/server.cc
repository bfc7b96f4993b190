// Greets callers by the name in their certificates. See docs/tls.md.
#include <corbel/identity.h>
#include <corbel/poa.h>
#include <corbel/tls.h>

#include <iostream>

#include "greeter.skel.h"

class GreeterServant : public POA_Greeter {
 public:
  char* greet() override {
    const corbel::PeerIdentity* caller = corbel::caller();
    if (!caller) throw CORBA::NO_PERMISSION();
    return CORBA::string_dup(("hello, " + caller->subject).c_str());
  }
};

int main(int argc, char** argv) try {
  corbel::tls::use();
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::Servant_var<GreeterServant> servant = new GreeterServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  Greeter_var greeter = servant->_this();
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  CORBA::String_var reference = orb->object_to_string(greeter);
  std::cout << reference.in() << std::endl;
  orb->run();
} catch (const CORBA::Exception& e) {
  std::cerr << e.what() << std::endl;
  return 1;
}
