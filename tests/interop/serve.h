// The life of a server of either ORB. Included behind the headers of its contract, which bring their ORB's.
#pragma once

#include <iostream>
#include <thread>

// The servant is the adapter's from then on.
inline CORBA::Object_ptr activated(PortableServer::POA_ptr poa, PortableServer::ServantBase* servant) {
  PortableServer::ServantBase_var owner(servant);
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  return poa->id_to_reference(id.in());
}

// Does nothing where the ORB has been shut down before it came here.
inline void run(CORBA::ORB_ptr orb) {
  try {
    orb->run();
  } catch (const CORBA::BAD_INV_ORDER&) {
  }
}

// Prints the reference of the object that `activate(orb, poa)` gives, and runs until its input ends.
template <typename Activate>
int serve(int argc, char** argv, const Activate& activate) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(root.in());
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    CORBA::Object_var object = activate(orb.in(), poa.in());
    CORBA::String_var reference = orb->object_to_string(object.in());
    std::cout << reference.in() << std::endl;
    std::thread end([&] {
      while (std::cin.get() != EOF) {
      }
      orb->shutdown(false);
    });
    run(orb.in());
    end.join();
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::cerr << "server: " << e._rep_id() << '\n';
    return 1;
  }
}
