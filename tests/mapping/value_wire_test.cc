// Values on the wire, against bytes written by hand in both byte orders: every form of a header, chunks, end
// tags, what is cut off, and bytes of someone who means harm. Whatever was read in vain is freed.
#include <corbel/cpp/octet_seq.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/heap.h"
#include "value_message.h"
#include "values.stub.h"

namespace {

using corbel::cdr::Encoder;
using namespace value_message;

const char* const kBase = "IDL:Values/Base:1.0";
const char* const kMiddle = "IDL:Values/Middle:1.0";
const char* const kUnknown = "IDL:Values/Unknown:1.0";

class ValueWire : public testing::TestWithParam<bool> {
 protected:
  ValueWire() {
    const char* args[] = {"test", nullptr};
    int argc = 1;
    orb = CORBA::ORB_init(argc, const_cast<char**>(args), "wire");
    add<OBV_Values::Base>(kBase);
    add<OBV_Values::Node>("IDL:Values/Node:1.0");
    add<OBV_Values::Ring>("IDL:Values/Ring:1.0");
  }
  ~ValueWire() override {
    orb->destroy();
    EXPECT_EQ(alive, 0) << "values leak";
  }
  template <typename OBV>
  void add(const char* id) {
    CORBA::ValueFactory_var factory = new Factory<OBV>;
    CORBA::ValueFactory_var old = orb->register_value_factory(id, factory.in());
  }
  // Reads as many values of type V as there are places; true if all are good and nothing is left.
  template <typename V, typename... Vars>
  bool read(const std::string& bytes, Vars&... places) {
    Input input(bytes, GetParam(), orb.in());
    corbel::cpp::ReadValues scope(*input);
    try {
      return (corbel::cpp::get_value<V>(*input, places.inout()) && ...) && (*input).remaining() == 0;
    } catch (const CORBA::MARSHAL&) {
      return false;
    }
  }
  Message message() const { return Message(GetParam()); }
  CORBA::ORB_var orb;
};
INSTANTIATE_TEST_SUITE_P(Orders, ValueWire, testing::Bool(),
                         [](const auto& i) { return i.param ? "Swapped" : "Native"; });

TEST_P(ValueWire, ReadsEveryFormOfAHeader) {
  const auto check = [&](const Message& m, const char* what) {
    Values::Base_var v;
    EXPECT_TRUE(read<Values::Base>(m.bytes(), v)) << what;
    ASSERT_TRUE(v.in()) << what;
    EXPECT_EQ(v->a(), 7) << what;
  };
  check(message().number(kValue).number(7), "no id: of the declared type");
  check(message().number(kValue | kOneId).text(kBase).number(7), "one id");
  check(message().number(kValue | kUrl | kOneId).text("http://nowhere").text(kBase).number(7), "a codebase");
  check(message().number(kValue | kUrl).text("http://nowhere").number(7), "a codebase alone");
  check(message().number(kValue | kIds).number(1).text(kBase).number(7), "a list of one");
  check(message().number(kValue | kChunked).number(4).number(7).end(1), "in chunks, no id");
  check(message()
            .number(kValue | kIds | kChunked)
            .number(2)
            .text(kUnknown)
            .text(kBase)
            .number(4)
            .number(7)
            .end(1),
        "cut off");
}

TEST_P(ValueWire, ReadsNull) {
  Values::Base_var v = new OBV_Values::Base(1);
  EXPECT_TRUE(read<Values::Base>(message().number(0).bytes(), v));
  EXPECT_EQ(v.in(), nullptr);
}

TEST_P(ValueWire, ReadsIndirectionsOfIdsAndListsAndUrls) {
  Message m = message();
  m.number(kValue | kUrl | kOneId);
  const std::size_t url = m.here();
  m.text("http://nowhere");
  const std::size_t id = m.here();
  m.text(kBase).number(1);
  m.number(kValue | kUrl | kOneId).back(url).back(id).number(2);
  m.number(kValue | kIds | kChunked);
  const std::size_t list = m.here();
  m.number(2).text(kUnknown).back(id).number(4).number(3).end(1);
  m.number(kValue | kIds | kChunked).back(list).number(4).number(4).end(1);
  Values::Base_var a, b, c, d;
  ASSERT_TRUE(read<Values::Base>(m.bytes(), a, b, c, d));
  EXPECT_EQ(a->a(), 1);
  EXPECT_EQ(b->a(), 2);
  EXPECT_EQ(c->a(), 3);
  EXPECT_EQ(d->a(), 4);
}

// A list of a thousand indirections to a long one would take a thousand times its octets, for each value.
TEST_P(ValueWire, RefusesIdsThatAreLargeOnlyByIndirections) {
  Message list = message();
  list.number(kValue | kIds | kChunked).number(100);
  const std::size_t id = list.here();
  list.text(std::string(10'000, 'x'));
  for (int i = 0; i < 98; ++i) list.back(id);
  list.text(kBase).number(4).number(7).end(1);
  Values::Base_var v;
  EXPECT_FALSE(read<Values::Base>(list.bytes(), v));
  Message one = message();
  one.number(kValue | kIds | kChunked).number(2).text(std::string(100'000, 'x')).text(kBase);
  one.number(4).number(7).end(1);
  EXPECT_FALSE(read<Values::Base>(one.bytes(), v));
}

// Each list is four indirections, and would be as many copies for as long as the message is read.
TEST_P(ValueWire, KeepsIdsOnceHoweverManyListsReferToThem) {
  constexpr int kLists = 2000;
  Message m = message();
  m.number(kValue | kIds).number(2);
  const std::size_t known = m.here();
  m.text(kBase);
  const std::size_t id = m.here();
  m.text(std::string(16'000, 'x')).number(7);
  for (int i = 0; i < kLists; ++i)
    m.number(kValue | kIds).number(4).back(known).back(id).back(id).back(id).number(7);
  Input input(m.bytes(), GetParam(), orb.in());
  const std::size_t before = heap_in_use();
  corbel::cpp::ReadValues scope(*input);
  for (int i = 0; i <= kLists; ++i) {
    Values::Base_var v;
    ASSERT_TRUE(corbel::cpp::get_value<Values::Base>(*input, v.inout()));
  }
  EXPECT_LT(heap_in_use() - before, 10u * 1000 * 1000);
}

// A list stands once, and is meant by each of the values inside of one another.
TEST_P(ValueWire, CopiesNoIdsThatAreReferredTo) {
  constexpr int kNested = 500;
  struct Measuring final : CORBA::ValueFactoryBase {
    CORBA::ValueBase* create_for_unmarshal() override {
      most = std::max(most, heap_in_use());
      return new Counted<OBV_Values::Node>;
    }
    std::size_t most = 0;
  };
  const char* const id = "IDL:Values/Node:1.0";
  auto* const measuring = new Measuring;
  CORBA::ValueFactory_var factory = measuring;
  CORBA::ValueFactory_var old = orb->register_value_factory(id, factory.in());
  Message m = message();
  m.number(kValue | kIds);
  const std::size_t list = m.here();
  m.number(1000).text(id);
  for (int i = 1; i < 1000; ++i) m.text(std::string(60, 'x'));
  m.number(0);
  for (int i = 1; i < kNested; ++i) m.number(kValue | kIds).back(list).number(static_cast<std::uint32_t>(i));
  m.number(0);                                    // the last one's next
  for (int i = 0; i < kNested; ++i) m.number(0);  // what each has behind
  const std::size_t before = heap_in_use();
  {
    Values::Node_var v;
    ASSERT_TRUE(read<Values::Node>(m.bytes(), v));
    EXPECT_EQ(v->next()->next()->id(), 2);
  }
  EXPECT_LT(measuring->most - before, 10u * 1000 * 1000);
}

TEST_P(ValueWire, ReadsStateInSeveralChunks) {
  add<OBV_Values::Middle>(kMiddle);
  Message m = message();
  m.number(kValue | kIds | kChunked).number(2).text(kMiddle).text(kBase);
  m.number(4).number(7);
  m.number(6).number(6).raw("he");
  m.number(4).raw(std::string("llo\0", 4));
  m.number(kValue | kOneId | kChunked).text(kBase).number(4).number(9).end(2).end(1);
  Values::Base_var v;
  ASSERT_TRUE(read<Values::Base>(m.bytes(), v));
  auto* const middle = Values::Middle::_downcast(v.in());
  ASSERT_TRUE(middle);
  EXPECT_STREQ(middle->b(), "hello");
  EXPECT_EQ(middle->inner()->a(), 9);
}

// Null and indirections stand in chunks or between them; one end tag may end several values.
TEST_P(ValueWire, ReadsReferencesBetweenChunksAndEndTagsOfSeveral) {
  for (const bool between : {false, true}) {
    Message m = message();
    m.number(kValue | kOneId | kChunked);
    const std::size_t id = m.here();
    m.text("IDL:Values/Node:1.0").number(4).number(1);
    const std::size_t second = m.here();
    m.number(kValue | kOneId | kChunked).back(id).number(between ? 4 : 16).number(2);
    m.number(0).back(second);
    if (between) {
      m.end(2).number(0).end(1);
    } else {
      m.end(2).number(4).number(0).end(1);
    }
    Values::Node_var v;
    ASSERT_TRUE(read<Values::Node>(m.bytes(), v)) << between;
    EXPECT_EQ(v->next()->id(), 2);
    EXPECT_EQ(v->next()->back(), v->next());
    EXPECT_EQ(v->back(), nullptr);
    v->next()->back(nullptr);
  }
  Message m = message();
  m.number(kValue | kIds | kChunked).number(2).text(kUnknown).text(kBase).number(4).number(1);
  m.number(kValue | kOneId | kChunked).text(kBase).number(4).number(2);
  m.number(kValue | kOneId | kChunked).text(kBase).number(4).number(3).end(1);
  m.number(kValue | kOneId).text(kBase).number(5);
  Values::Base_var a, b;
  ASSERT_TRUE(read<Values::Base>(m.bytes(), a, b));
  EXPECT_EQ(a->a(), 1);
  EXPECT_EQ(b->a(), 5);
}

// One value that is cut off holds another; whichever is referred to first, each is read once.
TEST_P(ValueWire, KeepsWhatWasCutOffAndIsReferredToLater) {
  for (const bool collapsed : {false, true}) {
    Message m = message();
    m.number(kValue | kIds | kChunked).number(2).text(kUnknown);
    m.text(kBase).number(4).number(1);
    const std::size_t outer = m.here();
    m.number(kValue | kOneId | kChunked).text("IDL:Values/Node:1.0").number(4).number(2);
    const std::size_t inner = m.here();
    m.number(kValue | kOneId | kChunked).text("IDL:Values/Node:1.0").number(12).number(3).number(0).number(0);
    m.end(3).number(4).number(0);
    if (collapsed) m.end(1);
    else m.end(2).end(1);
    for (const bool inner_first : {true, false}) {
      Message all = m;
      all.back(inner_first ? inner : outer).back(inner_first ? outer : inner);
      all.number(kValue | kChunked).number(4).number(8).end(1);
      CORBA::ValueBase_var cut, x, y;
      Values::Base_var last;
      Input input(all.bytes(), GetParam(), orb.in());
      corbel::cpp::ReadValues scope(*input);
      ASSERT_TRUE(corbel::cpp::get_value<CORBA::ValueBase>(*input, cut.inout()));
      ASSERT_TRUE(corbel::cpp::get_value<CORBA::ValueBase>(*input, x.inout())) << collapsed << inner_first;
      ASSERT_TRUE(corbel::cpp::get_value<CORBA::ValueBase>(*input, y.inout())) << collapsed << inner_first;
      ASSERT_TRUE(corbel::cpp::get_value<Values::Base>(*input, last.inout())) << collapsed << inner_first;
      EXPECT_EQ(last->a(), 8);
      auto* const two = Values::Node::_downcast(inner_first ? y.in() : x.in());
      auto* const three = Values::Node::_downcast(inner_first ? x.in() : y.in());
      ASSERT_TRUE(two && three);
      EXPECT_EQ(two->id(), 2);
      EXPECT_EQ(three->id(), 3);
      EXPECT_EQ(two->next(), three) << "the value inside is the one that was read before";
    }
  }
}

TEST_P(ValueWire, RefusesWhatIsMalformed) {
  const auto check = [&](const Message& m, const char* what) {
    Values::Base_var v;
    EXPECT_FALSE(read<Values::Base>(m.bytes(), v)) << what;
  };
  check(message().number(1).number(7), "no tag");
  check(message().number(0x80000000u).number(7), "an end tag");
  check(message().number(kValue | 4).text(kBase).number(7), "a tag that is reserved");
  check(message().back(0), "an indirection to itself");
  check(message().number(kBack).number(4), "an indirection forward");
  check(message().number(kBack).number(0x80000000u), "an indirection out of the message");
  check(message().number(kValue | kOneId).back(0).number(7), "an indirection to no id");
  check(message().number(kValue | kIds).number(0).number(7), "an empty list");
  check(message().number(kValue | kIds).number(0x7fffffff).text(kBase), "a list that is too long");
  check(message().number(kValue | kIds).back(0).number(7), "an indirection to no list");
  check(message().number(kValue | kOneId).text(kUnknown).number(7), "unknown");
  check(message().number(kValue | kIds).number(2).text(kUnknown).text(kBase).number(7),
        "not in chunks, yet cut");
  check(message().number(kValue | kChunked).number(2000).number(7).end(1), "a chunk that is too long");
  check(message().number(kValue | kChunked).number(2).number(7).end(1), "a chunk that ends in a number");
  check(message().number(kValue | kChunked).number(4).number(7).end(2), "the end of another value");
  check(message().number(kValue | kChunked).number(4).number(7).number(0x80000000u), "an end without level");
  check(message().number(kValue | kOneId).text("IDL:Values/Node:1.0").number(7).number(0).number(0),
        "of another type");
}

TEST_P(ValueWire, FreesCirclesThatAreReadInVain) {
  Message list = message();
  list.number(kValue | kOneId).text("IDL:Values/Node:1.0").number(1).back(0).back(0);
  list.number(kBack).number(8);
  Values::Node_var a, b;
  EXPECT_FALSE(read<Values::Node>(list.bytes(), a, b));
  a = nullptr;
  EXPECT_EQ(alive, 0);
  Message boxed = message();  // through a box, and through an array
  boxed.number(kValue | kOneId)
      .text("IDL:Values/Ring:1.0")
      .number(kValue)
      .number(1)
      .back(0)
      .number(0)
      .number(0);
  boxed.number(1);
  Values::Ring_var c, d;
  EXPECT_FALSE(read<Values::Ring>(boxed.bytes(), c, d));
  c = nullptr;
  EXPECT_EQ(alive, 0);
  Message bag = message();  // a box in itself
  bag.number(kValue).number(1).back(0).number(1);
  Values::Bag_var e, f;
  EXPECT_FALSE(read<Values::Bag>(bag.bytes(), e, f));
  ASSERT_TRUE(e.in());
  EXPECT_EQ(e->_refcount_value(), 1u);
  Message array = message();
  array.number(kValue | kOneId).text("IDL:Values/Ring:1.0").number(0).back(0).back(0).number(1);
  EXPECT_FALSE(read<Values::Ring>(array.bytes(), c, d));
  c = nullptr;
  EXPECT_EQ(alive, 0);
}

// What two circles in chunks look like, cut short anywhere and with any octet changed.
TEST_P(ValueWire, StandsBytesThatAreChanged) {
  Message m = message();
  m.number(kValue | kIds | kChunked).number(2).text(kUnknown).text("IDL:Values/Node:1.0").number(4).number(1);
  const std::size_t second = m.here();
  m.number(kValue | kOneId | kChunked)
      .text("IDL:Values/Node:1.0")
      .number(20)
      .number(2)
      .back(second)
      .back(0)
      .end(2);
  m.number(4).number(0);
  const std::size_t cut = m.here();
  m.number(kValue | kOneId | kChunked)
      .text("IDL:Values/Node:1.0")
      .number(12)
      .number(3)
      .number(0)
      .number(0)
      .end(1);
  m.back(cut).back(second);
  const std::string good = m.bytes();
  const auto attempt = [&](const std::string& bytes) {
    Values::Node_var a, b, c;
    const bool whole = read<Values::Node>(bytes, a, b, c);
    for (Values::Node* n : {a.in(), a.in() ? a->next() : nullptr, b.in(), c.in()})
      if (n) {
        Values::Node_var next = Values::Node::_duplicate(n->next()),
                         back = Values::Node::_duplicate(n->back());
        n->_corbel_clear();
        if (next.in()) next->_corbel_clear();
        if (back.in()) back->_corbel_clear();
      }
    return whole;
  };
  EXPECT_TRUE(attempt(good));
  EXPECT_EQ(alive, 0);
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(attempt(good.substr(0, size)));
    EXPECT_EQ(alive, 0) << "cut at " << size;
  }
  for (std::size_t i = 0; i < good.size(); ++i)
    for (const unsigned char with : {0x00, 0x01, 0x04, 0x7f, 0x80, 0xff, 0xf4}) {
      std::string bytes = good;
      bytes[i] = static_cast<char>(with);
      attempt(bytes);
      EXPECT_EQ(alive, 0) << "octet " << i;
    }
}

// A custom value that sends others that no one else holds, and large octets of its own.
struct Sender final : public virtual OBV_Values::Own, public virtual CORBA::DefaultValueRefCountBase {
  void marshal(CORBA::DataOutputStream& out) override {
    for (int i = 0; i < 3; ++i) {
      Values::Base_var gone = new OBV_Values::Base(i);
      out.write_Value(gone.in());
    }
    CORBA::OctetSeq octets;
    octets.length(Encoder::kExternalThreshold * 2);
    out.write_octet_array(octets, 0, octets.length());
  }
  void unmarshal(CORBA::DataInputStream&) override {}
  CORBA::ValueBase* _copy_value() override { return nullptr; }
};

TEST(CustomValues, MaySendWhatIsGoneAfterwards) {
  CORBA::ValueBase_var sender = new Sender;
  Encoder out;
  out.reset();
  out.allow_externals(true);
  corbel::cpp::put_value_base(out, sender.in());
  EXPECT_EQ(out.size(), out.offset()) << "all of it is copied";
  const std::string bytes(out.data(), out.size());
  std::size_t values = 0;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    std::uint32_t number;
    std::memcpy(&number, bytes.data() + i, 4);
    values += number == (kValue | kOneId | kChunked);
  }
  EXPECT_EQ(values, 4u) << "three values that had one address are three";
}

}  // namespace
