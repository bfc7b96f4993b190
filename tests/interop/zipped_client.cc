// client URL: for each line of its input, an operation, even or uneven and a number of octets, calls a
// Zipped::Server of either ORB, and prints "ok", what came back where that is a number, or what was raised. A
// number of threads may follow, all of which call at once: then what differs is printed.
#include "tests/interop/zipped.h"

#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <zipped_values.h>

namespace {

std::string result(Zipped::Server_ptr server, const std::string& operation, const Zipped::Octets& data) {
  const auto size = static_cast<CORBA::Long>(data.length());
  if (operation == "note") {
    server->note(data);
  } else if (operation == "noted") {
    return std::to_string(server->noted());
  } else if (operation == "count") {
    return std::to_string(server->count(data));
  } else if (operation == "fail") {
    server->fail(data);
  } else if (operation == "refuse") {
    try {
      server->refuse(data);
    } catch (const Zipped::Refused& refused) {
      return zipped::same(refused.data, data) ? "refused" : "wrong";
    }
  } else {
    const Zipped::Octets_var back = operation == "make" ? server->make(size) : server->echo(data);
    return zipped::same(back.in(), data) ? "ok" : "wrong";
  }
  return "ok";
}

std::string call(Zipped::Server_ptr server, const std::string& operation, const Zipped::Octets& data) {
  try {
    return result(server, operation, data);
  } catch (const CORBA::SystemException& e) {
    static constexpr const char* kCompletions[] = {"YES", "NO", "MAYBE"};
    return e._rep_id() + std::string(" ") + std::to_string(e.minor()) + " " + kCompletions[e.completed()];
  }
}

// What each of the threads has, once.
std::string call_from(int threads, Zipped::Server_ptr server, const std::string& operation,
                      const Zipped::Octets& data) {
  std::vector<std::string> results(static_cast<std::size_t>(threads));
  std::vector<std::thread> all;
  for (std::string& one : results) all.emplace_back([&] { one = call(server, operation, data); });
  for (std::thread& one : all) one.join();
  std::string different;
  for (const std::string& one : std::set<std::string>(results.begin(), results.end()))
    different += (different.empty() ? "" : ", ") + one;
  return different;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) return 2;
    set_values();
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Zipped::Server_var server = Zipped::Server::_unchecked_narrow(object.in());
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::string operation, kind;
      CORBA::ULong size = 0;
      int threads = 1;
      words >> operation >> kind >> size >> threads;
      const Zipped::Octets_var data = kind == "uneven" ? zipped::uneven(size) : zipped::even(size);
      std::cout << call_from(threads < 1 ? 1 : threads, server.in(), operation, data.in()) << std::endl;
    }
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "client: " << e._rep_id() << '\n';
    return 1;
  }
}
