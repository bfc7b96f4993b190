// Anys and TypeCodes that no honest peer would send, as arguments, results and members of exceptions of
// generated code: refused with MARSHAL, and the next call is as good as any.
#include <functional>
#include <string>

#include "anything.skel.h"
#include "contract.any.h"
#include "outcomes.h"
#include "tests/calls/everything.h"
#include "tests/dynamic/raw.h"
#include "tests/unit/types/wire.h"

namespace {

enum : std::uint32_t {
  kLong = 3,
  kStruct = 15,
  kUnion = 16,
  kEnum = 17,
  kString = 18,
  kSequence = 19,
  kArray = 20,
  kAlias = 21,
  kExcept = 22,
  kIndirection = 0xffffffff
};

void names(Wire& wire, const char* id) {
  wire.text(id);
  wire.text("X");
}
void sequence_of_longs(Wire& wire) {
  const auto s = wire.open(kSequence);
  wire.put<std::uint32_t>(kLong);
  wire.put<std::uint32_t>(0);
  wire.close(s);
}
void two_colours(Wire& wire) {
  const auto e = wire.open(kEnum);
  names(wire, "IDL:Colour:1.0");
  wire.put<std::uint32_t>(2);
  wire.text("red");
  wire.text("green");
  wire.close(e);
}

void exception_of(Wire& wire, const std::function<void(Wire&)>& member_type) {
  const auto e = wire.open(kExcept);
  names(wire, "IDL:Bad:1.0");
  wire.put<std::uint32_t>(1);
  wire.text("member");
  member_type(wire);
  wire.close(e);
}

struct Case {
  const char* name;
  std::function<void(Wire&)> write;
};

const Case kBadTypes[] = {
    {"KindThatDoesNotExist", [](Wire& w) { w.put<std::uint32_t>(99); }},
    {"NoOctets", [](Wire& w) { w.put<std::uint8_t>(0); }},
    {"IndirectionBeforeTheMessage",
     [](Wire& w) {
       w.put<std::uint32_t>(kIndirection);
       w.put<std::int32_t>(-(1 << 30));
     }},
    {"IndirectionToItself",
     [](Wire& w) {
       w.put<std::uint32_t>(kIndirection);
       w.put<std::int32_t>(-4);
     }},
    {"IndirectionIntoTheRequestsHeader",
     [](Wire& w) {
       w.put<std::uint32_t>(kIndirection);
       w.put<std::int32_t>(-12);
     }},
    {"IndirectionBehindTheMessage",
     [](Wire& w) {
       w.put<std::uint32_t>(kIndirection);
       w.put<std::int32_t>(1 << 20);
     }},
    {"AliasOfItself",
     [](Wire& w) {
       const auto a = w.open(kAlias);
       names(w, "IDL:A:1.0");
       w.indirection(a.kind);
       w.close(a);
     }},
    {"StructInItself",
     [](Wire& w) {
       const auto s = w.open(kStruct);
       names(w, "IDL:S:1.0");
       w.put<std::uint32_t>(1);
       w.text("again");
       w.indirection(s.kind);
       w.close(s);
     }},
    {"UnionByItself",
     [](Wire& w) {
       const auto u = w.open(kUnion);
       names(w, "IDL:U:1.0");
       w.indirection(u.kind);
       w.put<std::int32_t>(-1);
       w.put<std::uint32_t>(0);
       w.close(u);
     }},
    {"BillionsOfMembers",
     [](Wire& w) {
       const auto s = w.open(kStruct);
       names(w, "IDL:S:1.0");
       w.put<std::uint32_t>(0xfffffff0);
       w.close(s);
     }},
    {"RepositoryIdWithoutAFormat",
     [](Wire& w) {
       const auto s = w.open(kStruct);
       names(w, "S");
       w.put<std::uint32_t>(0);
       w.close(s);
     }},
    {"RepositoryIdThatTakesLongToCompare",
     [](Wire& w) {
       const auto s = w.open(kStruct);
       names(w, ("IDL:" + std::string(16 * 1024, 'S') + ":1.0").c_str());
       w.put<std::uint32_t>(0);
       w.close(s);
     }},
    {"EncapsulationLongerThanTheMessage",
     [](Wire& w) {
       w.put<std::uint32_t>(kSequence);
       w.put<std::uint32_t>(0x7fffffff);
       w.put<std::uint32_t>(0);
     }},
    {"SequencesInEachOther",
     [](Wire& w) {
       std::function<void(int)> nest = [&](int levels) {
         if (levels == 0) return w.put<std::uint32_t>(kLong);
         const auto s = w.open(kSequence);
         nest(levels - 1);
         w.put<std::uint32_t>(0);
         w.close(s);
       };
       nest(2000);
     }},
};

// Of types that are good.
const Case kBadValues[] = {
    {"NoOctets", [](Wire& w) { sequence_of_longs(w); }},
    {"BillionsOfElements",
     [](Wire& w) {
       sequence_of_longs(w);
       w.put<std::uint32_t>(0xfffffff0);
       w.put<std::uint32_t>(1);
     }},
    {"FewerElementsThanItSays",
     [](Wire& w) {
       sequence_of_longs(w);
       w.put<std::uint32_t>(3);
       w.put<std::uint64_t>(0);
     }},
    {"LongArrayThatIsShort",
     [](Wire& w) {
       const auto a = w.open(kArray);
       w.put<std::uint32_t>(kLong);
       w.put<std::uint32_t>(0x40000000);
       w.close(a);
       w.put<std::uint64_t>(0);
     }},
    {"TextBeyondItsBound",
     [](Wire& w) {
       w.put<std::uint32_t>(kString);
       w.put<std::uint32_t>(4);
       w.text("12345");
     }},
    {"TextWithoutAnEnd",
     [](Wire& w) {
       w.put<std::uint32_t>(kString);
       w.put<std::uint32_t>(0);
       w.put<std::uint32_t>(4);
       w.put<std::uint32_t>(0x41414141);
     }},
    {"AnotherExceptionThanTheTypes",
     [](Wire& w) {
       exception_of(w, [](Wire& to) { to.put<std::uint32_t>(kLong); });
       w.text("IDL:Worse:1.0");
       w.put<std::uint32_t>(7);
     }},
    {"EnumeratorThatDoesNotExist",
     [](Wire& w) {
       two_colours(w);
       w.put<std::uint32_t>(2);
     }},
    {"DiscriminatorThatDoesNotExist",
     [](Wire& w) {
       const auto u = w.open(kUnion);
       names(w, "IDL:U:1.0");
       two_colours(w);
       w.put<std::int32_t>(-1);
       w.put<std::uint32_t>(1);
       w.put<std::uint32_t>(0);
       w.text("member");
       w.put<std::uint32_t>(kLong);
       w.close(u);
       w.put<std::uint32_t>(7);
       w.put<std::uint32_t>(0);
     }},
};

class Servant : public POA_Anything {
 public:
  CORBA::Any* pass(const CORBA::Any& a) override { return new CORBA::Any(a); }
  CORBA::TypeCode_ptr pass_type(CORBA::TypeCode_ptr a) override { return CORBA::TypeCode::_duplicate(a); }
};

std::string refused(CORBA::CompletionStatus completed, const std::function<void()>& call) {
  try {
    call();
  } catch (const CORBA::SystemException& e) {
    return e.completed() == completed ? e._name() : text_of(e);
  } catch (const CORBA::Exception& e) {
    return e._name();
  }
  return "taken";
}

class HostileAnys : public testing::Test {
 protected:
  template <typename Each>
  static void of_each_any(Each each) {
    for (const Case& c : kBadTypes) each(c);
    for (const Case& c : kBadValues) each(c);
  }
  static std::string octets_of(const Case& c) {
    Wire wire(corbel::cdr::kHostIsLittleEndian);
    c.write(wire);
    return wire.bytes;
  }
  Anything_var seen(PortableServer::Servant servant) {
    const PortableServer::ObjectId_var id = orbs.poa->activate_object(servant);
    const CORBA::Object_var local = orbs.poa->id_to_reference(id.in());
    const CORBA::String_var text = orbs.server->object_to_string(local);
    const CORBA::Object_var object = orbs.client->string_to_object(text);
    return Anything::_unchecked_narrow(object);
  }
  std::string sent(const char* operation, const Case& c) {
    return refused(CORBA::COMPLETED_NO, [&] {
      const CORBA::Request_var request = it->_request(operation);
      request->add_in_arg() = raw(orbs.client, octets_of(c));
      request->invoke();
      if (CORBA::Exception* const raised = request->env()->exception()) raised->_raise();
    });
  }
  static void expect_good(Anything_ptr object) {
    CORBA::Any any;
    any <<= CORBA::Long{7};
    const CORBA::Any_var back = object->pass(any);
    EXPECT_EQ(7, value_of<CORBA::Long>(back.in()));
  }
  TwoOrbs orbs;
  PortableServer::Servant_var<Servant> servant = new Servant;
  PortableServer::Servant_var<Giver> giver = new Giver(orbs.server);
  Anything_var it = seen(servant), giving = seen(giver);
  CORBA::Any nothing;
};

// The same way with nothing wrong.
TEST_F(HostileAnys, GoodOnesAreTaken) {
  const Case good{"Good", [](Wire& w) {
                    sequence_of_longs(w);
                    w.put<std::uint32_t>(2);
                    w.put<std::uint64_t>(0);
                  }};
  EXPECT_EQ("taken", sent("pass", good));
  EXPECT_EQ("taken", sent("pass_type", good));
  giver->give(octets_of(good));
  EXPECT_EQ("taken", refused(CORBA::COMPLETED_YES, [&] { CORBA::Any_var(giving->pass(nothing)); }));
  giver->give(octets_of(good), "IDL:Bad:1.0");
  EXPECT_EQ("Bad", refused(CORBA::COMPLETED_YES, [&] { CORBA::Any_var(giving->pass(nothing)); }));
}

// omniORB writes an exception's members only, and a text may look like the id of another.
TEST_F(HostileAnys, ExceptionsWithoutTheirIdsAreTaken) {
  const Case number{"Number", [](Wire& w) {
                      exception_of(w, [](Wire& to) { to.put<std::uint32_t>(kLong); });
                      w.put<std::uint32_t>(7);
                    }};
  const Case text{"Text", [](Wire& w) {
                    exception_of(w, [](Wire& to) {
                      to.put<std::uint32_t>(kString);
                      to.put<std::uint32_t>(0);
                    });
                    w.text("IDL:Worse:1.0");
                  }};
  EXPECT_EQ("taken", sent("pass", number));
  EXPECT_EQ("taken", sent("pass", text));
}

TEST_F(HostileAnys, AsArgumentsAreRefused) {
  of_each_any([&](const Case& c) {
    EXPECT_EQ("MARSHAL", sent("pass", c)) << c.name;
    expect_good(it);
  });
}

TEST_F(HostileAnys, AsResultsAreRefused) {
  of_each_any([&](const Case& c) {
    giver->give(octets_of(c));
    EXPECT_EQ("MARSHAL", refused(CORBA::COMPLETED_YES, [&] { CORBA::Any_var(giving->pass(nothing)); }))
        << c.name;
    expect_good(it);
  });
}

TEST_F(HostileAnys, AsMembersOfExceptionsAreRefused) {
  of_each_any([&](const Case& c) {
    giver->give(octets_of(c),
                "IDL:Bad:1.0");  // with its length and its end 16 octets, so that all are aligned
    EXPECT_EQ("MARSHAL", refused(CORBA::COMPLETED_YES, [&] { CORBA::Any_var(giving->pass(nothing)); }))
        << c.name;
    expect_good(it);
  });
}

TEST_F(HostileAnys, TypesAsArgumentsAreRefused) {
  for (const Case& c : kBadTypes) {
    EXPECT_EQ("MARSHAL", sent("pass_type", c)) << c.name;
    expect_good(it);
  }
}

TEST_F(HostileAnys, TypesAsResultsAreRefused) {
  for (const Case& c : kBadTypes) {
    giver->give(octets_of(c));
    EXPECT_EQ("MARSHAL",
              refused(CORBA::COMPLETED_YES, [&] { CORBA::TypeCode_var(giving->pass_type(CORBA::_tc_long)); }))
        << c.name;
    expect_good(it);
  }
}

}  // namespace
