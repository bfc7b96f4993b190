// Servant, values and factories of Deep.
#pragma once

#include <mutex>

#include "deep.any.h"
#include "deep.skel.h"

namespace deep {

class Blob : public virtual OBV_Deep::Blob, public virtual CORBA::DefaultValueRefCountBase {
 public:
  void marshal(CORBA::DataOutputStream& out) override {
    out.write_octet(7);
    out.write_string(b());
    out.write_long(a());
    out.write_double(a() / 4.0);
  }
  void unmarshal(CORBA::DataInputStream& in) override {
    const CORBA::Octet seven = in.read_octet();
    CORBA::String_var text = in.read_string();
    b(text.in());
    a(in.read_long());
    if (seven != 7 || in.read_double() != a() / 4.0) throw CORBA::MARSHAL();
  }
  CORBA::ValueBase* _copy_value() override { return nullptr; }
};
class Pair : public virtual OBV_Deep::Pair {
 public:
  static Deep::Pair* of(CORBA::Long a, const char* b, const Deep::Texts& c) {
    auto* const pair = new Pair;
    pair->a(a), pair->b(b), pair->c(c);
    return pair;
  }
  static bool holds(Deep::Pair* pair, CORBA::Long a) {
    auto* const mine = dynamic_cast<Pair*>(pair);
    return mine && mine->a() == a;
  }
};
class Graph : public virtual OBV_Deep::Graph {};

template <typename Value>
class Factory : public CORBA::ValueFactoryBase {
 public:
  CORBA::ValueBase* create_for_unmarshal() override { return new Value; }
};

inline void know_values(CORBA::ORB_ptr orb) {
  CORBA::ValueFactoryBase_var replaced = orb->register_value_factory("IDL:Deep/Blob:1.0", new Factory<Blob>);
  replaced = orb->register_value_factory("IDL:Deep/Pair:1.0", new Factory<Pair>);
  replaced = orb->register_value_factory("IDL:Deep/Graph:1.0", new Factory<Graph>);
}

template <typename V>
V* given(V* value) {
  CORBA::add_ref(value);
  return value;
}

class ExchangeServant : public POA_Deep::Exchange {
 public:
  CORBA::Any* held() override {
    const std::lock_guard lock(mutex_);
    return new CORBA::Any(held_);
  }
  void held(const CORBA::Any& value) override {
    const std::lock_guard lock(mutex_);
    held_ = value;
  }
  void note(const CORBA::Any& what) override { held(what); }
  CORBA::Any* pass(CORBA::Octet o, const CORBA::Any& a, CORBA::Short, CORBA::Any& b, CORBA::Octet_out p,
                   CORBA::Any_out c) override {
    p = o;
    return give(a, b, c);
  }
  Deep::Item* pass_item(const Deep::Item& a, Deep::Item& b, Deep::Item_out c) override {
    return give(a, b, c);
  }
  Deep::Texts* pass_texts(const Deep::Texts& a, Deep::Texts& b, Deep::Texts_out c) override {
    return give(a, b, c);
  }
  Deep::Wide* pass_wide(const Deep::Wide& a, Deep::Wide& b, Deep::Wide_out c) override {
    return give(a, b, c);
  }
  Deep::Blob* pass_blob(Deep::Blob* a, Deep::Blob*& b, Deep::Blob_out c) override { return turn(a, b, c); }
  Deep::Pair* pass_pair(Deep::Pair* a, Deep::Pair*& b, Deep::Pair_out c) override { return turn(a, b, c); }
  Deep::Numbers* pass_numbers(Deep::Numbers* a) override { return given(a); }
  Deep::Text* pass_text(Deep::Text* a) override { return given(a); }
  Deep::Graph* pass_graph(Deep::Graph* a) override { return given(a); }
  CORBA::TypeCode_ptr pass_type(CORBA::TypeCode_ptr a) override { return CORBA::TypeCode::_duplicate(a); }
  void refuse(const CORBA::Any& what, CORBA::TypeCode_ptr type, Deep::Pair* value) override {
    throw Deep::Carrying(what, type, value);
  }

 private:
  template <typename T, typename Out>
  static T* give(const T& a, T& b, Out& c) {
    c = new T(b);
    b = a;
    return new T(a);
  }
  template <typename V, typename Out>
  static V* turn(V* a, V*& b, Out& c) {
    c = b;
    b = given(a);
    return given(a);
  }
  std::mutex mutex_;
  CORBA::Any held_;
};

}  // namespace deep
