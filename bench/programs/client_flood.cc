#include "client_flood.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "samples_of_data.h"

namespace bench {
namespace {

constexpr std::uint64_t warmup_buffers = 64;

template <class Sequence>
using Send = void (*)(Bench::Calls_ptr, const Sequence&);

struct Flood {
  std::uint64_t size;
  std::uint64_t total;
  bool two_way;
};

// Sends until the server has counted what was sent.
template <class Sequence>
void send_all(Bench::Calls_ptr calls, Send<Sequence> send, const Sequence& data, std::uint64_t buffers) {
  const std::uint64_t expected = calls->received() + buffers * payload_size(data);
  for (std::uint64_t i = 0; i < buffers; ++i) send(calls, data);
  // One answer is enough where requests of a connection are carried out in their order.
  while (calls->received() < expected) continue;
}

template <class Sequence>
void flood_with(Bench::Calls_ptr calls, const Flood& flood, Send<Sequence> one_way, Send<Sequence> two_way) {
  Sequence data;
  fill(data, static_cast<CORBA::ULong>(flood.size / sizeof(data[0])));
  const Send<Sequence> send = flood.two_way ? two_way : one_way;
  const std::uint64_t buffers = flood.total / flood.size;
  send_all(calls, send, data, warmup_buffers);
  const std::uint64_t begin = now_ns();
  send_all(calls, send, data, buffers);
  const auto ns = static_cast<double>(now_ns() - begin);
  print_results({{"MB/s", static_cast<double>(payload_size(data) * buffers) * 1e3 / ns}});
}

// The answer's octets count; the call itself carries a number.
template <class Sequence>
void flood_back(const Flood& flood, Sequence* (*call)(Bench::Calls_ptr, CORBA::ULong),
                Bench::Calls_ptr calls) {
  const auto count = static_cast<CORBA::ULong>(flood.size / sizeof(std::declval<Sequence>()[0]));
  const std::uint64_t buffers = flood.total / flood.size;
  const auto receive = [&](std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::unique_ptr<Sequence> data(call(calls, count));
      if (data->length() != count) throw std::runtime_error("the answer has another length");
    }
  };
  receive(warmup_buffers);
  const std::uint64_t begin = now_ns();
  receive(buffers);
  const auto ns = static_cast<double>(now_ns() - begin);
  print_results({{"MB/s", static_cast<double>(flood.size * buffers) * 1e3 / ns}});
}

void flood_back(Bench::Calls_ptr calls, const std::string& type, const Flood& flood) {
  using Calls = Bench::Calls_ptr;
  if (type == "octet")
    return flood_back<Bench::OctetSeq>(
        flood, [](Calls c, CORBA::ULong n) { return c->octets_return(n); }, calls);
  if (type == "double")
    return flood_back<Bench::DoubleSeq>(
        flood, [](Calls c, CORBA::ULong n) { return c->doubles_return(n); }, calls);
  throw std::runtime_error("no answer of type " + type);
}

template <class Sequence>
void sweep_with(Bench::Calls_ptr calls, const std::vector<std::uint64_t>& sizes, Send<Sequence> send) {
  std::vector<Sequence> data(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    fill(data[i], static_cast<CORBA::ULong>(sizes[i] / sizeof(data[i][0])));
  sweep(sizes, [&](std::size_t i) { send(calls, data[i]); });
}

}  // namespace

void sweep(Bench::Calls_ptr calls, const Options& options) {
  using Calls = Bench::Calls_ptr;
  const std::vector<std::uint64_t> sizes = options.numbers("sizes");
  const std::string type = options.text("type");
  if (type == "octet") {
    sweep_with<Bench::OctetSeq>(calls, sizes,
                                [](Calls c, const Bench::OctetSeq& data) { c->push_octet(data); });
  } else if (type == "char") {
    sweep_with<Bench::CharSeq>(calls, sizes, [](Calls c, const Bench::CharSeq& data) { c->push_char(data); });
  } else if (type == "short") {
    sweep_with<Bench::ShortSeq>(calls, sizes,
                                [](Calls c, const Bench::ShortSeq& data) { c->push_short(data); });
  } else if (type == "long") {
    sweep_with<Bench::LongSeq>(calls, sizes, [](Calls c, const Bench::LongSeq& data) { c->push_long(data); });
  } else if (type == "double") {
    sweep_with<Bench::DoubleSeq>(calls, sizes,
                                 [](Calls c, const Bench::DoubleSeq& data) { c->push_double(data); });
  } else if (type == "struct") {
    sweep_with<Bench::StructSeq>(calls, sizes,
                                 [](Calls c, const Bench::StructSeq& data) { c->push_structs(data); });
  } else {
    throw std::runtime_error("no type " + type);
  }
}

void send_one(Bench::Calls_ptr calls, const Options& options) {
  Bench::OctetSeq data;
  fill(data, static_cast<CORBA::ULong>(options.number("size")));
  calls->ping();
  const double before = peak_memory_mib();
  calls->push_octet(data);
  print_results({{"MiB-over-client", peak_memory_mib() - before}});
}

void flood(Bench::Calls_ptr calls, const Options& options) {
  using Calls = Bench::Calls_ptr;
  const Flood flood{options.number("size"), options.number("total"), options.text("direction") == "twoway"};
  const std::string type = options.text("type");
  if (options.text("direction") == "return") return flood_back(calls, type, flood);
  if (type == "octet") {
    flood_with<Bench::OctetSeq>(
        calls, flood, [](Calls c, const Bench::OctetSeq& data) { c->send_octet(data); },
        [](Calls c, const Bench::OctetSeq& data) { c->push_octet(data); });
  } else if (type == "char") {
    flood_with<Bench::CharSeq>(
        calls, flood, [](Calls c, const Bench::CharSeq& data) { c->send_char(data); },
        [](Calls c, const Bench::CharSeq& data) { c->push_char(data); });
  } else if (type == "short") {
    flood_with<Bench::ShortSeq>(
        calls, flood, [](Calls c, const Bench::ShortSeq& data) { c->send_short(data); },
        [](Calls c, const Bench::ShortSeq& data) { c->push_short(data); });
  } else if (type == "long") {
    flood_with<Bench::LongSeq>(
        calls, flood, [](Calls c, const Bench::LongSeq& data) { c->send_long(data); },
        [](Calls c, const Bench::LongSeq& data) { c->push_long(data); });
  } else if (type == "double") {
    flood_with<Bench::DoubleSeq>(
        calls, flood, [](Calls c, const Bench::DoubleSeq& data) { c->send_double(data); },
        [](Calls c, const Bench::DoubleSeq& data) { c->push_double(data); });
  } else if (type == "struct") {
    flood_with<Bench::StructSeq>(
        calls, flood, [](Calls c, const Bench::StructSeq& data) { c->send_struct(data); },
        [](Calls c, const Bench::StructSeq& data) { c->push_structs(data); });
  } else {
    throw std::runtime_error("no type " + type);
  }
}

void send_records(Bench::Calls_ptr calls, const Options& options) {
  const std::uint64_t count = options.number("count");
  const std::uint64_t repeats = options.number("calls");
  Bench::RecordSeq data;
  fill(data, static_cast<CORBA::ULong>(count));
  for (std::uint64_t i = 0; i < warmup_buffers; ++i) calls->push_records(data);
  const std::uint64_t begin = now_ns();
  for (std::uint64_t i = 0; i < repeats; ++i) calls->push_records(data);
  const auto ns = static_cast<double>(now_ns() - begin);
  print_results({{"elements/s", static_cast<double>(count * repeats) * 1e9 / ns}});
}

}  // namespace bench
