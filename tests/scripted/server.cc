// Serves an Everything and prints two lines: its reference, and that of an object that was taken away again.
// The plain key "Everything" leads to the first, too.
#include <iostream>

#include "tests/calls/everything.h"

int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  PortableServer::POA_var poa = TwoOrbs::activate(orb);
  PortableServer::Servant_var<EverythingServant> servant = new EverythingServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  PortableServer::Servant_var<CallbackServant> gone = new CallbackServant;
  PortableServer::ObjectId_var gone_id = poa->activate_object(gone);
  CORBA::Object_var everything = poa->id_to_reference(id);
  CORBA::Object_var taken_away = poa->id_to_reference(gone_id);
  poa->deactivate_object(gone_id);

  CORBA::Object_var object = orb->resolve_initial_references("omniINSPOA");
  PortableServer::POA_var named = PortableServer::POA::_narrow(object);
  const char name[] = "Everything";
  PortableServer::ObjectId_var plain = PortableServer::string_to_ObjectId(name);
  named->activate_object_with_id(plain, servant);
  PortableServer::POAManager_var manager = named->the_POAManager();
  manager->activate();

  CORBA::String_var reference = orb->object_to_string(everything);
  CORBA::String_var nothing = orb->object_to_string(taken_away);
  std::cout << reference.in() << std::endl << nothing.in() << std::endl;
  orb->run();
  orb->destroy();
}
