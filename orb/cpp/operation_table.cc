#include <corbel/cpp/dispatch.h>

#include <mutex>

#include "orb/base/mutex.h"

namespace corbel::cpp {
namespace {

// All octets of a name of fewer than eight.
std::uint64_t short_word(const char* name, std::uint32_t length) {
  if (length >= 4) return name_word(name, 4) | name_word(name + length - 4, 4) << 32;
  std::uint64_t word = 0;
  for (std::uint32_t i = 0; i < length; ++i) word = word << 8 | static_cast<unsigned char>(name[i]);
  return word;
}

constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;

// Eight octets at a time; the last eight may have been among those before. The upper bits depend on all of
// them. What a table holds are names of a contract, so nobody can choose them to meet.
std::uint64_t hash_long(const char* name, std::uint32_t length) {
  std::uint64_t h = length;
  const char* const last = name + length - 8;
  for (; name < last; name += 8) h = (h ^ name_word(name, 8)) * kMultiplier;
  return (h ^ name_word(last, 8)) * kMultiplier;
}

std::uint64_t hash_short(const char* name, std::uint32_t length) {
  return (length ^ short_word(name, length)) * kMultiplier;
}

}  // namespace

void OperationTable::fill() {
  static constinit base::Mutex mutex;
  if (__atomic_load_n(&filled_, __ATOMIC_ACQUIRE)) return;
  std::lock_guard lock(mutex);
  if (filled_) return;
  for (std::uint32_t i = 0; i < count_; ++i) {
    auto slot = static_cast<std::uint32_t>(
        (names_[i].length < 8 ? hash_short : hash_long)(names_[i].name, names_[i].length) >> shift_);
    while (slots_[slot] != 0) slot = next(slot);
    slots_[slot] = i + 1;
  }
  __atomic_store_n(&filled_, true, __ATOMIC_RELEASE);
}

inline std::uint32_t OperationTable::probe(std::uint64_t hash, const char* name, std::uint32_t length) const {
  auto slot = static_cast<std::uint32_t>(hash >> shift_);
  for (; slots_[slot] != 0; slot = next(slot)) {
    const OperationName& here = names_[slots_[slot] - 1];
    if (here.length == length && same_name(name, here.name, length)) return slots_[slot] - 1;
  }
  return kNoOperation;
}

std::uint32_t OperationTable::find(const core::Upcall& call) {
  const char* const name = call.operation();
  const std::uint32_t length = call.operation_length();
  if (!__atomic_load_n(&filled_, __ATOMIC_ACQUIRE) || length < 8) [[unlikely]]
    return find_otherwise(call);
  return probe(hash_long(name, length), name, length);
}

// Of a short name, or for the first time.
std::uint32_t OperationTable::find_otherwise(const core::Upcall& call) {
  fill();
  const char* const name = call.operation();
  const std::uint32_t length = call.operation_length();
  return length < 8 ? probe(hash_short(name, length), name, length)
                    : probe(hash_long(name, length), name, length);
}

}  // namespace corbel::cpp
