// Codec and CodecFactory: values to encapsulations and back, of each version.
#include <corbel/any.h>

#include "contract.any.h"
#include "tests/interceptors/support.h"

namespace {

using namespace interceptors;

class Codecs : public testing::Test {
 protected:
  ~Codecs() override { orb->destroy(); }
  IOP::CodecFactory_var factory() {
    CORBA::Object_var object = orb->resolve_initial_references("CodecFactory");
    return IOP::CodecFactory::_narrow(object);
  }
  IOP::Codec_var codec(CORBA::Octet minor = 2, CORBA::Octet major = 1, IOP::EncodingFormat format = 0) {
    IOP::Encoding encoding;
    encoding.format = format;
    encoding.major_version = major;
    encoding.minor_version = minor;
    return factory()->create_codec(encoding);
  }
  static CORBA::OctetSeq octets(const std::string& text) {
    CORBA::OctetSeq made;
    made.length(static_cast<CORBA::ULong>(text.size()));
    for (CORBA::ULong i = 0; i < text.size(); ++i) made[i] = static_cast<CORBA::Octet>(text[i]);
    return made;
  }
  CORBA::ORB_var orb = make_orb("codecs");
};

TEST_F(Codecs, OfEncapsulationsThereAreThreeVersions) {
  for (const CORBA::Octet minor : {0, 1, 2}) EXPECT_TRUE(codec(minor).in());
  EXPECT_EQ(raised([&] { codec(3); }), "UnknownEncoding");
  EXPECT_EQ(raised([&] { codec(2, 2); }), "UnknownEncoding");
  EXPECT_EQ(raised([&] { codec(2, 1, 1); }), "UnknownEncoding");
}

TEST_F(Codecs, AValueComesBackWithItsType) {
  Contract::Person person;
  person.age = 36;
  person.name = "Ada";
  CORBA::Any any;
  any <<= person;
  for (const CORBA::Octet minor : {0, 1, 2}) {
    CORBA::OctetSeq_var encoded = codec(minor)->encode(any);
    CORBA::Any_var decoded = codec(minor)->decode(encoded);
    const Contract::Person* found = nullptr;
    ASSERT_TRUE(decoded.in() >>= found);
    EXPECT_STREQ(found->name.in(), "Ada");
  }
}

TEST_F(Codecs, AnEncapsulationBeginsWithItsByteOrderAndCountsAlignmentFromThere) {
  CORBA::OctetSeq_var encoded = codec()->encode_value(any(0x01020304));
  EXPECT_EQ(text_of(encoded._retn()), std::string("\1\0\0\0\4\3\2\1", 8));
  CORBA::Any_var decoded =
      codec()->decode_value(octets(std::string("\0\xff\xff\xff\1\2\3\4", 8)), CORBA::_tc_long);
  EXPECT_EQ(number(decoded._retn()), 0x01020304) << "big endian, and padding may hold anything";
}

TEST_F(Codecs, AValueWithoutItsTypeComesBackAsTheTypeThatIsGiven) {
  Contract::Person person;
  person.age = 36;
  person.name = "Grace";
  CORBA::Any any;
  any <<= person;
  CORBA::OctetSeq_var encoded = codec()->encode_value(any);
  CORBA::OctetSeq_var with_type = codec()->encode(any);
  EXPECT_LT(encoded->length(), with_type->length());
  CORBA::Any_var decoded = codec()->decode_value(encoded, Contract::_tc_Person);
  const Contract::Person* found = nullptr;
  ASSERT_TRUE(decoded.in() >>= found);
  EXPECT_STREQ(found->name.in(), "Grace");
}

TEST_F(Codecs, ReferencesInAnAnyCanBeCalledAfterwards) {
  Pair pair;
  CORBA::Any any;
  any <<= pair.remote.in();
  CORBA::OctetSeq_var encoded = codec()->encode(any);
  CORBA::Any_var decoded = codec()->decode(encoded);
  CORBA::Object_var object;
  ASSERT_TRUE(decoded.in() >>= CORBA::Any::to_object(object));
  Contract::Everything_var everything = Contract::Everything::_narrow(object);
  EXPECT_EQ(everything->plus(1), 2);
}

TEST_F(Codecs, WideCharactersStandAsTheVersionHasThem) {
  CORBA::Any any;
  any <<= CORBA::Any::from_wchar(L'x');
  CORBA::OctetSeq_var newer = codec(2)->encode_value(any);
  EXPECT_EQ(newer->length(), 4u) << "byte order, length, two octets";
  CORBA::OctetSeq_var older = codec(1)->encode_value(any);
  EXPECT_EQ(older->length(), 4u) << "byte order, padding, two octets";
  EXPECT_NE(std::string(reinterpret_cast<const char*>(newer->get_buffer()), 4),
            std::string(reinterpret_cast<const char*>(older->get_buffer()), 4));
  CORBA::Any_var decoded = codec(1)->decode_value(older, CORBA::_tc_wchar);
  CORBA::WChar c = 0;
  ASSERT_TRUE(decoded.in() >>= CORBA::Any::to_wchar(c));
  EXPECT_EQ(c, L'x');
  EXPECT_EQ(raised([&] { codec(0)->encode_value(any); }), "InvalidTypeForEncoding")
      << "version 1.0 has no wide characters";
}

// Of the registry.
constexpr CORBA::ULong kLatin1 = 0x00010001, kUtf8 = 0x05010001, kUtf16 = 0x00010109, kUcs4 = 0x00010104,
                       kNone = 0x77777777;

TEST_F(Codecs, OfCodeSetsConvertText) {
  IOP::Codec_var utf8 = factory()->create_codec_with_codesets({0, 1, 2, kUtf8, kUcs4});
  CORBA::Any text, wide;
  text <<= "\xe9";  // e acute of ISO 8859-1
  wide <<= CORBA::Any::from_wchar(L'x');
  CORBA::OctetSeq_var octets = utf8->encode_value(text);
  EXPECT_EQ(text_of(octets._retn()).substr(4), std::string("\3\0\0\0\xc3\xa9\0", 7));
  octets = utf8->encode_value(text);
  CORBA::Any_var back = utf8->decode_value(octets, CORBA::_tc_string);
  const char* found = nullptr;
  ASSERT_TRUE(back.in() >>= found);
  EXPECT_STREQ(found, "\xe9");
  octets = utf8->encode(text);
  back = utf8->decode(octets);
  ASSERT_TRUE(back.in() >>= found);
  EXPECT_STREQ(found, "\xe9");
  octets = utf8->encode_value(wide);
  EXPECT_EQ(octets->length(), 6u) << "byte order, length, four octets";
  back = utf8->decode_value(octets, CORBA::_tc_wchar);
  CORBA::WChar c = 0;
  ASSERT_TRUE(back.in() >>= CORBA::Any::to_wchar(c));
  EXPECT_EQ(c, L'x');
  IOP::Codec_var native = factory()->create_codec_with_codesets({0, 1, 2, kLatin1, kUtf16});
  octets = native->encode_value(text);
  CORBA::OctetSeq_var plain = codec()->encode_value(text);
  EXPECT_EQ(text_of(octets._retn()), text_of(plain._retn())) << "what the program has anyway";
}

TEST_F(Codecs, OfUnknownCodeSetsThereAreNone) {
  const auto unsupported = [&](const IOP::Encoding_1_2& encoding) -> CORBA::ULong {
    try {
      IOP::Codec_var made = factory()->create_codec_with_codesets(encoding);
      return 0;
    } catch (const IOP::CodecFactory::UnsupportedCodeset& e) {
      return e.codeset;
    }
  };
  EXPECT_EQ(unsupported({0, 1, 2, kUtf8, kUtf16}), 0u);
  EXPECT_EQ(unsupported({0, 1, 2, kNone, kUtf16}), kNone);
  EXPECT_EQ(unsupported({0, 1, 2, kUtf8, kNone}), kNone);
  EXPECT_EQ(unsupported({0, 1, 1, kUtf8, kUcs4}), kUcs4) << "in which a character has two octets";
  EXPECT_EQ(raised([&] {
              factory()->create_codec_with_codesets({0, 1, 3, kUtf8, kUtf16});
            }),
            "UnknownEncoding");
}

TEST_F(Codecs, TextThatTheCodeSetHasNotRaisesDataConversion) {
  constexpr CORBA::ULong kAscii = 0x00010020;
  IOP::Codec_var ascii = factory()->create_codec_with_codesets({0, 1, 2, kAscii, kUtf16});
  CORBA::Any text;
  text <<= "\xe9";
  EXPECT_EQ(raised_name([&] { ascii->encode_value(text); }), "DATA_CONVERSION");
}

TEST_F(Codecs, WhatCannotTravelCannotBeEncoded) {
  CORBA::Any any;
  any <<= CORBA::Any::from_string("", 0);
  IOP::Codec_var local = codec();
  CORBA::Any of_local(IOP::_tc_Codec, nullptr);
  EXPECT_EQ(raised([&] { local->encode(of_local); }), "InvalidTypeForEncoding");
  EXPECT_EQ(raised([&] { local->encode_value(of_local); }), "InvalidTypeForEncoding");
}

TEST_F(Codecs, WhatIsNoEncapsulationIsAFormatMismatch) {
  CORBA::OctetSeq_var good = codec()->encode(any(7));
  for (CORBA::ULong length = 0; length < good->length(); ++length) {
    CORBA::OctetSeq cut(good.in());
    cut.length(length);
    EXPECT_EQ(raised([&] { codec()->decode(cut); }), "FormatMismatch") << length;
  }
  CORBA::OctetSeq odd(good.in());
  odd[0] = 2;
  EXPECT_EQ(raised([&] { codec()->decode(odd); }), "FormatMismatch") << "there are two byte orders";
  EXPECT_EQ(raised([&] { codec()->decode_value(octets(""), CORBA::_tc_long); }), "FormatMismatch");
  EXPECT_EQ(raised([&] { codec()->decode_value(octets("\2\0\0\0\0\0\0\0"), CORBA::_tc_long); }),
            "FormatMismatch");
  CORBA::OctetSeq more(good.in());
  more.length(good->length() + 8);
  EXPECT_EQ(raised([&] { codec()->decode(more); }), "FormatMismatch") << "something else follows";
}

TEST_F(Codecs, WhatIsNotOfTheTypeIsATypeMismatch) {
  CORBA::OctetSeq_var number = codec()->encode_value(any(7));
  EXPECT_EQ(raised([&] { codec()->decode_value(number, CORBA::_tc_string); }), "TypeMismatch");
  EXPECT_EQ(raised([&] { codec()->decode_value(number, CORBA::_tc_double); }), "TypeMismatch");
  CORBA::Any wide;
  wide <<= CORBA::LongLong{1};
  CORBA::OctetSeq_var longer = codec()->encode_value(wide);
  EXPECT_EQ(raised([&] { codec()->decode_value(longer, CORBA::_tc_long); }), "TypeMismatch");
  EXPECT_EQ(raised_name([&] { codec()->decode_value(number, CORBA::TypeCode::_nil()); }), "BAD_TYPECODE");
}

TEST_F(Codecs, EveryWayToCutOrChangeAnEncapsulationIsRefusedOrRead) {
  Contract::Person person;
  person.age = 36;
  person.name = "Ada";
  CORBA::Any any;
  any <<= person;
  CORBA::OctetSeq_var good = codec()->encode(any);
  for (CORBA::ULong at = 0; at < good->length(); ++at)
    for (const CORBA::Octet change : {0x01, 0x80, 0xff}) {
      CORBA::OctetSeq bad(good.in());
      bad[at] = static_cast<CORBA::Octet>(bad[at] ^ change);
      const std::string result = raised([&] { CORBA::Any_var decoded = codec()->decode(bad); });
      EXPECT_TRUE(result == "none" || result == "FormatMismatch") << result << " at " << at;
    }
}

}  // namespace
