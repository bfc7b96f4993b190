// Requests to an object of another ORB, in every version of GIOP.
#pragma once

#include <corbel/dynamic.h>
#include <gtest/gtest.h>

#include <string>

#include "contract.any.h"
#include "tests/calls/everything.h"
#include "tests/dynamic/outcomes.h"

// How it ended.
inline std::string exception_of(CORBA::Request_ptr request) {
  CORBA::Exception* const e = request->env()->exception();
  if (!e) return "none";
  const auto* const standard = CORBA::SystemException::_downcast(e);
  return standard ? text_of(*standard) : e->_name();
}

class Requests : public testing::TestWithParam<const char*> {
 protected:
  TwoOrbs orbs{"pool", GetParam()};
  Contract::Everything_ptr it = orbs.everything.in();
  CORBA::Request_var request(const char* operation) { return it->_request(operation); }
};
