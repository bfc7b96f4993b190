// Compiled once for each of the libraries, under another name.
#include "library.h"

#include <cstring>
#include <string>

#include "any.any.h"
#include "any.skel.h"

namespace {

const char* const kText = "a string that is longer than what stands inside a member";

void raise(int what) {
  if (what == 1) throw Dyn::Refused(kText, CORBA::Any());
  if (what == 2) throw Dyn::Empty();
  throw CORBA::NO_RESOURCES(5, CORBA::COMPLETED_NO);
}

int catch_by_class(void (*raiser)(int), int what) {
  try {
    raiser(what);
  } catch (const Dyn::Refused& e) {
    return std::strcmp(e.why, kText) == 0 ? 1 : 0;
  } catch (const Dyn::Empty&) {
    return 2;
  } catch (const CORBA::NO_RESOURCES& e) {
    return e.minor() == 5 ? 3 : 0;
  } catch (const CORBA::Exception&) {
    return 0;
  }
  return 0;
}

int tell(const CORBA::Exception& e) {
  if (const auto* const refused = Dyn::Refused::_downcast(&e))
    return std::strcmp(refused->why, kText) == 0 ? 1 : 0;
  if (Dyn::Empty::_downcast(&e)) return 2;
  return CORBA::NO_RESOURCES::_downcast(&e) ? 3 : 0;
}

void insert(CORBA::Any& any) {
  Dyn::Tree tree;
  tree.name = kText;
  any <<= tree;
}

bool extract(const CORBA::Any& any) {
  const Dyn::Tree* tree = nullptr;
  return (any >>= tree) && std::strcmp(tree->name, kText) == 0;
}

class ThingServant : public POA_Dyn::Thing {
 public:
  CORBA::Any* value() override { return new CORBA::Any(value_); }
  void value(const CORBA::Any& value) override { value_ = value; }
  CORBA::Any* pass(const CORBA::Any& a, CORBA::Any&, CORBA::Any_out) override {
    throw Dyn::Refused(kText, a);
  }
  CORBA::TypeCode_ptr pass_code(CORBA::TypeCode_ptr a, CORBA::TypeCode_ptr&, CORBA::TypeCode_out c) override {
    c = CORBA::TypeCode::_duplicate(a);
    return CORBA::TypeCode::_duplicate(a);
  }
  Dyn::Anys* pass_many(const Dyn::Anys&, Dyn::Anys&, Dyn::Anys_out) override { throw Dyn::Empty(); }
  Dyn::Codes* pass_codes(const Dyn::Codes&, Dyn::Codes&, Dyn::Codes_out) override { throw Dyn::Empty(); }
  Dyn::Box* pass_box(const Dyn::Box&, Dyn::Box&, Dyn::Box_out) override { throw Dyn::Empty(); }
  Dyn::Either* pass_either(const Dyn::Either&, Dyn::Either&, Dyn::Either_out) override { throw Dyn::Empty(); }
  CORBA::Any* same(const CORBA::Any& s, CORBA::TypeCode_ptr) override { return new CORBA::Any(s); }
  char* surroundings(const char* name, CORBA::Context_ptr) override { return CORBA::string_dup(name); }
  void only_context(CORBA::Context_ptr) override {}

 private:
  CORBA::Any value_;
};

CORBA::ORB_ptr make_orb(const char* role) {
  const char* args[] = {"test", "-ORBendPoint", "giop:tcp:127.0.0.1:0", nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, const_cast<char**>(args),
                         std::string(CORBEL_TEST_LIBRARY).append(role).c_str());
}

CORBA::ORB_var server;

char* serve() {
  server = make_orb("-server");
  CORBA::Object_var object = server->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::ServantBase_var servant = new ThingServant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  object = poa->id_to_reference(id.in());
  return server->object_to_string(object);
}

bool call(const char* reference) {
  CORBA::ORB_var client = make_orb("-client");
  CORBA::Object_var object = client->string_to_object(reference);
  Dyn::Thing_var thing = Dyn::Thing::_narrow(object);
  CORBA::Any sent;
  insert(sent);
  thing->value(sent);
  CORBA::Any_var back = thing->value();
  bool whole = extract(back.in());
  try {
    CORBA::Any_var out;
    back = thing->pass(sent, back.inout(), out.out());
    whole = false;
  } catch (const Dyn::Refused& e) {
    whole = whole && std::strcmp(e.why, kText) == 0 && extract(e.what);
  }
  thing = Dyn::Thing::_nil();
  object = CORBA::Object::_nil();
  client->destroy();
  return whole;
}

void stop() {
  server->destroy();
  server = CORBA::ORB::_nil();
}

constexpr Library kLibrary = {raise, catch_by_class, tell, insert, extract, serve, call, stop};

}  // namespace

const Library* CORBEL_TEST_FUNCTION() { return &kLibrary; }
