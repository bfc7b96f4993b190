// What programs need of values: linked by generated code that has some, not by the interpreter.
#include "orb/cpp/programs_file.h"

namespace corbel::cpp::programs {

void put_shared(cdr::Encoder& out, const void* rest) {
  const WrittenValues scope(out);
  write(*static_cast<const Rest*>(rest));
}

bool get_shared(cdr::Decoder& in, void* rest) { return get_shared(in, rest, nullptr, 0); }

bool get_shared(cdr::Decoder& in, void* rest, const KnownBox* boxes, std::size_t count) {
  const ReadValues scope(in, boxes, count);
  return read(*static_cast<const Rest*>(rest)) || in.fail();  // what was read in vain goes with the scope
}

}  // namespace corbel::cpp::programs
