#include "command_line/suggest.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

// Returns the optimal string alignment distance (F. Damerau, 1964).
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above[b.size()];
}

}  // namespace

std::optional<std::string> SuggestName(std::string_view typed, std::span<const std::string> names) {
  std::optional<std::string> best;
  // How far the best name is away, and its edit distance: of names that begin alike the shortest.
  std::pair<size_t, size_t> best_distance = {std::max<size_t>(1, typed.size() / 3) + 1, 0};
  for (const std::string& name : names) {
    const bool begins = typed.size() >= 3 && name.starts_with(typed);
    const size_t edits = EditDistance(typed, name);
    const std::pair<size_t, size_t> distance = {begins ? 1 : edits, edits};
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

}  // namespace zhiwen
