// Servants, values and factories of Rich, for either ORB.
#pragma once

#include <cstring>
#include <cwchar>
#include <set>
#include <string>

#include "rich.any.h"
#include "rich.skel.h"

template <typename State>
class Counted : public virtual State, public virtual CORBA::DefaultValueRefCountBase {};
typedef Counted<OBV_Rich::Node> NodeValue;
typedef Counted<OBV_Rich::Base> BaseValue;
typedef Counted<OBV_Rich::Derived> DerivedValue;

template <typename Value>
class Factory : public CORBA::ValueFactoryBase {
 public:
  CORBA::ValueBase* create_for_unmarshal() override { return new Value; }
};
template <typename Value>
void know(CORBA::ORB_ptr orb, const char* id) {
  orb->register_value_factory(id, new Factory<Value>);
}
inline void know_values(CORBA::ORB_ptr orb) {
  know<NodeValue>(orb, "IDL:Rich/Node:1.0");
  know<BaseValue>(orb, "IDL:Rich/Base:1.0");
}

template <typename V>
V* given(V* value) {
  CORBA::add_ref(value);
  return value;
}

// How many nodes there are; takes their circles apart.
inline CORBA::Long count_nodes(Rich::Node* a, Rich::Node* b) {
  std::set<Rich::Node*> seen;
  for (Rich::Node* first : {a, b})
    for (Rich::Node* n = first; n && seen.insert(n).second;) n = n->next();
  for (Rich::Node* n : seen) CORBA::add_ref(n);
  for (Rich::Node* n : seen) n->next(nullptr);
  for (Rich::Node* n : seen) CORBA::remove_ref(n);
  return static_cast<CORBA::Long>(seen.size());
}

class RichServant : public POA_Rich::Server, public PortableServer::RefCountServantBase {
 public:
  CORBA::Any* pass_any(const CORBA::Any& a, CORBA::Any& b, CORBA::Any_out c) override {
    c = new CORBA::Any(b);
    b = a;
    return new CORBA::Any(a);
  }
  CORBA::TypeCode_ptr pass_type(CORBA::TypeCode_ptr a) override { return CORBA::TypeCode::_duplicate(a); }
  CORBA::WChar pass_wchar(CORBA::WChar a, CORBA::WChar& b, CORBA::WChar_out c) override {
    c = b;
    b = a;
    return a;
  }
  CORBA::WChar* pass_wstring(const CORBA::WChar* a, CORBA::WChar*& b, CORBA::WString_out c) override {
    if (std::wcscmp(a, L"torn") == 0) {  // a large reply that cannot be marshaled to its end
      const CORBA::WChar half[] = {static_cast<CORBA::WChar>(0xd800), 0};
      c = CORBA::wstring_dup(half);
      return CORBA::wstring_dup(std::wstring(500'000, L'x').c_str());
    }
    c = CORBA::wstring_dup(b);
    CORBA::wstring_free(b);
    b = CORBA::wstring_dup(a);
    return CORBA::wstring_dup(a);
  }
  Rich::Money pass_money(const Rich::Money& a, Rich::Money& b, Rich::Money_out c) override {
    c = b;
    b = a;
    return a;
  }
  Rich::Node* pass_node(Rich::Node* a, Rich::Node*& b, Rich::Node_out c) override {
    c = b;
    b = given(a);
    return given(a);
  }
  CORBA::Long count(Rich::Node* a, Rich::Node* b) override { return count_nodes(a, b); }
  Rich::Base* pass_base(Rich::Base* a, Rich::Base* b) override {
    if (b) a->a(a->a() + b->a());
    return given(a);
  }
  Rich::Name* pass_name(Rich::Name* a) override { return given(a); }
};
