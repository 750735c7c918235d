#include "pipeline/compare/text_families.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "document/parse_date.h"

namespace zhiwen {

std::vector<std::vector<uint32_t>> FindFamilies(const CompareAllSummary& summary, double share) {
  std::vector<uint32_t> parents(summary.texts.size());
  std::iota(parents.begin(), parents.end(), 0U);
  const auto root = [&](uint32_t text) {
    while (parents[text] != text) text = parents[text] = parents[parents[text]];
    return text;
  };
  for (const ComparedPair& pair : summary.pairs) {
    if (std::max(summary.ShareOfA(pair), summary.ShareOfB(pair)) < share) continue;
    const auto [low, high] = std::minmax({root(pair.a), root(pair.b)});
    parents[high] = low;
  }
  std::map<uint32_t, std::vector<uint32_t>> by_root;
  for (uint32_t i = 0; i < parents.size(); ++i) by_root[root(i)].push_back(i);
  std::vector<std::vector<uint32_t>> families;
  for (auto& [first, members] : by_root) {
    if (members.size() < 2) continue;
    std::ranges::stable_sort(members, {}, [&](uint32_t text) {
      const std::optional<int64_t> date = ParseDate(summary.texts[text].date);
      return std::tuple(!date, date.value_or(0));
    });
    families.push_back(std::move(members));
  }
  std::ranges::stable_sort(families, std::greater(), &std::vector<uint32_t>::size);
  return families;
}

}  // namespace zhiwen
