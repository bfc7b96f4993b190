// Feeds arbitrary text to what makes Anys of JSON, and arbitrary Anys to what makes JSON of them. What is
// taken comes back as text that is taken again, and is the same then.
#include <corbel/json.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using corbel::json::Caller;
using corbel::json::Contract;

constexpr const char* kTypes = R"(
module T {
  enum Color { red, green, blue };
  struct Point { short x; long y; };
  union Choice switch (Color) { case red: long number; case green: string text; default: Point spot; };
  union Signed switch (int8) { case -1: Choice c; default: wchar w; };
  struct Node { string name; sequence<Node> inner; };
  typedef sequence<octet> Octets;
  typedef sequence<int8, 4> Few;
  typedef fixed<5, 2> Price;
  typedef octet Key[3];
  struct Numbers {
    boolean b; int8 i; unsigned short us; unsigned long ul; long long ll; unsigned long long ull; float f; double d;
    long double ld;
  };
  valuetype Tree { public long label; private Tree left; private Tree right; };
  valuetype Leaf : truncatable Tree { public wstring<6> colour; };
  valuetype Box string<3>;
  exception Refused { string why; };
  struct All {
    Choice a; Signed b; Node c; Octets d; Few e; Price f; Key g; Numbers h; Tree i; Box j; any k; char l; Object m;
  };
};
)";
constexpr const char* kNames[] = {"All", "Numbers", "Choice", "Signed", "Node", "Octets",
                                  "Few", "Price",   "Key",    "Tree",   "Box",  "Refused"};
constexpr std::size_t kCount = sizeof kNames / sizeof *kNames;

const Caller& caller() {
  static const Caller made = [] {
    const char* args[] = {"fuzz", "-ORBnativeCharCodeSet", "UTF-8", nullptr};
    int argc = 3;
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(args));
    return Caller(orb.in(), Contract::of_text(kTypes));
  }();
  return made;
}
CORBA::TypeCode_ptr type(std::size_t i) {
  static CORBA::TypeCode_var made[kCount + 2];
  if (!made[i].in()) {
    made[i] = i == kCount       ? CORBA::TypeCode::_duplicate(CORBA::_tc_any)
              : i == kCount + 1 ? CORBA::TypeCode::_duplicate(CORBA::_tc_TypeCode)
                                : Contract::of_text(kTypes).type(std::string("T::") + kNames[i]);
  }
  return made[i].in();
}

void from_text(CORBA::TypeCode_ptr type, const std::string& text) {
  std::string json;
  try {
    json = caller().to_json(caller().from_json(type, text));
  } catch (const corbel::json::Error&) {
    return;
  } catch (const CORBA::SystemException&) {
    return;
  }
  if (caller().to_json(caller().from_json(type, json)) != json) std::abort();
}

// An Any that came in a message.
void from_octets(const std::uint8_t* octets, std::size_t size, bool swap) {
  char* const memory = static_cast<char*>(std::malloc(size + 1));
  if (size != 0) std::memcpy(memory, octets, size);
  corbel::cdr::Decoder in(memory, memory, memory + size, swap);
  CORBA::Any any;
  try {
    if (unmarshal(in, any)) (void)caller().to_json(any);
  } catch (const corbel::json::Error&) {
  } catch (const CORBA::SystemException&) {
  }
  std::free(memory);
}

}  // namespace

// The first octet says the type of the text that follows, or that octets of an Any follow.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t which = data[0] % (kCount + 4);
  if (which >= kCount + 2) from_octets(data + 1, size - 1, which == kCount + 3);
  else from_text(type(which), std::string(reinterpret_cast<const char*>(data + 1), size - 1));
  return 0;
}
