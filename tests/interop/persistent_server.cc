// Serves persistent objects of either ORB and prints their references: user ids of any octets and of none in
// nested adapters, an id that the system has given to an object of a default servant, objects that a servant
// locator and a servant activator forward to the first, one that the activator makes when it is called, and
// one whose servant forwards to the first for good. The last is transient.
#include <iostream>
#include <string>

#include "tests/calls/everything.h"
#include "tests/interop/serve.h"
// Behind the headers of its ORB.
#include <servant_managers.h>

namespace {

constexpr const char* kType = "IDL:Contract/Everything:1.0";

PortableServer::ObjectId_var id_of(const std::string& text) {
  PortableServer::ObjectId_var id = new PortableServer::ObjectId;
  id->length(static_cast<CORBA::ULong>(text.size()));
  for (CORBA::ULong i = 0; i < id->length(); ++i) id[i] = static_cast<CORBA::Octet>(text[i]);
  return id;
}

class Forwarding : public Locator {
 public:
  explicit Forwarding(CORBA::Object_ptr target) : target_(CORBA::Object::_duplicate(target)) {}
  PortableServer::Servant preinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*,
                                    void*&) override {
    throw PortableServer::ForwardRequest(target_.in());
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, void*,
                  PortableServer::Servant) override {}

 private:
  CORBA::Object_var target_;
};

class Making : public Activator {
 public:
  explicit Making(CORBA::Object_ptr target) : target_(CORBA::Object::_duplicate(target)) {}
  PortableServer::Servant incarnate(const PortableServer::ObjectId& id, PortableServer::POA_ptr) override {
    CORBA::String_var text = PortableServer::ObjectId_to_string(id);
    if (std::string(text.in()) == "elsewhere") throw PortableServer::ForwardRequest(target_.in());
    return new EverythingServant;
  }
  void etherealize(const PortableServer::ObjectId&, PortableServer::POA_ptr, PortableServer::Servant servant,
                   CORBA::Boolean, CORBA::Boolean) override {
    servant->_remove_ref();
  }

 private:
  CORBA::Object_var target_;
};

class Moved : public EverythingServant {
 public:
  explicit Moved(CORBA::Object_ptr target) : target_(CORBA::Object::_duplicate(target)) {}
  CORBA::Long minus(CORBA::Long) override { forward_for_good(target_.in()); }

 private:
  CORBA::Object_var target_;
};

struct Kind {
  bool user_id = true;
  bool retain = true;
  PortableServer::RequestProcessingPolicyValue processing = PortableServer::USE_ACTIVE_OBJECT_MAP_ONLY;
};

PortableServer::POA_var persistent(PortableServer::POA_ptr parent, const char* name, const Kind& kind) {
  CORBA::PolicyList policies;
  policies.length(5);
  policies[0] = parent->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] =
      parent->create_id_assignment_policy(kind.user_id ? PortableServer::USER_ID : PortableServer::SYSTEM_ID);
  policies[2] = parent->create_id_uniqueness_policy(PortableServer::MULTIPLE_ID);
  policies[3] = parent->create_servant_retention_policy(kind.retain ? PortableServer::RETAIN
                                                                    : PortableServer::NON_RETAIN);
  policies[4] = parent->create_request_processing_policy(kind.processing);
  PortableServer::POAManager_var manager = parent->the_POAManager();
  return parent->create_POA(name, manager.in(), policies);
}

void print(CORBA::ORB_ptr orb, CORBA::Object_ptr object) {
  CORBA::String_var text = orb->object_to_string(object);
  std::cout << text.in() << std::endl;
}

CORBA::Object_ptr activated_as(PortableServer::POA_ptr poa, const std::string& id) {
  PortableServer::ServantBase_var servant(new EverythingServant);
  poa->activate_object_with_id(id_of(id).in(), servant.in());
  return poa->id_to_reference(id_of(id).in());
}

CORBA::Object_ptr make_all(CORBA::ORB_ptr orb, PortableServer::POA_ptr root) {
  PortableServer::POA_var alpha = persistent(root, "Alpha", {});
  PortableServer::POA_var beta = persistent(alpha.in(), "Beta", {});
  CORBA::Object_var first = activated_as(alpha.in(), "one");
  print(orb, first.in());
  CORBA::Object_var object = activated_as(beta.in(), std::string("\xff\xfe\0\1z", 5));
  print(orb, object.in());
  object = activated_as(beta.in(), "");
  print(orb, object.in());

  PortableServer::POA_var all =
      persistent(root, "Default", {false, true, PortableServer::USE_DEFAULT_SERVANT});
  PortableServer::ServantBase_var servant(new EverythingServant);
  all->set_servant(servant.in());
  object = all->create_reference(kType);
  print(orb, object.in());

  PortableServer::POA_var moved =
      persistent(root, "Moved", {true, false, PortableServer::USE_SERVANT_MANAGER});
  set_manager(moved.in(), new Forwarding(first.in()));
  object = moved->create_reference_with_id(id_of("any").in(), kType);
  print(orb, object.in());

  PortableServer::POA_var late = persistent(root, "Late", {true, true, PortableServer::USE_SERVANT_MANAGER});
  set_manager(late.in(), new Making(first.in()));
  for (const char* id : {"elsewhere", "made"}) {
    object = late->create_reference_with_id(id_of(id).in(), kType);
    print(orb, object.in());
  }
  PortableServer::ServantBase_var moved_for_good(new Moved(first.in()));
  alpha->activate_object_with_id(id_of("moved").in(), moved_for_good.in());
  object = alpha->id_to_reference(id_of("moved").in());
  print(orb, object.in());
  return activated(root, new EverythingServant);
}

}  // namespace

int main(int argc, char** argv) {
  return serve(argc, argv,
               [](CORBA::ORB_ptr orb, PortableServer::POA_ptr root) { return make_all(orb, root); });
}
