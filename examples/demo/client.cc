// Calls every operation of Param_Test 2,000 times and checks every answer, then floods a ttcp_sequence with
// 64 MB of each type; prints what it measured, and the same of a bare
// socket, a line each: calls per second, median and 99th percentile in microseconds; or MB per second.
#include <arpa/inet.h>
#include <corbel/corba.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "param_test.stub.h"
#include "ttcp_sequence.stub.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kCalls = 2000;
constexpr std::size_t kFlood = 64'000'000, kBuffer = 128 * 1024;

double microseconds(Clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); }

void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong answer: %s\n", what);
  std::exit(1);
}

void measure(const char* name, const std::function<void()>& call) {
  std::vector<double> times;
  const auto begin = Clock::now();
  for (int i = 0; i < kCalls; ++i) {
    const auto start = Clock::now();
    call();
    times.push_back(microseconds(Clock::now() - start));
  }
  const double all = microseconds(Clock::now() - begin);
  std::sort(times.begin(), times.end());
  std::printf("%s: %.0f %.1f %.1f\n", name, kCalls / all * 1e6, times[kCalls / 2], times[kCalls * 99 / 100]);
}

template <typename Sequence, typename Send>
void flood(const char* name, std::size_t element, ttcp_sequence_ptr target, const Send& send) {
  Sequence data;
  data.length(static_cast<CORBA::ULong>(kBuffer / element));
  constexpr std::size_t buffers = kFlood / kBuffer + 1;
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < buffers; ++i) send(data);
  require(!target->_non_existent(), name);  // answered when everything before has been served
  std::printf("%s: %.0f\n", name,
              static_cast<double>(buffers * kBuffer) / microseconds(Clock::now() - begin));
}

// A connected pair of TCP sockets on the loopback interface.
void socket_pair(int& a, int& b) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  a = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) != 0 ||
      connect(a, reinterpret_cast<sockaddr*>(&address), length) != 0) {
    std::perror("raw sockets");
    std::exit(1);
  }
  b = accept(listener, nullptr, nullptr);
  for (const int s : {a, b}) setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  close(listener);
}

void raw_ping_pong() {
  int a, b;
  socket_pair(a, b);
  std::thread peer([b] {
    char message[64];
    while (read(b, message, sizeof message) > 0)
      if (write(b, message, 24) != 24) break;
  });
  char message[64] = {};
  measure("raw socket, 64 octets", [&] {
    require(write(a, message, sizeof message) == sizeof message && read(a, message, 24) == 24, "raw");
  });
  close(a);
  peer.join();
  close(b);
}

void raw_flood() {
  int a, b;
  socket_pair(a, b);
  constexpr std::size_t buffers = kFlood / kBuffer + 1;
  constexpr int passes = 2;  // the kernel gives a connection more room as it is used, as the ORB's has been
  std::thread peer([b] {
    std::vector<char> data(kBuffer);
    for (int pass = 0; pass < passes; ++pass) {
      for (std::size_t left = buffers * kBuffer; left > 0;) {
        const ssize_t n = read(b, data.data(), data.size());
        if (n <= 0) return;
        left -= static_cast<std::size_t>(n);
      }
      (void)!write(b, "", 1);
    }
  });
  std::vector<char> data(kBuffer);
  double mb_per_second = 0;
  for (int pass = 0; pass < passes; ++pass) {
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < buffers; ++i)
      require(write(a, data.data(), kBuffer) == static_cast<ssize_t>(kBuffer), "raw flood");
    char done;
    require(read(a, &done, 1) == 1, "raw flood");
    mb_per_second = static_cast<double>(buffers * kBuffer) / microseconds(Clock::now() - begin);
  }
  std::printf("%s: %.0f\n", "raw socket", mb_per_second);
  peer.join();
  close(a);
  close(b);
}

bool same(const Param_Test::StrSeq& a, const Param_Test::StrSeq& b) {
  if (a.length() != b.length()) return false;
  for (CORBA::ULong i = 0; i < a.length(); ++i)
    if (std::strcmp(a[i], b[i]) != 0) return false;
  return true;
}
bool same(const Param_Test::Var_Struct& a, const Param_Test::Var_Struct& b) {
  return std::strcmp(a.dummy1.in(), b.dummy1.in()) == 0 && std::strcmp(a.dummy2.in(), b.dummy2.in()) == 0 &&
         same(a.seq, b.seq);
}
bool same(const Param_Test::Fixed_Struct& a, const Param_Test::Fixed_Struct& b) {
  return a.l == b.l && a.c == b.c && a.s == b.s && a.o == b.o && a.f == b.f && a.b == b.b && a.d == b.d;
}

void call_everything(Param_Test_ptr it) {
  const std::string text(128, 'x');
  Param_Test::StrSeq strings;
  strings.length(9);
  for (CORBA::ULong i = 0; i < 9; ++i) strings[i] = text.c_str();
  Param_Test::Var_Struct structure;
  structure.dummy1 = text.c_str();
  structure.dummy2 = text.c_str();
  structure.seq = strings;
  Param_Test::Nested_Struct nested;
  nested.vs = structure;
  Param_Test::StructSeq structures;
  structures.length(9);
  for (CORBA::ULong i = 0; i < 9; ++i) structures[i] = structure;
  const Param_Test::Fixed_Struct fixed{1, 'c', 3, 4, 5.5f, true, 7.25};

  measure("test_short", [&] {
    CORBA::Short b = 1, c = 0;
    const CORBA::Short r = it->test_short(7, b, c);
    require(r == 7 && b == 7 && c == 7, "test_short");
  });
  measure("test_unbounded_string", [&] {
    CORBA::String_var b = CORBA::string_dup("b"), c;
    CORBA::String_var r = it->test_unbounded_string(text.c_str(), b.inout(), c.out());
    require(text == r.in() && text == b.in() && text == c.in(), "test_unbounded_string");
  });
  measure("test_fixed_struct", [&] {
    Param_Test::Fixed_Struct b{}, c{};
    const Param_Test::Fixed_Struct r = it->test_fixed_struct(fixed, b, c);
    require(same(r, fixed) && same(b, fixed) && same(c, fixed), "test_fixed_struct");
  });
  measure("test_strseq", [&] {
    Param_Test::StrSeq b;
    Param_Test::StrSeq_var c;
    Param_Test::StrSeq_var r = it->test_strseq(strings, b, c.out());
    require(same(r.in(), strings) && same(b, strings) && same(c.in(), strings), "test_strseq");
  });
  measure("test_var_struct", [&] {
    Param_Test::Var_Struct b;
    Param_Test::Var_Struct_var c;
    Param_Test::Var_Struct_var r = it->test_var_struct(structure, b, c.out());
    require(same(r.in(), structure) && same(b, structure) && same(c.in(), structure), "test_var_struct");
  });
  measure("test_nested_struct", [&] {
    Param_Test::Nested_Struct b;
    Param_Test::Nested_Struct_var c;
    Param_Test::Nested_Struct_var r = it->test_nested_struct(nested, b, c.out());
    require(same(r->vs, structure) && same(b.vs, structure) && same(c->vs, structure), "test_nested_struct");
  });
  measure("test_struct_sequence", [&] {
    Param_Test::StructSeq b;
    Param_Test::StructSeq_var c;
    Param_Test::StructSeq_var r = it->test_struct_sequence(structures, b, c.out());
    require(r->length() == 9 && same(r[8u], structure) && same(b[8], structure) && same(c[8u], structure),
            "test_struct_sequence");
  });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 3) {
      std::fprintf(stderr, "usage: demo-client PARAM_TEST TTCP_SEQUENCE\n");
      return 2;
    }
    CORBA::Object_var first = orb->string_to_object(argv[1]), second = orb->string_to_object(argv[2]);
    Param_Test_var param_test = Param_Test::_narrow(first);
    ttcp_sequence_var ttcp = ttcp_sequence::_narrow(second);

    call_everything(param_test);
    raw_ping_pong();
    flood<ttcp_sequence::ShortSeq>("sequence<short>", 2, ttcp,
                                   [&](const ttcp_sequence::ShortSeq& data) { ttcp->sendShortSeq(data); });
    flood<ttcp_sequence::LongSeq>("sequence<long>", 4, ttcp,
                                  [&](const ttcp_sequence::LongSeq& data) { ttcp->sendLongSeq(data); });
    flood<ttcp_sequence::DoubleSeq>("sequence<double>", 8, ttcp,
                                    [&](const ttcp_sequence::DoubleSeq& data) { ttcp->sendDoubleSeq(data); });
    flood<ttcp_sequence::CharSeq>("sequence<char>", 1, ttcp,
                                  [&](const ttcp_sequence::CharSeq& data) { ttcp->sendCharSeq(data); });
    flood<ttcp_sequence::OctetSeq>("sequence<octet>", 1, ttcp,
                                   [&](const ttcp_sequence::OctetSeq& data) { ttcp->sendOctetSeq(data); });
    flood<ttcp_sequence::StructSeq>("sequence<BinStruct>", 24, ttcp,
                                    [&](const ttcp_sequence::StructSeq& data) { ttcp->sendStructSeq(data); });
    raw_flood();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "%s\n", e._name());
    return 1;
  }
}
