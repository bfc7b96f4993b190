// Limits of time and of trust: what docs/deadlines.md shows, with a server to try it on.
#include <corbel/messaging.h>
#include <corbel/poa.h>

#include <chrono>
#include <iostream>
#include <string>
#include <thread>

#include "slow.skel.h"

class SlowServant : public POA_Slow {
 public:
  char* answer(CORBA::Long milliseconds) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    return CORBA::string_dup("answered");
  }
  void note(const char* text) override {
    if (std::string(text) == "illegible") throw CORBA::BAD_PARAM();
  }
};

constexpr TimeBase::TimeT kMillisecond = 10000;  // TimeT counts 100 ns

CORBA::Policy_ptr limit(CORBA::ORB_ptr orb, TimeBase::TimeT time) {
  CORBA::Any value;
  value <<= time;
  return orb->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, value);
}

void ask(const char* who, Slow_ptr slow) {
  try {
    CORBA::String_var said = slow->answer(300);
    std::cout << who << ": " << said.in() << std::endl;
  } catch (const CORBA::TIMEOUT& e) {
    std::cout << who << ": too late, "
              << (e.completed() == CORBA::COMPLETED_NO ? "and not carried out" : "and perhaps carried out")
              << std::endl;
  }
}

void run(CORBA::ORB_ptr orb, Slow_ptr slow) {
  ask("without a limit", slow);

  // One reference.
  CORBA::PolicyList policies(1);
  policies.length(1);
  policies[0] = limit(orb, 50 * kMillisecond);
  CORBA::Object_var object = slow->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
  Slow_var hasty = Slow::_narrow(object);
  ask("a reference with 50 ms", hasty);
  ask("the other reference", slow);

  // All calls of this thread.
  object = orb->resolve_initial_references("PolicyCurrent");
  CORBA::PolicyCurrent_var thread = CORBA::PolicyCurrent::_narrow(object);
  thread->set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
  ask("a thread with 50 ms", slow);
  thread->set_policy_overrides(CORBA::PolicyList(), CORBA::SET_OVERRIDE);

  // All calls of the ORB.
  object = orb->resolve_initial_references("ORBPolicyManager");
  CORBA::PolicyManager_var all = CORBA::PolicyManager::_narrow(object);
  all->set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
  ask("an ORB with 50 ms", slow);
  all->set_policy_overrides(CORBA::PolicyList(), CORBA::SET_OVERRIDE);

  // One-ways that are followed to the end.
  CORBA::Any value;
  value <<= Messaging::SYNC_WITH_TARGET;
  policies[0] = orb->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, value);
  object = slow->_set_policy_overrides(policies, CORBA::SET_OVERRIDE);
  Slow_var followed = Slow::_narrow(object);
  slow->note("illegible");
  try {
    followed->note("illegible");
  } catch (const CORBA::BAD_PARAM&) {
    std::cout << "a one-way that is followed: refused" << std::endl;
  }
}

int main(int argc, char** argv) {
  CORBA::ORB_var server = CORBA::ORB_init(argc, argv, "server");
  CORBA::Object_var object = server->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::Servant_var<SlowServant> servant = new SlowServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  object = poa->id_to_reference(id);
  CORBA::String_var reference = server->object_to_string(object);

  CORBA::ORB_var client = CORBA::ORB_init(argc, argv, "client");
  object = client->string_to_object(reference);
  Slow_var slow = Slow::_narrow(object);
  run(client, slow);
  client->destroy();
  server->destroy();
}
