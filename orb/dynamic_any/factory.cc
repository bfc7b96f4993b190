// The initial reference "DynAnyFactory".
#include "orb/cpp/initial_objects.h"
#include "orb/dynamic_any/dyn_any.h"
#include "orb/dynamic_any/written.h"
#include "orb/types/walk.h"

namespace corbel::dynamic_any {
namespace {

[[noreturn]] void raise_inconsistent() { throw DynamicAny::DynAnyFactory::InconsistentTypeCode(); }

void check(const CORBA::TypeCode& type) {
  if (!types::is_complete(type)) raise_inconsistent();
  switch (types::resolve(&type)->kind) {
    case Kind::Principal:
    case Kind::Native:
    case Kind::LocalInterface:
    case Kind::Recursive:
      raise_inconsistent();
    default:
      break;
  }
}

class Factory final : public virtual DynamicAny::DynAnyFactory {
 public:
  explicit Factory(core::Orb& orb) : orb_(base::Ref<core::Orb>::share(&orb)) {}

  DynamicAny::DynAny_ptr create_dyn_any(const CORBA::Any& value) override { return make(value, nullptr); }
  DynamicAny::DynAny_ptr create_dyn_any_without_truncation(const CORBA::Any& value) override {
    bool truncated = false;
    DynamicAny::DynAny_var made = make(value, &truncated);
    if (truncated) throw DynamicAny::MustTruncate();
    return made._retn();
  }
  DynamicAny::DynAny_ptr create_dyn_any_from_type_code(CORBA::TypeCode_ptr type) override {
    if (!type) throw CORBA::BAD_PARAM();
    check(*type);
    if (types::is_endless(*type)) raise_inconsistent();
    const base::Ref<Tree> tree = base::Ref<Tree>::adopt(new Tree(*orb_));
    Node& root = tree->add_root(*type);
    if (!root.set_to_default()) raise_inconsistent();
    return dyn_any_of(root);
  }

  // What is one value in several of the Anys is one in the DynAnys.
  DynamicAny::DynAnySeq* create_multiple_dyn_anys(const DynamicAny::AnySeq& values,
                                                  CORBA::Boolean allow_truncate) override {
    const CORBA::ULong n = values.length();
    std::vector<std::uint32_t> begins(n + 1);
    Octets octets;
    const auto put = [&](cdr::Encoder& out) {
      for (CORBA::ULong i = 0; i < n && !out.error(); ++i) {
        begins[i] = static_cast<std::uint32_t>(out.size());
        values[i]._corbel_marshal_value(out);
      }
      begins[n] = static_cast<std::uint32_t>(out.size());
    };
    bool truncated = false;
    for (CORBA::ULong i = 0; i < n; ++i) {
      check(values[i]._corbel_type());
      if (!allow_truncate) truncated |= must_truncate(*orb_, values[i]);
    }
    if (!try_written(put, octets)) raise_inconsistent();
    const base::Ref<Tree> tree = base::Ref<Tree>::adopt(new Tree(*orb_));
    std::vector<Node*> roots(n);
    types::MetValues met;
    {
      cdr::Decoder in = octets.decoder(orb_.get());
      const cpp::ReadValues scope(in);
      for (CORBA::ULong i = 0; i < n; ++i) {
        roots[i] = &tree->add_root(values[i]._corbel_type());
        if (!types::skip(in, roots[i]->type(), met)) raise_inconsistent();
      }
    }
    const bool apart = met.tags.empty() && !met.opaque;
    cdr::Decoder in = octets.decoder(orb_.get());
    const cpp::ReadValues scope(in);
    Reading reading;
    reading.expect(in);
    for (CORBA::ULong i = 0; i < n; ++i) {
      if (apart) roots[i]->set(octets.part(begins[i], begins[i + 1]));
      else if (!roots[i]->read(in, reading)) raise_inconsistent();
    }
    if ((truncated || reading.truncated) && !allow_truncate) throw DynamicAny::MustTruncate();
    DynamicAny::DynAnySeq_var made = new DynamicAny::DynAnySeq;
    made->length(n);
    for (CORBA::ULong i = 0; i < n; ++i) made[i] = dyn_any_of(*roots[i]);
    return made._retn();
  }

  DynamicAny::AnySeq* create_multiple_anys(const DynamicAny::DynAnySeq& values) override {
    const CORBA::ULong n = values.length();
    const Octets octets = written([&](cdr::Encoder& out) {
      for (CORBA::ULong i = 0; i < n && !out.error(); ++i) put(out, values[i].in());
    });
    cdr::Decoder in = octets.decoder(orb_.get());
    const cpp::ReadValues scope(in);
    DynamicAny::AnySeq_var made = new DynamicAny::AnySeq;
    made->length(n);
    for (CORBA::ULong i = 0; i < n; ++i) {
      const CORBA::TypeCode_var type = values[i]->type();
      if (!made[i]._corbel_unmarshal_value(in, *type.in())) throw CORBA::MARSHAL();
    }
    return made._retn();
  }

 private:
  DynamicAny::DynAny_ptr make(const CORBA::Any& value, bool* truncated) {
    check(value._corbel_type());
    DynamicAny::DynAny_ptr const made = create(*orb_, value, truncated);
    if (!made) raise_inconsistent();
    return made;
  }

  const base::Ref<core::Orb> orb_;
};

}  // namespace
}  // namespace corbel::dynamic_any

extern "C" {
constinit const corbel::cpp::InitialObject corbel_dyn_any_factory{
    "DynAnyFactory",
    [](corbel::core::Orb& orb) -> CORBA::Object_ptr { return new corbel::dynamic_any::Factory(orb); }};
}
