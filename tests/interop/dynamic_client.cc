// dynamic-client IOR HOST:PORT GIOP-VERSION exchanges Anys and TypeCodes with a Maker of either ORB; exits
// with 0 if all were right.
#include <cstdlib>
#include <iostream>
#include <string>

#include "dynamic.h"
#include "tests/support/rebuild.h"

namespace {

int failures = 0;

void check(bool right, const std::string& what) {
  if (right) return;
  std::cerr << "wrong: " << what << '\n';
  ++failures;
}

// Taken to pieces and put together by DynAny.
void rebuilt(CORBA::ORB_ptr orb, Dynamic::Maker_ptr maker, CORBA::Long kinds) {
  CORBA::Object_var object = orb->resolve_initial_references("DynAnyFactory");
  DynamicAny::DynAnyFactory_var factory = DynamicAny::DynAnyFactory::_narrow(object);
  for (CORBA::Long i = 0; i < kinds; ++i) {
    const std::string number = std::to_string(i);
    CORBA::Any_var made = maker->make(i);
    CORBA::Any_var again = rebuild::any(factory, made.in());
    check(dynamic::holds(i, again.in()), "made there and put together anew: " + number);
    check(maker->holds(i, again.in()), "put together anew and sent back: " + number);
    const CORBA::Any mine = dynamic::make(i, maker);
    again = rebuild::any(factory, mine);
    check(maker->holds(i, again.in()), "put together and sent: " + number);
  }
}

void anys(Dynamic::Maker_ptr maker, CORBA::Long kinds) {
  for (CORBA::Long i = 0; i < kinds; ++i) {
    const std::string number = std::to_string(i);
    const CORBA::Any mine = dynamic::make(i, maker);
    CORBA::Any_var made = maker->make(i);
    check(dynamic::holds(i, made.in()), "made there: " + number);
    check(maker->holds(i, mine), "made here: " + number);
    // As it came, and with a value of another alignment in front.
    check(maker->holds(i, made.in()), "made there and sent back: " + number);
    CORBA::Any b = made.in();
    CORBA::Any_var c;
    CORBA::Any_var result = maker->pass(mine, b, c.out());
    check(dynamic::holds(i, b) && dynamic::holds(i, c.in()) && dynamic::holds(i, result.in()),
          "passed: " + number);
    CORBA::TypeCode_var own = mine.type(), its = made->type();
    // JacORB lists the labels of a union's member backwards.
    const bool equal = own->equal(its.in()) || (i == 7 && std::getenv("CORBEL_TEST_JACORB"));
    check(equal && own->equivalent(its.in()), "type: " + number);
  }
  CORBA::Any none;
  CORBA::Any_var out;
  CORBA::Any_var result = maker->pass(CORBA::Any(), none, out.out());
  CORBA::TypeCode_var type = result->type();
  check(type->kind() == CORBA::tk_null, "an empty any");
}

template <typename T>
void passed(Dynamic::Maker_ptr maker, const T& value, const std::string& what) {
  CORBA::Any mine, b;
  mine <<= value;
  CORBA::Any_var c;
  CORBA::Any_var result = maker->pass(mine, b, c.out());
  const T* back = dynamic::found<T>(result.in());
  check(back && dynamic::same(*back, value), what + " in an any");
  back = dynamic::found<T>(b);
  check(back && dynamic::same(*back, value), what + " in an any, inout");
  // As it came.
  result = maker->pass(result.in(), b, c.out());
  back = dynamic::found<T>(result.in());
  check(back && dynamic::same(*back, value), what + " in an any, once more");
}

void sizes(Dynamic::Maker_ptr maker) {
  for (CORBA::Long octets = 1024; octets <= 65536; octets *= 2) {
    for (const CORBA::Long more : {-8, -2, -1, 0, 1}) {
      const Dynamic::Doubles d = dynamic::doubles(octets / 8 + more);
      const std::string what = std::to_string(d.length()) + " doubles";
      Dynamic::Doubles_var doubles = maker->pass_doubles(1, d);
      check(dynamic::same(doubles.in(), d), what);
      passed(maker, d, what);
      const Dynamic::Flats f = dynamic::flats(octets / 24 + more);
      Dynamic::Flats_var flats = maker->pass_flats(1, f);
      check(dynamic::same(flats.in(), f), std::to_string(f.length()) + " structs");
      if (!std::getenv("CORBEL_TEST_NO_FRAGMENTED_STRUCTS"))
        passed(maker, f, std::to_string(f.length()) + " structs");
    }
  }
}

void type_codes(Dynamic::Maker_ptr maker) {
  const CORBA::TypeCode_ptr all[] = {Dynamic::_tc_Color,   Dynamic::_tc_Flat,   Dynamic::_tc_Tree,
                                     Dynamic::_tc_Plant,   Dynamic::_tc_Choice, Dynamic::_tc_Rest,
                                     Dynamic::_tc_Words,   Dynamic::_tc_Matrix, Dynamic::_tc_Wide,
                                     Dynamic::_tc_Refused, Dynamic::_tc_Other,  CORBA::_tc_any};
  for (const CORBA::TypeCode_ptr t : all) {
    CORBA::TypeCode_var b = CORBA::TypeCode::_duplicate(Dynamic::_tc_Tree), c;
    CORBA::TypeCode_var result = maker->pass_code(t, b.inout(), c.out());
    check(result->equal(t) && b->equal(t) && c->equal(Dynamic::_tc_Tree), "a TypeCode");
  }
}

void wide(Dynamic::Maker_ptr maker) {
  CORBA::WString_var b = CORBA::wstring_dup(L"b"), c;
  CORBA::WString_var result = maker->pass_wide(L"\u00e4 \u20ac", b.inout(), c.out());
  check(std::wcscmp(result.in(), L"\u00e4 \u20ac") == 0 && std::wcscmp(b.in(), L"\u00e4 \u20ac") == 0 &&
            std::wcscmp(c.in(), L"b") == 0,
        "wide strings");
}

void exceptions(Dynamic::Maker_ptr maker) {
  try {
    CORBA::Any_var none = maker->make(-3);
    check(false, "an exception");
  } catch (const Dynamic::Refused& e) {
    check(std::strcmp(e.why, "no such number") == 0 && e.what.n() == -3, "an exception's members");
  }
}

void contexts(CORBA::ORB_ptr orb, Dynamic::Maker_ptr maker) {
  CORBA::Context_var context;
  orb->get_default_context(context.out());
  CORBA::Any value;
  value <<= "somebody";
  context->set_one_value("user", value);
  CORBA::String_var name = maker->known("user", context.in());
  check(std::strcmp(name.in(), "user") == 0, "a context");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 4) return 2;
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Dynamic::Maker_var maker = Dynamic::Maker::_narrow(object.in());
    if (CORBA::is_nil(maker.in())) return 2;
    const bool giop_1_2 = std::strcmp(argv[3], "1.2") == 0;
    anys(maker.in(), giop_1_2 ? dynamic::kKinds : dynamic::kFirstWide);
    rebuilt(orb.in(), maker.in(), giop_1_2 ? dynamic::kKinds : dynamic::kFirstWide);
    sizes(maker.in());
    type_codes(maker.in());
    if (giop_1_2) wide(maker.in());
    exceptions(maker.in());
    contexts(orb.in(), maker.in());
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "client: " << e._rep_id() << '\n';
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
