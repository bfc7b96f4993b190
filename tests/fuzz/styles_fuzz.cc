// Feeds arbitrary bytes to the code and to the marshal programs made of one contract: types, and arguments of
// skeletons, at any alignment, in either byte order, in every form of characters, in fragments. Both take the
// same, stop at the same octet, and send the same.
#include <corbel/any.h>
#include <corbel/corba.h>
#include <corbel/poa.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "orb/cdr/char_sets.h"
#include "orb/core/orb.h"
#include "styles.code.h"
#include "styles.code.skel.h"
#include "styles.programs.h"
#include "styles.programs.skel.h"

namespace {

using namespace corbel;

struct Input {
  const std::uint8_t* octets;
  std::size_t size;
  std::size_t offset, cut;  // where they begin; octets in a fragment, 0: there are none
  bool swap;
  std::uint32_t older, text;
  core::Orb* orb;
};

// A message of its own, since it may be changed; exactly as large, so that who reads beyond it is seen.
class Message {
 public:
  static constexpr std::size_t kHeader = 12;
  explicit Message(const Input& input) : memory_(kHeader + input.offset + input.size) {
    char* const begin = memory_.data() + kHeader + input.offset;
    char* const end = memory_.data() + memory_.size();
    if (input.size != 0) std::memcpy(begin, input.octets, input.size);
    if (input.cut != 0)
      for (std::size_t at = kHeader + input.cut; at < memory_.size() && starts_.size() < 64; at += input.cut)
        starts_.push_back(static_cast<std::uint32_t>(at));
    in_ = cdr::Decoder(memory_.data(), begin, end, input.swap);
    in_.set_context(&arena_, true, input.orb);
    in_.set_older(input.older);
    in_.set_text(input.text);
    if (starts_.empty()) return;
    fragments_ = {memory_.data(), end, starts_.data(), static_cast<std::uint32_t>(starts_.size())};
    in_.set_fragments(fragments_);
  }
  cdr::Decoder& in() { return in_; }
  std::size_t read() const { return static_cast<std::size_t>(in_.position() - memory_.data()); }

 private:
  std::vector<char> memory_;
  std::vector<std::uint32_t> starts_;
  cdr::Fragments fragments_{};
  cdr::Arena arena_;
  cdr::Decoder in_;
};

struct Result {
  bool good = false;
  std::size_t read = 0;
  std::string sent;  // or why it cannot be
  bool operator==(const Result& other) const {
    return good == other.good && (!good || (read == other.read && sent == other.sent));
  }
};

cdr::Encoder& fresh(cdr::Encoder& out, const Input& input) {
  out.reset();
  out.set_older(input.older);
  out.set_text(input.text);
  for (std::size_t i = 0; i < (input.size & 7); ++i) out.put<std::uint8_t>(0);
  return out;
}
std::string sent(const cdr::Encoder& out) {
  return out.error() ? "refused" : std::string(out.data(), out.size());
}

template <typename T>
std::string encoded(const T& value, const Input& input) {
  cdr::Encoder out;
  try {
    marshal(fresh(out, input), value);
  } catch (const CORBA::SystemException& e) {
    return e._name();
  }
  return sent(out);
}

template <typename T>
Result decoded(const Input& input) {
  Message message(input);
  T value;
  Result result;
  try {
    result.good = unmarshal(message.in(), value);
  } catch (const CORBA::SystemException&) {
  }
  if (!result.good) return result;
  result.read = message.read();
  result.sent = encoded(value, input);
  // What was there goes.
  Message again(input);
  if (!unmarshal(again.in(), value) || encoded(value, input) != result.sent) std::abort();
  return result;
}

template <typename Code, typename Programs>
void values(const Input& input) {
  if (!(decoded<Code>(input) == decoded<Programs>(input))) std::abort();
}

// ---- arguments. The servant writes what it gets.
class Request : public core::Upcall {
 public:
  Request(const char* name, const cdr::Decoder& in) {
    operation_ = name;
    operation_length_ = static_cast<std::uint32_t>(std::strlen(name));
    arguments_ = in;
  }
};

// Arrays come as pointers to their elements.
template <typename Number>
std::enable_if_t<std::is_arithmetic_v<Number>> put(cdr::Encoder& out, Number value) {
  out.run<sizeof value>(reinterpret_cast<const char*>(&value), sizeof value);
}
void put(cdr::Encoder& out, const char* value) { out.put_string(value); }
template <typename T>
std::enable_if_t<std::is_class_v<T> || std::is_enum_v<T>> put(cdr::Encoder& out, const T& value) {
  marshal(out, value);
}
template <typename Row, std::size_t N>
void put(cdr::Encoder& out, const Row (&array)[N]) {
  for (const Row& each : array) put(out, each);
}

template <typename Taken, typename... Arguments>
void take(Taken& taken, const Arguments&... arguments) {
  taken.happened = true;
  (put(taken.out, arguments), ...);
}
struct Taken {
  cdr::Encoder out;
  bool happened = false;
};

#define STYLE Code
#define SKELETON POA_Code
#include "tests/fuzz/styles_taker.h"
#undef STYLE
#undef SKELETON
#define STYLE Programs
#define SKELETON POA_Programs
#include "tests/fuzz/styles_taker.h"

template <typename Servant>
Result taken(const char* operation, const Input& input) {
  Message message(input);
  Servant servant;
  Request request(operation, message.in());
  Result result;
  fresh(servant.taken.out, input);
  try {
    servant._dispatch(request);
  } catch (const CORBA::SystemException&) {
  }
  result.good = servant.taken.happened;
  result.sent = sent(servant.taken.out);
  return result;
}
constexpr const char* kOperations[] = {"numbers", "words", "views", "flats", "more", "rest", "values"};
template <std::size_t I>
void arguments(const Input& input) {
  if (!(taken<TakerOfCode>(kOperations[I], input) == taken<TakerOfPrograms>(kOperations[I], input)))
    std::abort();
}

using Run = void (*)(const Input&);
#define TYPE(name) values<Code::name, Programs::name>
constexpr Run kRuns[] = {
    arguments<0>,       arguments<1>,         arguments<2>,    arguments<3>,     arguments<4>,
    arguments<5>,       TYPE(Gaps),           TYPE(Plain),     TYPE(Tight),      TYPE(Checked),
    TYPE(Nested),       TYPE(Wide),           TYPE(Texts),     TYPE(Octets),     TYPE(Shorts),
    TYPE(Floats),       TYPE(Longs),          TYPE(Booleans),  TYPE(Chars),      TYPE(WChars),
    TYPE(LongDoubles),  TYPE(Colours),        TYPE(Strings),   TYPE(FewStrings), TYPE(WStrings),
    TYPE(Gapped),       TYPE(FewPlain),       TYPE(Tights),    TYPE(AllChecked), TYPE(AllNested),
    TYPE(FewTexts),     TYPE(OctetsOfOctets), TYPE(Anys),      TYPE(Prices),     TYPE(Grids),
    TYPE(AllNames),     TYPE(Sequences),      TYPE(Structs),   TYPE(Arrays),     TYPE(References),
    TYPE(Descriptions), TYPE(Switched),       TYPE(ByColour),  TYPE(ByBoolean),  TYPE(ByChar),
    TYPE(ByWide),       TYPE(ByLong),         TYPE(Unions),    TYPE(Tree),       TYPE(Trees),
    TYPE(Loop),         TYPE(Nodes),          TYPE(TypeCodes), TYPE(AllHoles),   TYPE(AllLate),
    TYPE(Torn),         TYPE(OfValues),       arguments<6>};
#undef TYPE

using cdr::form::of_sets;
constexpr std::uint32_t kTexts[] = {0, of_sets(cdr::kUtf8, cdr::kLatin1), of_sets(cdr::kLatin1, cdr::kUtf8),
                                    of_sets(cdr::kAscii, cdr::kLatin1)};

// Messages of GIOP 1.1 end at multiples of 8, their headers included, so that no number is cut.
std::size_t fragment(std::uint8_t least) { return least < 8 ? 0 : (least & 0xf8u) + 4; }

}  // namespace

// The first octet chooses what is read; the second alignment (three bits), byte order, char sets (two bits),
// GIOP's version (two bits); the third how long fragments are.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto orb = base::make_ref<core::Orb>(core::Options{});
  if (size < 3) return 0;
  const Input input{data + 3,
                    size - 3,
                    data[1] & 7u,
                    fragment(data[2]),
                    (data[1] & 8) != 0,
                    data[1] / 64u,
                    kTexts[data[1] >> 4 & 3],
                    orb.get()};
  kRuns[data[0] % std::size(kRuns)](input);
  return 0;
}
