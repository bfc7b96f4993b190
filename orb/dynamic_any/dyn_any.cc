// What all DynAnys do.
#include "orb/dynamic_any/dyn_any.h"

#include <corbel/cpp/exception.h>

#include "orb/dynamic_any/written.h"
#include "orb/types/compare.h"

namespace corbel::dynamic_any {

void raise_type_mismatch() { throw DynamicAny::DynAny::TypeMismatch(); }
void raise_invalid_value() { throw DynamicAny::DynAny::InvalidValue(); }

namespace {

// Numbers, strings and whatever else has operations of its own in every DynAny.
class Plain final : public Base {
 public:
  using Base::Base;
};

// Of values of one type that have not been taken to pieces: none is for this.
types::Comparison compare_octets(const Node& a, const Node& b) {
  const Octets *const x = a.octets(), *const y = b.octets();
  if (!x || !y) return types::Comparison::Unknown;
  cdr::Decoder in_x = x->decoder(nullptr), in_y = y->decoder(nullptr);
  return types::compare(in_x, in_y, a.type());
}

}  // namespace

DynamicAny::DynAny_ptr dyn_any_of(Node& node) {
  if (node.facade) return DynamicAny::DynAny::_duplicate(node.facade);
  Base* made = make_value(node);
  if (!made) made = make_constructed(node);
  return made ? made : new Plain(node);
}

void put(cdr::Encoder& out, DynamicAny::DynAny_ptr dyn_any) {
  if (!dyn_any) throw CORBA::BAD_PARAM();
  if (Base* const own = dynamic_cast<Base*>(dyn_any)) return own->node().write(out);
  const CORBA::Any_var any = dyn_any->to_any();
  any->_corbel_marshal_value(out);
}

bool is_of_type(DynamicAny::DynAny_ptr dyn_any, const CORBA::TypeCode& type) {
  if (!dyn_any) throw CORBA::BAD_PARAM();
  const CORBA::TypeCode_var other = dyn_any->type();
  return types::equivalent(*other.in(), type);
}

DynamicAny::DynAny_ptr create(core::Orb& orb, const CORBA::Any& any, bool* truncated) {
  const base::Ref<Tree> tree = base::Ref<Tree>::adopt(new Tree(orb));
  Node& root = tree->add_root(any._corbel_type());
  Octets octets;
  Reading reading;
  if (!octets_of(any, octets) || !root.replace(octets, &reading)) return nullptr;
  if (truncated) *truncated = reading.truncated || must_truncate(orb, any);
  return dyn_any_of(root);
}

bool must_truncate(core::Orb& orb, const CORBA::Any& any) {
  cdr::Decoder in;
  if (!any._corbel_opaque() || !any._corbel_octets(in)) return false;
  const cpp::ReadValues scope(in);
  const base::Ref<Tree> tree = base::Ref<Tree>::adopt(new Tree(orb));
  Reading reading;
  return tree->add_root(any._corbel_type()).read(in, reading.expect(in)) && reading.truncated;
}

CORBA::TypeCode_ptr Base::type() {
  return CORBA::TypeCode::_duplicate(const_cast<CORBA::TypeCode*>(&node().type()));
}

void Base::assign(DynamicAny::DynAny_ptr dyn_any) {
  if (!is_of_type(dyn_any, node().type())) raise_type_mismatch();
  const Octets octets = written([&](cdr::Encoder& out) { put(out, dyn_any); });
  if (!node().replace(octets)) raise_type_mismatch();
}

void Base::from_any(const CORBA::Any& value) {
  if (!types::equivalent(value._corbel_type(), node().type())) raise_type_mismatch();
  Octets octets;
  if (!octets_of(value, octets) || !node().replace(octets)) raise_invalid_value();
}

CORBA::Any* Base::to_any() {
  CORBA::Any_var any = new CORBA::Any;
  dynamic_any::to_any(node(), any.inout());
  return any._retn();
}

CORBA::Boolean Base::equal(DynamicAny::DynAny_ptr dyn_any) {
  if (!is_of_type(dyn_any, node().type())) return false;
  if (Base* const own = dynamic_cast<Base*>(dyn_any)) {
    const bool same_type = types::equal(node().type(), own->node().type());
    const types::Comparison octets =
        same_type ? compare_octets(node(), own->node()) : types::Comparison::Unknown;
    if (octets != types::Comparison::Unknown) return octets == types::Comparison::Equal;
    Compared compared;
    return node().equals(own->node(), same_type, compared);
  }
  const CORBA::Any_var any = dyn_any->to_any();
  const DynamicAny::DynAny_var other = create(tree_->orb(), any.in());
  return other.in() && equal(other.in());
}

void Base::destroy() {
  if (tree_->is_root(node())) tree_->destroy(*node_);
}

DynamicAny::DynAny_ptr Base::copy() {
  const base::Ref<Tree> tree = base::Ref<Tree>::adopt(new Tree(tree_->orb()));
  Node& root = tree->add_root(node().type());
  const Octets* const mine = node().octets();
  if (mine && mine->size() != 0) root.set(*mine);
  else if (!root.replace(written([&](cdr::Encoder& out) { node().write(out); }))) throw CORBA::INTERNAL();
  return dyn_any_of(root);
}

CORBA::Boolean Base::seek(CORBA::Long index) {
  node().set_position(index);
  return node().position() >= 0;
}

void Base::rewind() { (void)seek(0); }

CORBA::Boolean Base::next() {
  // From -1 the first one is next, as it is for other ORBs.
  node().set_position(std::int64_t{node().position()} + 1);
  return node().position() >= 0;
}

CORBA::ULong Base::component_count() { return node().count(); }

DynamicAny::DynAny_ptr Base::current_component() {
  if (!node().composite()) raise_type_mismatch();
  const std::int32_t at = node().position();
  return at < 0 ? DynamicAny::DynAny::_nil() : dyn_any_of(node().part(static_cast<std::uint32_t>(at)));
}

}  // namespace corbel::dynamic_any
