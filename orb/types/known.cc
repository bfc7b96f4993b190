#include "orb/types/known.h"

#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>

#include "orb/base/mutex.h"

namespace corbel::types {
namespace {

// Each has a lock of its own, so that threads rarely meet. A place of a shelf is given to whoever comes last.
constexpr std::size_t kShelves = 64, kPlaces = 4;
constexpr std::size_t kMostOctets = 16 * 1024;  // of a shelf's keys

struct Entry {
  TypeCode* type = nullptr;  // counted
  std::uint64_t hash = 0;
  std::uint32_t form = 0;
  std::size_t size = 0;
  std::unique_ptr<char[]> octets;

  bool is(Kind kind, std::uint32_t form_, std::uint64_t hash_, std::string_view octets_) const {
    return type && hash == hash_ && type->kind == kind && form == form_ && size == octets_.size() &&
           std::memcmp(octets.get(), octets_.data(), size) == 0;
  }
};

struct Shelf {
  base::Mutex mutex;
  std::size_t next = 0;  // the place to be given away
  std::array<Entry, kPlaces> places;
};

// A cache alone: what it holds is immutable and belongs to no ORB. Never destroyed, as threads may outlive
// whoever would.
Shelf& shelf(std::uint64_t hash) {
  static auto* const all = new std::array<Shelf, kShelves>;
  return (*all)[hash >> 58];
}

std::uint64_t hash_of(std::string_view octets) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  std::uint64_t hash = octets.size() * kFactor;
  while (octets.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, octets.data(), 8);
    hash = (hash ^ word) * kFactor;
    hash ^= hash >> 29;
    octets.remove_prefix(8);
  }
  std::uint64_t rest = 0;
  if (!octets.empty()) std::memcpy(&rest, octets.data(), octets.size());
  hash = (hash ^ rest) * kFactor;
  return (hash ^ hash >> 32) * kFactor;
}

}  // namespace

TypeCode* known(Kind kind, std::uint32_t form, std::string_view octets) {
  if (octets.size() > kMostKnownOctets) return nullptr;
  const std::uint64_t hash = hash_of(octets);
  Shelf& s = shelf(hash);
  const std::lock_guard lock(s.mutex);
  for (Entry& e : s.places) {
    if (!e.is(kind, form, hash, octets)) continue;
    retain(e.type);
    return e.type;
  }
  return nullptr;
}

void know(TypeCode& type, std::uint32_t form, std::string_view octets) {
  if (octets.size() > kMostKnownOctets) return;
  const std::uint64_t hash = hash_of(octets);
  Entry fresh;
  fresh.octets.reset(new (std::nothrow) char[octets.size()]);
  if (!fresh.octets) return;
  std::memcpy(fresh.octets.get(), octets.data(), octets.size());
  fresh.hash = hash;
  fresh.form = form;
  fresh.size = octets.size();
  fresh.type = &type;
  retain(&type);
  std::array<Entry, kPlaces> gone;  // freed outside of the lock
  {
    Shelf& s = shelf(hash);
    const std::lock_guard lock(s.mutex);
    std::swap(s.places[s.next], gone[0]);
    std::size_t held = octets.size();
    for (const Entry& e : s.places) held += e.size;
    for (std::size_t i = 1; i < kPlaces && held > kMostOctets; ++i) {
      Entry& e = s.places[(s.next + i) % kPlaces];
      held -= e.size;
      std::swap(e, gone[i]);
    }
    s.places[s.next] = std::move(fresh);
    s.next = (s.next + 1) % kPlaces;
  }
  for (const Entry& e : gone) release(e.type);
}

}  // namespace corbel::types
