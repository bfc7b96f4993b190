// Marshals and unmarshals a sequence of records in memory through the generated code:
//   corbel-codec --kind record|long-record --direction encode|decode --count N --repeats N
// The strings of a long record have 24 and 18 characters, too many to stand inside the structure.
//
// Or takes an Any that holds a sequence, as it comes from a peer, and passes it on, without the generated
// code:
//   corbel-codec --kind any-struct|any-record --direction receive|convert --count N --repeats N
// To receive is to check and to keep the octets; what is converted is in the other byte order.
#include <corbel/any.h>
#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include "bench.any.h"
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

// The octets of a sequence in the order that is not the host's, behind its TypeCode, whose octets are `type`.
class Foreign {
 public:
  explicit Foreign(const corbel::cdr::Encoder& type) {
    put<std::uint32_t>(*reinterpret_cast<const std::uint32_t*>(type.data()));
    put(static_cast<std::uint32_t>(type.size() - 8));  // kind and size; the encapsulation tells its order
    octets_.append(type.data() + 8, type.size() - 8);
  }
  template <typename T>
  void put(T value) {
    octets_.resize((octets_.size() + sizeof value - 1) / sizeof value * sizeof value);
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    std::reverse(raw, raw + sizeof value);
    octets_.append(raw, sizeof value);
  }
  void put(const char* text) {
    put(static_cast<std::uint32_t>(std::strlen(text) + 1));
    octets_.append(text, std::strlen(text) + 1);
  }
  void put(const Bench::BinStruct& v) { put(v.s), put(v.c), put(v.l), put(v.o), put(v.d); }
  void put(const Bench::Record& v) { put(v.name.in()), put(v.id), put(v.code.in()), put(v.value); }
  const std::string& octets() const { return octets_; }

 private:
  std::string octets_;
};

void receive(const char* octets, std::size_t size, bool swap, CORBA::Any& any) {
  corbel::cdr::Decoder in(octets, octets, octets + size, swap);
  if (!unmarshal(in, any) || in.remaining() != 0) throw std::runtime_error("the Any was refused");
}

template <class Step>
double nanoseconds_per_element(std::uint64_t repeats, CORBA::ULong count, Step step) {
  for (std::uint64_t i = 0; i < repeats / 10; ++i) step();
  const std::uint64_t begin = bench::now_ns();
  for (std::uint64_t i = 0; i < repeats; ++i) step();
  return static_cast<double>(bench::now_ns() - begin) / static_cast<double>(repeats * count);
}

template <class Sequence>
void measure_any(const bench::Options& options, CORBA::TypeCode_ptr type) {
  const auto count = static_cast<CORBA::ULong>(options.number("count"));
  const std::uint64_t repeats = options.number("repeats");
  Sequence data;
  bench::fill(data, count);
  CORBA::Any any;
  any <<= data;
  corbel::cdr::Encoder out;
  out.reset();
  marshal(out, any);
  if (options.text("direction") == "receive") {
    bench::print_results({{"ns/element-receive", nanoseconds_per_element(repeats, count, [&] {
                             CORBA::Any received;
                             receive(out.data(), out.size(), false, received);
                           })}});
    return;
  }
  corbel::cdr::Encoder of_type;
  of_type.reset();
  marshal(of_type, type);
  Foreign foreign(of_type);
  foreign.put(count);
  for (CORBA::ULong i = 0; i < count; ++i) foreign.put(data[i]);
  receive(foreign.octets().data(), foreign.octets().size(), true, any);
  const std::string wanted(out.data(), out.size());
  const auto convert = [&] {
    out.reset();
    marshal(out, any);
  };
  convert();
  if (wanted != std::string(out.data(), out.size())) throw std::runtime_error("not what was sent");
  bench::print_results({{"ns/element-convert", nanoseconds_per_element(repeats, count, convert)}});
}

}  // namespace

int main(int argc, char** argv) try {
  const bench::Options options(argc, argv);
  if (options.text("kind") == "any-struct") {
    measure_any<Bench::StructSeq>(options, Bench::_tc_StructSeq);
    return 0;
  }
  if (options.text("kind") == "any-record") {
    measure_any<Bench::RecordSeq>(options, Bench::_tc_RecordSeq);
    return 0;
  }
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
