// Wide characters, long double and fixed-point numbers in calls, in every version of GIOP and within one ORB.
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "orb/ior/ior.h"
#include "wide.any.h"
#include "wide.skel.h"

namespace {

// Gives `a` to b and b to d; the result is a.
class Echo : public POA_Wide::Server {
 public:
  CORBA::WChar c(CORBA::WChar a, CORBA::WChar& b, CORBA::WChar_out d) override { return turn(a, b, d); }
  CORBA::WChar* s(const CORBA::WChar* a, CORBA::WChar*& b, CORBA::WString_out d) override {
    if (std::wstring(a) == L"bad") throw Wide::Bad(L"w\u00efde", CORBA::Fixed("12.34"));
    return text(a, b, d);
  }
  CORBA::WChar* t(const CORBA::WChar* a, CORBA::WChar*& b, CORBA::WString_out d) override {
    return text(a, b, d);
  }
  CORBA::LongDouble l(CORBA::LongDouble a, CORBA::LongDouble& b, CORBA::LongDouble_out d) override {
    return turn(a, b, d);
  }
  Wide::Money m(const Wide::Money& a, Wide::Money& b, Wide::Money_out d) override { return turn(a, b, d); }
  Wide::Cost p(const Wide::Cost& a, Wide::Cost& b, Wide::Cost_out d) override { return turn(a, b, d); }
  Wide::Texts* ts(const Wide::Texts& a, Wide::Texts& b, Wide::Texts_out d) override { return give(a, b, d); }
  Wide::Prices* ps(const Wide::Prices& a, Wide::Prices& b, Wide::Prices_out d) override {
    return give(a, b, d);
  }
  Wide::All* whole(const Wide::All& a, Wide::All& b, Wide::All_out d) override { return give(a, b, d); }
  Wide::Either* e(const Wide::Either& a, Wide::Either& b, Wide::Either_out d) override {
    return give(a, b, d);
  }
  Wide::Row_slice* r(const Wide::Row a, Wide::Row_slice* b, Wide::Row_slice* d) override {
    Wide::Row_copy(d, b);
    Wide::Row_copy(b, a);
    return Wide::Row_dup(a);
  }
  Wide::Names_slice* ns(const Wide::Names a, Wide::Names_slice* b, Wide::Names_out d) override {
    d = Wide::Names_dup(b);
    Wide::Names_copy(b, a);
    return Wide::Names_dup(a);
  }
  CORBA::WChar* name() override { return CORBA::wstring_dup(name_); }
  void name(const CORBA::WChar* value) override { name_ = value; }
  Wide::Money price() override { return price_; }
  void price(const Wide::Money& value) override { price_ = value; }

 private:
  template <typename T, typename U>
  static T turn(const T& a, T& b, U& d) {
    d = b;
    b = a;
    return a;
  }
  static CORBA::WChar* text(const CORBA::WChar* a, CORBA::WChar*& b, CORBA::WString_out& d) {
    d = b;
    b = CORBA::wstring_dup(a);
    return CORBA::wstring_dup(a);
  }
  template <typename T, typename Out>
  static T* give(const T& a, T& b, Out& d) {
    d = new T(b);
    b = a;
    return new T(a);
  }
  corbel::cpp::WStringMember name_;
  Wide::Money price_;
};

CORBA::ORB_ptr make_orb(const char* name, const char* version) {
  const char* args[] = {"test",  "-ORBendPoint", "giop:tcp:127.0.0.1:0", "-ORBmaxGIOPVersion",
                        version, nullptr};
  int argc = 5;
  return CORBA::ORB_init(argc, const_cast<char**>(args), name);
}

class WideCalls : public testing::TestWithParam<const char*> {
 protected:
  WideCalls() {
    const bool local = GetParam() == std::string("local");
    server_ = make_orb("server", "1.2");
    client_ = local ? CORBA::ORB::_duplicate(server_) : make_orb("client", GetParam());
    CORBA::Object_var object = server_->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    PortableServer::ServantBase_var servant = new Echo;
    PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    object = poa->id_to_reference(id.in());
    CORBA::String_var text = server_->object_to_string(object);
    object = client_->string_to_object(text);
    it = Wide::Server::_narrow(object);
  }
  ~WideCalls() override {
    it = Wide::Server::_nil();
    client_->destroy();
    if (GetParam() != std::string("local")) server_->destroy();
  }
  Wide::Server_var it;

 private:
  CORBA::ORB_var server_, client_;
};
INSTANTIATE_TEST_SUITE_P(Places, WideCalls, testing::Values("local", "1.1", "1.2"), [](const auto& i) {
  return i.param[0] == 'l' ? "Local" : i.param[2] == '1' ? "V11" : "V12";
});

bool astral_travels(const char* version) { return version != std::string("1.1"); }

TEST_P(WideCalls, PassCharacters) {
  for (const CORBA::WChar c : {L'a', L'\u00fc', L'\u20ac', L'\ufffd', L'\0'}) {
    CORBA::WChar b = L'b', d = 0;
    EXPECT_EQ(it->c(c, b, d), c);
    EXPECT_EQ(b, c);
    EXPECT_EQ(d, L'b');
  }
  CORBA::WChar b = L'b', d = 0;
  if (astral_travels(GetParam())) EXPECT_EQ(it->c(L'\U0001f600', b, d), L'\U0001f600');
  else EXPECT_THROW(it->c(L'\U0001f600', b, d), CORBA::DATA_CONVERSION);
}

TEST_P(WideCalls, PassStrings) {
  std::wstring all;
  for (wchar_t c = 1; c < 0x3000; ++c) all += c;
  for (const std::wstring& text : {std::wstring(), std::wstring(L"x"), std::wstring(L"\U0001f600\U0010ffff!"),
                                   std::wstring(L"\ufeffmark"), std::wstring(L"\ufffeswapped"), all,
                                   std::wstring(3000, L'\U00010000'), std::wstring(1'000'000, L'y')}) {
    CORBA::WString_var b = CORBA::wstring_dup(L"b"), d;
    CORBA::WString_var r = it->s(text.c_str(), b.inout(), d.out());
    EXPECT_EQ(r.in(), text);
    EXPECT_EQ(b.in(), text);
    EXPECT_EQ(d.in(), std::wstring(L"b"));
  }
  CORBA::WString_var b = CORBA::wstring_dup(L"b"), d;
  if (GetParam() == std::string("local")) return;
  const wchar_t half[] = {wchar_t(0xd800), 0}, beyond[] = {wchar_t(0x110000), 0};
  EXPECT_THROW(it->s(half, b.inout(), d.out()), CORBA::DATA_CONVERSION);
  EXPECT_THROW(it->s(beyond, b.inout(), d.out()), CORBA::DATA_CONVERSION);
  EXPECT_THROW(it->s(nullptr, b.inout(), d.out()), CORBA::BAD_PARAM);
}

TEST_P(WideCalls, RefuseStringsBeyondTheirBound) {
  CORBA::WString_var b = CORBA::wstring_dup(L"b"), d;
  CORBA::WString_var r = it->t(L"1234", b.inout(), d.out());
  EXPECT_EQ(r.in(), std::wstring(L"1234"));
  EXPECT_THROW(it->t(L"12345", b.inout(), d.out()), CORBA::BAD_PARAM);
}

TEST_P(WideCalls, RaiseExceptionsWithThem) {
  CORBA::WString_var b = CORBA::wstring_dup(L"b"), d;
  try {
    it->s(L"bad", b.inout(), d.out());
    FAIL();
  } catch (const Wide::Bad& e) {
    EXPECT_EQ(e.why.in(), std::wstring(L"w\u00efde"));
    EXPECT_EQ(e.cost, CORBA::Fixed("12.34"));
  }
}

TEST_P(WideCalls, PassLongDoubles) {
  typedef std::numeric_limits<CORBA::LongDouble> Limits;
  for (const CORBA::LongDouble v :
       {0.0L, -0.0L, 1.0L, -1.5L, 1.0L / 3, Limits::max(), Limits::lowest(), Limits::min(),
        Limits::denorm_min(), Limits::denorm_min() * 12345, Limits::infinity(), -Limits::infinity()}) {
    CORBA::LongDouble b = 7, d = 0;
    EXPECT_EQ(it->l(v, b, d), v);
    EXPECT_EQ(std::signbit(b), std::signbit(v));
    EXPECT_EQ(b, v);
    EXPECT_EQ(d, 7);
  }
  CORBA::LongDouble b = 7, d = 0;
  EXPECT_TRUE(std::isnan(it->l(Limits::quiet_NaN(), b, d)));
}

TEST_P(WideCalls, PassFixed) {
  for (const char* text : {"0.00", "1.00", "-1.25", "9999999.99", "-9999999.99", "0.01"}) {
    Wide::Money b = CORBA::Fixed("3.5"), d;
    const Wide::Money r = it->m(CORBA::Fixed(text), b, d);
    char buffer[CORBA::Fixed::kTextSize];
    EXPECT_STREQ(r.to_string(buffer), text);
    EXPECT_EQ(b, r);
    EXPECT_EQ(d, CORBA::Fixed("3.5"));
  }
}

TEST_P(WideCalls, PassFixedOfAnotherName) {
  Wide::Cost_var b = Wide::Cost(CORBA::Fixed("2")), d = Wide::Cost();
  EXPECT_EQ(it->p(CORBA::Fixed("1.25"), b.inout(), d.out()), CORBA::Fixed("1.25"));
  EXPECT_EQ(b.in(), CORBA::Fixed("1.25"));
  EXPECT_EQ(d.in(), CORBA::Fixed("2"));
}

TEST_P(WideCalls, PassSequencesAndArrays) {
  Wide::Texts a, b;
  a.length(3);
  a[0] = L"one", a[2] = L"\u4e09";
  b.length(1);
  Wide::Texts_var d;
  Wide::Texts_var r = it->ts(a, b, d.out());
  ASSERT_EQ(r->length(), 3u);
  EXPECT_EQ(std::wstring(r[2].in()), L"\u4e09");
  EXPECT_EQ(std::wstring(b[1].in()), L"");
  EXPECT_EQ(d->length(), 1u);
  Wide::Prices p, q;
  p.length(2);
  p[1] = CORBA::Fixed("-0.07");
  Wide::Prices_var s;
  Wide::Prices_var t = it->ps(p, q, s.out());
  EXPECT_EQ(t[1], CORBA::Fixed("-0.07"));
  EXPECT_EQ(s->length(), 0u);
  const Wide::Row row = {L'a', L'\u00e4', L'\u20ac'};
  Wide::Row x = {L'x', L'y', L'z'}, y = {};
  Wide::Row_slice* const given = it->r(row, x, y);
  EXPECT_EQ(given[2], L'\u20ac');
  EXPECT_EQ(x[1], L'\u00e4');
  EXPECT_EQ(y[0], L'x');
  Wide::Row_free(given);
  Wide::Names names, others;
  names[0] = L"first", names[1] = L"second";
  Wide::Names_var got;
  Wide::Names_var back = it->ns(names, others, got.out());
  EXPECT_EQ(std::wstring(back[1].in()), L"second");
  EXPECT_EQ(std::wstring(others[0].in()), L"first");
  EXPECT_EQ(std::wstring(got[0].in()), L"");
}

TEST_P(WideCalls, PassStructsAndUnions) {
  Wide::All a, b;
  a.c = L'\u03b1', a.s = L"string", a.t = L"four", a.d = 1.0L / 7, a.m = CORBA::Fixed("-1.99");
  a.n = CORBA::Fixed("123"), a.ts.length(1), a.ts[0] = L"in", a.r[1] = L'r', a.ns[1] = L"name";
  a.tiny = CORBA::Fixed("0.0000000000000000000000000000001");
  Wide::All_var d;
  b.c = 0, b.d = 0, b.r[0] = b.r[1] = b.r[2] = L'-', a.r[0] = a.r[2] = L'-';
  Wide::All_var r = it->whole(a, b, d.out());
  EXPECT_EQ(r->c, a.c);
  EXPECT_EQ(std::wstring(r->s.in()), L"string");
  EXPECT_EQ(r->d, a.d);
  EXPECT_EQ(r->m, a.m);
  EXPECT_EQ(r->n, a.n);
  EXPECT_EQ(r->tiny, a.tiny);
  EXPECT_EQ(r->r[1], L'r');
  EXPECT_EQ(std::wstring(b.ns[1].in()), L"name");
  EXPECT_EQ(std::wstring(d->s.in()), L"");

  Wide::Either e, f;
  e.s(L"choice");
  f.d(2.5L);
  EXPECT_EQ(f._d(), L'\u20ac');
  Wide::Either_var g;
  Wide::Either_var h = it->e(e, f, g.out());
  EXPECT_EQ(std::wstring(h->s()), L"choice");
  EXPECT_EQ(std::wstring(f.s()), L"choice");
  EXPECT_EQ(g->d(), 2.5L);
  e.m(CORBA::Fixed("4.20"));
  h = it->e(e, f, g.out());
  EXPECT_EQ(h->m(), CORBA::Fixed("4.2"));
}

TEST_P(WideCalls, PassAttributes) {
  it->name(L"attrib\u00fct");
  CORBA::WString_var name = it->name();
  EXPECT_EQ(std::wstring(name.in()), L"attrib\u00fct");
  it->price(CORBA::Fixed("-0.5"));
  EXPECT_EQ(it->price(), CORBA::Fixed("-0.50"));
}

TEST(WideConstants, AreWhatTheIdlSays) {
  EXPECT_EQ(Wide::euro, L'\u20ac');
  EXPECT_EQ(std::wstring(Wide::greeting), std::wstring(L"gr\u00fc\u00df e\x01") + L"f \"q\"");
  EXPECT_EQ(Wide::price, CORBA::Fixed("-12.5"));
  EXPECT_EQ(Wide::tiny, 1.5e-4000L);
}

// GIOP 1.0 cannot carry wide characters: the call is refused before anything is sent, numbers pass.
TEST(WideCallsIn10, AreRefused) {
  CORBA::ORB_var server = make_orb("s10", "1.0"), client = make_orb("c10", "1.0");
  CORBA::Object_var object = server->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::ServantBase_var servant = new Echo;
  PortableServer::ObjectId_var id = poa->activate_object(servant.in());
  object = poa->id_to_reference(id.in());
  CORBA::String_var text = server->object_to_string(object);
  object = client->string_to_object(text);
  Wide::Server_var it = Wide::Server::_narrow(object);
  try {
    CORBA::WString_var b = CORBA::wstring_dup(L"b"), d;
    it->s(L"x", b.inout(), d.out());
    FAIL();
  } catch (const CORBA::MARSHAL& e) {
    EXPECT_EQ(e.minor(), 0x4f4d0005u);
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  }
  // What comes back is refused at the server: OMG minor 6.
  try {
    it->name();
    FAIL();
  } catch (const CORBA::MARSHAL& e) {
    EXPECT_EQ(e.minor(), 0x4f4d0006u);
  }
  Wide::Money b, d;
  EXPECT_EQ(it->m(CORBA::Fixed("1.5"), b, d), CORBA::Fixed("1.5"));
  it = Wide::Server::_nil();
  client->destroy();
  server->destroy();
}

// Notes what arrives.
class Taker : public POA_Wide::Taker {
 public:
  void take_letter(CORBA::WChar) override { ++arrived; }
  void take_text(const CORBA::WChar*) override { ++arrived; }
  void take_row(const Wide::Row) override { ++arrived; }
  void take_texts(const Wide::Texts&) override { ++arrived; }
  void take_any(const CORBA::Any&) override { ++arrived; }
  char* plain(const char* a) override { return CORBA::string_dup(a); }
  int arrived = 0;
};

template <typename T>
CORBA::Any any_of(const T& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

// The server's reference names sets of wide characters that nobody else knows.
class UnknownWideSets : public testing::TestWithParam<const char*> {
 protected:
  UnknownWideSets() {
    CORBA::Object_var object = server_->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id.in());
    CORBA::String_var text = server_->object_to_string(object);
    object = client_->string_to_object(with_unknown_sets(text.in()).c_str());
    it = Wide::Taker::_unchecked_narrow(object);
  }
  ~UnknownWideSets() override {
    it = Wide::Taker::_nil();
    client_->destroy();
    server_->destroy();
  }
  static std::string with_unknown_sets(const std::string& reference) {
    namespace ior = corbel::ior;
    constexpr std::uint32_t kKorean = 0x00040001, kJapanese = 0x00030010;
    ior::Ior parsed;
    EXPECT_FALSE(ior::parse_ior(reference, parsed));
    for (ior::TaggedProfile& profile : parsed.profiles) {
      ior::IiopProfile iiop = ior::decode_iiop(profile).value();
      for (ior::TaggedComponent& component : iiop.components)
        if (auto sets = ior::decode_code_sets(component)) {
          sets->wchar_native = kKorean;
          sets->wchar_conversions = {kJapanese};
          component = ior::encode_code_sets(*sets);
        }
      profile = ior::encode_iiop(iiop);
    }
    return ior::to_string(parsed);
  }
  // What is raised, and that nothing was sent.
  template <typename Call>
  std::string refused(Call call) {
    try {
      call();
    } catch (const CORBA::CODESET_INCOMPATIBLE& e) {
      EXPECT_EQ(e.minor(), 0x4f4d0001u);
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
      return servant->arrived == 0 ? "refused" : "sent";
    } catch (const CORBA::Exception& e) {
      return e._name();
    }
    return "taken";
  }

 private:
  CORBA::ORB_var server_ = make_orb("server", GetParam()), client_ = make_orb("client", GetParam());

 protected:
  PortableServer::Servant_var<Taker> servant = new Taker;
  Wide::Taker_var it;
};
INSTANTIATE_TEST_SUITE_P(Versions, UnknownWideSets, testing::Values("1.1", "1.2"),
                         [](const auto& i) { return i.param[2] == '1' ? "V11" : "V12"; });

TEST_P(UnknownWideSets, RefuseWideCharacters) {
  EXPECT_EQ(refused([&] { it->take_letter(L'x'); }), "refused");
  EXPECT_EQ(refused([&] { it->take_text(L"x"); }), "refused");
  EXPECT_EQ(refused([&] { it->take_text(L""); }), "refused");
  const Wide::Row row = {L'a', L'b', L'c'};
  EXPECT_EQ(refused([&] { it->take_row(row); }), "refused");
  Wide::Texts texts;
  texts.length(1);
  EXPECT_EQ(refused([&] { it->take_texts(texts); }), "refused");
}

TEST_P(UnknownWideSets, RefuseAnysThatHoldThem) {
  EXPECT_EQ(refused([&] { it->take_any(any_of(L"x")); }), "refused");
  EXPECT_EQ(refused([&] { it->take_any(any_of(CORBA::Any::from_wchar(L'x'))); }), "refused");
  Wide::Texts texts;
  texts.length(1);
  EXPECT_EQ(refused([&] { it->take_any(any_of(texts)); }), "refused");
  EXPECT_EQ(refused([&] { it->take_any(any_of(any_of(L"x"))); }), "refused");
}

TEST_P(UnknownWideSets, TakeEverythingElse) {
  const auto plain = [&] { return std::string(CORBA::String_var(it->plain("text")).in()); };
  EXPECT_EQ(plain(), "text");
  EXPECT_EQ(refused([&] { it->take_text(L"x"); }), "refused");
  EXPECT_EQ(plain(), "text");
  it->take_any(any_of("text"));
  it->take_texts(Wide::Texts());
  EXPECT_EQ(servant->arrived, 2);
}

TEST(Annotations, SayWhatMembersBeginWith) {
  const Wide::Begun begun;
  EXPECT_EQ(begun.a, 8);
  EXPECT_EQ(begun.b, -32768);
  EXPECT_EQ(begun.c, Wide::green);
  EXPECT_EQ(begun.d, Wide::blue);
  EXPECT_STREQ(begun.e.in(), "x\"y");
  EXPECT_TRUE(begun.f);
  EXPECT_EQ(begun.g, -1.5);
  EXPECT_EQ(begun.h, 'q');
  EXPECT_EQ(begun.i, CORBA::Fixed("2.5"));
  EXPECT_STREQ(begun.j.in(), L"w\u0416");
  EXPECT_EQ(begun.k, Wide::first | Wide::second);
  EXPECT_EQ(begun.l, std::numeric_limits<CORBA::ULongLong>::max());
  EXPECT_EQ(begun.m, L'x');
  EXPECT_EQ(begun.n, std::numeric_limits<CORBA::Long>::min());
  EXPECT_EQ(begun.o, 200);
}

TEST(Annotations, PutTextBesideADeclaration) {
  EXPECT_EQ(Wide::BeforeBegun().count, 1);
  EXPECT_EQ(Wide::BehindBegun().of.a, 8);
}

}  // namespace
