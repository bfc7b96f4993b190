// What the servers of this folder serve: the echo example's interface, and how often it was called.
#pragma once

#include <corbel/poa.h>

#include "echo.skel.h"

class EchoServant : public POA_Echo {
 public:
  char* echo_string(const char* text) override {
    ++calls;
    return CORBA::string_dup(text);
  }
  void ping() override { ++calls; }
  int calls = 0;
};

// Activates it; the reference is the caller's.
inline char* reference_of(CORBA::ORB_ptr orb, EchoServant* servant) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  object = poa->id_to_reference(id.in());
  return orb->object_to_string(object);
}
