// A client's ORB and a server's, or one ORB that is both.
#pragma once

#include <corbel/poa.h>
#include <gtest/gtest.h>

#include <string>

enum class Place { Remote, Collocated };

class Pair {
 public:
  CORBA::ORB_var server, client;
  explicit Pair(Place place) : remote_(place == Place::Remote) {
    server = orb("server");
    client = remote_ ? orb("client") : CORBA::ORB::_duplicate(server);
    CORBA::Object_var object = server->resolve_initial_references("RootPOA");
    poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
  }
  ~Pair() {
    poa = PortableServer::POA::_nil();
    if (remote_) client->destroy();
    server->destroy();
  }
  // The client's reference to a servant, of whatever interface the client believes it has.
  template <typename Interface>
  Interface* activate(PortableServer::ServantBase* servant) {
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var local = poa->id_to_reference(id.in());
    CORBA::String_var text = server->object_to_string(local);
    CORBA::Object_var object = client->string_to_object(text);
    return Interface::_unchecked_narrow(object);
  }

 private:
  static CORBA::ORB_ptr orb(const char* name) {
    const char* args[] = {"test", "-ORBendPoint", "giop:tcp:127.0.0.1:0", nullptr};
    int argc = 3;
    return CORBA::ORB_init(argc, const_cast<char**>(args), name);
  }
  const bool remote_;
  PortableServer::POA_var poa;
};

inline std::string place_name(const testing::TestParamInfo<Place>& i) {
  return i.param == Place::Remote ? "Remote" : "Collocated";
}
