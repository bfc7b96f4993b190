// DynAnys of every kind: made, assigned, compared, copied, destroyed; values without components (CORBA 3.4
// part 1, "DynAny Interface", "DynFixed", "DynEnum", "DynAnyFactory").
#include <corbel/dynamic.h>

#include "tests/dynamic/dyn_any.h"

namespace {

TEST_F(DynAnys, AreMadeByAnInitialReference) {
  ASSERT_FALSE(CORBA::is_nil(factory));
  const CORBA::ORB::ObjectIdList_var names = test_orb()->list_initial_services();
  bool listed = false;
  for (CORBA::ULong i = 0; i < names->length(); ++i) listed |= std::strcmp(names[i], "DynAnyFactory") == 0;
  EXPECT_TRUE(listed);
}

TEST_F(DynAnys, HaveTheInterfaceOfTheirType) {
  const auto id = [&](CORBA::TypeCode_ptr type) -> std::string {
    const da::DynAny_var d = made(type);
    if (!CORBA::is_nil(as<da::DynFixed>(d))) return "fixed";
    if (!CORBA::is_nil(as<da::DynEnum>(d))) return "enum";
    if (!CORBA::is_nil(as<da::DynStruct>(d))) return "struct";
    if (!CORBA::is_nil(as<da::DynUnion>(d))) return "union";
    if (!CORBA::is_nil(as<da::DynSequence>(d))) return "sequence";
    if (!CORBA::is_nil(as<da::DynArray>(d))) return "array";
    if (!CORBA::is_nil(as<da::DynValue>(d))) return "value";
    if (!CORBA::is_nil(as<da::DynValueBox>(d))) return "box";
    return "basic";
  };
  EXPECT_EQ("fixed", id(Kinds::_tc_Money));
  EXPECT_EQ("enum", id(Kinds::_tc_Color));
  EXPECT_EQ("struct", id(Kinds::_tc_Alias));
  EXPECT_EQ("struct", id(Kinds::_tc_Refused));
  EXPECT_EQ("union", id(Kinds::_tc_Choice));
  EXPECT_EQ("sequence", id(Kinds::_tc_Longs));
  EXPECT_EQ("array", id(Kinds::_tc_Row));
  EXPECT_EQ("value", id(Kinds::_tc_Node));
  EXPECT_EQ("box", id(Kinds::_tc_Boxed));
  EXPECT_EQ("basic", id(CORBA::_tc_long));
  EXPECT_EQ("basic", id(Kinds::_tc_Brief));
  EXPECT_EQ("basic", id(Kinds::_tc_Thing));
  EXPECT_EQ("basic", id(Kinds::_tc_Described));
  EXPECT_EQ("basic", id(CORBA::_tc_null));
  EXPECT_EQ("basic", id(CORBA::_tc_any));
}

TEST_F(DynAnys, KeepTheTypeTheyWereMadeOf) {
  const da::DynAny_var d = made(Kinds::_tc_Alias);
  CORBA::TypeCode_var type = d->type();
  EXPECT_TRUE(type->equal(Kinds::_tc_Alias));
  Kinds::Spot spot = {3, 4};
  d->from_any(any_of(spot));
  type = d->type();
  EXPECT_TRUE(type->equal(Kinds::_tc_Alias));
  const CORBA::Any_var any = d->to_any();
  type = any->type();
  EXPECT_TRUE(type->equal(Kinds::_tc_Alias));
}

TEST_F(DynAnys, OfNoValueAreRefused) {
  const auto refused = [&](CORBA::TypeCode_ptr type) {
    return thrown([&] { da::DynAny_var(factory->create_dyn_any_from_type_code(type)); });
  };
  EXPECT_EQ("InconsistentTypeCode", refused(CORBA::_tc_Principal));
  EXPECT_EQ("InconsistentTypeCode", refused(Kinds::_tc_Here));
  const CORBA::TypeCode_var native = test_orb()->create_native_tc("IDL:N:1.0", "N");
  EXPECT_EQ("InconsistentTypeCode", refused(native));
  const CORBA::TypeCode_var recursive = test_orb()->create_recursive_tc("IDL:R:1.0");
  EXPECT_EQ("InconsistentTypeCode", refused(recursive));
  const CORBA::TypeCode_var inside = test_orb()->create_sequence_tc(0, native);
  EXPECT_EQ("none", refused(inside));  // there are values of it: empty ones
  const CORBA::TypeCode_var array = test_orb()->create_array_tc(2, native);
  EXPECT_EQ("InconsistentTypeCode", refused(array));
  EXPECT_EQ("BAD_PARAM", refused(nullptr));
  CORBA::Any none;
  none.replace(Kinds::_tc_Spot, nullptr);
  EXPECT_EQ("InconsistentTypeCode", thrown([&] { da::DynAny_var(factory->create_dyn_any(none)); }));
  EXPECT_EQ("none", thrown([&] { da::DynAny_var(factory->create_dyn_any(CORBA::Any())); }));
}

TEST_F(DynAnys, HaveDefaultValues) {
  const da::DynAny_var d = made(Kinds::_tc_Basics);
  const auto& v = value_in<Kinds::Basics>(d);
  EXPECT_FALSE(v.b);
  EXPECT_EQ(0, v.o + v.c + v.s + v.us + v.l);
  EXPECT_EQ(0u, v.ul + v.ull);
  EXPECT_EQ(0, v.f + v.d + v.ld + static_cast<double>(v.ll));
  EXPECT_EQ(L'\0', v.wc);
  EXPECT_STREQ("", v.text.in());
  EXPECT_STREQ(L"", v.wide.in());
  CORBA::TypeCode_var type = v.content.type();
  EXPECT_EQ(CORBA::tk_null, type->kind());
  EXPECT_EQ(CORBA::tk_null, v.type->kind());
  EXPECT_TRUE(CORBA::is_nil(v.ref.in()));
  EXPECT_EQ(Kinds::red, v.hue);
  EXPECT_TRUE(v.price == CORBA::Fixed(0));
}

TEST_F(DynAnys, OfBasicTypesAreInsertedAndExtracted) {
  const da::DynAny_var d = made(Kinds::_tc_Basics);
  const auto each = [&] {  // the current component, then the next one
    d->next();
  };
  d->rewind();
  d->insert_boolean(true), each();
  d->insert_octet(200), each();
  d->insert_char('c'), each();
  d->insert_short(-2), each();
  d->insert_ushort(65000), each();
  d->insert_long(-70000), each();
  d->insert_ulong(4000000000u), each();
  d->insert_float(1.5f), each();
  d->insert_double(-2.25), each();
  d->insert_longlong(-5000000000), each();
  d->insert_ulonglong(18000000000000000000u), each();
  d->insert_longdouble(1.25L), each();
  d->insert_wchar(L'\u20ac'), each();
  d->insert_string("text"), each();
  d->insert_wstring(L"w\u20ac"), each();
  d->insert_any(any_of(CORBA::Long{7})), each();
  d->insert_typecode(Kinds::_tc_Spot), each();
  const CORBA::Object_var object = test_orb()->string_to_object("corbaloc::localhost:1/key");
  d->insert_reference(object), each();
  const da::DynAny_var hue = d->current_component();
  as<da::DynEnum>(hue)->set_as_string("blue"), each();
  const da::DynAny_var price = d->current_component();
  EXPECT_TRUE(as<da::DynFixed>(price)->set_value("12.5"));
  each();
  EXPECT_TRUE(CORBA::is_nil(da::DynAny_var(d->current_component())));

  const Kinds::Basics v = value_in<Kinds::Basics>(d);
  EXPECT_TRUE(v.b);
  EXPECT_EQ(200, v.o);
  EXPECT_EQ('c', v.c);
  EXPECT_EQ(-2, v.s);
  EXPECT_EQ(65000, v.us);
  EXPECT_EQ(-70000, v.l);
  EXPECT_EQ(4000000000u, v.ul);
  EXPECT_EQ(1.5f, v.f);
  EXPECT_EQ(-2.25, v.d);
  EXPECT_EQ(-5000000000, v.ll);
  EXPECT_EQ(18000000000000000000u, v.ull);
  EXPECT_EQ(1.25L, v.ld);
  EXPECT_EQ(L'\u20ac', v.wc);
  EXPECT_STREQ("text", v.text.in());
  EXPECT_STREQ(L"w\u20ac", v.wide.in());
  CORBA::Long seven = 0;
  EXPECT_TRUE(v.content >>= seven);
  EXPECT_EQ(7, seven);
  EXPECT_TRUE(v.type->equal(Kinds::_tc_Spot));
  EXPECT_TRUE(v.ref->_is_equivalent(object));
  EXPECT_EQ(Kinds::blue, v.hue);
  EXPECT_TRUE(v.price == CORBA::Fixed("12.5"));

  d->rewind();
  EXPECT_TRUE(d->get_boolean());
  each();
  EXPECT_EQ(200, d->get_octet());
  each();
  EXPECT_EQ('c', d->get_char());
  each();
  EXPECT_EQ(-2, d->get_short());
  each();
  EXPECT_EQ(65000, d->get_ushort());
  each();
  EXPECT_EQ(-70000, d->get_long());
  each();
  EXPECT_EQ(4000000000u, d->get_ulong());
  each();
  EXPECT_EQ(1.5f, d->get_float());
  each();
  EXPECT_EQ(-2.25, d->get_double());
  each();
  EXPECT_EQ(-5000000000, d->get_longlong());
  each();
  EXPECT_EQ(18000000000000000000u, d->get_ulonglong());
  each();
  EXPECT_EQ(1.25L, d->get_longdouble());
  each();
  EXPECT_EQ(L'\u20ac', d->get_wchar());
  each();
  EXPECT_STREQ("text", CORBA::String_var(d->get_string()));
  each();
  EXPECT_STREQ(L"w\u20ac", CORBA::WString_var(d->get_wstring()));
  each();
  const CORBA::Any_var content = d->get_any();
  EXPECT_TRUE(content.in() >>= seven);
  const da::DynAny_var inner = d->get_dyn_any();
  EXPECT_EQ(7, inner->get_long());
  each();
  EXPECT_TRUE(CORBA::TypeCode_var(d->get_typecode())->equal(Kinds::_tc_Spot));
  each();
  EXPECT_TRUE(CORBA::Object_var(d->get_reference())->_is_equivalent(object));
}

TEST_F(DynAnys, OfOneTypeRefuseOthers) {
  const da::DynAny_var d = made(CORBA::_tc_long);
  EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_ulong(1); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { (void)d->get_boolean(); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { (void)CORBA::String_var(d->get_string()); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_any(any_of(CORBA::Long{1})); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->from_any(any_of(CORBA::Short{1})); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->assign(made(CORBA::_tc_short)); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { (void)d->get_long_seq(); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_val(nullptr); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_abstract(nullptr); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_reference(nullptr); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_typecode(CORBA::_tc_long); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { (void)da::DynAny_var(d->current_component()); }));
  EXPECT_EQ("TypeMismatch",
            thrown([&] { (void)da::DynAny_var(made(Kinds::_tc_Color)->current_component()); }));
  // A component of another type, and one that is constructed itself.
  const da::DynAny_var line = made(Kinds::_tc_Line);
  EXPECT_EQ("TypeMismatch", thrown([&] { line->insert_short(1); }));
  line->next();
  EXPECT_EQ("TypeMismatch", thrown([&] { line->insert_short(1); }));
  EXPECT_FALSE(line->seek(9));
  EXPECT_EQ("InvalidValue", thrown([&] { line->insert_short(1); }));
  EXPECT_EQ("InvalidValue", thrown([&] { (void)line->get_short(); }));
  EXPECT_EQ("BAD_PARAM", thrown([&] { d->assign(nullptr); }));
  EXPECT_EQ("BAD_PARAM", thrown([&] { (void)d->equal(nullptr); }));
}

TEST_F(DynAnys, HoldStringsToTheirBounds) {
  const da::DynAny_var d = made(Kinds::_tc_Brief), w = made(Kinds::_tc_Wide);
  d->insert_string("12345");
  EXPECT_EQ("InvalidValue", thrown([&] { d->insert_string("123456"); }));
  EXPECT_EQ("InvalidValue", thrown([&] { d->insert_string(nullptr); }));
  EXPECT_STREQ("12345", CORBA::String_var(d->get_string()));
  w->insert_wstring(L"12345");
  EXPECT_EQ("InvalidValue", thrown([&] { w->insert_wstring(L"123456"); }));
  EXPECT_STREQ(L"12345", CORBA::WString_var(w->get_wstring()));
  // Bounds are part of the type.
  EXPECT_EQ("TypeMismatch", thrown([&] { d->from_any(any_of("123")); }));
}

TEST_F(DynAnys, TakeTheValueOfAnAny) {
  const da::DynAny_var d = of(CORBA::Long{5});
  EXPECT_EQ(5, d->get_long());
  d->from_any(any_of(CORBA::Long{6}));
  EXPECT_EQ(6, number_in<CORBA::Long>(d));
  CORBA::Any none;
  none.replace(CORBA::_tc_long, nullptr);
  EXPECT_EQ("InvalidValue", thrown([&] { d->from_any(none); }));
  EXPECT_EQ(6, d->get_long());
}

TEST_F(DynAnys, RaiseWhatKeepsValuesFromBeingWritten) {
  CORBA::Any half;
  half <<= L"\xd800";
  da::AnySeq anys;
  anys.length(1);
  anys[0] = half;
  EXPECT_EQ("DATA_CONVERSION", thrown([&] { da::DynAny_var(factory->create_dyn_any(half)); }));
  EXPECT_EQ("DATA_CONVERSION",
            thrown([&] { da::DynAnySeq_var(factory->create_multiple_dyn_anys(anys, true)); }));
  EXPECT_EQ("DATA_CONVERSION", thrown([&] { made(CORBA::_tc_wstring)->from_any(half); }));
  EXPECT_EQ("DATA_CONVERSION", thrown([&] { made(CORBA::_tc_any)->insert_any(half); }));
  const CORBA::TypeCode_var type = test_orb()->create_array_tc(1, CORBA::_tc_wstring);
  EXPECT_EQ("DATA_CONVERSION", thrown([&] { as<da::DynArray>(made(type))->set_elements(anys); }));
}

TEST_F(DynAnys, ContainAnys) {
  const da::DynAny_var d = made(CORBA::_tc_any);
  const da::DynAny_var line = made(Kinds::_tc_Line);
  line->insert_string("inside");
  d->insert_dyn_any(line);
  line->insert_string("outside");
  const da::DynAny_var inner = d->get_dyn_any();
  EXPECT_STREQ("inside", CORBA::String_var(inner->get_string()));
  EXPECT_EQ("BAD_PARAM", thrown([&] { d->insert_dyn_any(nullptr); }));
  CORBA::Any none;
  none.replace(Kinds::_tc_Spot, nullptr);
  EXPECT_EQ("InvalidValue", thrown([&] { d->insert_any(none); }));
  d->insert_any(CORBA::Any());
  const da::DynAny_var null = d->get_dyn_any();
  EXPECT_EQ(CORBA::tk_null, CORBA::TypeCode_var(null->type())->kind());
}

TEST_F(DynAnys, AreAssignedAndCopied) {
  const da::DynAny_var a = made(Kinds::_tc_Line), b = made(Kinds::_tc_Line);
  a->insert_string("first");
  b->seek(2);
  b->assign(a);
  EXPECT_STREQ("first", CORBA::String_var(b->get_string()));  // the position is the first again
  const da::DynAny_var c = a->copy();
  a->insert_string("second");
  EXPECT_STREQ("first", CORBA::String_var(b->get_string()));
  EXPECT_STREQ("first", CORBA::String_var(c->get_string()));
  a->assign(a);
  EXPECT_STREQ("second", CORBA::String_var(a->get_string()));
  // A component lives on as a copy.
  a->next();
  const da::DynAny_var part = a->current_component(), kept = part->copy();
  a->destroy();
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)part->component_count(); }));
  EXPECT_EQ(2u, kept->component_count());
}

TEST_F(DynAnys, AreComparedByTheirValues) {
  const da::DynAny_var a = of(CORBA::Double{0.0}), b = of(CORBA::Double{-0.0}), c = of(CORBA::Double{1}),
                       n = of(CORBA::Double{__builtin_nan("")});
  EXPECT_TRUE(a->equal(b));
  EXPECT_FALSE(a->equal(c));
  EXPECT_TRUE(n->equal(n));
  EXPECT_FALSE(n->equal(a));
  EXPECT_FALSE(a->equal(da::DynAny_var(of(CORBA::Float{0}))));
  Kinds::Line line;
  line.name = "name";
  line.from = {1, 2};
  line.to = {3, 4};
  const da::DynAny_var x = of(line), y = of(line);
  y->seek(2);
  EXPECT_TRUE(x->equal(y));
  const da::DynAny_var to = y->current_component();
  to->insert_short(4);
  EXPECT_FALSE(x->equal(y));
  to->insert_short(3);
  EXPECT_TRUE(x->equal(y));
  // Anys by what they hold, references by the object.
  const da::DynAny_var p = made(CORBA::_tc_any), q = made(CORBA::_tc_any);
  p->insert_any(any_of(line));
  q->insert_any(any_of(line));
  EXPECT_TRUE(p->equal(q));
  q->insert_any(any_of(CORBA::Long{1}));
  EXPECT_FALSE(p->equal(q));
  const da::DynAny_var r = made(CORBA::_tc_Object), s = made(CORBA::_tc_Object);
  EXPECT_TRUE(r->equal(s));
  const CORBA::Object_var object = test_orb()->string_to_object("corbaloc::localhost:1/key"),
                          other = test_orb()->string_to_object("corbaloc::localhost:1/yek");
  r->insert_reference(object);
  EXPECT_FALSE(r->equal(s));
  s->insert_reference(object);
  EXPECT_TRUE(r->equal(s));
  s->insert_reference(other);
  EXPECT_FALSE(r->equal(s));
}

// Some peers write an empty string without its terminator.
TEST_F(DynAnys, AreEqualHoweverTheyWereWritten) {
  corbel::cdr::Encoder out;
  out.reset();
  for (const CORBA::ULong number : {static_cast<CORBA::ULong>(CORBA::tk_string), 0u, 0u}) out.put(number);
  corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  CORBA::Any any;
  ASSERT_TRUE(any._corbel_unmarshal(in));
  const da::DynAny_var d = factory->create_dyn_any(any);
  EXPECT_TRUE(d->equal(da::DynAny_var(of(""))));
  EXPECT_FALSE(d->equal(da::DynAny_var(of("x"))));
}

TEST_F(DynAnys, ThatAreDestroyedDoNotExist) {
  const da::DynAny_var d = made(Kinds::_tc_Line);
  d->seek(1);
  const da::DynAny_var part = d->current_component();
  part->destroy();  // a component's destruction is without effect
  part->insert_short(5);
  EXPECT_EQ(5, part->get_short());
  d->destroy();
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { part->insert_short(5); }));
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)CORBA::TypeCode_var(d->type()); }));
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)CORBA::Any_var(d->to_any()); }));
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { d->destroy(); }));
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { d->rewind(); }));
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { made(Kinds::_tc_Line)->assign(d); }));
}

TEST_F(DynAnys, ComponentsOutliveTheReferenceTheyCameFrom) {
  da::DynAny_var part;
  {
    const da::DynAny_var d = made(Kinds::_tc_Line);
    d->seek(1);
    part = d->current_component();
  }
  part->insert_short(5);
  EXPECT_EQ(5, part->get_short());
}

TEST_F(DynAnys, AreLocalObjects) {
  const da::DynAny_var d = made(CORBA::_tc_long);
  EXPECT_EQ("MARSHAL", thrown([&] { CORBA::String_var(test_orb()->object_to_string(d)); }));
  EXPECT_EQ("MARSHAL", thrown([&] { CORBA::String_var(test_orb()->object_to_string(factory)); }));
  const da::DynAny_var r = made(CORBA::_tc_Object);
  EXPECT_EQ("MARSHAL", thrown([&] { r->insert_reference(d); }));
  EXPECT_EQ("NO_IMPLEMENT", thrown([&] { CORBA::Request_var(d->_request("type")); }));
}

// ---- enums and fixed

TEST_F(DynAnys, OfEnumsKnowNamesAndNumbers) {
  const da::DynEnum_var d = da::DynEnum::_narrow(made(Kinds::_tc_Color));
  EXPECT_STREQ("red", CORBA::String_var(d->get_as_string()));
  d->set_as_string("blue");
  EXPECT_EQ(2u, d->get_as_ulong());
  d->set_as_ulong(1);
  EXPECT_STREQ("green", CORBA::String_var(d->get_as_string()));
  EXPECT_EQ("InvalidValue", thrown([&] { d->set_as_ulong(3); }));
  EXPECT_EQ("InvalidValue", thrown([&] { d->set_as_string("yellow"); }));
  EXPECT_EQ(1u, d->get_as_ulong());
  EXPECT_EQ(0u, d->component_count());
  EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_ulong(1); }));
  EXPECT_EQ(Kinds::green, number_in<Kinds::Color>(d));
}

TEST_F(DynAnys, OfFixedReadLiterals) {
  const da::DynFixed_var d = da::DynFixed::_narrow(made(Kinds::_tc_Money));
  const auto text = [&] { return std::string(CORBA::String_var(d->get_value())); };
  EXPECT_TRUE(CORBA::Fixed(text().c_str()) == CORBA::Fixed(0));
  EXPECT_TRUE(d->set_value("123.45d"));
  EXPECT_EQ("123.45", text());
  EXPECT_TRUE(d->set_value("  -7.10D\t"));
  EXPECT_TRUE(CORBA::Fixed(text().c_str()) == CORBA::Fixed("-7.1"));
  EXPECT_TRUE(d->set_value("00012"));
  EXPECT_TRUE(CORBA::Fixed(text().c_str()) == CORBA::Fixed(12));
  EXPECT_TRUE(d->set_value(".5"));
  EXPECT_TRUE(d->set_value("5."));
  EXPECT_TRUE(d->set_value("1.2300"));
  // Digits behind are cut off, those before must fit.
  EXPECT_FALSE(d->set_value("1.239"));
  EXPECT_EQ("1.23", text());
  EXPECT_FALSE(d->set_value("-0.001"));
  EXPECT_TRUE(CORBA::Fixed(text().c_str()) == CORBA::Fixed(0));
  EXPECT_EQ("InvalidValue", thrown([&] { d->set_value("1234"); }));
  for (const char* bad : {"", " ", "abc", "1.2.3", "1 2", "1.2x", "--1", "d", ".", "1dd"})
    EXPECT_EQ("TypeMismatch", thrown([&] { d->set_value(bad); })) << bad;
  EXPECT_EQ("BAD_PARAM", thrown([&] { d->set_value(nullptr); }));
  d->set_value("-999.99");
  CORBA::Fixed value;
  const CORBA::Any_var any = d->to_any();
  EXPECT_TRUE(any.in() >>= CORBA::Any::to_fixed(value, 5, 2));
  EXPECT_TRUE(value == CORBA::Fixed("-999.99"));
}

}  // namespace
