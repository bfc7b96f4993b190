// Asks a server for a greeting, over TLS. See docs/tls.md.
#include <corbel/corba.h>
#include <corbel/tls.h>

#include <iostream>

#include "greeter.stub.h"

int main(int argc, char** argv) try {
  corbel::tls::use();
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->string_to_object(argv[1]);
  Greeter_var greeter = Greeter::_narrow(object);
  CORBA::String_var answer = greeter->greet();
  std::cout << answer.in() << std::endl;
  orb->destroy();
} catch (const CORBA::Exception& e) {
  std::cerr << e.what() << std::endl;
  return 1;
}
