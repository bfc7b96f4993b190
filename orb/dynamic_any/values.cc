// DynAnys of valuetypes and boxes.
#include "orb/dynamic_any/members.h"

namespace corbel::dynamic_any {
namespace {

// set_to_null and its like, for a class that derives from Base.
void make_null(Node& node) {
  node.set_state(nullptr);
  (void)node.set_to_default();
}
State* make_state(Node& node) {
  const types::TypeCode& t = node.resolved();
  const types::TypeCode& any_value = *CORBA::_tc_ValueBase;
  if (t.kind != Kind::ValueBox && (t.special == CORBA::VM_CUSTOM || t.special == CORBA::VM_ABSTRACT ||
                                   std::strcmp(t.id, any_value.id) == 0))
    cpp::raise({SystemErrorId::NO_IMPLEMENT, Completion::No, 0,
                "the state of a custom or an abstract valuetype, or of any, is known to its class only"});
  return new State(node.tree(), node.resolved());
}
void make_not_null(Node& node) {
  if (node.is_null()) node.set_state(make_state(node));
}

// Around the state of one value in octets of its own.
struct Header {
  const State& like;
  void operator()(cdr::Encoder& out) const {
    const types::TypeCode& t = like.type();
    cdr::values_of(out).begin({t.id}, false);
  }
};
void end(cdr::Encoder& out) { cdr::values_of(out).end(); }

class Value final : public Base, public virtual DynamicAny::DynValue {
 public:
  using Base::Base;

  CORBA::Boolean is_null() override { return node().is_null(); }
  void set_to_null() override { make_null(node()); }
  void set_to_value() override { make_not_null(node()); }

  char* current_member_name() override { return CORBA::string_dup(current(node(), members()).name); }
  CORBA::TCKind current_member_kind() override { return kind_of(*current(node(), members()).type); }
  DynamicAny::NameValuePairSeq* get_members() override {
    if (!node().state()) raise_invalid_value();
    return members_of(node(), members());
  }
  DynamicAny::NameDynAnyPairSeq* get_members_as_dyn_any() override {
    if (!node().state()) raise_invalid_value();
    return dyn_members_of(node(), members());
  }
  void set_members(const DynamicAny::NameValuePairSeq& value) override { set(value); }
  void set_members_as_dyn_any(const DynamicAny::NameDynAnyPairSeq& value) override { set(value); }

 private:
  const types::Member* members() const {
    State* const s = node().state();
    return s ? s->members().data() : nullptr;
  }
  template <typename Seq>
  void set(const Seq& value) {
    const base::Ref<State> like = base::Ref<State>::adopt(make_state(node()));
    put_members(node(), value, like->members().data(), like->members().size(), Header{*like}, end);
  }
};

class ValueBox final : public Base, public virtual DynamicAny::DynValueBox {
 public:
  using Base::Base;

  CORBA::Boolean is_null() override { return node().is_null(); }
  void set_to_null() override { make_null(node()); }
  void set_to_value() override { make_not_null(node()); }

  CORBA::Any* get_boxed_value() override {
    if (!node().state()) raise_invalid_value();
    CORBA::Any_var any = new CORBA::Any;
    node().part_to_any(0, any.inout());
    return any._retn();
  }
  DynamicAny::DynAny_ptr get_boxed_value_as_dyn_any() override {
    if (!node().state()) raise_invalid_value();
    return dyn_any_of(node().part(0));
  }
  void set_boxed_value(const CORBA::Any& boxed) override {
    DynamicAny::AnySeq one;
    one.length(1);
    one[0] = boxed;
    set(one);
  }
  void set_boxed_value_as_dyn_any(DynamicAny::DynAny_ptr boxed) override {
    DynamicAny::DynAnySeq one;
    one.length(1);
    one[0] = DynamicAny::DynAny::_duplicate(boxed);
    set(one);
  }

 private:
  template <typename Seq>
  void set(const Seq& one) {
    const base::Ref<State> like = base::Ref<State>::adopt(make_state(node()));
    check(one[0], *like->members()[0].type);
    put_all(
        node(), one, Header{*like}, [](const auto& value) -> decltype(auto) { return (value); }, end);
  }
};

}  // namespace

Base* make_value(Node& node) {
  switch (node.kind()) {
    case Kind::Value:
    case Kind::Event:
      return new Value(node);
    case Kind::ValueBox:
      return new ValueBox(node);
    default:
      return nullptr;
  }
}

}  // namespace corbel::dynamic_any
