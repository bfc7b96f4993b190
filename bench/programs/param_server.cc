// The server of the papers' contract: each operation gives its argument back in every way. Prints its
// reference, serves until `stop`.
#include <corbel/poa.h>

#include <cstdio>

#include "param.skel.h"

namespace {

class Servant : public POA_Param_Calls {
 public:
  explicit Servant(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}

  void ping() override {}
  void stop() override { orb_->shutdown(false); }

  CORBA::Short test_short(CORBA::Short s1, CORBA::Short& s2, CORBA::Short& s3) override {
    return s2 = s3 = s1;
  }
  char* test_unbounded_string(const char* s1, char*& s2, CORBA::String_out s3) override {
    CORBA::string_free(s2);
    s2 = CORBA::string_dup(s1);
    s3 = CORBA::string_dup(s1);
    return CORBA::string_dup(s1);
  }
  Param_Test::Fixed_Struct test_fixed_struct(const Param_Test::Fixed_Struct& s1, Param_Test::Fixed_Struct& s2,
                                             Param_Test::Fixed_Struct& s3) override {
    return s2 = s3 = s1;
  }
  Param_Test::StrSeq* test_strseq(const Param_Test::StrSeq& s1, Param_Test::StrSeq& s2,
                                  Param_Test::StrSeq_out s3) override {
    return copied(s1, s2, s3);
  }
  Param_Test::Var_Struct* test_var_struct(const Param_Test::Var_Struct& s1, Param_Test::Var_Struct& s2,
                                          Param_Test::Var_Struct_out s3) override {
    return copied(s1, s2, s3);
  }
  Param_Test::Nested_Struct* test_nested_struct(const Param_Test::Nested_Struct& s1,
                                                Param_Test::Nested_Struct& s2,
                                                Param_Test::Nested_Struct_out s3) override {
    return copied(s1, s2, s3);
  }
  Param_Test::StructSeq* test_struct_sequence(const Param_Test::StructSeq& s1, Param_Test::StructSeq& s2,
                                              Param_Test::StructSeq_out s3) override {
    return copied(s1, s2, s3);
  }

 private:
  template <class T, class Out>
  static T* copied(const T& s1, T& s2, Out& s3) {
    s2 = s1;
    s3 = new T(s1);
    return new T(s1);
  }

  CORBA::ORB_var orb_;
};

void serve(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var manager = poa->the_POAManager();
  auto* const servant = new Servant(orb);
  PortableServer::ServantBase_var owner(servant);
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var reference = poa->id_to_reference(id.in());
  const CORBA::String_var text = orb->object_to_string(reference.in());
  std::puts(text.in());
  std::fflush(stdout);
  manager->activate();
  orb->run();
  orb->destroy();
}

}  // namespace

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  serve(orb.in());
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "param-server: %s\n", error._rep_id());
  return 1;
}
