// Values in Anys on the wire, against bytes written by hand in both byte orders: what they refer to before
// and behind them, what becomes of it when they are passed on, and bytes of someone who means harm.
#include <corbel/any.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "value_message.h"
#include "values.any.h"

namespace {

using corbel::cdr::Encoder;
using namespace value_message;

const char* const kBase = "IDL:Values/Base:1.0";
const char* const kNode = "IDL:Values/Node:1.0";
const char* const kMiddle = "IDL:Values/Middle:1.0";
const char* const kDerived = "IDL:Values/Derived:1.0";
const char* const kCarrier = "IDL:Values/Carrier:1.0";

// The encapsulation says its own byte order.
Message& type(Message& m, CORBA::TypeCode_ptr type) {
  Encoder out;
  out.reset();
  corbel::cdr::marshal(out, type);
  std::uint32_t kind, size;
  std::memcpy(&kind, out.data(), 4);
  std::memcpy(&size, out.data() + 4, 4);
  return m.number(kind).number(size).raw(std::string(out.data() + 8, size));
}

class ValueAnyWire : public testing::TestWithParam<bool> {
 protected:
  ValueAnyWire() {
    const char* args[] = {"test", nullptr};
    int argc = 1;
    orb = CORBA::ORB_init(argc, const_cast<char**>(args), "wire");
    know<OBV_Values::Base>(kBase);
    know<OBV_Values::Node>(kNode);
    know<OBV_Values::Middle>(kMiddle);
    know<OBV_Values::Derived>(kDerived);
    know<OBV_Values::Carrier>(kCarrier);
  }
  template <typename OBV>
  void know(const char* id) {
    const CORBA::ValueFactory_var factory = new Factory<OBV>,
                                  old = orb->register_value_factory(id, factory.in());
  }
  ~ValueAnyWire() override {
    orb->destroy();
    EXPECT_EQ(alive, 0) << "values leak";
  }
  Message message() const { return Message(GetParam()); }
  // Reads an Any; true if it is good and nothing is left.
  bool read(const std::string& bytes, CORBA::Any& any) {
    Input input(bytes, GetParam(), orb.in());
    try {
      return any._corbel_unmarshal(*input) && (*input).remaining() == 0;
    } catch (const CORBA::MARSHAL&) {
      return false;
    }
  }
  // The same of a value and an Any behind it.
  template <typename Var>
  bool read(const std::string& bytes, Var& before, CORBA::Any& any) {
    Input input(bytes, GetParam(), orb.in());
    const corbel::cpp::ReadValues scope(*input);
    return corbel::cpp::get_value(*input, before) && any._corbel_unmarshal(*input) &&
           (*input).remaining() == 0;
  }
  // Passed on alone, at a distance of `phase` from a multiple of 8.
  CORBA::Any passed_on(const CORBA::Any& any, std::size_t phase) {
    Encoder out;
    out.reset();
    for (std::size_t i = 0; i < phase; ++i) out.put<std::uint8_t>(0);
    any._corbel_marshal(out);
    EXPECT_FALSE(out.error());
    Decoder in(out.data(), out.data() + phase, out.data() + out.size(), false);
    in.set_context(nullptr, false, &orb->_corbel_core());
    CORBA::Any again;
    EXPECT_TRUE(again._corbel_unmarshal(in));
    return again;
  }
  // Two in one message.
  static void read(Decoder& in, CORBA::Any& first, CORBA::Any& second) {
    const corbel::cpp::ReadValues scope(in);
    ASSERT_TRUE(first._corbel_unmarshal(in));
    ASSERT_TRUE(second._corbel_unmarshal(in));
  }
  static void write(Encoder& out, const CORBA::Any& first, const CORBA::Any& second) {
    const corbel::cpp::WrittenValues scope(out);
    first._corbel_marshal(out);
    second._corbel_marshal(out);
  }
  CORBA::ORB_var orb;
};
INSTANTIATE_TEST_SUITE_P(Orders, ValueAnyWire, testing::Bool(),
                         [](const auto& i) { return i.param ? "Swapped" : "Native"; });

TEST_P(ValueAnyWire, IsReadAndPassedOnAtEveryAlignment) {
  Message m = message();
  type(m, Values::_tc_Node).number(kValue | kOneId);
  const std::size_t tag = m.here() - 4, id = m.here();
  m.text(kNode).number(1).number(kValue | kOneId).back(id).number(2).number(0).back(tag).number(0);
  CORBA::Any any;
  ASSERT_TRUE(read(m.bytes(), any));
  EXPECT_EQ(alive, 0) << "it stays octets";
  for (std::size_t phase = 0; phase < 8; ++phase) {
    const CORBA::Any again = passed_on(any, phase);
    Values::Node* n = nullptr;
    ASSERT_TRUE(again >>= n) << phase;
    EXPECT_EQ(n->id(), 1);
    EXPECT_EQ(n->next()->id(), 2);
    EXPECT_EQ(n->next()->back(), n);
    n->next()->back(nullptr);
  }
}

TEST_P(ValueAnyWire, RefersToWhatStandsBefore) {
  Message m = message();
  m.number(kValue | kOneId).text(kBase).number(7);
  type(m, Values::_tc_Base).back(0);
  CORBA::Any any;
  Values::Base_var before;
  ASSERT_TRUE(read(m.bytes(), before, any));
  Values::Base* found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found, before.in());
  before = nullptr;
  const CORBA::Any again = passed_on(any, 3);
  ASSERT_TRUE(again >>= found);
  EXPECT_EQ(found->a(), 7);
}

TEST_P(ValueAnyWire, MayHaveItsIdInAnEarlierOne) {
  Message m = message();
  type(m, Values::_tc_Base).number(kValue | kOneId);
  const std::size_t id = m.here();
  m.text(kBase).number(7);
  type(m, Values::_tc_Base).number(kValue | kOneId).back(id).number(8);
  CORBA::Any first, second;
  Input input(m.bytes(), GetParam(), orb.in());
  ASSERT_NO_FATAL_FAILURE(read(*input, first, second));
  Values::Base* found = nullptr;
  ASSERT_TRUE(second >>= found);
  EXPECT_EQ(found->a(), 8);
  const CORBA::Any again = passed_on(second, 1);
  ASSERT_TRUE(again >>= found);
  EXPECT_EQ(found->a(), 8);
}

TEST_P(ValueAnyWire, IsReferredToFromBehind) {
  Message m = message();
  type(m, Values::_tc_Base).number(kValue | kOneId);
  const std::size_t tag = m.here() - 4;
  m.text(kBase).number(7).back(tag);
  type(m, Values::_tc_Base).back(tag);
  CORBA::Any first, second;
  Values::Base_var between;
  {
    Input input(m.bytes(), GetParam(), orb.in());
    const corbel::cpp::ReadValues scope(*input);
    ASSERT_TRUE(first._corbel_unmarshal(*input));
    ASSERT_TRUE(corbel::cpp::get_value(*input, between));
    ASSERT_TRUE(second._corbel_unmarshal(*input));
  }
  Values::Base* found = nullptr;
  ASSERT_TRUE(first >>= found);
  EXPECT_EQ(found, between.in());
  ASSERT_TRUE(second >>= found);
  EXPECT_EQ(found, between.in());
  EXPECT_EQ(alive, 1);
}

// What it refers to is written where it is met, as deep as values may be in each other and deeper.
TEST_P(ValueAnyWire, IsTakenOrRefusedWhereTheDeepestRefersToWhatStandsBefore) {
  for (const int levels : {10, 1998, 1999, 2000, 2001}) {
    Message m = message();
    m.number(kValue | kOneId).text(kNode).number(7).number(0).number(0);
    type(m, Values::_tc_Node);
    for (int i = 0; i < levels; ++i) m.number(kValue).number(1);
    m.back(0);
    for (int i = 0; i < levels; ++i) m.number(0);
    CORBA::Any any;
    Input input(m.bytes(), GetParam(), orb.in());
    const corbel::cpp::ReadValues scope(*input);
    Values::Node_var before;
    ASSERT_TRUE(corbel::cpp::get_value(*input, before));
    EXPECT_EQ(any._corbel_unmarshal(*input), levels < 2000) << levels;
  }
}

TEST_P(ValueAnyWire, TellsItsTypeWhereItIsReferredToAsAnother) {
  if (GetParam()) return;  // in the other byte order only its class can copy it
  const CORBA::ValueMemberSeq none;
  const CORBA::TypeCode_var type_of_it = orb->create_value_tc("IDL:Values/Strange:1.0", "Strange",
                                                              CORBA::VM_TRUNCATABLE, Values::_tc_Base, none);
  Message m = message();
  type(m, type_of_it.in()).number(kValue | kChunked);
  const std::size_t tag = m.here() - 4;
  m.number(8).number(7).number(1).end(1);
  type(m, CORBA::_tc_ValueBase).back(tag);
  CORBA::Any first, second;
  Input input(m.bytes(), GetParam(), orb.in());
  const corbel::cpp::ReadValues scope(*input);
  ASSERT_TRUE(first._corbel_unmarshal(*input));
  ASSERT_TRUE(second._corbel_unmarshal(*input));
  Encoder out;
  out.reset();
  second._corbel_marshal(out);
  EXPECT_NE(std::string(out.data(), out.size()).find("IDL:Values/Strange:1.0"), std::string::npos);
}

// ---- values of types that the TypeCode does not describe: who are not in chunks are read by their class

// The double at the end of a Derived.
void finish(Message& m) {
  if (m.here() % 8 != 0) m.number(0);
  m.number(0).number(0);
}

TEST_P(ValueAnyWire, SharesWhatIsInsideOfOneThatIsNotDescribed) {
  Message m = message();
  type(m, Values::_tc_Derived).number(kValue | kOneId).text(kDerived).number(1).text("outer");
  m.number(kValue | kOneId).text(kMiddle).number(2).text("one").number(kValue | kOneId);
  const std::size_t shared = m.here() - 4;
  m.text(kBase).number(3);
  m.number(kValue | kOneId | kChunked).text(kMiddle).number(20).number(4).text("two").back(shared).end(1);
  finish(m);
  CORBA::Any any;
  ASSERT_TRUE(read(m.bytes(), any));
  for (const CORBA::Any& each : {any, passed_on(any, 0), passed_on(any, 4)}) {
    Values::Derived* found = nullptr;
    ASSERT_TRUE(each >>= found);
    Values::Middle *const one = Values::Middle::_downcast(found->inner()), *const two =
                                                                               Values::Middle::_downcast(
                                                                                   found->cut());
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->inner(), two->inner());
  }
}

TEST_P(ValueAnyWire, IsSharedByOneInsideThatIsNotDescribed) {
  for (const bool says_id : {true, false}) {
    Message m = message();
    type(m, Values::_tc_Derived).number(says_id ? kValue | kOneId : kValue);
    const std::size_t tag = m.here() - 4;
    if (says_id) m.text(kDerived);
    m.number(1).text("outer").number(kValue | kOneId).text(kMiddle).number(2).text("inner").back(tag);
    finish(m.back(tag));
    CORBA::Any any;
    ASSERT_TRUE(read(m.bytes(), any));
    for (const CORBA::Any& one : {passed_on(any, 0), passed_on(any, 4), any}) {
      Values::Derived* found = nullptr;
      ASSERT_TRUE(one >>= found) << says_id;
      Values::Middle* const inner = Values::Middle::_downcast(found->inner());
      ASSERT_TRUE(inner);
      EXPECT_EQ(inner->inner(), found) << says_id;
      inner->inner(nullptr), found->cut(nullptr);
    }
  }
}

TEST_P(ValueAnyWire, RefersToWhatStandsBeforeFromOneThatIsNotDescribed) {
  Message m = message();
  m.number(kValue | kOneId).text(kBase).number(7);
  type(m, Values::_tc_Base).number(kValue | kOneId).text(kMiddle).number(2).text("middle").back(0);
  CORBA::Any any;
  Values::Base_var before;
  ASSERT_TRUE(read(m.bytes(), before, any));
  Values::Base* found = nullptr;
  ASSERT_TRUE(any >>= found);
  ASSERT_TRUE(Values::Middle::_downcast(found));
  EXPECT_EQ(Values::Middle::_downcast(found)->inner(), before.in());
}

TEST_P(ValueAnyWire, MayHaveItsIdBeforeAndAnAnyInside) {
  Message m = message();
  m.number(kValue | kOneId);
  const std::size_t id = m.here();
  m.text(kCarrier).number(CORBA::tk_null).number(0);
  type(m, CORBA::_tc_ValueBase).number(kValue | kOneId).back(id);
  type(m, Values::_tc_Base).number(kValue | kOneId).text(kBase).number(7).number(0);
  CORBA::Any any;
  Values::Carrier_var before;
  ASSERT_TRUE(read(m.bytes(), before, any));
  CORBA::ValueBase* found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_TRUE(Values::Carrier::_downcast(found));
}

// Two Anys that hold one value nobody has asked for are sent so, too.
TEST_P(ValueAnyWire, IsOneValueInSeveralWhenPassedOn) {
  Message m = message();
  type(m, Values::_tc_Base).number(kValue | kOneId);
  const std::size_t tag = m.here() - 4;
  m.text(kBase).number(7);
  type(m, Values::_tc_Base).back(tag);
  CORBA::Any first, second;
  Input input(m.bytes(), GetParam(), orb.in());
  ASSERT_NO_FATAL_FAILURE(read(*input, first, second));
  Encoder out;
  out.reset();
  write(out, first, second);
  Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  in.set_context(nullptr, false, &orb->_corbel_core());
  CORBA::Any third, fourth;
  ASSERT_NO_FATAL_FAILURE(read(in, third, fourth));
  Values::Base *a = nullptr, *b = nullptr;
  ASSERT_TRUE(third >>= a);
  ASSERT_TRUE(fourth >>= b);
  EXPECT_EQ(a, b);
}

// A circle that the TypeCode does not describe, once or twice: who never asks for it has nothing to take
// apart, and whoever does gets one that is whole.
TEST_P(ValueAnyWire, LeavesNoCircleBehindWhereNobodyAsksForIt) {
  Message m = message();
  type(m, CORBA::_tc_ValueBase).number(kValue | kOneId);
  const std::size_t tag = m.here() - 4, id = m.here();
  m.text(kNode).number(1).number(kValue | kOneId).back(id).number(2).back(tag).back(tag).number(0);
  const std::string one = m.bytes();
  type(m, CORBA::_tc_ValueBase).back(tag);
  CORBA::Any first, second;
  ASSERT_TRUE(read(one, first));
  EXPECT_EQ(alive, 0) << "read alone";
  Input input(m.bytes(), GetParam(), orb.in());
  ASSERT_NO_FATAL_FAILURE(read(*input, first, second));
  EXPECT_EQ(alive, 0) << "read";
  Encoder out;
  out.reset();
  out.put<std::uint32_t>(0);
  write(out, first, second);
  ASSERT_FALSE(out.error());
  EXPECT_EQ(alive, 0) << "passed on";
  Decoder in(out.data(), out.data() + 4, out.data() + out.size(), false);
  in.set_context(nullptr, false, &orb->_corbel_core());
  CORBA::Any third, fourth;
  ASSERT_NO_FATAL_FAILURE(read(in, third, fourth));
  CORBA::ValueBase *a = nullptr, *b = nullptr;
  ASSERT_TRUE(third >>= a);
  ASSERT_TRUE(fourth >>= b);
  EXPECT_EQ(a, b) << "one value in two";
  Values::Node* const node = Values::Node::_downcast(a);
  ASSERT_TRUE(node && node->next());
  EXPECT_EQ(node->next()->next(), node);
  // Passed on once more, it stays as the application has it.
  (void)passed_on(third, 4);
  EXPECT_EQ(alive, 2);
  ASSERT_TRUE(node->next());
  node->next()->next(nullptr), node->next()->back(nullptr);
}

// The same where the application has one of its values from elsewhere in the message.
TEST_P(ValueAnyWire, LeavesACircleWholeThatSomeoneHasAPartOf) {
  Message m = message();
  type(m, CORBA::_tc_ValueBase).number(kValue | kOneId);
  const std::size_t tag = m.here() - 4, id = m.here();
  m.text(kNode).number(1).number(kValue | kOneId).back(id);
  m.number(2).number(kValue | kOneId);
  const std::size_t inner = m.here() - 4;
  m.back(id).number(3).back(tag).number(0).number(0).number(0).back(inner);
  CORBA::Any any;
  Values::Node_var third;
  {
    Input input(m.bytes(), GetParam(), orb.in());
    const corbel::cpp::ReadValues scope(*input);
    ASSERT_TRUE(any._corbel_unmarshal(*input));
    ASSERT_TRUE(corbel::cpp::get_value(*input, third));
  }
  ASSERT_EQ(third->id(), 3);
  ASSERT_TRUE(third->next() && third->next()->next());
  EXPECT_EQ(third->next()->next()->next(), third.in());
  CORBA::ValueBase* found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found, third->next());
  third->next(nullptr);
}

// What stands in an Any inside of a value that is not described is the same as before and behind that value.
TEST_P(ValueAnyWire, IsSharedWithAnAnyInsideOfOneThatIsNotDescribed) {
  for (const bool first : {true, false})
    for (const bool id_before : {true, false}) {
      Message m = message();
      m.number(kValue | kOneId);
      const std::size_t id = m.here();
      m.text(kBase).number(1);
      type(m, Values::_tc_Bag).number(kValue | kOneId).text("IDL:Values/Bag:1.0").number(2);
      std::size_t tag = 0;
      const auto base = [&] {
        m.number(kValue | kOneId);
        tag = m.here() - 4;
        id_before ? m.back(id) : m.text(kBase);
        m.number(7);
      };
      if (first) base();
      m.number(kValue | kOneId).text(kCarrier);
      type(m, Values::_tc_Base);
      first ? (void)m.back(tag) : base();
      m.number(0);
      if (!first) m.back(tag);
      CORBA::Any any;
      Values::Base_var before;
      ASSERT_TRUE(read(m.bytes(), before, any)) << first << id_before;
      for (const CORBA::Any& each :
           {passed_on(any, 0), passed_on(any, 4), passed_on(passed_on(any, 4), 0), any}) {
        Values::Bag* bag = nullptr;
        ASSERT_TRUE(each >>= bag) << first << id_before;
        Values::Carrier* const carrier = Values::Carrier::_downcast(bag->_value()[first ? 1 : 0]);
        Values::Base* inside = nullptr;
        ASSERT_TRUE(carrier && (carrier->content() >>= inside)) << first << id_before;
        EXPECT_EQ(inside, bag->_value()[first ? 0 : 1]) << first << id_before;
      }
    }
}

// The same of what that value has itself.
TEST_P(ValueAnyWire, IsSharedByAnAnyAndTheValueAroundIt) {
  Message m = message();
  type(m, CORBA::_tc_ValueBase).number(kValue | kOneId);
  const std::size_t id = m.here();
  m.text(kCarrier);
  type(m, CORBA::_tc_ValueBase).number(kValue | kOneId);
  const std::size_t tag = m.here() - 4;
  m.back(id).number(CORBA::tk_null).number(0).back(tag);
  CORBA::Any any;
  ASSERT_TRUE(read(m.bytes(), any));
  for (const CORBA::Any& each : {passed_on(any, 0), passed_on(any, 4), any}) {
    CORBA::ValueBase *found = nullptr, *inside = nullptr;
    ASSERT_TRUE(each >>= found);
    Values::Carrier* const carrier = Values::Carrier::_downcast(found);
    ASSERT_TRUE(carrier && (carrier->content() >>= inside));
    EXPECT_EQ(inside, carrier->other());
  }
}

// One that is cut off where its class is not known is still whole in an Any.
TEST_P(ValueAnyWire, StaysWholeInAnAnyBehindOneThatHasItCutOff) {
  if (GetParam()) return;  // what no class here knows keeps its byte order
  Message m = message();
  type(m, Values::_tc_Bag).number(kValue | kOneId).text("IDL:Values/Bag:1.0").number(2);
  m.number(kValue | kOneId).text(kMiddle).number(1).text("around").number(kValue | kIds | kChunked);
  const std::size_t tag = m.here() - 4;
  m.number(2).text(kDerived).text(kMiddle).number(32).number(2).text("cut").number(0);
  m.number(0).number(0).raw(std::string("\0\0\0\0\0\0\x08\x40", 8)).end(1);
  m.number(kValue | kOneId).text(kCarrier);
  type(m, CORBA::_tc_ValueBase).back(tag).number(0);
  orb->unregister_value_factory(kDerived);
  CORBA::Any any;
  ASSERT_TRUE(read(m.bytes(), any));
  const CORBA::Any moved = passed_on(any, 4);
  know<OBV_Values::Derived>(kDerived);
  Values::Bag* bag = nullptr;
  CORBA::ValueBase* found = nullptr;
  ASSERT_TRUE(moved >>= bag);
  Values::Carrier* const carrier = Values::Carrier::_downcast(bag->_value()[1]);
  ASSERT_TRUE(carrier && (carrier->content() >>= found));
  ASSERT_TRUE(Values::Derived::_downcast(found));
  EXPECT_EQ(Values::Derived::_downcast(found)->c(), 3.0);
}

// Each is in an Any in the one before: who reads it to write it reads those inside for every one around.
TEST_P(ValueAnyWire, IsNotCopiedAgainAndAgainWhereItIsDeepInOthers) {
  for (const int depth : {5, 40}) {
    Message m = message();
    type(m, CORBA::_tc_ValueBase);
    for (int i = 0; i < depth; ++i) {
      Message inside = message();
      type(inside, CORBA::_tc_ValueBase);
      m.number(kValue | kOneId | kChunked).text(kCarrier);
      m.number(static_cast<std::uint32_t>(i + 1 == depth ? 8 : inside.here()));
      if (i + 1 < depth) type(m, CORBA::_tc_ValueBase);
      else m.number(CORBA::tk_null).number(0).end(depth);
    }
    for (int level = depth; --level > 0;) m.number(4).number(0).end(level);
    CORBA::Any any;
    const bool good = read(m.bytes(), any);
    EXPECT_TRUE(good || depth != 5);
    if (!good) continue;
    Encoder out;
    out.reset();
    out.put<std::uint32_t>(0);
    any._corbel_marshal(out);
    EXPECT_TRUE(!out.error() || depth != 5);
    CORBA::ValueBase* found = nullptr;
    if (depth == 5) EXPECT_TRUE(any >>= found);
    else EXPECT_NO_THROW((void)(any >>= found));
  }
}

// What is cut off here, in a value that was read for another Any, refers to itself.
TEST_P(ValueAnyWire, LeavesNothingBehindOfWhatIsSteppedOver) {
  Message m = message();
  type(m, Values::_tc_Middle).number(kValue | kOneId);
  const std::size_t whole = m.here() - 4;
  m.text(kMiddle).number(1).text("whole").number(kValue | kIds | kChunked);
  const std::size_t cut = m.here() - 4;
  m.number(2)
      .text("IDL:Values/Unknown:1.0")
      .text(kMiddle)
      .number(24)
      .number(2)
      .text("i")
      .back(cut)
      .number(9)
      .end(1);
  type(m, Values::_tc_Middle).back(whole);
  CORBA::Any first, second;
  Input input(m.bytes(), GetParam(), orb.in());
  ASSERT_NO_FATAL_FAILURE(read(*input, first, second));
  Values::Middle *a = nullptr, *b = nullptr;
  ASSERT_TRUE(first >>= a);
  ASSERT_TRUE(second >>= b);
  EXPECT_EQ(a, b);
  Values::Middle* const inner = Values::Middle::_downcast(a->inner());
  ASSERT_TRUE(inner);
  EXPECT_EQ(inner->inner(), inner);
  inner->inner(nullptr);
}

// The Any inside of a value in chunks refers to that value. No class can be asked to write what it has not
// read yet, and what is copied as it stands keeps its byte order.
TEST_P(ValueAnyWire, MayLeadBackThroughAnAnyInside) {
  for (const bool known : {true, false}) {
    Message m = message();
    type(m, CORBA::_tc_ValueBase).number(kValue | kOneId | kChunked);
    const std::size_t tag = m.here() - 4;
    m.text(kCarrier);
    Message inside = message();
    type(inside, CORBA::_tc_ValueBase);
    m.number(static_cast<std::uint32_t>(inside.here() + 12));
    type(m, CORBA::_tc_ValueBase).back(tag).number(0).end(1);
    if (!known) orb->unregister_value_factory(kCarrier);
    CORBA::Any any;
    ASSERT_TRUE(read(m.bytes(), any)) << known;
    if (GetParam()) {
      CORBA::ValueBase* found = nullptr;
      EXPECT_TRUE(!known || !(any >>= found));
      continue;
    }
    const CORBA::Any moved = passed_on(any, 4), same = passed_on(any, 0);
    if (!known) know<OBV_Values::Carrier>(kCarrier);
    for (const CORBA::Any& each : {any, same, moved}) {
      CORBA::ValueBase *found = nullptr, *inner = nullptr;
      ASSERT_TRUE(each >>= found) << known;
      Values::Carrier* const carrier = Values::Carrier::_downcast(found);
      ASSERT_TRUE(carrier) << known;
      ASSERT_TRUE(carrier->content() >>= inner) << known;
      EXPECT_EQ(inner, found) << known;
      carrier->content(CORBA::Any());
    }
  }
}

// What the application has already is none of the business of an Any that cannot be read.
TEST_P(ValueAnyWire, LeavesValuesOfOthersAloneIfItsOwnAreMissing) {
  Message m = message();
  m.number(kValue | kOneId);
  const std::size_t shared = m.here() - 4, id = m.here();
  m.text(kNode).number(1).number(kValue | kOneId).back(id).number(2).number(0).number(0).number(0);
  type(m, Values::_tc_Node).number(kValue | kOneId).back(id).number(3).back(shared).number(0);
  CORBA::Any any;
  Values::Node_var node;
  {
    Input input(m.bytes(), GetParam(), orb.in());
    const corbel::cpp::ReadValues scope(*input);
    ASSERT_TRUE(corbel::cpp::get_value(*input, node));
    ASSERT_TRUE(any._corbel_unmarshal(*input));
  }
  orb->unregister_value_factory(kNode);
  Values::Node* found = nullptr;
  EXPECT_THROW((void)(any >>= found), CORBA::MARSHAL) << "its own cannot be made";
  ASSERT_TRUE(node->next());
  EXPECT_EQ(node->next()->id(), 2);
}

// A value that is cut short has not been given to anybody.
TEST_P(ValueAnyWire, GivesNoneThatIsCutShort) {
  Message m = message();
  type(m, Values::_tc_Own).number(kValue | kOneId | kChunked).text(kBase).number(2).raw("ab").end(1);
  CORBA::Any any;
  ASSERT_TRUE(read(m.bytes(), any)) << "its state is nobody's business";
  CORBA::ValueBase_var value;
  EXPECT_FALSE(any >>= CORBA::Any::to_value(value.out()));
  EXPECT_EQ(value.in(), nullptr);
}

TEST_P(ValueAnyWire, IsRefusedWhereItPointsAnywhere) {
  const auto refused = [&](std::size_t to, const char* what) {
    Message m = message();
    type(m, Values::_tc_Node).number(kValue | kOneId).text(kNode).number(1).back(to).number(0);
    CORBA::Any any;
    EXPECT_FALSE(read(m.bytes(), any)) << what;
    CORBA::TypeCode_var left = any.type();
    EXPECT_EQ(left->kind(), CORBA::tk_null) << what;
  };
  refused(0, "the TypeCode");
  refused(static_cast<std::size_t>(-1000), "before the message");
  Message m = message();
  const std::size_t tag = type(m, Values::_tc_Node).here();
  refused(tag + 4, "the id");
  refused(tag + 2, "the middle of a tag");
  refused(tag + 36, "itself");
  refused(tag + 400, "what is to come");
}

TEST_P(ValueAnyWire, IsRefusedIfCutShort) {
  Message m = message();
  type(m, Values::_tc_Base)
      .number(kValue | kIds | kChunked)
      .number(2)
      .text("IDL:Values/Unknown:1.0")
      .text(kBase)
      .number(4)
      .number(7)
      .number(4)
      .number(8)
      .end(1);
  const std::string whole = m.bytes();
  CORBA::Any any;
  ASSERT_TRUE(read(whole, any));
  Values::Base* found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found->a(), 7);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CORBA::Any cut;
    EXPECT_FALSE(read(whole.substr(0, size), cut)) << size;
  }
}

TEST_P(ValueAnyWire, IsRefusedIfNestedTooDeep) {
  for (int depth : {1000, 5000}) {
    Message m = message();
    type(m, Values::_tc_Node);
    for (int i = 0; i < depth; ++i) m.number(kValue).number(1);
    m.number(0);
    for (int i = 0; i < depth; ++i) m.number(0);
    CORBA::Any any;
    EXPECT_EQ(read(m.bytes(), any), depth < 2000) << depth;
  }
}

// Each Any would have a copy of what it refers to.
TEST_P(ValueAnyWire, MayNotBecomeMuchMoreThanWasSent) {
  Message m = message();
  type(m, Values::_tc_Name).number(kValue | kOneId);
  const std::size_t tag = m.here() - 4;
  m.text("IDL:Values/Name:1.0").text(std::string(1 << 20, 'x'));
  for (int i = 0; i < 200; ++i) type(m, Values::_tc_Name).back(tag);
  Input input(m.bytes(), GetParam(), orb.in());
  const corbel::cpp::ReadValues scope(*input);
  int taken = 0;
  for (CORBA::Any any; taken <= 200 && any._corbel_unmarshal(*input);) ++taken;
  EXPECT_GT(taken, 50);
  EXPECT_LT(taken, 80);
}

// Nor an account of each value inside, which takes more than its four octets.
TEST_P(ValueAnyWire, MayNotHoldMuchMoreValuesThanWereSent) {
  constexpr std::uint32_t kValues = 20'000;
  const CORBA::ValueMemberSeq nothing;
  CORBA::TypeCode_var empty =
      orb->create_value_tc("IDL:Empty:1.0", "Empty", CORBA::VM_NONE, nullptr, nothing);
  CORBA::TypeCode_var content = orb->create_sequence_tc(0, empty);
  CORBA::ValueMemberSeq members;
  members.length(1);
  members[0].name = "many";
  members[0].type = content;
  members[0].access = CORBA::PUBLIC_MEMBER;
  CORBA::TypeCode_var many = orb->create_value_tc("IDL:Many:1.0", "Many", CORBA::VM_NONE, nullptr, members);
  Message m = message();
  type(m, many).number(kValue | kOneId);
  const std::size_t tag = m.here() - 4;
  m.text("IDL:Many:1.0").number(kValues);
  for (std::uint32_t i = 0; i < kValues; ++i) m.number(kValue);
  for (int i = 0; i < 100; ++i) type(m, many).back(tag);
  Input input(m.bytes(), GetParam(), orb.in());
  const corbel::cpp::ReadValues scope(*input);
  int taken = 0;
  for (CORBA::Any any; taken <= 100 && any._corbel_unmarshal(*input);) ++taken;
  EXPECT_GT(taken, 10);
  EXPECT_LT(taken, 40);
}

// Values inside one another in an Any, to each of which something behind it refers: the inner ones are read
// once more for each around them.
TEST_P(ValueAnyWire, IsNotReadAgainAndAgainWithoutEnd) {
  for (const int depth : {100, 1900}) {
    Message m = message();
    type(m, Values::_tc_Node);
    std::size_t id = 0;
    std::vector<std::size_t> tags;
    for (int i = 0; i < depth; ++i) {
      tags.push_back(m.here());
      m.number(kValue | kOneId);
      if (i == 0) id = m.here(), m.text(kNode);
      else m.back(id);
      m.number(static_cast<std::uint32_t>(i));
    }
    m.number(0);
    for (int i = 0; i < depth; ++i) m.number(0);
    for (auto tag = tags.rbegin(); tag != tags.rend(); ++tag) m.back(*tag);
    Input input(m.bytes(), GetParam(), orb.in());
    const corbel::cpp::ReadValues scope(*input);
    CORBA::Any any;
    ASSERT_TRUE(any._corbel_unmarshal(*input));
    int taken = 0;
    for (Values::Node_var node; taken < depth && corbel::cpp::get_value<Values::Node>(*input, node.inout());)
      EXPECT_EQ(node->id(), depth - ++taken);
    if (depth == 100) EXPECT_EQ(taken, depth);
    else EXPECT_LT(taken, 1500);
  }
}

TEST_P(ValueAnyWire, MayHaveATypeThatDerivesFromItself) {
  static corbel::types::TypeCode circle(corbel::types::Kind::Value, kBase, "Base", nullptr, nullptr, 0);
  circle.content = &circle;
  const Message m = message().number(kValue).number(7);
  Input input(m.bytes(), GetParam(), orb.in());
  const corbel::cpp::ReadValues scope(*input);
  EXPECT_FALSE(corbel::types::skip(*input, circle));
}

}  // namespace
