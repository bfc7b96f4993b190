// caller URL...: for each line of its input calls an Everything of either ORB once, the one of the number on
// the line or the first, and prints "ok" or what was raised.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "tests/calls/everything.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) return 2;
    std::vector<Contract::Everything_var> all;
    for (int i = 1; i < argc; ++i) {
      CORBA::Object_var object = orb->string_to_object(argv[i]);
      all.emplace_back(Contract::Everything::_unchecked_narrow(object.in()));
    }
    for (std::string line; std::getline(std::cin, line);) {
      try {
        const Contract::Everything_var& everything =
            all.at(std::strtoul(line.c_str(), nullptr, 10));  // words are 0
        std::cout << (everything->minus(8) == 7 ? "ok" : "wrong") << std::endl;
      } catch (const CORBA::SystemException& e) {
        static constexpr const char* kCompletions[] = {"YES", "NO", "MAYBE"};
        std::cout << e._rep_id() << ' ' << kCompletions[e.completed()] << std::endl;
      }
    }
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "caller: " << e._rep_id() << '\n';
    return 1;
  }
}
