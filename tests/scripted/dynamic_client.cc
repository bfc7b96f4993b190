// Of scripted-client's operations some, called without stubs; and any() and wide(), which the contract does
// not have. SCRIPTED_SEND: `deferred` and `polled` are other ways to wait for replies.
#include <corbel/dynamic.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

#include "contract.any.h"
#include "tests/calls/everything.h"
#include "tests/scripted/lines.h"

namespace {

std::string told(const CORBA::Any& value) {
  const char* text;
  CORBA::Long number;
  const Contract::Longs* numbers;
  if (value >>= text) return hex(text);
  if (value >>= number) return std::to_string(number);
  if (!(value >>= numbers)) return "";
  std::string list = "[";
  for (CORBA::ULong i = 0; i < numbers->length(); ++i)
    list += (i == 0 ? "" : ",") + std::to_string((*numbers)[i]);
  return list + "]";
}

std::string told(CORBA::Exception* raised) {
  const Contract::Refused* refused;
  const Contract::Empty* empty;
  if (auto* const unknown = CORBA::UnknownUserException::_downcast(raised)) {
    if (unknown->exception() >>= refused)
      return "ok Refused " + hex(refused->why.in()) + " " + std::to_string(refused->code);
    return (unknown->exception() >>= empty) ? "ok Empty" : "raised other";
  }
  const auto* const standard = CORBA::SystemException::_downcast(raised);
  if (!standard) return std::string("raised ") + raised->_rep_id();
  return std::string("raised ") + standard->_rep_id() + " " + std::to_string(standard->minor()) + " " +
         completion(standard->completed());
}

void send(CORBA::Request_ptr request) {
  const char* const text = std::getenv("SCRIPTED_SEND");
  const std::string how = text ? text : "";
  if (how != "deferred" && how != "polled") return request->invoke();
  request->send_deferred();
  if (how == "polled")
    while (!request->poll_response()) std::this_thread::yield();
  request->get_response();
}

std::string call(CORBA::Object_ptr target, const std::string& operation, const std::string& argument) {
  CORBA::Request_var request = target->_request(operation == "longs" ? "give_longs" : operation.c_str());
  if (operation == "text" || operation == "longs") {
    CORBA::Any value;
    if (operation == "text") value <<= unhex(argument).c_str();
    else value <<= Contract::Longs();
    CORBA::TypeCode_var type = value.type();
    request->add_in_arg() = value;
    request->add_inout_arg() = value;
    request->add_out_arg().replace(type, nullptr);
    request->set_return_type(type);
  } else if (operation == "plus" || operation == "refuse") {
    request->add_in_arg() <<= static_cast<CORBA::Long>(std::stol(argument));
    if (operation == "plus") request->set_return_type(CORBA::_tc_long);
  } else if (operation == "any") {
    request->set_return_type(CORBA::_tc_any);
  } else if (operation == "wide") {
    std::wstring wide;
    for (const char c : unhex(argument)) wide += static_cast<unsigned char>(c);
    request->add_in_arg() <<= wide.c_str();
  }
  if (operation == "refuse") {
    request->exceptions()->add(Contract::_tc_Refused);
    request->exceptions()->add(Contract::_tc_Empty);
  }
  try {
    send(request);
  } catch (const CORBA::SystemException& e) {  // what the reply is like is told by env() alone
    return std::string("thrown ") + e._rep_id();
  }
  if (CORBA::Exception* const raised = request->env()->exception()) return told(raised);
  std::string results = "ok " + told(request->return_value());
  for (CORBA::ULong i = 1; i < request->arguments()->count(); ++i)
    results += " " + told(*request->arguments()->item(i)->value());
  return results;
}

}  // namespace

int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  CORBA::Object_var target;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string tag, operation, argument;
    words >> tag >> operation >> argument;
    std::string answer = "ok ";
    if (operation == "use") target = orb->string_to_object(argument.c_str());
    else answer = call(target, operation, argument);
    std::cout << tag << ' ' << answer << std::endl;
  }
  orb->destroy();
}
