// An interface of the classic mapping, written by hand, and an ORB for it.
#pragma once

#include <corbel/poa.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

namespace classic {

struct Undeclared : corbel::cpp::LocalException<Undeclared> {
  static constexpr const char* kName = "Undeclared";
  static constexpr const char* kId = "IDL:Undeclared:1.0";
};

// What the compiler would generate for `interface Echo { string echo(in string text); };`.
class Echo : public virtual CORBA::Object {
 public:
  typedef Echo* _ptr_type;
  typedef corbel::cpp::ObjectVar<Echo> _var_type;
  static constexpr const char* _corbel_id = "IDL:Echo:1.0";
  static Echo* _duplicate(Echo* p) { return corbel::cpp::duplicate(p); }
  static Echo* _narrow(CORBA::Object_ptr object) { return corbel::cpp::narrow<Echo>(object); }
  explicit Echo(corbel::core::Reference* r) : CORBA::Object(r) {}
  void* _corbel_widen(const char* id) override {
    return corbel::cpp::same_id(id, _corbel_id) ? this : Object::_corbel_widen(id);
  }
  char* echo(const char* text) { return call(text, "echo"); }
  char* call(const char* text, const char* name) {
    const corbel::cpp::Operation operation{
        {name, static_cast<std::uint32_t>(std::strlen(name)), false}, nullptr, 0};
    corbel::cpp::Call call(*this, operation);
    call.arguments().put_string(text);
    corbel::cdr::Decoder& in = call.invoke();
    CORBA::String_var result;
    if (!corbel::cpp::get_string(in, result)) call.bad_results();
    return result._retn();
  }
};
typedef corbel::cpp::ObjectVar<Echo> Echo_var;

class POA_Echo : public virtual PortableServer::ServantBase {
 public:
  virtual char* echo(const char* text) = 0;
  Echo* _this() { return corbel::cpp::servant_this<Echo>(this); }
  bool _is_a(const char* id) override { return corbel::cpp::same_id(id, Echo::_corbel_id); }
  const char* _interface_repository_id() const override { return Echo::_corbel_id; }
  void _dispatch(corbel::cpp::Upcall& call) override {
    if (std::strcmp(call.operation(), "echo") != 0) return unknown_operation(call);
    const char* text;
    if (!call.arguments().get_string_view(text)) corbel::cpp::bad_arguments();
    CORBA::String_var result = echo(text);
    call.results().put_string(result.in());
  }
};

struct EchoServant : POA_Echo {
  explicit EchoServant(bool* gone = nullptr) : gone_(gone) {}
  ~EchoServant() override {
    if (gone_) *gone_ = true;
  }
  char* echo(const char* text) override {
    const std::string word = text;
    if (word == "system") throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_YES);
    if (word == "user") throw Undeclared();
    if (word == "memory") throw std::bad_alloc();
    if (word == "foreign") throw std::runtime_error("x");
    if (word == "null") return nullptr;
    if (word == "this") {
      CORBA::Object_var self = _this();
      return CORBA::string_dup(self->_is_equivalent(target.in()) ? "same" : "other");
    }
    if (word == "current") return current();
    if (during) during();
    return CORBA::string_dup(text);
  }
  char* current() {
    CORBA::Object_var object = orb->resolve_initial_references("POACurrent");
    PortableServer::Current_var current = PortableServer::Current::_narrow(object.in());
    PortableServer::POA_var poa = current->get_POA();
    PortableServer::ObjectId_var id = current->get_object_id();
    PortableServer::ServantBase_var servant = current->get_servant();
    CORBA::Object_var reference = current->get_reference();
    EXPECT_EQ(servant.in(), this);
    EXPECT_TRUE(reference->_is_equivalent(target.in()));
    CORBA::String_var name = poa->the_name(), text = PortableServer::ObjectId_to_string(id.in());
    return CORBA::string_dup((std::string(name.in()) + "/" + text.in()).c_str());
  }

  CORBA::ORB_ptr orb = nullptr;  // borrowed
  CORBA::Object_var target;
  void (*during)() = nullptr;

 private:
  bool* gone_;
};

struct Classic : testing::Test {
  Classic() {
    int argc = 0;
    orb = CORBA::ORB_init(argc, nullptr, "classic-test");
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
  }
  ~Classic() override {
    root = PortableServer::POA::_nil();
    orb->destroy();
  }
  PortableServer::POA_var make(const char* name, const CORBA::PolicyList& policies) {
    PortableServer::POAManager_var manager = root->the_POAManager();
    return root->create_POA(name, manager.in(), policies);
  }
  PortableServer::POA_var user_ids(const char* name) {
    CORBA::PolicyList policies(1);
    policies.length(1);
    policies[0] = root->create_id_assignment_policy(PortableServer::USER_ID);
    return make(name, policies);
  }
  CORBA::ORB_var orb;
  PortableServer::POA_var root;
};

template <typename Exception>
Exception thrown(Echo* echo, const char* text, const char* operation = "echo") {
  try {
    CORBA::String_var result = echo->call(text, operation);
  } catch (const Exception& e) {
    return e;
  } catch (const CORBA::Exception& e) {
    ADD_FAILURE() << e.what();
    return Exception();
  }
  ADD_FAILURE() << "nothing was thrown";
  return Exception();
}

}  // namespace classic
