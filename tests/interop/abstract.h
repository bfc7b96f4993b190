// Servants and values of Abs, for either ORB.
#pragma once

#include <string>

#include "abstract.any.h"
#include "abstract.skel.h"

class NoteValue : public virtual OBV_Abs::Note, public virtual CORBA::DefaultValueRefCountBase {
 public:
  char* describe(const char* how) override {
    if (!*how) throw Abs::Refused(4);
    return CORBA::string_dup((std::string("note, ") + how + ", " + text()).c_str());
  }
};
class NoteFactory : public CORBA::ValueFactoryBase {
 public:
  CORBA::ValueBase* create_for_unmarshal() override { return new NoteValue; }
};
inline void know_values(CORBA::ORB_ptr orb) {
  orb->register_value_factory("IDL:Abs/Note:1.0", new NoteFactory);
}

class ThingServant : public POA_Abs::Thing, public PortableServer::RefCountServantBase {
 public:
  char* describe(const char* how) override {
    if (!*how) throw Abs::Refused(3);
    return CORBA::string_dup((std::string("thing, ") + how).c_str());
  }
  CORBA::Long own() override { return 18; }
};

class AbstractServant : public POA_Abs::Server, public PortableServer::RefCountServantBase {
 public:
  explicit AbstractServant(Abs::Thing_ptr thing) : thing_(Abs::Thing::_duplicate(thing)) {}
  Abs::Described_ptr pass(Abs::Described_ptr a, Abs::Described_ptr& b, Abs::Described_out c) override {
    c = b;
    b = Abs::Described::_duplicate(a);
    return Abs::Described::_duplicate(a);
  }
  Abs::All* pass_all(const Abs::All& a) override { return new Abs::All(a); }
  CORBA::Any* pass_any(const CORBA::Any& a) override { return new CORBA::Any(a); }
  char* describe(Abs::Described_ptr a, Abs::Described_ptr b) override {
    CORBA::String_var first = a->describe("first"), second = b->describe("second");
    return CORBA::string_dup((std::string(first.in()) + "; " + second.in()).c_str());
  }
  Abs::Thing_ptr get_thing() override { return Abs::Thing::_duplicate(thing_.in()); }

 private:
  Abs::Thing_var thing_;
};
