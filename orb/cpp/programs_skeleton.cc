// What interpretive skeletons need of the server: not in programs.cc, which clients link.
#include <corbel/cpp/programs.h>

namespace corbel::cpp::programs {

void get_arguments(core::Upcall& call, void* frame, const unsigned char* program) {
  if (!decode(call.arguments(), frame, program)) bad_arguments();
}

void put_results(core::Upcall& call, const void* frame, const unsigned char* program) {
  encode(call.results(), frame, program);
}

void send_results(core::Upcall& call, const void* frame, const unsigned char* program) {
  encode(call.results_in_place(), frame, program);
  call.send();
}

}  // namespace corbel::cpp::programs
