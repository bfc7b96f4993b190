// Calls any object of any ORB from the shell: its contract is read as text, values are JSON.
//
//   json-call CONTRACT.idl                                          the operations that there are
//   json-call CONTRACT.idl REFERENCE INTERFACE OPERATION [JSON]     a call; the reply on standard output
#include <corbel/json.h>

#include <iostream>
#include <vector>

namespace {

// 0 where the call gave a result, 3 where it raised something, so that scripts can tell.
int print_reply(const std::string& reply) {
  std::cout << reply << std::endl;
  return reply.rfind("{\"exception\"", 0) == 0 ? 3 : 0;
}

void print_operations(const corbel::json::Contract& contract) {
  for (const std::string& interface : contract.interfaces())
    for (const std::string& operation : contract.operations(interface))
      std::cout << interface << ' ' << operation << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  try {
    // JSON is UTF-8, whatever the locale.
    std::vector<char*> options(argv, argv + argc);
    std::string set = "-ORBnativeCharCodeSet", utf8 = "UTF-8";
    options.insert(options.begin() + 1, {set.data(), utf8.data()});
    options.push_back(nullptr);
    int count = static_cast<int>(options.size()) - 1;
    CORBA::ORB_var orb = CORBA::ORB_init(count, options.data());
    const std::vector<std::string> words(options.begin() + 1, options.begin() + count);
    if (words.empty() || words.size() == 2 || words.size() == 3 || words.size() > 5) {
      std::cerr << "usage: json-call CONTRACT.idl [REFERENCE INTERFACE OPERATION [ARGUMENTS]]\n"
                   "  ARGUMENTS  a JSON object of the parameters by name, or an array of them; default {}\n"
                   "  without a reference: lists the contract's operations\n";
      return 2;
    }
    const auto contract = corbel::json::Contract::of_file(words[0]);
    int status = 0;
    if (words.size() == 1) {
      print_operations(contract);
    } else {
      const corbel::json::Caller caller(orb, contract);
      CORBA::Object_var object = orb->string_to_object(words[1].c_str());
      status = print_reply(caller.call(object, words[2], words[3], words.size() == 5 ? words[4] : "{}"));
    }
    orb->destroy();
    return status;
  } catch (const corbel::json::Error& e) {
    std::cerr << e.what() << '\n';
  } catch (const CORBA::Exception& e) {
    std::cerr << e.what() << '\n';
  }
  return 1;
}
