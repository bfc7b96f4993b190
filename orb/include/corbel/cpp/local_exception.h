// User exceptions of the ORB's own interfaces.
#pragma once

#include <corbel/cpp/exception.h>

namespace corbel::cpp {

// Self names itself by kName and kId. Without members.
template <typename Self>
class LocalException : public CORBA::UserException {
 public:
  static Self* _downcast(CORBA::Exception* exception) { return dynamic_cast<Self*>(exception); }
  static const Self* _downcast(const CORBA::Exception* exception) {
    return dynamic_cast<const Self*>(exception);
  }
  static Self* _narrow(CORBA::Exception* exception) { return _downcast(exception); }
  [[noreturn]] void _raise() const override { throw static_cast<const Self&>(*this); }
  const char* _name() const override { return Self::kName; }
  const char* _rep_id() const override { return Self::kId; }
  CORBA::Exception* _corbel_duplicate() const override { return new Self(static_cast<const Self&>(*this)); }
  void _marshal_members(cdr::Encoder&) const override {}
};

}  // namespace corbel::cpp
