// Linked into programs that were written without compression: their omniORB has it then, where its transport
// rules have the word "ziop", too.
#include <omniORB4/CORBA.h>
#include <omniORB4/omniZIOP.h>

namespace {
[[maybe_unused]] const bool used = (omniZIOP::setGlobalPolicies(CORBA::PolicyList()), true);
}  // namespace
