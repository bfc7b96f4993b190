#include "orb/core/call_settings.h"

namespace corbel::core {

constinit thread_local CallSettings thread_call_settings;
constinit std::atomic<Reconcile> reconcile_settings{nullptr};
constinit std::atomic<SameQuality> same_quality{nullptr};

void CallSettings::add(const CallSettings& wider) {
  // The two say the same in two ways.
  constexpr std::uint32_t kWhole = bit(CallSetting::Roundtrip) | bit(CallSetting::Deadline);
  std::uint32_t taken = wider.set & ~set;
  if ((set & kWhole) != 0) taken &= ~kWhole;
  set |= taken;
  for (std::uint32_t i = 0; i < kCallSettings; ++i)
    if ((taken >> i & 1) != 0) values[i] = wider.values[i];
}

CallSettings SharedCallSettings::load() const {
  CallSettings settings;
  settings.set = set_.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < kCallSettings; ++i)
    settings.values[i] = values_[i].load(std::memory_order_relaxed);
  return settings;
}

void SharedCallSettings::store(const CallSettings& settings) {
  // Of one that is not set any more somebody may be about to read what it was.
  for (std::uint32_t i = 0; i < kCallSettings; ++i)
    if ((settings.set >> i & 1) != 0) values_[i].store(settings.values[i], std::memory_order_relaxed);
  set_.store(settings.set, std::memory_order_release);
}

void SharedCallSettings::store(CallSetting which, std::int64_t time) {
  values_[static_cast<std::uint32_t>(which)].store(time, std::memory_order_relaxed);
  if (time != 0) set_.fetch_or(CallSettings::bit(which), std::memory_order_release);
  else set_.fetch_and(~CallSettings::bit(which), std::memory_order_release);
}

}  // namespace corbel::core
