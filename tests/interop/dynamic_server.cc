// Serves a Maker of either ORB: prints its reference, runs until its input ends.
#include "dynamic.h"
#include "serve.h"

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
  return serve(argc, argv,
               [](CORBA::ORB_ptr, PortableServer::POA_ptr poa) { return activated(poa, new MakerServant); });
}
