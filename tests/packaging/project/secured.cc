// An ORB that speaks TLS: it knows the options.
#include <corbel/corba.h>
#include <corbel/tls.h>

int main() {
  corbel::tls::use();
  const char* arguments[] = {"secured", "-ORBsslMinVersion", "1.3", nullptr};
  int argc = 3;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(arguments));
  orb->destroy();
  return argc == 1 ? 0 : 1;
}
