#include <corbel/cpp/any_abstract.h>

namespace CORBA {
namespace {

// Of whatever interface; the TypeCode says which.
constexpr corbel::cpp::AnyOperations kPlainOperations = {
    [](const void* value) -> void* {
      return new AbstractBase_var(*static_cast<const AbstractBase_var*>(value));
    },
    [](void* value) { delete static_cast<AbstractBase_var*>(value); },
    [](corbel::cdr::Encoder& out, const void* value) {
      corbel::cpp::put_abstract_base(out, static_cast<const AbstractBase_var*>(value)->in());
    },
    [](corbel::cdr::Decoder& in) -> void* {
      AbstractBase_var value;
      return corbel::cpp::get_abstract(in, value) ? new AbstractBase_var(value) : nullptr;
    },
    nullptr,
    nullptr,
    0,
    0,
    nullptr,
    [](const void* value) -> AbstractBase_ptr { return static_cast<const AbstractBase_var*>(value)->in(); }};

}  // namespace

Boolean Any::operator>>=(to_abstract_base to) const {
  if (corbel::types::resolve(type_)->kind != corbel::types::Kind::AbstractInterface) return false;
  if (AbstractBase_ptr value; _corbel_abstract(value)) {
    to.ref = AbstractBase::_duplicate(value);
    return true;
  }
  const void* const found = _corbel_extract(*type_, kPlainOperations);
  if (!found) return false;
  to.ref = AbstractBase::_duplicate(static_cast<const AbstractBase_var*>(found)->in());
  return true;
}

}  // namespace CORBA

namespace corbel::cpp {

void insert_abstract_base(CORBA::Any& any, CORBA::TypeCode& type, CORBA::AbstractBase_ptr adopted) {
  any._corbel_adopt(type, new CORBA::AbstractBase_var(adopted), CORBA::kPlainOperations);
}

}  // namespace corbel::cpp
