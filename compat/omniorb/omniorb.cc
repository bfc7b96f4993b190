#include <omniORB4/omniORB.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <string>

namespace omniORB {
namespace {

std::atomic<logFunction> g_function{nullptr};

bool wanted(int level) { return level <= 0 || static_cast<CORBA::ULong>(level) <= traceLevel; }

}  // namespace

CORBA::ULong traceLevel = 1;

void setLogFunction(logFunction function) { g_function = function; }

void logs(int level, const char* line) {
  if (!wanted(level)) return;
  const std::string text = std::string("omniORB: ") + line + "\n";
  if (const logFunction function = g_function) function(text.c_str());
  else std::fputs(text.c_str(), stderr);
}

void logf(int level, const char* format, ...) {
  if (!wanted(level)) return;
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, arguments)) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, again);
  va_end(again);
  va_end(arguments);
  text.pop_back();
  logs(level, text.c_str());
}

}  // namespace omniORB
