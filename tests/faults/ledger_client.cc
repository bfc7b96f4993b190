// ledger_client REFERENCE THREADS FIRST [PAUSE]: calls with ever new entries from FIRST on, each thread PAUSE
// microseconds after its last call, until its input ends. Prints for each its fate: "done 7", "no 8
// TRANSIENT", "maybe 9 COMM_FAILURE" (as the exception says of its completion).
#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <corbel/corba.h>

#include "ledger.stub.h"

namespace {

std::mutex output;

void say(const char* fate, CORBA::ULongLong entry, const char* why = "") {
  const std::lock_guard lock(output);
  std::printf("%s %llu%s%s\n", fate, static_cast<unsigned long long>(entry), *why ? " " : "", why);
}

void call(Faults::Ledger_ptr ledger, CORBA::ULongLong entry) {
  try {
    if (entry % 5 != 0) {
      ledger->enter(entry);
    } else {
      Faults::Load load;
      load.length(static_cast<CORBA::ULong>(entry % 7 * 50'000));
      for (CORBA::ULong i = 0; i < load.length(); ++i) load[i] = static_cast<CORBA::Octet>(i);
      Faults::Load_var back = ledger->exchange(entry, load);
      if (back->length() != load.length() ||
          (load.length() != 0 && back[load.length() - 1] != load[load.length() - 1]))
        return say("wrong", entry);
    }
    say("done", entry);
  } catch (const CORBA::SystemException& e) {
    static constexpr const char* kFates[] = {"yes", "no", "maybe"};
    say(kFates[e.completed()], entry, e._name());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // a dead server is not asked without a pause
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (argc != 4 && argc != 5) {
    std::cerr << "ledger_client REFERENCE THREADS FIRST [PAUSE]\n";
    return 2;
  }
  const std::chrono::microseconds pause(argc == 5 ? std::stoi(argv[4]) : 0);
  CORBA::Object_var object = orb->string_to_object(argv[1]);
  Faults::Ledger_var ledger = Faults::Ledger::_unchecked_narrow(object);
  std::atomic<CORBA::ULongLong> next{std::stoull(argv[3])};
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = std::stoi(argv[2]); i > 0; --i)
    threads.emplace_back([&] {
      while (!stop.load()) {
        call(ledger, next++);
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
