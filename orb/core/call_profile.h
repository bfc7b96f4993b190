// Which operations carry the load of a program: what -ORBprofileCalls writes and corbel-idl --profile reads.
// Looks in by hooks, so that calls pay nothing where there is no profile.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include <corbel/base/error.h>

#include "orb/base/mutex.h"
#include "orb/core/hooks.h"

namespace corbel::core {

class Dispatcher;

// Thread-safe. What has been counted is appended to the file by write(), by the destructor, and when the
// process ends by exit() or the end of main().
class CallProfile {
 public:
  // Null with `error` set if the file cannot be opened for writing.
  static std::unique_ptr<CallProfile> open(const std::string& file, SystemError& error);
  ~CallProfile();
  CallProfile(const CallProfile&) = delete;

  // The ORB's hooks, with these inside; either may be null.
  void put_around(const ClientHooks*& client, const ServerHooks*& server);
  // In place of the dispatcher's.
  void dispatch(Dispatcher& dispatcher, ServerRequest& request);
  void write();

  // ---- fork, of all profiles: nothing of the parent's is written by the child, not even of one whose ORB is
  // about to begin or end in another thread
  static void before_fork();
  static void after_fork_in_parent();
  static void after_fork_in_child();

 private:
  explicit CallProfile(int descriptor);
  static SystemError attempt(void* data, ClientInvocation& invocation, bool& again, ReplyKind& kind);
  static void* begin(void* data, ClientInvocation& invocation, SystemError& error, bool& again,
                     ReplyKind& kind);
  static SystemError end(void* data, void* begun, ClientInvocation& invocation, const SystemError* error,
                         bool& again, ReplyKind& kind);
  void ended(ClientInvocation& invocation);
  // Without an interface where nobody knows it.
  void count(std::string_view interface, std::string_view operation, std::size_t octets);

  struct Count {
    std::uint64_t calls = 0, octets = 0;
  };
  // References, and servants that take any operation, name what they like.
  static constexpr std::size_t kMost = 1 << 16;

  static void write_all();
  // A list without a destructor: those of static objects may still release ORBs.
  static base::Mutex mutex_of_all_;  // guards what follows
  static CallProfile* all_;
  CallProfile* next_ = nullptr;  // of all_

  const int descriptor_;
  const ClientHooks client_;  // around others, or alone
  const ServerHooks server_;
  std::atomic<const ClientHooks*> inner_{nullptr};
  base::Mutex mutex_;                              // guards what follows
  std::unordered_map<std::string, Count> counts_;  // by the end of their lines
};

}  // namespace corbel::core
