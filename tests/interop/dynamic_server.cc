// Serves a Maker of either ORB: prints its reference, runs until its input ends.
#include <iostream>
#include <thread>

#include "dynamic.h"

namespace {

class MakerServant : public POA_Dynamic::Maker {
 public:
  CORBA::Any* make(CORBA::Long number) override {
    if (number < 0) {
      Dynamic::Choice what;
      what.n(number);
      throw Dynamic::Refused("no such number", what);
    }
    Dynamic::Maker_var self = _this();
    return new CORBA::Any(dynamic::make(number, self));
  }
  CORBA::Boolean holds(CORBA::Long number, const CORBA::Any& value) override {
    return dynamic::holds(number, value);
  }
  CORBA::Any* pass(const CORBA::Any& a, CORBA::Any& b, CORBA::Any_out c) override {
    c = new CORBA::Any(b);
    b = a;
    return new CORBA::Any(a);
  }
  CORBA::TypeCode_ptr pass_code(CORBA::TypeCode_ptr a, CORBA::TypeCode_ptr& b,
                                CORBA::TypeCode_out c) override {
    c = b;
    b = CORBA::TypeCode::_duplicate(a);
    return CORBA::TypeCode::_duplicate(a);
  }
  Dynamic::Doubles* pass_doubles(CORBA::Octet, const Dynamic::Doubles& a) override {
    return new Dynamic::Doubles(a);
  }
  Dynamic::Flats* pass_flats(CORBA::Octet, const Dynamic::Flats& a) override { return new Dynamic::Flats(a); }
  CORBA::WChar* pass_wide(const CORBA::WChar* a, CORBA::WChar*& b, CORBA::WString_out c) override {
    c = b;
    b = CORBA::wstring_dup(a);
    return CORBA::wstring_dup(a);
  }
  char* known(const char* name, CORBA::Context_ptr) override { return CORBA::string_dup(name); }
};

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    auto* const servant = new MakerServant;
    PortableServer::ServantBase_var owner(servant);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id.in());
    CORBA::String_var reference = orb->object_to_string(object.in());
    std::cout << reference.in() << std::endl;
    std::thread end([&] {
      while (std::cin.get() != EOF) {
      }
      orb->shutdown(false);
    });
    try {
      orb->run();
    } catch (const CORBA::BAD_INV_ORDER&) {
      // The end came first.
    }
    end.join();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "server: " << e._rep_id() << '\n';
    return 1;
  }
}
