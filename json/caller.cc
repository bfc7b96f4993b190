#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "json/convert.h"

namespace corbel::json {
namespace {

// The values of the parameters that go in: by name, or in their order.
class Arguments {
 public:
  Arguments(Json json, const Operation& operation) : json_(std::move(json)) {
    const auto in = std::count_if(operation.parameters.begin(), operation.parameters.end(),
                                  [](const Parameter& p) { return (p.mode & CORBA::ARG_IN) != 0; });
    const Path root("$");
    if (json_.is_array()) {
      if (json_.size() != static_cast<std::size_t>(in))
        root.fail("operation '" + operation.name + "' takes " + std::to_string(in) + " arguments, not " +
                  std::to_string(json_.size()));
      return;
    }
    if (!json_.is_object()) root.fail("expected an object of arguments, or an array");
    for (const auto& [key, ignored] : json_.items()) {
      const std::string& name = key;
      const bool known = std::any_of(
          operation.parameters.begin(), operation.parameters.end(),
          [&name](const Parameter& p) { return p.name == name && (p.mode & CORBA::ARG_IN) != 0; });
      if (!known) Path(root, name.c_str()).fail("operation '" + operation.name + "' takes no such argument");
    }
  }

  CORBA::Any next(const Parameter& p, const Contract::Parts& contract, CORBA::ORB_ptr orb) {
    const Path root("$");
    if (json_.is_array()) {
      const std::size_t i = next_++;
      return argument_of(json_[i], *p.type.in(), contract, orb, Path(root, i));
    }
    const auto found = json_.find(p.name);
    if (found == json_.end()) root.fail("argument '" + p.name + "' is missing");
    return argument_of(*found, *p.type.in(), contract, orb, Path(root, p.name.c_str()));
  }

 private:
  const Json json_;
  std::size_t next_ = 0;
};

const char* completion_of(CORBA::CompletionStatus status) {
  return status == CORBA::COMPLETED_YES ? "yes" : status == CORBA::COMPLETED_NO ? "no" : "maybe";
}

Json of_exception(CORBA::Exception& raised, const Contract::Parts& contract, CORBA::ORB_ptr orb) {
  Json made;
  if (auto* const user = CORBA::UnknownUserException::_downcast(&raised)) {
    const types::TypeCode& type = *types::resolve(&user->exception()._corbel_type());
    made = {{"kind", "user"}, {"id", type.id}};
    made["members"] = json_of(user->exception(), contract, orb, Path("$.exception.members"));
    return made;
  }
  made = {{"kind", "system"}, {"id", raised._rep_id()}};
  if (auto* const standard = CORBA::SystemException::_downcast(&raised)) {
    made["minor"] = standard->minor();
    made["completed"] = completion_of(standard->completed());
    if (const char* const detail = standard->_corbel_error().detail; detail && *detail != '\0')
      made["detail"] = detail;
  }
  return made;
}

void check_travels(const types::TypeCode& type, const Path& at) {
  if (types::resolve(&type)->kind == types::Kind::Native)
    at.fail("values of this type are not sent (it is native, or holds a map)");
}

CORBA::Request_ptr request_of(CORBA::Object_ptr object, const Operation& operation, CORBA::ORB_ptr orb) {
  const Path root("$");
  check_travels(*operation.result.in(), Path(root, "result"));
  for (const Parameter& p : operation.parameters) check_travels(*p.type.in(), Path(root, p.name.c_str()));
  const Path raises(root, "raises");
  for (const CORBA::TypeCode_var& type : operation.raises)
    check_travels(*type.in(), Path(raises, types::resolve(type.in())->name));
  CORBA::Request_var request = object->_request(operation.name.c_str());
  for (const CORBA::TypeCode_var& type : operation.raises) request->exceptions()->add(type.in());
  for (const std::string& name : operation.contexts) request->contexts()->add(name.c_str());
  if (!operation.contexts.empty()) {
    CORBA::Context_var context;
    orb->get_default_context(context);
    request->ctx(context.in());
  }
  request->set_return_type(operation.result.in());
  return request._retn();
}

}  // namespace

// Two members of one name would be read as the last by some and as the first by others, so that what one of
// them has checked is not what the other one calls.
Json parse(const std::string& text) {
  std::vector<std::set<std::string>> names;  // of the objects that are open
  const auto watch = [&names](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kDeepest) throw Error("$", "the text nests too deep");
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event != Json::parse_event_t::key) return true;
    if (!names.back().insert(parsed.get<std::string>()).second)
      throw Error("$", "an object has two members " + text_of(parsed));
    if (names.back().size() > kMostMembers) throw Error("$", "an object has too many members");
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::out_of_range&) {
    throw Error("$", "a number in the text is too large");
  } catch (const Json::exception& e) {
    throw Error("$", std::string("the text is no JSON: ") + e.what());
  }
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Caller::Caller(CORBA::ORB_ptr orb, Contract contract)
    : orb_(CORBA::ORB::_duplicate(orb)), contract_(std::move(contract)) {}

std::string Caller::call(CORBA::Object_ptr object, const std::string& interface, const std::string& name,
                         const std::string& arguments) const {
  const Contract::Parts& contract = contract_.parts();
  const Operation& operation = contract.operation(contract.interface(interface), name);
  if (CORBA::is_nil(object)) throw Error("", "the object is nil");
  Arguments given(parse(arguments), operation);
  CORBA::Request_var request = request_of(object, operation, orb_.in());
  for (const Parameter& p : operation.parameters) {
    CORBA::NamedValue_ptr const argument = request->arguments()->add_item(p.name.c_str(), p.mode);
    if ((p.mode & CORBA::ARG_IN) != 0) *argument->value() = given.next(p, contract, orb_.in());
    else argument->value()->replace(p.type.in(), nullptr);
  }
  if (operation.oneway) request->send_oneway();
  else request->invoke();
  Json reply = Json::object();
  if (CORBA::Exception* const raised = request->env()->exception()) {
    reply["exception"] = of_exception(*raised, contract, orb_.in());
    return text_of(reply);
  }
  if (operation.oneway) return text_of(reply);
  const Path root("$");
  if (types::resolve(operation.result.in())->kind != types::Kind::Void)
    reply["result"] = json_of(request->return_value(), contract, orb_.in(), Path(root, "result"));
  const Path out(root, "out");
  for (CORBA::ULong i = 0; i < request->arguments()->count(); ++i) {
    CORBA::NamedValue_ptr const argument = request->arguments()->item(i);
    if ((argument->flags() & CORBA::ARG_OUT) != 0)
      reply["out"][argument->name()] =
          json_of(*argument->value(), contract, orb_.in(), Path(out, argument->name()));
  }
  return text_of(reply);
}

std::string Caller::to_json(const CORBA::Any& any) const {
  return text_of(json_of(any, contract_.parts(), orb_.in(), Path("$")));
}

CORBA::Any Caller::from_json(CORBA::TypeCode_ptr type, const std::string& json) const {
  if (CORBA::is_nil(type)) throw CORBA::BAD_PARAM();
  return any_of(parse(json), *type, contract_.parts(), orb_.in(), Path("$"));
}

}  // namespace corbel::json
