// Values made at random, of types made at random: DynAny gives them back as they were, from their octets in
// both byte orders, from their components, and put together of components one by one.
#include <gtest/gtest.h>

#include <random>

#include "tests/random/cases.h"
#include "tests/support/rebuild.h"

namespace {

namespace da = DynamicAny;

da::DynAnyFactory_ptr factory() {
  static const da::DynAnyFactory_var made = [] {
    const CORBA::Object_var object = orb()->resolve_initial_references("DynAnyFactory");
    return da::DynAnyFactory::_narrow(object);
  }();
  return made.in();
}

// Every component is asked for, so that nothing stays the octets that it was; in circles, so many of them.
void visit(da::DynAny_ptr d, int& most) {
  const CORBA::ULong n = d->component_count();
  for (CORBA::ULong i = 0; i < n && --most > 0; ++i) {
    ASSERT_TRUE(d->seek(static_cast<CORBA::Long>(i)));
    const da::DynAny_var part = d->current_component();
    visit(part, most);
  }
}
void visit(da::DynAny_ptr d) {
  int most = 1000;
  visit(d, most);
}

template <typename Check>
void each(const Check& check) {
  ASSERT_FALSE(cases().empty());
  for (const Case& one : cases())
    for (const Octets& octets : one.octets) {
      if (!octets.in_any) continue;
      SCOPED_TRACE(testing::Message()
                   << one.entry->name << " " << one.text.substr(0, 300)
                   << (octets.little ? " little" : " big") << "-endian at " << octets.offset);
      Block block(octets);
      CORBA::Any any;
      ASSERT_TRUE(read_any(block, any));
      check(one, octets, any);
      if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(RandomDynAnys, GiveBackWhatTheyTook) {
  each([](const Case& one, const Octets&, const CORBA::Any& any) {
    da::DynAny_var d;
    try {
      d = factory()->create_dyn_any_without_truncation(any);
    } catch (const da::MustTruncate&) {
      ASSERT_TRUE(one.derived);  // one of a type that its Any does not describe
      return;
    }
    CORBA::Any_var back = d->to_any();
    // What its TypeCode does not describe stays an Any, and shares no values with what is around.
    if (one.derived) return;
    ASSERT_EQ(text_of(back.in(), *one.entry), one.text);
    ASSERT_TRUE(d->equal(d));
    visit(d);
    back = d->to_any();
    ASSERT_EQ(text_of(back.in(), *one.entry), one.text);
    const da::DynAny_var other = factory()->create_dyn_any(back.in()), copy = d->copy();
    ASSERT_TRUE(other->equal(d));
    ASSERT_TRUE(copy->equal(other));
  });
}

TEST(RandomDynAnys, AreBuiltOfComponents) {
  each([](const Case& one, const Octets&, const CORBA::Any& any) {
    if (one.values) return;  // a tree of components does not say which values are one
    const CORBA::Any_var made = rebuild::any(factory(), any);
    ASSERT_EQ(text_of(made.in(), *one.entry), one.text);
  });
}

// What is changed at random is refused, or comes back equal.
TEST(RandomDynAnys, TakeWhateverAnAnyHolds) {
  std::mt19937 random(3);
  int taken = 0;
  each([&](const Case& one, const Octets& octets, const CORBA::Any&) {
    if (octets.offset != 0) return;
    for (int round = 0; round < 20; ++round) {
      Octets changed = octets;
      for (std::uint32_t changes = 1 + random() % 2; changes != 0; --changes)
        changed.bytes[random() % changed.bytes.size()] = static_cast<char>(random());
      Block block(changed);
      CORBA::Any any;
      if (!read_any(block, any)) continue;
      da::DynAny_var d;
      try {
        d = factory()->create_dyn_any(any);
      } catch (const da::DynAnyFactory::InconsistentTypeCode&) {
        continue;  // wide characters that no host has
      } catch (const CORBA::MARSHAL&) {
        continue;  // a value of a class that nobody knows
      }
      ++taken;
      visit(d);
      const CORBA::Any_var back = d->to_any();
      const da::DynAny_var again = factory()->create_dyn_any(back.in());
      if (one.values) continue;  // what its TypeCode does not describe shares no values any more
      ASSERT_TRUE(again->equal(d));
    }
  });
  EXPECT_GT(taken, 100);
}

}  // namespace
