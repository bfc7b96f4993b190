// What scripted-server prints and serves, by a servant without a skeleton: the operations that give back what
// they are given.
#include <corbel/dynamic.h>

#include <cstring>
#include <iostream>
#include <thread>

#include "contract.any.h"
#include "tests/calls/everything.h"
#include "tests/interop/serve.h"

namespace {

struct Giving {
  const char* operation;
  CORBA::TypeCode_ptr type;
  bool thrice;  // the argument is the result and goes into inout b, whose value goes into out c
};

class Servant : public PortableServer::DynamicImplementation {
 public:
  explicit Servant(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  void invoke(CORBA::ServerRequest_ptr request) override {
    for (const Giving& giving : {Giving{"text", CORBA::_tc_string, true},
                                 {"give_color", Contract::_tc_Color, true},
                                 {"give_point", Contract::_tc_Point, true},
                                 {"give_flags", Contract::_tc_Flags, true},
                                 {"give_person", Contract::_tc_Person, true},
                                 {"give_octets", Contract::_tc_Octets, true},
                                 {"give_longs", Contract::_tc_Longs, true},
                                 {"give_strings", Contract::_tc_Strings, true},
                                 {"give_points", Contract::_tc_Points, true},
                                 {"give_people", Contract::_tc_People, true},
                                 {"give_row", Contract::_tc_Row, true},
                                 {"give_names", Contract::_tc_Names, true},
                                 {"give_value", Contract::_tc_Value, true},
                                 {"bounded", Contract::_tc_Five, false},
                                 {"few", Contract::_tc_FewDoubles, false},
                                 {"give_booleans", Contract::_tc_Booleans, false},
                                 {"give_chars", Contract::_tc_Chars, false},
                                 {"give_matrix", Contract::_tc_Matrix, false},
                                 {"give_maybe", Contract::_tc_Maybe, false},
                                 {"give_tree", Contract::_tc_Tree, false},
                                 {"give_callbacks", Contract::_tc_Callbacks, false}})
      if (std::strcmp(giving.operation, request->operation()) == 0) return give(*request, giving);
    throw CORBA::BAD_OPERATION();
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:Contract/Everything:1.0");
  }

 private:
  void give(CORBA::ServerRequest& request, const Giving& giving) {
    CORBA::NVList_ptr parameters;
    orb_->create_list(0, parameters);
    for (const CORBA::Flags flags : {CORBA::ARG_IN, CORBA::ARG_INOUT, CORBA::ARG_OUT}) {
      parameters->add(flags)->value()->replace(giving.type, nullptr);
      if (!giving.thrice) break;
    }
    request.arguments(parameters);
    const CORBA::Any& a = *parameters->item(0)->value();
    if (giving.thrice) {
      *parameters->item(2)->value() = *parameters->item(1)->value();
      *parameters->item(1)->value() = a;
    }
    request.set_result(a);
  }

  CORBA::ORB_var orb_;
};

}  // namespace

int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  PortableServer::POA_var poa = TwoOrbs::activate(orb);
  PortableServer::Servant_var<Servant> servant = new Servant(orb);
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id);
  CORBA::String_var reference = orb->object_to_string(object);
  for (int line = 0; line < 3; ++line) std::cout << reference.in() << std::endl;
  std::thread input([orb] {
    for (std::string line; std::getline(std::cin, line);) continue;
    orb->shutdown(false);
  });
  run(orb);
  input.join();
  orb->destroy();
}
