// What interceptors may ask of a call whose caller, or of a request whose servant, knows its types at run
// time only: Request and ServerRequest.
#pragma once

#include <string>
#include <vector>

#include <corbel/cpp/any.h>

namespace corbel::cpp {

// Each gives false for what is not known, or not known yet.
class DescribedCall {
 public:
  struct Argument {
    CORBA::Any value;  // none of one that has not come out yet
    CORBA::Flags flags;
  };
  // `replied`: those that come out are there.
  virtual bool tell_arguments(bool replied, std::vector<Argument>& arguments) = 0;
  // Of no type if there is none.
  virtual bool tell_result(CORBA::Any& result) = 0;
  // The user exception that took the place of the result.
  virtual bool tell_exception(CORBA::Any& exception) = 0;
  // Those that may; the call's.
  virtual bool tell_exceptions(std::vector<CORBA::TypeCode_ptr>& types) = 0;
  // The names that the operation's context clause lists, and what goes with the request: names and values in
  // turns.
  virtual bool tell_contexts(std::vector<std::string>& names) = 0;
  virtual bool tell_context(std::vector<std::string>& pairs) = 0;

 protected:
  DescribedCall() = default;
  ~DescribedCall() = default;
};

}  // namespace corbel::cpp
