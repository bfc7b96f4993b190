// Serves an Everything and prints three lines: its reference, that of an object that was taken away again,
// and that of the first object in an adapter whose manager holds requests until a line "activate" has come
// in, or refuses them after "discard". The plain key "Everything" leads to the first, too, and "Alias"
// forwards to it. A line "heap" is answered by what it has of the heap; it ends with its input.
#include <iostream>
#include <string>
#include <thread>

#include "tests/calls/everything.h"
#include "tests/interop/serve.h"
#include "tests/support/heap.h"

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

  CORBA::PolicyList policies;
  PortableServer::POA_var holding = poa->create_POA("holding", PortableServer::POAManager::_nil(), policies);
  PortableServer::ObjectId_var held_id = holding->activate_object(servant);
  CORBA::Object_var held = holding->id_to_reference(held_id);
  PortableServer::POAManager_var holder = holding->the_POAManager();

  corbel::cpp::set_plain_reference(orb, "Alias", everything);
  for (CORBA::Object_ptr printed : {everything.in(), taken_away.in(), held.in()}) {
    CORBA::String_var reference = orb->object_to_string(printed);
    std::cout << reference.in() << std::endl;
  }
  std::thread commands([holder, orb] {
    for (std::string line; std::getline(std::cin, line);) {
      if (line == "activate") holder->activate();
      if (line == "discard") holder->discard_requests(false);
      if (line == "heap") std::cout << heap_in_use() << std::endl;
    }
    orb->shutdown(false);
  });
  run(orb);
  commands.join();
  orb->destroy();
}
