// Calls what the lines of its standard input say, so that a test decides the order of everything that
// happens: "TAG OPERATION [ARGUMENT]", answered by "TAG ok RESULT" or "TAG raised REPOSITORY-ID MINOR
// COMPLETION". A tag that begins with & gets a thread of its own.
#include <chrono>
#include <cstring>
#include <functional>
#include <future>
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <sstream>
#include <string>

#include "tests/calls/everything.h"
#include "tests/scripted/lines.h"
#include "tests/support/heap.h"

namespace {

std::mutex output;

void say(const std::string& line) {
  std::lock_guard lock(output);
  std::cout << line << std::endl;
}

template <typename Sequence>
std::string numbers(const Sequence& sequence) {
  std::string list = "[";
  for (CORBA::ULong i = 0; i < sequence.length(); ++i)
    list += (i == 0 ? "" : ",") + std::to_string(sequence[i]);
  return list + "]";
}

class Client {
 public:
  Client(CORBA::ORB_ptr orb, Contract::Callback_ptr callback)
      : orb_(CORBA::ORB::_duplicate(orb)), callback_(Contract::Callback::_duplicate(callback)) {}

  std::string call(Contract::Everything_ptr e, const std::string& operation, const std::string& argument) {
    const auto found = operations_.find(operation);
    return found == operations_.end() ? "no such operation" : found->second(e, argument);
  }
  void use(const std::string& url) {
    CORBA::Object_var object = orb_->string_to_object(url.c_str());
    target = Contract::Everything::_unchecked_narrow(object);
  }

  Contract::Everything_var target;

 private:
  using Call = std::function<std::string(Contract::Everything_ptr, const std::string&)>;

  static CORBA::Long number(const std::string& text) { return static_cast<CORBA::Long>(std::stol(text)); }

  std::string text(CORBA::Object_ptr object) {
    CORBA::String_var ior = orb_->object_to_string(object);
    return ior.in();
  }

  CORBA::ORB_var orb_;
  Contract::Callback_var callback_;
  const std::map<std::string, Call> operations_{
      {"ping", [](auto e, auto&) { return e->ping(), ""; }},
      {"count", [](auto e, auto&) { return std::to_string(e->count()); }},
      {"plus", [](auto e, auto& a) { return std::to_string(e->plus(number(a))); }},
      {"noted", [](auto e, auto&) { return std::to_string(e->noted()); }},
      {"note", [](auto e, auto& a) { return e->note(number(a)), ""; }},
      {"fail", [](auto e, auto&) { return e->fail(), ""; }},
      {"refuse",
       [](auto e, auto& a) -> std::string {
         try {
           return e->refuse(number(a)), "";
         } catch (const Contract::Refused& refused) {
           return "Refused " + hex(refused.why) + " " + std::to_string(refused.code);
         } catch (const Contract::Empty&) {
           return "Empty";
         }
       }},
      {"label",
       [](auto e, auto&) {
         CORBA::String_var label = e->label();
         return hex(label);
       }},
      {"text",  // in, inout and out get the same string
       [](auto e, auto& a) {
         const std::string in = unhex(a);
         CORBA::String_var inout = CORBA::string_dup(in.c_str()), out, result;
         result = e->text(in.c_str(), inout.inout(), out.out());
         return hex(result) + " " + hex(inout) + " " + hex(out);
       }},
      {"octets",  // so many of them, each its index
       [](auto e, auto& a) {
         Contract::Octets in, inout;
         in.length(static_cast<CORBA::ULong>(number(a)));
         for (CORBA::ULong i = 0; i < in.length(); ++i) in[i] = static_cast<CORBA::Octet>(i);
         Contract::Octets_var out, result;
         result = e->give_octets(in, inout, out.out());
         return std::to_string(result->length()) + " " + std::to_string(inout.length()) + " " +
                std::to_string(out->length());
       }},
      {"strings",  // so many of a hundred characters; whether they came back, and how many of the others
       [](auto e, auto& a) {
         Contract::Strings in, inout;
         in.length(static_cast<CORBA::ULong>(number(a)));
         for (CORBA::ULong i = 0; i < in.length(); ++i)
           in[i] = (std::to_string(i) + std::string(100, '.')).c_str();
         Contract::Strings_var out, result;
         result = e->give_strings(in, inout, out.out());
         bool same = result->length() == in.length();
         for (CORBA::ULong i = 0; same && i < in.length(); ++i) same = std::string(in[i]) == result[i].in();
         return std::string(same ? "same " : "others ") + std::to_string(inout.length()) + " " +
                std::to_string(out->length());
       }},
      {"chars",
       [](auto e, auto& a) {
         const std::string in = unhex(a);
         Contract::Chars chars;
         chars.length(static_cast<CORBA::ULong>(in.size()));
         for (CORBA::ULong i = 0; i < in.size(); ++i) chars[i] = in[i];
         Contract::Chars_var result = e->give_chars(chars);
         return hex(std::string(result->get_buffer(), result->length()).c_str());
       }},
      {"points",  // so many, in memory that was not zero before; what of z came back
       [](auto e, auto& a) {
         Contract::Points in, inout;
         for (Contract::Points* points : {&in, &inout}) {
           points->length(static_cast<CORBA::ULong>(number(a)));
           std::memset(static_cast<void*>(points->get_buffer()), 0xa5,
                       points->length() * sizeof(Contract::Point));
           for (CORBA::ULong i = 0; i < points->length(); ++i) {
             Contract::Point& point = (*points)[i];
             point.x = 1, point.tag = 't', point.y = -2, point.o = 3, point.z = i;
           }
         }
         Contract::Points_var out, result;
         result = e->give_points(in, inout, out.out());
         double sum = 0;
         for (CORBA::ULong i = 0; i < result->length(); ++i) sum += result[i].z;
         return std::to_string(static_cast<long>(sum));
       }},
      {"tag",  // of a point
       [](auto e, auto& a) {
         Contract::Point in{1, unhex(a)[0], 2, 3, 4}, inout = in, out{};
         const Contract::Point result = e->give_point(in, inout, out);
         return hex(std::string{result.tag, inout.tag, out.tag}.c_str());
       }},
      {"longs",
       [](auto e, auto&) {
         Contract::Longs in, inout;
         Contract::Longs_var out, result;
         result = e->give_longs(in, inout, out.out());
         return numbers(*result) + " " + numbers(inout) + " " + numbers(*out);
       }},
      {"doubles",
       [](auto e, auto&) {
         Contract::FewDoubles in;
         in.length(2);
         in[0] = 0.5;
         in[1] = -2;
         Contract::FewDoubles_var result = e->few(in);
         return numbers(*result);
       }},
      {"reference",  // sends nil references, gives what came back
       [this](auto e, auto&) {
         Contract::Callback_var inout, out;
         CORBA::Object_var result = e->reference(CORBA::Object::_nil(), inout.inout(), out.out());
         return text(result) + " " + text(inout) + " " + text(out);
       }},
      {"call_back",  // gives an object of this process
       [this](auto e, auto& a) { return std::to_string(e->call_back(callback_, number(a))); }},
      {"is_a", [](auto e, auto& a) { return std::to_string(e->_is_a(a.c_str())); }},
      {"non_existent", [](auto e, auto&) { return std::to_string(e->_non_existent()); }},
      {"narrow",
       [](auto e, auto&) {
         Contract::Callback_var callback = Contract::Callback::_narrow(e);
         return std::string(CORBA::is_nil(callback) ? "nil" : "Callback");
       }},
      {"string", [this](auto e, auto&) { return text(e); }},
      {"heap", [](auto, auto&) { return std::to_string(heap_in_use()); }}};
};

void carry_out(Client& client, Contract::Everything_ptr target, const std::string& tag,
               const std::string& operation, const std::string& argument) {
  try {
    say(tag + " ok " + client.call(target, operation, argument));
  } catch (const CORBA::SystemException& e) {
    say(tag + " raised " + e._rep_id() + " " + std::to_string(e.minor()) + " " + completion(e.completed()));
  } catch (const CORBA::Exception& e) {
    say(tag + " raised " + e._rep_id());
  }
}

}  // namespace

int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  // A reactive ORB with adapters has one thread that reads all connections, those of its calls too.
  PortableServer::POA_var poa;
  Contract::Callback_var callback;
  if (argc > 1 && std::string(argv[1]) == "serving") {
    poa = TwoOrbs::activate(orb);
    PortableServer::Servant_var<CallbackServant> servant = new CallbackServant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var object = poa->id_to_reference(id);
    callback = Contract::Callback::_narrow(object);
  }
  {
    Client client(orb, callback);
    std::list<std::future<void>> threads;
    for (std::string line; std::getline(std::cin, line);) {
      threads.remove_if(
          [](auto& t) { return t.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
      std::istringstream words(line);
      std::string tag, operation, argument;
      words >> tag >> operation >> argument;
      if (operation == "use") {
        try {
          client.use(argument);
          say(tag + " ok ");
        } catch (const CORBA::SystemException& e) {
          say(tag + " raised " + e._rep_id() + " " + std::to_string(e.minor()) + " " +
              completion(e.completed()));
        }
        continue;
      }
      if (tag[0] != '&') {
        carry_out(client, client.target, tag, operation, argument);
        continue;
      }
      threads.push_back(
          std::async(std::launch::async, [&client, tag, operation, argument, target = client.target] {
            carry_out(client, target.in(), tag, operation, argument);
          }));
    }
  }
  poa = PortableServer::POA::_nil();
  orb->destroy();
}
