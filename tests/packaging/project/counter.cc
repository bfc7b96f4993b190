// One process that serves an object and calls it.
#include <corbel/poa.h>

#include <iostream>

#if defined(VARIANT_omniidl)
#include <counter.hh>
#elif defined(VARIANT_tao)
#include "counterS.h"
#elif defined(VARIANT_own)
#include "counterS.hpp"
#else
#include "counter.skel.h"
#endif

class CounterServant : public POA_Counter {
 public:
  CORBA::Long add(CORBA::Long a, CORBA::Long b) override { return a + b; }
  CORBA::Long sum(const Steps& steps) override {
    CORBA::Long all = 0;
    for (CORBA::ULong i = 0; i < steps.length(); ++i) all += steps[i];
    return all;
  }
};

int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::Servant_var<CounterServant> servant = new CounterServant;
  Counter_var counter = servant->_this();
  Steps steps(2);
  steps.length(2);
  steps[0] = 38;
  steps[1] = Stepper::width;
  std::cout << counter->add(counter->sum(steps), 2) << std::endl;
#ifdef VARIANT_omniidl
  CORBA::Any any;
  any <<= steps;
#endif
  orb->destroy();
}
