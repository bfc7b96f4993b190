// A client and nothing else: what a program that only calls has to carry.
//   size-client IOR
#include <corbel/corba.h>

#include <cstdio>

#include "bench.stub.h"

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (argc < 2) return 2;
  CORBA::Object_var object = orb->string_to_object(argv[1]);
  Bench::Calls_var calls = Bench::Calls::_narrow(object.in());
  calls->ping();
  CORBA::String_var text = calls->echo_string("hello");
  std::puts(text.in());
  orb->destroy();
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "client: %s\n", error._rep_id());
  return 1;
}
