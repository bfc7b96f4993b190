// References to an interface, and values, of which the stubs that pass them know the name only.
#include <gtest/gtest.h>

#include <string>

#include "declared.any.h"
#include "defined.any.h"
#include "defined.skel.h"
#include "pair.h"

namespace {

class LaterServant : public POA_Decl::Later {
 public:
  explicit LaterServant(CORBA::Long n) : n_(n) {}
  CORBA::Long first() override { return -n_; }
  CORBA::Long number() override { return n_; }
  Decl::User_ptr owner() override { return Decl::User::_nil(); }

 private:
  const CORBA::Long n_;
};

class PersonServant : public POA_Decl::Person {
 public:
  explicit PersonServant(const char* name) : name_(name) {}
  char* name() override { return CORBA::string_dup(name_); }

 private:
  const char* const name_;
};

class UserServant : public POA_Decl::User {
 public:
  Decl::Later_ptr pass(Decl::Later_ptr a, Decl::Later_ptr& b, Decl::Later_out c) override {
    if (CORBA::is_nil(a)) throw Decl::Lost(b);
    c = Decl::Later::_duplicate(b);
    Decl::Later_ptr const result = b;
    b = Decl::Later::_duplicate(a);
    return result;
  }
  Decl::Named_ptr pass_named(Decl::Named_ptr a, Decl::Named_ptr& b, Decl::Named_out c) override {
    c = Decl::Named::_duplicate(b);
    Decl::Named_ptr const result = b;
    b = Decl::Named::_duplicate(a);
    return result;
  }
  Decl::Holder* pass_holder(const Decl::Holder& a, Decl::Holder& b, Decl::Holder_out c) override {
    return pass_on(a, b, c);
  }
  Decl::Laters* pass_all(const Decl::Laters& a, Decl::Laters& b, Decl::Laters_out c) override {
    return pass_on(a, b, c);
  }
  Decl::Choice* choose(const Decl::Choice& a) override { return new Decl::Choice(a); }
  Decl::Token* pass_value(Decl::Token* a, Decl::Token*& b, Decl::Tokens_out c) override {
    CORBA::add_ref(a), CORBA::add_ref(b);  // b's own count goes to the sequence
    Decl::Token* const given = b;
    b = a;
    c = new Decl::Tokens(2);
    c->length(2);
    (*c)[0] = given;
    return given;
  }

 private:
  template <typename T, typename Out>
  static T* pass_on(const T& a, T& b, Out c) {
    c = new T(b);
    auto* const result = new T(b);
    b = a;
    return result;
  }
};

class Declared : public testing::TestWithParam<Place> {
 protected:
  Declared() {
    PortableServer::ServantBase_var servant = new UserServant;
    user_ = pair_.activate<Decl::User>(servant);
    one_ = later(1);
    two_ = later(2);
  }
  Decl::Later_ptr later(CORBA::Long n) {
    PortableServer::ServantBase_var servant = new LaterServant(n);
    return pair_.activate<Decl::Later>(servant);
  }
  Decl::Person_ptr person(const char* name) {
    PortableServer::ServantBase_var servant = new PersonServant(name);
    return pair_.activate<Decl::Person>(servant);
  }
  Pair pair_{GetParam()};
  Decl::User_var user_;
  Decl::Later_var one_, two_;
};
INSTANTIATE_TEST_SUITE_P(Places, Declared, testing::Values(Place::Remote, Place::Collocated), place_name);

TEST_P(Declared, ReferencesInEveryPassingMode) {
  Decl::Later_var b = two_, c;
  Decl::Later_var result = user_->pass(one_, b.inout(), c.out());
  EXPECT_EQ(b->number(), 1);
  EXPECT_EQ(c->number(), 2);
  EXPECT_EQ(result->first(), -2);
}

std::string name_of(Decl::Named_ptr named) {
  return CORBA::is_nil(named) ? "nobody" : CORBA::String_var(named->name()).in();
}

TEST_P(Declared, AbstractInterfacesInEveryPassingMode) {
  Decl::Named_var a = person("a"), b = person("b"), c;
  Decl::Named_var result = user_->pass_named(a, b.inout(), c.out());
  EXPECT_EQ(name_of(b), "a");
  EXPECT_EQ(name_of(c), "b");
  EXPECT_EQ(name_of(result), "b");
  result = user_->pass_named(Decl::Named::_nil(), b.inout(), c.out());
  EXPECT_EQ(name_of(b), "nobody");
  EXPECT_EQ(name_of(c), "a");
}

TEST_P(Declared, ReferencesInsideOthers) {
  Decl::Holder a, b;
  a.who = person("held");
  a.one = one_;
  a.two[1] = two_;
  Decl::Holder_var c;
  Decl::Holder_var result = user_->pass_holder(a, b, c.out());
  EXPECT_EQ(b.one->number(), 1);
  EXPECT_EQ(name_of(b.who), "held");
  EXPECT_EQ(b.two[1]->number(), 2);
  EXPECT_TRUE(CORBA::is_nil(b.two[0]));
  EXPECT_TRUE(CORBA::is_nil(result->one));

  Decl::Laters all, none;
  all.length(2);
  all[1] = two_;
  Decl::Laters_var out;
  Decl::Laters_var empty = user_->pass_all(all, none, out.out());
  ASSERT_EQ(none.length(), 2u);
  EXPECT_EQ(none[1]->number(), 2);

  Decl::Choice choice;
  choice.one(one_);
  Decl::Choice_var chosen = user_->choose(choice);
  EXPECT_EQ(chosen->one()->number(), 1);
}

TEST_P(Declared, ValuesInEveryPassingMode) {
  CORBA::ValueFactory_var factory = new Decl::Token_init;
  for (CORBA::ORB_ptr orb : {pair_.client.in(), pair_.server.in()})
    CORBA::ValueFactory_var old = orb->register_value_factory("IDL:Decl/Token:1.0", factory.in());
  Decl::Token_var a = new OBV_Decl::Token(1), b = new OBV_Decl::Token(2);
  Decl::Tokens_var c;
  Decl::Token_var result = user_->pass_value(a, b.inout(), c.out());
  EXPECT_EQ(b->number(), 1);
  EXPECT_EQ(result->number(), 2);
  ASSERT_EQ(c->length(), 2u);
  EXPECT_EQ(c[0].in(), result.in());
  EXPECT_EQ(c[1].in(), nullptr);
}

TEST_P(Declared, ExceptionsCarryReferences) {
  Decl::Later_var b = two_, c;
  try {
    user_->pass(Decl::Later::_nil(), b.inout(), c.out());
    FAIL();
  } catch (const Decl::Lost& e) {
    EXPECT_EQ(e.which->number(), 2);
  }
}

// The file that only declares the value says nothing of its members.
TEST(DeclaredValues, HaveTheTypeCodeOfTheirDefinition) {
  CORBA::Any any;
  Decl::Token_var token = new OBV_Decl::Token(7);
  any <<= token.in();
  Decl::Tokens tokens(1);
  tokens.length(1);
  CORBA::Any all;
  all <<= tokens;
  CORBA::TypeCode_var type = any.type();
  EXPECT_EQ(type->member_count(), 1u);
  CORBA::TypeCode_var sequence = CORBA::TypeCode_var(all.type())->content_type();
  CORBA::TypeCode_var element = sequence->content_type();
  EXPECT_EQ(element->member_count(), 1u);
}

}  // namespace
