// TypeCodes that the ORB makes at run time.
#include <corbel/any.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/other_locale.h"

namespace {

constexpr CORBA::ULong kOmg = 0x4f4d0000;

class Create : public testing::Test {
 protected:
  Create() {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr, "create");
  }
  ~Create() override { orb_->destroy(); }

  // The OMG minor code of the exception that `action` raises, 0 if it raises none.
  template <typename Exception, typename Action>
  static CORBA::ULong minor_of(Action action) {
    try {
      CORBA::TypeCode_var type = action();
    } catch (const Exception& e) {
      return e.minor() - kOmg;
    }
    return 0;
  }
  static CORBA::StructMemberSeq members(
      std::initializer_list<std::pair<const char*, CORBA::TypeCode_ptr>> all) {
    CORBA::StructMemberSeq seq;
    seq.length(static_cast<CORBA::ULong>(all.size()));
    CORBA::ULong i = 0;
    for (const auto& [name, type] : all) {
      seq[i].name = name;
      seq[i++].type = CORBA::TypeCode::_duplicate(type);
    }
    return seq;
  }
  static CORBA::UnionMember branch(const char* name, const CORBA::Any& label, CORBA::TypeCode_ptr type) {
    CORBA::UnionMember m;
    m.name = name;
    m.label = label;
    m.type = CORBA::TypeCode::_duplicate(type);
    return m;
  }
  static CORBA::Any label(CORBA::Long n) {
    CORBA::Any any;
    any <<= n;
    return any;
  }
  static CORBA::Any default_label() {
    CORBA::Any any;
    any <<= CORBA::Any::from_octet(0);
    return any;
  }
  CORBA::TypeCode_ptr make_union(std::initializer_list<CORBA::UnionMember> all,
                                 CORBA::TypeCode_ptr discriminator = CORBA::_tc_long) {
    CORBA::UnionMemberSeq seq;
    seq.length(static_cast<CORBA::ULong>(all.size()));
    CORBA::ULong i = 0;
    for (const auto& m : all) seq[i++] = m;
    return orb_->create_union_tc("IDL:U:1.0", "U", discriminator, seq);
  }
  static CORBA::TypeCode_var travelled(CORBA::TypeCode_ptr type) {
    corbel::cdr::Encoder out;
    out.reset();
    corbel::cdr::marshal(out, type);
    EXPECT_FALSE(out.error());
    corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
    CORBA::TypeCode_var back;
    EXPECT_TRUE(corbel::cdr::unmarshal(in, back));
    return back;
  }
  CORBA::ORB_var orb_;
};

TEST_F(Create, StructsAndExceptions) {
  CORBA::TypeCode_var s =
      orb_->create_struct_tc("IDL:S:1.0", "S", members({{"a", CORBA::_tc_long}, {"b", CORBA::_tc_string}}));
  EXPECT_EQ(s->kind(), CORBA::tk_struct);
  EXPECT_STREQ(s->id(), "IDL:S:1.0");
  EXPECT_STREQ(s->name(), "S");
  ASSERT_EQ(s->member_count(), 2u);
  EXPECT_STREQ(s->member_name(1), "b");
  CORBA::TypeCode_var b = s->member_type(1);
  EXPECT_TRUE(b->equal(CORBA::_tc_string));
  EXPECT_TRUE(travelled(s.in())->equal(s.in()));
  CORBA::TypeCode_var e = orb_->create_exception_tc("IDL:E:1.0", "E", members({{"s", s.in()}}));
  EXPECT_EQ(e->kind(), CORBA::tk_except);
  EXPECT_TRUE(travelled(e.in())->equal(e.in()));
}

TEST_F(Create, RecursiveStructs) {
  CORBA::TypeCode_var self = orb_->create_recursive_tc("IDL:Tree:1.0");
  EXPECT_THROW(self->kind(), CORBA::BAD_TYPECODE);
  CORBA::TypeCode_var more = orb_->create_sequence_tc(0, self.in());
  CORBA::TypeCode_var tree =
      orb_->create_struct_tc("IDL:Tree:1.0", "Tree", members({{"n", CORBA::_tc_long}, {"more", more.in()}}));
  CORBA::TypeCode_var sequence = tree->member_type(1);
  CORBA::TypeCode_var again = sequence->content_type();
  EXPECT_EQ(again.in(), tree.in());
  EXPECT_TRUE(travelled(tree.in())->equal(tree.in()));
}

TEST_F(Create, RecursiveTypeCodesAloneCanBeAskedNothing) {
  CORBA::TypeCode_var self = orb_->create_recursive_tc("IDL:Tree:1.0");
  const std::function<void()> questions[] = {
      [&] { (void)self->kind(); },
      [&] { (void)self->id(); },
      [&] { (void)self->name(); },
      [&] { (void)self->member_count(); },
      [&] { (void)self->content_type(); },
      [&] { (void)self->equal(CORBA::_tc_long); },
      [&] { (void)CORBA::_tc_long->equivalent(self.in()); },
      [&] { CORBA::TypeCode_var compact = self->get_compact_typecode(); },
  };
  for (const auto& ask : questions)
    EXPECT_EQ(minor_of<CORBA::BAD_TYPECODE>([&] { return ask(), CORBA::TypeCode::_nil(); }), 1u);
}

TEST_F(Create, RecursiveTypeCodesAloneCannotBeSent) {
  CORBA::TypeCode_var self = orb_->create_recursive_tc("IDL:Tree:1.0");
  CORBA::TypeCode_var more = orb_->create_sequence_tc(0, self.in());
  corbel::cdr::Encoder out;
  out.reset();
  corbel::cdr::marshal(out, more.in());
  EXPECT_EQ(out.error().id, corbel::SystemErrorId::BAD_TYPECODE);
  EXPECT_EQ(out.error().minor, kOmg | 1);
}

// Each of the two contains both, and the inner one stands there twice.
TEST_F(Create, RecursiveStructsInsideOneAnother) {
  CORBA::TypeCode_var outers =
      orb_->create_sequence_tc(0, CORBA::TypeCode_var(orb_->create_recursive_tc("IDL:Outer:1.0")).in());
  CORBA::TypeCode_var inners =
      orb_->create_sequence_tc(7, CORBA::TypeCode_var(orb_->create_recursive_tc("IDL:Inner:1.0")).in());
  CORBA::TypeCode_var inner = orb_->create_struct_tc(
      "IDL:Inner:1.0", "Inner", members({{"outers", outers.in()}, {"inners", inners.in()}}));
  CORBA::TypeCode_var outer = orb_->create_struct_tc(
      "IDL:Outer:1.0", "Outer", members({{"outers", outers.in()}, {"one", inner.in()}, {"two", inner.in()}}));
  for (const CORBA::ULong member : {1u, 2u}) {
    CORBA::TypeCode_var one = outer->member_type(member), sequence = one->member_type(0);
    CORBA::TypeCode_var content = sequence->content_type();
    EXPECT_EQ(content.in(), outer.in());
    sequence = one->member_type(1);
    content = sequence->content_type();
    EXPECT_EQ(content.in(), one.in());
  }
  corbel::cdr::Encoder out;
  out.reset();
  corbel::cdr::marshal(out, outer);
  ASSERT_FALSE(out.error());
  corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  CORBA::TypeCode_var back;
  ASSERT_TRUE(corbel::cdr::unmarshal(in, back));
  EXPECT_TRUE(back->equal(outer.in()));
  EXPECT_TRUE(outer->equivalent(back.in()));
}

// Each struct holds the one before twice, and in the innermost stands a placeholder.
TEST_F(Create, NestingDoesNotDoubleThem) {
  CORBA::TypeCode_var last =
      orb_->create_sequence_tc(0, CORBA::TypeCode_var(orb_->create_recursive_tc("IDL:Top:1.0")).in());
  for (int i = 0; i < 40; ++i) {
    const std::string id = i == 39 ? "IDL:Top:1.0" : "IDL:Level" + std::to_string(i) + ":1.0";
    last = orb_->create_struct_tc(id.c_str(), "Level", members({{"a", last.in()}, {"b", last.in()}}));
  }
  corbel::cdr::Encoder out;
  out.reset();
  corbel::cdr::marshal(out, last.in());
  ASSERT_FALSE(out.error());
  EXPECT_LT(out.size(), 10'000u);
  CORBA::TypeCode_var same = last->get_compact_typecode();
  EXPECT_TRUE(same->equivalent(last.in()));
  CORBA::TypeCode_var inner = last;
  for (int i = 0; i < 39; ++i) {
    CORBA::TypeCode_var a = inner->member_type(0), b = inner->member_type(1);
    EXPECT_EQ(a.in(), b.in());
    inner = a;
  }
  CORBA::TypeCode_var sequence = inner->member_type(1), top = sequence->content_type();
  EXPECT_EQ(top.in(), last.in());
}

// What contains itself after three structs is what contains itself after one.
TEST_F(Create, CirclesOfDifferentSizesAreEquivalent) {
  const auto circle = [&](int size) {
    CORBA::TypeCode_var last = orb_->create_recursive_tc("IDL:Circle:1.0");
    for (int i = 0; i < size; ++i) {
      last = orb_->create_sequence_tc(0, last.in());
      last = orb_->create_struct_tc(i + 1 == size ? "IDL:Circle:1.0" : "", "", members({{"", last.in()}}));
    }
    CORBA::TypeCode_var inner = orb_->create_sequence_tc(0, last.in());  // in a struct without an id
    return CORBA::TypeCode_var(orb_->create_struct_tc("", "", members({{"", inner.in()}})));
  };
  CORBA::TypeCode_var one = circle(1), three = circle(3), seven = circle(7);
  EXPECT_TRUE(one->equivalent(three.in()));
  EXPECT_TRUE(three->equivalent(seven.in()));
  EXPECT_FALSE(one->equal(three.in()));
  EXPECT_TRUE(three->equal(travelled(three.in())));
}

TEST_F(Create, NoStructContainsItselfDirectly) {
  CORBA::TypeCode_var self = orb_->create_recursive_tc("IDL:S:1.0");
  EXPECT_EQ(minor_of<CORBA::BAD_TYPECODE>([&] {
              return orb_->create_struct_tc("IDL:S:1.0", "S", members({{"s", self.in()}}));
            }),
            2u);
}

TEST_F(Create, UnionsWithSeveralLabelsAndADefault) {
  CORBA::TypeCode_var u =
      make_union({branch("a", label(-1), CORBA::_tc_long), branch("b", label(2), CORBA::_tc_string),
                  branch("b", label(3), CORBA::_tc_string), branch("c", default_label(), CORBA::_tc_octet)});
  EXPECT_EQ(u->kind(), CORBA::tk_union);
  EXPECT_EQ(u->member_count(), 4u);
  EXPECT_EQ(u->default_index(), 3);
  CORBA::Any_var first = u->member_label(0);
  CORBA::Long n = 0;
  ASSERT_TRUE(first.in() >>= n);
  EXPECT_EQ(n, -1);
  EXPECT_TRUE(travelled(u.in())->equal(u.in()));
}

TEST_F(Create, UnionsByEveryDiscriminator) {
  CORBA::EnumMemberSeq names;
  names.length(2);
  names[0] = "red";
  names[1] = "green";
  CORBA::TypeCode_var color = orb_->create_enum_tc("IDL:Color:1.0", "Color", names);
  CORBA::TypeCode_var alias = orb_->create_alias_tc("IDL:Alias:1.0", "Alias", color.in());
  std::vector<std::pair<CORBA::TypeCode_ptr, CORBA::Any>> all(10);
  for (auto& [type, label] : all) type = CORBA::_tc_null;
  all[0].first = CORBA::_tc_boolean, all[0].second <<= CORBA::Any::from_boolean(true);
  all[1].first = CORBA::_tc_char, all[1].second <<= CORBA::Any::from_char('\xe4');
  all[2].first = CORBA::_tc_short, all[2].second <<= CORBA::Short(-5);
  all[3].first = CORBA::_tc_ushort, all[3].second <<= CORBA::UShort(65535);
  all[4].first = CORBA::_tc_ulong, all[4].second <<= CORBA::ULong(0x80000000);
  all[5].first = CORBA::_tc_longlong, all[5].second <<= CORBA::LongLong(INT64_MIN);
  all[6].first = CORBA::_tc_ulonglong, all[6].second <<= CORBA::ULongLong(UINT64_MAX);
  all[7].first = CORBA::_tc_wchar, all[7].second <<= CORBA::Any::from_wchar(L'\u20ac');
  all[9].first = CORBA::_tc_wchar, all[9].second <<= CORBA::Any::from_wchar(L'\U0001f600');
  all[8].first = alias.in();
  const CORBA::ULong ordinal = 1;
  all[8].second._corbel_put(*alias.in(), &ordinal, sizeof ordinal);
  for (const auto& [type, label] : all) {
    SCOPED_TRACE(type->kind());
    CORBA::TypeCode_var u = make_union({branch("a", label, CORBA::_tc_long)}, type);
    CORBA::TypeCode_var back = travelled(u.in());
    EXPECT_TRUE(back->equal(u.in()));
    CORBA::Any_var given = back->member_label(0);
    corbel::cdr::Encoder a, b;
    a.reset();
    b.reset();
    corbel::cdr::marshal(a, label);
    corbel::cdr::marshal(b, given.in());
    EXPECT_EQ(std::string(a.data(), a.size()), std::string(b.data(), b.size()));
  }
}

TEST_F(Create, UnionsRefuseLabelsAndDiscriminators) {
  CORBA::Any text;
  text <<= "text";
  const auto a = branch("a", label(1), CORBA::_tc_long);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] {
              return make_union({a, branch("b", label(1), CORBA::_tc_long)});
            }),
            18u);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] {
              return make_union({branch("a", default_label(), CORBA::_tc_long),
                                 branch("b", default_label(), CORBA::_tc_long)});
            }),
            18u);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { return make_union({branch("a", text, CORBA::_tc_long)}); }),
            19u);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { return make_union({a}, CORBA::_tc_short); }), 19u);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { return make_union({a}, CORBA::_tc_string); }), 20u);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { return make_union({}, CORBA::_tc_double); }), 20u);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] {
              return make_union({a, branch("a", label(2), CORBA::_tc_octet)});
            }),
            17u);
  EXPECT_EQ(minor_of<CORBA::BAD_TYPECODE>([&] { return make_union({a}, nullptr); }), 2u);
}

TEST_F(Create, RefusesNamesAndIds) {
  const auto s = [&](const char* id, const char* name, const char* first, const char* second) {
    return minor_of<CORBA::BAD_PARAM>([&] {
      return orb_->create_struct_tc(id, name, members({{first, CORBA::_tc_long}, {second, CORBA::_tc_long}}));
    });
  };
  EXPECT_EQ(s("IDL:S:1.0", "S", "a", "b"), 0u);
  EXPECT_EQ(s("IDL:S:1.0", "", "", ""), 0u);  // as in compact ones
  EXPECT_EQ(s("", "S", "a", "b"), 0u);
  EXPECT_EQ(s("IDL:S:1.0", "7S", "a", "b"), 15u);
  EXPECT_EQ(s("IDL:S:1.0", "a::S", "a", "b"), 15u);
  EXPECT_EQ(s("S", "S", "a", "b"), 16u);
  EXPECT_EQ(s("IDL:S:1.0", "S", "a", "a"), 17u);
  EXPECT_EQ(s("IDL:S:1.0", "S", "a", "A"), 17u);
  EXPECT_EQ(s("IDL:S:1.0", "S", "a b", "c"), 17u);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { return orb_->create_interface_tc("", "I"); }), 16u);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { return orb_->create_interface_tc(nullptr, "I"); }), 16u);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { return orb_->create_interface_tc("IDL:I:1.0", nullptr); }), 15u);
}

TEST_F(Create, RefusesNamesThatDifferInCaseInATurkishLocaleToo) {
  const corbel::testing_support::TurkishLocale locale;
  if (!locale.there()) GTEST_SKIP() << "there is no Turkish locale";
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] {
              return orb_->create_struct_tc("IDL:S:1.0", "S",
                                            members({{"id", CORBA::_tc_long}, {"ID", CORBA::_tc_long}}));
            }),
            17u);
}

TEST_F(Create, RefusesWhatNoMemberCanBe) {
  CORBA::TypeCode_var e = orb_->create_exception_tc("IDL:E:1.0", "E", CORBA::StructMemberSeq());
  for (CORBA::TypeCode_ptr type : {CORBA::_tc_null, CORBA::_tc_void, e.in(), CORBA::TypeCode::_nil()}) {
    EXPECT_EQ(minor_of<CORBA::BAD_TYPECODE>([&] { return orb_->create_sequence_tc(0, type); }), 2u);
    EXPECT_EQ(minor_of<CORBA::BAD_TYPECODE>([&] { return orb_->create_alias_tc("IDL:A:1.0", "A", type); }),
              2u);
    EXPECT_EQ(minor_of<CORBA::BAD_TYPECODE>([&] {
                return orb_->create_struct_tc("IDL:S:1.0", "S", members({{"a", type}}));
              }),
              2u);
  }
}

TEST_F(Create, SimpleOnesAndTheirLimits) {
  CORBA::TypeCode_var s = orb_->create_string_tc(0), w = orb_->create_wstring_tc(7);
  EXPECT_EQ(s.in(), CORBA::_tc_string);
  EXPECT_EQ(w->kind(), CORBA::tk_wstring);
  EXPECT_EQ(w->length(), 7u);
  CORBA::TypeCode_var f = orb_->create_fixed_tc(9, 2);
  EXPECT_EQ(f->fixed_digits(), 9);
  EXPECT_EQ(f->fixed_scale(), 2);
  EXPECT_THROW(orb_->create_fixed_tc(32, 0), CORBA::BAD_PARAM);
  EXPECT_THROW(orb_->create_fixed_tc(0, 0), CORBA::BAD_PARAM);
  EXPECT_THROW(orb_->create_fixed_tc(3, 4), CORBA::BAD_PARAM);
  CORBA::TypeCode_var a = orb_->create_array_tc(3, f.in());
  EXPECT_EQ(a->length(), 3u);
  EXPECT_TRUE(travelled(a.in())->equal(a.in()));
  EXPECT_THROW(orb_->create_array_tc(0, f.in()), CORBA::BAD_PARAM);
}

TEST_F(Create, WhatHasIdAndNameOnly) {
  const auto check = [](CORBA::TypeCode_ptr made, CORBA::TCKind kind) {
    CORBA::TypeCode_var type = made;
    EXPECT_EQ(type->kind(), kind);
    EXPECT_STREQ(type->id(), "IDL:X:1.0");
    EXPECT_STREQ(type->name(), "X");
    EXPECT_TRUE(travelled(type.in())->equal(type.in()));
  };
  check(orb_->create_interface_tc("IDL:X:1.0", "X"), CORBA::tk_objref);
  check(orb_->create_native_tc("IDL:X:1.0", "X"), CORBA::tk_native);
  check(orb_->create_abstract_interface_tc("IDL:X:1.0", "X"), CORBA::tk_abstract_interface);
  check(orb_->create_local_interface_tc("IDL:X:1.0", "X"), CORBA::tk_local_interface);
  check(orb_->create_component_tc("IDL:X:1.0", "X"), CORBA::tk_component);
  check(orb_->create_home_tc("IDL:X:1.0", "X"), CORBA::tk_home);
}

TEST_F(Create, Valuetypes) {
  CORBA::ValueMemberSeq state;
  state.length(2);
  state[0].name = "n";
  state[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  state[0].access = CORBA::PUBLIC_MEMBER;
  state[1].name = "next";
  state[1].type = orb_->create_recursive_tc("IDL:V:1.0");
  CORBA::TypeCode_var v =
      orb_->create_value_tc("IDL:V:1.0", "V", CORBA::VM_TRUNCATABLE, CORBA::TypeCode::_nil(), state);
  EXPECT_EQ(v->type_modifier(), CORBA::VM_TRUNCATABLE);
  EXPECT_EQ(v->member_visibility(0), CORBA::PUBLIC_MEMBER);
  EXPECT_EQ(v->member_visibility(1), CORBA::PRIVATE_MEMBER);
  CORBA::TypeCode_var next = v->member_type(1), none = v->concrete_base_type();
  EXPECT_EQ(next.in(), v.in());
  EXPECT_TRUE(CORBA::is_nil(none.in()));
  EXPECT_TRUE(travelled(v.in())->equal(v.in()));
  CORBA::TypeCode_var derived =
      orb_->create_event_tc("IDL:W:1.0", "W", CORBA::VM_NONE, v.in(), CORBA::ValueMemberSeq());
  EXPECT_EQ(derived->kind(), CORBA::tk_event);
  CORBA::TypeCode_var base = derived->concrete_base_type();
  EXPECT_TRUE(base->equal(v.in()));
  CORBA::TypeCode_var box = orb_->create_value_box_tc("IDL:B:1.0", "B", CORBA::_tc_string);
  EXPECT_TRUE(travelled(box.in())->equal(box.in()));
  EXPECT_THROW(orb_->create_value_tc("IDL:V:1.0", "V", 4, CORBA::TypeCode::_nil(), state), CORBA::BAD_PARAM);
  EXPECT_THROW(orb_->create_value_tc("IDL:V:1.0", "V", 0, CORBA::_tc_long, state), CORBA::BAD_TYPECODE);
}

}  // namespace
