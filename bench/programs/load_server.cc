// The server of the load measurements: prints its reference, serves until `stop`.
#include <corbel/poa.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

#include "load.skel.h"
#include "load_support.h"

namespace {

class LoadServant : public POA_Bench::Load {
 public:
  explicit LoadServant(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  void ping() override {}
  void nap(CORBA::ULong microseconds) override {
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  }
  Bench::Load::Octets* get(CORBA::ULong size) override {
    auto* const octets = new Bench::Load::Octets;
    octets->length(size);
    return octets;
  }
  CORBA::ULongLong cpu() override { return bench::cpu_ns(); }
  void stop() override { orb_->shutdown(false); }

 private:
  CORBA::ORB_var orb_;
};

}  // namespace

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var manager = poa->the_POAManager();
  PortableServer::Servant_var<LoadServant> servant = new LoadServant(orb);
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var self = poa->id_to_reference(id.in());
  CORBA::String_var reference = orb->object_to_string(self);
  std::puts(reference.in());
  std::fflush(stdout);
  manager->activate();
  orb->run();
  orb->destroy();
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "load-server: %s\n", error._rep_id());
  return 1;
}
