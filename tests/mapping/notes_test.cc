// Annotations and maps of IDL 4.
#include <gtest/gtest.h>

#include "maps.stub.h"
#include "notes.stub.h"

namespace {

TEST(Notes, MembersBeginWithTheirDefaults) {
  const Notes::Ship ship{};
  EXPECT_EQ(ship.masts, 5);
  EXPECT_EQ(ship.draught, -3.5);
  EXPECT_TRUE(ship.afloat);
  EXPECT_STREQ(ship.name, "te\"xt");
  EXPECT_STREQ(ship.owner, "nobody");
  EXPECT_EQ(ship.mark, 'c');
  EXPECT_EQ(ship.crew, 7);
  EXPECT_EQ(ship.paint, Notes::green);
  EXPECT_EQ(ship.flags, 16);
  EXPECT_EQ(ship.expression, 14);
  EXPECT_EQ(Notes::Sunk().depth, 12);
  EXPECT_EQ(Notes::Sunk(3).depth, 3);
}

TEST(Notes, TextOfTheContractStandsInTheCode) {
  Notes::Ship ship;
  ship.speed = 10;
  EXPECT_DOUBLE_EQ(ship.speed_in_knots(), 19.44);
  EXPECT_DOUBLE_EQ(Notes::knots(ship), 10);
}

TEST(Maps, AreCopiedWithWhatHoldsThem) {
  Maps::Shelf shelf;
  shelf.label = "left";
  shelf.prices[Maps::green].length(2);
  shelf.prices[Maps::green][1] = 2.5;
  shelf.names[7] = "seven";
  shelf.others.length(1);
  shelf.others[0]["nails"] = 100;
  Maps::Find find;
  find.found(shelf);
  shelf.names.clear();
  const Maps::Find copy = find;
  EXPECT_EQ(copy.found().prices.at(Maps::green)[1], 2.5);
  EXPECT_STREQ(copy.found().names.at(7), "seven");
  EXPECT_EQ(copy.found().others[0].at("nails"), 100);
}

class Keeper : public Maps::Keeper {
 public:
  void keep(const Maps::Shelf& one, Maps::Stock& two, Maps::Stocks_out three) override {
    two["shelves"] = static_cast<CORBA::Long>(one.prices.size());
    three = new Maps::Stocks(one.others);
  }
};

TEST(Maps, PassThroughLocalInterfaces) {
  Maps::Keeper_var keeper = new Keeper;
  Maps::Shelf shelf;
  shelf.prices[Maps::red];
  shelf.others.length(3);
  Maps::Stock_var stock = new Maps::Stock;
  Maps::Stocks_var all;
  keeper->keep(shelf, stock.inout(), all.out());
  EXPECT_EQ(stock.in().at("shelves"), 1);
  EXPECT_EQ(all->length(), 3u);
}

}  // namespace
