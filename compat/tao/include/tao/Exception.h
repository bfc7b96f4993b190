// CORBA::Exception, with what TAO adds: _info() and output to streams.
#pragma once

#include <corbel/corba.h>

#include <ostream>
#include <string>
#include <utility>

namespace corbel::cpp {

// What _info() gives: a text that may be taken as a string, or by c_str().
class ExceptionInfo : public std::string {
 public:
  ExceptionInfo(std::string text) : std::string(std::move(text)) {}
};

}  // namespace corbel::cpp

namespace CORBA {

inline std::ostream& operator<<(std::ostream& out, const Exception& exception) {
  return out << exception._name() << " (" << exception._rep_id() << ')';
}
inline std::ostream& operator<<(std::ostream& out, const Exception* exception) { return out << *exception; }

}  // namespace CORBA
