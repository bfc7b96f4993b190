// Versions, logging and initialisation.
#include <omniORB4/omniORB.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

namespace omniORB {
namespace {

std::atomic<logFunction> g_function{nullptr};
std::mutex g_file_mutex;  // of what follows
std::FILE* g_file = nullptr;
std::string g_file_name;

bool wanted(int level) { return level <= 0 || trace(static_cast<CORBA::ULong>(level)); }

void write(const std::string& text) {
  if (const logFunction function = g_function) return function(text.c_str());
  std::lock_guard lock(g_file_mutex);
  std::fputs(text.c_str(), g_file ? g_file : stderr);
  if (g_file) std::fflush(g_file);
}

template <typename... Values>
std::string formatted(const char* format, Values... values) {
  char text[64];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

}  // namespace

const char* versionString() { return "4.2, Corbel"; }
CORBA::ULong versionHex() { return 0x04020000; }

CORBA::ULong traceLevel = 1;
CORBA::Boolean traceExceptions = false;
CORBA::Boolean traceInvocations = false;
CORBA::Boolean traceInvocationReturns = false;
CORBA::Boolean traceThreadId = false;
CORBA::Boolean traceTime = false;
CORBA::Boolean traceLocking = false;

void setLogFunction(logFunction function) { g_function = function; }

void setLogFilename(const char* name) {
  std::lock_guard lock(g_file_mutex);
  if (g_file) std::fclose(g_file);
  g_file = nullptr;
  g_file_name = name ? name : "";
  if (g_file_name.empty()) return;
  g_file = std::fopen(name, "w");
  if (!g_file) throw CORBA::INITIALIZE();
}

const char* getLogFilename() {
  std::lock_guard lock(g_file_mutex);
  return g_file_name.c_str();
}

void logs(int level, const char* line) {
  if (wanted(level)) write(std::string("omniORB: ") + line + "\n");
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

logger& logger::operator<<(char c) {
  text_ += c;
  return *this;
}
logger& logger::operator<<(const char* text) {
  text_ += text ? text : "";
  return *this;
}
logger& logger::operator<<(const void* pointer) {
  text_ += formatted("%p", pointer);
  return *this;
}
logger& logger::operator<<(long value) {
  text_ += std::to_string(value);
  return *this;
}
logger& logger::operator<<(unsigned long value) {
  text_ += std::to_string(value);
  return *this;
}
logger& logger::operator<<(double value) {
  text_ += formatted("%g", value);
  return *this;
}
logger& logger::operator<<(const CORBA::SystemException& exception) { return *this << exception.what(); }

void logger::flush() {
  if (!text_.empty()) write(prefix_ + text_);
  text_.clear();
}

}  // namespace omniORB

CORBA::ORB_ptr CORBA::ORB_init(int& argc, char** argv, const char* id, const char* options[][2]) {
  std::vector<std::string> texts;
  for (int i = 0; options && options[i][0]; ++i) {
    texts.push_back(std::string("-ORB") + options[i][0]);
    texts.emplace_back(options[i][1] ? options[i][1] : "");
  }
  // The program's name, the options, the program's arguments.
  std::vector<char*> all;
  char none[] = "";
  all.push_back(argc > 0 ? argv[0] : none);
  for (std::string& text : texts) all.push_back(text.data());
  for (int i = 1; i < argc; ++i) all.push_back(argv[i]);
  int count = static_cast<int>(all.size());
  all.push_back(nullptr);
  const ORB_ptr orb = ORB_init(count, all.data(), id);
  for (int i = 1; i < count; ++i) argv[i] = all[static_cast<std::size_t>(i)];
  if (count < argc) argv[count] = nullptr;
  if (argc > 0) argc = count;
  return orb;
}
