// Feeds arbitrary bytes to the generated decoder of every type of the contract, at any alignment and in
// either byte order. What was decoded must survive being encoded and decoded again.
#include <corbel/corba.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "contract.stub.h"
#include "orb/cdr/char_sets.h"
#include "orb/core/orb.h"

namespace {

using namespace corbel;

void require(bool condition) {
  if (!condition) std::abort();
}

template <typename T>
std::string encoded(const T& value, std::uint32_t text) {
  cdr::Encoder out;
  out.reset();
  out.set_text(text);
  marshal(out, value);
  require(!out.error());
  return std::string(out.data(), out.size());
}

// Where the bytes come from decides what is decoded; references need an ORB.
struct Input {
  const char* origin;
  const char* begin;
  const char* end;
  bool swap;
  std::uint32_t text;  // how chars and strings are converted
  core::Orb* orb;
  cdr::Decoder decoder() const {
    cdr::Decoder in(origin, begin, end, swap);
    in.set_text(text);
    in.set_context(nullptr, false, orb);
    return in;
  }
};

template <typename T>
void decode(const Input& input) {
  cdr::Decoder in = input.decoder();
  T value;
  if (!unmarshal(in, value)) return require(in.failed());
  const std::string once = encoded(value, input.text);
  cdr::Decoder again(once.data(), once.data(), once.data() + once.size(), false);
  again.set_text(input.text);
  again.set_context(nullptr, false, input.orb);
  T same;
  require(unmarshal(again, same) && again.remaining() == 0);
  require(encoded(same, input.text) == once);
}

using Decode = void (*)(const Input&);
constexpr Decode kTypes[] = {
    decode<Contract::Point>,    decode<Contract::Flags>,    decode<Contract::Person>,
    decode<Contract::Octets>,   decode<Contract::Longs>,    decode<Contract::FewDoubles>,
    decode<Contract::Booleans>, decode<Contract::Chars>,    decode<Contract::Strings>,
    decode<Contract::Points>,   decode<Contract::People>,   decode<Contract::Matrix>,
    decode<Contract::Value>,    decode<Contract::Maybe>,    decode<Contract::Tree>,
    decode<Contract::Refused>,  decode<Contract::Callbacks>};

using cdr::form::of_sets;
constexpr std::uint32_t kTexts[] = {0, of_sets(cdr::kUtf8, cdr::kLatin1), of_sets(cdr::kLatin1, cdr::kUtf8),
                                    of_sets(cdr::kAscii, cdr::kLatin1)};

}  // namespace

// The first octet chooses the type, the second alignment (three bits), byte order and char sets.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto orb = base::make_ref<core::Orb>(core::Options{});
  if (size < 2) return 0;
  const std::size_t offset = data[1] & 7;
  // A block of exactly the size, so that the sanitizer sees every over-read.
  char* const memory = static_cast<char*>(std::malloc(offset + size - 2 + 1));
  std::memcpy(memory + offset, data + 2, size - 2);
  kTypes[data[0] % std::size(kTypes)]({memory, memory + offset, memory + offset + size - 2,
                                       (data[1] & 8) != 0, kTexts[data[1] >> 4 & 3], orb.get()});
  std::free(memory);
  return 0;
}
