// any and TypeCode in calls between two ORBs and within one, and what the generated operators put into an
// Any.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "any.any.h"
#include "any.skel.h"
#include "pair.h"

namespace {

const char* const kLong = "a string that is longer than what stands inside a member";

Dyn::Tree tree(const char* name, CORBA::ULong depth) {
  Dyn::Tree t;
  t.name = name;
  t.branches.length(depth);
  for (CORBA::ULong i = 0; i < depth; ++i) t.branches[i] = tree(kLong, i);
  return t;
}

bool same(const Dyn::Tree& a, const Dyn::Tree& b) {
  if (std::strcmp(a.name, b.name) != 0 || a.branches.length() != b.branches.length()) return false;
  for (CORBA::ULong i = 0; i < a.branches.length(); ++i)
    if (!same(a.branches[i], b.branches[i])) return false;
  return true;
}

CORBA::Any number(CORBA::Long n) {
  CORBA::Any any;
  any <<= n;
  return any;
}

CORBA::Long number(const CORBA::Any& any) {
  CORBA::Long n = 0;
  EXPECT_TRUE(any >>= n);
  return n;
}

class ThingServant : public POA_Dyn::Thing {
 public:
  CORBA::Any* value() override { return new CORBA::Any(value_); }
  void value(const CORBA::Any& value) override { value_ = value; }
  CORBA::Any* pass(const CORBA::Any& a, CORBA::Any& b, CORBA::Any_out c) override {
    CORBA::TypeCode_var type = a.type();
    if (type->kind() == CORBA::tk_null) {
      CORBA::Any what;
      what <<= tree(kLong, 2);
      throw Dyn::Refused(kLong, what);
    }
    c = new CORBA::Any(b);
    auto* const result = new CORBA::Any(b);
    b = a;
    return result;
  }
  CORBA::TypeCode_ptr pass_code(CORBA::TypeCode_ptr a, CORBA::TypeCode_ptr& b,
                                CORBA::TypeCode_out c) override {
    c = CORBA::TypeCode::_duplicate(b);
    CORBA::TypeCode_ptr const result = b;
    b = CORBA::TypeCode::_duplicate(a);
    return result;
  }
  Dyn::Anys* pass_many(const Dyn::Anys& a, Dyn::Anys& b, Dyn::Anys_out c) override {
    return pass_on(a, b, c);
  }
  Dyn::Codes* pass_codes(const Dyn::Codes& a, Dyn::Codes& b, Dyn::Codes_out c) override {
    return pass_on(a, b, c);
  }
  Dyn::Box* pass_box(const Dyn::Box& a, Dyn::Box& b, Dyn::Box_out c) override { return pass_on(a, b, c); }
  Dyn::Either* pass_either(const Dyn::Either& a, Dyn::Either& b, Dyn::Either_out c) override {
    return pass_on(a, b, c);
  }
  CORBA::Any* same(const CORBA::Any& s, CORBA::TypeCode_ptr k) override {
    CORBA::TypeCode_var type = s.type();
    return type->equal(k) ? new CORBA::Any(s) : new CORBA::Any;
  }
  // The values of all properties, a line each.
  char* surroundings(const char* name, CORBA::Context_ptr context) override {
    corbel::cdr::Encoder out;
    out.reset();
    const char* const pattern[] = {name};
    corbel::cpp::put_context(out, context, pattern, 1);
    corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
    CORBA::ULong count;
    std::string text;
    const char* part;
    if (in.get(count))
      for (CORBA::ULong i = 0; i < count && in.get_string_view(part); ++i) text.append(part).append(";");
    return CORBA::string_dup(text.c_str());
  }
  void only_context(CORBA::Context_ptr context) override {
    if (CORBA::is_nil(context)) throw CORBA::BAD_CONTEXT();
  }

 private:
  template <typename T, typename Out>
  static T* pass_on(const T& a, T& b, Out c) {
    c = new T(b);
    auto* const result = new T(b);
    b = a;
    return result;
  }
  CORBA::Any value_;
};

class AnyCalls : public testing::TestWithParam<Place> {
 protected:
  AnyCalls() {
    PortableServer::ServantBase_var servant = new ThingServant;
    object_ = pair_.activate<Dyn::Thing>(servant);
  }
  // What comes back of it after a journey there and back.
  CORBA::Any travelled(const CORBA::Any& any) {
    object_->value(any);
    CORBA::Any_var back = object_->value();
    return back.in();
  }
  template <typename T>
  T travelled(const T& value) {
    CORBA::Any any;
    any <<= value;
    const CORBA::Any back = travelled(any);
    const T* found = nullptr;
    EXPECT_TRUE(back >>= found);
    return found ? *found : T();
  }
  Pair pair_{GetParam()};
  Dyn::Thing_var object_;
};
INSTANTIATE_TEST_SUITE_P(Places, AnyCalls, testing::Values(Place::Remote, Place::Collocated), place_name);

TEST_P(AnyCalls, AnyInEveryPassingMode) {
  CORBA::Any b = number(2);
  CORBA::Any_var c;
  CORBA::Any_var result = object_->pass(number(1), b, c.out());
  EXPECT_EQ(number(b), 1);
  EXPECT_EQ(number(c.in()), 2);
  EXPECT_EQ(number(result.in()), 2);
}

TEST_P(AnyCalls, ExceptionsCarryAnys) {
  CORBA::Any b;
  CORBA::Any_var c;
  try {
    object_->pass(CORBA::Any(), b, c.out());
    FAIL();
  } catch (const Dyn::Refused& e) {
    EXPECT_STREQ(e.why, kLong);
    const Dyn::Tree* found = nullptr;
    ASSERT_TRUE(e.what >>= found);
    EXPECT_TRUE(same(*found, tree(kLong, 2)));
  }
}

TEST_P(AnyCalls, TypeCodeInEveryPassingMode) {
  CORBA::TypeCode_var b = CORBA::TypeCode::_duplicate(Dyn::_tc_Choice);
  CORBA::TypeCode_var c;
  CORBA::TypeCode_var result = object_->pass_code(Dyn::_tc_Tree, b.inout(), c.out());
  EXPECT_TRUE(b->equal(Dyn::_tc_Tree));
  EXPECT_TRUE(c->equal(Dyn::_tc_Choice));
  EXPECT_TRUE(result->equal(Dyn::_tc_Choice));
}

TEST_P(AnyCalls, SequencesOfAnysAndTypeCodes) {
  Dyn::Anys a, b;
  a.length(2);
  a[0] = number(7);
  a[1] <<= "text";
  Dyn::Anys_var c;
  Dyn::Anys_var result = object_->pass_many(a, b, c.out());
  ASSERT_EQ(b.length(), 2u);
  EXPECT_EQ(number(b[0]), 7);
  const char* text = nullptr;
  ASSERT_TRUE(b[1] >>= text);
  EXPECT_STREQ(text, "text");
  EXPECT_EQ(result->length(), 0u);

  Dyn::Codes codes, more;
  codes.length(2);
  codes[0] = CORBA::TypeCode::_duplicate(Dyn::_tc_Names);
  codes[1] = CORBA::TypeCode::_duplicate(Dyn::_tc_Thing);
  Dyn::Codes_var out;
  Dyn::Codes_var none = object_->pass_codes(codes, more, out.out());
  ASSERT_EQ(more.length(), 2u);
  EXPECT_TRUE(more[0]->equal(Dyn::_tc_Names));
  EXPECT_TRUE(more[1]->equal(Dyn::_tc_Thing));
}

TEST_P(AnyCalls, MembersOfStructsAndUnions) {
  Dyn::Box a, b;
  a.label = kLong;
  a.content = number(3);
  a.type = CORBA::TypeCode::_duplicate(Dyn::_tc_Box);
  a.many.length(1);
  a.many[0] <<= a.type.in();
  a.times = 4;
  a.place[2] = 5;
  b.type = CORBA::TypeCode::_duplicate(CORBA::_tc_null);
  Dyn::Box_var c;
  Dyn::Box_var result = object_->pass_box(a, b, c.out());
  EXPECT_STREQ(b.label, kLong);
  EXPECT_EQ(number(b.content), 3);
  EXPECT_TRUE(b.type->equal(Dyn::_tc_Box));
  CORBA::TypeCode_ptr inside = CORBA::TypeCode::_nil();
  ASSERT_TRUE(b.many[0] >>= inside);
  EXPECT_TRUE(inside->equal(Dyn::_tc_Box));
  EXPECT_EQ(b.place[2], 5);

  Dyn::Either one, two, three;
  one.some(number(6));
  two.kind(Dyn::_tc_Color);
  Dyn::Codes codes;
  three.kinds(codes);
  Dyn::Either_var out;
  Dyn::Either_var back = object_->pass_either(one, two, out.out());
  EXPECT_EQ(number(two.some()), 6);
  ASSERT_EQ(back->_d(), 2);
  EXPECT_TRUE(back->kind()->equal(Dyn::_tc_Color));
  back = object_->pass_either(three, two, out.out());
  EXPECT_EQ(two._d(), 3);
}

TEST_P(AnyCalls, NamesOfAnyAndTypeCodeAreTheirTypes) {
  const Dyn::Something some = number(5);
  Dyn::Something_var back = object_->same(some, CORBA::_tc_long);
  EXPECT_EQ(number(back.in()), 5);
}

TEST_P(AnyCalls, ValuesOfEveryKindComeBack) {
  EXPECT_TRUE(same(travelled(tree("oak", 4)), tree("oak", 4)));

  Dyn::Choice choice;
  choice.text(kLong);
  choice._d(Dyn::blue);
  const Dyn::Choice chosen = travelled(choice);
  EXPECT_EQ(chosen._d(), Dyn::blue);
  EXPECT_STREQ(chosen.text(), kLong);

  Dyn::Maybe maybe;
  maybe._default();
  EXPECT_FALSE(travelled(maybe)._d());

  Dyn::Wide wide;
  wide.a(9);
  EXPECT_EQ(travelled(wide).a(), 9);
  wide.b(kLong);
  wide._d(77);
  EXPECT_EQ(travelled(wide)._d(), 77);

  Dyn::Flats flats;
  flats.length(2);
  flats[0].n = 3;
  flats[1].d = 0.25;
  EXPECT_EQ(travelled(flats)[1].d, 0.25);

  Dyn::Words words;
  words.length(2);
  words[1] = "four";
  EXPECT_STREQ(travelled(words)[1], "four");

  Dyn::Thing::Inner inner;
  inner.s = -2;
  EXPECT_EQ(travelled(inner).s, -2);
  Dyn::Couple couple;
  couple.length(1);
  couple[0].s = 8;
  EXPECT_EQ(travelled(couple)[0].s, 8);
  Unscoped unscoped;
  unscoped.n = 11;
  EXPECT_EQ(travelled(unscoped).n, 11);
}

TEST_P(AnyCalls, EnumsGoByValue) {
  CORBA::Any any;
  any <<= Dyn::blue;
  Dyn::Color color = Dyn::red;
  ASSERT_TRUE(travelled(any) >>= color);
  EXPECT_EQ(color, Dyn::blue);
  CORBA::ULong n;
  EXPECT_FALSE(any >>= n);
}

TEST_P(AnyCalls, ExceptionsGoLikeStructs) {
  Dyn::Refused refused(kLong, number(1));
  const Dyn::Refused back = travelled(refused);
  EXPECT_STREQ(back.why, kLong);
  EXPECT_EQ(number(back.what), 1);
  travelled(Dyn::Empty());
  Dyn::Thing::Nested nested;
  nested.part.s = 4;
  EXPECT_EQ(travelled(nested).part.s, 4);
}

TEST_P(AnyCalls, ArraysGoThroughTheirForany) {
  Dyn::Row row = {1, 2, 3};
  CORBA::Any any;
  any <<= Dyn::Row_forany(row);
  const CORBA::Any back = travelled(any);
  Dyn::Row_forany found;
  ASSERT_TRUE(back >>= found);
  EXPECT_EQ(found[2], 3);
  Dyn::Names_forany names;
  EXPECT_FALSE(back >>= names);

  Dyn::Names_var texts = Dyn::Names_alloc();
  texts[1][1] = kLong;
  any <<= Dyn::Names_forany(texts._retn(), true);
  const CORBA::Any more = travelled(any);
  ASSERT_TRUE(more >>= names);
  EXPECT_STREQ(names[1][1], kLong);

  Dyn::Trees trees;
  trees[1] = tree("elm", 3);
  any <<= Dyn::Trees_forany(trees);
  const CORBA::Any wood = travelled(any);
  Dyn::Trees_forany grown;
  ASSERT_TRUE(wood >>= grown);
  EXPECT_TRUE(same(grown[1], tree("elm", 3)));

  Dyn::Rows rows = {{1, 2, 3}, {4, 5, 6}};
  any <<= Dyn::Rows_forany(rows);
  const CORBA::Any table = travelled(any);
  Dyn::Rows_forany lines;
  ASSERT_TRUE(table >>= lines);
  EXPECT_EQ(lines[1][0], 4);
}

TEST_P(AnyCalls, ReferencesCanBeCalled) {
  CORBA::Any any;
  any <<= object_.in();
  const CORBA::Any back = travelled(any);
  Dyn::Thing_ptr lent = Dyn::Thing::_nil();
  ASSERT_TRUE(back >>= lent);
  EXPECT_TRUE(lent->_is_equivalent(object_));
  lent->value(number(12));
  CORBA::Any_var value = object_->value();
  EXPECT_EQ(number(value.in()), 12);
  CORBA::Object_var object;
  ASSERT_TRUE(back >>= CORBA::Any::to_object(object));
  EXPECT_TRUE(object->_is_equivalent(object_));

  Dyn::Thing_ptr adopted = Dyn::Thing::_duplicate(object_);
  any <<= &adopted;
  ASSERT_TRUE(any >>= lent);
  EXPECT_TRUE(lent->_is_equivalent(object_));

  Dyn::Things things;
  things.length(2);
  things[1] = Dyn::Thing::_duplicate(object_);
  const Dyn::Things many = travelled(things);
  EXPECT_TRUE(CORBA::is_nil(many[0]));
  EXPECT_TRUE(many[1]->_is_equivalent(object_));
}

// ---- contexts

CORBA::Any text(const char* value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

TEST_P(AnyCalls, OperationsTakeThePropertiesAlongThatTheirContextClauseNames) {
  CORBA::Context_var root = new CORBA::Context("root", CORBA::Context::_nil()), child;
  root->set_one_value("user", text("ann"));
  root->set_one_value("language", text("Welsh"));
  root->set_one_value("secret", text("1234"));
  root->create_child("child", child);
  EXPECT_EQ(child->parent(), root.in());
  EXPECT_STREQ(child->context_name(), "child");
  child->set_one_value("user", text("bob"));
  child->set_one_value("USER", text("another"));
  child->set_one_value("lang_variant", text("north"));
  const auto got = [&](const char* pattern, CORBA::Context_ptr context) {
    CORBA::String_var all = object_->surroundings(pattern, context);
    return std::string(all.in());
  };
  EXPECT_EQ(got("*", root), "language;Welsh;user;ann;");
  EXPECT_EQ(got("user", child), "user;bob;");
  EXPECT_EQ(got("USER", child), "");
  EXPECT_EQ(got("lang*", child), "lang_variant;north;language;Welsh;");
  EXPECT_EQ(got("secret", child), "");
  EXPECT_EQ(got("*", CORBA::Context::_nil()), "");
  object_->only_context(CORBA::Context::_nil());
}

TEST(Context, DeletesByPattern) {
  CORBA::Context_var context = new CORBA::Context("", CORBA::Context::_nil());
  context->set_one_value("one", text("1"));
  context->set_one_value("other", text("2"));
  context->delete_values("o*");
  EXPECT_THROW(context->delete_values("one"), CORBA::BAD_CONTEXT);
  EXPECT_THROW(context->delete_values(""), CORBA::BAD_PARAM);
  EXPECT_THROW(context->set_one_value("n", number(1)), CORBA::BAD_PARAM);
}

TEST(Context, AnOrbKeepsItsDefaultOne) {
  const char* args[] = {"test", nullptr};
  int argc = 1;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, const_cast<char**>(args), "context");
  CORBA::Context_var first, second;
  orb->get_default_context(first);
  orb->get_default_context(second.out());
  EXPECT_EQ(first.in(), second.in());
  orb->destroy();
}

constexpr std::uint32_t kText = corbel::cdr::form::of_sets(2, 1);  // UTF-8 there, ISO 8859-1 in the program

std::string octets_of(const CORBA::Any& any, bool utf8) {
  corbel::cdr::Encoder out;
  out.reset();
  if (utf8) out.set_text(kText);
  any._corbel_marshal(out);
  EXPECT_FALSE(out.error());
  return std::string(out.data(), out.size());
}
CORBA::Any any_of(const std::string& octets, bool utf8) {
  std::vector<std::max_align_t> aligned(octets.size() / sizeof(std::max_align_t) + 1);
  char* const memory = reinterpret_cast<char*>(aligned.data());
  octets.copy(memory, octets.size());
  corbel::cdr::Decoder in(memory, memory, memory + octets.size(), false);
  in.set_text(utf8 ? kText : 0);
  CORBA::Any any;
  EXPECT_TRUE(any._corbel_unmarshal(in));
  return any;
}

TEST(AnyOctets, ArePassedOnInTheCharSetOfWhoeverGetsThem) {
  Dyn::Tree sent;
  sent.name = "gr\xfc\xdf";
  sent.branches.length(2);
  sent.branches[1].name = "\xff\x80 and more";
  CORBA::Any any;
  any <<= sent;
  const std::string octets[] = {octets_of(any, false), octets_of(any, true)};
  EXPECT_NE(octets[0], octets[1]);
  for (const bool from : {false, true}) {
    const CORBA::Any received = any_of(octets[from], from);
    for (const bool to : {false, true}) EXPECT_EQ(octets_of(received, to), octets[to]);
    const Dyn::Tree* got = nullptr;
    ASSERT_TRUE(received >>= got);
    EXPECT_STREQ(got->name, "gr\xfc\xdf");
    EXPECT_STREQ(got->branches[1].name, "\xff\x80 and more");
  }
}

TEST(AnyOctets, HoldTreesFiveHundredLevelsDeepAndNoneOfMoreThanAThousand) {
  Dyn::Tree root;
  Dyn::Tree* leaf = &root;
  const auto grow = [&leaf] {
    leaf->branches.length(1);
    leaf = &leaf->branches[0];
  };
  for (int level = 1; level < 500; ++level) grow();
  CORBA::Any any;
  any <<= root;
  const CORBA::Any received = any_of(octets_of(any, false), false);
  const Dyn::Tree* got = nullptr;
  ASSERT_TRUE(received >>= got);
  EXPECT_TRUE(same(*got, root));
  for (int level = 500; level < 1002; ++level) grow();
  any <<= root;
  const std::string octets = octets_of(any, false);
  corbel::cdr::Decoder in(octets.data(), octets.data(), octets.data() + octets.size(), false);
  CORBA::Any refused;
  EXPECT_FALSE(refused._corbel_unmarshal(in));
}

TEST(AnyOperators, ConsumeWhatIsGivenByPointer) {
  CORBA::Any any;
  auto* const given = new Dyn::Tree(tree(kLong, 3));
  any <<= given;
  const Dyn::Tree* found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found, given);
  any <<= new Dyn::Refused(kLong, number(1));
  const Dyn::Refused* refused = nullptr;
  ASSERT_TRUE(any >>= refused);
  EXPECT_STREQ(refused->why, kLong);
}

TEST(AnyOperators, CopyWhatAVarHolds) {
  CORBA::Any any;
  const Dyn::Tree* held;
  Dyn::Tree_var grown = new Dyn::Tree(tree("root", 2));
  any <<= grown;
  ASSERT_TRUE(any >>= held);
  EXPECT_NE(held, grown.ptr());
  EXPECT_TRUE(same(*held, grown.in()));
  const Dyn::Tree_var& unchanged = grown;
  any <<= unchanged;
  ASSERT_TRUE(any >>= held);
  EXPECT_STREQ(grown->name, "root");

  Dyn::Flats_var flats = new Dyn::Flats(3);
  flats->length(3);
  any <<= flats;
  const Dyn::Flats* sequence;
  ASSERT_TRUE(any >>= sequence);
  EXPECT_EQ(sequence->length(), 3u);

  Dyn::Choice_var choice = new Dyn::Choice;
  choice->n(7);
  any <<= choice;
  const Dyn::Choice* chosen;
  ASSERT_TRUE(any >>= chosen);
  EXPECT_EQ(chosen->n(), 7);

  Dyn::Flat_var flat = new Dyn::Flat{4, 0.5};
  any <<= flat;
  const Dyn::Flat* fixed;
  ASSERT_TRUE(any >>= fixed);
  EXPECT_EQ(fixed->n, 4);

  CORBA::Any_var inner = new CORBA::Any(number(11)), outer = new CORBA::Any;
  any <<= inner;
  const CORBA::Any* inside;
  ASSERT_TRUE(any >>= inside);
  EXPECT_EQ(number(*inside), 11);
  outer <<= grown;
  ASSERT_TRUE(outer >>= held);
  EXPECT_STREQ(held->name, "root");

  Dyn::Tree_var nothing;
  EXPECT_THROW(any <<= nothing, CORBA::BAD_PARAM);
}

TEST(AnyOperators, LendWhatTheyGive) {
  CORBA::Any any;
  any <<= tree("ash", 1);
  const Dyn::Tree* first = nullptr;
  Dyn::Tree* second = nullptr;
  ASSERT_TRUE(any >>= first);
  ASSERT_TRUE(any >>= second);
  EXPECT_EQ(first, second);
  const CORBA::Any copy = any;
  any <<= CORBA::Long{1};
  ASSERT_TRUE(copy >>= first);
  EXPECT_STREQ(first->name, "ash");
}

// The value as an Any has it that received it at `phase` mod 8 of a message.
template <typename T>
CORBA::Any received(const T& value, CORBA::TypeCode& type, std::size_t phase) {
  corbel::cdr::Encoder out;
  out.reset(phase);
  marshal(out, value);
  corbel::cdr::Decoder in(out.data(), out.data() + phase, out.data() + out.size(), false);
  CORBA::Any any;
  EXPECT_TRUE(any._corbel_unmarshal_value(in, type));
  return any;
}

TEST(AnyOperators, GiveStructsWhereverTheyStoodInAMessage) {
  const Dyn::Flat flat{7, 0.5};
  for (std::size_t phase = 0; phase < 8; ++phase) {
    const CORBA::Any any = received(flat, *Dyn::_tc_Flat, phase);
    const Dyn::Flat *found = nullptr, *again = nullptr;
    ASSERT_TRUE(any >>= found);
    ASSERT_TRUE(any >>= again);
    EXPECT_EQ(found, again);
    EXPECT_EQ(found->n, 7);
    EXPECT_EQ(found->d, 0.5);
  }
}

TEST(AnyOperators, GiveStructsOfTheOtherByteOrder) {
  alignas(8) char octets[16] = {};
  const std::uint32_t n = __builtin_bswap32(7);
  const std::uint64_t d = __builtin_bswap64(0x3fe0000000000000);  // 0.5
  std::memcpy(octets, &n, sizeof n);
  std::memcpy(octets + 8, &d, sizeof d);
  corbel::cdr::Decoder in(octets, octets, octets + sizeof octets, true);
  CORBA::Any any;
  ASSERT_TRUE(any._corbel_unmarshal_value(in, *Dyn::_tc_Flat));
  const Dyn::Flat* found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found->n, 7);
  EXPECT_EQ(found->d, 0.5);
}

TEST(AnyOperators, GiveSequencesOfAnyLengthWhereverTheyStoodInAMessage) {
  Dyn::Flats flats;
  for (CORBA::ULong count = 0; count < 40; ++count) {
    flats.length(count);
    if (count != 0) flats[count - 1] = {static_cast<CORBA::Long>(count), 0.5 * count};
    const CORBA::Any any = received(flats, *Dyn::_tc_Flats, count % 8);
    const Dyn::Flats* found = nullptr;
    ASSERT_TRUE(any >>= found);
    ASSERT_EQ(found->length(), count);
    for (CORBA::ULong i = 0; i < count; ++i) {
      EXPECT_EQ((*found)[i].n, static_cast<CORBA::Long>(i + 1));
      EXPECT_EQ((*found)[i].d, 0.5 * (i + 1));
    }
  }
}

// The octets of a value that is written at `phase` mod 8 of a message.
std::string written(std::size_t phase, const auto& write) {
  corbel::cdr::Encoder out;
  out.reset(phase);
  write(out);
  EXPECT_FALSE(out.error());
  return {out.data() + phase, out.size() - phase};
}

// From every alignment to every other, by a copy of the Any, too, and after its value has been asked for.
template <typename S>
void travels(S& values, CORBA::TypeCode& type) {
  const auto at = [&](std::size_t phase) { return written(phase, [&](auto& out) { marshal(out, values); }); };
  for (std::size_t from = 0; from < 8; ++from) {
    const CORBA::Any any = received(values, type, from);
    const CORBA::Any before = any;
    const S *found = nullptr, *again = nullptr, *of_copy = nullptr;
    ASSERT_TRUE(any >>= found);
    ASSERT_TRUE(any >>= again);
    EXPECT_EQ(found, again);
    EXPECT_EQ(found->length(), values.length());
    const CORBA::Any after = any;
    ASSERT_TRUE(after >>= of_copy);
    EXPECT_EQ(written(0, [&](auto& out) { marshal(out, *found); }), at(0));
    EXPECT_EQ(written(0, [&](auto& out) { marshal(out, *of_copy); }), at(0));
    for (std::size_t to = 0; to < 8; ++to)
      for (const CORBA::Any& one : {any, before})
        EXPECT_EQ(written(to, [&](auto& out) { one._corbel_marshal_value(out); }), at(to)) << from << to;
  }
}

template <typename S>
void travel(CORBA::TypeCode_ptr type, auto make) {
  for (CORBA::ULong count = 0; count < 8; ++count) {
    S values;
    values.length(count);
    for (CORBA::ULong i = 0; i < count; ++i) values[i] = make(static_cast<int>(i + 1));
    travels(values, *type);
  }
}

TEST(AnyOperators, GiveSequencesOfEveryLayoutWhereverTheyStoodInAMessage) {
  const auto late = [](int i) { return Dyn::Late{i, i + 1, i + 2, 0.5 * i}; };
  travel<Dyn::Lates>(Dyn::_tc_Lates, late);
  travel<Dyn::FewLates>(Dyn::_tc_FewLates, late);
  travel<Dyn::Mixeds>(Dyn::_tc_Mixeds, [](int i) {
    const auto octet = static_cast<CORBA::Octet>(i);
    return Dyn::Mixed{static_cast<CORBA::Short>(i), 'x', i, octet, 0.5 * i, 0.25f, {octet, 2, 3, 4}};
  });
  travel<Dyn::Paddeds>(Dyn::_tc_Paddeds, [](int i) {
    return Dyn::Padded{0.5 * i, static_cast<CORBA::Short>(i)};
  });
  travel<Dyn::Checkeds>(Dyn::_tc_Checkeds, [](int i) { return Dyn::Checked{i % 2 == 0, Dyn::green}; });
  travel<Dyn::Bytes>(Dyn::_tc_Bytes, [](int i) { return static_cast<CORBA::Octet>(i); });
  travel<Dyn::Letters>(Dyn::_tc_Letters, [](int i) { return static_cast<char>('a' + i); });
  travel<Dyn::Shorts>(Dyn::_tc_Shorts, [](int i) { return static_cast<CORBA::Short>(i); });
  travel<Dyn::Doubles>(Dyn::_tc_Doubles, [](int i) { return 0.5 * i; });
}

TEST(AnyOperators, GiveSequencesOfTheOtherByteOrder) {
  char octets[4 + 20 + 24];  // the first element begins at 4, the second at 24
  const auto put = [&](std::size_t at, auto number) {
    const char* const from = reinterpret_cast<const char*>(&number);
    std::reverse_copy(from, from + sizeof number, octets + at);
  };
  put(0, CORBA::ULong{2});
  for (CORBA::Long k = 0; k < 3; ++k) {
    put(4 + 4 * static_cast<std::size_t>(k), k);
    put(24 + 4 * static_cast<std::size_t>(k), k + 10);
  }
  put(16, 0.5);
  put(40, 1.5);
  corbel::cdr::Decoder in(octets, octets, octets + sizeof octets, true);
  CORBA::Any any;
  for (int repeated = 0; repeated < 2; ++repeated) {
    in = corbel::cdr::Decoder(octets, octets, octets + sizeof octets, true);
    ASSERT_TRUE(any._corbel_unmarshal_value(in, *Dyn::_tc_Lates));
    const Dyn::Lates* found = nullptr;
    ASSERT_TRUE(any >>= found);
    ASSERT_EQ(found->length(), 2u);
    EXPECT_EQ((*found)[0].c, 2);
    EXPECT_EQ((*found)[0].d, 0.5);
    EXPECT_EQ((*found)[1].a, 10);
    EXPECT_EQ((*found)[1].d, 1.5);
  }
}

// Counts that promise more than has come, or more than the bound.
TEST(AnyOperators, RefuseSequencesThatEndEarly) {
  Dyn::FewLates values;
  values.length(9);
  const std::string octets = written(0, [&](auto& out) { marshal(out, values); });
  const auto taken = [&](std::size_t size, CORBA::ULong count) {
    std::vector<CORBA::ULongLong> memory(octets.size() / 8 + 1);
    char* const copy = reinterpret_cast<char*>(memory.data());
    std::memcpy(copy, octets.data(), octets.size());
    std::memcpy(copy, &count, sizeof count);
    CORBA::Any any;
    for (int repeated = 0; repeated < 2; ++repeated) {
      corbel::cdr::Decoder in(copy, copy, copy + size, false);
      if (!any._corbel_unmarshal_value(in, *Dyn::_tc_FewLates)) {
        EXPECT_TRUE(in.failed());
        const Dyn::FewLates* found = nullptr;
        EXPECT_FALSE(any >>= found);
        return false;
      }
    }
    return true;
  };
  EXPECT_TRUE(taken(octets.size(), 9));
  for (std::size_t size = 0; size < octets.size(); ++size) EXPECT_FALSE(taken(size, 9));
  EXPECT_FALSE(taken(octets.size(), 10));
  EXPECT_FALSE(taken(octets.size(), 0xffffffff));
}

TEST(AnyOperators, GiveSequencesThatMayBeCopiedAndOutliveTheAny) {
  Dyn::Flats flats, copy;
  flats.length(2);
  flats[1] = {7, 0.5};
  {
    const CORBA::Any any = received(flats, *Dyn::_tc_Flats, 0);
    const Dyn::Flats* found = nullptr;
    ASSERT_TRUE(any >>= found);
    copy = *found;
  }
  EXPECT_TRUE(copy.release());
  EXPECT_EQ(copy[1].n, 7);
}

TEST(AnyOperators, LeaveTheTargetAloneWhereTheTypeIsAnother) {
  CORBA::Any any;
  any <<= tree("ash", 1);
  const Dyn::Choice* choice = nullptr;
  EXPECT_FALSE(any >>= choice);
  EXPECT_EQ(choice, nullptr);
  Dyn::Color color = Dyn::green;
  EXPECT_FALSE(any >>= color);
  EXPECT_EQ(color, Dyn::green);
  const Dyn::Flats* flats = nullptr;
  EXPECT_FALSE(any >>= flats);
}

TEST(AnyOperators, GoByNamesOfATypeAsByTheType) {
  CORBA::Any any;
  any <<= tree("ash", 1);
  any.type(Dyn::_tc_Plant);
  CORBA::TypeCode_var type = any.type();
  EXPECT_TRUE(type->equal(Dyn::_tc_Plant));
  const Dyn::Plant* plant = nullptr;
  EXPECT_TRUE(any >>= plant);
}

// Of `sequence<S>` and S alone, where the peer's S has the id of ours and other members.
TEST(AnyOperators, AreNotGivenWhatAPeersTypeOfTheSameIdHolds) {
  using corbel::types::Kind;
  const auto of = [](const CORBA::TypeCode& type) {
    return CORBA::TypeCode_var(static_cast<CORBA::TypeCode*>(corbel::types::copy(type)));
  };
  const corbel::types::Member octet[] = {{"o", CORBA::_tc_octet, 0, 0}};
  const CORBA::TypeCode s(Kind::Struct, Dyn::_tc_Late->id(), "Late", nullptr, octet, 1);
  CORBA::TypeCode_var many = of({Kind::Sequence, "", "", &s, nullptr, 0});
  corbel::cdr::Encoder out;
  out.reset();
  out.put(std::uint32_t{1000});
  out.copied_run<1>(std::string(1000, 'x').data(), 1000);
  corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  CORBA::Any any;
  ASSERT_TRUE(any._corbel_unmarshal_value(in, *many.in()));
  EXPECT_THROW(any.type(Dyn::_tc_Lates), CORBA::BAD_TYPECODE);
  const Dyn::Lates* lates = nullptr;
  EXPECT_FALSE(any >>= lates);

  // Of the same size, but any octet is a value.
  const corbel::types::Member like_checked[] = {{"b", CORBA::_tc_octet, 0, 0}, {"c", CORBA::_tc_ulong, 0, 0}};
  CORBA::TypeCode_var unchecked =
      of({Kind::Struct, Dyn::_tc_Checked->id(), "Checked", nullptr, like_checked, 2});
  const char octets[8] = {2, 0, 0, 0, 9, 0, 0, 0};
  in = corbel::cdr::Decoder(octets, octets, octets + 8, false);
  ASSERT_TRUE(any._corbel_unmarshal_value(in, *unchecked.in()));
  EXPECT_THROW(any.type(Dyn::_tc_Checked), CORBA::BAD_TYPECODE);
  const Dyn::Checked* checked = nullptr;
  EXPECT_FALSE(any >>= checked);

  // One whose members have other names, and a name of their own type, is laid out in the same way.
  const CORBA::TypeCode name(Kind::Alias, "IDL:Name:1.0", "Name", CORBA::_tc_long, nullptr, 0);
  const corbel::types::Member named[] = {{"first", &name, 0, 0}, {"", CORBA::_tc_double, 0, 0}};
  CORBA::TypeCode_var same = of({Kind::Struct, Dyn::_tc_Flat->id(), "", nullptr, named, 2});
  alignas(8) char flat_octets[16] = {7};
  in = corbel::cdr::Decoder(flat_octets, flat_octets, flat_octets + 16, false);
  ASSERT_TRUE(any._corbel_unmarshal_value(in, *same.in()));
  any.type(Dyn::_tc_Flat);
  const Dyn::Flat* found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found->n, 7);
}

// ---- TypeCodes

TEST(GeneratedTypeCode, NamesMembersAndTypes) {
  EXPECT_EQ(Dyn::_tc_Flat->kind(), CORBA::tk_struct);
  EXPECT_STREQ(Dyn::_tc_Flat->id(), "IDL:example.com/Dyn/Flat:1.0");
  EXPECT_STREQ(Dyn::_tc_Flat->name(), "Flat");
  ASSERT_EQ(Dyn::_tc_Flat->member_count(), 2u);
  EXPECT_STREQ(Dyn::_tc_Flat->member_name(1), "d");
  EXPECT_EQ(CORBA::TypeCode_var(Dyn::_tc_Flat->member_type(1))->kind(), CORBA::tk_double);
  EXPECT_STREQ(Dyn::_tc_Color->member_name(2), "blue");
  EXPECT_EQ(Dyn::_tc_Refused->kind(), CORBA::tk_except);
  EXPECT_EQ(Dyn::_tc_Thing->kind(), CORBA::tk_objref);
  EXPECT_EQ(Dyn::_tc_Here->kind(), CORBA::tk_local_interface);
  EXPECT_STREQ(Dyn::Thing::_tc_Inner->id(), "IDL:example.com/Dyn/Thing/Inner:1.0");
  EXPECT_STREQ(_tc_Unscoped->name(), "Unscoped");
}

TEST(GeneratedTypeCode, ContainsItselfWhereTheTypeDoes) {
  CORBA::TypeCode_var branches = Dyn::_tc_Tree->member_type(1);
  EXPECT_EQ(branches->kind(), CORBA::tk_sequence);
  CORBA::TypeCode_var element = branches->content_type();
  EXPECT_EQ(element.in(), Dyn::_tc_Tree);
}

TEST(GeneratedTypeCode, KnowsLabelsOfUnions) {
  ASSERT_EQ(Dyn::_tc_Choice->member_count(), 3u);
  EXPECT_EQ(Dyn::_tc_Choice->default_index(), -1);
  EXPECT_STREQ(Dyn::_tc_Choice->member_name(2), "text");
  CORBA::Any_var label = Dyn::_tc_Choice->member_label(2);
  Dyn::Color color = Dyn::red;
  ASSERT_TRUE(label.in() >>= color);
  EXPECT_EQ(color, Dyn::blue);
  EXPECT_EQ(Dyn::_tc_Wide->default_index(), 1);
  label = Dyn::_tc_Wide->member_label(0);
  CORBA::LongLong least = 0;
  ASSERT_TRUE(label.in() >>= least);
  EXPECT_EQ(least, INT64_MIN);
}

TEST(GeneratedTypeCode, NestsArraysAndBounds) {
  CORBA::TypeCode_var outer = Dyn::_tc_Names->content_type();
  EXPECT_EQ(outer->kind(), CORBA::tk_array);
  EXPECT_EQ(outer->length(), 2u);
  CORBA::TypeCode_var inner = outer->content_type();
  EXPECT_EQ(inner->kind(), CORBA::tk_array);
  CORBA::TypeCode_var words = Dyn::_tc_Words->content_type();
  EXPECT_EQ(words->length(), 3u);
  CORBA::TypeCode_var word = words->content_type();
  EXPECT_EQ(word->length(), 4u);
  EXPECT_EQ(Dyn::_tc_Line->kind(), CORBA::tk_alias);
  EXPECT_TRUE(Dyn::_tc_Line->equivalent(Dyn::_tc_Row));
  EXPECT_FALSE(Dyn::_tc_Line->equal(Dyn::_tc_Row));
}

// Constants need no initialisation: other constants may use them.
const CORBA::TypeCode_ptr early = Dyn::_tc_Tree;
TEST(GeneratedTypeCode, IsThereBeforeMain) { EXPECT_EQ(early, Dyn::_tc_Tree); }

}  // namespace
