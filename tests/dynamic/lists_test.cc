// Lists of arguments, exceptions and contexts, and the values of contexts.
#include <corbel/dynamic.h>
#include <gtest/gtest.h>

#include <string>

#include "contract.any.h"
#include "tests/calls/everything.h"
#include "tests/dynamic/outcomes.h"

namespace {

TEST(Lists, BeginEmptyAndLeaveItemsToWhoHasThem) {
  TwoOrbs orbs;
  CORBA::NamedValue_var kept;
  for (CORBA::Long round = 0; round < 3; ++round) {
    CORBA::NVList_var list;
    orbs.client->create_list(0, list);
    EXPECT_EQ(list->count(), 0u);
    for (CORBA::Long i = 0; i < 6; ++i) {  // more than a list has room for in itself
      CORBA::NamedValue_ptr const item = list->add(i == 1 ? CORBA::ARG_INOUT : CORBA::ARG_IN);
      EXPECT_STREQ(item->name(), "");
      EXPECT_EQ(item->flags(), i == 1 ? CORBA::ARG_INOUT : CORBA::ARG_IN);
      CORBA::TypeCode_var type = item->value()->type();
      EXPECT_EQ(type->kind(), CORBA::tk_null);
      *item->value() <<= 10 * round + i;
      if (round == 0 && i == 3) break;
    }
    if (round == 0) kept = CORBA::NamedValue::_duplicate(list->item(1));
    list->remove(0);
    EXPECT_EQ(value_of<CORBA::Long>(*list->item(0)->value()), 10 * round + 1);
    list->add_item("named", CORBA::ARG_OUT);
    EXPECT_STREQ(list->item(list->count() - 1)->name(), "named");
    EXPECT_EQ(value_of<CORBA::Long>(*kept->value()), 1);
  }
  for (int round = 0; round < 3; ++round) {
    CORBA::NVList_var list, second;
    orbs.client->create_list(0, list);
    orbs.client->create_list(0, second);
    CORBA::Any& text = *list->add(CORBA::ARG_IN)->value();
    text <<= "a text that stands in memory";
    CORBA::Any& other = *second->add(CORBA::ARG_IN)->value();
    other = text;
    EXPECT_EQ(thrown([&] { list->add(4); }), "INV_FLAG/0/1");
    EXPECT_EQ(list->count(), 1u);
    list = CORBA::NVList::_nil();
    EXPECT_STREQ(value_of<const char*>(other), "a text that stands in memory");
    second->remove(0);
    EXPECT_EQ(second->count(), 0u);
  }
}

TEST(Lists, GiveBoundsWhereThereIsNoItem) {
  TwoOrbs orbs;
  CORBA::NVList_var list;
  orbs.client->create_list(3, list);
  EXPECT_EQ(list->count(), 0u);
  EXPECT_EQ(thrown([&] { list->item(0); }), "Bounds");
  EXPECT_EQ(thrown([&] { list->remove(0); }), "Bounds");
  list->add(CORBA::ARG_OUT);
  list->add_item("second", CORBA::ARG_INOUT);
  list->add_item_consume(CORBA::string_dup("third"), CORBA::ARG_IN);
  auto* const any = new CORBA::Any;
  *any <<= "text";
  list->add_value_consume(CORBA::string_dup("fourth"), any, CORBA::ARG_IN);
  EXPECT_EQ(list->count(), 4u);
  EXPECT_STREQ(list->item(0)->name(), "");
  EXPECT_EQ(list->item(1)->flags(), CORBA::ARG_INOUT);
  EXPECT_STREQ(value_of<const char*>(*list->item(3)->value()), "text");
  list->remove(1);
  EXPECT_STREQ(list->item(1)->name(), "third");
  EXPECT_EQ(thrown([&] { list->add(0); }), "INV_FLAG/0/1");
  EXPECT_EQ(thrown([&] { list->add_item_consume(CORBA::string_dup("x"), 4); }), "INV_FLAG/0/1");

  CORBA::ExceptionList_var exceptions;
  orbs.client->create_exception_list(exceptions);
  EXPECT_EQ(thrown([&] { exceptions->item(0); }), "Bounds");
  EXPECT_EQ(thrown([&] { exceptions->add(CORBA::_tc_long); }), "BAD_TYPECODE/0/1");
  EXPECT_EQ(thrown([&] { exceptions->add(nullptr); }), "BAD_PARAM/0/1");
  exceptions->add(Contract::_tc_Empty);
  exceptions->add_consume(CORBA::TypeCode::_duplicate(Contract::_tc_Refused));
  exceptions->remove(0);
  EXPECT_TRUE(exceptions->item(0)->equal(Contract::_tc_Refused));

  CORBA::ContextList_var contexts;
  orbs.client->create_context_list(contexts);
  EXPECT_EQ(thrown([&] { contexts->remove(0); }), "Bounds");
  EXPECT_EQ(thrown([&] { contexts->add(nullptr); }), "BAD_PARAM/0/1");
  contexts->add("user");
  contexts->add_consume(CORBA::string_dup("lang*"));
  EXPECT_STREQ(contexts->item(1), "lang*");
  EXPECT_EQ(contexts->count(), 2u);
}

TEST(Contexts, TakeTheValuesOfAList) {
  TwoOrbs orbs;
  CORBA::Context_var context;
  orbs.client->get_default_context(context);
  CORBA::NVList_var list, found;
  orbs.client->create_list(0, list);
  *list->add_item("user", CORBA::ARG_IN)->value() <<= "ann";
  *list->add_item("language", CORBA::ARG_IN)->value() <<= "Welsh";
  context->set_values(list);
  context->get_values("", CORBA::CTX_RESTRICT_SCOPE, "user", found);
  ASSERT_EQ(found->count(), 1u);
  EXPECT_STREQ(found->item(0)->name(), "user");
  EXPECT_STREQ(value_of<const char*>(*found->item(0)->value()), "ann");
  // All or none.
  *list->item(0)->value() <<= "bob";
  *list->item(1)->value() <<= CORBA::Long{1};
  EXPECT_EQ(thrown([&] { context->set_values(list); }), "BAD_PARAM/0/1");
  EXPECT_EQ(thrown([&] { context->set_values(nullptr); }), "BAD_PARAM/0/1");
  context->get_values(nullptr, 0, "user", found);
  EXPECT_STREQ(value_of<const char*>(*found->item(0)->value()), "ann");
}

TEST(Contexts, TellNamesApartByTheirCase) {
  TwoOrbs orbs;
  CORBA::Context_var context;
  orbs.client->get_default_context(context);
  CORBA::NVList_var list, found;
  orbs.client->create_list(0, list);
  *list->add_item("USER", CORBA::ARG_IN)->value() <<= "ann";
  *list->add_item("user", CORBA::ARG_IN)->value() <<= "bob";
  context->set_values(list);
  const auto got = [&](const char* name) {
    context->get_values(nullptr, 0, name, found);
    return std::string(value_of<const char*>(*found->item(0)->value()));
  };
  EXPECT_EQ(got("USER"), "ann");
  EXPECT_EQ(got("user"), "bob");
  EXPECT_EQ(got("US*"), "ann");
  EXPECT_EQ(thrown([&] { got("User"); }), "BAD_CONTEXT/4f4d0002/1");
}

TEST(Contexts, GiveTheirValuesAndThoseOfTheirParents) {
  TwoOrbs orbs;
  const auto text = [](const char* value) {
    CORBA::Any any;
    any <<= value;
    return any;
  };
  CORBA::Context_var root, middle, leaf;
  orbs.client->get_default_context(root);
  root->create_child("middle", middle);
  middle->create_child("leaf", leaf);
  root->set_one_value("user", text("root"));
  root->set_one_value("used", text("root"));
  middle->set_one_value("user", text("middle"));
  leaf->set_one_value("place", text("leaf"));
  const auto got = [&](const char* scope, CORBA::Flags flags, const char* pattern) {
    CORBA::NVList_var values;
    std::string all;
    const std::string raised = thrown([&] { leaf->get_values(scope, flags, pattern, values.out()); });
    if (raised != "none") return raised;
    for (CORBA::ULong i = 0; i < values->count(); ++i)
      all.append(values->item(i)->name())
          .append("=")
          .append(value_of<const char*>(*values->item(i)->value())) += ';';
    return all;
  };
  const CORBA::Flags here = CORBA::CTX_RESTRICT_SCOPE;
  EXPECT_EQ(got(nullptr, 0, "user"), "user=middle;");
  EXPECT_EQ(got(nullptr, 0, "use*"), "used=root;user=middle;");
  EXPECT_EQ(got(nullptr, 0, "*"), "place=leaf;used=root;user=middle;");
  EXPECT_EQ(got("middle", 0, "*"), "used=root;user=middle;");
  EXPECT_EQ(got("middle", here, "*"), "user=middle;");
  EXPECT_EQ(got(nullptr, here, "place"), "place=leaf;");
  EXPECT_EQ(got(nullptr, here, "user"), "BAD_CONTEXT/4f4d0002/1");
  EXPECT_EQ(got(nullptr, 0, "nothing*"), "BAD_CONTEXT/4f4d0002/1");
  EXPECT_EQ(got("elsewhere", 0, "user"), "BAD_CONTEXT/4f4d0001/1");
  EXPECT_EQ(got(nullptr, 1, "user"), "INV_FLAG/0/1");
  EXPECT_EQ(got(nullptr, 0, ""), "BAD_PARAM/0/1");
}

}  // namespace
