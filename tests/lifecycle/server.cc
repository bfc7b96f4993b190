// A server that is killed and started again: prints the references of a transient and of a persistent object,
// and a line for each upcall that waits.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <iostream>
#include <thread>

#include "tests/calls/everything.h"

namespace {

// minus(0) waits longer than any client does.
class WaitingServant : public EverythingServant {
 public:
  CORBA::Long minus(CORBA::Long n) override {
    if (n == 0) {
      if (write(STDOUT_FILENO, "waiting\n", 8) != 8) return -1;
      for (;;) pause();
    }
    return n - 1;
  }
};

void print(CORBA::ORB_ptr orb, CORBA::Object_ptr object) {
  CORBA::String_var text = orb->object_to_string(object);
  std::cout << text.in() << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    sigset_t end;  // taken by one thread, so that the ORB ends in good order
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &end, nullptr);
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::Servant_var<WaitingServant> servant = new WaitingServant;
    PortableServer::ObjectId_var id = root->activate_object(servant);
    CORBA::Object_var passing = root->id_to_reference(id);

    CORBA::PolicyList policies;
    policies.length(2);
    policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
    PortableServer::POAManager_var manager = root->the_POAManager();
    PortableServer::POA_var poa = root->create_POA("lasting", manager, policies);
    id = PortableServer::string_to_ObjectId("object");
    poa->activate_object_with_id(id, servant);
    CORBA::Object_var lasting = poa->id_to_reference(id);
    // Clients of an earlier start may call already: they wait until everything is there.
    manager->activate();
    print(orb, passing);
    print(orb, lasting);

    std::thread waiter([&] {
      int signal;
      sigwait(&end, &signal);
      orb->shutdown(false);
    });
    try {
      orb->run();
    } catch (const CORBA::BAD_INV_ORDER&) {
      // The end came first.
    }
    waiter.join();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "server: " << e.what() << '\n';
    return 1;
  }
}
