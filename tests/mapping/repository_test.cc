// Objects of the interface repository in real calls, and the structures that refer to them.
#include <corbel/dynamic.h>
#include <corbel/idl/ir.any.h>
#include <corbel/idl/ir.skel.h>
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include "pair.h"
#include "repository.skel.h"

namespace {

class Primitive : public POA_CORBA::PrimitiveDef {
 public:
  CORBA::DefinitionKind def_kind() override { return CORBA::dk_Primitive; }
  void destroy() override { throw CORBA::BAD_INV_ORDER(); }
  CORBA::TypeCode_ptr type() override { return CORBA::TypeCode::_duplicate(CORBA::_tc_long); }
  CORBA::PrimitiveKind kind() override { return CORBA::pk_long; }
};

class Server : public POA_Descriptions::Server {
 public:
  CORBA::StructMemberSeq* pass_structs(const CORBA::StructMemberSeq& a) override {
    return new CORBA::StructMemberSeq(a);
  }
  CORBA::UnionMemberSeq* pass_unions(const CORBA::UnionMemberSeq& a) override {
    return new CORBA::UnionMemberSeq(a);
  }
  CORBA::ValueMemberSeq* pass_values(const CORBA::ValueMemberSeq& a) override {
    return new CORBA::ValueMemberSeq(a);
  }
  CORBA::EnumMemberSeq* pass_enums(const CORBA::EnumMemberSeq& a) override {
    return new CORBA::EnumMemberSeq(a);
  }
  CORBA::IDLType_ptr pass_type(CORBA::IDLType_ptr a) override { return CORBA::IDLType::_duplicate(a); }
  CORBA::InterfaceDef_ptr pass_interface(CORBA::InterfaceDef_ptr a) override {
    return CORBA::InterfaceDef::_duplicate(a);
  }
  CORBA::PolicyList* pass_policies(const CORBA::PolicyList& a, Descriptions::Policies& b) override {
    auto* const list = new CORBA::PolicyList(b.list);
    b.list = a;
    return list;
  }
  CORBA::Any* pass_any(const CORBA::Any& a) override { return new CORBA::Any(a); }
};

// As much of an interface repository as other ORBs ask.
class Finder : public POA_Descriptions::Finder {
 public:
  explicit Finder(CORBA::Object_ptr known) : known_(CORBA::Object::_duplicate(known)) {}
  CORBA::Object_ptr lookup_id(const char* id) override {
    const bool is_server = std::string(id) == "IDL:Descriptions/Server:1.0";
    return is_server ? CORBA::Object::_duplicate(known_) : CORBA::Object::_nil();
  }

 private:
  CORBA::Object_var known_;
};

// As much of an operation's definition as a list of its parameters takes.
class Operation : public PortableServer::DynamicImplementation {
 public:
  explicit Operation(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  void invoke(CORBA::ServerRequest_ptr request) override {
    if (std::string(request->operation()) != "_get_params") throw CORBA::BAD_OPERATION();
    CORBA::NVList_ptr none;
    orb_->create_list(0, none);
    request->arguments(none);
    CORBA::ParDescriptionSeq parameters;
    parameters.length(3);
    const char* const names[] = {"a", "b", "c"};
    const CORBA::ParameterMode modes[] = {CORBA::PARAM_IN, CORBA::PARAM_OUT, CORBA::PARAM_INOUT};
    CORBA::TypeCode_ptr const types[] = {CORBA::_tc_long, CORBA::_tc_string, CORBA::_tc_any};
    for (CORBA::ULong i = 0; i < 3; ++i) {
      parameters[i].name = names[i];
      parameters[i].mode = modes[i];
      parameters[i].type = CORBA::TypeCode::_duplicate(types[i]);
    }
    CORBA::Any result;
    result <<= parameters;
    request->set_result(result);
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:omg.org/CORBA/OperationDef:1.0");
  }

 private:
  CORBA::ORB_var orb_;
};

class Repository : public testing::TestWithParam<Place> {
 protected:
  Repository() {
    PortableServer::Servant_var<Server> server = new Server;
    it = pair.activate<Descriptions::Server>(server.in());
    PortableServer::Servant_var<Primitive> primitive = new Primitive;
    type = pair.activate<CORBA::PrimitiveDef>(primitive.in());
  }
  Pair pair{GetParam()};
  Descriptions::Server_var it;
  CORBA::PrimitiveDef_var type;
};
INSTANTIATE_TEST_SUITE_P(Places, Repository, testing::Values(Place::Remote, Place::Collocated), place_name);

TEST_P(Repository, ObjectsAreCalledByTheirBases) {
  CORBA::IDLType_var passed = it->pass_type(type.in());
  CORBA::TypeCode_var code = passed->type();
  EXPECT_EQ(code->kind(), CORBA::tk_long);
  CORBA::IRObject_var object = CORBA::IRObject::_narrow(passed.in());
  ASSERT_FALSE(CORBA::is_nil(object.in()));
  EXPECT_EQ(object->def_kind(), CORBA::dk_Primitive);
  EXPECT_THROW(object->destroy(), CORBA::BAD_INV_ORDER);
  CORBA::PrimitiveDef_var again = CORBA::PrimitiveDef::_narrow(object.in());
  EXPECT_EQ(again->kind(), CORBA::pk_long);
  CORBA::InterfaceDef_var none = it->pass_interface(CORBA::InterfaceDef::_nil());
  EXPECT_TRUE(CORBA::is_nil(none.in()));
}

TEST_P(Repository, MembersReferToTypes) {
  CORBA::StructMemberSeq structs(1);
  structs.length(1);
  structs[0].name = "first";
  structs[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  structs[0].type_def = CORBA::IDLType::_duplicate(type.in());
  const CORBA::StructMemberSeq copy(structs);
  CORBA::StructMemberSeq_var same = it->pass_structs(copy);
  ASSERT_EQ(same->length(), 1u);
  EXPECT_STREQ(same[0u].name.in(), "first");
  EXPECT_TRUE(same[0u].type->equal(CORBA::_tc_long));
  ASSERT_FALSE(CORBA::is_nil(same[0u].type_def.in()));
  EXPECT_EQ(same[0u].type_def->def_kind(), CORBA::dk_Primitive);

  CORBA::UnionMemberSeq unions(1);
  unions.length(1);
  unions[0].name = "branch";
  unions[0].label <<= CORBA::Long{4};
  unions[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_string);
  CORBA::UnionMemberSeq_var branches = it->pass_unions(unions);
  ASSERT_EQ(branches->length(), 1u);
  EXPECT_STREQ(branches[0u].name.in(), "branch");
  CORBA::Long label = 0;
  EXPECT_TRUE(branches[0u].label >>= label);
  EXPECT_EQ(label, 4);
  EXPECT_TRUE(CORBA::is_nil(branches[0u].type_def.in()));
}

TEST_P(Repository, MembersOfValuesAndEnumsPass) {
  CORBA::ValueMemberSeq values(1);
  values.length(1);
  values[0].name = "state";
  values[0].id = "IDL:V/state:1.0";
  values[0].defined_in = "IDL:V:1.0";
  values[0].version = "1.0";
  values[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_double);
  values[0].type_def = CORBA::IDLType::_duplicate(type.in());
  values[0].access = CORBA::PUBLIC_MEMBER;
  CORBA::ValueMemberSeq_var same = it->pass_values(values);
  ASSERT_EQ(same->length(), 1u);
  EXPECT_STREQ(same[0u].name.in(), "state");
  EXPECT_STREQ(same[0u].id.in(), "IDL:V/state:1.0");
  EXPECT_STREQ(same[0u].defined_in.in(), "IDL:V:1.0");
  EXPECT_STREQ(same[0u].version.in(), "1.0");
  EXPECT_TRUE(same[0u].type->equal(CORBA::_tc_double));
  EXPECT_EQ(same[0u].access, CORBA::PUBLIC_MEMBER);
  EXPECT_TRUE(type->_is_equivalent(same[0u].type_def.in()));
  CORBA::EnumMemberSeq enums(2);
  enums.length(2);
  enums[1] = "green";
  CORBA::EnumMemberSeq_var names = it->pass_enums(enums);
  ASSERT_EQ(names->length(), 2u);
  EXPECT_STREQ(names[1u], "green");
}

TEST_P(Repository, ObjectsPassInAnAny) {
  CORBA::Any any;
  any <<= CORBA::IDLType_ptr(type.in());
  CORBA::Any_var back = it->pass_any(any);
  CORBA::IDLType_ptr found = CORBA::IDLType::_nil();
  ASSERT_TRUE(*back >>= found);
  EXPECT_TRUE(type->_is_equivalent(found));
  CORBA::TypeCode_var code = back->type();
  EXPECT_STREQ(code->id(), "IDL:omg.org/CORBA/IDLType:1.0");
}

TEST_P(Repository, ListsOfPoliciesPassWithoutLocalOnes) {
  CORBA::PolicyList two(2);
  two.length(2);
  Descriptions::Policies empty;
  CORBA::PolicyList_var none = it->pass_policies(two, empty);
  EXPECT_EQ(none->length(), 0u);
  EXPECT_EQ(empty.list.length(), 2u);
  CORBA::Object_var object = pair.client->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  two[1] = poa->create_lifespan_policy(PortableServer::TRANSIENT);
  EXPECT_THROW(none = it->pass_policies(two, empty), CORBA::MARSHAL);
}

CORBA::ULong minor_of_interface(CORBA::Object_ptr object) {
  try {
    CORBA::InterfaceDef_var found = object->_get_interface();
  } catch (const CORBA::INTF_REPOS& e) {
    return e.minor();
  }
  return 0;
}

TEST_P(Repository, OperationsTellTheirParameters) {
  PortableServer::Servant_var<Operation> servant = new Operation(pair.server);
  CORBA::OperationDef_var operation = pair.activate<CORBA::OperationDef>(servant);
  CORBA::NVList_var list;
  pair.client->create_operation_list(operation, list);
  ASSERT_EQ(list->count(), 3u);
  EXPECT_STREQ(list->item(1)->name(), "b");
  EXPECT_EQ(list->item(0)->flags(), CORBA::ARG_IN);
  EXPECT_EQ(list->item(1)->flags(), CORBA::ARG_OUT);
  EXPECT_EQ(list->item(2)->flags(), CORBA::ARG_INOUT);
  CORBA::TypeCode_var type = list->item(1)->value()->type();
  EXPECT_TRUE(type->equal(CORBA::_tc_string));
  EXPECT_THROW(pair.client->create_operation_list(nullptr, list), CORBA::BAD_PARAM);
}

TEST_P(Repository, ObjectsAreAskedForTheirInterface) {
  EXPECT_EQ(minor_of_interface(it), 0x4f4d0001u) << "none is known";
  PortableServer::Servant_var<Finder> servant = new Finder(type);
  Descriptions::Finder_var finder = pair.activate<Descriptions::Finder>(servant.in());
  CORBA::String_var text = pair.client->object_to_string(finder);
  CORBA::Object_var known = pair.server->string_to_object(text);
  pair.server->register_initial_reference("InterfaceRepository", known);
  CORBA::InterfaceDef_var found = it->_get_interface();
  EXPECT_TRUE(type->_is_equivalent(found));
  EXPECT_EQ(minor_of_interface(type), 0x4f4d0002u) << "it is not in the repository";
  CORBA::Object_var component = it->_get_component();
  EXPECT_TRUE(CORBA::is_nil(component));
}

}  // namespace
