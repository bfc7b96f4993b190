// Anys that hold a sequence of --count structures, in memory, without a connection:
//   any --kind struct|record|octet|char|short|long|double --step insert|extract|forward|copy --count N
//   --repeats N
// insert: a copy of the program's sequence is put into an Any. extract: it is taken out of Anys as they came
// from a peer. forward: such an Any is marshaled again. copy: it is received, marshaled again and destroyed.
#include <malloc.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "dynamic_api.h"
#include "samples_of_data.h"
#include "support.h"

#ifndef BENCH_OMNIORB
#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#endif

namespace {

// Where messages stand that hold an Any.
#ifdef BENCH_OMNIORB
class Message {
 public:
  void put(const CORBA::Any& any) {
    stream_.rewindPtrs();
    any >>= static_cast<cdrStream&>(stream_);
  }
  void get(CORBA::Any& any) {
    stream_.rewindInputPtr();
    any <<= static_cast<cdrStream&>(stream_);
  }

 private:
  cdrMemoryStream stream_;
};
#else
class Message {
 public:
  void put(const CORBA::Any& any) {
    out_.reset();
    marshal(out_, any);
    if (out_.error()) throw std::runtime_error("the Any could not be marshaled");
  }
  void get(CORBA::Any& any) {
    corbel::cdr::Decoder in(out_.data(), out_.data(), out_.data() + out_.size(), false);
    if (!unmarshal(in, any)) throw std::runtime_error("the Any was refused");
  }

 private:
  corbel::cdr::Encoder out_;
};
#endif

constexpr std::size_t at_once = 50;

// Nanoseconds of `step` with one Any; `before` is not counted. The Anys of a turn are made first.
double measure(std::uint64_t repeats, const std::function<void(CORBA::Any&)>& before,
               const std::function<void(CORBA::Any&)>& step) {
  std::uint64_t ns = 0;
  std::uint64_t done = 0;
  for (std::uint64_t turn = 0; done < repeats; ++turn) {
    const std::unique_ptr<CORBA::Any[]> anys(new CORBA::Any[at_once]);
    for (std::size_t i = 0; i < at_once; ++i) before(anys[i]);
    const std::uint64_t begin = bench::now_ns();
    for (std::size_t i = 0; i < at_once; ++i) step(anys[i]);
    if (turn == 0) continue;  // a warm one counts
    ns += bench::now_ns() - begin;
    done += at_once;
  }
  return static_cast<double>(ns) / static_cast<double>(done);
}

template <class Sequence>
void run(const bench::Options& options) {
  const auto count = static_cast<CORBA::ULong>(options.number("count"));
  Sequence data;
  bench::fill(data, count);
  Message message, sent;
  {
    CORBA::Any any;
    any <<= data;
    message.put(any);
  }
  const std::string step = options.text("step");
  const auto receive = [&](CORBA::Any& any) { message.get(any); };
  const auto insert = [&](CORBA::Any& any) { any <<= data; };
  const auto extract = [&](CORBA::Any& any) {
    const Sequence* taken;
    if (!(any >>= taken) || taken->length() != count) throw std::runtime_error("not what was put in");
  };
  const auto forward = [&](CORBA::Any& any) { sent.put(any); };
  const auto copy = [&](CORBA::Any&) {
    CORBA::Any any;
    message.get(any);
    sent.put(any);
  };
  const auto nothing = [](CORBA::Any&) {};
  const std::uint64_t repeats = options.number("repeats");
  const double ns = step == "insert"    ? measure(repeats, nothing, insert)
                    : step == "extract" ? measure(repeats, receive, extract)
                    : step == "copy"    ? measure(repeats, nothing, copy)
                                        : measure(repeats, receive, forward);
  bench::print_results({{"ns/element", ns / count}});
}

}  // namespace

int main(int argc, char** argv) try {
  // Memory that was freed stays the program's, so that faults of pages are not counted.
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 256 << 20);
  // Only for what an ORB has to have set up before Anys work.
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const bench::Options options(argc, argv);
  const std::string kind = options.text("kind");
  if (kind == "struct") run<Bench::StructSeq>(options);
  else if (kind == "octet") run<Bench::OctetSeq>(options);
  else if (kind == "char") run<Bench::CharSeq>(options);
  else if (kind == "short") run<Bench::ShortSeq>(options);
  else if (kind == "long") run<Bench::LongSeq>(options);
  else if (kind == "double") run<Bench::DoubleSeq>(options);
  else run<Bench::RecordSeq>(options);
  orb->destroy();
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "any: %s\n", error._rep_id());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "any: %s\n", error.what());
  return 1;
}
