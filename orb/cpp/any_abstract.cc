#include <corbel/cpp/any_abstract.h>

namespace CORBA {
namespace {

// An object of which no interface is known.
class PlainAbstract final : public virtual AbstractBase, public virtual Object {
 public:
  explicit PlainAbstract(corbel::core::Reference* reference) : Object(reference) {}
  void _corbel_add_ref() override { Object::_corbel_add_ref(); }
  void _corbel_remove_ref() override { Object::_corbel_remove_ref(); }
  Object_ptr _corbel_to_object() override { return this; }
};

constexpr corbel::cpp::AnyOperations kPlainOperations = {
    [](const void* value) -> void* {
      return new AbstractBase_var(*static_cast<const AbstractBase_var*>(value));
    },
    [](void* value) { delete static_cast<AbstractBase_var*>(value); },
    [](corbel::cdr::Encoder& out, const void* value) {
      corbel::cpp::put_abstract_base(out, static_cast<const AbstractBase_var*>(value)->in());
    },
    [](corbel::cdr::Decoder& in) -> void* {
      corbel::core::Reference* reference;
      ValueBase* value;
      if (!corbel::cpp::get_abstract_base(in, reference, value)) return nullptr;
      if (!value) return new AbstractBase_var(reference ? new PlainAbstract(reference) : nullptr);
      auto* const abstract = dynamic_cast<AbstractBase*>(value);
      if (abstract) return new AbstractBase_var(abstract);
      value->_remove_ref();
      return nullptr;
    }};

}  // namespace

Boolean Any::operator>>=(to_abstract_base to) const {
  if (corbel::types::resolve(type_)->kind != corbel::types::Kind::AbstractInterface) return false;
  const void* const found = _corbel_extract(*type_, kPlainOperations);
  if (!found) return false;
  to.ref = AbstractBase::_duplicate(static_cast<const AbstractBase_var*>(found)->in());
  return true;
}

}  // namespace CORBA
