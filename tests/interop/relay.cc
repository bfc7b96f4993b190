// relay IDL INTERFACE IOR serves an object that has no skeleton, and does what it is asked for by calling
// another one, without stubs: what the interface is it learns from the contract's text. With
// CORBEL_TEST_DEFERRED in the environment its calls are deferred ones. Prints its reference, runs until its
// input ends.
#include <cstdlib>
#include <string>
#include <utility>

#include <corbel/dynamic.h>

#include "json/contract.h"
#include "tests/interop/serve.h"

namespace {

namespace json = corbel::json;

class Relay : public PortableServer::DynamicImplementation {
 public:
  Relay(CORBA::ORB_ptr orb, json::Contract contract, std::string interface, CORBA::Object_ptr target)
      : orb_(CORBA::ORB::_duplicate(orb)),
        contract_(std::move(contract)),
        interface_(contract_.parts().interface(interface)),
        target_(CORBA::Object::_duplicate(target)) {}

  void invoke(CORBA::ServerRequest_ptr call) override {
    const json::Operation& operation = named(call->operation());
    CORBA::NVList_ptr parameters;
    orb_->create_list(0, parameters);
    for (const json::Parameter& p : operation.parameters)
      parameters->add_item(p.name.c_str(), p.mode)->value()->replace(p.type.in(), nullptr);
    CORBA::NVList_ptr const arguments = parameters;
    call->arguments(parameters);
    CORBA::Request_var request = target_->_request(operation.name.c_str());
    for (const CORBA::TypeCode_var& type : operation.raises) request->exceptions()->add(type.in());
    request->set_return_type(operation.result.in());
    for (CORBA::ULong i = 0; i < arguments->count(); ++i)
      request->arguments()->add_value("", *arguments->item(i)->value(), arguments->item(i)->flags());
    if (!operation.contexts.empty()) {
      for (const std::string& name : operation.contexts) request->contexts()->add(name.c_str());
      request->ctx(call->ctx());
    }
    if (operation.oneway) return request->send_oneway();
    if (deferred_) {
      request->send_deferred();
      request->get_response();
    } else {
      request->invoke();
    }
    if (CORBA::Exception* const raised = request->env()->exception()) {
      auto* const user = CORBA::UnknownUserException::_downcast(raised);
      if (!user) raised->_raise();
      return call->set_exception(user->exception());
    }
    for (CORBA::ULong i = 0; i < arguments->count(); ++i)
      if (arguments->item(i)->flags() != CORBA::ARG_IN)
        *arguments->item(i)->value() = *request->arguments()->item(i)->value();
    if (operation.result->kind() != CORBA::tk_void) call->set_result(request->return_value());
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    std::string id = "IDL:" + interface_.name + ":1.0";
    for (std::size_t at; (at = id.find("::")) != std::string::npos;) id.replace(at, 2, "/");
    return CORBA::string_dup(id.c_str());
  }
  CORBA::Boolean _is_a(const char* repository_id) override { return target_->_is_a(repository_id); }

 private:
  const json::Operation& named(const char* name) const {
    for (const std::vector<json::Operation>* const ancestors : interface_.operations)
      for (const json::Operation& operation : *ancestors)
        if (operation.name == name) return operation;
    throw CORBA::BAD_OPERATION(0, CORBA::COMPLETED_NO);
  }

  const CORBA::ORB_var orb_;
  const json::Contract contract_;
  const json::Interface& interface_;
  const CORBA::Object_var target_;
  const bool deferred_ = std::getenv("CORBEL_TEST_DEFERRED") != nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  return serve(argc, argv, [&](CORBA::ORB_ptr orb, PortableServer::POA_ptr poa) {
    CORBA::Object_var target = orb->string_to_object(argv[3]);
    return activated(poa, new Relay(orb, json::Contract::of_file(argv[1]), argv[2], target.in()));
  });
}
