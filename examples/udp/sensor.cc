// Reports readings to the collector whose reference is the first argument.
#include <corbel/corba.h>

#include <iostream>

#include "telemetry.stub.h"
#include "udp_transport.h"

int main(int argc, char** argv) {
  try {
    use_udp();
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) {
      std::cerr << "sensor REFERENCE\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Telemetry_var telemetry = Telemetry::_narrow(object);
    for (int i = 1; i <= 3; ++i) telemetry->report("temperature", 20 + i / 4.0);
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
