// The papers' engine: an Any that holds a sequence of --count elements is decoded into memory, encoded from
// it and freed, without a connection:
//   original --kind octet|char|short|long|double|struct --step none|inlined|precomputed|receiver|sender
//            --count N --repeats N
#include <malloc.h>

#include <corbel/cdr/encoder.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "dynamic_api.h"
#include "original_engine.h"
#include "samples_of_data.h"
#include "support.h"

namespace {

original::Step step_of(const std::string& name) {
  const char* const names[] = {"none", "inlined", "precomputed", "receiver", "sender"};
  for (int i = 0; i < 5; ++i)
    if (name == names[i]) return static_cast<original::Step>(i);
  throw std::runtime_error("no such step: " + name);
}

template <class Sequence>
void run(const bench::Options& options) {
  const auto count = static_cast<CORBA::ULong>(options.number("count"));
  const std::uint64_t repeats = options.number("repeats");
  corbel::cdr::Encoder message;
  message.reset();
  {
    Sequence data;
    bench::fill(data, count);
    CORBA::Any any;
    any <<= data;
    marshal(message, any);
  }
  const auto engine = original::Engine::make(step_of(options.text("step")));
  original::Types types;
  const original::Type& type = types.of(corbel::tc::_tc_any);
  original::Output out;
  const auto copy = [&] {
    original::Input in(message.data(), message.data(), message.data() + message.size(), false);
    void* const value = engine->decode(type, in);
    if (!value) throw std::runtime_error("the Any was refused");
    out.rewind();
    engine->encode(type, value, out);
    engine->free(type, value);
  };
  copy();
  if (out.written() != std::string_view(message.data(), message.size()))
    throw std::runtime_error("not the same Any");
  const std::uint64_t begin = bench::now_ns();
  for (std::uint64_t i = 0; i < repeats; ++i) copy();
  const auto ns = static_cast<double>(bench::now_ns() - begin);
  bench::print_results({{"ns/element", ns / static_cast<double>(repeats) / count}});
}

}  // namespace

int main(int argc, char** argv) try {
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 256 << 20);
  const bench::Options options(argc, argv);
  const std::string kind = options.text("kind");
  if (kind == "octet") run<Bench::OctetSeq>(options);
  else if (kind == "char") run<Bench::CharSeq>(options);
  else if (kind == "short") run<Bench::ShortSeq>(options);
  else if (kind == "long") run<Bench::LongSeq>(options);
  else if (kind == "double") run<Bench::DoubleSeq>(options);
  else run<Bench::StructSeq>(options);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "original: %s\n", error.what());
  return 1;
}
