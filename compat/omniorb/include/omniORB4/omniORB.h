// Of namespace omniORB, what has a meaning here: logging, and the exception that programs catch.
#pragma once

#include <corbel/corba.h>

namespace omniORB {

// An inconsistency inside omniORB. Never raised here; programs catch it.
class fatalException {
 public:
  fatalException(const char* file, int line, const char* message)
      : file_(file), line_(line), message_(message) {}
  const char* file() const { return file_; }
  int line() const { return line_; }
  const char* errmsg() const { return message_; }

 private:
  const char* file_;
  int line_;
  const char* message_;
};

// How much of what the program logs is written. The ORB itself writes no log.
extern CORBA::ULong traceLevel;

// Gets each line instead of standard error; null ends that.
typedef void (*logFunction)(const char* line);
void setLogFunction(logFunction function);

// The program's own lines. Written if traceLevel is at least `level`.
void logs(int level, const char* line);
[[gnu::format(printf, 2, 3)]] void logf(int level, const char* format, ...);

}  // namespace omniORB
