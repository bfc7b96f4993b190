// The classes of boxes as the mapping has them: constructors, assignment, accessors, members of what is
// boxed, and the insides as parameters of every mode, in real calls between two ORBs and within one. What
// leaks or is freed twice shows in the sanitizers' build.
#include <corbel/cpp/octet_seq.h>
#include <corbel/cpp/string_value.h>
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

#include "pair.h"
#include "value_boxes.any.h"
#include "value_boxes.skel.h"

namespace {

static_assert(std::is_same_v<Kinds::LongBox::_var_type, Kinds::LongBox_var>);

template <typename T>
void turn(const T& a, T& b, T& c) {
  c = std::exchange(b, a);
}

class Peer : public POA_Kinds::Peer {
 public:
  void poke() override {}
};

class Taker : public POA_Kinds::Taker {
 public:
  CORBA::Long numbers(CORBA::Long a, CORBA::Long& b, CORBA::Long_out c) override {
    c = std::exchange(b, a);
    return a;
  }
  Kinds::Color colors(Kinds::Color a, Kinds::Color& b, Kinds::Color_out c) override {
    c = std::exchange(b, a);
    return a;
  }
  char* texts(const char* a, char*& b, CORBA::String_out c) override {
    c = std::exchange(b, CORBA::string_dup(a));
    return CORBA::string_dup(a);
  }
  CORBA::WChar* wtexts(const CORBA::WChar* a, CORBA::WChar*& b, CORBA::WString_out c) override {
    c = std::exchange(b, CORBA::wstring_dup(a));
    return CORBA::wstring_dup(a);
  }
  Kinds::Peer_ptr peers(Kinds::Peer_ptr a, Kinds::Peer_ptr& b, Kinds::Peer_out c) override {
    c = std::exchange(b, Kinds::Peer::_duplicate(a));
    return Kinds::Peer::_duplicate(a);
  }
  Kinds::Point points(const Kinds::Point& a, Kinds::Point& b, Kinds::Point_out c) override {
    turn(a, b, static_cast<Kinds::Point&>(c));
    return a;
  }
  Kinds::Mixed* structs(const Kinds::Mixed& a, Kinds::Mixed& b, Kinds::Mixed_out c) override {
    return give(a, b, c);
  }
  Kinds::Choice* choices(const Kinds::Choice& a, Kinds::Choice& b, Kinds::Choice_out c) override {
    return give(a, b, c);
  }
  Kinds::Mixeds* many(const Kinds::Mixeds& a, Kinds::Mixeds& b, Kinds::Mixeds_out c) override {
    return give(a, b, c);
  }
  CORBA::Any* anys(const CORBA::Any& a, CORBA::Any& b, CORBA::Any_out c) override { return give(a, b, c); }
  Kinds::Money fixeds(const Kinds::Money& a, Kinds::Money& b, Kinds::Money_out c) override {
    turn(a, b, static_cast<Kinds::Money&>(c));
    return a;
  }
  CORBA::ValueBase* pass(CORBA::ValueBase* a) override { return CORBA::ValueBase::_duplicate(a); }

 private:
  template <typename T, typename Out>
  static T* give(const T& a, T& b, Out& c) {
    c = new T(b);
    b = a;
    return new T(a);
  }
};

class ValueBoxes : public testing::TestWithParam<Place> {
 protected:
  ValueBoxes() {
    PortableServer::Servant_var<Taker> servant = new Taker;
    it = pair.activate<Kinds::Taker>(servant.in());
    PortableServer::Servant_var<Peer> other = new Peer;
    peer = pair.activate<Kinds::Peer>(other.in());
  }
  // There and back as any value.
  template <typename Box>
  Box* passed(Box* box) {
    CORBA::ValueBase_var r = it->pass(box);
    Box* const same = Box::_downcast(r.in());
    EXPECT_TRUE(same);
    EXPECT_EQ(Box::_downcast(nullptr), nullptr);
    r._retn();
    return same;
  }
  Pair pair{GetParam()};
  Kinds::Taker_var it;
  Kinds::Peer_var peer;
};
INSTANTIATE_TEST_SUITE_P(Places, ValueBoxes, testing::Values(Place::Remote, Place::Collocated), place_name);

Kinds::Mixed mixed(const char* text) {
  Kinds::Mixed m{};
  m.text = text;
  m.wide = L"wide";
  m.place.x = 1, m.place.y = 2.5;
  m.words.length(2);
  m.words[1] = "word";
  m.cells[0] = m.cells[1] = 0, m.cells[2] = 3;
  m.hue = Kinds::blue;
  return m;
}

TEST(Box, IsNeitherAssignedNorOnTheStack) {
  static_assert(!std::is_assignable_v<Kinds::LongBox&, const Kinds::LongBox&>);
  static_assert(!std::is_assignable_v<Kinds::MixedBox&, const Kinds::MixedBox&>);
  static_assert(!std::is_destructible_v<Kinds::LongBox> && !std::is_destructible_v<CORBA::StringValue>);
}

TEST(BoxOfANumber, IsMadeCopiedAndAssigned) {
  Kinds::LongBox_var empty = new Kinds::LongBox, box = new Kinds::LongBox(5);
  EXPECT_EQ(empty->_value(), 0);
  Kinds::LongBox_var copy = new Kinds::LongBox(*box);
  *box = 6;
  EXPECT_EQ(box->_value(), 6);
  EXPECT_EQ(copy->_value(), 5);
  EXPECT_EQ(copy->_refcount_value(), 1u);
  copy->_value(7);
  EXPECT_EQ(copy->_boxed_in(), 7);
  Kinds::ColorBox_var color = new Kinds::ColorBox(Kinds::green);
  *color = Kinds::blue;
  EXPECT_EQ(color->_value(), Kinds::blue);
  Kinds::BooleanBox_var yes = new Kinds::BooleanBox(true);
  EXPECT_TRUE(yes->_value());
}

TEST(BoxOfAString, IsAString) {
  Kinds::TextBox_var empty = new Kinds::TextBox;
  EXPECT_STREQ(empty->_value(), "");
  CORBA::String_var var = CORBA::string_dup("var");
  Kinds::TextBox_var adopted = new Kinds::TextBox(CORBA::string_dup("adopted"));
  Kinds::TextBox_var copied = new Kinds::TextBox("copied"), held = new Kinds::TextBox(var);
  EXPECT_STREQ(adopted->_value(), "adopted");
  EXPECT_STREQ(held->_value(), "var");
  EXPECT_STREQ(var.in(), "var");
  Kinds::TextBox_var again = new Kinds::TextBox(*copied);
  (*copied)[0] = 'C';
  const Kinds::TextBox& constant = *copied;
  EXPECT_EQ(constant[0], 'C');
  EXPECT_EQ(constant[1], 'o');
  EXPECT_STREQ(again->_value(), "copied");
  *again = CORBA::string_dup("adopted");
  *again = "copied";
  *again = var;
  again->_value(CORBA::string_dup("adopted"));
  again->_value("copied");
  again->_value(var);
  EXPECT_STREQ(again->_value(), "var");
  char*& inside = again->_boxed_inout();
  CORBA::string_free(inside);
  inside = CORBA::string_dup("replaced");
  EXPECT_STREQ(again->_boxed_in(), "replaced");
  again->_boxed_out();
  EXPECT_STREQ(again->_value(), "") << "nothing was given";
  Kinds::WTextBox_var wide = new Kinds::WTextBox(L"wide");
  *wide = L"wider";
  EXPECT_EQ((*wide)[4], L'r');
  CORBA::StringValue_var standard = new CORBA::StringValue("standard");
  *standard = "other";
  EXPECT_STREQ(standard->_value(), "other");
}

TEST(BoxOfAStruct, HasItsMembers) {
  Kinds::MixedBox_var box = new Kinds::MixedBox(mixed("text"));
  EXPECT_STREQ(box->text(), "text");
  box->text("copied");
  box->text(CORBA::string_dup("adopted"));
  CORBA::String_var var = CORBA::string_dup("var");
  box->text(var);
  EXPECT_STREQ(box->_value().text, "var");
  box->wide(L"wider");
  EXPECT_EQ(std::wstring(box->wide()), L"wider");
  box->place().x = 8;
  Kinds::Point point = {3, 4.5};
  EXPECT_EQ(std::as_const(*box).place().x, 8);
  box->place(point);
  EXPECT_EQ(box->_value().place.y, 4.5);
  box->words().length(1);
  EXPECT_EQ(std::as_const(*box).words().length(), 1u);
  const Kinds::Row row = {7, 8, 9};
  box->cells(row);
  EXPECT_EQ(box->cells()[2], 9);
  box->hue(Kinds::green);
  EXPECT_EQ(box->hue(), Kinds::green);
  EXPECT_TRUE(CORBA::is_nil(box->other()));
  Kinds::MixedBox_var copy = new Kinds::MixedBox(*box);
  *box = mixed("other");
  EXPECT_STREQ(copy->text(), "var");
  EXPECT_STREQ(box->text(), "other");
  box->_value(copy->_value());
  EXPECT_STREQ(box->text(), "var");
  Kinds::PointBox_var small = new Kinds::PointBox;
  small->x(4);
  EXPECT_EQ(small->_value().x, 4);
  EXPECT_EQ(small->y(), 0);
}

TEST(BoxOfAUnion, HasItsMembers) {
  Kinds::ChoiceBox_var box = new Kinds::ChoiceBox;
  box->text("text");
  EXPECT_EQ(box->_d(), 1);
  EXPECT_STREQ(box->text(), "text");
  box->text(CORBA::string_dup("adopted"));
  EXPECT_STREQ(std::as_const(*box).text(), "adopted");
  box->all(mixed("inside"));
  box->all().place.x = 6;
  EXPECT_EQ(std::as_const(*box).all().place.x, 6);
  box->_default();
  EXPECT_GT(box->_d(), 3);
  Kinds::PlainBox_var plain = new Kinds::PlainBox;
  plain->number(5);
  EXPECT_TRUE(plain->_d());
  EXPECT_THROW(plain->_d(false), CORBA::BAD_PARAM);
}

TEST(BoxOfASequence, IsASequence) {
  Kinds::MixedsBox_var box = new Kinds::MixedsBox(10);
  EXPECT_EQ(box->maximum(), 10u);
  EXPECT_EQ(box->length(), 0u);
  box->length(2);
  (*box)[0] = mixed("first");
  (*box)[1] = mixed("second");
  EXPECT_STREQ(std::as_const(*box)[1].text, "second");
  Kinds::MixedsBox_var copy = new Kinds::MixedsBox(*box);
  box->_value().length(0);
  EXPECT_EQ(copy->length(), 2u);
  Kinds::OctetsBox_var octets = new Kinds::OctetsBox(4, 2, CORBA::OctetSeq::allocbuf(4), true);
  EXPECT_EQ(octets->maximum(), 4u);
  EXPECT_EQ(octets->length(), 2u);
  CORBA::Octet lent[] = {1, 2, 3};
  octets = new Kinds::OctetsBox(3, 3, lent);
  EXPECT_EQ(octets->_value().get_buffer(), lent);
  CORBA::Long longs[] = {1, 2, 3, 4};
  Kinds::FewBox_var few = new Kinds::FewBox(3, longs);
  EXPECT_EQ(few->maximum(), 4u);
  EXPECT_EQ((*few)[2], 3);
  *few = Kinds::Few();
  EXPECT_EQ(few->length(), 0u);
}

TEST(BoxOfAnAny, HoldsAnything) {
  CORBA::Any any;
  any <<= "text";
  Kinds::AnyBox_var box = new Kinds::AnyBox(any);
  const char* text = nullptr;
  ASSERT_TRUE(box->_value() >>= text);
  EXPECT_STREQ(text, "text");
  box->_value() <<= CORBA::Long{4};
  EXPECT_FALSE(box->_value() >>= text);
  Kinds::FixedBox_var fixed = new Kinds::FixedBox(CORBA::Fixed("12.34"));
  EXPECT_EQ(fixed->_value(), CORBA::Fixed("12.34"));
}

TEST_P(ValueBoxes, OfReferencesCountThem) {
  Kinds::PeerBox_var box = new Kinds::PeerBox(peer.in());
  Kinds::PeerBox_var copy = new Kinds::PeerBox(*box), empty = new Kinds::PeerBox;
  EXPECT_TRUE(CORBA::is_nil(empty->_value()));
  *empty = peer.in();
  empty->_value(peer.in());
  empty->_value()->poke();
  EXPECT_TRUE(peer->_is_equivalent(copy->_boxed_in()));
  Kinds::PeerBox_var r = passed(box.in());
  r->_value()->poke();
  Kinds::TypeBox_var type = new Kinds::TypeBox(Kinds::_tc_Mixed), other = passed(type.in());
  EXPECT_TRUE(other->_value()->equal(Kinds::_tc_Mixed));
  Kinds::ObjectBox_var object = new Kinds::ObjectBox(it.in()), same = passed(object.in());
  EXPECT_TRUE(same->_value()->_is_a("IDL:Kinds/Taker:1.0"));
}

TEST_P(ValueBoxes, OfEveryKindPass) {
  Kinds::LongBox_var number = new Kinds::LongBox(5), n = passed(number.in());
  EXPECT_EQ(n->_value(), 5);
  Kinds::BooleanBox_var yes = new Kinds::BooleanBox(true), y = passed(yes.in());
  EXPECT_TRUE(y->_value());
  Kinds::WCharBox_var wide = new Kinds::WCharBox(L'\x20ac'), w = passed(wide.in());
  EXPECT_EQ(w->_value(), L'\x20ac');
  Kinds::LongDoubleBox_var precise = new Kinds::LongDoubleBox(1.25L), p = passed(precise.in());
  EXPECT_EQ(p->_value(), 1.25L);
  Kinds::ColorBox_var color = new Kinds::ColorBox(Kinds::blue), c = passed(color.in());
  EXPECT_EQ(c->_value(), Kinds::blue);
  Kinds::TextBox_var text = new Kinds::TextBox("text"), t = passed(text.in());
  EXPECT_STREQ(t->_value(), "text");
  Kinds::ShortTextBox_var little = new Kinds::ShortTextBox("12345678"), l = passed(little.in());
  EXPECT_STREQ(l->_value(), "12345678");
  Kinds::WTextBox_var wtext = new Kinds::WTextBox(L"\x20ac"), v = passed(wtext.in());
  EXPECT_EQ(std::wstring(v->_value()), L"\x20ac");
  Kinds::PointBox_var point = new Kinds::PointBox({3, 4.5}), q = passed(point.in());
  EXPECT_EQ(q->y(), 4.5);
  Kinds::MixedBox_var m = new Kinds::MixedBox(mixed("text")), x = passed(m.in());
  EXPECT_STREQ(x->words()[1], "word");
  Kinds::ChoiceBox_var choice = new Kinds::ChoiceBox, d = (choice->hue(Kinds::blue), passed(choice.in()));
  EXPECT_EQ(d->hue(), Kinds::blue);
  Kinds::FewBox_var few = new Kinds::FewBox, f = (few->length(4), (*few)[3] = 9, passed(few.in()));
  EXPECT_EQ((*f)[3], 9);
  Kinds::AnyBox_var any = new Kinds::AnyBox, a = (any->_value() <<= "any", passed(any.in()));
  const char* inside = nullptr;
  EXPECT_TRUE(a->_value() >>= inside);
  Kinds::FixedBox_var fixed = new Kinds::FixedBox(CORBA::Fixed("12.34")), g = passed(fixed.in());
  EXPECT_EQ(g->_value(), CORBA::Fixed("12.34"));
}

template <typename Box, typename T, typename Result, typename Call, typename Same>
void exchange(const T& one, const T& two, Call call, Same same) {
  corbel::cpp::ValueVar<Box> a = new Box(one), b = new Box(two), c = new Box(one);
  [[maybe_unused]] Result r = call(a->_boxed_in(), b->_boxed_inout(), c->_boxed_out());
  EXPECT_TRUE(same(b->_value(), one) && same(c->_value(), two));
}

TEST_P(ValueBoxes, GiveTheirInsidesAsParameters) {
  const auto call = [this](auto operation) {
    return [this, operation](auto&& a, auto&& b, auto&& c) { return (it.in()->*operation)(a, b, c); };
  };
  const auto equal = [](const auto& a, const auto& b) { return a == b; };
  const auto same_text = [](const auto* a, const auto* b) {
    return std::basic_string(a) == std::basic_string(b);
  };
  const auto same_name = [](const auto& a, const auto& b) {
    return std::string(a.text) == std::string(b.text);
  };
  using Taker = Kinds::Taker;
  exchange<Kinds::LongBox, CORBA::Long, CORBA::Long>(1, 2, call(&Taker::numbers), equal);
  exchange<Kinds::ColorBox, Kinds::Color, Kinds::Color>(Kinds::red, Kinds::blue, call(&Taker::colors), equal);
  exchange<Kinds::TextBox, const char*, CORBA::String_var>("one", "two", call(&Taker::texts), same_text);
  exchange<Kinds::WTextBox, const CORBA::WChar*, CORBA::WString_var>(L"one", L"two", call(&Taker::wtexts),
                                                                     same_text);
  exchange<Kinds::PeerBox, Kinds::Peer_ptr, Kinds::Peer_var>(
      peer.in(), Kinds::Peer::_nil(), call(&Taker::peers),
      [](Kinds::Peer_ptr a, Kinds::Peer_ptr b) { return CORBA::is_nil(a) == CORBA::is_nil(b); });
  exchange<Kinds::PointBox, Kinds::Point, Kinds::Point>(
      {1, 2.5}, {3, 4.5}, call(&Taker::points), [](const auto& a, const auto& b) { return a.x == b.x; });
  exchange<Kinds::MixedBox, Kinds::Mixed, Kinds::Mixed_var>(mixed("one"), mixed("two"), call(&Taker::structs),
                                                            same_name);
  Kinds::Choice one, two;
  one.text("one"), two.hue(Kinds::blue);
  exchange<Kinds::ChoiceBox, Kinds::Choice, Kinds::Choice_var>(
      one, two, call(&Taker::choices), [](const auto& a, const auto& b) { return a._d() == b._d(); });
  Kinds::Mixeds none, some;
  some.length(2);
  some[0] = some[1] = mixed("some");
  exchange<Kinds::MixedsBox, Kinds::Mixeds, Kinds::Mixeds_var>(
      none, some, call(&Taker::many), [](const auto& a, const auto& b) { return a.length() == b.length(); });
  CORBA::Any first, second;
  first <<= "one", second <<= CORBA::Long{2};
  exchange<Kinds::AnyBox, CORBA::Any, CORBA::Any_var>(first, second, call(&Taker::anys),
                                                      [](auto& a, auto& b) {
                                                        CORBA::TypeCode_var left = a.type(), right = b.type();
                                                        return left->equal(right.in());
                                                      });
  exchange<Kinds::FixedBox, Kinds::Money, Kinds::Money>(CORBA::Fixed("1.5"), CORBA::Fixed("2.5"),
                                                        call(&Taker::fixeds), equal);
}

}  // namespace
