// DynAnys of components, homes and events (CORBA 3.4 part 1, "DynAny Interface", "DynValue"), of types that
// nobody has compiled.
#include "tests/dynamic/dyn_any.h"

namespace {

CORBA::ValueMember member(const char* name, CORBA::TypeCode_ptr type) {
  CORBA::ValueMember m;
  m.name = name;
  m.type = CORBA::TypeCode::_duplicate(type);
  m.access = CORBA::PUBLIC_MEMBER;
  return m;
}
template <typename... Members>
CORBA::ValueMemberSeq state_of(const Members&... members) {
  CORBA::ValueMemberSeq all;
  all.length(sizeof...(members));
  CORBA::ULong i = 0;
  ((all[i++] = members), ...);
  return all;
}

class DynParts : public DynAnys {
 protected:
  static bool is_nil(da::DynAny_ptr d) { return CORBA::is_nil(CORBA::Object_var(d->get_reference())); }
  static bool holds(da::DynAny_ptr d, CORBA::Object_ptr object) {
    const CORBA::Object_var held = d->get_reference();
    return !CORBA::is_nil(held) && held->_is_equivalent(object);
  }
  static CORBA::TCKind kind(da::DynAny_ptr d) { return CORBA::TypeCode_var(d->type())->kind(); }
  static da::DynAny_var part(da::DynAny_ptr d, CORBA::Long i) {
    d->seek(i);
    return d->current_component();
  }
  da::DynAny_var remade(da::DynAny_ptr d) { return factory->create_dyn_any(CORBA::Any_var(d->to_any())); }

  const CORBA::Object_var object = test_orb()->string_to_object("corbaloc::localhost:1/key");
  const CORBA::TypeCode_var component = test_orb()->create_component_tc("IDL:Parts/Device:1.0", "Device");
  const CORBA::TypeCode_var home = test_orb()->create_home_tc("IDL:Parts/DeviceHome:1.0", "DeviceHome");
  const CORBA::TypeCode_var tick =
      test_orb()->create_event_tc("IDL:Parts/Tick:1.0", "Tick", CORBA::VM_NONE, CORBA::TypeCode::_nil(),
                                  state_of(member("count", CORBA::_tc_long)));
  const CORBA::TypeCode_var tock =
      test_orb()->create_event_tc("IDL:Parts/Tock:1.0", "Tock", CORBA::VM_NONE, tick,
                                  state_of(member("why", CORBA::_tc_string), member("from", component)));
};

TEST_F(DynParts, OfComponentsAndHomesAreReferences) {
  for (CORBA::TypeCode_ptr const type : {component.in(), home.in()}) {
    const da::DynAny_var d = made(type);
    EXPECT_EQ(kind(d), type->kind());
    EXPECT_EQ(d->component_count(), 0u);
    EXPECT_TRUE(is_nil(d));
    const da::DynAny_var nil = d->copy();
    d->insert_reference(object);
    EXPECT_TRUE(holds(d, object));
    EXPECT_FALSE(d->equal(nil));
    const da::DynAny_var again = remade(d);
    EXPECT_EQ(kind(again), type->kind());
    EXPECT_TRUE(holds(again, object));
    EXPECT_TRUE(again->equal(d));
    d->assign(nil);
    EXPECT_TRUE(is_nil(d));
    EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_long(1); }));
    EXPECT_EQ("TypeMismatch", thrown([&] { d->assign(da::DynAny_var(made(Kinds::_tc_Thing))); }));
  }
  EXPECT_EQ("TypeMismatch", thrown([&] { made(component)->assign(da::DynAny_var(made(home))); }));
}

TEST_F(DynParts, OfEventsAreValues) {
  const da::DynValue_var d = da::DynValue::_narrow(made(tock));
  ASSERT_FALSE(CORBA::is_nil(d));
  EXPECT_EQ(kind(d), CORBA::tk_event);
  EXPECT_TRUE(d->is_null());
  EXPECT_EQ(d->component_count(), 0u);
  const da::DynAny_var null = remade(d);
  EXPECT_TRUE(as<da::DynValue>(null)->is_null());
  EXPECT_TRUE(null->equal(d));
  d->set_to_value();
  ASSERT_EQ(d->component_count(), 3u);  // what it inherits first
  EXPECT_STREQ(CORBA::String_var(d->current_member_name()), "count");
  EXPECT_EQ(d->current_member_kind(), CORBA::tk_long);
  d->insert_long(5);
  d->next();
  d->insert_string("why");
  d->next();
  EXPECT_STREQ(CORBA::String_var(d->current_member_name()), "from");
  EXPECT_EQ(d->current_member_kind(), CORBA::tk_component);
  d->insert_reference(object);
  const da::DynAny_var again = remade(d);
  EXPECT_TRUE(again->equal(d));
  EXPECT_FALSE(again->equal(null));
  EXPECT_EQ(part(again, 0)->get_long(), 5);
  EXPECT_STREQ(CORBA::String_var(part(again, 1)->get_string()), "why");
  EXPECT_TRUE(holds(part(again, 2), object));
  const da::DynValue_var other = da::DynValue::_narrow(made(tock));
  other->set_members(da::NameValuePairSeq_var(d->get_members()));
  EXPECT_TRUE(other->equal(d));
  d->set_to_null();
  EXPECT_TRUE(d->equal(null));
}

TEST_F(DynParts, OfCustomEventsAreKnownToTheirClassOnly) {
  const CORBA::TypeCode_var custom = test_orb()->create_event_tc(
      "IDL:Parts/Own:1.0", "Own", CORBA::VM_CUSTOM, CORBA::TypeCode::_nil(), CORBA::ValueMemberSeq());
  const da::DynValue_var d = da::DynValue::_narrow(made(custom));
  EXPECT_TRUE(d->is_null());
  EXPECT_EQ("NO_IMPLEMENT", thrown([&] { d->set_to_value(); }));
}

TEST_F(DynParts, StandInStructsAndSequencesLikeOthers) {
  CORBA::StructMemberSeq members;
  members.length(3);
  members[0].name = "device", members[0].type = CORBA::TypeCode::_duplicate(component);
  members[1].name = "made_by", members[1].type = CORBA::TypeCode::_duplicate(home);
  members[2].name = "events", members[2].type = test_orb()->create_sequence_tc(0, tick);
  const CORBA::TypeCode_var type = test_orb()->create_struct_tc("IDL:Parts/All:1.0", "All", members);
  const da::DynStruct_var d = da::DynStruct::_narrow(made(type));
  EXPECT_EQ(d->current_member_kind(), CORBA::tk_component);
  EXPECT_TRUE(is_nil(d));
  d->insert_reference(object);
  d->next();
  EXPECT_EQ(d->current_member_kind(), CORBA::tk_home);
  EXPECT_TRUE(is_nil(d));
  d->insert_reference(object);
  const da::DynAny_var events = part(d, 2);
  as<da::DynSequence>(events)->set_length(2);
  EXPECT_TRUE(as<da::DynValue>(part(events, 0))->is_null());
  as<da::DynValue>(part(events, 1))->set_to_value();
  part(events, 1)->insert_long(7);
  const da::DynAny_var again = remade(d);
  EXPECT_TRUE(again->equal(d));
  EXPECT_TRUE(holds(part(again, 0), object));
  EXPECT_TRUE(holds(part(again, 1), object));
  const da::DynAny_var those = part(again, 2);
  EXPECT_TRUE(as<da::DynValue>(part(those, 0))->is_null());
  EXPECT_EQ(part(those, 1)->get_long(), 7);
}

}  // namespace
