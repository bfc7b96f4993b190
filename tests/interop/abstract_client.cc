// abstract_client IOR HOST:PORT GIOP-VERSION calls every operation of an Abs::Server of either ORB and checks
// the answers; exits with 0 if all were right.
#include <cstring>
#include <iostream>

#include "tests/interop/abstract.h"

namespace {

int failures = 0;

void check(bool right, const char* what) {
  if (right) return;
  std::cerr << "wrong: " << what << '\n';
  ++failures;
}

bool says(Abs::Described_ptr d, const char* text) {
  CORBA::String_var said = d->describe("so");
  return std::strcmp(said.in(), text) == 0;
}

Abs::Note* note(const char* text) {
  auto* const n = new NoteValue;
  n->text(text);
  return n;
}

void run(Abs::Server_ptr it) {
  Abs::Thing_var thing = it->get_thing();
  Abs::Note_var value = note("one");
  Abs::Described_var b = Abs::Described::_duplicate(value.in()), c;
  Abs::Described_var r = it->pass(thing.in(), b.inout(), c.out());
  check(says(r.in(), "thing, so") && says(b.in(), "thing, so"), "object");
  check(says(c.in(), "note, so, one"), "value");
  CORBA::Object_var object = r->_to_object();
  check(object->_is_equivalent(thing.in()), "_to_object");
  Abs::Thing_var again = Abs::Thing::_narrow(object.in());
  check(again->own() == 18, "narrowed object");
  try {
    CORBA::String_var nothing = r->describe("");
    check(false, "exception");
  } catch (const Abs::Refused& e) {
    check(e.code == 3, "exception's code");
  }
  Abs::Described_var nil = it->pass(Abs::Described::_nil(), b.inout(), c.out());
  check(CORBA::is_nil(nil.in()), "nil");

  Abs::All all;
  all.length(3);
  all[0] = Abs::Described::_duplicate(thing.in());
  all[1] = Abs::Described::_duplicate(value.in());
  all[2] = Abs::Described::_duplicate(value.in());
  Abs::All_var back = it->pass_all(all);
  check(back->length() == 3 && says(back[0u], "thing, so") && says(back[1u], "note, so, one"), "sequence");
  check(says(back[2u], "note, so, one"), "shared value");
  CORBA::String_var text = it->describe(thing.in(), value.in());
  check(std::strcmp(text.in(), "thing, first; note, second, one") == 0, "calls by the server");

  CORBA::Any any;
  any <<= static_cast<Abs::Described_ptr>(value.in());
  CORBA::Any_var passed = it->pass_any(any);
  Abs::Described_ptr found = nullptr;
  check((passed.in() >>= found) && found && says(found, "note, so, one"), "value in any");
  any <<= static_cast<Abs::Described_ptr>(thing.in());
  passed = it->pass_any(any);
  check((passed.in() >>= found) && found && says(found, "thing, so"), "object in any");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    know_values(orb.in());
    if (argc != 4) return 2;
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Abs::Server_var it = Abs::Server::_narrow(object.in());
    if (CORBA::is_nil(it.in())) return 2;
    run(it.in());
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "client: " << e._rep_id() << '\n';
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
