// param-codec --kind NAME --count N --direction encode|decode --repeats N: marshals and unmarshals a value in
// memory by the functions of its type, which are code or marshal programs. Nanoseconds per element, the
// least of seven passes.
#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "bench.stub.h"
#include "param.stub.h"
#include "param_values.h"
#include "samples_of_data.h"
#include "support.h"

namespace {

template <class T>
void encode(corbel::cdr::Encoder& out, const T& value) {
  out.reset();
  marshal(out, value);
  if (out.error()) throw std::runtime_error("the value could not be encoded");
}

template <class T>
void decode(const corbel::cdr::Encoder& encoded) {
  const char* const begin = encoded.data();
  corbel::cdr::Decoder in(begin, begin, begin + encoded.size(), false);
  T value;
  if (!unmarshal(in, value) || in.remaining() != 0) throw std::runtime_error("decoding failed");
}

template <class Step>
double least_nanoseconds(std::uint64_t repeats, Step step) {
  double least = 1e18;
  for (int pass = 0; pass < 7; ++pass) {
    const std::uint64_t begin = bench::now_ns();
    for (std::uint64_t i = 0; i < repeats; ++i) step();
    least = std::min(least, static_cast<double>(bench::now_ns() - begin) / static_cast<double>(repeats));
  }
  return least;
}

template <class T>
void measure(const T& value, const bench::Options& options) {
  const std::uint64_t count = options.number("count");
  const std::uint64_t repeats = options.number("repeats") / count + 1;
  corbel::cdr::Encoder out;
  encode(out, value);
  const double ns = options.text("direction") == "encode"
                        ? least_nanoseconds(repeats, [&] { encode(out, value); })
                        : least_nanoseconds(repeats, [&] { decode<T>(out); });
  bench::print_results({{"elements/us", 1e3 * static_cast<double>(count) / ns}});
}

template <class T>
void measure_filled(const bench::Options& options) {
  T value;
  bench::fill(value, static_cast<CORBA::ULong>(options.number("count")));
  measure(value, options);
}

void run(const bench::Options& options) {
  const std::string kind = options.text("kind");
  const auto count = static_cast<CORBA::ULong>(options.number("count"));
  if (kind == "chars") return measure_filled<Bench::CharSeq>(options);
  if (kind == "shorts") return measure_filled<Bench::ShortSeq>(options);
  if (kind == "longs") return measure_filled<Bench::LongSeq>(options);
  if (kind == "doubles") return measure_filled<Bench::DoubleSeq>(options);
  if (kind == "octets") return measure_filled<Bench::OctetSeq>(options);
  if (kind == "structs") return measure_filled<Bench::StructSeq>(options);
  if (kind == "records") return measure_filled<Bench::RecordSeq>(options);
  if (kind == "strings") {
    Param_Test::StrSeq value;
    value.length(count);
    for (CORBA::ULong i = 0; i < count; ++i) value[i] = static_cast<const char*>("twelve chars");
    return measure(value, options);
  }
  if (kind != "struct") throw std::runtime_error("no kind " + kind);
  Bench::BinStruct value;
  bench::set(value, 1);
  measure(value, options);
}

}  // namespace

int main(int argc, char** argv) try {
  run(bench::Options(argc, argv));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "param-codec: %s\n", error.what());
  return 1;
}
