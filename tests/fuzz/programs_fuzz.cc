// Feeds arbitrary bytes to the marshal program made of an arbitrary TypeCode, and to the papers' interpreter
// of TypeCodes: an Any at any alignment, in either byte order. What the program takes the interpreter takes,
// and both send the same. The interpreter's own limits are wider.
#include <corbel/any.h>
#include <corbel/corba.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "bench/programs/original_engine.h"
#include "orb/types/compare.h"

// The first octet: alignment, byte order, step.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace corbel;
  if (size < 1) return 0;
  const std::size_t from = data[0] & 7, to = size & 7;
  const bool swap = (data[0] & 8) != 0;
  const std::size_t end = from + size - 1;
  // Exactly as large, so that who reads beyond it is seen.
  const std::unique_ptr<char[]> memory(new char[end]);
  std::memcpy(memory.get() + from, data + 1, size - 1);
  cdr::Decoder program_in(memory.get(), memory.get() + from, memory.get() + end, swap);
  cdr::Encoder program_out;
  program_out.reset();
  for (std::size_t i = 0; i < to; ++i) program_out.put<std::uint8_t>(0);
  const bool good = types::transcode(program_in, program_out, tc::_tc_any);
  if (good) {
    // Both forms are one value, whatever its padding; any octets may be compared with themselves in the other
    // order.
    cdr::Decoder one(memory.get(), memory.get() + from, memory.get() + end, swap);
    cdr::Decoder other(program_out.data(), program_out.data() + to, program_out.data() + program_out.size(),
                       false);
    if (types::compare(one, other, tc::_tc_any) == types::Comparison::Different) std::abort();
  }
  cdr::Decoder mine(memory.get(), memory.get() + from, memory.get() + end, swap);
  cdr::Decoder others(memory.get(), memory.get() + from, memory.get() + end, !swap);
  (void)types::compare(mine, others, tc::_tc_any);

  original::Types types;
  const original::Type& type = types.of(tc::_tc_any);
  const auto engine = original::Engine::make(static_cast<original::Step>((data[0] >> 4) % 5));
  original::Input engine_in(memory.get(), memory.get() + from, memory.get() + end, swap);
  void* const value = engine->decode(type, engine_in);
  if (value) {
    original::Output engine_out(to);
    engine->encode(type, value, engine_out);
    engine->free(type, value);
    const std::string_view wanted(program_out.data(), program_out.size());
    if (good && (engine_out.written() != wanted || engine_in.position() != program_in.position()))
      std::abort();
  }
  if (good && !value) std::abort();
  return 0;
}
