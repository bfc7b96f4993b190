// Calls the Echo object whose reference is the first argument.
#include <corbel/corba.h>

#include <iostream>

#include "echo.stub.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: echo-client REFERENCE [TEXT]\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Echo_var echo = Echo::_narrow(object);
    if (CORBA::is_nil(echo)) {
      std::cerr << "the reference is not one of an Echo\n";
      return 1;
    }
    CORBA::String_var answer = echo->echo_string(argc > 2 ? argv[2] : "hello");
    std::cout << answer.in() << std::endl;
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
