// Calls operations of an Everything of either ORB and checks the answers; exits with 0 if all were right.
#include <cstring>
#include <iostream>
#include <string>

#include "tests/calls/everything.h"

namespace {

int failures = 0;

void check(bool right, const char* what) {
  if (right) return;
  std::cerr << "wrong: " << what << '\n';
  ++failures;
}

void scalars(Contract::Everything_ptr e) {
  CORBA::Long m = 41;
  CORBA::Double n = 0;
  const CORBA::LongLong sum = e->numbers(-1, 2, -3, 4, -5, 6, 0.5F, 0.25, 7, 'A', true, m, n);
  check(sum == -1 + 2 - 3 + 4 - 5 + 6 + 7 + 'A' + 1 && m == 42 && n == 0.75, "numbers");
  e->label("set");
  CORBA::String_var label = e->label();
  check(e->count() == 7 && std::strcmp(label.in(), "set") == 0, "attributes");
  check(e->minus(5) == 4 && e->plus(5) == 6, "inherited operations");
  Contract::Color b = Contract::green, c = Contract::red;
  check(e->give_color(Contract::blue, b, c) == Contract::blue && b == Contract::blue && c == Contract::green,
        "enum");
}

void strings_and_sequences(Contract::Everything_ptr e) {
  std::string all;
  for (int i = 1; i < 256; ++i) all += static_cast<char>(i);
  CORBA::String_var b = CORBA::string_dup("before"), c, result;
  result = e->text(all.c_str(), b.inout(), c.out());
  check(all == result.in() && all == b.in() && std::strcmp(c.in(), "before") == 0,
        "string of all characters");
  Contract::Longs in, inout;
  in.length(100000);  // far above what omniORB sends in one fragment
  for (CORBA::ULong i = 0; i < in.length(); ++i) in[i] = static_cast<CORBA::Long>(i * 3);
  inout.length(1);
  Contract::Longs_var out, longs;
  longs = e->give_longs(in, inout, out.out());
  check(longs->length() == 100000 && inout.length() == 100000 && out->length() == 1,
        "lengths of long sequences");
  for (CORBA::ULong i = 0; i < in.length() && i < longs->length(); ++i) {
    if (longs[i] != in[i]) return check(false, "long sequence");
  }
}

void structs_and_unions(Contract::Everything_ptr e) {
  const Contract::Point a{-1, 'x', 70000, 200, 0.125};
  Contract::Point b{2, 'y', 3, 4, 5}, c{};
  const Contract::Point point = e->give_point(a, b, c);
  check(point.y == 70000 && b.z == 0.125 && c.tag == 'y', "fixed struct");
  Contract::Value text, number;
  text.text("in the union");
  number.number(12);
  Contract::Value_var out, value;
  value = e->give_value(text, number, out.out());
  check(value->_d() == Contract::green && std::strcmp(value->text(), "in the union") == 0, "union");
  check(out->_d() == Contract::red && out->number() == 12, "union, out");
  Contract::Tree tree;
  tree.label = 1;
  tree.children.length(1);
  tree.children[0].label = 2;
  Contract::Tree_var back = e->give_tree(tree);
  check(back->children.length() == 1 && back->children[0].label == 2, "recursive struct");
}

void exceptions_and_oneways(Contract::Everything_ptr e) {
  try {
    e->refuse(9);
    check(false, "no user exception");
  } catch (const Contract::Refused& refused) {
    check(refused.code == 9 && std::strcmp(refused.why.in(), "because") == 0,
          "members of the user exception");
  }
  try {
    e->fail();
    check(false, "no system exception");
  } catch (const CORBA::NO_PERMISSION& error) {
    check(error.minor() == 5 && error.completed() == CORBA::COMPLETED_YES, "system exception");
  }
  e->note(4);
  bool noted = false;  // a server may take requests of one connection out of order
  for (int i = 0; i < 1000 && !noted; ++i) noted = e->noted() == 4;
  check(noted, "oneway");
}

void references(CORBA::ORB_ptr orb, Contract::Everything_ptr e) {
  PortableServer::POA_var poa = TwoOrbs::activate(orb);
  auto* const servant = new CallbackServant;
  PortableServer::ServantBase_var owner(servant);
  Contract::Callback_var callback = servant->_this();
  check(e->call_back(callback.in(), 20) == 41, "callback");
  check(!e->_non_existent() && e->_is_a("IDL:Contract/Base:1.0"), "questions about the object");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) return 2;
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Contract::Everything_var everything = Contract::Everything::_narrow(object.in());
    if (CORBA::is_nil(everything.in())) return 2;
    scalars(everything.in());
    strings_and_sequences(everything.in());
    structs_and_unions(everything.in());
    exceptions_and_oneways(everything.in());
    references(orb.in(), everything.in());
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "client: " << e._rep_id() << '\n';
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
