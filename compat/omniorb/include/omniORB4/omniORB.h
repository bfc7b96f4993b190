// Of namespace omniORB, what has a meaning here: settings of calls, handlers of failures, logging.
//
// All of it may be used by any thread at any time. What is set without naming an object or a thread holds for
// every ORB of the process, those to come included.
#pragma once

#include <corbel/corba.h>
#include <corbel/location_forward.h>
#include <omnithread.h>

#include <string>

namespace omniORB {

// Whose headers these are, and the version of omniORB whose interface they follow.
const char* versionString();
CORBA::ULong versionHex();

// ---- how long a call may take: milliseconds, 0 for as long as the next of the three lets it; that of the
// object goes before that of the calling thread, and that before the one for all. TIMEOUT is raised then, or
// TRANSIENT with -ORBthrowTransientOnTimeOut 1. References of one origin, as narrowed ones, share theirs.
void setClientCallTimeout(CORBA::ULong milliseconds);
void setClientCallTimeout(CORBA::Object_ptr object, CORBA::ULong milliseconds);
void setClientThreadCallTimeout(CORBA::ULong milliseconds);
// For all calls together, as omni_thread::get_time has it; 0, 0 ends it.
void setClientThreadCallDeadline(unsigned long seconds, unsigned long nanoseconds);
inline void setClientThreadCallDeadline(const omni_time_t& moment) {
  setClientThreadCallDeadline(moment.s, moment.ns);
}
// To set up a connection; the time of the call counts besides.
void setClientConnectTimeout(CORBA::ULong milliseconds);

// Thrown by an operation of a servant: the caller goes on with that object instead. Takes over the
// reference's count. What corbel::LocationForward says holds.
class LOCATION_FORWARD : public corbel::LocationForward {
 public:
  explicit LOCATION_FORWARD(CORBA::Object_ptr object, CORBA::Boolean permanent = false)
      : LocationForward(CORBA::Object_var(object).in(), permanent) {}
  CORBA::Object_ptr get_obj() const { return target(); }  // belongs to the exception
  CORBA::Boolean is_permanent() const { return permanent(); }
};

// What the ORB takes at most; that of the options if there is no ORB.
CORBA::ULong giopMaxMsgSize();

// ---- handlers of failed calls: true has the call made again, false has the exception raised, as it is where
// nobody handles it. That for the object goes before that for all; null takes one away. One may throw.
typedef CORBA::Boolean (*transientExceptionHandler_t)(void* cookie, CORBA::ULong retries,
                                                      const CORBA::TRANSIENT& exception);
typedef CORBA::Boolean (*timeoutExceptionHandler_t)(void* cookie, CORBA::ULong retries,
                                                    const CORBA::TIMEOUT& exception);
typedef CORBA::Boolean (*commFailureExceptionHandler_t)(void* cookie, CORBA::ULong retries,
                                                        const CORBA::COMM_FAILURE& exception);
// Of all the others.
typedef CORBA::Boolean (*systemExceptionHandler_t)(void* cookie, CORBA::ULong retries,
                                                   const CORBA::SystemException& exception);
// These are told of the object and the operation, too.
typedef CORBA::Boolean (*transientExceptionHandlerExt_t)(void* cookie, CORBA::ULong retries,
                                                         const CORBA::TRANSIENT& exception,
                                                         CORBA::Object_ptr object, const char* operation);
typedef CORBA::Boolean (*timeoutExceptionHandlerExt_t)(void* cookie, CORBA::ULong retries,
                                                       const CORBA::TIMEOUT& exception,
                                                       CORBA::Object_ptr object, const char* operation);
typedef CORBA::Boolean (*commFailureExceptionHandlerExt_t)(void* cookie, CORBA::ULong retries,
                                                           const CORBA::COMM_FAILURE& exception,
                                                           CORBA::Object_ptr object, const char* operation);
typedef CORBA::Boolean (*systemExceptionHandlerExt_t)(void* cookie, CORBA::ULong retries,
                                                      const CORBA::SystemException& exception,
                                                      CORBA::Object_ptr object, const char* operation);

void installTransientExceptionHandler(void* cookie, transientExceptionHandler_t handler);
void installTransientExceptionHandler(CORBA::Object_ptr object, void* cookie,
                                      transientExceptionHandler_t handler);
void installTransientExceptionHandlerExt(void* cookie, transientExceptionHandlerExt_t handler);
void installTransientExceptionHandlerExt(CORBA::Object_ptr object, void* cookie,
                                         transientExceptionHandlerExt_t handler);
void installTimeoutExceptionHandler(void* cookie, timeoutExceptionHandler_t handler);
void installTimeoutExceptionHandler(CORBA::Object_ptr object, void* cookie,
                                    timeoutExceptionHandler_t handler);
void installTimeoutExceptionHandlerExt(void* cookie, timeoutExceptionHandlerExt_t handler);
void installTimeoutExceptionHandlerExt(CORBA::Object_ptr object, void* cookie,
                                       timeoutExceptionHandlerExt_t handler);
void installCommFailureExceptionHandler(void* cookie, commFailureExceptionHandler_t handler);
void installCommFailureExceptionHandler(CORBA::Object_ptr object, void* cookie,
                                        commFailureExceptionHandler_t handler);
void installCommFailureExceptionHandlerExt(void* cookie, commFailureExceptionHandlerExt_t handler);
void installCommFailureExceptionHandlerExt(CORBA::Object_ptr object, void* cookie,
                                           commFailureExceptionHandlerExt_t handler);
void installSystemExceptionHandler(void* cookie, systemExceptionHandler_t handler);
void installSystemExceptionHandler(CORBA::Object_ptr object, void* cookie, systemExceptionHandler_t handler);
void installSystemExceptionHandlerExt(void* cookie, systemExceptionHandlerExt_t handler);
void installSystemExceptionHandlerExt(CORBA::Object_ptr object, void* cookie,
                                      systemExceptionHandlerExt_t handler);

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

// ---- what the program logs. The ORB itself writes nothing, so that the other settings have no effect.
extern CORBA::ULong traceLevel;
extern CORBA::Boolean traceExceptions;
extern CORBA::Boolean traceInvocations;
extern CORBA::Boolean traceInvocationReturns;
extern CORBA::Boolean traceThreadId;
extern CORBA::Boolean traceTime;
extern CORBA::Boolean traceLocking;

inline bool trace(CORBA::ULong level) { return traceLevel >= level; }

// Gets each line instead of standard error; null ends that.
typedef void (*logFunction)(const char* line);
void setLogFunction(logFunction function);
// The file that lines are written to instead; null ends that. What was there is lost.
void setLogFilename(const char* name);
// Empty if there is none.
const char* getLogFilename();

// The program's own lines. Written if traceLevel is at least `level`.
void logs(int level, const char* line);
[[gnu::format(printf, 2, 3)]] void logf(int level, const char* format, ...);

// Collects a text, and writes it when it goes, whatever the level.
class logger {
 public:
  explicit logger(const char* prefix = "omniORB: ") : prefix_(prefix ? prefix : "omniORB: ") {}
  ~logger() { flush(); }
  logger(const logger&) = delete;
  logger& operator=(const logger&) = delete;

  logger& operator<<(char c);
  logger& operator<<(unsigned char c) { return *this << static_cast<char>(c); }
  logger& operator<<(signed char c) { return *this << static_cast<char>(c); }
  logger& operator<<(const char* text);
  logger& operator<<(const unsigned char* text) { return *this << reinterpret_cast<const char*>(text); }
  logger& operator<<(const signed char* text) { return *this << reinterpret_cast<const char*>(text); }
  logger& operator<<(const void* pointer);
  logger& operator<<(bool value) { return *this << static_cast<long>(value); }
  logger& operator<<(short value) { return *this << static_cast<long>(value); }
  logger& operator<<(unsigned short value) { return *this << static_cast<unsigned long>(value); }
  logger& operator<<(int value) { return *this << static_cast<long>(value); }
  logger& operator<<(unsigned int value) { return *this << static_cast<unsigned long>(value); }
  logger& operator<<(long value);
  logger& operator<<(unsigned long value);
  logger& operator<<(float value) { return *this << static_cast<double>(value); }
  logger& operator<<(double value);
  logger& operator<<(const CORBA::SystemException& exception);
  void flush();

 private:
  std::string prefix_, text_;
};

}  // namespace omniORB

namespace CORBA {

// As ORB_init, with options besides those of the command line, which win: pairs of a name without "-ORB" and
// a value, up to one of null pointers.
ORB_ptr ORB_init(int& argc, char** argv, const char* id, const char* options[][2]);

}  // namespace CORBA
