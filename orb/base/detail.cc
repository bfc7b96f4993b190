#include "orb/base/detail.h"

#include <mutex>
#include <set>

#include "orb/base/mutex.h"

namespace corbel::base {

const char* keep_detail(const std::string& text) {
  constexpr std::size_t kMost = 1024;
  static Mutex mutex;
  static auto* const texts = new std::set<std::string>;
  std::lock_guard lock(mutex);
  const auto known = texts->find(text);
  if (known != texts->end()) return known->c_str();
  if (texts->size() == kMost) return "too many different errors so far to keep this one's text";
  return texts->insert(text).first->c_str();
}

}  // namespace corbel::base
