#include "compiler/aoi/aoi.h"

namespace corbel::idl::aoi {
namespace {

class Visit {
 public:
  explicit Visit(const std::function<void(const Type&)>& use) : use_(use) {}

  void declaration(const Decl& d) {
    switch (d.kind) {
      case Decl::Kind::Struct:
        return fields(static_cast<const Struct&>(d).fields);
      case Decl::Kind::Exception:
        return fields(static_cast<const Exception&>(d).fields);
      case Decl::Kind::Union:
        type(static_cast<const Union&>(d).discriminator);
        for (const Union::Case& c : static_cast<const Union&>(d).cases) type(c.field.type);
        return;
      case Decl::Kind::Typedef:
        return type(static_cast<const Typedef&>(d).type);
      case Decl::Kind::ValueBox:
        return type(static_cast<const ValueBox&>(d).type);
      case Decl::Kind::Constant:
        return type(static_cast<const Constant&>(d).type);
      case Decl::Kind::Interface:
        return members(static_cast<const Interface&>(d).members);
      case Decl::Kind::Home:
        for (const Home::Maker& m : static_cast<const Home&>(d).makers) parameters(m.parameters);
        return members(static_cast<const Home&>(d).members);
      case Decl::Kind::Component:
      case Decl::Kind::Connector:
      case Decl::Kind::PortType:
        for (const Attribute* a : static_cast<const Component&>(d).attributes) type(a->type);
        return;
      case Decl::Kind::Value:
        for (const Value::Member& m : static_cast<const Value&>(d).members) {
          if (const auto* const* s = std::get_if<const Value::State*>(&m)) type((*s)->field.type);
          if (const auto* const* f = std::get_if<const Value::Factory*>(&m)) parameters((*f)->parameters);
          if (const auto* const* o = std::get_if<const Operation*>(&m)) operation(**o);
          if (const auto* const* a = std::get_if<const Attribute*>(&m)) type((*a)->type);
        }
        return;
      default:
        return;
    }
  }

 private:
  void type(const Type* t) {
    for (; t; t = t->element) {
      use_(*t);
      if (t->key) type(t->key);
    }
  }
  void fields(const std::vector<Field>& all) {
    for (const Field& f : all) type(f.type);
  }
  void parameters(const std::vector<Parameter>& all) {
    for (const Parameter& p : all) type(p.type);
  }
  void operation(const Operation& o) {
    type(o.result);
    parameters(o.parameters);
  }
  void members(const std::vector<Interface::Member>& all) {
    for (const Interface::Member& m : all) {
      if (const auto* const* o = std::get_if<const Operation*>(&m)) operation(**o);
      if (const auto* const* a = std::get_if<const Attribute*>(&m)) type((*a)->type);
    }
  }

  const std::function<void(const Type&)>& use_;
};

}  // namespace

void for_each_type(const Decl& decl, const std::function<void(const Type&)>& use) {
  Visit(use).declaration(decl);
}

}  // namespace corbel::idl::aoi
