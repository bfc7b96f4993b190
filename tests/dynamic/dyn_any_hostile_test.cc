// DynAnys of types and values that no honest peer would send.
#include <corbel/cpp/any_value.h>
#include <corbel/cpp/value_scope.h>

#include <string>
#include <vector>

#include "tests/dynamic/dyn_any.h"

namespace {

using corbel::types::Kind;
using corbel::types::Member;

// As one that has come from a peer: nobody has looked whether it makes sense.
CORBA::TypeCode_var received(const corbel::types::TypeCode& type) {
  return static_cast<CORBA::TypeCode*>(corbel::types::copy(type));
}

class HostileDynAnys : public DynAnys {
 protected:
  // What the octets say of the type.
  CORBA::Any any_of_octets(CORBA::TypeCode_ptr type, const corbel::cdr::Encoder& octets) {
    corbel::cdr::Decoder in(octets.data(), octets.data(), octets.data() + octets.size(), false);
    CORBA::Any any;
    EXPECT_TRUE(any._corbel_unmarshal_value(in, *type));
    return any;
  }
};

constexpr Member kOnly[] = {{"only", nullptr, 0, 0}};
const corbel::types::TypeCode one_of_one(Kind::Enum, "IDL:One:1.0", "One", nullptr, kOnly, 1);
const corbel::types::TypeCode one_of_none(Kind::Enum, "IDL:None:1.0", "None", nullptr, nullptr, 0);

TEST_F(HostileDynAnys, OfUnionsDoNotReadOneMemberAsAnotherOfItsName) {
  const Member members[] = {{"m", CORBA::_tc_ulong, 1, 0}, {"m", &one_of_one, 2, 0}};
  const CORBA::TypeCode_var type =
      received({Kind::Union, "IDL:U:1.0", "U", CORBA::_tc_ulong, members, 2, 0, -1});
  corbel::cdr::Encoder octets;
  octets.reset();
  octets.put(1u);
  octets.put(0x10000000u);
  const da::DynUnion_var d =
      da::DynUnion::_narrow(da::DynAny_var(factory->create_dyn_any(any_of_octets(type.in(), octets))));
  const da::DynAny_var label = made(CORBA::_tc_ulong);
  label->insert_ulong(2);
  d->set_discriminator(label.in());
  const da::DynEnum_var member = da::DynEnum::_narrow(da::DynAny_var(d->member()));
  ASSERT_FALSE(CORBA::is_nil(member.in()));
  EXPECT_STREQ("only", CORBA::String_var(member->get_as_string()));
}

TEST_F(HostileDynAnys, OfSequencesOfEnumsWithoutEnumeratorsDoNotGrow) {
  const CORBA::TypeCode_var type = received({Kind::Sequence, "", "", &one_of_none, nullptr, 0});
  const da::DynSequence_var d = da::DynSequence::_narrow(made(type.in()));
  EXPECT_EQ("BAD_TYPECODE", thrown([&] { d->set_length(1); }));
  EXPECT_EQ(0u, d->get_length());
}

TEST_F(HostileDynAnys, OfUnionsWhoseFirstLabelIsNoneOfTheEnumAreRefused) {
  const Member members[] = {{"m", CORBA::_tc_ulong, 0x10000000, 0}};
  const CORBA::TypeCode_var type = received({Kind::Union, "IDL:U:1.0", "U", &one_of_one, members, 1, 0, -1});
  EXPECT_EQ("InconsistentTypeCode", thrown([&] { made(type.in()); }));
}

TEST_F(HostileDynAnys, OfUnionsWhoseFirstLabelIsNoCharacterAreRefused) {
  const Member members[] = {{"m", CORBA::_tc_ulong, 0xd800, 0}};
  const corbel::types::TypeCode choice(Kind::Union, "IDL:U:1.0", "U", CORBA::_tc_wchar, members, 1, 0, -1);
  const CORBA::TypeCode_var type = received(choice);
  EXPECT_EQ("InconsistentTypeCode", thrown([&] { made(type.in()); }));
  const CORBA::TypeCode_var many = received({Kind::Sequence, "", "", &choice, nullptr, 0});
  const da::DynSequence_var d = da::DynSequence::_narrow(made(many.in()));
  EXPECT_EQ("BAD_TYPECODE", thrown([&] { d->set_length(1); }));
}

// A value in chunks that holds others, of the type that is declared where it stands, and what refers to it
// behind.
void put_custom(corbel::cdr::Encoder& out, std::uint32_t size, std::uint32_t inner,
                std::uint32_t references) {
  out.put(0x7fffff08u);
  const std::size_t tag = out.offset() - 4;
  out.put(size);
  out.copied_run<1>(std::string(size, 'x').data(), size);
  for (std::uint32_t i = 0; i < inner; ++i) {
    out.put(0x7fffff08u);
    out.put(std::int32_t{-2});
  }
  out.put(std::int32_t{-1});
  for (std::uint32_t i = 0; i < references; ++i) {
    out.put(0xffffffffu);
    out.put(static_cast<std::int32_t>(tag) - static_cast<std::int32_t>(out.offset()));
  }
}

TEST_F(HostileDynAnys, OfValuesHeldAsAWholeDoNotReadThemAgainWithoutEnd) {
  const corbel::types::TypeCode own(Kind::Value, "IDL:Own:1.0", "Own", nullptr, nullptr, 0, 0,
                                    CORBA::VM_CUSTOM);
  const CORBA::TypeCode_var type = received({Kind::Sequence, "", "", &own, nullptr, 0});
  const auto any_with = [&](std::uint32_t size, std::uint32_t inner, std::uint32_t references) {
    corbel::cdr::Encoder octets;
    octets.reset();
    octets.put(references + 1);
    put_custom(octets, size, inner, references);
    return any_of_octets(type.in(), octets);
  };
  const CORBA::Any large = any_with(256 * 1024, 0, 400), many = any_with(4, 10'000, 100);
  EXPECT_EQ("InconsistentTypeCode", thrown([&] { da::DynAny_var(factory->create_dyn_any(large)); }));
  EXPECT_EQ("InconsistentTypeCode", thrown([&] { da::DynAny_var(factory->create_dyn_any(many)); }));
  // It stays one value.
  const da::DynAny_var d = factory->create_dyn_any(any_with(1024, 1, 400));
  EXPECT_EQ(401u, d->component_count());
  corbel::cdr::Encoder again;
  again.reset();
  CORBA::Any_var(d->to_any())->_corbel_marshal_value(again);
  EXPECT_LT(again.size(), 8192u);
}

TEST_F(HostileDynAnys, OfValuesDoNotReadThemAgainAsEachOfManyTypes) {
  constexpr std::uint32_t kTypes = 100;
  std::vector<std::string> ids(kTypes);
  std::vector<corbel::types::TypeCode> types;
  std::vector<Member> members;
  types.reserve(kTypes);
  for (std::string& id : ids) {
    id = "IDL:Own" + std::to_string(types.size()) + ":1.0";
    types.push_back({Kind::Value, id.c_str(), "Own", nullptr, nullptr, 0, 0, CORBA::VM_CUSTOM});
    members.push_back({"m", &types.back(), 0, 0});
  }
  const CORBA::TypeCode_var type =
      received({Kind::Struct, "IDL:S:1.0", "S", nullptr, members.data(), kTypes});
  for (const bool large : {false, true}) {
    corbel::cdr::Encoder octets;
    octets.reset();
    put_custom(octets, large ? 1024 * 1024 : 1024, 0, kTypes - 1);
    const CORBA::Any any = any_of_octets(type.in(), octets);
    EXPECT_EQ(large ? "InconsistentTypeCode" : "none",
              thrown([&] { da::DynAny_var(factory->create_dyn_any(any)); }));
  }
}

// Those of a type that was met first as one that it derives from: each was read again wherever it was
// referred to, and with it what it refers to.
TEST_F(HostileDynAnys, OfValuesReadThemOnceAsEachType) {
  constexpr CORBA::ULong kLevels = 12;
  Kinds::Twins twins;
  twins.all.length(kLevels);
  Kinds::Twin_var below;
  for (CORBA::ULong i = 0; i < kLevels; ++i) {
    const Kinds::Twin_var twin = new OBV_Kinds::Twin(0, below.in(), below.in());
    twins.all[i] = Kinds::Base::_duplicate(twin.in());
    below = twin;
  }
  twins.last = below;
  const da::DynAny_var d = of(twins);
  d->seek(1);
  da::DynAny_var twin = d->current_component();
  for (CORBA::ULong i = 1; i < kLevels; ++i) {
    twin->seek(1);
    const da::DynAny_var left = twin->current_component();
    twin->seek(2);
    const da::DynAny_var right = twin->current_component();
    left->seek(0);
    left->insert_long(static_cast<CORBA::Long>(i));
    right->seek(0);
    ASSERT_EQ(static_cast<CORBA::Long>(i), right->get_long());
    twin = right;
  }
}

// Types of one id are equivalent, whatever they are made of.
TEST_F(HostileDynAnys, OfOneIdAndOtherPartsAreNotEqual) {
  constexpr Member kMembers[] = {{"a", CORBA::_tc_long, 0, 1}, {"b", CORBA::_tc_long, 0, 1}};
  const auto value_of = [&](std::uint32_t members) {
    const CORBA::TypeCode_var type = received({Kind::Value, "IDL:V:1.0", "V", nullptr, kMembers, members});
    const da::DynValue_var d = da::DynValue::_narrow(made(type.in()));
    d->set_to_value();
    return d;
  };
  const da::DynValue_var one = value_of(1), two = value_of(2);
  EXPECT_FALSE(one->equal(two.in()));
  EXPECT_FALSE(two->equal(one.in()));
  EXPECT_TRUE(two->equal(value_of(2).in()));

  const corbel::types::TypeCode value(Kind::Value, "IDL:V:1.0", "V", nullptr, kMembers, 1);
  const auto struct_of = [&](const corbel::types::TypeCode& type) {
    const Member only[] = {{"x", &type, 0, 0}};
    return made(received({Kind::Struct, "IDL:S:1.0", "S", nullptr, only, 1}).in());
  };
  const da::DynAny_var null = struct_of(value), number = struct_of(*CORBA::_tc_long);
  EXPECT_FALSE(null->equal(number.in()));
  EXPECT_FALSE(number->equal(null.in()));

  const corbel::types::TypeCode longs(Kind::Array, "", "", CORBA::_tc_long, nullptr, 0, 1);
  const corbel::types::TypeCode words(Kind::Array, "", "", CORBA::_tc_string, nullptr, 0, 1);
  const da::DynAny_var run = struct_of(longs), others = struct_of(words);
  EXPECT_FALSE(run->equal(others.in()));
  EXPECT_FALSE(others->equal(run.in()));
}

TEST_F(HostileDynAnys, OfValuesHoldNoMillionsOfMembersWithoutOctets) {
  constexpr std::uint32_t kMembers = 1000, kValues = 100;
  const corbel::types::TypeCode nothing(Kind::Struct, "IDL:Nothing:1.0", "Nothing", nullptr, nullptr, 0);
  const std::vector<Member> members(kMembers, Member{"m", &nothing, 0, 1});
  const corbel::types::TypeCode value(Kind::Value, "IDL:V:1.0", "V", nullptr, members.data(), kMembers);
  const CORBA::TypeCode_var type = received({Kind::Sequence, "", "", &value, nullptr, 0});
  corbel::cdr::Encoder octets;
  octets.reset();
  octets.put(kValues);
  for (std::uint32_t i = 0; i < kValues; ++i) octets.put(0x7fffff00u);
  const CORBA::Any any = any_of_octets(type.in(), octets);
  EXPECT_EQ("InconsistentTypeCode", thrown([&] { da::DynAny_var(factory->create_dyn_any(any)); }));
}

TEST_F(HostileDynAnys, OfValuesHoldNoMillionsOfLevelsInAFewOctets) {
  constexpr std::size_t kLevels = 100;
  constexpr std::uint32_t kValues = 20'000;
  const corbel::types::TypeCode value(Kind::Value, "IDL:V:1.0", "V", nullptr, nullptr, 0);
  std::vector<corbel::types::TypeCode> arrays;
  arrays.reserve(kLevels);
  for (std::size_t i = 0; i < kLevels; ++i)
    arrays.push_back({Kind::Array, "", "", i == 0 ? &value : &arrays[i - 1], nullptr, 0, 1});
  const CORBA::TypeCode_var type = received({Kind::Sequence, "", "", &arrays.back(), nullptr, 0});
  corbel::cdr::Encoder octets;
  octets.reset();
  octets.put(kValues);
  for (std::uint32_t i = 0; i < kValues; ++i) octets.put(i == 0 ? 0x7fffff00u : 0u);
  const CORBA::Any any = any_of_octets(type.in(), octets);
  EXPECT_EQ("InconsistentTypeCode", thrown([&] { da::DynAny_var(factory->create_dyn_any(any)); }));
}

// A box whose content leads back to it is nothing that a value derives from.
TEST_F(HostileDynAnys, OfBoxesOfThemselvesAreNotTakenForOtherValues) {
  corbel::types::TypeCode box(Kind::ValueBox, "IDL:Boxed:1.0", "Boxed", nullptr, nullptr, 0);
  const corbel::types::TypeCode boxes(Kind::Sequence, "", "", &box, nullptr, 0);
  box.content = &boxes;
  const corbel::types::TypeCode other(Kind::Value, "IDL:Other:1.0", "Other", nullptr, nullptr, 0);
  const Member members[] = {{"a", &box, 0, 0}, {"b", &other, 0, 0}};
  const CORBA::TypeCode_var type = received({Kind::Struct, "IDL:S:1.0", "S", nullptr, members, 2});
  corbel::cdr::Encoder octets;
  octets.reset();
  for (const CORBA::ULong n : {0x7fffff00u, 0u, 0xffffffffu, static_cast<CORBA::ULong>(-12)}) octets.put(n);
  EXPECT_THROW(da::DynAny_var(factory->create_dyn_any(any_of_octets(type.in(), octets))), CORBA::MARSHAL);
}

// Each value of the sequence is met and referred to by the next one, structures deep inside of which it
// stands.
TEST_F(HostileDynAnys, OfValuesThatNestDeepOnlyWhenOneIsTakenAlone) {
  constexpr CORBA::ULong kStructures = 60, kValues = 1900;
  corbel::types::TypeCode value(Kind::Value, "IDL:V:1.0", "V", nullptr, nullptr, 1);
  std::vector<Member> members(kStructures + 1, Member{"m", &value, 0, 1});
  std::vector<corbel::types::TypeCode> structures;
  structures.reserve(kStructures);
  for (CORBA::ULong i = 0; i < kStructures; ++i) {
    structures.push_back({Kind::Struct, "", "", nullptr, &members[i], 1});
    members[i + 1].type = &structures[i];
  }
  value.members = &members[kStructures];
  const CORBA::TypeCode_var type = received({Kind::Sequence, "", "", &value, nullptr, 0});
  corbel::cdr::Encoder octets;
  octets.reset();
  octets.put(kValues);
  for (CORBA::ULong i = 0; i < kValues; ++i) {
    octets.put(0x7fffff00u);
    octets.put(i == 0 ? 0u : 0xffffffffu);
    if (i != 0) octets.put(static_cast<CORBA::Long>(i == 1 ? -16 : -20));
  }
  const da::DynAny_var d = factory->create_dyn_any(any_of_octets(type.in(), octets));
  d->seek(kValues - 1);
  const da::DynAny_var last = d->current_component();
  EXPECT_EQ("IMP_LIMIT", thrown([&] { CORBA::Any_var any = last->to_any(); }));
}

// A structure of so many others.
class Large {
 public:
  explicit Large(std::uint32_t width) {
    const corbel::types::TypeCode one(Kind::Struct, "IDL:One:1.0", "One", nullptr, kLong, 1);
    parts_.assign(width, one);
    for (const corbel::types::TypeCode& t : parts_) members_.push_back({"m", &t, 0, 0});
    type.members = members_.data();
    type.member_count = width;
  }
  corbel::types::TypeCode type{Kind::Struct, "IDL:Large:1.0", "Large", nullptr, nullptr, 0};

 private:
  static constexpr Member kLong[] = {{"l", CORBA::_tc_long, 0, 0}};
  std::vector<corbel::types::TypeCode> parts_;
  std::vector<Member> members_;
};

// Structures of a large type without values and of what may be one, of which the last holds one. Each looked
// at the large type again.
TEST_F(HostileDynAnys, OfTypesThatShareALargeOneLookAtItOnce) {
  constexpr std::uint32_t kStructures = 30'000;
  const Large large(kStructures);
  const corbel::types::TypeCode none(Kind::Sequence, "", "", &large.type, nullptr, 0);
  const Member both[] = {{"none", &none, 0, 0}, {"any", CORBA::_tc_any, 0, 0}};
  const std::vector<corbel::types::TypeCode> structures(kStructures,
                                                        {Kind::Struct, "IDL:T:1.0", "T", nullptr, both, 2});
  std::vector<Member> members;
  for (const corbel::types::TypeCode& t : structures) members.push_back({"t", &t, 0, 0});
  const CORBA::TypeCode_var type =
      received({Kind::Struct, "IDL:Root:1.0", "Root", nullptr, members.data(), kStructures});
  corbel::cdr::Encoder octets;
  octets.reset();
  for (std::uint32_t i = 1; i < kStructures; ++i) octets.put(std::uint64_t{0});
  octets.put(0u);
  const Kinds::Base_var value = new OBV_Kinds::Base(7);
  CORBA::Any last;
  last <<= value.in();
  last._corbel_marshal(octets);
  const da::DynAny_var d = factory->create_dyn_any(any_of_octets(type.in(), octets));
  ASSERT_EQ(kStructures, d->component_count());
  d->seek(kStructures - 1);
  const da::DynAny_var t = d->current_component();
  t->seek(1);
  const da::DynAny_var held = da::DynAny_var(t->current_component())->get_dyn_any();
  EXPECT_EQ(7, held->get_long());
}

// Values that types hold by a circle alone, whichever is asked for first.
TEST_F(HostileDynAnys, OfTypesInCirclesKeepTheValuesInThem) {
  corbel::types::TypeCode inner(Kind::Struct, "IDL:Inner:1.0", "Inner", nullptr, nullptr, 0);
  corbel::types::TypeCode outer(Kind::Struct, "IDL:Outer:1.0", "Outer", nullptr, nullptr, 0);
  const corbel::types::TypeCode inners(Kind::Sequence, "", "", &inner, nullptr, 0),
      outers(Kind::Sequence, "", "", &outer, nullptr, 0);
  const corbel::types::TypeCode& base = *Kinds::_tc_Base;
  const Member of_inner[] = {{"outers", &outers, 0, 0}};
  const Member of_outer[] = {{"inners", &inners, 0, 0}, {"value", &base, 0, 0}};
  inner.members = of_inner, inner.member_count = 1;
  outer.members = of_outer, outer.member_count = 2;
  const Member both[] = {{"outer", &outer, 0, 0}, {"inner", &inner, 0, 0}};
  const CORBA::TypeCode_var type = received({Kind::Struct, "IDL:S:1.0", "S", nullptr, both, 2});
  corbel::cdr::Encoder octets;
  octets.reset();
  // No inners and a value; one outer without inners that has the same one.
  for (const CORBA::ULong n : {0u, 0x7fffff00u, 5u, 1u, 0u, 0xffffffffu, static_cast<CORBA::ULong>(-20)})
    octets.put(n);
  const da::DynAny_var d = factory->create_dyn_any(any_of_octets(type.in(), octets));
  const auto part = [](da::DynAny_ptr of, CORBA::Long i) {
    of->seek(i);
    return da::DynAny_var(of->current_component());
  };
  const da::DynAny_var one = part(part(d, 0), 1), other = part(part(part(part(d, 1), 0), 0), 1);
  part(one, 0)->insert_long(6);
  EXPECT_EQ(6, part(other, 0)->get_long());
}

// Two sequences of many elements, whose types are two objects, and large. The type was compared with each
// element.
TEST_F(HostileDynAnys, OfLargeTypesCompareThemOnce) {
  constexpr std::uint32_t kElements = 20'000;
  const Large large(kElements);
  const corbel::types::TypeCode none(Kind::Sequence, "", "", &large.type, nullptr, 0);
  for (const bool values : {false, true}) {
    const Member members[] = {{"none", &none, 0, 1}, {"number", CORBA::_tc_double, 0, 1}};
    const corbel::types::TypeCode element(values ? Kind::Value : Kind::Struct, "IDL:E:1.0", "E", nullptr,
                                          members, 2);
    const auto sequence = [&](double last) {
      const CORBA::TypeCode_var type = received({Kind::Sequence, "", "", &element, nullptr, 0});
      corbel::cdr::Encoder octets;
      octets.reset();
      octets.put(kElements);
      for (std::uint32_t i = 0; i < kElements; ++i) {
        if (values) octets.put(0x7fffff00u);
        octets.put(0u);
        octets.put(i + 1 == kElements ? last : 1.0);
      }
      return da::DynAny_var(factory->create_dyn_any(any_of_octets(type.in(), octets)));
    };
    const da::DynAny_var zero = sequence(0.0), negative = sequence(-0.0), two = sequence(2.0);
    EXPECT_TRUE(zero->equal(negative.in()));
    (void)da::DynAny_var(zero->current_component());
    EXPECT_FALSE(zero->equal(two.in()));
  }
}

// Names do not count, those of values that derive from the declared types included.
TEST_F(HostileDynAnys, OfTypesOfOtherNamesAreEqual) {
  const auto twins = [&](const char* name, CORBA::Long number) {
    const corbel::types::TypeCode &base = *Kinds::_tc_Base, &cut = *Kinds::_tc_Cut;
    const Member members[] = {{name, &cut, 0, 0}, {name, &base, 0, 0}};
    const CORBA::TypeCode_var type = received({Kind::Struct, "IDL:S:1.0", "S", nullptr, members, 2});
    corbel::cdr::Encoder octets;
    octets.reset();
    const Kinds::Cut_var value = new OBV_Kinds::Cut;
    value->a(number);
    value->b("b");
    {
      const corbel::cpp::WrittenValues scope(octets);
      corbel::cpp::put_value_base(octets, value.in(), cut.id);
      corbel::cpp::put_value_base(octets, value.in(), base.id);
    }
    return da::DynAny_var(factory->create_dyn_any(any_of_octets(type.in(), octets)));
  };
  const da::DynAny_var one = twins("one", 1), other = twins("other", 1), different = twins("other", 2);
  EXPECT_TRUE(one->equal(other.in()));
  EXPECT_TRUE(one->equal(twins("one", 1)));
  EXPECT_FALSE(one->equal(different.in()));
  EXPECT_FALSE(one->equal(twins("one", 2)));
}

}  // namespace
