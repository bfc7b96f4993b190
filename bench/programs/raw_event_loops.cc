// Ways of waiting for requests on bare sockets, to be compared with each other: a thread for each connection
// that blocks in read(), one thread with epoll and one-shot registrations, one thread with io_uring.
//   raw-event-loops --role server --loop blocking|epoll|io_uring|io_uring-registered --connections N
//                   --request N --reply N
//   raw-event-loops --role client --connections N --request N --reply N --port P --calls N --server PID
// The client uses its connections in turn.
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <exception>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "raw_ring.h"
#include "raw_socket.h"
#include "support.h"

namespace {

// What a connection is about to receive.
struct Request {
  explicit Request(std::size_t size) : octets(size) {}
  char* at() { return octets.data() + have; }
  std::size_t missing() const { return octets.size() - have; }
  // True if that was the last of it.
  bool add(std::size_t more) {
    have += more;
    if (missing() != 0) return false;
    have = 0;
    return true;
  }
  std::vector<char> octets;
  std::size_t have = 0;
};

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

struct Connections {
  explicit Connections(const bench::Options& options)
      : count(options.number("connections")),
        requests(count, Request(options.number("request"))),
        reply(options.number("reply")) {}
  void accept() {
    bench::Socket::announce_and_accept_each([this](int descriptor) {
      descriptors.push_back(descriptor);
      return descriptors.size() < count;
    });
  }
  const std::size_t count;
  std::vector<int> descriptors;
  std::vector<Request> requests;
  const std::vector<char> reply;
};

void block(Connections& all) {
  all.accept();
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < all.count; ++i)
    threads.emplace_back([&all, i] {
      const bench::Socket socket(all.descriptors[i]);
      std::vector<char>& request = all.requests[i].octets;
      while (socket.read(request.data(), request.size())) socket.write(all.reply.data(), all.reply.size());
    });
  for (std::thread& thread : threads) thread.join();
}

void poll(Connections& all) {
  all.accept();
  const int epoll = checked(epoll_create1(0), "epoll_create1");
  const auto arm = [&](int operation, std::size_t i) {
    epoll_event event{EPOLLIN | EPOLLONESHOT, {.u64 = i}};
    checked(epoll_ctl(epoll, operation, all.descriptors[i], &event), "epoll_ctl");
  };
  for (std::size_t i = 0; i < all.count; ++i) arm(EPOLL_CTL_ADD, i);
  for (std::size_t open = all.count; open > 0;) {
    epoll_event events[64];
    const int ready = checked(epoll_wait(epoll, events, 64, -1), "epoll_wait");
    for (int e = 0; e < ready; ++e) {
      const std::size_t i = events[e].data.u64;
      Request& request = all.requests[i];
      const auto got = checked(
          static_cast<int>(recv(all.descriptors[i], request.at(), request.missing(), MSG_DONTWAIT)), "recv");
      if (got == 0) {
        --open;
        continue;
      }
      if (request.add(static_cast<std::size_t>(got)))
        checked(static_cast<int>(send(all.descriptors[i], all.reply.data(), all.reply.size(), MSG_NOSIGNAL)),
                "send");
      arm(EPOLL_CTL_MOD, i);
    }
  }
}

void ring(Connections& all, bool registered) {
  { const bench::Ring probe({}, false); }  // where the kernel refuses it, nobody connects
  all.accept();
  bench::Ring ring(all.descriptors, registered);
  const auto receive = [&](std::size_t i) {
    ring.receive(i, all.requests[i].at(), all.requests[i].missing(), i);
  };
  for (std::size_t i = 0; i < all.count; ++i) receive(i);
  for (std::size_t open = all.count; open > 0;) {
    ring.wait();
    ring.completed([&](std::uint64_t i, int result) {
      if (i >= all.count || result < 0) {  // what was sent says nothing where all is well
        errno = -result;
        checked(-1, i >= all.count ? "send" : "receive");
      }
      if (result == 0) {
        --open;
        return;
      }
      if (all.requests[i].add(static_cast<std::size_t>(result)))
        ring.send(i, all.reply.data(), all.reply.size(), all.count + i);
      receive(i);
    });
  }
}

void serve(const bench::Options& options) {
  Connections all(options);
  const std::string loop = options.text("loop");
  if (loop == "blocking") block(all);
  else if (loop == "epoll") poll(all);
  else if (loop == "io_uring" || loop == "io_uring-registered") ring(all, loop != "io_uring");
  else throw std::runtime_error("no loop is called " + loop);
}

double processor_us(clockid_t of) {
  timespec time{};
  checked(clock_gettime(of, &time), "clock_gettime");
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

void call(const bench::Options& options) {
  const std::vector<char> request(options.number("request"));
  std::vector<char> reply(options.number("reply"));
  const std::size_t count = options.number("connections");
  const std::uint64_t calls = options.number("calls");
  const auto port = static_cast<std::uint32_t>(options.number("port"));
  std::vector<std::unique_ptr<bench::Socket>> connections;
  for (std::size_t i = 0; i < count; ++i)
    connections.push_back(std::make_unique<bench::Socket>(bench::Socket::connect_to(port)));
  const auto call_in_turn = [&](std::uint64_t times) {
    for (std::uint64_t i = 0; i < times; ++i) {
      const bench::Socket& connection = *connections[i % count];
      connection.write(request.data(), request.size());
      if (!connection.read(reply.data(), reply.size())) throw std::runtime_error("the server hung up");
    }
  };
  clockid_t server;
  if (clock_getcpuclockid(static_cast<pid_t>(options.number("server")), &server) != 0)
    throw std::runtime_error("the server has no clock");
  call_in_turn(2'000 + 2 * count);
  const std::uint64_t begin = bench::now_ns();
  const double processor = processor_us(server);
  call_in_turn(calls);
  const auto each = static_cast<double>(calls);
  bench::print_results({{"us-server", (processor_us(server) - processor) / each},
                        {"us-wall", static_cast<double>(bench::now_ns() - begin) / 1e3 / each}});
}

}  // namespace

int main(int argc, char** argv) try {
  const bench::Options options(argc, argv);
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  options.text("role") == "server" ? serve(options) : call(options);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "raw-event-loops: %s\n", error.what());
  return 1;
}
