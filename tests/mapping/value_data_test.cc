// The streams of custom values: what is written is read again, at every distance from a multiple of 8; what
// is cut short, or counts wrongly, raises.
#include <corbel/any.h>
#include <corbel/cpp/abstract.h>
#include <corbel/cpp/any_seq.h>
#include <corbel/cpp/basic_seqs.h>
#include <corbel/cpp/string_value.h>
#include <gtest/gtest.h>

#include <string>

#include "values.any.h"

namespace {

template <typename Seq>
Seq counted() {
  Seq seq;
  seq.length(5);
  for (CORBA::ULong i = 0; i < 5; ++i) seq[i] = static_cast<typename Seq::_corbel_basic>(i % 2 + 1 - i / 4);
  return seq;
}

// Elements 1 to 3 arrive as elements 2 to 4.
template <typename Seq, typename Write, typename Read>
void exchange(CORBA::DataOutputStream& out, CORBA::DataInputStream* in, Write write, Read read) {
  const Seq seq = counted<Seq>();
  if (!in) {
    (out.*write)(seq, 1, 3);
    return;
  }
  Seq got;
  got.length(1);
  (in->*read)(got, 2, 3);
  ASSERT_EQ(got.length(), 5u);
  for (CORBA::ULong i = 0; i < 3; ++i) EXPECT_EQ(got[i + 2], seq[i + 1]);
}

// Writes everything, or reads it.
void everything(CORBA::DataOutputStream& out, CORBA::DataInputStream* in) {
  using O = CORBA::DataOutputStream;
  using I = CORBA::DataInputStream;
  exchange<CORBA::BooleanSeq>(out, in, &O::write_boolean_array, &I::read_boolean_array);
  exchange<CORBA::CharSeq>(out, in, &O::write_char_array, &I::read_char_array);
  exchange<CORBA::WCharSeq>(out, in, &O::write_wchar_array, &I::read_wchar_array);
  exchange<CORBA::ShortSeq>(out, in, &O::write_short_array, &I::read_short_array);
  exchange<CORBA::UShortSeq>(out, in, &O::write_ushort_array, &I::read_ushort_array);
  exchange<CORBA::LongSeq>(out, in, &O::write_long_array, &I::read_long_array);
  exchange<CORBA::ULongSeq>(out, in, &O::write_ulong_array, &I::read_ulong_array);
  exchange<CORBA::LongLongSeq>(out, in, &O::write_longlong_array, &I::read_longlong_array);
  exchange<CORBA::ULongLongSeq>(out, in, &O::write_ulonglong_array, &I::read_ulonglong_array);
  exchange<CORBA::FloatSeq>(out, in, &O::write_float_array, &I::read_float_array);
  exchange<CORBA::DoubleSeq>(out, in, &O::write_double_array, &I::read_double_array);
  CORBA::Any number, fixed;
  number <<= CORBA::Long{77};
  fixed <<= CORBA::Any::from_fixed(CORBA::Fixed("12.34"), 5, 2);
  CORBA::AnySeq anys, fixeds;
  anys.length(2), fixeds.length(2);
  anys[1] = number, fixeds[0] = fixeds[1] = fixed;
  CORBA::StringValue_var box = new CORBA::StringValue("box");
  if (!in) {
    out.write_wchar(L'\x20ac');
    out.write_longdouble(1.25L);
    out.write_wstring(L"wide");
    out.write_Abstract(nullptr);
    out.write_Object(nullptr);
    out.write_Value(box.in());
    out.write_TypeCode(Values::_tc_Node);
    out.write_any(number);
    out.write_any_array(anys, 0, 2);
    out.write_fixed(fixed);
    out.write_fixed_array(fixeds, 0, 2);
    return;
  }
  EXPECT_EQ(in->read_wchar(), L'\x20ac');
  EXPECT_EQ(in->read_longdouble(), 1.25L);
  CORBA::WString_var wide = in->read_wstring();
  EXPECT_EQ(std::wstring(wide.in()), L"wide");
  CORBA::AbstractBase_var nothing = in->read_Abstract();
  EXPECT_TRUE(CORBA::is_nil(nothing));
  CORBA::Object_var nobody = in->read_Object();
  EXPECT_TRUE(CORBA::is_nil(nobody.in()));
  CORBA::ValueBase_var value = in->read_Value();
  ASSERT_TRUE(CORBA::StringValue::_downcast(value.in()));
  EXPECT_STREQ(CORBA::StringValue::_downcast(value.in())->_value(), "box");
  CORBA::TypeCode_var type = in->read_TypeCode();
  EXPECT_TRUE(type->equal(Values::_tc_Node));
  CORBA::Any_var any = in->read_any();
  CORBA::Long n = 0;
  EXPECT_TRUE(any.in() >>= n);
  EXPECT_EQ(n, 77);
  CORBA::AnySeq got;
  in->read_any_array(got, 1, 2);
  ASSERT_EQ(got.length(), 3u);
  EXPECT_TRUE(got[2] >>= n);
  any = in->read_fixed(5, 2);
  CORBA::Fixed f;
  ASSERT_TRUE(any.in() >>= CORBA::Any::to_fixed(f, 5, 2));
  EXPECT_EQ(f, CORBA::Fixed("12.34"));
  in->read_fixed_array(got, 0, 2, 5, 2);
  EXPECT_TRUE(got[1] >>= CORBA::Any::to_fixed(f, 5, 2));
}

constexpr corbel::cpp::KnownBox kBoxes[] = {
    {CORBA::StringValue::_corbel_value_type.id, CORBA::StringValue::_corbel_maker()}};

TEST(DataStreams, GiveBackWhatWasWritten) {
  for (int phase = 0; phase < 8; ++phase) {
    corbel::cdr::Encoder out;
    out.reset();
    for (int i = 0; i < phase; ++i) out.put<std::uint8_t>(0);
    CORBA::DataOutputStream to(out);
    everything(to, nullptr);
    ASSERT_FALSE(out.error());
    corbel::cdr::Decoder in(out.data(), out.data() + phase, out.data() + out.size(), false);
    const corbel::cpp::ReadValues scope(in, kBoxes);
    CORBA::DataInputStream from(in);
    everything(to, &from);
    EXPECT_EQ(in.remaining(), 0u);
  }
}

TEST(DataStreams, RefuseWhatIsCutShort) {
  corbel::cdr::Encoder out;
  out.reset();
  for (int i = 0; i < 8; ++i) out.put<std::int32_t>(2);
  const auto read = [&](auto what) {
    corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
    CORBA::DataInputStream from(in);
    what(from);
  };
  using In = CORBA::DataInputStream;
  CORBA::LongSeq longs;
  read([&](In& in) { in.read_long_array(longs, 0, 8); });
  EXPECT_EQ(longs.length(), 8u);
  EXPECT_THROW(read([&](In& in) { in.read_long_array(longs, 0, 9); }), CORBA::MARSHAL);
  EXPECT_THROW(read([&](In& in) { in.read_long_array(longs, 0, 0xffffffff); }), CORBA::MARSHAL);
  EXPECT_EQ(longs.length(), 8u) << "nothing is allocated for what cannot come";
  EXPECT_THROW(read([&](In& in) { in.read_long_array(longs, 0xfffffffe, 4); }), CORBA::BAD_PARAM);
  CORBA::BooleanSeq booleans;
  EXPECT_THROW(read([&](In& in) { in.read_boolean_array(booleans, 0, 4); }), CORBA::MARSHAL);
  EXPECT_THROW(read([](In& in) { CORBA::Any_var any = in.read_fixed(5, 2); }), CORBA::MARSHAL);
  EXPECT_THROW(read([](In& in) { CORBA::Any_var any = in.read_fixed(32, 2); }), CORBA::BAD_PARAM);
}

TEST(DataStreams, RefuseElementsThatAreNotThere) {
  corbel::cdr::Encoder out;
  out.reset();
  CORBA::DataOutputStream to(out);
  CORBA::LongSeq longs;
  longs.length(3);
  EXPECT_THROW(to.write_long_array(longs, 1, 3), CORBA::BAD_PARAM);
  EXPECT_THROW(to.write_long_array(longs, 4, 0), CORBA::BAD_PARAM);
  EXPECT_THROW(to.write_long_array(longs, 2, 0xffffffff), CORBA::BAD_PARAM);
  CORBA::AnySeq anys;
  EXPECT_THROW(to.write_any_array(anys, 0, 1), CORBA::BAD_PARAM);
  CORBA::Any number;
  number <<= CORBA::Long{1};
  EXPECT_THROW(to.write_fixed(number), CORBA::BAD_PARAM);
  EXPECT_EQ(out.size(), 0u);
}

TEST(StandardTypes, StandInAnys) {
  CORBA::LongSeq longs;
  longs.length(2);
  longs[1] = 7;
  CORBA::AnySeq anys;
  anys.length(1);
  anys[0] <<= longs;
  CORBA::Any any;
  any <<= anys;
  const CORBA::AnySeq* found = nullptr;
  ASSERT_TRUE(any >>= found);
  const CORBA::LongSeq* inner = nullptr;
  ASSERT_TRUE((*found)[0] >>= inner);
  EXPECT_EQ((*inner)[1], 7);
  const CORBA::ULongSeq* other = nullptr;
  EXPECT_FALSE((*found)[0] >>= other);
  CORBA::TypeCode_var type = any.type();
  EXPECT_STREQ(type->id(), "IDL:omg.org/CORBA/AnySeq:1.0");
  CORBA::StringValue_var text = new CORBA::StringValue("text");
  any <<= text.in();
  CORBA::StringValue* box = nullptr;
  ASSERT_TRUE(any >>= box);
  EXPECT_EQ(box, text.in());
  type = any.type();
  EXPECT_TRUE(type->equal(CORBA::_tc_StringValue));
}

}  // namespace
