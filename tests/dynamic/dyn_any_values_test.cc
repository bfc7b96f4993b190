// DynAnys of valuetypes, boxes and abstract interfaces (CORBA 3.4 part 1, "DynValueCommon", "DynValue",
// "DynValueBox", and what "DynAnyFactory" says of sharing and truncation).
#include <corbel/cpp/any_abstract.h>
#include <corbel/cpp/any_value.h>

#include <malloc.h>

#include <vector>

#include "tests/dynamic/dyn_any.h"

namespace {

CORBA::Any any_of_node(Kinds::Node* node) {
  CORBA::Any any;
  any <<= node;
  return any;
}

class DynValues : public DynAnys {
 protected:
  static CORBA::ValueBase* value_of(da::DynAny_ptr d) { return d->get_val(); }
  Kinds::Node_var node(CORBA::Long id, Kinds::Node* next = nullptr) {
    return new OBV_Kinds::Node(id, next, nullptr);
  }
  da::DynAny_var component(da::DynAny_ptr d, CORBA::Long i) {
    d->seek(i);
    return d->current_component();
  }
  static void known(const char* id, CORBA::ValueFactoryBase* factory) {
    const CORBA::ValueFactory_var old = test_orb()->register_value_factory(id, factory);
    factory->_remove_ref();
  }
  void SetUp() override {
    known("IDL:Kinds/Node:1.0", new Kinds::Node_init);
    known("IDL:Kinds/Base:1.0", new Kinds::Base_init);
  }
};

TEST_F(DynValues, BeginAsNull) {
  const da::DynValue_var d = da::DynValue::_narrow(made(Kinds::_tc_Node));
  EXPECT_TRUE(d->is_null());
  EXPECT_EQ(0u, d->component_count());
  EXPECT_TRUE(CORBA::is_nil(da::DynAny_var(d->current_component())));
  EXPECT_EQ("TypeMismatch", thrown([&] { CORBA::String_var(d->current_member_name()); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { (void)d->current_member_kind(); }));
  EXPECT_EQ("InvalidValue", thrown([&] { da::NameValuePairSeq_var(d->get_members()); }));
  EXPECT_EQ("InvalidValue", thrown([&] { da::NameDynAnyPairSeq_var(d->get_members_as_dyn_any()); }));
  EXPECT_EQ(nullptr, value_of(d));
  const CORBA::Any_var any = d->to_any();
  Kinds::Node* n = reinterpret_cast<Kinds::Node*>(1);
  EXPECT_TRUE(any.in() >>= n);
  EXPECT_EQ(nullptr, n);
}

TEST_F(DynValues, AreMadeAndUnmade) {
  const da::DynValue_var d = da::DynValue::_narrow(made(Kinds::_tc_Node));
  d->set_to_value();
  EXPECT_FALSE(d->is_null());
  EXPECT_EQ(3u, d->component_count());
  EXPECT_STREQ("id", CORBA::String_var(d->current_member_name()));
  EXPECT_EQ(CORBA::tk_long, d->current_member_kind());
  d->insert_long(5);
  d->set_to_value();  // which it is already
  EXPECT_EQ(5, d->get_long());
  const CORBA::Any_var any = d->to_any();
  Kinds::Node* n = nullptr;
  ASSERT_TRUE(any.in() >>= n);
  EXPECT_EQ(5, n->id());
  EXPECT_EQ(nullptr, n->next());
  const da::DynAny_var id = d->current_component();
  d->set_to_null();
  EXPECT_TRUE(d->is_null());
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)id->get_long(); }));
  EXPECT_EQ("InvalidValue", thrown([&] { d->insert_long(5); }));
}

TEST_F(DynValues, AreSetAsAWhole) {
  const da::DynValue_var d = da::DynValue::_narrow(of(node(1).in()));
  da::NameValuePairSeq_var members = d->get_members();
  ASSERT_EQ(3u, members->length());
  EXPECT_STREQ("next", members[1].id.in());
  const da::DynValue_var e = da::DynValue::_narrow(made(Kinds::_tc_Node));
  e->set_members(members);
  EXPECT_TRUE(e->equal(d));
  members[0].value <<= CORBA::Short{1};
  EXPECT_EQ("TypeMismatch", thrown([&] { e->set_members(members); }));
  members->length(2);
  EXPECT_EQ("InvalidValue", thrown([&] { e->set_members(members); }));
  EXPECT_TRUE(e->equal(d));
  const da::NameDynAnyPairSeq_var parts = d->get_members_as_dyn_any();
  parts[0u].value->insert_long(8);
  e->set_members_as_dyn_any(parts);
  EXPECT_EQ(8, e->get_long());
}

TEST_F(DynValues, AreInsertedAndExtracted) {
  const Kinds::Node_var n = node(7);
  const da::DynAny_var d = made(Kinds::_tc_Node);
  d->insert_val(n);
  const CORBA::ValueBase_var back = d->get_val();
  ASSERT_NE(nullptr, Kinds::Node::_downcast(back));
  EXPECT_EQ(7, Kinds::Node::_downcast(back)->id());
  const da::DynAny_var pair = made(Kinds::_tc_Pair);
  pair->insert_val(n);
  EXPECT_EQ(7, value_in<Kinds::Pair>(pair).one->id());
  pair->insert_val(nullptr);
  EXPECT_EQ(nullptr, value_in<Kinds::Pair>(pair).one.in());
  EXPECT_EQ("TypeMismatch", thrown([&] { made(Kinds::_tc_Boxed)->insert_val(n); }));
}

TEST_F(DynValues, TakeForTheirCurrentMemberWhatIsOfItsTypeOnly) {
  known("IDL:Kinds/Holder:1.0", new Kinds::Holder_init);
  const da::DynValue_var d = da::DynValue::_narrow(made(Kinds::_tc_Holder));
  const Kinds::Base_var base = new OBV_Kinds::Base(4);
  EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_val(base); }));  // it is null, and has no member
  d->set_to_value();
  EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_val(base); }));  // the first is a number
  d->seek(1);
  d->insert_val(base);
  const CORBA::Any_var any = d->to_any();
  Kinds::Holder* holder = nullptr;
  ASSERT_TRUE(any.in() >>= holder);
  ASSERT_NE(nullptr, holder->held());
  EXPECT_EQ(4, holder->held()->a());
  d->seek(-1);
  EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_val(base); }));
}

TEST_F(DynValues, TakeThoseOfTheirTypeAndOfThoseThatDeriveFromIt) {
  const Kinds::Base_var base = new OBV_Kinds::Base(1);
  const Kinds::Cut_var cut = new OBV_Kinds::Cut(2, "b");
  const Kinds::Kept_var kept = new OBV_Kinds::Kept(3, "b");
  const da::DynAny_var d = made(Kinds::_tc_Base);
  for (CORBA::ValueBase* const value :
       {static_cast<CORBA::ValueBase*>(base.in()), static_cast<CORBA::ValueBase*>(cut.in()),
        static_cast<CORBA::ValueBase*>(kept.in())})
    EXPECT_EQ("none", thrown([&] { d->insert_val(value); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->insert_val(node(1)); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { made(Kinds::_tc_Node)->insert_val(base); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { made(Kinds::_tc_Cut)->insert_val(kept); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { made(Kinds::_tc_Kept)->insert_val(base); }));
  EXPECT_EQ("none", thrown([&] { made(CORBA::_tc_ValueBase)->insert_val(base); }));
}

// ---- sharing

TEST_F(DynValues, AreSharedAsTheyWere) {
  Kinds::Pair pair;
  pair.one = node(1);
  pair.other = pair.one;
  pair.between = 2;
  const da::DynAny_var d = of(pair);
  const da::DynAny_var one = component(d, 0), other = component(d, 2);
  one->insert_long(10);
  EXPECT_EQ(10, other->get_long());
  const Kinds::Pair& back = value_in<Kinds::Pair>(d);
  EXPECT_EQ(10, back.one->id());
  EXPECT_EQ(back.one.in(), back.other.in());
  // What one of two is set to does not concern the other.
  as<da::DynValue>(one)->set_to_null();
  EXPECT_EQ(10, other->get_long());
  const da::DynAny_var copy = d->copy();
  EXPECT_TRUE(copy->equal(d));
}

TEST_F(DynValues, MayBeCircles) {
  const Kinds::Node_var a = node(1), b = node(2, a.in());
  a->next(b.in());
  const da::DynAny_var d = of(a.in());
  const da::DynAny_var second = component(d, 1), third = component(second, 1);
  second->rewind();
  third->rewind();
  EXPECT_EQ(2, second->get_long());
  EXPECT_EQ(1, third->get_long());
  third->insert_long(11);  // it is the first
  d->rewind();
  EXPECT_EQ(11, d->get_long());
  const CORBA::ValueBase_var back = d->get_val();
  Kinds::Node* const n = Kinds::Node::_downcast(back);
  ASSERT_NE(nullptr, n);
  EXPECT_EQ(11, n->id());
  EXPECT_EQ(n, n->next()->next());
  const da::DynAny_var copy = d->copy();
  EXPECT_TRUE(copy->equal(d));
  component(copy, 1)->insert_long(3);
  EXPECT_FALSE(copy->equal(d));
  a->next(nullptr);
  n->next()->next(nullptr);
}

TEST_F(DynValues, ThatAreCirclesOfSeveralSizesAreCompared) {
  const auto circle = [&](CORBA::Long size) {
    const Kinds::Node_var last = node(1);
    Kinds::Node_var first = last;
    for (CORBA::Long i = 1; i < size; ++i) first = node(1, first.in());
    last->next(first);
    const da::DynAny_var d = of(first.in());
    last->next(nullptr);
    return d;
  };
  EXPECT_TRUE(circle(2)->equal(circle(3)));
  EXPECT_TRUE(circle(1500)->equal(circle(1500)));
  // All of the one meet all of the other.
  EXPECT_EQ("IMP_LIMIT", thrown([&] { (void)circle(1500)->equal(circle(1499)); }));
}

TEST_F(DynValues, ThatAreCirclesGoWhenOthersTakeTheirPlace) {
  const Kinds::Node_var n = node(1);
  n->next(n);
  const CORBA::Any circle = any_of_node(n.in());
  const da::DynValue_var d = da::DynValue::_narrow(of(n.in()));
  const da::DynValue_var kept = da::DynValue::_narrow(component(d, 1));
  kept->insert_long(7);
  const auto replace = [&](int times) {
    for (int i = 0; i < times; ++i) {
      d->from_any(circle);
      EXPECT_EQ(1, d->get_long());
      d->seek(1);
      const da::DynAny_var next = d->current_component();
    }
    return mallinfo2().uordblks;
  };
  const auto before = replace(1000);
  EXPECT_LT(replace(10'000), before + 100'000);
  EXPECT_EQ(7, kept->get_long());
  const da::DynValue_var again = da::DynValue::_narrow(component(kept, 1));
  again->rewind();  // it is the same
  EXPECT_EQ(7, again->get_long());
  n->next(nullptr);
}

TEST_F(DynValues, MayHoldThemselvesInAnys) {
  known("IDL:Kinds/Wrap:1.0", new Kinds::Wrap_init);
  const auto wrapped = [&](CORBA::Long id) {
    const Kinds::Wrap_var wrap = new OBV_Kinds::Wrap(CORBA::Any(), id);
    wrap->content() <<= wrap.in();
    const da::DynAny_var d = of(wrap.in());
    wrap->content(CORBA::Any());
    return d;
  };
  EXPECT_TRUE(wrapped(1)->equal(wrapped(1)));
  EXPECT_EQ("IMP_LIMIT", thrown([&] { (void)wrapped(1)->equal(wrapped(2)); }));
}

// Nothing but itself refers to a circle then, and its components end in the middle of what they are told.
TEST_F(DynValues, ThatAreCirclesEndWithTheirLastReference) {
  const Kinds::Node_var n = node(1);
  n->next(n);
  const auto on_next = [&](auto change) {
    const da::DynValue_var d = da::DynValue::_narrow(of(n.in()));
    const da::DynValue_var next = da::DynValue::_narrow(component(d, 1));
    const da::DynAny_var id = component(next, 0);
    d->set_to_null();
    EXPECT_EQ(1, id->get_long());
    change(next.in());
    EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)next->is_null(); }));
    EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)id->get_long(); }));
  };
  on_next([](da::DynValue_ptr next) { next->set_to_null(); });
  on_next([&](da::DynValue_ptr next) { next->insert_val(nullptr); });
  on_next([&](da::DynValue_ptr next) { next->assign(da::DynAny_var(made(Kinds::_tc_Node))); });
  n->next(nullptr);

  known("IDL:Kinds/Knot:1.0", new Kinds::Knot_init);
  const Kinds::Knot_var knot = new OBV_Kinds::Knot;
  knot->all().length(1);
  knot->all()[0] = knot;
  const auto on_all = [&](auto change) {
    const da::DynValue_var d = da::DynValue::_narrow(of(knot.in()));
    const da::DynSequence_var all = da::DynSequence::_narrow(component(d, 0));
    const da::DynAny_var inner = component(all, 0);
    d->set_to_null();
    (void)thrown([&] { change(all.in()); });  // OBJECT_NOT_EXIST, perhaps
    EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)all->get_length(); }));
    EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)inner->component_count(); }));
  };
  on_all([](da::DynSequence_ptr all) { all->set_length(0); });
  on_all([](da::DynSequence_ptr all) { all->set_elements(da::AnySeq()); });
  knot->all().length(0);
}

TEST_F(DynValues, AreReadInUnionsSequencesAndAnys) {
  const Kinds::Node_var n = node(4);
  Kinds::Nodes nodes;
  nodes.length(3);
  nodes[0] = n, nodes[2] = n;
  const da::DynAny_var d = of(nodes);
  component(d, 0)->insert_long(5);
  EXPECT_EQ(5, component(d, 2)->get_long());
  EXPECT_TRUE(as<da::DynValue>(component(d, 1))->is_null());
  const auto& back = value_in<Kinds::Nodes>(d);
  EXPECT_EQ(back[0], back[2]);
  const da::DynSequence_var s = da::DynSequence::_narrow(d);
  s->set_length(4);
  as<da::DynValue>(component(d, 3))->set_to_value();
  EXPECT_EQ(0, value_in<Kinds::Nodes>(d)[3]->id());

  Kinds::Either either;
  either.n(n);
  const da::DynUnion_var u = da::DynUnion::_narrow(of(either));
  EXPECT_EQ(4, da::DynAny_var(u->member())->get_long());
  either.a(any_of_node(n));
  const da::DynUnion_var v = da::DynUnion::_narrow(of(either));
  const da::DynAny_var content = v->member();
  const da::DynAny_var inner = content->get_dyn_any();
  EXPECT_EQ(4, inner->get_long());
  Kinds::Node* held = nullptr;
  EXPECT_TRUE(value_in<Kinds::Either>(v).a() >>= held);
  EXPECT_EQ(4, held->id());
  EXPECT_TRUE(da::DynAny_var(v->copy())->equal(v));
}

TEST_F(DynValues, AreSharedBetweenSeveralAnys) {
  const Kinds::Node_var n = node(1);
  da::AnySeq anys;
  anys.length(2);
  anys[0] = any_of_node(n);
  Kinds::Pair pair;
  pair.between = 0;
  pair.one = n;
  anys[1] <<= pair;
  const da::DynAnySeq_var d = factory->create_multiple_dyn_anys(anys, true);
  ASSERT_EQ(2u, d->length());
  d[0u]->insert_long(9);
  EXPECT_EQ(9, component(d[1u], 0)->get_long());
  const da::AnySeq_var back = factory->create_multiple_anys(d);
  Kinds::Node* first = nullptr;
  const Kinds::Pair* second = nullptr;
  ASSERT_TRUE(back[0u] >>= first);
  ASSERT_TRUE(back[1u] >>= second);
  EXPECT_EQ(9, first->id());
  EXPECT_EQ(first, second->one.in());
  d[0u]->destroy();
  EXPECT_EQ(9, component(d[1u], 0)->get_long());
  da::DynAnySeq nil;
  nil.length(1);
  EXPECT_EQ("BAD_PARAM", thrown([&] { da::AnySeq_var(factory->create_multiple_anys(nil)); }));
  // Without values each is for itself.
  anys[0] <<= CORBA::Long{1};
  anys[1] <<= CORBA::Double{2};
  const da::DynAnySeq_var plain = factory->create_multiple_dyn_anys(anys, false);
  EXPECT_EQ(2, plain[1u]->get_double());
  anys[1].replace(CORBA::_tc_long, nullptr);
  EXPECT_EQ("InconsistentTypeCode",
            thrown([&] { da::DynAnySeq_var(factory->create_multiple_dyn_anys(anys, false)); }));
}

// ---- what derives from others

TEST_F(DynValues, HaveTheMembersTheyInherit) {
  const da::DynValue_var d = da::DynValue::_narrow(made(Kinds::_tc_Cut));
  d->set_to_value();
  EXPECT_EQ(2u, d->component_count());
  EXPECT_STREQ("a", CORBA::String_var(d->current_member_name()));
  d->insert_long(1);
  d->next();
  EXPECT_STREQ("b", CORBA::String_var(d->current_member_name()));
  d->insert_string("b");
  const CORBA::Any_var any = d->to_any();
  Kinds::Cut* cut = nullptr;
  test_orb()->register_value_factory("IDL:Kinds/Cut:1.0", CORBA::ValueFactory_var(new Kinds::Cut_init));
  ASSERT_TRUE(any.in() >>= cut);
  test_orb()->unregister_value_factory("IDL:Kinds/Cut:1.0");
  EXPECT_EQ(1, cut->a());
  EXPECT_STREQ("b", cut->b());
}

TEST_F(DynValues, AreCutOffWhereThatIsAllowed) {
  const Kinds::Cut_var cut = new OBV_Kinds::Cut(3, "gone");
  CORBA::Any any;
  any <<= static_cast<Kinds::Base*>(cut.in());
  const da::DynAny_var d = factory->create_dyn_any(any);
  EXPECT_EQ(1u, d->component_count());
  EXPECT_EQ(3, d->get_long());
  EXPECT_EQ("MustTruncate", thrown([&] { da::DynAny_var(factory->create_dyn_any_without_truncation(any)); }));
  da::AnySeq anys;
  anys.length(1);
  anys[0] = any;
  EXPECT_EQ("MustTruncate",
            thrown([&] { da::DynAnySeq_var(factory->create_multiple_dyn_anys(anys, false)); }));
  EXPECT_EQ("none", thrown([&] { da::DynAnySeq_var(factory->create_multiple_dyn_anys(anys, true)); }));
  CORBA::Any base;
  const Kinds::Base_var b = new OBV_Kinds::Base(4);
  base <<= b.in();
  EXPECT_EQ("none", thrown([&] { da::DynAny_var(factory->create_dyn_any_without_truncation(base)); }));
}

// What is transcoded to look at it has lost already what had to be cut off.
TEST_F(DynValues, AreCutOffInEitherByteOrderWhereThatIsAllowed) {
  for (const bool swap : {false, true}) {
    // {Base, Base}: the first of them is a Cut, in a chunk.
    std::string octets;
    const auto number = [&](std::uint32_t n) {
      octets.resize((octets.size() + 3) / 4 * 4);
      const bool little = corbel::cdr::kHostIsLittleEndian != swap;
      for (int i = 0; i < 4; ++i) octets += static_cast<char>(n >> (little ? 8 * i : 24 - 8 * i));
    };
    const auto text = [&](const std::string& s) {
      number(static_cast<std::uint32_t>(s.size() + 1));
      octets += s + '\0';
    };
    number(2);
    number(0x7fffff0e);
    number(2);
    text("IDL:Kinds/Cut:1.0");
    text("IDL:Kinds/Base:1.0");
    number(10);
    number(1);
    text("b");
    number(static_cast<std::uint32_t>(-1));
    number(0x7fffff00);
    number(2);
    std::vector<double> memory(octets.size() / 8 + 1);
    char* const at = reinterpret_cast<char*>(memory.data());
    octets.copy(at, octets.size());
    corbel::cdr::Decoder in(at, at, at + octets.size(), swap);
    da::AnySeq anys;
    anys.length(1);
    ASSERT_TRUE(anys[0]._corbel_unmarshal_value(in, *Kinds::_tc_Bases));
    EXPECT_EQ("none", thrown([&] { da::DynAny_var(factory->create_dyn_any(anys[0])); }));
    EXPECT_EQ("MustTruncate",
              thrown([&] { da::DynAny_var(factory->create_dyn_any_without_truncation(anys[0])); }));
    EXPECT_EQ("MustTruncate",
              thrown([&] { da::DynAnySeq_var(factory->create_multiple_dyn_anys(anys, false)); }));
    EXPECT_EQ("none", thrown([&] { da::DynAnySeq_var(factory->create_multiple_dyn_anys(anys, true)); }));
  }
}

// ---- boxes

TEST_F(DynValues, InBoxesAreOneComponent) {
  const da::DynValueBox_var d = da::DynValueBox::_narrow(made(Kinds::_tc_BoxedSpot));
  EXPECT_TRUE(d->is_null());
  EXPECT_EQ(0u, d->component_count());
  EXPECT_EQ("InvalidValue", thrown([&] { CORBA::Any_var(d->get_boxed_value()); }));
  EXPECT_EQ("InvalidValue", thrown([&] { da::DynAny_var(d->get_boxed_value_as_dyn_any()); }));
  Kinds::Spot spot = {1, 2};
  d->set_boxed_value(any_of(spot));
  EXPECT_FALSE(d->is_null());
  EXPECT_EQ(1u, d->component_count());
  const da::DynAny_var inside = d->get_boxed_value_as_dyn_any();
  inside->insert_short(5);
  const CORBA::Any_var boxed = d->get_boxed_value();
  const Kinds::Spot* back = nullptr;
  ASSERT_TRUE(boxed.in() >>= back);
  EXPECT_EQ(5, back->x);
  const CORBA::Any_var any = d->to_any();
  Kinds::BoxedSpot* box = nullptr;
  ASSERT_TRUE(any.in() >>= box);
  EXPECT_EQ(5, box->x());
  EXPECT_EQ("TypeMismatch", thrown([&] { d->set_boxed_value(any_of(CORBA::Long{1})); }));
  EXPECT_EQ("TypeMismatch", thrown([&] { d->set_boxed_value_as_dyn_any(made(CORBA::_tc_long)); }));
  d->set_boxed_value_as_dyn_any(made(Kinds::_tc_Spot));
  EXPECT_EQ("OBJECT_NOT_EXIST", thrown([&] { (void)inside->get_short(); }));
  d->set_to_null();
  EXPECT_TRUE(d->is_null());
  d->set_to_value();
  const da::DynAny_var again = factory->create_dyn_any(any);
  EXPECT_FALSE(again->equal(d));
  const da::DynAny_var number = made(Kinds::_tc_Boxed);
  as<da::DynValueBox>(number)->set_to_value();
  number->insert_long(3);
  EXPECT_EQ(3, number->get_long());
}

// ---- what is known to classes only

TEST_F(DynValues, ThatAreCustomStayWhatTheyAre) {
  const da::DynValue_var d = da::DynValue::_narrow(made(Kinds::_tc_Own));
  EXPECT_TRUE(d->is_null());
  EXPECT_EQ("NO_IMPLEMENT", thrown([&] { d->set_to_value(); }));
  const da::DynValue_var base = da::DynValue::_narrow(made(CORBA::_tc_ValueBase));
  EXPECT_TRUE(base->is_null());
  EXPECT_EQ("NO_IMPLEMENT", thrown([&] { base->set_to_value(); }));
  EXPECT_EQ("NO_IMPLEMENT", thrown([&] { base->set_members(da::NameValuePairSeq()); }));
  EXPECT_TRUE(base->is_null());
}

TEST_F(DynValues, OfAnyTypeArePassedOn) {
  CORBA::Any any;
  const Kinds::Node_var n = node(6);
  any <<= static_cast<CORBA::ValueBase*>(n.in());
  const da::DynValue_var d = da::DynValue::_narrow(da::DynAny_var(factory->create_dyn_any(any)));
  EXPECT_FALSE(d->is_null());
  const CORBA::ValueBase_var back = d->get_val();
  ASSERT_NE(nullptr, Kinds::Node::_downcast(back));
  EXPECT_EQ(6, Kinds::Node::_downcast(back)->id());
  const da::DynAny_var copy = d->copy();
  EXPECT_TRUE(copy->equal(d));
}

// ---- abstract interfaces

class Written : public virtual OBV_Kinds::Note, public virtual CORBA::DefaultValueRefCountBase {
 public:
  explicit Written(const char* what = "") { text(what); }
  char* describe() override { return CORBA::string_dup(text()); }
};
class WrittenFactory : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Written; }
};

TEST_F(DynValues, AndObjectsOfAbstractInterfaces) {
  test_orb()->register_value_factory("IDL:Kinds/Note:1.0", CORBA::ValueFactory_var(new WrittenFactory));
  const da::DynAny_var d = made(Kinds::_tc_Described);
  EXPECT_EQ(nullptr, CORBA::AbstractBase_var(d->get_abstract()).in());
  const CORBA::ValueBase_var note = new Written("note");
  d->insert_abstract(dynamic_cast<CORBA::AbstractBase*>(note.in()));
  CORBA::AbstractBase_var back = d->get_abstract();
  Kinds::Described_var described = Kinds::Described::_narrow(back);
  EXPECT_STREQ("note", CORBA::String_var(described->describe()));
  EXPECT_TRUE(da::DynAny_var(d->copy())->equal(d));
  const CORBA::Object_var object = test_orb()->string_to_object("corbaloc::localhost:1/key");
  const Kinds::Seen_var seen = Kinds::Seen::_unchecked_narrow(object);
  d->insert_abstract(seen);
  back = d->get_abstract();
  described = Kinds::Described::_unchecked_narrow(back);
  EXPECT_FALSE(CORBA::is_nil(described));
  const da::DynAny_var carrier = made(Kinds::_tc_Carrier);
  carrier->insert_abstract(dynamic_cast<CORBA::AbstractBase*>(note.in()));
  const auto& c = value_in<Kinds::Carrier>(carrier);
  EXPECT_STREQ("note", CORBA::String_var(c.what->describe()));
  test_orb()->unregister_value_factory("IDL:Kinds/Note:1.0");
}

}  // namespace
