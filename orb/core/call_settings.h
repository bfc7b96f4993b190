// How long calls may take, how far one-ways are followed, whether references may be bound anew, what is
// compressed, and what happens when calls fail: as it is set while an ORB runs. Of each setting the narrowest
// that is set counts: that of the reference, then of the thread, then of the ORB.
#pragma once

#include <atomic>
#include <cstdint>

#include <corbel/base/error.h>
#include <corbel/core/fwd.h>
#include <corbel/core/operation.h>

#include "orb/base/futex.h"
#include "orb/base/ref.h"

namespace corbel::ior {
struct Ior;
}  // namespace corbel::ior

namespace corbel::core {

inline constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;
inline constexpr std::int64_t kConnectTimeoutOfOrb = -1;

// How far a one-way is followed before its caller goes on; the numbers are those of Messaging::SyncScope.
enum class SyncScope : std::int64_t { None, Transport, Server, Target };
// What may change where a reference leads to; the numbers are those of Messaging::RebindMode.
enum class Rebinding : std::int64_t { Transparent, NoRebind, NoReconnect };

enum class CallSetting : std::uint32_t {
  Roundtrip,   // nanoseconds from a call's begin to its reply; 0 is no limit
  Request,     // the same until the request is sent
  Connect,     // the same to set up a connection
  Deadline,    // of all calls; takes the place of Roundtrip
  RequestEnd,  // when a request must have been sent: nanoseconds of UTC since 1970
  ReplyEnd,    // the same of its reply
  SyncScope,
  Rebinding,
  Compression,          // whether messages are compressed, where both ends can
  Compressors,          // by what: a list of Corbel::ziop's
  CompressionLowValue,  // octets of a body below which it is not
  CompressionMinRatio,  // and the ratio above which it stays as it is: the bits of a float
  Bidirectional         // whether connections carry requests both ways: a BothWays
};
inline constexpr std::uint32_t kCallSettings = 13;
// The first two are BiDirPolicy's; the last: as the ORB's adapters have it.
enum class BothWays : std::int64_t { No, Yes, AsAdapters };

// Those of one level, or what several come to.
struct CallSettings {
  std::uint32_t set = 0;  // a bit for each
  std::int64_t values[kCallSettings] = {};

  static constexpr std::uint32_t bit(CallSetting which) { return 1u << static_cast<std::uint32_t>(which); }
  bool has(CallSetting which) const { return (set & bit(which)) != 0; }
  std::int64_t get(CallSetting which, std::int64_t otherwise = 0) const {
    return has(which) ? values[static_cast<std::uint32_t>(which)] : otherwise;
  }
  // Without what only connections look at, when they are made.
  std::uint32_t set_of_calls() const { return set & ~bit(CallSetting::Bidirectional); }
  void put(CallSetting which, std::int64_t value) {
    set |= bit(which);
    values[static_cast<std::uint32_t>(which)] = value;
  }
  // Takes what is not set here.
  void add(const CallSettings& wider);
};

// Read and written by any thread.
class SharedCallSettings {
 public:
  std::uint32_t set() const { return set_.load(std::memory_order_relaxed); }
  CallSettings load() const;
  void store(const CallSettings& settings);
  // A time of 0 is not set.
  void store(CallSetting which, std::int64_t time);

 private:
  std::atomic<std::uint32_t> set_{0};
  std::atomic<std::int64_t> values_[kCallSettings] = {};
};

// Of the calling thread, whatever ORB it calls.
extern constinit thread_local CallSettings thread_call_settings [[gnu::tls_model("initial-exec")]];
// It has two parts, which leave each other alone: omniORB's limits of time, and what PolicyCurrent has. Where
// both say something the former counts.
enum class ThreadPart { Limits, Policies };
void set_thread_call_settings(ThreadPart part, const CallSettings& settings);

// What a reference was given for its calls, for good; a mapping derives from it and keeps its policies there.
class CallOverrides : public base::RefCounted {
 public:
  explicit CallOverrides(const CallSettings& settings) : settings_(settings) {}
  const CallSettings& settings() const { return settings_; }

 private:
  const CallSettings settings_;
};

// What calls through `target` have, from all levels and from what its server says; INV_POLICY where that
// excludes what is set here.
SystemError settings_of_calls(Reference& target, CallSettings& settings);

// Lets what the server says in its reference (TAG_POLICIES) count; called where it says something.
using Reconcile = SystemError (*)(const Reference& target, CallSettings& settings);
// Of the process: null as long as nobody knows policies.
extern std::atomic<Reconcile> reconcile_settings;
// Whether both targets' policies come to the same for calls with these settings of the client.
using SameQuality = bool (*)(const CallSettings& own, const ior::Ior& before, const ior::Ior& after);
// Null likewise.
extern std::atomic<SameQuality> same_quality;

// Decides whether a call that failed is made once more. Any thread.
class RetryHandler : public base::RefCounted {
 public:
  // `retries` counts those that this call has had. No lock is held; what it throws ends the call.
  virtual bool retry(Reference& target, const Operation& operation, std::uint32_t retries,
                     const SystemError& error) = 0;
};

}  // namespace corbel::core
