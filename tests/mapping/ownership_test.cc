// Who owns what in each passing mode, and what becomes of it when something goes wrong.
#include <new>
#include <stdexcept>

#include "ownership.skel.h"
#include "pair.h"

namespace {

const char* const kLong = "a string that is longer than what stands inside a member";

class OwnerServant : public POA_Own::Owner {
 public:
  CORBA::Long give_number(CORBA::Long a, CORBA::Long& b, CORBA::Long_out c) override {
    return by_value(a, b, c);
  }
  Own::Color give_enumerated(Own::Color a, Own::Color& b, Own::Color_out c) override {
    return by_value(a, b, c);
  }
  Own::Flat give_fixed(const Own::Flat& a, Own::Flat& b, Own::Flat_out c) override {
    return by_value(a, b, c);
  }
  Own::FixedChoice give_fixed_choice(const Own::FixedChoice& a, Own::FixedChoice& b,
                                     Own::FixedChoice_out c) override {
    return by_value(a, b, c);
  }
  Own::Variable* give_variable(const Own::Variable& a, Own::Variable& b, Own::Variable_out c) override {
    return by_pointer(a, b, c);
  }
  Own::Choice* give_choice(const Own::Choice& a, Own::Choice& b, Own::Choice_out c) override {
    return by_pointer(a, b, c);
  }
  Own::Longs* give_longs(const Own::Longs& a, Own::Longs& b, Own::Longs_out c) override {
    return by_pointer(a, b, c);
  }
  Own::Strings* give_strings(const Own::Strings& a, Own::Strings& b, Own::Strings_out c) override {
    return by_pointer(a, b, c);
  }
  Own::Owners* give_owners(const Own::Owners& a, Own::Owners& b, Own::Owners_out c) override {
    return by_pointer(a, b, c);
  }
  char* give_text(const char* a, char*& b, CORBA::String_out c) override {
    c = CORBA::string_dup(b);
    char* const result = b;
    b = CORBA::string_dup(a);
    return result;
  }
  Own::Row_slice* give_row(const Own::Row a, Own::Row_slice* b, Own::Row_slice* c) override {
    Own::Row_copy(c, b);
    Own::Row_copy(b, a);
    return Own::Row_dup(c);
  }
  Own::Names_slice* give_names(const Own::Names a, Own::Names_slice* b, Own::Names_out c) override {
    c = Own::Names_dup(b);
    Own::Names_slice* const result = Own::Names_dup(b);
    Own::Names_copy(b, a);
    return result;
  }
  Own::Table_slice* give_tables(const Own::Table a, Own::Table_slice* b, Own::Table_out c) override {
    c = Own::Table_dup(b);
    Own::Table_slice* const result = Own::Table_dup(b);
    Own::Table_copy(b, a);
    return result;
  }
  Own::Owner_ptr give_reference(Own::Owner_ptr a, Own::Owner_ptr& b, Own::Owner_out c) override {
    c = Own::Owner::_duplicate(b);
    Own::Owner_ptr const result = b;
    b = Own::Owner::_duplicate(a);
    return result;
  }

  char* null_text() override { return nullptr; }
  Own::Longs* null_longs() override { return nullptr; }
  Own::Variable* null_variable() override { return nullptr; }
  Own::Choice* null_choice() override { return nullptr; }
  Own::Row_slice* null_row() override { return nullptr; }
  Own::Names_slice* null_names() override { return nullptr; }
  void null_out(CORBA::Long which, CORBA::String_out a, Own::Longs_out b, Own::Variable_out c,
                Own::Names_out d, Own::Choice_out e, Own::Owner_out f) override {
    if (which != 0) a = kLong;
    if (which != 1) b = new Own::Longs;
    if (which != 2) c = new Own::Variable;
    if (which != 3) d = Own::Names_alloc();
    if (which != 4) {
      e = new Own::Choice;
      e->text(kLong);
    }
    if (which != 5) f = _this();
  }
  void null_inout(char*& a) override {
    CORBA::string_free(a);
    a = nullptr;
  }
  Own::Variable* null_inside() override {
    auto* const v = new Own::Variable;
    v->numbers.length(100);
    v->name = static_cast<char*>(nullptr);
    return v;
  }

  char* raise(CORBA::Long what, char*& a, Own::Variable& b, CORBA::String_out c, Own::Longs_out d,
              Own::Variable_out e, Own::Names_out f, Own::Owner_out g) override {
    CORBA::string_free(a);
    a = CORBA::string_dup("changed");
    b.name = "changed";
    c = kLong;
    d = new Own::Longs(100);
    e = new Own::Variable;
    f = Own::Names_alloc();
    g = _this();
    Own::Longs numbers;
    numbers.length(2);
    numbers[1] = 9;
    switch (what) {
      case 0:
        throw Own::Declared(kLong, numbers);
      case 1:
        throw Own::Undeclared(kLong);
      case 2:
        throw CORBA::NO_RESOURCES(7, CORBA::COMPLETED_MAYBE);
      case 3:
        throw std::runtime_error("foreign");
      case 4:
        throw 5;
      case 5:
        throw std::bad_alloc();
      case 6: {
        Own::Declared null;
        null.why = static_cast<char*>(nullptr);
        throw null;
      }
      default:
        return CORBA::string_dup("nothing raised");
    }
  }
  void raise_undeclared() override { throw Own::Undeclared(kLong); }

  void keep(const Own::Longs& a, const Own::Flats& b, const char* c, const Own::Strings& d,
            const Own::Variable& e, Own::Owner_ptr f) override {
    longs_ = a;
    fixeds_ = b;
    text_ = c;
    strings_ = d;
    variable_ = e;
    owner_ = Own::Owner::_duplicate(f);
    EXPECT_TRUE(longs_.release());
    EXPECT_TRUE(fixeds_.release());
  }
  void kept(Own::Longs_out a, Own::Flats_out b, CORBA::String_out c, Own::Strings_out d, Own::Variable_out e,
            Own::Owner_out f) override {
    a = new Own::Longs(longs_);
    b = new Own::Flats(fixeds_);
    c = text_.in();
    d = new Own::Strings(strings_);
    e = new Own::Variable(variable_);
    f = owner_;
  }
  void forget() { owner_ = Own::Owner::_nil(); }

 private:
  template <typename T>
  T by_value(const T& a, T& b, T& c) {
    c = b;
    b = a;
    return c;
  }
  template <typename T, typename Out>
  T* by_pointer(const T& a, T& b, Out& c) {
    c = new T(b);
    b = a;
    return new T(*c.ptr());
  }
  Own::Longs longs_;
  Own::Flats fixeds_;
  CORBA::String_var text_;
  Own::Strings strings_;
  Own::Variable variable_;
  Own::Owner_var owner_;
};

class Ownership : public testing::TestWithParam<Place> {
 protected:
  // Whatever happened, the server serves on.
  void TearDown() override {
    CORBA::Long b = 2, c = 0;
    EXPECT_EQ(it->give_number(1, b, c), 2);
    servant->forget();
  }
  Pair pair{GetParam()};
  PortableServer::Servant_var<OwnerServant> servant = new OwnerServant;
  Own::Owner_var it = pair.activate<Own::Owner>(servant);
};
INSTANTIATE_TEST_SUITE_P(, Ownership, testing::Values(Place::Remote, Place::Collocated), place_name);

Own::Variable variable(const char* name, CORBA::Long number) {
  Own::Variable v;
  v.name = name;
  v.numbers.length(1);
  v.numbers[0] = number;
  return v;
}

TEST_P(Ownership, OfValuesOfFixedLength) {
  CORBA::Long number = 2, number_out = 0;
  EXPECT_EQ(it->give_number(1, number, number_out), 2);
  EXPECT_EQ(number, 1);
  EXPECT_EQ(number_out, 2);
  Own::Color color = Own::green, color_out = Own::red;
  EXPECT_EQ(it->give_enumerated(Own::red, color, color_out), Own::green);
  EXPECT_EQ(color, Own::red);
  EXPECT_EQ(color_out, Own::green);
  Own::Flat_var a = new Own::Flat{1, 0.5}, b = new Own::Flat{2, 1.5}, c;
  const Own::Flat fixed = it->give_fixed(a.in(), b.inout(), c.out());
  EXPECT_EQ(fixed.n, 2);
  EXPECT_EQ(b->d, 0.5);
  EXPECT_EQ(c->d, 1.5);
  Own::FixedChoice x, y, z;
  x.n(1);
  y.f(Own::Flat{2, 0.25});
  EXPECT_EQ(it->give_fixed_choice(x, y, z).f().d, 0.25);
  EXPECT_EQ(y.n(), 1);
  EXPECT_EQ(z.f().n, 2);
}

TEST_P(Ownership, OfStructsOfVariableLength) {
  Own::Variable_var a = new Own::Variable(variable(kLong, 1)), b = new Own::Variable(variable("b", 2)),
                    c = new Own::Variable(variable("freed by out", 0));
  Own::Variable_var result = it->give_variable(a.in(), b.inout(), c.out());
  EXPECT_STREQ(result->name.in(), "b");
  EXPECT_EQ(result->numbers[0], 2);
  EXPECT_STREQ(b->name.in(), kLong);
  EXPECT_EQ(b->numbers[0], 1);
  EXPECT_STREQ(c->name.in(), "b");
  Own::Variable* raw = nullptr;
  result = it->give_variable(a, b, raw);
  c = raw;
  EXPECT_STREQ(c->name.in(), kLong);
}

TEST_P(Ownership, OfUnionsOfVariableLength) {
  Own::Choice a, b;
  Own::Choice_var c;
  a.text(kLong);
  b.value(variable(kLong, 2));
  Own::Choice_var result = it->give_choice(a, b, c);
  EXPECT_EQ(result->value().numbers[0], 2);
  EXPECT_STREQ(b.text(), kLong);
  EXPECT_EQ(c->_d(), 2);
}

TEST_P(Ownership, OfStrings) {
  CORBA::String_var b = "b", c = "freed by out";
  CORBA::String_var result = it->give_text(kLong, b.inout(), c.out());
  EXPECT_STREQ(result.in(), "b");
  EXPECT_STREQ(b.in(), kLong);
  EXPECT_STREQ(c.in(), "b");
  // Members and elements as arguments of every mode.
  Own::Variable v = variable("short", 0);
  Own::Strings s;
  s.length(1);
  s[0] = "element";
  result = it->give_text(v.name, v.name.inout(), s[0].out());
  EXPECT_STREQ(result.in(), "short");
  EXPECT_STREQ(v.name.in(), "short");
  EXPECT_STREQ(s[0].in(), "short");
  result = it->give_text(s[0], s[0].inout(), v.name.out());
  EXPECT_STREQ(v.name.in(), "short");
  EXPECT_THROW(it->give_text(nullptr, b.inout(), c.out()), CORBA::BAD_PARAM);
  EXPECT_STREQ(b.in(), kLong);
  EXPECT_EQ(c.in(), nullptr);
  CORBA::String_var null;
  EXPECT_THROW(it->give_text("a", null.inout(), c.out()), CORBA::BAD_PARAM);
}

TEST_P(Ownership, OfSequences) {
  CORBA::Long lent[] = {1, 2, 3};
  const Own::Longs a(3, 3, lent);
  Own::Longs b(2, 2, lent);
  Own::Longs_var c = new Own::Longs(7);
  Own::Longs_var result = it->give_longs(a, b, c.out());
  EXPECT_EQ(result->length(), 2u);
  EXPECT_EQ(b.length(), 3u);
  EXPECT_EQ(c[1u], 2);
  EXPECT_EQ(lent[2], 3);
  Own::Strings d, e;
  d.length(2), e.length(1);
  d[1] = kLong;
  e[0] = kLong;
  Own::Strings_var f;
  Own::Strings_var strings = it->give_strings(d, e, f);
  EXPECT_EQ(strings->length(), 1u);
  EXPECT_STREQ(e[1].in(), kLong);
  EXPECT_STREQ(f[0u].in(), kLong);
}

TEST_P(Ownership, OfReferences) {
  Own::Owner_var b = it, c = it;
  Own::Owner_var result = it->give_reference(it, b.inout(), c.out());
  EXPECT_TRUE(result->_is_equivalent(it));
  EXPECT_TRUE(b->_is_equivalent(it));
  EXPECT_TRUE(c->_is_equivalent(it));
  result = it->give_reference(Own::Owner::_nil(), b.inout(), c.out());
  EXPECT_TRUE(CORBA::is_nil(b));
  result = it->give_reference(it, b, c);
  EXPECT_TRUE(CORBA::is_nil(c));
  EXPECT_TRUE(CORBA::is_nil(result));
  EXPECT_FALSE(CORBA::is_nil(b));
  Own::Owners s, t;
  Own::Owners_var u;
  s.length(2), t.length(1);
  s[0] = it;
  t[0] = it;
  Own::Owners_var owners = it->give_owners(s, t, u);
  EXPECT_EQ(owners->length(), 1u);
  EXPECT_TRUE(t[0]->_is_equivalent(it));
  EXPECT_TRUE(CORBA::is_nil(t[1]));
  result = u[0u];
  EXPECT_TRUE(result->_is_equivalent(it));
  result = it->give_reference(s[0], t[0].inout(), u[0u].out());
  EXPECT_FALSE(CORBA::is_nil(u[0u]));
}

TEST_P(Ownership, OfArrays) {
  const Own::Row a = {1, 2, 3};
  Own::Row b = {4, 5, 6};
  Own::Row_var c;
  Own::Row_var row = it->give_row(a, b, c.out());
  EXPECT_EQ(row[2], 6);
  EXPECT_EQ(b[2], 3);
  EXPECT_EQ(c[0], 4);
  Own::Names_var d = Own::Names_alloc(), e = Own::Names_alloc(), f = Own::Names_alloc();
  d[0] = kLong;
  e[1] = kLong;
  Own::Names_var names = it->give_names(d.in(), e.inout(), f.out());
  EXPECT_STREQ(names[1].in(), kLong);
  EXPECT_STREQ(e[0].in(), kLong);
  EXPECT_STREQ(f[1].in(), kLong);
  Own::Table g, h;
  g[1][0] = variable(kLong, 1);
  h[0][1] = variable(kLong, 2);
  Own::Table_var i;
  Own::Table_var table = it->give_tables(g, h, i.out());
  EXPECT_EQ(table[0][1].numbers[0], 2);
  EXPECT_STREQ(h[1][0].name.in(), kLong);
  EXPECT_STREQ(i[0][1].name.in(), kLong);
  Own::Names_slice* raw = nullptr;
  names = it->give_names(d, e, raw);
  f = raw;
}

TEST_P(Ownership, NullResultsAreBadParam) {
  const auto refused = [](const auto& call) {
    try {
      call();
      ADD_FAILURE() << "nothing was raised";
    } catch (const CORBA::BAD_PARAM& e) {
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
    }
  };
  refused([&] { it->null_text(); });
  refused([&] { it->null_longs(); });
  refused([&] { it->null_variable(); });
  refused([&] { it->null_choice(); });
  refused([&] { it->null_row(); });
  refused([&] { it->null_names(); });
  refused([&] { it->null_inside(); });
  CORBA::String_var text = "text";
  refused([&] { it->null_inout(text.inout()); });
  EXPECT_STREQ(text.in(), "text");
  for (CORBA::Long which = 0; which < 7; ++which) {
    CORBA::String_var a = "old";
    Own::Longs_var b = new Own::Longs;
    Own::Variable_var c = new Own::Variable;
    Own::Names_var d = Own::Names_alloc();
    Own::Choice_var e = new Own::Choice;
    Own::Owner_var f = it;
    if (which < 5) {
      refused([&] { it->null_out(which, a, b, c, d, e, f); });
      EXPECT_EQ(a.in(), nullptr);
      EXPECT_EQ(b.ptr(), nullptr);
      EXPECT_EQ(c.ptr(), nullptr);
      EXPECT_EQ(d.ptr(), nullptr);
      EXPECT_EQ(e.ptr(), nullptr);
      EXPECT_TRUE(CORBA::is_nil(f));
    } else {
      it->null_out(which, a, b, c, d, e, f);
      EXPECT_STREQ(e->text(), kLong);
      EXPECT_EQ(CORBA::is_nil(f), which == 5);
    }
  }
}

TEST_P(Ownership, ExceptionsLeaveInoutAsItWasAndOutEmpty) {
  for (CORBA::Long what = 0; what <= 7; ++what) {
    CORBA::String_var a = "a", c = "c";
    Own::Variable b = variable("b", 3);
    Own::Longs_var d = new Own::Longs;
    Own::Variable_var e = new Own::Variable;
    Own::Names_var f = Own::Names_alloc();
    Own::Owner_var g = it;
    const auto call = [&] {
      CORBA::String_var result = it->raise(what, a.inout(), b, c.out(), d.out(), e.out(), f.out(), g.out());
    };
    switch (what) {
      case 0:
        try {
          call();
          ADD_FAILURE() << "nothing was raised";
        } catch (const Own::Declared& raised) {
          EXPECT_STREQ(raised.why.in(), kLong);
          EXPECT_EQ(raised.numbers[1], 9);
        }
        break;
      case 2:
        try {
          call();
          ADD_FAILURE() << "nothing was raised";
        } catch (const CORBA::NO_RESOURCES& raised) {
          EXPECT_EQ(raised.minor(), 7u);
          EXPECT_EQ(raised.completed(), CORBA::COMPLETED_MAYBE);
        }
        break;
      case 5:
        EXPECT_THROW(call(), CORBA::NO_MEMORY);
        break;
      case 6:
        EXPECT_THROW(call(), CORBA::BAD_PARAM);
        break;
      case 7:
        call();
        EXPECT_STREQ(a.in(), "changed");
        EXPECT_STREQ(b.name.in(), "changed");
        EXPECT_STREQ(c.in(), kLong);
        continue;
      default:
        EXPECT_THROW(call(), CORBA::UNKNOWN);
    }
    EXPECT_STREQ(a.in(), "a");
    EXPECT_STREQ(b.name.in(), "b");
    EXPECT_EQ(b.numbers[0], 3);
    EXPECT_EQ(c.in(), nullptr);
    EXPECT_EQ(d.ptr(), nullptr);
    EXPECT_EQ(e.ptr(), nullptr);
    EXPECT_EQ(f.ptr(), nullptr);
    EXPECT_TRUE(CORBA::is_nil(g));
  }
  EXPECT_THROW(it->raise_undeclared(), CORBA::UNKNOWN);
}

TEST_P(Ownership, WhatAServantCopiesOutlivesTheCall) {
  Own::Longs a;
  Own::Flats b;
  Own::Strings d;
  a.length(1000), b.length(1000), d.length(100);
  for (CORBA::Long i = 0; i < 1000; ++i) {
    const auto at = static_cast<CORBA::ULong>(i);
    a[at] = i;
    b[at] = Own::Flat{i, i / 2.0};
  }
  for (CORBA::ULong i = 0; i < 100; ++i) d[i] = kLong;
  it->keep(a, b, kLong, d, variable(kLong, 5), it);
  // Requests of the same shape, over the same memory.
  for (int i = 0; i < 50; ++i) {
    Own::Longs ones;
    ones.length(3000);
    for (CORBA::ULong k = 0; k < 3000; ++k) ones[k] = -1;
    Own::Longs_var out;
    Own::Longs_var result = it->give_longs(ones, ones, out);
  }
  Own::Longs_var longs;
  Own::Flats_var fixeds;
  CORBA::String_var text;
  Own::Strings_var strings;
  Own::Variable_var v;
  Own::Owner_var owner;
  it->kept(longs, fixeds, text, strings, v, owner);
  ASSERT_EQ(longs->length(), 1000u);
  ASSERT_EQ(fixeds->length(), 1000u);
  for (CORBA::ULong i = 0; i < 1000; ++i) {
    ASSERT_EQ(longs[i], static_cast<CORBA::Long>(i));
    ASSERT_EQ(fixeds[i].d, i / 2.0);
  }
  EXPECT_STREQ(text.in(), kLong);
  EXPECT_STREQ(strings[99u].in(), kLong);
  EXPECT_EQ(v->numbers[0], 5);
  EXPECT_TRUE(owner->_is_equivalent(it));
}

}  // namespace
