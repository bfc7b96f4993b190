// Boxed arrays: their class by itself, and in real calls between two ORBs and within one. What leaks or is
// freed twice shows in the sanitizers' build.
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include <utility>

#include "boxes.any.h"
#include "boxes.skel.h"
#include "pair.h"

namespace {

template <typename V>
V* given(V* value) {
  return V::_duplicate(value);
}

class Server : public POA_Boxes::Server {
 public:
  Boxes::Cells* pass_cells(Boxes::Cells* a, Boxes::Cells*& b, Boxes::Cells_out c) override {
    c = std::exchange(b, given(a));
    return given(a);
  }
  Boxes::Board* pass_board(Boxes::Board* a) override { return given(a); }
  Boxes::Names* pass_names(Boxes::Names* a) override { return given(a); }
  Boxes::Plans* pass_plans(Boxes::Plans* a) override { return given(a); }
  Boxes::Chain* pass_chain(Boxes::Chain* a) override { return given(a); }
  CORBA::Any* pass_any(const CORBA::Any& a) override { return new CORBA::Any(a); }
  void rows(const Boxes::Row a, Boxes::Row b, Boxes::Row_out c) override {
    Boxes::Row_copy(c, b);
    Boxes::Row_copy(b, a);
  }
  void pairs(const Boxes::Pair a, Boxes::Pair b, Boxes::Pair_out c) override {
    if (!*a[0]) throw CORBA::BAD_PARAM();
    c = Boxes::Pair_dup(b);
    Boxes::Pair_copy(b, a);
  }
};

class Boxed : public testing::TestWithParam<Place> {
 protected:
  Boxed() {
    PortableServer::Servant_var<Server> servant = new Server;
    it = pair.activate<Boxes::Server>(servant.in());
    chains_ = new Boxes::Chain_init;
    for (CORBA::ORB_ptr orb : {pair.client.in(), pair.server.in()})
      CORBA::ValueFactory_var old = orb->register_value_factory("IDL:Boxes/Chain:1.0", chains_.in());
  }
  Pair pair{GetParam()};
  Boxes::Server_var it;

 private:
  CORBA::ValueFactory_var chains_;
};
INSTANTIATE_TEST_SUITE_P(Places, Boxed, testing::Values(Place::Remote, Place::Collocated), place_name);

Boxes::Cells* cells(CORBA::Long first) {
  const Boxes::Row row = {first, 20, 30};
  return new Boxes::Cells(row);
}

TEST(BoxedArray, IsUsedAsAnArray) {
  Boxes::Cells_var box = cells(10);
  EXPECT_EQ((*box.in())[2], 30);
  box->_value()[1] = 21;
  const Boxes::Cells& same = *box.in();
  EXPECT_EQ(same[1], 21);
  EXPECT_EQ(same._value()[0], 10);
  const Boxes::Row other = {1, 2, 3};
  box->_value(other);
  EXPECT_EQ(same[2], 3);
  const Boxes::Row more = {4, 5, 6};
  *box.in() = more;
  EXPECT_EQ(same[2], 6);
  EXPECT_EQ(other[2], 3);
}

TEST(BoxedArray, BeginsEmptyAndIsCopied) {
  Boxes::Board_var board = new Boxes::Board;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ((*board.in())[i][j], Boxes::red);
  (*board.in())[1][2] = Boxes::green;
  Boxes::Board_var second = new Boxes::Board(*board.in());
  (*board.in())[1][2] = Boxes::red;
  EXPECT_EQ((*second.in())[1][2], Boxes::green);
  Boxes::Names_var names = new Boxes::Names;
  EXPECT_STREQ((*names.in())[1], "");
  Boxes::Board_var third = Boxes::Board::_downcast(second->_copy_value());
  ASSERT_TRUE(third.in());
  EXPECT_NE(third.in(), second.in());
  EXPECT_EQ((*third.in())[1][2], Boxes::green);
}

TEST_P(Boxed, ArraysPassInEveryMode) {
  Boxes::Cells_var a = cells(1), b = cells(2), c;
  Boxes::Cells_var r = it->pass_cells(a.in(), b.inout(), c.out());
  EXPECT_EQ((*r.in())[0], 1);
  EXPECT_EQ((*r.in())[2], 30);
  EXPECT_EQ((*b.in())[0], 1);
  EXPECT_EQ((*c.in())[0], 2);
  EXPECT_EQ(r.in(), b.in()) << "one value in two results is one value";
  Boxes::Cells_var none, null = it->pass_cells(nullptr, none.inout(), c.out());
  EXPECT_FALSE(null.in());
  EXPECT_FALSE(none.in());
  EXPECT_FALSE(c.in());
}

TEST_P(Boxed, ArraysOfEveryKindPass) {
  Boxes::Board_var board = new Boxes::Board;
  (*board.in())[1][0] = Boxes::green;
  Boxes::Board_var other = it->pass_board(board.in());
  EXPECT_EQ((*other.in())[0][0], Boxes::red);
  EXPECT_EQ((*other.in())[1][0], Boxes::green);
  Boxes::Names_var names = new Boxes::Names;
  (*names.in())[0] = "first";
  (*names.in())[1] = "second, longer than what stands in the member itself";
  Boxes::Names_var called = it->pass_names(names.in());
  EXPECT_STREQ((*called.in())[0], "first");
  EXPECT_STREQ((*called.in())[1], "second, longer than what stands in the member itself");
  Boxes::Plans_var plans = new Boxes::Plans;
  plans->_value()[1].x = 7;
  plans->_value()[1].label = "there";
  Boxes::Plans_var made = it->pass_plans(plans.in());
  EXPECT_EQ(made->_value()[1].x, 7);
  EXPECT_STREQ(made->_value()[1].label.in(), "there");
}

TEST_P(Boxed, ArraysShareWhatIsShared) {
  Boxes::Chain_var end = new OBV_Boxes::Chain, begin = new OBV_Boxes::Chain;
  end->id(2);
  begin->id(1);
  Boxes::Links_var links = new Boxes::Links;
  links->_value()[0] = given(end.in());
  links->_value()[1] = given(end.in());
  begin->next(links.in());
  Boxes::Chain_var r = it->pass_chain(begin.in());
  EXPECT_EQ(r->id(), 1);
  Boxes::Links* const next = r->next();
  ASSERT_TRUE(next);
  EXPECT_EQ((*next)[0]->id(), 2);
  EXPECT_EQ((*next)[0].in(), (*next)[1].in());
}

TEST_P(Boxed, ArraysPassInAnAny) {
  CORBA::TypeCode_var content = Boxes::_tc_Board->content_type();
  EXPECT_TRUE(content->equal(Boxes::_tc_Colors));
  Boxes::Board_var board = new Boxes::Board;
  (*board.in())[0][2] = Boxes::green;
  CORBA::Any any;
  any <<= board.in();
  CORBA::Any_var back = it->pass_any(any);
  Boxes::Board* found = nullptr;
  ASSERT_TRUE(*back >>= found);
  EXPECT_EQ((*found)[0][2], Boxes::green);
  EXPECT_EQ((*found)[1][2], Boxes::red);
  Boxes::Cells* wrong = nullptr;
  EXPECT_FALSE(*back >>= wrong);
}

TEST_P(Boxed, ArraysAreParametersThemselves) {
  Boxes::Cells_var a = cells(1), b = cells(2), c = new Boxes::Cells;
  it->rows(a->_boxed_in(), b->_boxed_inout(), c->_boxed_out());
  EXPECT_EQ((*b.in())[0], 1);
  EXPECT_EQ((*c.in())[0], 2);
  const Boxes::Couple two = {"x", "y"};
  Boxes::Names_var d = new Boxes::Names(two), e = new Boxes::Names, f = new Boxes::Names;
  (*e.in())[1] = "old";
  it->pairs(d->_boxed_in(), e->_boxed_inout(), f->_boxed_out());
  EXPECT_STREQ((*e.in())[1], "y");
  EXPECT_STREQ((*f.in())[1], "old");
}

TEST_P(Boxed, ArraysAreEmptyIfTheCallFailed) {
  Boxes::Names_var a = new Boxes::Names, b = new Boxes::Names, c = new Boxes::Names;
  (*c.in())[0] = "gone";
  EXPECT_THROW(it->pairs(a->_boxed_in(), b->_boxed_inout(), c->_boxed_out()), CORBA::BAD_PARAM);
  EXPECT_STREQ((*c.in())[0], "");
}

}  // namespace
