// Any octets where a dynamic servant, or a dynamic caller, waits for a value of any type: taken, or refused
// with a standard exception, and both sides go on.
#include <corbel/dynamic.h>
#include <gtest/gtest.h>

#include <mutex>
#include <random>
#include <string>

#include "any.any.h"
#include "contract.any.h"
#include "tests/calls/everything.h"
#include "tests/dynamic/raw.h"
#include "tests/unit/types/oracle.h"

namespace {

constexpr std::uint32_t kRounds = 400;

// A type, and octets that are a value of it, or were one.
struct Case {
  explicit Case(std::uint32_t seed) : random(seed), types(random) {
    type = static_cast<CORBA::TypeCode*>(corbel::types::copy(types.any_type(3)));
    Wire wire(corbel::cdr::kHostIsLittleEndian);
    oracle::ValueWriter(wire, seed).value(*type.in());
    octets = wire.bytes.substr(0, 8192);
    if (octets.empty()) octets = "x";
    for (std::uint32_t i = 0, n = static_cast<std::uint32_t>(random() % 4); i < n; ++i)
      octets[random() % octets.size()] = static_cast<char>(random());
    if (random() % 3 == 0) octets.resize(1 + random() % octets.size());
  }
  std::mt19937 random;
  oracle::Types types;
  CORBA::TypeCode_var type;
  std::string octets;
};

// Takes an argument of a type, or gives a result.
class Servant : public PortableServer::DynamicImplementation {
 public:
  explicit Servant(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  void invoke(CORBA::ServerRequest_ptr request) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    CORBA::NVList_ptr parameters;
    orb_->create_list(0, parameters);
    const bool takes = std::string(request->operation()) == "take";
    if (takes) parameters->add(CORBA::ARG_IN)->value()->replace(type_.in(), nullptr);
    request->arguments(parameters);
    if (!takes) request->set_result(result_);
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:Hostile:1.0");
  }
  void take(const CORBA::TypeCode_var& type) {
    const std::lock_guard<std::mutex> lock(mutex_);
    type_ = type;
  }
  void give(const CORBA::Any& result) {
    const std::lock_guard<std::mutex> lock(mutex_);
    result_ = result;
  }

 private:
  std::mutex mutex_;
  CORBA::TypeCode_var type_;
  CORBA::Any result_;
  CORBA::ORB_var orb_;
};

class Hostile : public testing::TestWithParam<const char*> {
 protected:
  // Ends in the ordinary way, or in one that the specification has.
  void invoke(CORBA::Request_ptr request) {
    try {
      request->invoke();
      if (request->env()->exception()) ++refused;
      else ++taken;
    } catch (const CORBA::SystemException&) {
      ++refused;
    }
  }
  void expect_both() const {
    EXPECT_GT(taken, kRounds / 10);
    EXPECT_GT(refused, kRounds / 10);
  }
  TwoOrbs orbs{"pool", GetParam()};
  PortableServer::Servant_var<Servant> servant = new Servant(orbs.server);
  CORBA::Object_var it = [this] {
    const PortableServer::ObjectId_var id = orbs.poa->activate_object(servant);
    const CORBA::Object_var local = orbs.poa->id_to_reference(id.in());
    const CORBA::String_var text = orbs.server->object_to_string(local);
    return CORBA::Object_var(orbs.client->string_to_object(text));
  }();
  std::uint32_t taken = 0, refused = 0;
};
INSTANTIATE_TEST_SUITE_P(Giop, Hostile, testing::Values("1.0", "1.1", "1.2"),
                         [](const auto& i) { return std::string("v1_") + i.param[2]; });

TEST_P(Hostile, OctetsAsArgumentsAreTakenOrRefused) {
  for (std::uint32_t seed = 0; seed < kRounds; ++seed) {
    const Case c(seed);
    servant->take(c.type);
    const CORBA::Request_var request = it->_request("take");
    request->add_in_arg() = raw(orbs.client, c.octets);
    invoke(request);
  }
  expect_both();
}

TEST_P(Hostile, OctetsAsResultsAreTakenOrRefused) {
  for (std::uint32_t seed = 0; seed < kRounds; ++seed) {
    const Case c(seed);
    servant->give(raw(orbs.server, c.octets));
    const CORBA::Request_var request = it->_request("give");
    request->set_return_type(c.type);
    invoke(request);
  }
  expect_both();
}

}  // namespace
