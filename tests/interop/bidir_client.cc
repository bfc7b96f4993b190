// client IOR [...]: has an Everything of either ORB call an object here that is reached on this connection
// only: its address in references leads nowhere. Exits with 0 if all answers were right.
#include <atomic>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "tests/calls/everything.h"
#include "tests/interop/serve.h"

#include <bidir_adapter.h>

namespace {

std::atomic<int> failures{0};

void check(bool right, const char* what) {
  if (right) return;
  std::cerr << "wrong: " << what << '\n';
  ++failures;
}

// Calls whose servant calls back before it answers, and others between them.
void call(Contract::Everything_ptr e, Contract::Callback_ptr callback, CORBA::Long from) {
  try {
    for (CORBA::Long n = from; n < from + 50; ++n) {
      check(e->call_back(callback, n) == 2 * n + 1, "callback");
      check(e->plus(n) == n + 1, "call after a callback");
    }
    // Far more than fits in one fragment, both ways, between the callbacks of the other threads.
    Contract::Octets in, inout;
    in.length(600'000);
    for (CORBA::ULong i = 0; i < in.length(); ++i) in[i] = static_cast<CORBA::Octet>(i * 7);
    Contract::Octets_var out, result;
    result = e->give_octets(in, inout, out.out());
    bool right = result->length() == in.length() && inout.length() == in.length();
    for (CORBA::ULong i = 0; right && i < in.length(); ++i) right = result[i] == in[i] && inout[i] == in[i];
    check(right, "large octets");
  } catch (const CORBA::Exception& exception) {
    check(false, exception._rep_id());
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) return 2;
    CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var adapter = PortableServer::POA::_narrow(root.in());
    PortableServer::POAManager_var manager = adapter->the_POAManager();
    manager->activate();
    PortableServer::POA_var poa = bidirectional_adapter(orb.in(), adapter.in());
    CORBA::Object_var object = activated(poa.in(), new CallbackServant);
    Contract::Callback_var callback = Contract::Callback::_narrow(object.in());
    object = orb->string_to_object(argv[1]);
    Contract::Everything_var everything = Contract::Everything::_narrow(object.in());
    call(everything.in(), callback.in(), 0);
    std::vector<std::thread> threads;
    for (int t = 1; t <= 4; ++t)
      threads.emplace_back([&, t] { call(everything.in(), callback.in(), 1000 * t); });
    for (std::thread& thread : threads) thread.join();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "client: " << e._rep_id() << '\n';
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
