#include "index/durable/merge_choice.h"

#include <algorithm>
#include <bit>
#include <map>

namespace zhiwen {
namespace {

constexpr size_t kFewest = 4, kMost = 8;  // number of segments merged at once
// A segment with at least one in this many rows deleted is written again.
constexpr uint64_t kDeletedShare = 4;

int TierOf(const MergeCandidate& segment) {
  return static_cast<int>(std::bit_width(segment.live())) / 2;
}

bool IsWorn(const MergeCandidate& segment) {
  return segment.deleted != 0 && segment.deleted >= segment.rows / kDeletedShare;
}

// Returns the first of `places` that together fit into one segment.
std::vector<size_t> FitInOne(std::span<const MergeCandidate> segments,
                             const std::vector<size_t>& places) {
  std::vector<size_t> fitting;
  uint64_t rows = 0;
  double share = 0;
  for (const size_t place : places) {
    rows += segments[place].live();
    share += segments[place].share;
    const bool is_first = fitting.empty();
    if (rows > kMostMergedRows || (share > 1 && !is_first)) break;
    fitting.push_back(place);
  }
  std::ranges::sort(fitting);
  return fitting;
}

}  // namespace

std::vector<size_t> ChooseMerge(std::span<const MergeCandidate> segments) {
  std::map<int, std::vector<size_t>> tiers;
  for (size_t i = 0; i < segments.size(); ++i) tiers[TierOf(segments[i])].push_back(i);
  for (auto& [tier, places] : tiers) {
    if (places.size() < kFewest) continue;
    places.resize(std::min(kMost, places.size()));
    std::vector<size_t> fitting = FitInOne(segments, places);
    if (fitting.size() > 1) return fitting;
  }
  for (size_t i = 0; i < segments.size(); ++i) {
    if (IsWorn(segments[i])) return {i};
  }
  return {};
}

std::vector<size_t> ChooseAll(std::span<const MergeCandidate> segments) {
  std::vector<size_t> places(segments.size());
  for (size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::ranges::stable_sort(places, {}, [&](size_t place) { return segments[place].live(); });
  std::vector<size_t> fitting = FitInOne(segments, places);
  const bool is_one = fitting.size() == 1 && segments[fitting[0]].deleted == 0;
  return is_one ? std::vector<size_t>() : fitting;
}

}  // namespace zhiwen
