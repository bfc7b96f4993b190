#include "orb/dynamic/operations.h"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "orb/base/mutex.h"

namespace corbel::dynamic {
namespace {

constexpr std::size_t kMost = 4096;
constexpr std::size_t kLongest = 128;

// Never destroyed: static destructors may still call.
struct Table {
  base::Mutex mutex;
  std::map<std::string, core::Operation, std::less<>> names[2];
  static Table& instance() {
    static Table* const table = new Table;
    return *table;
  }
};

}  // namespace

const core::Operation* kept_operation(const char* name, bool oneway) {
  const std::string_view view = name;
  if (view.size() > kLongest) return nullptr;
  Table& table = Table::instance();
  std::lock_guard lock(table.mutex);
  auto& names = table.names[oneway];
  const auto known = names.find(view);
  if (known != names.end()) return &known->second;
  if (names.size() == kMost) return nullptr;
  const auto made = names.emplace(view, core::Operation{}).first;
  made->second = {made->first.c_str(), static_cast<std::uint32_t>(view.size()), oneway};
  made->second.rewrites = true;
  return &made->second;
}

}  // namespace corbel::dynamic
