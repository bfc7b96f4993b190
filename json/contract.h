// What a compiled contract is to this library.
#pragma once

#include <corbel/json.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace corbel::json {

struct Parameter {
  std::string name;
  CORBA::Flags mode;
  CORBA::TypeCode_var type;
};

struct Operation {
  std::string name;  // as on the wire
  bool oneway = false;
  CORBA::TypeCode_var result;
  std::vector<Parameter> parameters;
  std::vector<CORBA::TypeCode_var> raises;
  std::vector<std::string> contexts;
};

struct Interface {
  std::string name;                                       // without the colons in front
  std::vector<const std::vector<Operation>*> operations;  // those of each ancestor, then its own
};

struct Contract::Parts : std::enable_shared_from_this<Contract::Parts> {
  std::deque<std::vector<Operation>> operations;  // of one interface each, for it and all that derive from it
  std::vector<Interface> interfaces;
  std::map<std::string, std::size_t> places;         // of interfaces, by name and by id
  std::map<std::string, CORBA::TypeCode_var> types;  // the same of types

  // Error unless it is there.
  const Interface& interface(const std::string& name) const;
  const Operation& operation(const Interface& interface, const std::string& name) const;
};

}  // namespace corbel::json
