// Values in Anys that whoever passes them on knows nothing of: their class is missing and their state is
// custom, or of a type that the TypeCode does not describe. They arrive as they were sent: with what they
// refer to, and as one value where they are one in several places.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "values.any.h"
#include "written_message.h"

namespace {

using corbel::cdr::Encoder;
using namespace value_message;

const char* const kOwn = "IDL:Values/Own:1.0";
const char* const kBase = "IDL:Values/Base:1.0";
const char* const kMiddle = "IDL:Values/Middle:1.0";
const char* const kDerived = "IDL:Values/Derived:1.0";
const char* const kCarrier = "IDL:Values/Carrier:1.0";

// Its octets refer to itself and to the value inside: only who has the class can see that.
class Secret final : public virtual OBV_Values::Own, public virtual CORBA::DefaultValueRefCountBase {
 public:
  Secret() { ++alive; }
  ~Secret() override { --alive; }
  void marshal(CORBA::DataOutputStream& out) override {
    out.write_octet(1), out.write_longlong(a()), out.write_Value(inside.in());
    out.write_Value(this), out.write_Value(inside.in()), out.write_string(b());
  }
  void unmarshal(CORBA::DataInputStream& in) override {
    EXPECT_EQ(in.read_octet(), 1);
    a(static_cast<CORBA::Long>(in.read_longlong()));
    CORBA::ValueBase_var inner = in.read_Value(), self = in.read_Value(), again = in.read_Value();
    EXPECT_EQ(self.in(), static_cast<CORBA::ValueBase*>(this));
    EXPECT_EQ(inner.in(), again.in());
    inside = Values::Base::_downcast(inner._retn());
    CORBA::String_var text = in.read_string();
    b(text.in());
  }
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  Values::Base_var inside;
};
struct SecretFactory final : CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Secret; }
};

class OpaqueValues : public testing::Test {
 protected:
  OpaqueValues() {
    knows = make("knows"), ignores = make("ignores");
    CORBA::ValueFactory_var own = new SecretFactory;
    CORBA::ValueFactory_var old = knows->register_value_factory(kOwn, own.in());
    add<OBV_Values::Base>(knows.in(), kBase);
    add<OBV_Values::Derived>(knows.in(), kDerived);
    for (CORBA::ORB_ptr orb : {knows.in(), ignores.in()}) add<OBV_Values::Carrier>(orb, kCarrier);
  }
  ~OpaqueValues() override {
    knows->destroy(), ignores->destroy();
    EXPECT_EQ(alive, 0) << "values leak";
  }
  static CORBA::ORB_ptr make(const char* name) {
    const char* args[] = {"test", nullptr};
    int argc = 1;
    return CORBA::ORB_init(argc, const_cast<char**>(args), name);
  }
  template <typename OBV>
  static void add(CORBA::ORB_ptr orb, const char* id) {
    CORBA::ValueFactory_var factory = new Factory<OBV>;
    CORBA::ValueFactory_var old = orb->register_value_factory(id, factory.in());
  }

  // Where the tags stand.
  struct Places {
    std::size_t whole, inside;
  };
  static Places secret(Written& m, int number, std::int32_t level = 1) {
    Places p;
    p.whole = m.tag(kOneId | kChunked);
    m.text(kOwn);
    m.open().raw("\1").number64(static_cast<std::uint64_t>(number)).close();
    p.inside = m.tag(kOneId | kChunked);
    m.text(kBase);
    m.open().number(9).close().end(level + 1);
    m.open().back(p.whole).back(p.inside).text("secret");
    m.close().end(level);
    return p;
  }
  // Three ids; the receiver of Base may cut.
  static std::size_t derived(Written& m) {
    const std::size_t whole = m.tag(kIds | kChunked);
    m.number(3).text(kDerived);
    m.text(kMiddle);
    const std::size_t base = m.text(kBase);
    m.open().number(7).text("middle");
    m.close();
    const std::size_t inner = m.tag(kOneId | kChunked);
    m.back(base).open().number(8).close().end(2);
    m.open().back(inner).real(2.5).close().end(1);
    return whole;
  }

  static Decoder decoder(const std::string& bytes, CORBA::ORB_ptr orb, std::size_t begin, bool swap = false) {
    Decoder in(bytes.data(), bytes.data() + begin, bytes.data() + bytes.size(), swap);
    in.set_context(nullptr, false, &orb->_corbel_core());
    return in;
  }
  static std::vector<CORBA::Any> read(const std::string& bytes, CORBA::ORB_ptr orb, std::size_t begin,
                                      std::size_t count, bool swap = false) {
    const std::string aligned = bytes;  // from operator new, exactly as large
    Decoder in = decoder(aligned, orb, begin, swap);
    const corbel::cpp::ReadValues scope(in);
    std::vector<CORBA::Any> anys(count);
    for (CORBA::Any& any : anys) EXPECT_TRUE(any._corbel_unmarshal(in));
    EXPECT_EQ(in.remaining(), 0u);
    return anys;
  }
  static std::string write(const std::vector<CORBA::Any>& anys, std::size_t begin) {
    Encoder out;
    out.reset(begin);
    {
      const corbel::cpp::WrittenValues scope(out);
      for (const CORBA::Any& any : anys) any._corbel_marshal(out);
    }
    EXPECT_FALSE(out.error());
    return {out.data(), out.size()};
  }
  // Received by who knows nothing, sent on, received again.
  std::vector<CORBA::Any> passed_on(const Written& m, std::size_t count, std::size_t begin) {
    const std::vector<CORBA::Any> received = read(m.bytes_, ignores.in(), kHeader, count);
    return read(write(received, begin), knows.in(), begin, count);
  }
  static Secret* check(const CORBA::Any& any, int number) {
    Values::Own* own = nullptr;
    EXPECT_TRUE(any >>= own);
    auto* const found = dynamic_cast<Secret*>(own);
    EXPECT_TRUE(found && found->a() == number && found->inside->a() == 9);
    EXPECT_STREQ(found ? found->b() : "", "secret");
    return found;
  }
  static void check_derived(Values::Base* base) {
    auto* const d = Values::Derived::_downcast(base);
    ASSERT_TRUE(d);
    EXPECT_EQ(d->a(), 7);
    EXPECT_STREQ(d->b(), "middle");
    EXPECT_EQ(d->inner()->a(), 8);
    EXPECT_EQ(d->cut(), d->inner());
    EXPECT_EQ(d->c(), 2.5);
  }
  CORBA::ORB_var knows, ignores;
};

TEST_F(OpaqueValues, ArriveAsTheyWereSent) {
  for (std::size_t begin = 0; begin < 8; ++begin) {
    Written m(false);
    m.raw(std::string(begin, 'x'));
    m.type(Values::_tc_Own);
    secret(m, 5);
    for (std::size_t to = 0; to < 8; ++to) {
      SCOPED_TRACE(std::to_string(begin) + " to " + std::to_string(to));
      const auto received = read(m.bytes_, ignores.in(), kHeader + begin, 1);
      check(read(write(received, to), knows.in(), to, 1)[0], 5);
    }
  }
}

TEST_F(OpaqueValues, AreOneInSeveralAnys) {
  Written m(false);
  m.type(Values::_tc_Own);
  const Places p = secret(m, 5);
  m.type(Values::_tc_Own).back(p.whole);
  m.type(CORBA::_tc_ValueBase).back(p.whole);
  for (std::size_t begin = 0; begin < 8; ++begin) {
    SCOPED_TRACE(begin);
    const auto anys = passed_on(m, 3, begin);
    Secret* const first = check(anys[0], 5);
    EXPECT_EQ(check(anys[1], 5), first);
    CORBA::ValueBase* base = nullptr;
    ASSERT_TRUE(anys[2] >>= base);
    EXPECT_EQ(base, static_cast<CORBA::ValueBase*>(first));
  }
}

// Each is complete when the others are gone.
TEST_F(OpaqueValues, ArePassedOnEachAlone) {
  Written m(false);
  m.type(Values::_tc_Own);
  const Places p = secret(m, 5);
  m.type(Values::_tc_Own).back(p.whole);
  m.type(Values::_tc_Base).back(p.inside);
  for (std::size_t begin = 0; begin < 8; ++begin) {
    SCOPED_TRACE(begin);
    std::vector<CORBA::Any> received = read(m.bytes_, ignores.in(), kHeader, 3);
    received.erase(received.begin());
    const auto anys = read(write(received, begin), knows.in(), begin, 2);
    check(anys[0], 5);
    Values::Base* inside = nullptr;
    ASSERT_TRUE(anys[1] >>= inside);
    EXPECT_EQ(inside->a(), 9);
  }
}

TEST_F(OpaqueValues, ShareWhatIsInsideThem) {
  Written m(false);
  m.type(Values::_tc_Own);
  const Places p = secret(m, 5);
  m.type(Values::_tc_Base).back(p.inside);
  for (std::size_t begin = 0; begin < 8; ++begin) {
    const auto anys = passed_on(m, 2, begin);
    Values::Base* inside = nullptr;
    ASSERT_TRUE(anys[1] >>= inside);
    EXPECT_EQ(check(anys[0], 5)->inside.in(), inside);
  }
}

TEST_F(OpaqueValues, MayHaveTheirIdElsewhere) {
  Written m(false);
  m.type(Values::_tc_Own).tag(kOneId | kChunked);
  const std::size_t id = m.text(kOwn);
  m.open().raw("\1").number64(4).number(0);  // null inside is malformed for its class only
  m.close().end(1);
  m.type(Values::_tc_Own);
  const std::size_t whole = m.tag(kOneId | kChunked);
  m.back(id).open().raw("\1").number64(6).close();
  const std::size_t inside = m.tag(kOneId | kChunked);
  m.text(kBase);
  m.open().number(9).close().end(2);
  m.open().back(whole).back(inside).text("secret");
  m.close().end(1);
  std::vector<CORBA::Any> received = read(m.bytes_, ignores.in(), kHeader, 2);
  Values::Own* own = nullptr;
  received.erase(received.begin());
  for (std::size_t begin = 0; begin < 8; ++begin) {
    const std::string sent = write(received, begin);
    EXPECT_NE(sent.find(kOwn, sent.find(kOwn) + 1), sent.npos) << "in the TypeCode and in the value";
    const std::vector<CORBA::Any> kept = read(sent, ignores.in(), begin, 1);
    EXPECT_EQ(write(kept, begin).substr(begin), sent.substr(begin)) << "from here on nothing changes";
  }
  EXPECT_THROW(received[0] >>= own, CORBA::MARSHAL) << "there is no class";
}

TEST_F(OpaqueValues, StandInsideOfValuesInChunks) {
  Written m(false);
  m.tag(kOneId | kChunked);
  m.text(kCarrier);
  m.open().type(Values::_tc_Own).close();
  const Places p = secret(m, 5, 2);
  m.open().number(0).close().end(1);
  m.type(Values::_tc_Own).back(p.whole);
  Values::Carrier_var carrier;
  CORBA::Any outside;
  {
    Decoder in = decoder(m.bytes_, ignores.in(), kHeader);
    const corbel::cpp::ReadValues scope(in);
    ASSERT_TRUE(corbel::cpp::get_value(in, carrier));
    ASSERT_TRUE(outside._corbel_unmarshal(in));
    EXPECT_EQ(in.remaining(), 0u);
  }
  for (const bool chunked : {false, true})
    for (std::size_t begin = 0; begin < 8; ++begin) {
      SCOPED_TRACE(begin);
      Encoder out;
      out.reset(begin);
      {
        const corbel::cpp::WrittenValues scope(out);
        corbel::cpp::put_value_base(out, carrier.in(), chunked ? "" : nullptr);
        outside._corbel_marshal(out);
      }
      ASSERT_FALSE(out.error());
      const std::string bytes(out.data(), out.size());
      Decoder in = decoder(bytes, knows.in(), begin);
      Values::Carrier_var arrived;
      CORBA::Any other;
      {
        const corbel::cpp::ReadValues scope(in);
        ASSERT_TRUE(corbel::cpp::get_value(in, arrived));
        ASSERT_TRUE(other._corbel_unmarshal(in));
      }
      EXPECT_EQ(in.remaining(), 0u);
      EXPECT_EQ(check(arrived->content(), 5), check(other, 5));
    }
}

// Two of them, and what lies between.
TEST_F(OpaqueValues, StandInsideOfOtherTypes) {
  CORBA::StructMemberSeq members;
  members.length(4);
  CORBA::TypeCode_ptr const types[] = {Values::_tc_Own, CORBA::_tc_short, Values::_tc_Own, Values::_tc_Base};
  for (CORBA::ULong i = 0; i < 4; ++i) {
    members[i].name = std::string(i + 1, 'm').c_str();
    members[i].type = CORBA::TypeCode::_duplicate(types[i]);
  }
  CORBA::TypeCode_var type = ignores->create_struct_tc("IDL:Made:1.0", "Made", members);
  Written m(false);
  m.type(Values::_tc_Own);
  const Places first = secret(m, 1);
  m.type(type.in());
  secret(m, 2);
  m.raw("ab").back(first.whole).back(first.inside);
  for (std::size_t begin = 0; begin < 8; ++begin) {
    SCOPED_TRACE(begin);
    std::vector<CORBA::Any> received = read(m.bytes_, ignores.in(), kHeader, 2);
    const auto anys = read(write(received, begin), knows.in(), begin, 2);
    check(anys[0], 1);
    const std::string again = write({anys[1]}, begin);
    const auto kept = read(again, knows.in(), begin, 1);
    CORBA::TypeCode_var found = kept[0].type();
    EXPECT_TRUE(found->equal(type.in()));
  }
}

TEST_F(OpaqueValues, AreNotCutOff) {
  Written m(false);
  m.type(Values::_tc_Base);
  const std::size_t whole = derived(m);
  m.type(CORBA::_tc_ValueBase).back(whole);
  for (std::size_t begin = 0; begin < 8; ++begin) {
    const auto anys = passed_on(m, 2, begin);
    Values::Base* base = nullptr;
    ASSERT_TRUE(anys[0] >>= base);
    check_derived(base);
    CORBA::ValueBase* value = nullptr;
    ASSERT_TRUE(anys[1] >>= value);
    EXPECT_EQ(value, static_cast<CORBA::ValueBase*>(base));
  }
}

// Who knows the base only reads the argument as that; the Any stays what it was.
TEST_F(OpaqueValues, AreWholeThoughAnArgumentWasCutOff) {
  add<OBV_Values::Base>(ignores.in(), kBase);
  for (const bool any_first : {true, false}) {
    Written m(false);
    if (any_first) {
      m.type(Values::_tc_Derived);
      m.back(derived(m));
    } else {
      const std::size_t whole = derived(m);
      m.type(Values::_tc_Derived).back(whole);
    }
    Values::Base_var argument;
    CORBA::Any any;
    {
      Decoder in = decoder(m.bytes_, ignores.in(), kHeader);
      const corbel::cpp::ReadValues scope(in);
      ASSERT_TRUE(any_first || corbel::cpp::get_value(in, argument));
      ASSERT_TRUE(any._corbel_unmarshal(in));
      ASSERT_TRUE(!any_first || corbel::cpp::get_value(in, argument));
      EXPECT_EQ(in.remaining(), 0u);
    }
    EXPECT_EQ(argument->a(), 7);
    EXPECT_EQ(Values::Derived::_downcast(argument.in()), nullptr);
    const auto anys = read(write({any}, 4), knows.in(), 4, 1);
    Values::Derived* d = nullptr;
    ASSERT_TRUE(anys[0] >>= d) << any_first;
    check_derived(d);
  }
}

// In the other byte order nobody can say what their octets mean.
TEST_F(OpaqueValues, AreRefusedOrCutOffInTheOtherOrder) {
  Written custom(true), truncatable(true);
  custom.type(Values::_tc_Own);
  secret(custom, 5);
  truncatable.type(Values::_tc_Base);
  derived(truncatable);
  const auto refused = read(custom.bytes_, ignores.in(), kHeader, 1, true);
  Encoder out;
  out.reset();
  EXPECT_THROW(refused[0]._corbel_marshal(out), CORBA::MARSHAL);
  const auto cut = read(truncatable.bytes_, ignores.in(), kHeader, 1, true);
  const auto anys = read(write(cut, 0), knows.in(), 0, 1);
  Values::Base* base = nullptr;
  ASSERT_TRUE(anys[0] >>= base);
  EXPECT_EQ(base->a(), 7);
  EXPECT_EQ(Values::Derived::_downcast(base), nullptr);
}

// Cut short, or with any octet changed: received or not, passed on or not, it does no harm.
TEST_F(OpaqueValues, StandBytesThatAreChanged) {
  Written m(false);
  m.tag(kOneId | kChunked);
  m.text(kCarrier);
  m.open().type(Values::_tc_Own).close();
  const Places p = secret(m, 5, 2);
  m.open().number(0).close().end(1);
  m.type(Values::_tc_Own).back(p.whole);
  const auto attempt = [&](const std::string& bytes) {
    Decoder in = decoder(bytes, ignores.in(), kHeader);
    Values::Carrier_var carrier;
    CORBA::Any any;
    Encoder out;
    out.reset();
    try {
      {
        const corbel::cpp::ReadValues scope(in);
        if (!corbel::cpp::get_value(in, carrier) || !any._corbel_unmarshal(in)) return;
      }
      const corbel::cpp::WrittenValues scope(out);
      any._corbel_marshal(out);
      corbel::cpp::put_value_base(out, carrier.in(), "");
    } catch (const CORBA::SystemException&) {
    }
    if (carrier.in()) carrier->_corbel_clear();
  };
  for (std::size_t size = kHeader; size < m.bytes_.size(); ++size) attempt(m.bytes_.substr(0, size));
  for (std::size_t i = kHeader; i < m.bytes_.size(); ++i)
    for (const unsigned char with : {0x00, 0x01, 0x04, 0x0f, 0x7f, 0x80, 0xff, 0xf4}) {
      std::string bytes = m.bytes_;
      bytes[i] = static_cast<char>(with);
      attempt(bytes);
      EXPECT_EQ(alive, 0) << "octet " << i;
    }
}

}  // namespace
