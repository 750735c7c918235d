#include "match/code_similarity.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

std::vector<std::string_view> CodesOf(const CodeSequence& sequence) {
  std::vector<std::string_view> codes;
  codes.reserve(sequence.size());
  for (size_t i = 0; i < sequence.size(); ++i) {
    const std::span<const uint8_t> code = sequence[i];
    codes.emplace_back(reinterpret_cast<const char*>(code.data()), code.size());
  }
  return codes;
}

bool IsNone(std::string_view code) {
  return code.find_first_not_of('\0') == std::string_view::npos;
}

double ShareOf(size_t part, size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

using Pair = std::pair<std::string_view, std::string_view>;

std::set<Pair> PairsOf(const std::vector<std::string_view>& codes) {
  std::set<Pair> pairs;
  for (size_t i = 1; i < codes.size(); ++i) pairs.emplace(codes[i - 1], codes[i]);
  return pairs;
}

// Counts the codes that belong to a pair of neighbours contained in `pairs`.
size_t CountCovered(const std::vector<std::string_view>& codes, const std::set<Pair>& pairs) {
  size_t covered = 0;
  size_t end = 0;  // end of the codes counted so far
  for (size_t i = 1; i < codes.size(); ++i) {
    if (!pairs.contains({codes[i - 1], codes[i]})) continue;
    covered += i + 1 - std::max(end, i - 1);
    end = i + 1;
  }
  return covered;
}

std::vector<std::string_view> WithoutRepeats(const CodeSequence& sequence) {
  std::set<std::string_view> seen;
  std::vector<std::string_view> codes = CodesOf(sequence);
  std::erase_if(codes, [&](std::string_view code) { return !seen.insert(code).second; });
  return codes;
}

}  // namespace

double EqualPlaces(const CodeSequence& a, const CodeSequence& b) {
  const std::vector<std::string_view> of_a = CodesOf(a);
  const std::vector<std::string_view> of_b = CodesOf(b);
  size_t equal = 0;
  size_t places = 0;  // places where at least one sequence has a nonzero code
  for (size_t i = 0; i < std::max(of_a.size(), of_b.size()); ++i) {
    const std::string_view x = i < of_a.size() ? of_a[i] : std::string_view();
    const std::string_view y = i < of_b.size() ? of_b[i] : std::string_view();
    if (IsNone(x) && IsNone(y)) continue;
    ++places;
    equal += x == y ? 1 : 0;
  }
  return ShareOf(equal, places);
}

double ConsecutiveCodes(const CodeSequence& a, const CodeSequence& b) {
  const std::vector<std::string_view> of_a = CodesOf(a);
  const std::vector<std::string_view> of_b = CodesOf(b);
  if (of_a.size() == 1 && of_b.size() == 1) return of_a == of_b ? 1 : 0;
  const size_t covered = CountCovered(of_a, PairsOf(of_b)) + CountCovered(of_b, PairsOf(of_a));
  return ShareOf(covered, of_a.size() + of_b.size());
}

// Without repeats, the longest common subsequence is the longest ascending sequence of places.
double CommonSubsequence(const CodeSequence& a, const CodeSequence& b) {
  const std::vector<std::string_view> of_a = WithoutRepeats(a);
  const std::vector<std::string_view> of_b = WithoutRepeats(b);
  std::map<std::string_view, size_t> places;
  for (const std::string_view code : of_b) places.emplace(code, places.size());
  // The smallest place at which an ascending sequence of each length ends.
  std::vector<size_t> least_ends;
  for (const std::string_view code : of_a) {
    const auto place = places.find(code);
    if (place == places.end()) continue;
    const auto at = std::ranges::lower_bound(least_ends, place->second);
    if (at == least_ends.end()) {
      least_ends.push_back(place->second);
    } else {
      *at = place->second;
    }
  }
  return ShareOf(2 * least_ends.size(), of_a.size() + of_b.size());
}

double CodeResemblance(const CodeSequence& a, const CodeSequence& b) {
  const std::vector<std::string_view> of_a = CodesOf(a);
  const std::vector<std::string_view> of_b = CodesOf(b);
  const std::set<std::string_view> set_a(of_a.begin(), of_a.end());
  const std::set<std::string_view> set_b(of_b.begin(), of_b.end());
  const auto shared = static_cast<size_t>(
      std::ranges::count_if(set_a, [&](std::string_view code) { return set_b.contains(code); }));
  return ShareOf(shared, set_a.size() + set_b.size() - shared);
}

}  // namespace zhiwen
