#include "orb/core/call_profile.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "orb/base/ascii.h"
#include "orb/base/detail.h"
#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"

namespace corbel::core {
namespace {

bool is_identifier(std::string_view name) {
  constexpr std::size_t kLongest = 256;  // clients make them up
  return !name.empty() && name.size() <= kLongest && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool fits_on_a_line(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > ' '; });
}

// In one piece, because other processes append to the file, too.
void append(int descriptor, const std::string& text) { (void)!::write(descriptor, text.data(), text.size()); }

}  // namespace

constinit base::Mutex CallProfile::mutex_of_all_;
constinit CallProfile* CallProfile::all_ = nullptr;

void CallProfile::write_all() {
  std::lock_guard lock(mutex_of_all_);
  for (CallProfile* p = all_; p; p = p->next_) p->write();
}

std::unique_ptr<CallProfile> CallProfile::open(const std::string& file, SystemError& error) {
  constexpr int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  int descriptor = ::open(file.c_str(), flags | O_EXCL, 0666);
  if (descriptor >= 0) append(descriptor, "# calls octets operation interface\n");
  else descriptor = ::open(file.c_str(), flags, 0666);
  if (descriptor >= 0) return std::unique_ptr<CallProfile>(new CallProfile(descriptor));
  error = {SystemErrorId::BAD_PARAM, Completion::No, 0,
           base::keep_detail("-ORBprofileCalls " + file + " cannot be written: " + std::strerror(errno))};
  return nullptr;
}

CallProfile::CallProfile(int descriptor)
    : descriptor_(descriptor), client_{attempt, begin, end, this}, server_{} {
  std::lock_guard lock(mutex_of_all_);
  static const int registered = std::atexit(write_all);
  (void)registered;
  next_ = all_;
  all_ = this;
}

CallProfile::~CallProfile() {
  {
    std::lock_guard lock(mutex_of_all_);
    CallProfile** place = &all_;
    while (*place != this) place = &(*place)->next_;
    *place = next_;
  }
  write();
  ::close(descriptor_);
}

void CallProfile::put_around(const ClientHooks*& client, const ServerHooks*& server) {
  inner_.store(client, std::memory_order_release);
  client = &client_;
  if (!server) server = &server_;
}

SystemError CallProfile::attempt(void* data, ClientInvocation& invocation, bool& again, ReplyKind& kind) {
  auto& self = *static_cast<CallProfile*>(data);
  const ClientHooks* const inner = self.inner_.load(std::memory_order_acquire);
  SystemError error =
      inner ? inner->attempt(inner->data, invocation, again, kind) : invocation.attempt(again, kind);
  if (!error && !again) self.ended(invocation);
  return error;
}

// Itself where there are no others.
void* CallProfile::begin(void* data, ClientInvocation& invocation, SystemError& error, bool& again,
                         ReplyKind& kind) {
  const ClientHooks* const inner = static_cast<CallProfile*>(data)->inner_.load(std::memory_order_acquire);
  return inner ? inner->begin(inner->data, invocation, error, again, kind) : data;
}

SystemError CallProfile::end(void* data, void* begun, ClientInvocation& invocation, const SystemError* error,
                             bool& again, ReplyKind& kind) {
  auto& self = *static_cast<CallProfile*>(data);
  SystemError result = error ? *error : SystemError{};
  if (begun != data) {
    const ClientHooks* const inner = self.inner_.load(std::memory_order_acquire);
    result = inner->end(inner->data, begun, invocation, error, again, kind);
  }
  if (error && !result && !again) self.ended(invocation);
  return result;
}

void CallProfile::ended(ClientInvocation& invocation) {
  const Operation& operation = invocation.operation();
  count(invocation.target().type_id(), {operation.name, operation.name_length},
        invocation.arguments_size() + (operation.oneway ? 0 : invocation.results().remaining()));
}

void CallProfile::count(std::string_view interface, std::string_view operation, std::size_t octets) {
  if (!is_identifier(operation)) return;
  std::string line(operation);
  if (!interface.empty() && fits_on_a_line(interface)) line.append(" ").append(interface);
  std::lock_guard lock(mutex_);
  if (counts_.size() == kMost && !counts_.contains(line)) return;
  Count& c = counts_[std::move(line)];
  ++c.calls;
  c.octets += octets;
}

void CallProfile::write() {
  std::string text;
  std::lock_guard lock(mutex_);
  if (counts_.empty()) return;
  for (const auto& [line, count] : counts_)
    text += base::decimal(count.calls) + ' ' + base::decimal(count.octets) + ' ' + line + '\n';
  counts_.clear();
  append(descriptor_, text);
}

void CallProfile::before_fork() {
  mutex_of_all_.lock();
  for (CallProfile* p = all_; p; p = p->next_) p->mutex_.lock();
}

void CallProfile::after_fork_in_parent() {
  for (CallProfile* p = all_; p; p = p->next_) p->mutex_.unlock();
  mutex_of_all_.unlock();
}

void CallProfile::after_fork_in_child() {
  for (CallProfile* p = all_; p; p = p->next_) {
    p->counts_.clear();
    p->mutex_.reset_in_child();
  }
  mutex_of_all_.reset_in_child();
}

}  // namespace corbel::core
