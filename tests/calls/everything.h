// A servant that gives back what it is given, and two ORBs that talk over TCP.
#pragma once

#include <atomic>
#include <cstdlib>
#include <string>

#include "contract.skel.h"

class CallbackServant : public POA_Contract::Callback {
 public:
  CORBA::Long twice(CORBA::Long n) override { return 2 * n; }
};

class EverythingServant : public POA_Contract::Everything {
 public:
  CORBA::Long count() override { return 7; }
  char* label() override { return CORBA::string_dup(label_.c_str()); }
  void label(const char* value) override { label_ = value; }
  void ping() override {}
  CORBA::Long minus(CORBA::Long n) override { return n - 1; }
  CORBA::Long plus(CORBA::Long n) override { return n + 1; }

  CORBA::LongLong numbers(CORBA::Short a, CORBA::UShort b, CORBA::Long c, CORBA::ULong d, CORBA::LongLong e,
                          CORBA::ULongLong f, CORBA::Float g, CORBA::Double h, CORBA::Octet i, CORBA::Char j,
                          CORBA::Boolean k, CORBA::Long& m, CORBA::Double_out n) override {
    m = m + 1;
    n = static_cast<double>(g) + h;
    return a + b + c + static_cast<CORBA::LongLong>(d) + e + static_cast<CORBA::LongLong>(f) + i + j +
           (k ? 1 : 0);
  }
  char* text(const char* a, char*& b, CORBA::String_out c) override {
    c = CORBA::string_dup(b);
    CORBA::string_free(b);
    b = CORBA::string_dup(a);
    return CORBA::string_dup(a);
  }
  char* bounded(const char* a) override { return CORBA::string_dup(a); }
  Contract::Color give_color(Contract::Color a, Contract::Color& b, Contract::Color& c) override {
    return c = b, b = a, a;
  }
  Contract::Point give_point(const Contract::Point& a, Contract::Point& b, Contract::Point& c) override {
    return c = b, b = a, a;
  }
  Contract::Flags give_flags(const Contract::Flags& a, Contract::Flags& b, Contract::Flags& c) override {
    return c = b, b = a, a;
  }
  Contract::Person* give_person(const Contract::Person& a, Contract::Person& b,
                                Contract::Person_out c) override {
    return give(a, b, c);
  }
  Contract::Octets* give_octets(const Contract::Octets& a, Contract::Octets& b,
                                Contract::Octets_out c) override {
    return give(a, b, c);
  }
  Contract::Longs* give_longs(const Contract::Longs& a, Contract::Longs& b, Contract::Longs_out c) override {
    return give(a, b, c);
  }
  Contract::FewDoubles* few(const Contract::FewDoubles& a) override { return new Contract::FewDoubles(a); }
  Contract::Booleans* give_booleans(const Contract::Booleans& a) override {
    return new Contract::Booleans(a);
  }
  Contract::Chars* give_chars(const Contract::Chars& a) override { return new Contract::Chars(a); }
  Contract::Strings* give_strings(const Contract::Strings& a, Contract::Strings& b,
                                  Contract::Strings_out c) override {
    return give(a, b, c);
  }
  Contract::Points* give_points(const Contract::Points& a, Contract::Points& b,
                                Contract::Points_out c) override {
    return give(a, b, c);
  }
  Contract::People* give_people(const Contract::People& a, Contract::People& b,
                                Contract::People_out c) override {
    return give(a, b, c);
  }
  Contract::Matrix* give_matrix(const Contract::Matrix& a) override { return new Contract::Matrix(a); }
  Contract::Row_slice* give_row(const Contract::Row a, Contract::Row_slice* b,
                                Contract::Row_slice* c) override {
    Contract::Row_copy(c, b);
    Contract::Row_copy(b, a);
    return Contract::Row_dup(a);
  }
  Contract::Names_slice* give_names(const Contract::Names a, Contract::Names_slice* b,
                                    Contract::Names_out c) override {
    c = Contract::Names_dup(b);
    Contract::Names_copy(b, a);
    return Contract::Names_dup(a);
  }
  Contract::Value* give_value(const Contract::Value& a, Contract::Value& b, Contract::Value_out c) override {
    return give(a, b, c);
  }
  Contract::Maybe* give_maybe(const Contract::Maybe& a) override { return new Contract::Maybe(a); }
  Contract::Tree* give_tree(const Contract::Tree& a) override { return new Contract::Tree(a); }
  CORBA::Object_ptr reference(CORBA::Object_ptr a, Contract::Callback_ptr& b,
                              Contract::Callback_out c) override {
    c = Contract::Callback::_duplicate(b);
    return CORBA::Object::_duplicate(a);
  }
  Contract::Callbacks* give_callbacks(const Contract::Callbacks& a) override {
    return new Contract::Callbacks(a);
  }
  CORBA::Long call_back(Contract::Callback_ptr target, CORBA::Long n) override {
    return target->twice(n) + 1;
  }
  void refuse(CORBA::Long code) override {
    if (code == 0) throw Contract::Empty();
    throw Contract::Refused("because", code);
  }
  void fail() override { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_YES); }
  void note(CORBA::Long n) override { noted_ += n; }
  CORBA::Long noted() override { return noted_; }

 private:
  template <typename T, typename Out>
  T* give(const T& a, T& b, Out& c) {
    c = new T(b);
    b = a;
    return new T(a);
  }
  std::string label_ = "none";
  std::atomic<CORBA::Long> noted_{0};
};

// Two ORBs: the server's object is remote for the client's.
class TwoOrbs {
 public:
  // "reactive-deferred": connect() is called once the server's loop runs.
  explicit TwoOrbs(std::string model = "pool", const char* version = "1.2") {
    const bool deferred = model == "reactive-deferred";
    if (deferred) model = "reactive";
    const char* server_args[] = {"test",        "-ORBendPoint", endpoint(), "-ORBserverModel",
                                 model.c_str(), nullptr};
    int argc = 5;
    server = CORBA::ORB_init(argc, const_cast<char**>(server_args), "server");
    const char* client_args[] = {"test", "-ORBendPoint", endpoint(), "-ORBmaxGIOPVersion", version, nullptr};
    argc = 5;
    client = CORBA::ORB_init(argc, const_cast<char**>(client_args), "client");
    poa = activate(server);
    client_poa = activate(client);
    servant = new EverythingServant;
    id = poa->activate_object(servant);
    if (!deferred) connect();
  }
  // Where both listen: TCP unless the tests run over another transport.
  static const char* endpoint() {
    const char* const other = std::getenv("CORBEL_TEST_ENDPOINT");
    return other ? other : "giop:tcp:127.0.0.1:0";
  }
  void connect() {
    CORBA::Object_var local = poa->id_to_reference(id.in());
    CORBA::String_var ior = server->object_to_string(local);
    CORBA::Object_var object = client->string_to_object(ior);
    everything = Contract::Everything::_narrow(object);
  }
  // The port of a reference in little-endian IOR text: it follows the host, whose address is fixed.
  CORBA::UShort port() {
    CORBA::Object_var local = poa->id_to_reference(id.in());
    CORBA::String_var ior = server->object_to_string(local);
    const std::string text = ior.in(), host = "3132372e302e302e3100";  // "127.0.0.1" and its terminator
    const auto at = text.find(host) + host.size();
    const auto octet = [&](std::size_t i) { return std::stoul(text.substr(at + 2 * i, 2), nullptr, 16); };
    return static_cast<CORBA::UShort>(octet(0) | octet(1) << 8);
  }
  ~TwoOrbs() {
    everything = Contract::Everything::_nil();
    poa = PortableServer::POA::_nil();
    client_poa = PortableServer::POA::_nil();
    client->destroy();
    server->destroy();
  }

  static PortableServer::POA_ptr activate(CORBA::ORB_ptr orb) {
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
    return root._retn();
  }

  CORBA::ORB_var server, client;
  PortableServer::POA_var poa, client_poa;
  PortableServer::ObjectId_var id;
  PortableServer::Servant_var<EverythingServant> servant;
  Contract::Everything_var everything;
};
