#include <corbel/cpp/any_value.h>

namespace CORBA {

using corbel::cpp::AnyOperations;
using corbel::types::Kind;

namespace {

// Of whatever class; what it is declared as is said by the TypeCode.
constexpr AnyOperations kAnyValueOperations = {
    [](const void* value) -> void* { return new ValueBase_var(*static_cast<const ValueBase_var*>(value)); },
    [](void* value) { delete static_cast<ValueBase_var*>(value); },
    [](corbel::cdr::Encoder& out, const void* value) {
      corbel::cpp::put_value_base(out, static_cast<const ValueBase_var*>(value)->in(),
                                  corbel::tc::_tc_ValueBase.id());
    },
    nullptr,
    nullptr,
    [](const void* value) -> ValueBase* { return static_cast<const ValueBase_var*>(value)->in(); }};

}  // namespace

void operator<<=(Any& any, ValueBase* value) {
  any._corbel_adopt(*_tc_ValueBase, new ValueBase_var(ValueBase::_duplicate(value)), kAnyValueOperations);
}
void operator<<=(Any& any, ValueBase** value) {
  any._corbel_adopt(*_tc_ValueBase, new ValueBase_var(*value), kAnyValueOperations);
}
Boolean operator>>=(const Any& any, ValueBase*& value) {
  return any._corbel_value(*_tc_ValueBase, kAnyValueOperations, value);
}

Boolean Any::operator>>=(to_value to) const {
  const Kind kind = corbel::types::resolve(type_)->kind;
  ValueBase* value;
  if (kind != Kind::Value && kind != Kind::Event && kind != Kind::ValueBox) return false;
  if (!_corbel_value(*type_, kAnyValueOperations, value)) return false;
  to.ref = ValueBase::_duplicate(value);
  return true;
}

}  // namespace CORBA
