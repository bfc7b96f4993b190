// The server under nested upcalls and under bytes that are no GIOP.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "everything.h"

namespace {

// Calls the other side back as often as its argument says.
class BouncingServant : public POA_Contract::Callback {
 public:
  CORBA::Long twice(CORBA::Long n) override { return n == 0 ? 0 : other->call_back(self, n - 1); }
  Contract::Everything_var other;
  Contract::Callback_var self;
};

// Each call of call_back adds one to what comes back from below.
void bounce_to_depth_ten(TwoOrbs& orbs) {
  PortableServer::Servant_var<BouncingServant> servant = new BouncingServant;
  PortableServer::ObjectId_var id = orbs.client_poa->activate_object(servant);
  CORBA::Object_var object = orbs.client_poa->id_to_reference(id.in());
  servant->self = Contract::Callback::_narrow(object);
  servant->other = Contract::Everything::_duplicate(orbs.everything);
  EXPECT_EQ(orbs.everything->call_back(servant->self, 10), 11);
  servant->self = Contract::Callback::_nil();
  servant->other = Contract::Everything::_nil();
}

TEST(Nested, CallsBackToDepthTenWithAPoolOfOne) {
  setenv("CORBEL_THREAD_POOL_SIZE", "1", 1);
  TwoOrbs orbs;
  unsetenv("CORBEL_THREAD_POOL_SIZE");
  bounce_to_depth_ten(orbs);
}

TEST(Nested, CallsBackToDepthTenInTheReactiveModel) {
  TwoOrbs orbs("reactive-deferred");
  std::thread loop([&] { orbs.server->run(); });
  orbs.connect();
  bounce_to_depth_ten(orbs);
  orbs.server->shutdown(false);
  loop.join();
}

// What a peer sends over one connection; the answer until it is closed or says nothing more.
std::string send_raw(CORBA::UShort port, const std::string& bytes) {
  const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval limit{2, 0};
  setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  std::string answer;
  if (connect(s, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      send(s, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size())) {
    char buffer[256];
    for (ssize_t n; (n = recv(s, buffer, sizeof buffer, 0)) > 0;)
      answer.append(buffer, static_cast<std::size_t>(n));
  }
  close(s);
  return answer;
}

class Hostile : public testing::Test {
 protected:
  // MessageError is the eighth octet of a header.
  static bool is_message_error(const std::string& answer) {
    return answer.size() >= 12 && answer.compare(0, 4, "GIOP") == 0 && answer[7] == 6;
  }
  void SetUp() override { port = orbs.port(); }
  void TearDown() override { EXPECT_EQ(orbs.everything->minus(3), 2); }  // it goes on serving others
  TwoOrbs orbs;
  CORBA::UShort port = 0;
};

TEST_F(Hostile, AnswersGarbageWithMessageError) {
  EXPECT_TRUE(is_message_error(send_raw(port, "GET / HTTP/1.0\r\n\r\n")));
}

TEST_F(Hostile, AnswersAnUnknownVersionWithMessageError) {
  EXPECT_TRUE(is_message_error(send_raw(port, std::string("GIOP\x09\x09\x01\x00\x04\x00\x00\x00....", 16))));
}

TEST_F(Hostile, RefusesAMessageOfFourGigabytes) {
  EXPECT_TRUE(is_message_error(send_raw(port, std::string("GIOP\x01\x02\x01\x00\xff\xff\xff\xff", 12))));
}

TEST_F(Hostile, AnswersARequestWithLengthsPastItsEndWithMessageError) {
  std::string request(
      "GIOP\x01\x02\x01\x00\x14\x00\x00\x00\x01\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\x7f",
      28);
  EXPECT_TRUE(is_message_error(send_raw(port, request + std::string(4, 'x'))));
}

TEST_F(Hostile, AnswersAnUnknownKeyWithASystemException) {
  const std::string body(
      "\x01\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00none\x05\x00\x00\x00ping\x00\x00\x00"
      "\x00\x00\x00\x00\x00",
      36);
  std::string request("GIOP\x01\x02\x01\x00\x24\x00\x00\x00", 12);
  const std::string answer = send_raw(port, request + body);
  EXPECT_NE(answer.find("IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0"), std::string::npos);
}

TEST_F(Hostile, AnswersABigEndianRequestThatIsWellFormed) {
  const std::string body(
      "\x00\x00\x00\x01\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04none\x00\x00\x00\x05ping\x00\x00\x00"
      "\x00\x00\x00\x00\x00",
      36);
  std::string request("GIOP\x01\x02\x00\x00\x00\x00\x00\x24", 12);
  const std::string answer = send_raw(port, request + body);
  EXPECT_NE(answer.find("IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0"), std::string::npos);
}

}  // namespace
