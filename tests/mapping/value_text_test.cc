// Valuetypes in Anys as text.
#include <corbel/any_text.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include <string>

#include "values.any.h"
#include "values.skel.h"

namespace {

std::string text(const CORBA::Any& any) { return corbel::text_of(any); }

TEST(ValueText, HasTheStateWithNames) {
  Values::Plain_var plain = new OBV_Values::Plain;
  plain->number(3);
  plain->text("t");
  plain->hue(Values::green);
  Values::Spot spot;
  spot.x = 1;
  spot.label = "here";
  plain->place(spot);
  const Values::Row row = {1, 2, 3};
  plain->cells(row);
  CORBA::Any any;
  any <<= plain.in();
  EXPECT_EQ(
      text(any).rfind(R"(Plain{number = 3, text = "t", hue = green, place = Spot{x = 1, label = "here"}, )"
                      R"(words = [], cells = [1, 2, 3], other = nil, secret = )",
                      0),
      0u)
      << text(any);
}

TEST(ValueText, OfNullIsNull) {
  CORBA::Any any;
  any <<= static_cast<Values::Node*>(nullptr);
  EXPECT_EQ(text(any), "null");
}

TEST(ValueText, OfACircleEnds) {
  Values::Node_var first = new OBV_Values::Node;
  Values::Node_var second = new OBV_Values::Node;
  first->id(1);
  second->id(2);
  first->next(second.in());
  second->back(first.in());
  CORBA::Any any;
  any <<= first.in();
  EXPECT_EQ(text(any), "Node{id = 1, next = Node{id = 2, next = null, back = (again)}, back = null}");
  second->back(nullptr);
}

TEST(ValueText, OfALongListIsCutAtTheBoundOfDepth) {
  Values::Node_var first;
  for (int i = 0; i < 500; ++i) {
    Values::Node_var node = new OBV_Values::Node;
    node->id(i);
    node->next(first.in());
    first = node._retn();
  }
  CORBA::Any any;
  any <<= first.in();
  EXPECT_NE(text(any).find("next = ..., back = ...}, back = null}"), std::string::npos) << text(any);
}

TEST(ValueText, OfDerivedOnesBeginsWithTheBase) {
  Values::Middle_var middle = new OBV_Values::Middle;
  middle->a(1);
  middle->b("m");
  CORBA::Any any;
  any <<= middle.in();
  EXPECT_EQ(text(any), R"(Middle{a = 1, b = "m", inner = null})");
}

}  // namespace
