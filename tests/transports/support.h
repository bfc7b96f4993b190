// An ORB that serves one object, and what references say.
#pragma once

#include <optional>

#include "orb/ior/assigned.h"
#include "orb/ior/ior.h"
#include "tests/lifecycle/support.h"

namespace transports {

using lifecycle::comes_true;
using lifecycle::make_orb;
using lifecycle::raised;
using lifecycle::raised_name;
using lifecycle::take;

// ORBs of the same name would be one.
inline std::string new_id() {
  static int count = 0;
  return "transports-" + std::to_string(++count);
}

class Server {
 public:
  // Throws what making its adapter throws.
  explicit Server(std::vector<std::string> options) : orb(make_orb(new_id().c_str(), std::move(options))) {
    try {
      poa = TwoOrbs::activate(orb);
    } catch (const CORBA::Exception&) {
      orb->destroy();
      throw;
    }
    servant = new EverythingServant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var object = poa->id_to_reference(id.in());
    text = take(orb->object_to_string(object));
  }
  ~Server() { orb->destroy(); }

  corbel::ior::Ior ior() const {
    corbel::ior::Ior parsed;
    EXPECT_FALSE(corbel::ior::parse_ior(text, parsed));
    return parsed;
  }
  std::vector<corbel::ior::IiopProfile> profiles() const {
    std::vector<corbel::ior::IiopProfile> all;
    for (const auto& p : ior().profiles) all.push_back(corbel::ior::decode_iiop(p).value());
    return all;
  }

  CORBA::ORB_var orb;
  PortableServer::POA_var poa;
  PortableServer::Servant_var<EverythingServant> servant;
  std::string text;
};

// What a client with these options raises when it calls the object: "none" where it succeeds.
inline std::string call(const std::string& reference, std::vector<std::string> options = {}) {
  CORBA::ORB_var orb = make_orb(new_id().c_str(), std::move(options));
  CORBA::Object_var object = orb->string_to_object(reference.c_str());
  Contract::Everything_var everything = Contract::Everything::_unchecked_narrow(object);
  const std::string result = raised([&] { everything->ping(); });
  everything = Contract::Everything::_nil();
  object = CORBA::Object::_nil();
  orb->destroy();
  return result;
}

inline const char* kUnreachable = "TRANSIENT/4f4d0002/NO";

}  // namespace transports
