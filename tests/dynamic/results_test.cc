// Any octets where a stub waits for its results, be it code or a marshal program: both take the same, or end
// with the same exception, and go on.
#include <corbel/dynamic.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "results.code.any.h"
#include "results.code.h"
#include "results.programs.h"
#include "tests/calls/everything.h"
#include "tests/dynamic/raw.h"
#include "tests/unit/types/oracle.h"

namespace {

// What a call gave, as octets.
template <typename Number>
std::enable_if_t<std::is_arithmetic_v<Number> || std::is_enum_v<Number>> put(corbel::cdr::Encoder& out,
                                                                             Number value) {
  out.copied_run<1>(reinterpret_cast<const char*>(&value), sizeof value);
}
void put(corbel::cdr::Encoder& out, const char* value) { out.put_string(value); }
void put(corbel::cdr::Encoder& out, const CORBA::WChar* value) { corbel::cpp::put_wstring(out, value); }
void put(corbel::cdr::Encoder& out, CORBA::TypeCode_ptr value) { corbel::cdr::marshal(out, value); }
void put(corbel::cdr::Encoder& out, CORBA::Object_ptr value) { corbel::cpp::put_object(out, value); }
template <typename T>
std::enable_if_t<std::is_class_v<T>> put(corbel::cdr::Encoder& out, const T& value) {
  marshal(out, value);
}
template <typename... T>
std::string octets_of(const T&... values) {
  corbel::cdr::Encoder out;
  out.reset();
  (put(out, values), ...);
  return out.error() ? "it cannot be sent" : std::string(out.data(), out.size());
}

template <typename G>
std::string numbers(G* it) {
  typename G::Colour a = G::green;
  CORBA::Double b = 0;
  const CORBA::Boolean r = it->give_numbers(a, b);
  return octets_of(r, a, b);
}
template <typename G>
std::string text(G* it) {
  CORBA::String_var a = CORBA::string_dup("a text that is sent"), b, r;
  r = it->give_text(a.inout(), b.out());
  return octets_of(r.in(), a.in(), b.in());
}
template <typename G>
std::string wide(G* it) {
  CORBA::WString_var a = CORBA::wstring_dup(L"a text"), b, r;
  r = it->give_wide(a.inout(), b.out());
  return octets_of(r.in(), a.in(), b.in());
}
template <typename G>
std::string flat(G* it) {
  typename G::Flat a{1, 2, true}, b{};
  const typename G::Flat r = it->give_flat(a, b);
  return octets_of(r, a, b);
}
template <typename G>
std::string texts(G* it) {
  typename G::Texts a;
  a.a = "a text that is longer than a member";
  typename G::Texts_var b, r;
  r = it->give_texts(a, b.out());
  return octets_of(r.in(), a, b.in());
}
template <typename G>
std::string octets(G* it) {
  typename G::Flats a;
  a.length(3);
  for (CORBA::ULong i = 0; i < 3; ++i) a[i] = {1, 2, true};
  typename G::Strings_var b;
  typename G::Octets_var r;
  r = it->give_octets(a, b.out());
  return octets_of(r.in(), a, b.in());
}
template <typename G>
std::string many(G* it) {
  typename G::Many a;
  a.length(2);
  a[1].a = "a text that is longer than a member";
  typename G::Octets_var b;
  typename G::Many_var r;
  r = it->give_many(a, b.out());
  return octets_of(r.in(), a, b.in());
}
template <typename G>
std::string choice(G* it) {
  typename G::Choice a;
  a.a("a text that is longer than a member");
  typename G::Choice_var b, r;
  r = it->give_choice(a, b.out());
  return octets_of(r.in(), a, b.in());
}
template <typename G>
std::string names(G* it) {
  typename G::Row a = {1, 2, 3};
  typename G::Names_var b, r;
  typename G::Names_slice* out = nullptr;
  r = it->give_names(a, out);
  b = out;
  return octets_of(r[0u].in(), r[1u].in(), a[0], a[1], a[2], b[0u].in(), b[1u].in());
}
template <typename G>
std::string anything(G* it) {
  CORBA::Any a;
  a <<= "a text";
  CORBA::TypeCode_var b;
  CORBA::Any_var r;
  r = it->give_anything(a, b.out());
  return octets_of(r.in(), a, b.in());
}
template <typename G>
std::string reference(G* it) {
  CORBA::Object_var a, b, r;
  r = it->give_reference(a.inout(), b.out());
  return octets_of(r.in(), a.in(), b.in());
}
// What its exception says.
template <typename G>
std::string refuse(G* it) {
  try {
    it->refuse();
  } catch (const typename G::Refused& e) {
    return octets_of(e.why.in(), e.c, e.d);
  }
  return "none";
}

// How a call ended; whether it did in the ordinary way.
template <typename Call, typename G>
std::string outcome(Call call, G* it, bool& good) {
  good = false;
  try {
    std::string octets = call(it);
    good = true;
    return octets;
  } catch (const CORBA::SystemException& e) {
    char minor[16];
    std::snprintf(minor, sizeof minor, "/%x", e.minor());
    return std::string(e._name()) + minor;
  }
}

class Results : public testing::TestWithParam<const char*> {
 protected:
  template <typename G>
  typename G::_var_type seen() {
    const PortableServer::ObjectId_var id = orbs.poa->servant_to_id(giver);
    const CORBA::Object_var local = orbs.poa->id_to_reference(id.in());
    const CORBA::String_var text = orbs.server->object_to_string(local);
    const CORBA::Object_var object = orbs.client->string_to_object(text);
    return G::_unchecked_narrow(object);
  }
  // Values of the types one after another, whole or with some octets changed, or cut short.
  template <typename OfCode, typename OfPrograms>
  void give(const std::vector<CORBA::TypeCode_ptr>& types, OfCode code, OfPrograms programs,
            const char* raised = nullptr) {
    constexpr std::uint32_t kRounds = 150;
    std::uint32_t taken = 0, refused = 0;
    for (std::uint32_t seed = 0; seed < kRounds; ++seed) {
      std::mt19937 random(seed);
      Wire wire(corbel::cdr::kHostIsLittleEndian);
      oracle::ValueWriter writer(wire, seed, {std::string(GetParam()) == "1.1", false});
      for (CORBA::TypeCode_ptr const type : types) writer.value(*type);
      std::string octets = wire.bytes.substr(0, 8192);
      for (auto n = random() % 4; n > 0; --n) octets[random() % octets.size()] = static_cast<char>(random());
      if (random() % 3 == 0) octets.resize(1 + random() % octets.size());
      if (raised) octets.insert(0, 3, '\0');  // behind the exception's id
      bool good = false, also_good = false;
      giver->give(octets, raised);
      const std::string first = outcome(code, of_code.in(), good);
      if (raised) giver->give(octets, "IDL:Programs/Refused:1.0");
      ASSERT_EQ(outcome(programs, of_programs.in(), also_good), first) << seed;
      ASSERT_EQ(good, also_good);
      ++(good ? taken : refused);
    }
    EXPECT_GT(taken, 0u);
    EXPECT_GT(refused, 0u);
  }
  TwoOrbs orbs{"pool", GetParam()};
  PortableServer::Servant_var<Giver> giver = [this] {
    auto* const made = new Giver(orbs.server);
    const PortableServer::ObjectId_var id = orbs.poa->activate_object(made);
    return made;
  }();
  Code_var of_code = seen<Code>();
  Programs_var of_programs = seen<Programs>();
};
INSTANTIATE_TEST_SUITE_P(Giop, Results, testing::Values("1.0", "1.1", "1.2"),
                         [](const auto& i) { return std::string("v1_") + i.param[2]; });

TEST_P(Results, OfNumbersAreTakenOrRefused) {
  give({CORBA::_tc_boolean, Code::_tc_Colour, CORBA::_tc_double}, numbers<Code>, numbers<Programs>);
}
TEST_P(Results, OfTextAreTakenOrRefused) {
  give({CORBA::_tc_string, CORBA::_tc_string, CORBA::_tc_string}, text<Code>, text<Programs>);
  if (GetParam() != std::string("1.0"))
    give({CORBA::_tc_wstring, CORBA::_tc_wstring, CORBA::_tc_wstring}, wide<Code>, wide<Programs>);
}
TEST_P(Results, OfStructuresAreTakenOrRefused) {
  give({Code::_tc_Flat, Code::_tc_Flat, Code::_tc_Flat}, flat<Code>, flat<Programs>);
  if (GetParam() != std::string("1.0"))
    give({Code::_tc_Texts, Code::_tc_Texts, Code::_tc_Texts}, texts<Code>, texts<Programs>);
  give({Code::_tc_Choice, Code::_tc_Choice, Code::_tc_Choice}, choice<Code>, choice<Programs>);
}
TEST_P(Results, OfSequencesAndArraysAreTakenOrRefused) {
  give({Code::_tc_Octets, Code::_tc_Flats, Code::_tc_Strings}, octets<Code>, octets<Programs>);
  if (GetParam() != std::string("1.0"))
    give({Code::_tc_Many, Code::_tc_Many, Code::_tc_Octets}, many<Code>, many<Programs>);
  give({Code::_tc_Names, Code::_tc_Row, Code::_tc_Names}, names<Code>, names<Programs>);
}
TEST_P(Results, OfAnysAndReferencesAreTakenOrRefused) {
  give({CORBA::_tc_any, CORBA::_tc_any, CORBA::_tc_TypeCode}, anything<Code>, anything<Programs>);
  give({CORBA::_tc_Object, CORBA::_tc_Object, CORBA::_tc_Object}, reference<Code>, reference<Programs>);
}
TEST_P(Results, OfExceptionsAreTakenOrRefused) {
  give({CORBA::_tc_string, Code::_tc_Colour, Code::_tc_Octets}, refuse<Code>, refuse<Programs>,
       "IDL:Code/Refused:1.0");
}

}  // namespace
