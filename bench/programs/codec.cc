// Marshals and unmarshals a sequence of records in memory through the generated code:
//   corbel-codec --kind record|long-record --direction encode|decode --count N --repeats N
// The strings of a long record have 24 and 18 characters, too many to stand inside the structure.
#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "orb_api.h"
#include "samples_of_data.h"
#include "support.h"

namespace {

void encode(corbel::cdr::Encoder& out, const Bench::RecordSeq& data) {
  out.reset();
  marshal(out, data);
  if (out.error()) throw std::runtime_error("the sequence could not be encoded");
}

// Into a new sequence, so that every string is allocated and freed.
void decode(const corbel::cdr::Encoder& encoded, CORBA::ULong expected) {
  const char* const begin = encoded.data();
  corbel::cdr::Decoder in(begin, begin, begin + encoded.size(), false);
  Bench::RecordSeq data;
  if (!unmarshal(in, data) || data.length() != expected) throw std::runtime_error("decoding failed");
}

template <class Step>
double nanoseconds_per_element(std::uint64_t repeats, CORBA::ULong count, Step step) {
  for (std::uint64_t i = 0; i < repeats / 10; ++i) step();
  const std::uint64_t begin = bench::now_ns();
  for (std::uint64_t i = 0; i < repeats; ++i) step();
  return static_cast<double>(bench::now_ns() - begin) / static_cast<double>(repeats * count);
}

}  // namespace

int main(int argc, char** argv) try {
  const bench::Options options(argc, argv);
  const auto count = static_cast<CORBA::ULong>(options.number("count"));
  const std::uint64_t repeats = options.number("repeats");
  Bench::RecordSeq data;
  bench::fill(data, count);
  if (options.text("kind") == "long-record") {
    for (CORBA::ULong i = 0; i < count; ++i) {
      data[i].name = static_cast<const char*>("twenty-four characters..");
      data[i].code = static_cast<const char*>("eighteen character");
    }
  }
  corbel::cdr::Encoder out;
  encode(out, data);
  if (options.text("direction") == "encode") {
    bench::print_results(
        {{"ns/element-encode", nanoseconds_per_element(repeats, count, [&] { encode(out, data); })}});
  } else {
    bench::print_results(
        {{"ns/element-decode", nanoseconds_per_element(repeats, count, [&] { decode(out, count); })}});
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "codec: %s\n", error.what());
  return 1;
}
