#include <tao/Exception.h>

#include <cstdio>

void CORBA::Exception::_tao_print_exception(const char* text) const {
  std::fprintf(stderr, "EXCEPTION, %s\n%s\n", text ? text : "", what());
}

corbel::cpp::ExceptionInfo CORBA::Exception::_info() const { return std::string(what()); }
