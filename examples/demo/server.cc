// Serves a Param_Test and a ttcp_sequence; prints their references, a line each.
#include <corbel/poa.h>

#include <iostream>

#include "param_test.skel.h"
#include "ttcp_sequence.skel.h"

// Every operation gives its first argument back in the three other places.
class ParamTestServant : public POA_Param_Test {
  template <typename T, typename Out>
  static T* give(const T& in, T& inout, Out& out) {
    inout = in;
    out = new T(in);
    return new T(in);
  }

 public:
  CORBA::Short test_short(CORBA::Short s1, CORBA::Short& s2, CORBA::Short_out s3) override {
    return s2 = s3 = s1;
  }
  char* test_unbounded_string(const char* s1, char*& s2, CORBA::String_out s3) override {
    CORBA::string_free(s2);
    s2 = CORBA::string_dup(s1);
    s3 = CORBA::string_dup(s1);
    return CORBA::string_dup(s1);
  }
  Param_Test::Fixed_Struct test_fixed_struct(const Param_Test::Fixed_Struct& s1, Param_Test::Fixed_Struct& s2,
                                             Param_Test::Fixed_Struct_out s3) override {
    return s2 = s3 = s1;
  }
  Param_Test::StrSeq* test_strseq(const Param_Test::StrSeq& s1, Param_Test::StrSeq& s2,
                                  Param_Test::StrSeq_out s3) override {
    return give(s1, s2, s3);
  }
  Param_Test::Var_Struct* test_var_struct(const Param_Test::Var_Struct& s1, Param_Test::Var_Struct& s2,
                                          Param_Test::Var_Struct_out s3) override {
    return give(s1, s2, s3);
  }
  Param_Test::Nested_Struct* test_nested_struct(const Param_Test::Nested_Struct& s1,
                                                Param_Test::Nested_Struct& s2,
                                                Param_Test::Nested_Struct_out s3) override {
    return give(s1, s2, s3);
  }
  Param_Test::StructSeq* test_struct_sequence(const Param_Test::StructSeq& s1, Param_Test::StructSeq& s2,
                                              Param_Test::StructSeq_out s3) override {
    return give(s1, s2, s3);
  }
};

class TtcpServant : public POA_ttcp_sequence {
 public:
  void sendShortSeq(const ttcp_sequence::ShortSeq&) override {}
  void sendLongSeq(const ttcp_sequence::LongSeq&) override {}
  void sendDoubleSeq(const ttcp_sequence::DoubleSeq&) override {}
  void sendCharSeq(const ttcp_sequence::CharSeq&) override {}
  void sendOctetSeq(const ttcp_sequence::OctetSeq&) override {}
  void sendStructSeq(const ttcp_sequence::StructSeq&) override {}
  void start_timer() override {}
  void stop_timer() override {}
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::Servant_var<ParamTestServant> param_test = new ParamTestServant;
    PortableServer::Servant_var<TtcpServant> ttcp = new TtcpServant;
    for (PortableServer::ServantBase* servant : {static_cast<PortableServer::ServantBase*>(param_test.in()),
                                                 static_cast<PortableServer::ServantBase*>(ttcp.in())}) {
      PortableServer::ObjectId_var id = poa->activate_object(servant);
      CORBA::Object_var reference = poa->id_to_reference(id.in());
      CORBA::String_var text = orb->object_to_string(reference);
      std::cout << text.in() << std::endl;
    }
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    orb->run();
  } catch (const CORBA::Exception& e) {
    std::cerr << e._name() << '\n';
    return 1;
  }
}
