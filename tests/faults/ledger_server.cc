// Appends the entries of calls to the file that is its first argument, each with one write() before the call
// is answered, so many microseconds later as the second says: they survive the process. Prints the port it
// listens at and its reference, and ends in good order when its input does.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

#include <corbel/poa.h>

#include "ledger.skel.h"
#include "orb/ior/ior.h"
#include "tests/interop/serve.h"

namespace {

class Ledger : public POA_Faults::Ledger {
 public:
  Ledger(int file, std::chrono::microseconds pause) : file_(file), pause_(pause) {}
  void enter(CORBA::ULongLong entry) override { write_down(entry); }
  Faults::Load* exchange(CORBA::ULongLong entry, const Faults::Load& load) override {
    write_down(entry);
    return new Faults::Load(load);
  }
  // That the mirror is out of reach does not undo the entry.
  Faults::Load* exchange_by(Faults::Mirror_ptr mirror, CORBA::ULongLong entry,
                            const Faults::Load& load) override {
    write_down(entry);
    try {
      return mirror->reflect(load);
    } catch (const CORBA::SystemException&) {
      throw CORBA::TRANSIENT(0, CORBA::COMPLETED_YES);
    }
  }
  void note(CORBA::ULongLong entry) override { write_down(entry); }

 private:
  void write_down(CORBA::ULongLong entry) {
    const std::string line = std::to_string(entry) + '\n';
    if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
      throw CORBA::PERSIST_STORE();
    if (pause_.count() != 0) std::this_thread::sleep_for(pause_);
  }
  const int file_;
  const std::chrono::microseconds pause_;
};

}  // namespace

int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (argc != 2 && argc != 3) {
    std::cerr << "ledger_server FILE [PAUSE]\n";
    return 2;
  }
  const int file = ::open(argv[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  CORBA::Object_var object = orb->resolve_initial_references("omniINSPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::Servant_var<Ledger> servant =
      new Ledger(file, std::chrono::microseconds(argc == 3 ? std::stoi(argv[2]) : 0));
  PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("Ledger");
  poa->activate_object_with_id(id, servant);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  CORBA::Object_var reference = poa->id_to_reference(id);
  CORBA::String_var text = orb->object_to_string(reference);
  corbel::ior::Ior ior;
  if (corbel::ior::parse_ior(text.in(), ior)) return 1;
  std::cout << corbel::ior::decode_iiop(ior.profiles[0])->address.port << '\n' << text.in() << std::endl;
  std::thread goodbye([&] {
    while (std::cin.get() != EOF) {
    }
    orb->shutdown(false);
  });
  run(orb);
  goodbye.join();
  orb->destroy();
}
