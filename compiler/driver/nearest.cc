#include "compiler/driver/nearest.h"

#include <algorithm>
#include <numeric>

namespace corbel::idl {
namespace {

// Letters to insert, remove or replace (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64;  // the work grows with the product of the lengths
  if (word.size() > kLongest) return {};
  std::string best;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 4) + 1;
  for (const std::string& k : known) {
    const std::size_t changes = distance(word, k);
    if (changes < fewest && changes < k.size() - 1) {
      fewest = changes;
      best = k;
    }
  }
  return best;
}

}  // namespace corbel::idl
