// Every question to every kind of TypeCode, and every extraction from an Any of every kind.
#include <corbel/any.h>
#include <corbel/corba.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

using corbel::types::Kind;
using corbel::types::Member;

namespace {

const Member members[] = {{"x", &corbel::tc::_tc_long, 0, 0}};
const Member labelled[] = {{"x", &corbel::tc::_tc_long, 5, 0}};
const Member visible[] = {{"x", &corbel::tc::_tc_long, 0, 1}};
const Member names[] = {{"x", nullptr, 0, 0}};
CORBA::TypeCode tc_struct{Kind::Struct, "IDL:S:1.0", "S", nullptr, members, 1};
CORBA::TypeCode tc_union{Kind::Union, "IDL:U:1.0", "U", &corbel::tc::_tc_long, labelled, 1, 0, -1};
CORBA::TypeCode tc_enum{Kind::Enum, "IDL:E:1.0", "E", nullptr, names, 1};
CORBA::TypeCode tc_except{Kind::Except, "IDL:X:1.0", "X", nullptr, members, 1};
CORBA::TypeCode tc_value{Kind::Value, "IDL:V:1.0", "V", nullptr, visible, 1};
CORBA::TypeCode tc_event{Kind::Event, "IDL:W:1.0", "W", nullptr, visible, 1};
CORBA::TypeCode tc_box{Kind::ValueBox, "IDL:B:1.0", "B", &corbel::tc::_tc_long, nullptr, 0};
CORBA::TypeCode tc_alias{Kind::Alias, "IDL:A:1.0", "A", &corbel::tc::_tc_long, nullptr, 0};
CORBA::TypeCode tc_sequence{Kind::Sequence, "", "", &corbel::tc::_tc_long, nullptr, 0, 3};
CORBA::TypeCode tc_array{Kind::Array, "", "", &corbel::tc::_tc_long, nullptr, 0, 3};
CORBA::TypeCode tc_fixed{Kind::Fixed, "", "", nullptr, nullptr, 0, 5, 2};
CORBA::TypeCode tc_native{Kind::Native, "IDL:N:1.0", "N", nullptr, nullptr, 0};
CORBA::TypeCode tc_abstract{Kind::AbstractInterface, "IDL:AI:1.0", "AI", nullptr, nullptr, 0};
CORBA::TypeCode tc_local{Kind::LocalInterface, "IDL:LI:1.0", "LI", nullptr, nullptr, 0};
CORBA::TypeCode tc_component{Kind::Component, "IDL:C:1.0", "C", nullptr, nullptr, 0};
CORBA::TypeCode tc_home{Kind::Home, "IDL:H:1.0", "H", nullptr, nullptr, 0};

const std::vector<CORBA::TypeCode_ptr> all_kinds{CORBA::_tc_null,
                                                 CORBA::_tc_void,
                                                 CORBA::_tc_short,
                                                 CORBA::_tc_long,
                                                 CORBA::_tc_ushort,
                                                 CORBA::_tc_ulong,
                                                 CORBA::_tc_float,
                                                 CORBA::_tc_double,
                                                 CORBA::_tc_boolean,
                                                 CORBA::_tc_char,
                                                 CORBA::_tc_octet,
                                                 CORBA::_tc_any,
                                                 CORBA::_tc_TypeCode,
                                                 CORBA::_tc_Principal,
                                                 CORBA::_tc_Object,
                                                 &tc_struct,
                                                 &tc_union,
                                                 &tc_enum,
                                                 CORBA::_tc_string,
                                                 &tc_sequence,
                                                 &tc_array,
                                                 &tc_alias,
                                                 &tc_except,
                                                 CORBA::_tc_longlong,
                                                 CORBA::_tc_ulonglong,
                                                 CORBA::_tc_longdouble,
                                                 CORBA::_tc_wchar,
                                                 CORBA::_tc_wstring,
                                                 &tc_fixed,
                                                 &tc_value,
                                                 &tc_box,
                                                 &tc_native,
                                                 &tc_abstract,
                                                 &tc_local,
                                                 &tc_component,
                                                 &tc_home,
                                                 &tc_event};

using Kinds = std::set<CORBA::TCKind>;
using Question = std::function<void(CORBA::TypeCode_ptr)>;

void expect_answers_of(const Kinds& kinds, const Question& question) {
  for (const CORBA::TypeCode_ptr type : all_kinds) {
    bool answers = true;
    try {
      question(type);
    } catch (const CORBA::TypeCode::BadKind&) {
      answers = false;
    }
    EXPECT_EQ(answers, kinds.count(type->kind()) == 1) << type->kind();
  }
}
void expect_bounds_of(const Kinds& kinds, const Question& question) {
  for (const CORBA::TypeCode_ptr type : all_kinds) {
    if (kinds.count(type->kind()) == 1) {
      EXPECT_THROW(question(type), CORBA::TypeCode::Bounds) << type->kind();
    } else {
      EXPECT_THROW(question(type), CORBA::TypeCode::BadKind) << type->kind();
    }
  }
}

const Kinds named{CORBA::tk_objref,    CORBA::tk_struct,         CORBA::tk_union,
                  CORBA::tk_enum,      CORBA::tk_alias,          CORBA::tk_except,
                  CORBA::tk_value,     CORBA::tk_event,          CORBA::tk_value_box,
                  CORBA::tk_native,    CORBA::tk_home,           CORBA::tk_abstract_interface,
                  CORBA::tk_component, CORBA::tk_local_interface};
const Kinds typed{CORBA::tk_struct, CORBA::tk_union, CORBA::tk_except, CORBA::tk_value, CORBA::tk_event};
const Kinds values{CORBA::tk_value, CORBA::tk_event};
const Kinds unions{CORBA::tk_union};

Kinds with_members() {
  Kinds kinds = typed;
  kinds.insert(CORBA::tk_enum);
  return kinds;
}

TEST(Matrix, OfKindsIsComplete) {
  ASSERT_EQ(all_kinds.size(), 37u);
  for (std::size_t i = 0; i < all_kinds.size(); ++i) EXPECT_EQ(all_kinds[i]->kind(), i);
}

TEST(Matrix, OfQuestionsToTypeCodes) {
  using T = CORBA::TypeCode_ptr;
  expect_answers_of(named, [](T t) { EXPECT_NE(t->id(), nullptr); });
  expect_answers_of(named, [](T t) { EXPECT_NE(t->name(), nullptr); });
  expect_answers_of(with_members(), [](T t) { EXPECT_EQ(t->member_count(), 1u); });
  expect_answers_of(with_members(), [](T t) { EXPECT_STREQ(t->member_name(0), "x"); });
  expect_answers_of(typed,
                    [](T t) { EXPECT_EQ(CORBA::TypeCode_var(t->member_type(0)).in(), CORBA::_tc_long); });
  expect_answers_of(unions, [](T t) {
    CORBA::Any_var label = t->member_label(0);
    CORBA::Long five = 0;
    EXPECT_TRUE((label.in() >>= five) && five == 5);
  });
  expect_answers_of(unions, [](T t) { EXPECT_EQ(t->default_index(), -1); });
  expect_answers_of(
      unions, [](T t) { EXPECT_EQ(CORBA::TypeCode_var(t->discriminator_type()).in(), CORBA::_tc_long); });
  expect_answers_of({CORBA::tk_string, CORBA::tk_wstring, CORBA::tk_sequence, CORBA::tk_array}, [](T t) {
    const CORBA::ULong length = t->length();
    EXPECT_EQ(length, t->kind() == CORBA::tk_sequence || t->kind() == CORBA::tk_array ? 3u : 0u);
  });
  expect_answers_of({CORBA::tk_sequence, CORBA::tk_array, CORBA::tk_alias, CORBA::tk_value_box},
                    [](T t) { EXPECT_EQ(CORBA::TypeCode_var(t->content_type()).in(), CORBA::_tc_long); });
  expect_answers_of({CORBA::tk_fixed}, [](T t) { EXPECT_EQ(t->fixed_digits(), 5); });
  expect_answers_of({CORBA::tk_fixed}, [](T t) { EXPECT_EQ(t->fixed_scale(), 2); });
  expect_answers_of(values, [](T t) { EXPECT_EQ(t->member_visibility(0), CORBA::PUBLIC_MEMBER); });
  expect_answers_of(values, [](T t) { EXPECT_EQ(t->type_modifier(), CORBA::VM_NONE); });
  expect_answers_of(values,
                    [](T t) { EXPECT_EQ(CORBA::TypeCode_var(t->concrete_base_type()).in(), nullptr); });
}

TEST(Matrix, OfIndexesBeyondTheLastMember) {
  using T = CORBA::TypeCode_ptr;
  for (const CORBA::ULong index : {1u, 0xffffffffu}) {
    expect_bounds_of(with_members(), [=](T t) { (void)t->member_name(index); });
    expect_bounds_of(typed, [=](T t) { CORBA::TypeCode_var none = t->member_type(index); });
    expect_bounds_of(unions, [=](T t) { CORBA::Any_var none = t->member_label(index); });
    expect_bounds_of(values, [=](T t) { (void)t->member_visibility(index); });
  }
}

TEST(Matrix, OfTypeCodesThatAreEqual) {
  for (const CORBA::TypeCode_ptr a : all_kinds) {
    EXPECT_THROW((void)a->equal(nullptr), CORBA::BAD_PARAM);
    EXPECT_THROW((void)a->equivalent(nullptr), CORBA::BAD_PARAM);
    CORBA::TypeCode_var compact = a->get_compact_typecode();
    EXPECT_TRUE(compact->equivalent(a)) << a->kind();
    for (const CORBA::TypeCode_ptr b : all_kinds) {
      EXPECT_EQ(a->equal(b), a == b) << a->kind() << ' ' << b->kind();
      // An alias of long is long.
      const auto resolved = [](CORBA::TypeCode_ptr t) { return t == &tc_alias ? CORBA::_tc_long : t; };
      EXPECT_EQ(a->equivalent(b), resolved(a) == resolved(b)) << a->kind() << ' ' << b->kind();
    }
  }
}

// How a value of one type gets into an Any and out of it.
struct Cell {
  const char* name;
  std::function<void(CORBA::Any&)> insert;
  std::function<bool(const CORBA::Any&)> extract;
};

template <typename T>
Cell number(const char* name, T value) {
  return {name, [=](CORBA::Any& any) { any <<= value; },
          [=](const CORBA::Any& any) {
            T found{};
            return (any >>= found) && found == value;
          }};
}
template <typename T, typename From, typename To>
Cell wrapped(const char* name, T value) {
  return {name, [=](CORBA::Any& any) { any <<= From(value); },
          [=](const CORBA::Any& any) {
            T found{};
            return (any >>= To(found)) && found == value;
          }};
}

std::vector<Cell> cells() {
  using CORBA::Any;
  static const CORBA::WChar wide[] = {'w', 0};
  return {
      number<CORBA::Short>("short", -3),
      number<CORBA::UShort>("ushort", 65535),
      number<CORBA::Long>("long", -70000),
      number<CORBA::ULong>("ulong", 0xffffffff),
      number<CORBA::LongLong>("longlong", -1),
      number<CORBA::ULongLong>("ulonglong", ~CORBA::ULongLong{0}),
      number<CORBA::Float>("float", 0.5f),
      number<CORBA::Double>("double", -0.5),
      number<CORBA::LongDouble>("longdouble", 0.125L),
      wrapped<CORBA::Boolean, Any::from_boolean, Any::to_boolean>("boolean", true),
      wrapped<CORBA::Octet, Any::from_octet, Any::to_octet>("octet", 200),
      wrapped<CORBA::Char, Any::from_char, Any::to_char>("char", 'c'),
      wrapped<CORBA::WChar, Any::from_wchar, Any::to_wchar>("wchar", 'w'),
      {"string", [](Any& any) { any <<= "text"; },
       [](const Any& any) {
         const char* found = nullptr;
         return (any >>= found) && std::string(found) == "text";
       }},
      {"string<4>", [](Any& any) { any <<= Any::from_string("text", 4); },
       [](const Any& any) {
         const char* found = nullptr;
         return (any >>= Any::to_string(found, 4)) && std::string(found) == "text";
       }},
      {"wstring", [](Any& any) { any <<= wide; },
       [](const Any& any) {
         const CORBA::WChar* found = nullptr;
         return (any >>= found) && found[0] == 'w' && found[1] == 0;
       }},
      {"wstring<4>", [](Any& any) { any <<= Any::from_wstring(wide, 4); },
       [](const Any& any) {
         const CORBA::WChar* found = nullptr;
         return (any >>= Any::to_wstring(found, 4)) && found[0] == 'w' && found[1] == 0;
       }},
      {"fixed<5,2>", [](Any& any) { any <<= Any::from_fixed(CORBA::Fixed("1.25"), 5, 2); },
       [](const Any& any) {
         CORBA::Fixed found;
         return (any >>= Any::to_fixed(found, 5, 2)) && found == CORBA::Fixed("1.25");
       }},
      {"fixed<5,3>", [](Any& any) { any <<= Any::from_fixed(CORBA::Fixed("1.25"), 5, 3); },
       [](const Any& any) {
         CORBA::Fixed found;
         return (any >>= Any::to_fixed(found, 5, 3)) && found == CORBA::Fixed("1.25");
       }},
      {"any",
       [](Any& any) {
         Any inner;
         inner <<= CORBA::Long(1);
         any <<= inner;
       },
       [](const Any& any) {
         const Any* found = nullptr;
         CORBA::Long one = 0;
         return (any >>= found) && (*found >>= one) && one == 1;
       }},
      {"TypeCode", [](Any& any) { any <<= &tc_struct; },
       [](const Any& any) {
         CORBA::TypeCode_ptr found = nullptr;
         return (any >>= found) && found->equal(&tc_struct);
       }},
      {"Object", [](Any& any) { any <<= CORBA::Object::_nil(); },
       [](const Any& any) {
         CORBA::Object_ptr found = nullptr;
         return (any >>= found) && CORBA::is_nil(found);
       }},
      {"exception", [](Any& any) { any <<= CORBA::TRANSIENT(); },
       [](const Any& any) {
         const CORBA::TRANSIENT* found = nullptr;
         return any >>= found;
       }},
      {"other exception", [](Any& any) { any <<= CORBA::TIMEOUT(); },
       [](const Any& any) {
         const CORBA::TIMEOUT* found = nullptr;
         return any >>= found;
       }},
      {"sequence", [](Any& any) { any <<= CORBA::LongSeq(); },
       [](const Any& any) {
         const CORBA::LongSeq* found = nullptr;
         return (any >>= found) && found->length() == 0;
       }},
      {"other sequence", [](Any& any) { any <<= CORBA::ULongSeq(); },
       [](const Any& any) {
         const CORBA::ULongSeq* found = nullptr;
         return (any >>= found) && found->length() == 0;
       }},
  };
}

CORBA::Any travelled(const CORBA::Any& any) {
  corbel::cdr::Encoder out;
  out.reset();
  corbel::cdr::marshal(out, any);
  EXPECT_FALSE(out.error());
  corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  CORBA::Any back;
  EXPECT_TRUE(corbel::cdr::unmarshal(in, back));
  return back;
}

TEST(Matrix, OfExtractionsFromAnys) {
  const std::vector<Cell> all = cells();
  CORBA::Any empty;
  for (const Cell& in : all) {
    EXPECT_FALSE(in.extract(empty)) << in.name;
    CORBA::Any any;
    in.insert(any);
    const CORBA::Any came = travelled(any);
    for (const Cell& out : all) {
      EXPECT_EQ(out.extract(any), &in == &out) << in.name << " as " << out.name;
      EXPECT_EQ(out.extract(came), &in == &out) << in.name << " as " << out.name << ", received";
    }
    // What did not fit has not changed it.
    EXPECT_TRUE(in.extract(any) && in.extract(came)) << in.name;
  }
}

// One Any that holds one after another.
TEST(Matrix, OfInsertionsOverOneAnother) {
  const std::vector<Cell> all = cells();
  CORBA::Any any;
  for (const Cell& first : all) {
    for (const Cell& second : all) {
      first.insert(any);
      EXPECT_TRUE(first.extract(any)) << first.name;
      second.insert(any);
      EXPECT_TRUE(second.extract(any)) << first.name << " before " << second.name;
    }
    any = travelled(any);
  }
}

}  // namespace
