// One process that serves an object and calls it.
#include <corbel/poa.h>

#include <iostream>

#include "counter.skel.h"

class CounterServant : public POA_Counter {
 public:
  CORBA::Long add(CORBA::Long a, CORBA::Long b) override { return a + b; }
};

int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<CounterServant> servant = new CounterServant;
  Counter_var counter = servant->_this();
  std::cout << counter->add(40, 2) << std::endl;
  orb->destroy();
}
