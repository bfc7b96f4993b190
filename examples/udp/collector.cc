// Takes readings that come as datagrams, and prints them. Its reference stands in the first line.
//
//   udp-collector -ORBendPoint giop:udp:HOST:PORT     without the option it listens by TCP, as all servers do
#include <corbel/poa.h>

#include <iostream>

#include "telemetry.skel.h"
#include "udp_transport.h"

class Collector : public POA_Telemetry {
 public:
  void report(const char* sensor, CORBA::Double value) override {
    std::cout << sensor << ' ' << value << std::endl;
  }
};

int main(int argc, char** argv) {
  try {
    use_udp();
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::Servant_var<Collector> servant = new Collector;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    Telemetry_var telemetry = servant->_this();
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    CORBA::String_var reference = orb->object_to_string(telemetry);
    std::cout << reference.in() << std::endl;
    orb->run();
  } catch (const CORBA::Exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
