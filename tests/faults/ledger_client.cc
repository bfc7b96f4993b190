// ledger_client REFERENCE THREADS FIRST [PAUSE [mirror]]: calls with ever new entries from FIRST on, each
// thread PAUSE microseconds after its last call, until its input ends; with "mirror" the server calls some of
// them back. Prints for each its fate: "done 7", "sent 10" (a one-way), "no 8 TRANSIENT", "maybe 9
// COMM_FAILURE" (as the exception says of its completion).
#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <corbel/poa.h>

#include "ledger.skel.h"

namespace {

std::mutex output;

void say(const char* fate, CORBA::ULongLong entry, const char* why = "") {
  const std::lock_guard lock(output);
  std::printf("%s %llu%s%s\n", fate, static_cast<unsigned long long>(entry), *why ? " " : "", why);
}

class Mirror : public POA_Faults::Mirror {
 public:
  Faults::Load* reflect(const Faults::Load& load) override { return new Faults::Load(load); }
};

Faults::Load load_of(CORBA::ULong octets) {
  Faults::Load load;
  load.length(octets);
  for (CORBA::ULong i = 0; i < octets; ++i) load[i] = static_cast<CORBA::Octet>(i);
  return load;
}

bool same(const Faults::Load& a, const Faults::Load& b) {
  return a.length() == b.length() && (a.length() == 0 || a[a.length() - 1] == b[b.length() - 1]);
}

// Mostly small calls; among them larger ones, now and then one that leaves in many fragments, and, with a
// mirror, such as call back.
void call(Faults::Ledger_ptr ledger, Faults::Mirror_ptr mirror, CORBA::ULongLong entry) {
  try {
    if (entry % 5 == 0) {
      const Faults::Load load =
          load_of(static_cast<CORBA::ULong>(entry % 1000 == 0 ? 3'000'000 : entry % 7 * 50'000));
      const Faults::Load_var back = ledger->exchange(entry, load);
      if (!same(load, back)) return say("wrong", entry);
    } else if (entry % 11 == 1 && !CORBA::is_nil(mirror)) {
      const Faults::Load load = load_of(static_cast<CORBA::ULong>(entry % 3 * 20'000));
      const Faults::Load_var back = ledger->exchange_by(mirror, entry, load);
      if (!same(load, back)) return say("wrong", entry);
    } else if (entry % 11 == 2) {
      ledger->note(entry);
      return say("sent", entry);
    } else {
      ledger->enter(entry);
    }
    say("done", entry);
  } catch (const CORBA::SystemException& e) {
    static constexpr const char* kFates[] = {"yes", "no", "maybe"};
    say(kFates[e.completed()], entry, e._name());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // a dead server is not asked without a pause
  }
}

Faults::Mirror_ptr make_mirror(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  const PortableServer::Servant_var<Mirror> servant = new Mirror;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  return servant->_this();
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (argc < 4 || argc > 6 || (argc == 6 && std::string(argv[5]) != "mirror")) {
    std::cerr << "ledger_client REFERENCE THREADS FIRST [PAUSE [mirror]]\n";
    return 2;
  }
  const std::chrono::microseconds pause(argc > 4 ? std::stoi(argv[4]) : 0);
  CORBA::Object_var object = orb->string_to_object(argv[1]);
  Faults::Ledger_var ledger = Faults::Ledger::_unchecked_narrow(object);
  const Faults::Mirror_var mirror = argc == 6 ? make_mirror(orb) : Faults::Mirror::_nil();
  std::atomic<CORBA::ULongLong> next{std::stoull(argv[3])};
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = std::stoi(argv[2]); i > 0; --i)
    threads.emplace_back([&] {
      while (!stop.load()) {
        call(ledger, mirror, next++);
        if (pause.count() != 0) std::this_thread::sleep_for(pause);
      }
    });
  while (std::cin.get() != EOF) {
  }
  stop.store(true);
  for (std::thread& t : threads) t.join();
  std::printf("end\n");
  orb->destroy();
}
