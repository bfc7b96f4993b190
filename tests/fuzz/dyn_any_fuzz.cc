// Takes Anys of arbitrary bytes to pieces by DynAny. What comes back of all components must be what came; and
// whatever the bytes say, lengths and nesting are bounded.
#include <corbel/dynamic_any.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "tests/support/rebuild.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

CORBA::ORB_ptr orb() {
  static const CORBA::ORB_var made = [] {
    const char* args[] = {"fuzz", nullptr};
    int argc = 1;
    return CORBA::ORB_init(argc, const_cast<char**>(args));
  }();
  return made.in();
}

// Some thousand components: more would tell nothing else.
void visit(DynamicAny::DynAny_ptr d, int& budget) {
  const CORBA::ULong n = d->component_count();
  for (CORBA::ULong i = 0; i < n && --budget > 0; ++i) {
    require(d->seek(static_cast<CORBA::Long>(i)));
    const DynamicAny::DynAny_var part = d->current_component();
    visit(part, budget);
  }
}

}  // namespace

// The first octet: alignment and byte order.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const DynamicAny::DynAnyFactory_var factory = [] {
    const CORBA::Object_var object = orb()->resolve_initial_references("DynAnyFactory");
    return DynamicAny::DynAnyFactory::_narrow(object);
  }();
  if (size < 1) return 0;
  const std::size_t phase = data[0] & 7;
  char* const memory = static_cast<char*>(std::malloc(phase + size));
  std::memcpy(memory + phase, data + 1, size - 1);
  corbel::cdr::Decoder in(memory, memory + phase, memory + phase + size - 1, (data[0] & 8) != 0);
  in.set_context(nullptr, false, &orb()->_corbel_core());
  CORBA::Any any;
  bool good = false;
  try {
    good = unmarshal(in, any);
  } catch (const CORBA::MARSHAL&) {
  }
  std::free(memory);
  if (!good) return 0;
  try {
    const DynamicAny::DynAny_var d = factory->create_dyn_any(any);
    int budget = 5000;
    visit(d, budget);
    const CORBA::Any_var back = d->to_any();
    const DynamicAny::DynAny_var again = factory->create_dyn_any(back.in()), copy = d->copy();
    require(again->equal(d) && copy->equal(d));
    if (budget > 0) {
      const CORBA::Any_var built = rebuild::any(factory, any);
      // Not always equal: strings end at a null inside of them.
      const DynamicAny::DynAny_var other = factory->create_dyn_any(built.in());
      (void)other->equal(d);
    }
  } catch (const CORBA::Exception&) {  // it says what it cannot do
  }
  return 0;
}
