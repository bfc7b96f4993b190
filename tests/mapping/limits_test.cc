// What one contract allows and the other does not: bounds, enumerators, booleans, discriminators.
#include "ownership.skel.h"
#include "pair.h"

namespace {

class StrictServant : public POA_Own::Strict {
 public:
  char* text(const char* a) override { return CORBA::string_dup(too_much ? "12345" : a); }
  Own::TwoLongs* numbers(const Own::TwoLongs& a) override { return new Own::TwoLongs(a); }
  Own::Two* texts(const Own::Two& a) override { return new Own::Two(a); }
  Own::Holder* whole(const Own::Holder& a) override {
    auto* const holder = new Own::Holder(a);
    if (too_much) holder->text = "12345";
    return holder;
  }
  Own::Color enumerated(Own::Color a) override { return too_much ? static_cast<Own::Color>(2) : a; }
  CORBA::Boolean flag(CORBA::Boolean a) override { return a; }
  Own::FixedChoice choice(const Own::FixedChoice& a) override { return a; }
  Own::Variables* many(const Own::Variables& a) override { return new Own::Variables(a); }
  bool too_much = false;
};

class LooseServant : public POA_Own::Loose {
 public:
  char* text(const char*) override { return CORBA::string_dup("12345"); }
  Own::Longs* numbers(const Own::Longs&) override {
    auto* const s = new Own::Longs;
    s->length(3);
    return s;
  }
  Own::Strings* texts(const Own::Strings&) override {
    auto* const s = new Own::Strings;
    s->length(3);
    return s;
  }
  Own::LooseHolder* whole(const Own::LooseHolder& a) override {
    auto* const holder = new Own::LooseHolder(a);
    if (holder->numbers.length() == 0) holder->numbers.length(3);
    else holder->text = "12345";
    return holder;
  }
  CORBA::ULong enumerated(CORBA::ULong) override { return 2; }
  CORBA::Octet flag(CORBA::Octet) override { return 2; }
  Own::LooseChoice choice(const Own::LooseChoice&) override {
    Own::LooseChoice c;
    c.neither(1);
    return c;
  }
  CORBA::ULong many(CORBA::ULong a) override { return 0x7fffffff + a; }
};

class Limits : public testing::TestWithParam<Place> {
 protected:
  Pair pair{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(, Limits, testing::Values(Place::Remote, Place::Collocated), place_name);

template <typename Call>
void expect_marshal(CORBA::CompletionStatus completed, const Call& call) {
  try {
    call();
    ADD_FAILURE() << "nothing was raised";
  } catch (const CORBA::MARSHAL& e) {
    EXPECT_EQ(e.completed(), completed);
  }
}

TEST_P(Limits, BoundsHoldWhereArgumentsAreSent) {
  PortableServer::Servant_var<StrictServant> servant = new StrictServant;
  Own::Strict_var it = pair.activate<Own::Strict>(servant);
  CORBA::String_var text = it->text("1234");
  EXPECT_STREQ(text.in(), "1234");
  EXPECT_THROW(it->text("12345"), CORBA::BAD_PARAM);
  Own::Holder holder;
  holder.text = "12345";
  EXPECT_THROW(it->whole(holder), CORBA::BAD_PARAM);
  holder.text = "1234";
  holder.numbers.length(2);
  Own::Holder_var same = it->whole(holder);
  EXPECT_EQ(same->numbers.length(), 2u);
  // Enumerators cost the sender no check: the receiver refuses them.
  expect_marshal(CORBA::COMPLETED_NO, [&] { it->enumerated(static_cast<Own::Color>(2)); });
}

TEST_P(Limits, BoundsHoldWhereResultsAreSent) {
  PortableServer::Servant_var<StrictServant> servant = new StrictServant;
  Own::Strict_var it = pair.activate<Own::Strict>(servant);
  servant->too_much = true;
  EXPECT_THROW(it->text("1"), CORBA::BAD_PARAM);
  EXPECT_THROW(it->whole(Own::Holder()), CORBA::BAD_PARAM);
  expect_marshal(CORBA::COMPLETED_YES, [&] { it->enumerated(Own::red); });
  servant->too_much = false;
  CORBA::String_var text = it->text("1");
  EXPECT_STREQ(text.in(), "1");
}

TEST_P(Limits, ServersRefuseArgumentsBeyondThem) {
  PortableServer::Servant_var<StrictServant> servant = new StrictServant;
  Own::Loose_var it = pair.activate<Own::Loose>(servant);
  CORBA::String_var text = it->text("1234");
  expect_marshal(CORBA::COMPLETED_NO, [&] { text = it->text("12345"); });
  Own::Longs numbers;
  Own::Longs_var numbers_back;
  Own::Strings strings;
  Own::Strings_var strings_back;
  numbers.length(2), strings.length(2);
  numbers_back = it->numbers(numbers);
  strings_back = it->texts(strings);
  numbers.length(3), strings.length(3);
  expect_marshal(CORBA::COMPLETED_NO, [&] { numbers_back = it->numbers(numbers); });
  expect_marshal(CORBA::COMPLETED_NO, [&] { strings_back = it->texts(strings); });
  Own::LooseHolder holder;
  Own::LooseHolder_var holder_back = it->whole(holder);
  holder.text = "12345";
  expect_marshal(CORBA::COMPLETED_NO, [&] { holder_back = it->whole(holder); });
  holder.text = "1234";
  holder.numbers.length(3);
  expect_marshal(CORBA::COMPLETED_NO, [&] { holder_back = it->whole(holder); });
  EXPECT_EQ(it->enumerated(1), 1u);
  for (const CORBA::ULong wrong : {2u, 0xffffffffu})
    expect_marshal(CORBA::COMPLETED_NO, [&] { it->enumerated(wrong); });
  EXPECT_EQ(it->flag(1), 1);
  for (const CORBA::Octet wrong : {CORBA::Octet{2}, CORBA::Octet{255}})
    expect_marshal(CORBA::COMPLETED_NO, [&] { it->flag(wrong); });
  Own::LooseChoice choice;
  choice.n(5);
  EXPECT_EQ(it->choice(choice).n(), 5);
  choice.neither(5);
  expect_marshal(CORBA::COMPLETED_NO, [&] { it->choice(choice); });
  // The length of a sequence of which nothing follows.
  EXPECT_EQ(it->many(0), 0u);
  for (const CORBA::ULong wrong : {1u, 1000u, 0x10000000u, 0x7fffffffu, 0xffffffffu})
    expect_marshal(CORBA::COMPLETED_NO, [&] { it->many(wrong); });
}

TEST_P(Limits, ClientsRefuseResultsBeyondThem) {
  PortableServer::Servant_var<LooseServant> servant = new LooseServant;
  Own::Strict_var it = pair.activate<Own::Strict>(servant);
  expect_marshal(CORBA::COMPLETED_YES, [&] { it->text("1"); });
  expect_marshal(CORBA::COMPLETED_YES, [&] { it->numbers(Own::TwoLongs()); });
  expect_marshal(CORBA::COMPLETED_YES, [&] { it->texts(Own::Two()); });
  Own::Holder holder;
  expect_marshal(CORBA::COMPLETED_YES, [&] { it->whole(holder); });
  holder.numbers.length(1);
  expect_marshal(CORBA::COMPLETED_YES, [&] { it->whole(holder); });
  expect_marshal(CORBA::COMPLETED_YES, [&] { it->enumerated(Own::red); });
  expect_marshal(CORBA::COMPLETED_YES, [&] { it->flag(true); });
  expect_marshal(CORBA::COMPLETED_YES, [&] { it->choice(Own::FixedChoice()); });
  expect_marshal(CORBA::COMPLETED_YES, [&] { it->many(Own::Variables()); });
}

}  // namespace
