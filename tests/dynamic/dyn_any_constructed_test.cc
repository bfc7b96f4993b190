// DynAnys with components: positions, structs and exceptions, unions, sequences, arrays (CORBA 3.4 part 1,
// "Iteration", "DynStruct", "DynUnion", "DynSequence", "DynArray").
#include "tests/dynamic/dyn_any.h"

namespace {

template <typename D>
CORBA::TCKind kind(D* d) {
  return CORBA::TypeCode_var(d->type())->kind();
}
// Moves and leaves the current position.
CORBA::Long position(da::DynAny_ptr d) {
  const da::DynAny_var now = d->current_component();
  if (CORBA::is_nil(now)) return -1;
  const CORBA::ULong n = d->component_count();
  for (CORBA::ULong i = 0; i < n; ++i) {
    d->seek(static_cast<CORBA::Long>(i));
    if (da::DynAny_var(d->current_component())->_is_equivalent(now)) return static_cast<CORBA::Long>(i);
  }
  return -2;
}

TEST_F(DynAnys, StepThroughTheirComponents) {
  const da::DynAny_var d = made(Kinds::_tc_Line);
  EXPECT_EQ(3u, d->component_count());
  EXPECT_EQ(0, position(d));
  EXPECT_TRUE(d->next());
  EXPECT_TRUE(d->next());
  EXPECT_EQ(2, position(d));
  EXPECT_FALSE(d->next());
  EXPECT_EQ(-1, position(d));
  EXPECT_TRUE(d->next());
  EXPECT_EQ(0, position(d));
  d->seek(-1);
  int steps = 0;
  while (d->next()) ++steps;
  EXPECT_EQ(3, steps);
  EXPECT_TRUE(d->seek(1));
  EXPECT_FALSE(d->seek(3));
  EXPECT_EQ(-1, position(d));
  EXPECT_FALSE(d->seek(-7));
  EXPECT_EQ(-1, position(d));
  d->rewind();
  EXPECT_EQ(0, position(d));
  const da::DynAny_var none = made(CORBA::_tc_long);
  EXPECT_FALSE(none->next());
  EXPECT_FALSE(none->next());
  EXPECT_FALSE(none->seek(0));
  EXPECT_EQ(0u, none->component_count());
}

TEST_F(DynAnys, GiveOneComponentAsOneObject) {
  const da::DynAny_var d = made(Kinds::_tc_Line);
  d->seek(1);
  const da::DynAny_var a = d->current_component(), b = d->current_component();
  EXPECT_TRUE(a->_is_equivalent(b));
  a->insert_short(9);
  EXPECT_EQ(9, b->get_short());
  a->next();  // its position is its own
  EXPECT_EQ(0, b->get_double());
}

// ---- structs and exceptions

TEST_F(DynAnys, OfStructsNameTheirMembers) {
  const da::DynStruct_var d = da::DynStruct::_narrow(made(Kinds::_tc_Line));
  EXPECT_STREQ("name", CORBA::String_var(d->current_member_name()));
  EXPECT_EQ(CORBA::tk_string, d->current_member_kind());
  d->next();
  EXPECT_STREQ("from", CORBA::String_var(d->current_member_name()));
  EXPECT_EQ(CORBA::tk_struct, d->current_member_kind());
  d->seek(-1);
  EXPECT_EQ("InvalidValue", thrown([&] { CORBA::String_var(d->current_member_name()); }));
  EXPECT_EQ("InvalidValue", thrown([&] { (void)d->current_member_kind(); }));
}

TEST_F(DynAnys, OfStructsAreSetAsAWhole) {
  const da::DynStruct_var d = da::DynStruct::_narrow(made(Kinds::_tc_Spot));
  da::NameValuePairSeq_var members = d->get_members();
  ASSERT_EQ(2u, members->length());
  EXPECT_STREQ("x", members[0].id.in());
  EXPECT_STREQ("y", members[1].id.in());
  members[0].value <<= CORBA::Short{4};
  members[1].value <<= CORBA::Double{5};
  members[1].id = "";  // names may be left out
  d->seek(1);
  d->set_members(members);
  EXPECT_EQ(0, position(d));
  EXPECT_EQ(4, value_in<Kinds::Spot>(d).x);
  EXPECT_EQ(5, value_in<Kinds::Spot>(d).y);
  members[1].id = "z";
  EXPECT_EQ("TypeMismatch", thrown([&] { d->set_members(members); }));
  members[1].id = "y";
  members[1].value <<= CORBA::Float{6};
  EXPECT_EQ("TypeMismatch", thrown([&] { d->set_members(members); }));
  members[1].value.replace(CORBA::_tc_double, nullptr);
  EXPECT_EQ("InvalidValue", thrown([&] { d->set_members(members); }));
  members->length(1);
  EXPECT_EQ("InvalidValue", thrown([&] { d->set_members(members); }));
  EXPECT_EQ(5, value_in<Kinds::Spot>(d).y);  // unchanged

  const da::DynStruct_var line = da::DynStruct::_narrow(made(Kinds::_tc_Line));
  da::NameDynAnyPairSeq_var parts = line->get_members_as_dyn_any();
  ASSERT_EQ(3u, parts->length());
  parts[0].value->insert_string("n");
  parts[1].value->insert_short(1);
  EXPECT_STREQ("n", value_in<Kinds::Line>(line).name.in());  // they are the components
  const da::DynStruct_var copy = da::DynStruct::_narrow(made(Kinds::_tc_Line));
  copy->set_members_as_dyn_any(parts);
  EXPECT_TRUE(copy->equal(line));
  parts[0].value->insert_string("m");
  EXPECT_FALSE(copy->equal(line));  // and copied where they are set
  parts[0].value = da::DynAny::_nil();
  EXPECT_EQ("TypeMismatch", thrown([&] { copy->set_members_as_dyn_any(parts); }));
}

TEST_F(DynAnys, OfExceptionsAreStructs) {
  const da::DynStruct_var d = da::DynStruct::_narrow(made(Kinds::_tc_Refused));
  EXPECT_EQ(CORBA::tk_except, kind(d.in()));
  EXPECT_EQ(2u, d->component_count());
  d->insert_string("why");
  d->next();
  d->insert_long(3);
  const CORBA::Any_var any = d->to_any();
  const Kinds::Refused* refused = nullptr;
  ASSERT_TRUE(any.in() >>= refused);
  EXPECT_STREQ("why", refused->why.in());
  EXPECT_EQ(3, refused->code);
  const da::DynAny_var again = factory->create_dyn_any(any);
  EXPECT_TRUE(again->equal(d));
  EXPECT_STREQ("why", CORBA::String_var(again->get_string()));

  const da::DynStruct_var empty = da::DynStruct::_narrow(made(Kinds::_tc_Empty));
  EXPECT_EQ(0u, empty->component_count());
  EXPECT_EQ("TypeMismatch", thrown([&] { CORBA::String_var(empty->current_member_name()); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { (void)empty->current_member_kind(); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { (void)da::DynAny_var(empty->current_component()); }));
  empty->set_members(da::NameValuePairSeq());
  const CORBA::Any_var nothing = empty->to_any();
  const Kinds::Empty* e = nullptr;
  EXPECT_TRUE(nothing.in() >>= e);
}

// ---- unions

TEST_F(DynAnys, OfUnionsBeginWithTheirFirstMember) {
  const da::DynUnion_var d = da::DynUnion::_narrow(made(Kinds::_tc_Choice));
  EXPECT_EQ(2u, d->component_count());
  EXPECT_EQ(0, position(d));
  EXPECT_EQ(CORBA::tk_short, d->discriminator_kind());
  EXPECT_STREQ("n", CORBA::String_var(d->member_name()));
  EXPECT_EQ(CORBA::tk_long, d->member_kind());
  EXPECT_FALSE(d->has_no_active_member());
  EXPECT_EQ(1, da::DynAny_var(d->get_discriminator())->get_short());
  const da::DynUnion_var first = da::DynUnion::_narrow(made(Kinds::_tc_First));
  EXPECT_STREQ("o", CORBA::String_var(first->member_name()));
  EXPECT_NE(0, da::DynAny_var(first->get_discriminator())->get_long());
}

// A default that no label selects; IDL has none, but TypeCodes of peers may.
TEST_F(DynAnys, OfUnionsWhoseLabelsAreAllTakenHaveNoDefaultMember) {
  const CORBA::EnumMemberSeq names = [] {
    CORBA::EnumMemberSeq made;
    made.length(2);
    made[0] = "red", made[1] = "green";
    return made;
  }();
  const CORBA::TypeCode_var color = test_orb()->create_enum_tc("IDL:C:1.0", "C", names);
  const auto label = [](CORBA::TypeCode_ptr type, CORBA::ULong value) {
    CORBA::Any any;
    if (type == CORBA::_tc_boolean) any <<= CORBA::Any::from_boolean(value != 0);
    else any._corbel_put(*type, &value, sizeof value);
    return any;
  };
  for (CORBA::TypeCode_ptr const type : {CORBA::_tc_boolean, color.in()})
    for (const CORBA::ULong labels : {1u, 2u}) {
      CORBA::UnionMemberSeq members;
      members.length(1 + labels);
      members[0].name = "otherwise";
      members[0].label <<= CORBA::Any::from_octet(0);
      for (CORBA::ULong i = 1; i <= labels; ++i) {
        members[i].name = i == 1 ? "one" : "two";
        members[i].label = label(type, i - 1);
      }
      for (auto& member : {&members[0], &members[1], &members[labels]})
        member->type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
      const CORBA::TypeCode_var u = test_orb()->create_union_tc("IDL:U:1.0", "U", type, members);
      if (labels == 2) {
        EXPECT_EQ("InconsistentTypeCode", thrown([&] { (void)made(u); }));
        continue;
      }
      const da::DynUnion_var d = da::DynUnion::_narrow(made(u));
      EXPECT_STREQ("otherwise", CORBA::String_var(d->member_name()));
      EXPECT_EQ("none", thrown([&] { (void)CORBA::Any_var(d->to_any()); }));
    }
}

TEST_F(DynAnys, OfUnionsFollowTheirDiscriminator) {
  const da::DynUnion_var d = da::DynUnion::_narrow(made(Kinds::_tc_Choice));
  const da::DynAny_var n = d->member();
  n->insert_long(7);
  // Another label of the same member.
  d->set_discriminator(of(CORBA::Short{2}));
  EXPECT_EQ(7, n->get_long());
  EXPECT_EQ(1, position(d));
  d->set_discriminator(of(CORBA::Short{-3}));
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)n->get_long(); }));
  EXPECT_STREQ("text", CORBA::String_var(d->member_name()));
  const da::DynAny_var text = d->member();
  text->insert_string("t");
  EXPECT_EQ(-3, value_in<Kinds::Choice>(d)._d());
  EXPECT_STREQ("t", value_in<Kinds::Choice>(d).text());
  d->set_discriminator(of(CORBA::Short{100}));
  EXPECT_STREQ("place", CORBA::String_var(d->member_name()));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->set_discriminator(of(CORBA::Long{1})); }));
  EXPECT_EQ("BAD_PARAM", thrown([&] { d->set_discriminator(nullptr); }));
  // As a component.
  const da::DynAny_var discriminator = d->get_discriminator();
  discriminator->insert_short(1);
  EXPECT_STREQ("n", CORBA::String_var(d->member_name()));
  EXPECT_EQ(0, da::DynAny_var(d->member())->get_long());
  d->rewind();
  d->insert_short(-3);
  EXPECT_STREQ("", value_in<Kinds::Choice>(d).text());
}

TEST_F(DynAnys, OfMembersEndWithTheDiscriminatorThatSelectsThem) {
  const da::DynUnion_var d = da::DynUnion::_narrow(made(Kinds::_tc_Choice));
  const da::DynAny_var discriminator = d->get_discriminator(), n = d->member();
  n->insert_long(5);
  discriminator->insert_short(2);  // a label of the same member
  EXPECT_EQ(5, n->get_long());
  discriminator->insert_short(-3);
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { n->insert_long(6); }));
  const da::DynAny_var text = d->member();
  discriminator->assign(of(CORBA::Short{100}));
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { text->insert_string("text"); }));
  const da::DynAny_var place = d->member();
  discriminator->from_any(any_of(CORBA::Short{1}));
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)place->component_count(); }));
  EXPECT_EQ(1, value_in<Kinds::Choice>(d)._d());
  EXPECT_EQ(0, value_in<Kinds::Choice>(d).n());
}

TEST_F(DynAnys, OfUnionsMayHaveNoMember) {
  const da::DynUnion_var d = da::DynUnion::_narrow(made(Kinds::_tc_Maybe));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->set_to_default_member(); }));
  d->seek(1);
  d->set_to_no_active_member();
  EXPECT_TRUE(d->has_no_active_member());
  EXPECT_EQ(1u, d->component_count());
  EXPECT_EQ(0, position(d));
  EXPECT_EQ("InvalidValue", thrown([&] { (void)da::DynAny_var(d->member()); }));
  EXPECT_EQ("InvalidValue", thrown([&] { CORBA::String_var(d->member_name()); }));
  EXPECT_EQ("InvalidValue", thrown([&] { (void)d->member_kind(); }));
  EXPECT_FALSE(value_in<Kinds::Maybe>(d)._d());
  CORBA::Any yes;
  yes <<= CORBA::Any::from_boolean(true);
  const da::DynAny_var label = factory->create_dyn_any(yes);
  d->set_discriminator(label);
  EXPECT_FALSE(d->has_no_active_member());
  EXPECT_EQ(1, position(d));

  const da::DynUnion_var whole = da::DynUnion::_narrow(made(Kinds::_tc_Whole));
  EXPECT_EQ("TypeMismatch", thrown([&] { whole->set_to_no_active_member(); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { whole->set_to_default_member(); }));
  const da::DynUnion_var hue = da::DynUnion::_narrow(made(Kinds::_tc_Hue));
  hue->set_to_no_active_member();
  EXPECT_EQ(0u, as<da::DynEnum>(da::DynAny_var(hue->get_discriminator()))->get_as_ulong());
}

TEST_F(DynAnys, OfUnionsHaveADefaultMember) {
  const da::DynUnion_var d = da::DynUnion::_narrow(made(Kinds::_tc_Choice));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->set_to_no_active_member(); }));
  d->seek(1);
  d->set_to_default_member();
  EXPECT_EQ(0, position(d));
  EXPECT_EQ(2u, d->component_count());
  EXPECT_STREQ("place", CORBA::String_var(d->member_name()));
  EXPECT_EQ(0, value_in<Kinds::Choice>(d).place().x);
  const da::DynAny_var spot = d->member();
  spot->insert_short(6);
  d->set_to_default_member();  // which it is already
  EXPECT_EQ(6, value_in<Kinds::Choice>(d).place().x);
}

TEST_F(DynAnys, OfUnionsAreReadWithAnyDiscriminator) {
  Kinds::Letter letter;
  letter.d(2.5);
  const da::DynUnion_var d = da::DynUnion::_narrow(of(letter));
  EXPECT_EQ(L'\u20ac', da::DynAny_var(d->get_discriminator())->get_wchar());
  EXPECT_EQ(2.5, da::DynAny_var(d->member())->get_double());
  da::DynAny_var(d->get_discriminator())->insert_wchar(L'x');
  EXPECT_EQ(CORBA::tk_alias, kind(da::DynAny_var(d->member()).in()));
  EXPECT_EQ(0u, value_in<Kinds::Letter>(d).many().length());
  d->set_to_no_active_member();
  EXPECT_EQ(1u, d->component_count());
}

// ---- sequences

TEST_F(DynAnys, OfSequencesGrowAndShrink) {
  const da::DynSequence_var d = da::DynSequence::_narrow(made(Kinds::_tc_Spots));
  EXPECT_EQ(0u, d->get_length());
  EXPECT_EQ(-1, position(d));
  EXPECT_FALSE(d->seek(0));
  d->set_length(2);
  EXPECT_EQ(0, position(d));  // the first new one
  d->seek(1);
  const da::DynAny_var second = d->current_component();
  second->insert_short(5);
  d->set_length(4);
  EXPECT_EQ(1, position(d));  // as before
  EXPECT_EQ(4u, d->component_count());
  EXPECT_EQ(5, value_in<Kinds::Spots>(d)[1].x);
  EXPECT_EQ(0, value_in<Kinds::Spots>(d)[3].x);
  d->seek(3);
  d->set_length(3);
  EXPECT_EQ(-1, position(d));  // what it indicated is gone
  d->set_length(4);
  EXPECT_EQ(3, position(d));
  d->seek(0);
  d->set_length(1);
  EXPECT_EQ(0, position(d));
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)second->get_short(); }));
  d->set_length(0);
  EXPECT_EQ(-1, position(d));
  EXPECT_EQ("InvalidValue", thrown([&] { d->insert_short(1); }));
  EXPECT_EQ(0u, value_in<Kinds::Spots>(d).length());
}

TEST_F(DynAnys, OfSequencesKeepTheirBound) {
  const da::DynSequence_var d = da::DynSequence::_narrow(made(Kinds::_tc_Words));
  d->set_length(3);
  EXPECT_EQ("InvalidValue", thrown([&] { d->set_length(4); }));
  EXPECT_EQ(3u, d->get_length());
  d->insert_string("four");
  EXPECT_EQ("InvalidValue", thrown([&] { d->insert_string("fives"); }));
  da::AnySeq_var words = d->get_elements();
  words->length(4);
  words[3] = words[0];
  EXPECT_EQ("InvalidValue", thrown([&] { d->set_elements(words); }));
  words->length(1);
  d->seek(2);
  d->set_elements(words);
  EXPECT_EQ(1u, d->get_length());
  EXPECT_EQ(0, position(d));
  EXPECT_STREQ("four", CORBA::String_var(d->get_string()));
  words[0] <<= CORBA::Long{1};
  EXPECT_EQ("TypeMismatch", thrown([&] { d->set_elements(words); }));
  words->length(0);
  d->set_elements(words);
  EXPECT_EQ(-1, position(d));
}

TEST_F(DynAnys, OfNumbersGrowAndShrinkWithoutComponents) {
  Kinds::LongDoubles longs;
  longs.length(2);
  longs[0] = 1, longs[1] = 2;
  const da::DynSequence_var d = da::DynSequence::_narrow(of(longs));
  d->set_length(4);
  EXPECT_EQ(0, position(d));
  EXPECT_EQ(2, value_in<Kinds::LongDoubles>(d)[1]);
  EXPECT_EQ(0, value_in<Kinds::LongDoubles>(d)[3]);
  d->set_length(1);
  EXPECT_EQ(1u, value_in<Kinds::LongDoubles>(d).length());
  const da::DynSequence_var empty = da::DynSequence::_narrow(made(Kinds::_tc_Shorts));
  empty->set_length(3);
  EXPECT_EQ(0, position(empty));
  EXPECT_EQ(3u, value_in<Kinds::Shorts>(empty).length());
  EXPECT_EQ("IMP_LIMIT", thrown([&] { empty->set_length(0xffffffff); }));
  const da::DynSequence_var spots = da::DynSequence::_narrow(made(Kinds::_tc_Spots));
  EXPECT_EQ("IMP_LIMIT", thrown([&] { spots->set_length(0xffffffff); }));
  EXPECT_EQ(0u, spots->get_length());
  const CORBA::TypeCode_var million = test_orb()->create_array_tc(1000000, CORBA::_tc_double);
  const CORBA::TypeCode_var more = test_orb()->create_array_tc(1000000, million);
  EXPECT_EQ("IMP_LIMIT", thrown([&] { made(more); }));
  EXPECT_EQ(1000000u, made(million)->component_count());
}

TEST_F(DynAnys, OfSequencesGiveElements) {
  Kinds::Longs longs;
  longs.length(3);
  longs[0] = 1, longs[1] = 2, longs[2] = 3;
  const da::DynSequence_var d = da::DynSequence::_narrow(of(longs));
  const da::AnySeq_var elements = d->get_elements();
  CORBA::Long n = 0;
  ASSERT_EQ(3u, elements->length());
  EXPECT_TRUE(elements[2] >>= n);
  EXPECT_EQ(3, n);
  const da::DynAnySeq_var parts = d->get_elements_as_dyn_any();
  parts[1]->insert_long(20);
  EXPECT_EQ(20, value_in<Kinds::Longs>(d)[1]);
  EXPECT_EQ(3, value_in<Kinds::Longs>(d)[2]);
  const da::DynSequence_var other = da::DynSequence::_narrow(made(Kinds::_tc_Longs));
  other->set_elements_as_dyn_any(parts);
  EXPECT_TRUE(other->equal(d));
  other->set_elements(elements);
  EXPECT_EQ(2, value_in<Kinds::Longs>(other)[1]);
}

TEST_F(DynAnys, OfArraysHaveAllElements) {
  const da::DynArray_var d = da::DynArray::_narrow(made(Kinds::_tc_Row));
  EXPECT_EQ(3u, d->component_count());
  for (CORBA::Long i = 0; i < 3; ++i, d->next()) d->insert_long(i + 1);
  EXPECT_EQ(-1, position(d));
  const CORBA::Any_var any = d->to_any();
  Kinds::Row_forany row;
  ASSERT_TRUE(any.in() >>= row);
  EXPECT_EQ(3, row[2]);
  da::AnySeq_var elements = d->get_elements();
  elements[0] <<= CORBA::Long{9};
  d->set_elements(elements);
  EXPECT_EQ(0, position(d));
  EXPECT_EQ(9, d->get_long());
  elements->length(2);
  EXPECT_EQ("InvalidValue", thrown([&] { d->set_elements(elements); }));
  elements->length(3);
  elements[2] <<= CORBA::Short{1};
  EXPECT_EQ("TypeMismatch", thrown([&] { d->set_elements(elements); }));
  const da::DynAnySeq_var parts = d->get_elements_as_dyn_any();
  parts[2]->insert_long(33);
  d->seek(2);
  EXPECT_EQ(33, d->get_long());
  d->set_elements_as_dyn_any(parts);
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)parts[2]->get_long(); }));
  d->seek(2);
  EXPECT_EQ(33, d->get_long());
  const da::DynAny_var names = made(Kinds::_tc_Names);
  names->next();
  names->insert_string("second");
  Kinds::Names_forany n;
  const CORBA::Any_var text = names->to_any();
  ASSERT_TRUE(text.in() >>= n);
  EXPECT_STREQ("second", n[1].in());
}

TEST_F(DynAnys, OfRecursiveTypesGrowByLevels) {
  const da::DynAny_var root = made(Kinds::_tc_Tree);
  da::DynAny_var at = root;
  for (CORBA::Long i = 0; i < 20; ++i) {
    at->insert_long(i);
    at->seek(1);
    const da::DynSequence_var branches = da::DynSequence::_narrow(da::DynAny_var(at->current_component()));
    at->rewind();
    branches->set_length(1);
    at = branches->current_component();
  }
  const Kinds::Tree* t = &value_in<Kinds::Tree>(root);
  for (CORBA::Long i = 0; i < 20; ++i, t = &t->branches[0]) {
    EXPECT_EQ(i, t->id);
    ASSERT_EQ(1u, t->branches.length());
  }
  EXPECT_TRUE(da::DynAny_var(factory->create_dyn_any(any_of(value_in<Kinds::Tree>(root))))->equal(root));
}

TEST_F(DynAnys, NestOnlySoDeep) {
  const da::DynAny_var root = made(Kinds::_tc_Tree);
  da::DynAny_var at = root;
  const auto deepen = [&] {
    at->seek(1);
    const da::DynSequence_var branches = da::DynSequence::_narrow(da::DynAny_var(at->current_component()));
    branches->set_length(1);
    at = branches->current_component();
  };
  EXPECT_EQ("IMP_LIMIT", thrown([&] {
              for (int i = 0; i < 3000; ++i) deepen();
            }));
  EXPECT_EQ("MARSHAL", thrown([&] { (void)CORBA::Any_var(root->to_any()); }));  // no peer would read that
}

TEST_F(DynAnys, HaveDefaultValuesAsDeepAsTheirTypes) {
  CORBA::TypeCode_var type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  for (int i = 0; i < 300; ++i) {
    CORBA::StructMemberSeq members;
    members.length(1);
    members[0].name = "inside";
    members[0].type = type;
    type = test_orb()->create_struct_tc("IDL:Level:1.0", "Level", members);
  }
  da::DynAny_var at = made(type);
  for (int i = 0; i < 300; ++i) at = at->current_component();
  EXPECT_EQ(0, at->get_long());
}

// ---- sequences of basic types

template <typename T>
struct Runs;
#define CORBEL_TEST_RUN(Type, Seq, get, insert)                              \
  template <>                                                                \
  struct Runs<Kinds::Type> {                                                 \
    typedef CORBA::Seq seq;                                                  \
    static CORBA::Seq* take(da::DynAny_ptr d) { return d->get(); }           \
    static void put(da::DynAny_ptr d, const CORBA::Seq& s) { d->insert(s); } \
    static CORBA::TypeCode_ptr type() { return Kinds::_tc_##Type; }          \
  };
CORBEL_TEST_RUN(Booleans, BooleanSeq, get_boolean_seq, insert_boolean_seq)
CORBEL_TEST_RUN(Octets, OctetSeq, get_octet_seq, insert_octet_seq)
CORBEL_TEST_RUN(Chars, CharSeq, get_char_seq, insert_char_seq)
CORBEL_TEST_RUN(Shorts, ShortSeq, get_short_seq, insert_short_seq)
CORBEL_TEST_RUN(UShorts, UShortSeq, get_ushort_seq, insert_ushort_seq)
CORBEL_TEST_RUN(Longs, LongSeq, get_long_seq, insert_long_seq)
CORBEL_TEST_RUN(ULongs, ULongSeq, get_ulong_seq, insert_ulong_seq)
CORBEL_TEST_RUN(LongLongs, LongLongSeq, get_longlong_seq, insert_longlong_seq)
CORBEL_TEST_RUN(ULongLongs, ULongLongSeq, get_ulonglong_seq, insert_ulonglong_seq)
CORBEL_TEST_RUN(Floats, FloatSeq, get_float_seq, insert_float_seq)
CORBEL_TEST_RUN(Doubles, DoubleSeq, get_double_seq, insert_double_seq)
CORBEL_TEST_RUN(LongDoubles, LongDoubleSeq, get_longdouble_seq, insert_longdouble_seq)
CORBEL_TEST_RUN(WChars, WCharSeq, get_wchar_seq, insert_wchar_seq)
#undef CORBEL_TEST_RUN

template <typename T>
class DynAnyRuns : public DynAnys {};
typedef testing::Types<Kinds::Booleans, Kinds::Octets, Kinds::Chars, Kinds::Shorts, Kinds::UShorts,
                       Kinds::Longs, Kinds::ULongs, Kinds::LongLongs, Kinds::ULongLongs, Kinds::Floats,
                       Kinds::Doubles, Kinds::LongDoubles, Kinds::WChars>
    AllRuns;
TYPED_TEST_SUITE(DynAnyRuns, AllRuns);

TYPED_TEST(DynAnyRuns, AreInsertedAndExtractedAtOnce) {
  typedef Runs<TypeParam> R;
  typename R::seq seq;
  seq.length(5);
  for (CORBA::ULong i = 0; i < 5; ++i) {
    seq[i] = static_cast<std::remove_reference_t<decltype(seq[i])>>(i + 1);
    if constexpr (std::is_same_v<typename R::seq, CORBA::BooleanSeq>) seq[i] = i % 2 == 0;
  }
  const auto same = [&](const typename R::seq* taken) {
    ASSERT_EQ(seq.length(), taken->length());
    for (CORBA::ULong i = 0; i < seq.length(); ++i) EXPECT_EQ(seq[i], (*taken)[i]);
    delete taken;
  };
  const da::DynAny_var d = this->made(R::type());
  R::put(d, seq);
  EXPECT_EQ(5u, d->component_count());
  same(R::take(d));
  const TypeParam& mapped = value_in<TypeParam>(d);
  ASSERT_EQ(5u, mapped.length());
  for (CORBA::ULong i = 0; i < 5; ++i) EXPECT_EQ(seq[i], mapped[i]);
  // Taken to pieces, and some of them changed.
  d->seek(4);
  const da::DynAny_var last = d->current_component();
  d->seek(0);
  const da::DynAny_var first = d->current_component();
  last->assign(first);
  seq[4] = seq[0];
  same(R::take(d));
  // As an array, as a component, and of no elements.
  const CORBA::TypeCode_var type = d->type(), sequence = type->content_type(),
                            element = sequence->content_type();
  const CORBA::TypeCode_var array = test_orb()->create_array_tc(5, element);
  const da::DynAny_var a = this->made(array);
  R::put(a, seq);
  same(R::take(a));
  const CORBA::TypeCode_var two = test_orb()->create_array_tc(2, R::type());
  const da::DynAny_var outer = this->made(two);
  outer->next();
  R::put(outer, seq);
  same(R::take(outer));
  seq.length(4);
  EXPECT_EQ("InvalidValue", thrown([&] { R::put(a, seq); }));
  const CORBA::TypeCode_var bounded = test_orb()->create_sequence_tc(3, element);
  const da::DynAny_var b = this->made(bounded);
  EXPECT_EQ("InvalidValue", thrown([&] { R::put(b, seq); }));
  seq.length(3);
  R::put(b, seq);
  same(R::take(b));
  seq.length(0);
  R::put(d, seq);
  same(R::take(d));
  EXPECT_EQ("TypeMismatch", thrown([&] { R::put(this->made(Kinds::_tc_Line), seq); }));
  EXPECT_EQ("InvalidValue", thrown([&] { outer->seek(7), R::put(outer, seq); }));
}

}  // namespace
