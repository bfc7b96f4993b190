// Values that are servants, too (OMG C++ mapping 1.3, "Reference Counting Mix-in Classes"). Included by
// generated skeletons of contracts with values that support interfaces.
#pragma once

#include <corbel/cpp/servant.h>
#include <corbel/cpp/value.h>

namespace PortableServer {

// Counting for classes that derive from a value's class and from a skeleton: one count for both. Best named
// first among the bases: else g++ calls its functions ambiguous where an object of the derived class itself
// is counted.
class [[gnu::visibility("default")]] ValueRefCountBase : public virtual CORBA::DefaultValueRefCountBase,
                                                         public virtual ServantBase {
 public:
  void _add_ref() override { ServantBase::_add_ref(); }
  void _remove_ref() override { ServantBase::_remove_ref(); }
  CORBA::ULong _refcount_value() override { return ServantBase::_refcount_value(); }
  CORBA::ULong _refcount_value() const override { return ServantBase::_refcount_value(); }

 protected:
  ValueRefCountBase() = default;
  ValueRefCountBase(const ValueRefCountBase& other)
      : CORBA::ValueBase(other), CORBA::DefaultValueRefCountBase(other), ServantBase(other) {}
  ~ValueRefCountBase() override = default;
};

}  // namespace PortableServer
